//! How well a person's moves are predicted: bits a move, top-k and top-p, with standard errors.
//!
//! Moves of one game are alike in who made them and how it went, so standard errors are
//! clustered: the game, not the move, is what is drawn at random.

use std::collections::BTreeMap;

/// For how many k the share of moves among the k likeliest is counted, from one.
pub const TOP_K: usize = 5;

/// The p for which the share of moves is counted that lie in the smallest set of likeliest moves
/// whose probabilities exceed p.
pub const TOP_P: [f64; 2] = [0.5, 0.8];

/// Quantities that are summed: bits, uniform bits, top-k, top-p.
const QUANTITIES: usize = 2 + TOP_K + TOP_P.len();

/// Moves and how likely they were predicted to be, summed up by game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    games: BTreeMap<u64, Sums>,
}

/// Sums over the moves of one game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    moves: f64,
    quantities: [f64; QUANTITIES],
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean over all moves.
    pub mean: f64,
    /// Its standard error, clustered by game; not a number where there is only one game.
    pub standard_error: f64,
}

/// What a tally comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// How many moves were predicted.
    pub moves: u64,
    /// How many games they are from.
    pub games: u64,
    /// Mean of −log2 of the probability given to the move played.
    pub bits: Estimate,
    /// Mean of log2 of the number of legal moves.
    pub uniform_bits: Estimate,
    /// The share of moves that were among the k likeliest, for k from 1 to [`TOP_K`]. Where moves
    /// are equally likely, each counts for its chance of being put first.
    pub top_k: [Estimate; TOP_K],
    /// The share of moves in the smallest set of likeliest moves whose probabilities exceed p, for
    /// each of [`TOP_P`].
    pub top_p: [Estimate; TOP_P.len()],
}

impl Evaluation {
    /// Bits in parts of the bits of a uniform choice.
    pub fn compression(&self) -> f64 {
        self.bits.mean / self.uniform_bits.mean
    }
}

impl Tally {
    /// Counts a prediction: the probabilities of all legal moves, and which of them was played.
    pub fn add(&mut self, game: u64, probabilities: &[f64], played: usize) {
        let probability = probabilities[played];
        let likelier = probabilities.iter().filter(|&&other| other > probability).count();
        let as_likely = probabilities.iter().filter(|&&other| other == probability).count();
        let mass: f64 = probabilities.iter().filter(|&&other| other > probability).sum();
        let sums = self.games.entry(game).or_default();
        sums.moves += 1.0;
        let [bits, uniform_bits, rest @ ..] = &mut sums.quantities;
        *bits -= probability.max(f64::MIN_POSITIVE).log2();
        *uniform_bits += (probabilities.len() as f64).log2();
        let (top_k, top_p) = rest.split_at_mut(TOP_K);
        for (k, hits) in top_k.iter_mut().enumerate() {
            let places = (k + 1).saturating_sub(likelier).min(as_likely);
            *hits += places as f64 / as_likely as f64;
        }
        for (p, hits) in TOP_P.iter().zip(top_p) {
            // equally likely moves enter the set one by one until it exceeds p
            let places = if mass > *p {
                0.0
            } else {
                (((p - mass) / probability).floor() + 1.0).min(as_likely as f64)
            };
            *hits += places / as_likely as f64;
        }
    }

    /// Adds the counts of another tally. Equal numbers of games mean the same game.
    pub fn merge(&mut self, other: Self) {
        for (game, theirs) in other.games {
            let ours = self.games.entry(game).or_default();
            ours.moves += theirs.moves;
            for (ours, theirs) in ours.quantities.iter_mut().zip(theirs.quantities) {
                *ours += theirs;
            }
        }
    }

    /// What the counts come to; `None` where nothing was counted.
    pub fn evaluation(&self) -> Option<Evaluation> {
        if self.games.is_empty() {
            return None;
        }
        let estimate = |quantity| self.estimate(quantity);
        Some(Evaluation {
            moves: self.moves() as u64,
            games: self.games.len() as u64,
            bits: estimate(0),
            uniform_bits: estimate(1),
            top_k: std::array::from_fn(|k| estimate(2 + k)),
            top_p: std::array::from_fn(|p| estimate(2 + TOP_K + p)),
        })
    }

    fn moves(&self) -> f64 {
        self.games.values().map(|sums| sums.moves).sum()
    }

    /// The ratio estimator over games drawn at random, and its linearised variance.
    fn estimate(&self, quantity: usize) -> Estimate {
        let (moves, games) = (self.moves(), self.games.len() as f64);
        let total: f64 = self.games.values().map(|sums| sums.quantities[quantity]).sum();
        let mean = total / moves;
        let squares: f64 = self
            .games
            .values()
            .map(|sums| (sums.quantities[quantity] - mean * sums.moves).powi(2))
            .sum();
        let standard_error = (games / (games - 1.0) * squares).sqrt() / moves;
        Estimate { mean, standard_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(predictions: &[(u64, &[f64], usize)]) -> Evaluation {
        let mut tally = Tally::default();
        for &(game, probabilities, played) in predictions {
            tally.add(game, probabilities, played);
        }
        tally.evaluation().unwrap()
    }

    #[test]
    fn golden_values_of_two_moves() {
        // 0.5 costs 1 bit, 0.125 costs 3; uniform over 4 costs 2
        let evaluation =
            tally(&[(1, &[0.5, 0.25, 0.125, 0.125], 0), (2, &[0.5, 0.25, 0.125, 0.125], 3)]);
        assert_eq!((evaluation.moves, evaluation.games), (2, 2));
        assert_eq!((evaluation.bits.mean, evaluation.uniform_bits.mean), (2.0, 2.0));
        // residuals ±1: sqrt(2/1 · 2) / 2 = 1
        assert!((evaluation.bits.standard_error - 1.0).abs() < 1e-12);
        let top: Vec<f64> = evaluation.top_k.iter().map(|estimate| estimate.mean).collect();
        assert_eq!(top, [0.5, 0.5, 0.75, 1.0, 1.0], "the third place is shared");
        // exceeding 0.5 takes two moves, exceeding 0.8 one of the two last
        assert_eq!(evaluation.top_p.map(|estimate| estimate.mean), [0.5, 0.75]);
    }

    #[test]
    fn moves_of_one_game_tell_less_than_moves_of_many() {
        let (sure, unsure): (&[f64], &[f64]) = (&[0.9, 0.1], &[0.1, 0.9]);
        let of_many = tally(&[(1, sure, 0), (2, sure, 0), (3, unsure, 0), (4, unsure, 0)]);
        let of_two = tally(&[(1, sure, 0), (1, sure, 0), (2, unsure, 0), (2, unsure, 0)]);
        assert_eq!(of_many.bits.mean, of_two.bits.mean);
        assert!(of_two.bits.standard_error > 1.2 * of_many.bits.standard_error);
        assert!(tally(&[(1, sure, 0)]).bits.standard_error.is_nan());
    }

    #[test]
    fn tallies_merged_are_one_tally() {
        let mut first = Tally::default();
        let mut second = Tally::default();
        let mut whole = Tally::default();
        for (game, played) in [(1, 0), (1, 1), (2, 0), (3, 1)] {
            let part = if game == 1 { &mut first } else { &mut second };
            part.add(game, &[0.75, 0.25], played);
            whole.add(game, &[0.75, 0.25], played);
        }
        first.merge(second);
        assert_eq!(first, whole);
        assert_eq!(Tally::default().evaluation(), None);
    }

    #[test]
    fn an_impossible_move_costs_much_but_not_all() {
        assert!(tally(&[(1, &[1.0, 0.0], 1)]).bits.mean.is_finite());
    }
}
