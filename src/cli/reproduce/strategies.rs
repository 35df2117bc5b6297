//! Strategies recovered from self-play.

use std::{io::Write, path::Path};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    games::{Games, Played},
    trials::{Setup, Trials},
    weights::bar,
};
use crate::{
    attributes::{
        ADVANCED, AttributeModel, Strategy, Weights,
        inference::{Observed, Predicted, Sample, Settings, infer},
    },
    chess::Game,
    cli::table::Table,
};

/// What is to be found out about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The strategy, where the weights are known. They are drawn at random for each trial, as the
    /// thesis drew them where it inferred with wrong ones; it does not say which these were.
    StrategyAlone,
    /// The strategy, where the weights are drawn at random and not known.
    StrategyAndWeights,
}

/// The thesis' strategies, which it chose from in every trial.
pub const PUBLISHED: [Strategy; 5] = [
    Strategy::Min1Max1,
    Strategy::Min1Max2,
    Strategy::Min1Max3,
    Strategy::Min1Max4,
    Strategy::Min2Max2,
];
/// Published shares of trials in which each was recovered, in percent.
const WEIGHTS_KNOWN: [u32; 5] = [100, 88, 59, 58, 96];
const BOTH_INFERRED: [u32; 5] = [98, 94, 85, 68, 96];

/// The thesis draws weights from zero to this.
const LARGEST_WEIGHT: f64 = 10.0;
/// Moves that are looked ahead from at once where their look-aheads are not kept.
const PIECE: usize = 16;
/// A strategy is given up in a trial when it is so many bits behind another on the same moves: were
/// it the one that played, so much could happen once in 2⁶⁴ trials.
const HOPELESS: f64 = 64.0;

/// Trials to be made.
#[derive(Debug, Clone)]
pub struct Series<'a> {
    /// What is asked.
    pub question: Question,
    /// The strategies that play, and those to choose from.
    pub strategies: &'a [Strategy],
    /// How many trials there are of each.
    pub trials: u32,
    /// What chance goes by.
    pub seed: u64,
    /// After how many plies games are broken off.
    pub plies: usize,
    /// Where finished trials are kept.
    pub kept: Option<&'a Path>,
}

impl Series<'_> {
    /// Has each strategy play, finds out which it was, and prints how often that was right. The
    /// strategies take turns, so that what is kept of an interrupted run is of all of them.
    ///
    /// # Errors
    /// When the output or a finished trial cannot be written.
    pub fn make(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let what = match self.question {
            Question::StrategyAlone => "Strategy of one game, weights known",
            Question::StrategyAndWeights => "Strategy and weights of two games",
        };
        writeln!(out, "{what}: recovered in {} trials each", self.trials)?;
        if let Some(caveat) = caveat(self.strategies) {
            writeln!(out, "{caveat}")?;
        }
        out.flush()?;
        let trials = self.finished()?;
        let mut table = Table::new(["played", "published", "here", "taken for another"]);
        for &played in self.strategies {
            let found: Vec<Strategy> =
                (0..self.trials).filter_map(|number| trials.found(played, number)).collect();
            let count = |of: Strategy| found.iter().filter(|&&found| found == of).count();
            let others: Vec<String> = self
                .strategies
                .iter()
                .filter(|&&other| other != played && count(other) > 0)
                .map(|&other| format!("{other} {}", count(other)))
                .collect();
            let published = self.question.published(played);
            table.push([
                played.to_string(),
                published.map_or(String::new(), |percent| format!("{percent} %")),
                share(count(played), self.trials),
                if others.is_empty() { "none".to_owned() } else { others.join(", ") },
            ]);
        }
        write!(out, "{table}")?;
        Ok(out.flush()?)
    }

    /// Makes the trials that are not finished yet.
    fn finished(&self) -> anyhow::Result<Trials> {
        let setup = Setup {
            row: self.question.row().to_owned(),
            seed: self.seed,
            plies: self.plies,
            choices: self.strategies.to_vec(),
        };
        let mut trials = Trials::open(self.kept, setup)?;
        let progress = bar(u64::from(self.trials) * self.strategies.len() as u64, "trials");
        for number in 0..self.trials {
            for &played in self.strategies {
                if trials.found(played, number).is_none() {
                    trials.add(played, number, self.answer(played, number))?;
                }
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        Ok(trials)
    }

    /// Which strategy a trial's games are taken to be played by: the one with the shortest
    /// message.
    fn answer(&self, truth: Strategy, trial: u32) -> Strategy {
        let weights = drawn(self.seed, trial);
        let count = match self.question {
            Question::StrategyAlone => 1,
            Question::StrategyAndWeights => 2,
        };
        let player = AttributeModel::new(weights, truth);
        let first = u64::from(trial * count);
        let games = Games { player, seed: self.seed, first, count, plies: self.plies };
        let played = games.play(|| ());
        let lengths = match self.question {
            Question::StrategyAlone => self.lengths(&played, &weights),
            Question::StrategyAndWeights => self.inferred_lengths(played),
        };
        let shortest = (0..lengths.len()).min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]));
        shortest.map_or(truth, |shortest| self.strategies[shortest])
    }

    /// How many bits the moves take under each strategy with weights that are known; infinitely
    /// many where it was given up.
    fn lengths(&self, played: &Played, weights: &Weights) -> Vec<f64> {
        let mut leader = Leader::none();
        let mut lengths = vec![f64::INFINITY; self.strategies.len()];
        for number in self.by_horizon() {
            let strategy = self.strategies[number];
            let mut bits: Vec<f64> = Vec::new();
            if strategy == played.sample.strategy() {
                bits = move_bits(&played.sample, weights);
            } else {
                for piece in played.observed.chunks(PIECE) {
                    bits.extend(move_bits(&sample(strategy, piece), weights));
                    if leader.leaves_behind(bits.len(), bits.iter().sum()) {
                        break;
                    }
                }
            }
            if bits.len() == played.observed.len() {
                lengths[number] = bits.iter().sum();
                leader.challenge(lengths[number], bits);
            }
        }
        lengths
    }

    /// The numbers of the strategies, those first that look less far.
    fn by_horizon(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strategies.len()).collect();
        order.sort_by_key(|&number| self.strategies[number].horizon().limit);
        order
    }

    /// How long the messages are that tell the moves and the weights under each strategy;
    /// infinitely long where it was given up. Each is inferred from what was inferred under those
    /// that look less far, among other starts.
    fn inferred_lengths(&self, played: Played) -> Vec<f64> {
        let Played { observed, sample } = played;
        let own = sample.strategy();
        let mut own_sample = Some(sample);
        let mut settings = Settings::default();
        let mut leader = Leader::none();
        let mut lengths = vec![f64::INFINITY; self.strategies.len()];
        for number in self.by_horizon() {
            let strategy = self.strategies[number];
            let kept = own_sample.take_if(|_| strategy == own);
            let whole = kept.or_else(|| promising(strategy, &observed, &settings, &leader));
            let Some(sample) = whole else { continue };
            let fit = infer(&sample, &settings);
            settings.starts = vec![fit.weights];
            lengths[number] = fit.message_bits;
            leader.challenge(fit.message_bits, move_bits(&sample, &fit.weights));
        }
        lengths
    }
}

/// The strategy with the shortest message so far.
struct Leader {
    message: f64,
    /// What each move takes of it.
    bits: Vec<f64>,
}

impl Leader {
    /// No strategy so far.
    fn none() -> Self {
        Self { message: f64::INFINITY, bits: Vec::new() }
    }

    /// A strategy with this message; it leads if that is the shortest.
    fn challenge(&mut self, message: f64, bits: Vec<f64>) {
        if message < self.message {
            *self = Self { message, bits };
        }
    }

    /// Whether a strategy that takes so many bits for the first moves has no hope left.
    fn leaves_behind(&self, moves: usize, bits: f64) -> bool {
        !self.bits.is_empty() && bits > self.bits[..moves].iter().sum::<f64>() + HOPELESS
    }
}

/// The look-aheads of all moves, unless the strategy is left behind on some of them even with the
/// weights that tell those best.
fn promising(
    strategy: Strategy,
    observed: &[Observed<Game>],
    settings: &Settings,
    leader: &Leader,
) -> Option<Sample> {
    /// So many moves bound the weights enough to tell anything.
    const FIRST: usize = 2 * PIECE;
    let mut sample = Sample::new(strategy);
    let mut count = FIRST.min(observed.len());
    sample.extend(&observed[..count]);
    while count < observed.len() {
        if leader.leaves_behind(count, infer(&sample, settings).bits) {
            return None;
        }
        let next = observed.len().min(2 * count);
        sample.extend(&observed[count..next]);
        count = next;
    }
    Some(sample)
}

/// What each move of a sample takes under these weights.
fn move_bits(sample: &Sample, weights: &Weights) -> Vec<f64> {
    sample.predictions(weights).iter().map(Predicted::bits).collect()
}

impl Question {
    /// The name of its row.
    fn row(self) -> &'static str {
        match self {
            Self::StrategyAlone => "strategy-known",
            Self::StrategyAndWeights => "strategy-inferred",
        }
    }

    fn published(self, strategy: Strategy) -> Option<u32> {
        let place = PUBLISHED.iter().position(|&published| published == strategy)?;
        Some(match self {
            Self::StrategyAlone => WEIGHTS_KNOWN[place],
            Self::StrategyAndWeights => BOTH_INFERRED[place],
        })
    }
}

fn sample(strategy: Strategy, observed: &[Observed<Game>]) -> Sample {
    let mut sample = Sample::new(strategy);
    sample.extend(observed);
    sample
}

/// What makes the shares another thing than the published ones, if anything does.
fn caveat(strategies: &[Strategy]) -> Option<String> {
    let is_missing = |strategy: &&Strategy| !strategies.contains(strategy);
    let missing: Vec<&str> =
        PUBLISHED.iter().filter(is_missing).map(|strategy| strategy.name()).collect();
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
        for question in [Question::StrategyAlone, Question::StrategyAndWeights] {
            let strategies = &strategies[..];
            let series = Series { question, strategies, trials: 1, seed: 5, plies: 40, kept: None };
            for &truth in strategies {
                assert_eq!(series.answer(truth, 1), truth, "{question:?}");
            }
        }
    }

    #[test]
    fn fewer_strategies_than_published_are_owned_up_to() {
        let said = caveat(&[Strategy::Min1Max1, Strategy::Min1Max2, Strategy::Min1Max3]).unwrap();
        assert!(said.starts_with("The thesis had min1max4, min2max2 to choose from"), "{said}");
        assert_eq!(caveat(&Strategy::ALL), None);
        assert_eq!(caveat(&PUBLISHED), None);
    }

    #[test]
    fn a_share_has_its_error() {
        assert_eq!(share(5, 10), "50 ± 16 %");
        assert_eq!(share(10, 10), "100 ± 0 %");
    }
}
