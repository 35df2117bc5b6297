//! Strategies recovered from self-play.

use std::{io::Write, time::Instant};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{games::Games, weights::bar};
use crate::{
    attributes::{
        ADVANCED, AttributeModel, Strategy, Weights,
        inference::{Observed, Sample, Settings, infer},
    },
    chess::Game,
};

/// What is to be found out about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The strategy, where the weights are known: those of the thesis' advanced player.
    StrategyAlone,
    /// The strategy, where the weights are drawn at random and not known.
    StrategyAndWeights,
}

/// Published shares of trials in which the strategy was recovered, in percent.
const STRATEGIES: [Strategy; 5] = [
    Strategy::Min1Max1,
    Strategy::Min1Max2,
    Strategy::Min1Max3,
    Strategy::Min1Max4,
    Strategy::Min2Max2,
];
const WEIGHTS_KNOWN: [u32; 5] = [100, 88, 59, 58, 96];
const BOTH_INFERRED: [u32; 5] = [98, 94, 85, 68, 96];

/// The thesis draws weights from zero to this.
const LARGEST_WEIGHT: f64 = 10.0;

impl Question {
    /// Has each strategy play, finds out which it was, and prints how often that was right.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn ask(
        self,
        strategies: &[Strategy],
        trials: u32,
        seed: u64,
        plies: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let what = match self {
            Self::StrategyAlone => "Strategy of one game, weights known",
            Self::StrategyAndWeights => "Strategy and weights of two games",
        };
        writeln!(out, "{what}: recovered in {trials} trials each")?;
        if let Some(caveat) = caveat(strategies) {
            writeln!(out, "{caveat}")?;
        }
        writeln!(out, "played    published       here  taken for another")?;
        for &truth in strategies {
            let start = Instant::now();
            let progress = bar(trials.into(), truth.name());
            let found: Vec<Strategy> = (0..trials)
                .map(|trial| {
                    let found = self.answer(truth, strategies, trial, seed, plies);
                    progress.inc(1);
                    found
                })
                .collect();
            progress.finish_and_clear();
            let count = |of: Strategy| found.iter().filter(|&&found| found == of).count();
            let others: Vec<String> = strategies
                .iter()
                .filter(|&&other| other != truth && count(other) > 0)
                .map(|&other| format!("{other} {}", count(other)))
                .collect();
            let published =
                self.published(truth).map_or(String::new(), |percent| format!("{percent} %"));
            writeln!(
                out,
                "{:<9} {published:>9} {:>10}  {} ({:.0} s)",
                truth.name(),
                share(count(truth), trials),
                if others.is_empty() { "none".to_owned() } else { others.join(", ") },
                start.elapsed().as_secs_f64()
            )?;
            out.flush()?;
        }
        Ok(())
    }

    fn published(self, strategy: Strategy) -> Option<u32> {
        let place = STRATEGIES.iter().position(|&published| published == strategy)?;
        Some(match self {
            Self::StrategyAlone => WEIGHTS_KNOWN[place],
            Self::StrategyAndWeights => BOTH_INFERRED[place],
        })
    }

    /// Which strategy a trial's games are taken to be played by: the one with the shortest
    /// message.
    fn answer(
        self,
        truth: Strategy,
        strategies: &[Strategy],
        trial: u32,
        seed: u64,
        plies: usize,
    ) -> Strategy {
        let (weights, count) = match self {
            Self::StrategyAlone => (ADVANCED, 1),
            Self::StrategyAndWeights => (drawn(seed, trial), 2),
        };
        let player = AttributeModel::new(weights, truth);
        let first = u64::from(trial * count);
        let observed = Games { player, seed, first, count, plies }.play(|| ());
        let length = |&strategy: &Strategy| self.length(&observed, strategy, &weights);
        let lengths: Vec<f64> = strategies.iter().map(length).collect();
        let shortest = (0..strategies.len()).min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
        shortest.map_or(truth, |shortest| strategies[shortest])
    }

    /// How long the message is that tells the moves.
    fn length(self, observed: &[Observed<Game>], strategy: Strategy, known: &Weights) -> f64 {
        let mut sample = Sample::new(strategy);
        sample.extend(observed);
        match self {
            Self::StrategyAlone => {
                sample.tally(known).metrics().map_or(0.0, |metrics| metrics.bits.mean)
            }
            Self::StrategyAndWeights => infer(&sample, &Settings::default()).message_bits,
        }
    }
}

/// What makes the shares another thing than the published ones, if anything does.
fn caveat(strategies: &[Strategy]) -> Option<String> {
    let is_missing = |strategy: &&Strategy| !strategies.contains(strategy);
    let missing: Vec<&str> =
        STRATEGIES.iter().filter(is_missing).map(|strategy| strategy.name()).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "The thesis had {} to choose from as well, so what follows is easier than what it did.",
            missing.join(", ")
        )
    })
}

/// Weights drawn at random for a trial. Mate is worth what it is to the advanced player: the
/// thesis does not draw it.
fn drawn(seed: u64, trial: u32) -> Weights {
    // games count their streams from below
    const STREAMS: u64 = 1 << 32;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(STREAMS + u64::from(trial));
    let mut weights = ADVANCED.to_array();
    for weight in &mut weights[..Weights::COUNT - 1] {
        *weight = rng.random_range(0.0..LARGEST_WEIGHT);
    }
    Weights::from_array(weights)
}

/// A share of trials in percent, with its standard error.
fn share(count: usize, trials: u32) -> String {
    let share = count as f64 / f64::from(trials);
    let error = (share * (1.0 - share) / f64::from(trials)).sqrt();
    format!("{:.0} ± {:.0} %", 100.0 * share, 100.0 * error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far_sight_are_told_apart() {
        let strategies = [Strategy::Min1Max1, Strategy::Min2Max2];
        for truth in strategies {
            for question in [Question::StrategyAlone, Question::StrategyAndWeights] {
                assert_eq!(question.answer(truth, &strategies, 1, 5, 40), truth, "{question:?}");
            }
        }
    }

    #[test]
    fn fewer_strategies_than_published_are_owned_up_to() {
        let said = caveat(&[Strategy::Min1Max1, Strategy::Min1Max2, Strategy::Min1Max3]).unwrap();
        assert!(said.starts_with("The thesis had min1max4, min2max2 to choose from"), "{said}");
        assert_eq!(caveat(&Strategy::ALL), None);
    }

    #[test]
    fn a_share_has_its_error() {
        assert_eq!(share(5, 10), "50 ± 16 %");
        assert_eq!(share(10, 10), "100 ± 0 %");
    }
}
