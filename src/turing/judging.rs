//! Judging a contestant: pairs of games, learnt from and judged in turns.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{Area, Discriminator, Judged, Statistics, area};

/// Into how many parts the pairs are split, each judged by who has learnt from the others.
const FOLDS: usize = 5;

/// A game of people, and the game that a contestant played in its stead.
#[derive(Debug, Clone, Default)]
pub struct Pair {
    /// The statistics of people's game.
    pub human: Statistics,
    /// Those of the contestant's.
    pub other: Statistics,
}

/// What is judged at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A game.
    Game,
    /// So many moves of each side one after the other; what is left at a game's end is left out.
    Moves(usize),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// How well games can be told apart.
    pub area: Area,
    /// The statistics that differ most, by the place of each, with the distance of the means in
    /// deviations: positive where people have more of it.
    pub telltales: Vec<(usize, f64)>,
}

/// How many statistics are named that differ most.
const TELLTALES: usize = 6;

/// Learns from some of the pairs and judges the others, each pair once.
///
/// # Errors
/// When there are too few pairs, or candle fails.
pub fn judge(pairs: &[Pair], unit: Unit, seed: u64) -> candle_core::Result<Verdict> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    // both games of a pair are always in the same part
    let mut cases = Vec::new();
    for (rank, &number) in order.iter().enumerate() {
        let Pair { human, other } = &pairs[number];
        for (statistics, is_human) in [(human, true), (other, false)] {
            for case in pieces(statistics, unit) {
                let judged = Judged { pair: number, fold: rank % FOLDS, is_human, score: 0.0 };
                cases.push((judged, case));
            }
        }
    }
    let mut judged = Vec::with_capacity(cases.len());
    for fold in 0..FOLDS {
        let some = |of_fold: bool| {
            let some = cases.iter().filter(move |(case, _)| (case.fold == fold) == of_fold);
            let (cases, statistics): (Vec<Judged>, Vec<Vec<f32>>) = some.cloned().unzip();
            (cases, statistics)
        };
        let (learnt, statistics) = some(false);
        let (mut asked, asked_statistics) = some(true);
        if learnt.is_empty() || asked.is_empty() {
            candle_core::bail!("{} pairs of games, wanted {FOLDS} at least", pairs.len());
        }
        let are_human: Vec<bool> = learnt.iter().map(|case| case.is_human).collect();
        let discriminator = Discriminator::learn(&statistics, &are_human, seed)?;
        let scores = discriminator.scores(&asked_statistics)?;
        asked.iter_mut().zip(scores).for_each(|(case, score)| case.score = score);
        judged.extend(asked);
    }
    let Some(area) = area(&judged, seed) else {
        candle_core::bail!("the games of one kind are too short, wanted longer ones");
    };
    Ok(Verdict { area, telltales: telltales(&cases) })
}

/// The statistics of a game's pieces.
fn pieces(statistics: &Statistics, unit: Unit) -> Vec<Vec<f32>> {
    let plies = statistics.plies();
    match unit {
        Unit::Game => vec![statistics.of(0..plies)],
        Unit::Moves(moves) => (0..plies / (2 * moves))
            .map(|piece| statistics.of(2 * moves * piece..2 * moves * (piece + 1)))
            .collect(),
    }
}

/// The distances of means between people's cases and others, the largest first.
fn telltales(cases: &[(Judged, Vec<f32>)]) -> Vec<(usize, f64)> {
    let width = cases.first().map_or(0, |(_, case)| case.len());
    let mut distances: Vec<(usize, f64)> = (0..width)
        .filter_map(|place| {
            let moments = |is_human: bool| {
                let of = cases.iter().filter(|(case, _)| case.is_human == is_human);
                let (count, sum, squares) = of.fold((0.0, 0.0, 0.0), |(n, sum, squares), case| {
                    let value = f64::from(case.1[place]);
                    (n + 1.0, sum + value, squares + value * value)
                });
                let mean = sum / count;
                (mean, squares / count - mean * mean)
            };
            let ((human, human_variance), (other, other_variance)) =
                (moments(true), moments(false));
            let deviation = ((human_variance + other_variance) / 2.0).sqrt();
            let distance = (human - other) / deviation;
            distance.is_finite().then_some((place, distance))
        })
        .collect();
    distances.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    distances.truncate(TELLTALES);
    distances
}
