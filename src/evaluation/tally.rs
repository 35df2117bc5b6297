//! Sums over the moves of each game, and what they come to.

use std::collections::BTreeMap;

use super::{Estimate, Metrics, Observation, TOP_K, TOP_P, Unfiltered};

/// Where the quantities begin that are summed.
const BITS: usize = 0;
const UNIFORM_BITS: usize = 1;
const UNFILTERED_TOP_1: usize = 2;
const LEGAL_MASS: usize = 3;
const FIRST_K: usize = 4;
const FIRST_P: usize = FIRST_K + TOP_K.len();
const QUANTITIES: usize = FIRST_P + TOP_P.len();

/// Adds up observations game by game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    games: BTreeMap<u64, Sums>,
}

/// Sums over the moves of one game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    plies: f64,
    /// How many of them have an unfiltered prediction.
    unfiltered: f64,
    quantities: [f64; QUANTITIES],
}

impl Tally {
    /// Counts an observation. Equal numbers of games mean the same game.
    pub fn add(&mut self, game: u64, observation: &Observation) {
        let sums = self.games.entry(game).or_default();
        sums.plies += 1.0;
        let quantities = &mut sums.quantities;
        quantities[BITS] += observation.bits;
        quantities[UNIFORM_BITS] += observation.uniform_bits;
        if let Some(Unfiltered { top_1, legal_mass }) = observation.unfiltered {
            sums.unfiltered += 1.0;
            quantities[UNFILTERED_TOP_1] += top_1;
            quantities[LEGAL_MASS] += legal_mass;
        }
        let values = observation.top_k.iter().chain(&observation.top_p);
        for (sum, value) in quantities[FIRST_K..].iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// Adds the counts of another tally. Equal numbers of games mean the same game.
    pub fn merge(&mut self, other: Self) {
        for (game, theirs) in other.games {
            let ours = self.games.entry(game).or_default();
            ours.plies += theirs.plies;
            ours.unfiltered += theirs.unfiltered;
            for (ours, theirs) in ours.quantities.iter_mut().zip(theirs.quantities) {
                *ours += theirs;
            }
        }
    }

    /// What the counts come to; `None` where nothing was counted.
    pub fn metrics(&self) -> Option<Metrics> {
        if self.games.is_empty() {
            return None;
        }
        let plies = self.plies();
        let is_unfiltered = self.games.values().all(|sums| sums.unfiltered == sums.plies);
        let unfiltered = |quantity| is_unfiltered.then(|| self.estimate(quantity));
        let estimates = |quantities: std::ops::Range<usize>| {
            quantities.map(|quantity| self.estimate(quantity)).collect()
        };
        Some(Metrics {
            games: self.games.len(),
            plies: plies as usize,
            bits: self.estimate(BITS),
            uniform_bits: self.estimate(UNIFORM_BITS),
            unfiltered_top_1: unfiltered(UNFILTERED_TOP_1),
            legal_mass: unfiltered(LEGAL_MASS),
            top_k: estimates(FIRST_K..FIRST_P),
            top_p: estimates(FIRST_P..QUANTITIES),
        })
    }

    fn plies(&self) -> f64 {
        self.games.values().map(|sums| sums.plies).sum()
    }

    /// The ratio estimator over games drawn at random, and its linearised variance.
    fn estimate(&self, quantity: usize) -> Estimate {
        let (plies, games) = (self.plies(), self.games.len() as f64);
        let total: f64 = self.games.values().map(|sums| sums.quantities[quantity]).sum();
        let mean = total / plies;
        let squares: f64 = self
            .games
            .values()
            .map(|sums| (sums.quantities[quantity] - mean * sums.plies).powi(2))
            .sum();
        let standard_error = match self.games.len() {
            // one game says nothing of how games differ
            1 => f64::NAN,
            _ => (games / (games - 1.0) * squares).sqrt() / plies,
        };
        Estimate { mean, standard_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(predictions: &[(u64, &[f64], usize)]) -> Tally {
        let mut tally = Tally::default();
        for &(game, probabilities, played) in predictions {
            tally.add(game, &Observation::new(probabilities, played));
        }
        tally
    }

    fn metrics(predictions: &[(u64, &[f64], usize)]) -> Metrics {
        tally(predictions).metrics().unwrap()
    }

    #[test]
    fn golden_values_of_two_moves() {
        // 0.5 costs 1 bit, 0.125 costs 3; uniform over 4 costs 2
        let metrics =
            metrics(&[(1, &[0.5, 0.25, 0.125, 0.125], 0), (2, &[0.5, 0.25, 0.125, 0.125], 3)]);
        assert_eq!((metrics.plies, metrics.games), (2, 2));
        assert_eq!((metrics.bits.mean, metrics.uniform_bits.mean), (2.0, 2.0));
        assert_eq!(metrics.compression(), 1.0);
        // residuals ±1: sqrt(2/1 · 2) / 2 = 1
        assert!((metrics.bits.standard_error - 1.0).abs() < 1e-12);
        let top: Vec<f64> = metrics.top_k.iter().map(|estimate| estimate.mean).collect();
        assert_eq!(top[..5], [0.5, 0.5, 0.75, 1.0, 1.0], "the third place is shared");
        // exceeding 0.5 takes two moves, exceeding 0.8 one of the two last
        assert_eq!((metrics.top_p[5].mean, metrics.top_p[8].mean), (0.5, 0.75));
    }

    #[test]
    fn standard_errors_are_those_of_games_and_not_of_moves() {
        let (sure, unsure): (&[f64], &[f64]) = (&[0.9, 0.1], &[0.1, 0.9]);
        let of_many = metrics(&[(1, sure, 0), (2, sure, 0), (3, unsure, 0), (4, unsure, 0)]);
        let of_two = metrics(&[(1, sure, 0), (1, sure, 0), (2, unsure, 0), (2, unsure, 0)]);
        assert_eq!(of_many.bits.mean, of_two.bits.mean);
        assert!(of_two.bits.standard_error > 1.2 * of_many.bits.standard_error);
        let of_one = metrics(&[(1, sure, 0), (1, unsure, 0), (1, unsure, 1)]);
        assert!(of_one.bits.standard_error.is_nan() && of_one.top_1().standard_error.is_nan());
        let halves: Vec<_> =
            (0..1_000).map(|ply| (ply / 100, sure, (ply / 100 % 2) as usize)).collect();
        let top_1 = metrics(&halves).top_1();
        // ten independent halves: their deviation 0.527 over the root of ten
        assert_eq!(top_1.mean, 0.5);
        assert!((top_1.standard_error - 0.166_667).abs() < 1e-5, "{top_1:?}");
    }

    #[test]
    fn tallies_merged_are_one_tally() {
        let all: [(u64, &[f64], usize); 4] =
            [(1, &[0.75, 0.25], 0), (1, &[0.5, 0.5], 1), (2, &[0.75, 0.25], 0), (3, &[1.0], 0)];
        let mut first = tally(&all[..1]);
        first.merge(tally(&all[1..]));
        assert_eq!(first, tally(&all));
        assert_eq!(Tally::default().metrics(), None);
    }

    #[test]
    fn what_was_not_told_of_every_move_is_not_told_of_all() {
        let plain = Observation::new(&[0.5, 0.5], 0);
        let unfiltered = Unfiltered { top_1: 1.0, legal_mass: 0.5 };
        let mut tally = Tally::default();
        tally.add(1, &plain.with_unfiltered(unfiltered));
        let metrics = tally.metrics().unwrap();
        assert_eq!(metrics.legal_mass.unwrap().mean, 0.5);
        assert_eq!(metrics.unfiltered_top_1.unwrap().mean, 1.0);
        tally.add(1, &plain);
        assert_eq!(tally.metrics().unwrap().legal_mass, None);
    }
}
