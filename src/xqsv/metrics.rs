//! How well a prediction meets the moves that people played: top-k, top-p, bits a move, and the
//! share of the unfiltered probability that falls on legal moves.
//!
//! Plies of one game are not independent, so standard errors are clustered by game.

use serde::{Deserialize, Serialize};

/// The k of top-k.
pub const TOP_K: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/// The p of top-p.
pub const TOP_P: [f64; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// A measured share or mean, with its standard error clustered by game.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The mean over all plies.
    pub mean: f64,
    /// Its standard error; NaN where there are fewer than two games.
    pub standard_error: f64,
}

/// What one prediction was worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// For each k of [`TOP_K`], whether the move played is among the k likeliest: one, zero, or
    /// between where equally likely moves would have to be put in some order.
    pub top_k: [f64; TOP_K.len()],
    /// For each p of [`TOP_P`], whether the move played is in the smallest set of likeliest moves
    /// whose probability exceeds p.
    pub top_p: [f64; TOP_P.len()],
    /// Minus the binary logarithm of the played move's probability.
    pub bits: f64,
}

impl Observation {
    /// What a distribution over moves was worth, of which number `played` was played.
    ///
    /// # Panics
    /// When there is no such move.
    pub fn new(probabilities: &[f64], played: usize) -> Self {
        let own = probabilities[played];
        let (mut above, mut mass_above, mut tied) = (0.0, 0.0, 0.0);
        for &probability in probabilities {
            if probability > own {
                above += 1.0;
                mass_above += probability;
            } else if probability == own {
                tied += 1.0;
            }
        }
        Self {
            top_k: TOP_K.map(|k| ((k as f64 - above) / tied).clamp(0.0, 1.0)),
            top_p: TOP_P.map(|p| {
                // Moves are taken in while those before them do not exceed p.
                let taken = ((p - mass_above) / own).floor() + 1.0;
                if mass_above > p { 0.0 } else { (taken / tied).clamp(0.0, 1.0) }
            }),
            bits: -own.log2(),
        }
    }
}

/// Adds up observations game by game.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    games: Vec<(f64, Vec<f64>)>,
}

impl Tally {
    /// Begins with the next game.
    pub fn begin_game(&mut self) {
        self.games.push((0.0, Vec::new()));
    }

    /// Adds the values of one ply to the game begun last, always equally many.
    pub fn add(&mut self, values: &[f64]) {
        if self.games.is_empty() {
            self.begin_game();
        }
        let (plies, sums) = self.games.last_mut().expect("one was begun");
        *plies += 1.0;
        sums.resize(values.len(), 0.0);
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// How many games have plies.
    pub fn games(&self) -> usize {
        self.games.iter().filter(|(plies, _)| *plies > 0.0).count()
    }

    /// How many plies there are.
    pub fn plies(&self) -> usize {
        self.games.iter().map(|(plies, _)| plies).sum::<f64>() as usize
    }

    /// The mean of the values of one rank, with its standard error.
    pub fn estimate(&self, rank: usize) -> Estimate {
        let games = || self.games.iter().filter(|(plies, _)| *plies > 0.0);
        let plies: f64 = games().map(|(plies, _)| plies).sum();
        let mean = games().map(|(_, sums)| sums[rank]).sum::<f64>() / plies;
        let clusters = games().count() as f64;
        // The variance of a ratio of sums over games, by linearization.
        let squares: f64 = games().map(|(plies, sums)| (sums[rank] - mean * plies).powi(2)).sum();
        let standard_error = (clusters / (clusters - 1.0) * squares).sqrt() / plies;
        Estimate { mean, standard_error }
    }
}

/// How well a network predicts, all as shares between zero and one but for the bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// How many games were looked at.
    pub games: usize,
    /// How many plies.
    pub plies: usize,
    /// Bits a move, after the filter.
    pub bits: Estimate,
    /// Top-1 over all 755 labels, without the filter.
    pub unfiltered_top_1: Estimate,
    /// The share of the unfiltered probability that falls on legal moves.
    pub legal_mass: Estimate,
    /// For each k of [`TOP_K`], after the filter.
    pub top_k: Vec<Estimate>,
    /// For each p of [`TOP_P`], after the filter.
    pub top_p: Vec<Estimate>,
}

impl Metrics {
    /// The values of one ply in the order in which [`new`](Self::new) wants them.
    pub fn values(observation: &Observation, unfiltered_top_1: f64, legal_mass: f64) -> Vec<f64> {
        let mut values = vec![observation.bits, unfiltered_top_1, legal_mass];
        values.extend(observation.top_k);
        values.extend(observation.top_p);
        values
    }

    /// The metrics of a tally of [`values`](Self::values).
    pub fn new(tally: &Tally) -> Self {
        const FIRST_K: usize = 3;
        const FIRST_P: usize = FIRST_K + TOP_K.len();
        Self {
            games: tally.games(),
            plies: tally.plies(),
            bits: tally.estimate(0),
            unfiltered_top_1: tally.estimate(1),
            legal_mass: tally.estimate(2),
            top_k: (FIRST_K..FIRST_P).map(|rank| tally.estimate(rank)).collect(),
            top_p: (FIRST_P..FIRST_P + TOP_P.len()).map(|rank| tally.estimate(rank)).collect(),
        }
    }

    /// Top-1 after the filter.
    pub fn top_1(&self) -> Estimate {
        self.top_k[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_move_is_in_every_set() {
        let observation = Observation::new(&[0.2, 0.5, 0.3], 1);
        assert_eq!(observation.top_k, [1.0; 10]);
        assert_eq!(observation.top_p, [1.0; 10]);
        assert_eq!(observation.bits, 1.0);
    }

    #[test]
    fn the_third_move_needs_k_of_3_and_p_of_the_first_two() {
        let observation = Observation::new(&[0.25, 0.5, 0.25, 0.0], 3);
        assert_eq!(observation.top_k[2], 0.0);
        assert_eq!(observation.top_k[3], 1.0);
        let observation = Observation::new(&[0.125, 0.5, 0.375], 0);
        assert_eq!(observation.top_k[..3], [0.0, 0.0, 1.0]);
        assert_eq!(observation.top_p, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn equally_likely_moves_count_by_chance() {
        let observation = Observation::new(&[0.25; 4], 2);
        assert_eq!(observation.top_k[..4], [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(observation.top_p[0], 0.25);
        assert_eq!(observation.top_p[3], 0.5);
    }

    #[test]
    fn standard_errors_are_those_of_games_and_not_of_plies() {
        let mut tally = Tally::default();
        for game in 0..10 {
            tally.begin_game();
            for _ in 0..100 {
                tally.add(&[f64::from(game % 2)]);
            }
        }
        let estimate = tally.estimate(0);
        assert_eq!((tally.games(), tally.plies(), estimate.mean), (10, 1_000, 0.5));
        // Ten independent halves: their deviation 0.527 over the root of ten.
        assert!((estimate.standard_error - 0.166_667).abs() < 1e-5, "{estimate:?}");
    }
}
