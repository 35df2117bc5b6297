//! The area under the curve of a discriminator, with an interval.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many times games are drawn anew for the interval.
const DRAWS: usize = 400;
/// The shares of the draws below and above the interval.
const TAIL: f64 = 0.025;

/// What a discriminator said of one game or of a piece of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The pair that it belongs to; pieces of one pair are no independent cases.
    pub pair: usize,
    /// The part of the data that was judged by one discriminator.
    pub fold: usize,
    /// Whether people played it.
    pub is_human: bool,
    /// How much it looks like people's, on a scale that only its fold shares.
    pub score: f32,
}

/// The probability that a human game looks more human than another, and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The area under the curve: one half for guessing, one for always being right.
    pub mean: f64,
    /// Its 95 % interval, by drawing pairs of games anew.
    pub interval: (f64, f64),
    /// How many games or pieces of games it is from.
    pub count: usize,
}

/// The mean area over the folds, and its interval by a seeded bootstrap over pairs.
///
/// `None` where some fold has no game of one kind.
pub fn area(judged: &[Judged], seed: u64) -> Option<Area> {
    let folds = judged.iter().map(|judged| judged.fold).max()? + 1;
    let mut by_fold = vec![Vec::new(); folds];
    judged.iter().for_each(|judged| by_fold[judged.fold].push(*judged));
    let mean = |folds: &[Vec<Judged>]| {
        let areas: Vec<f64> = folds.iter().filter_map(|fold| of_fold(fold)).collect();
        (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
    };
    if by_fold.iter().any(|fold| of_fold(fold).is_none()) {
        return None;
    }
    // the pieces of each pair, fold by fold
    let pairs: Vec<Vec<Vec<Judged>>> = by_fold
        .iter()
        .map(|fold| {
            let mut fold = fold.clone();
            fold.sort_by_key(|judged| judged.pair);
            fold.chunk_by(|a, b| a.pair == b.pair).map(<[Judged]>::to_vec).collect()
        })
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let folds: Vec<Vec<Judged>> = pairs
                .iter()
                .map(|pairs| {
                    let draw = |_| pairs[rng.random_range(0..pairs.len())].iter().copied();
                    (0..pairs.len()).flat_map(draw).collect()
                })
                .collect();
            mean(&folds)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((drawn.len() - 1) as f64 * share).round() as usize];
    Some(Area { mean: mean(&by_fold)?, interval: (at(TAIL), at(1.0 - TAIL)), count: judged.len() })
}

/// The share of pairs of a human and another game in which the human one has the higher score,
/// equal scores counting half: the statistic of Mann and Whitney, by ranks.
fn of_fold(judged: &[Judged]) -> Option<f64> {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut below, mut others, mut wins) = (0.0, 0.0, 0.0);
    let mut humans = 0.0;
    for equal in sorted.chunk_by(|a, b| a.score == b.score) {
        let human = equal.iter().filter(|judged| judged.is_human).count() as f64;
        let other = equal.len() as f64 - human;
        wins += human * (below + other / 2.0);
        below += other;
        humans += human;
        others += other;
    }
    (humans > 0.0 && others > 0.0).then(|| wins / (humans * others))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: &[(usize, bool, f32)]) -> Vec<Judged> {
        scores
            .iter()
            .map(|&(pair, is_human, score)| Judged { pair, fold: 0, is_human, score })
            .collect()
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_the_right_order() {
        // human 3 and 1 against 2 and 1: right, right, wrong, equal
        let four = judged(&[(0, true, 3.0), (0, false, 2.0), (1, true, 1.0), (1, false, 1.0)]);
        assert_eq!(of_fold(&four), Some(2.5 / 4.0));
        assert_eq!(of_fold(&four[..1]), None);
        let one = area(&judged(&[(0, true, 1.0), (0, false, 0.0)]), 1).unwrap();
        assert_eq!((one.mean, one.interval, one.count), (1.0, (1.0, 1.0), 2));
    }

    #[test]
    fn the_interval_holds_one_half_where_nothing_can_be_told() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let cases: Vec<_> =
            (0..400).map(|case| (case / 2, case % 2 == 0, rng.random::<f32>())).collect();
        let area = area(&judged(&cases), 1).unwrap();
        assert!(area.interval.0 < 0.5 && 0.5 < area.interval.1, "{area:?}");
        // the standard error of Mann and Whitney's statistic is 0.029 here
        let width = area.interval.1 - area.interval.0;
        assert!((0.08..0.15).contains(&width), "{width}");
    }

    #[test]
    fn pieces_of_one_game_do_not_narrow_the_interval() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let games: Vec<_> =
            (0..100).map(|case| (case / 2, case % 2 == 0, rng.random::<f32>())).collect();
        let pieces: Vec<_> = games.iter().flat_map(|&game| [game; 10]).collect();
        let width = |cases: &[(usize, bool, f32)]| {
            let Area { interval: (low, high), .. } = area(&judged(cases), 1).unwrap();
            high - low
        };
        assert!((width(&games) - width(&pieces)).abs() < 1e-9);
    }
}
