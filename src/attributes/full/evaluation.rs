//! How well a network foretells moves, with errors clustered by game.

use std::collections::HashMap;

use super::{Basis, Network, Sample, network::Scratch};

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Its standard error, clustered by game: moves of one game are not independent.
    pub error: f64,
}

/// How well moves were foretold.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evaluation {
    /// How many moves.
    pub moves: usize,
    /// The share of moves that were the likeliest.
    pub top1: Measured,
    /// The mean of `−log2 p`.
    pub bits: Measured,
}

/// Collects what is foretold of moves.
#[derive(Debug, Clone, Default)]
pub struct Evaluating {
    scratch: Scratch,
    games: HashMap<u32, Sums>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    moves: f64,
    hits: f64,
    bits: f64,
}

impl Evaluating {
    /// Takes a sample into account. A move counts as the likeliest only where no other is as
    /// likely.
    pub fn add(&mut self, network: &Network, sample: &Sample<'_>) -> (bool, f64) {
        let basis = Basis::of(&sample.circumstances);
        network.predict(basis, sample.situation, sample.each_move(), &mut self.scratch);
        let probabilities = &self.scratch.probabilities;
        let chosen = probabilities[sample.chosen];
        let hit = probabilities.iter().filter(|&&other| other >= chosen).count() == 1;
        let bits = -f64::from(chosen.max(f32::MIN_POSITIVE)).log2();
        self.count(sample.game, hit, bits);
        (hit, bits)
    }

    /// Counts a move of a game that was the likeliest or not.
    pub fn count(&mut self, game: u32, hit: bool, bits: f64) {
        let sums = self.games.entry(game).or_default();
        sums.moves += 1.0;
        sums.hits += f64::from(hit);
        sums.bits += bits;
    }

    /// What came out.
    pub fn result(&self) -> Evaluation {
        let moves: f64 = self.games.values().map(|sums| sums.moves).sum();
        Evaluation {
            moves: moves as usize,
            top1: self.measure(moves, |sums| sums.hits),
            bits: self.measure(moves, |sums| sums.bits),
        }
    }

    /// A ratio of sums over games, with the error of a ratio.
    fn measure(&self, moves: f64, of: impl Fn(&Sums) -> f64) -> Measured {
        if moves == 0.0 {
            return Measured::default();
        }
        let mean = self.games.values().map(&of).sum::<f64>() / moves;
        let squares: f64 =
            self.games.values().map(|sums| (of(sums) - mean * sums.moves).powi(2)).sum();
        let games = self.games.len() as f64;
        let correction = if games > 1.0 { games / (games - 1.0) } else { 1.0 };
        Measured { mean, error: (correction * squares).sqrt() / moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_one_game_count_as_one_cluster() {
        let mut evaluating = Evaluating::default();
        for (game, hits) in [(1, [true, true]), (2, [false, false])] {
            hits.into_iter().for_each(|hit| evaluating.count(game, hit, 1.0));
        }
        let result = evaluating.result();
        assert_eq!((result.moves, result.top1.mean), (4, 0.5));
        // two independent games, not four moves: the error of a mean of two is 0.5
        assert!((result.top1.error - 0.5).abs() < 1e-12);
        assert_eq!(result.bits, Measured { mean: 1.0, error: 0.0 });
    }
}
