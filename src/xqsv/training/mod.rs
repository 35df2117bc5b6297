//! One training run: from a plan, games and a seed to a net.
//!
//! All that is random in a run is drawn from its seed and the number of the epoch and step, so a
//! run that was interrupted goes on exactly as it would have (with as many threads).

mod average;
mod batch;
mod plan;
mod run;
#[cfg(test)]
mod tests;

use std::{ops::ControlFlow, path::Path};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::plan::Plan;
use self::{
    average::Average,
    run::{Found, Progress, RunFolder},
};
use super::{
    CheckpointError, Dataset, EvaluationError, Network, NetworkError, Optimizer, PADDING,
    Parameters, ReplayError, Sample, Selection, evaluate,
};
use crate::evaluation::Metrics;

/// What a net is trained and validated on.
#[derive(Debug, Clone, Copy)]
pub struct TrainingData<'a> {
    /// The games to learn from.
    pub train: &'a Dataset,
    /// Which of their moves are learnt.
    pub selection: &'a Selection,
    /// The games to validate on; with their legal moves.
    pub valid: &'a Dataset,
    /// Which of their moves are predicted after each epoch; none for no validation.
    pub valid_samples: &'a [Sample],
}

/// What a run says while it is under way.
#[derive(Debug, Clone, PartialEq)]
pub enum Report<'a> {
    /// A step was made.
    Step {
        /// The epoch, from zero.
        epoch: u32,
        /// How many steps of it have been made.
        step: usize,
        /// How many it has.
        steps: usize,
        /// How many moves were predicted at this step.
        moves: usize,
        /// The mean cross-entropy of the step in bits, over all labels.
        bits: f64,
    },
    /// An epoch was finished and validated: all epochs so far, also those from before the run was
    /// taken up, the last one last.
    Epoch(&'a [EpochReport]),
}

/// An epoch of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpochReport {
    /// Its number, from zero.
    pub epoch: u32,
    /// The mean cross-entropy of its steps in bits, over all labels and with dropout.
    pub train_bits: f64,
    /// How well the net predicted after it; none without validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid: Option<Metrics>,
}

/// What has come of a run.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The parameters after the best epoch by validation bits, or after the last one without
    /// validation.
    pub parameters: Parameters,
    /// All epochs.
    pub epochs: Vec<EpochReport>,
    /// How many moves it has learnt from in all, each as often as it was seen.
    pub moves: usize,
    /// Whether the run came to its end; otherwise it was stopped and can be taken up again.
    pub is_finished: bool,
}

/// Why a run failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A number of the plan is out of range.
    #[error("{name} cannot be {got}, wanted {wanted}")]
    Plan {
        /// What it is called.
        name: &'static str,
        /// The number.
        got: f64,
        /// What it can be.
        wanted: &'static str,
    },
    /// There is nothing to learn.
    #[error("the selection leaves no moves to learn, wanted at least two")]
    Empty,
    /// A dataset lacks what the plan needs.
    #[error("the games {games} were read without {what}, wanted them for {wanted}")]
    NotKept {
        /// Which games.
        games: &'static str,
        /// What they lack.
        what: &'static str,
        /// What it is needed for.
        wanted: &'static str,
    },
    /// A game could not be played again, to see the attributes of moves in it.
    #[error("the games {games}: {source}")]
    Replay {
        /// Which games.
        games: &'static str,
        /// The game.
        source: ReplayError,
    },
    /// The folder belongs to another run.
    #[error("{} belongs to a run with another {what}, wanted an empty folder or the same run", folder.display())]
    AnotherRun {
        /// The folder.
        folder: std::path::PathBuf,
        /// What differs: plan, games or first parameters.
        what: &'static str,
    },
    /// A file of the run could not be read or written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The network failed or diverged.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The validation failed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// Trains a net as `plan` says, from `start` or from random parameters.
///
/// With a `folder`, the run is kept there after each epoch, every `save_every` steps and when it
/// is stopped; a run that is found there is taken up where it was kept last. `report` is called
/// after every step and epoch, and stops the run by breaking.
///
/// # Errors
/// When the plan is out of range, there is nothing to learn, training diverges, or the folder
/// cannot be used or belongs to another run.
pub fn train(
    plan: &Plan,
    start: Option<&Parameters>,
    data: &TrainingData,
    folder: Option<&Path>,
    save_every: Option<usize>,
    report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
) -> Result<Trained, TrainingError> {
    plan.check()?;
    check_kept(plan, data)?;
    let start = match start {
        Some(parameters) => Parameters::going_on(plan.structure, parameters, plan.seed)?,
        None => Parameters::random(plan.structure, plan.seed)?,
    };
    let mut folder = match folder {
        Some(folder) => Some(RunFolder::open(folder, plan, data, &start)?),
        None => None,
    };
    let found = match &mut folder {
        Some(folder) => folder.load(plan.structure)?,
        None => None,
    };
    let mut run = match found {
        Some(Found { progress, network, moments, best, average }) => {
            let network = Network::new(&network)?.with_precision(plan.precision);
            let mut optimizer = Optimizer::new(&network, plan.decay);
            optimizer.remember(progress.optimizer_steps, &moments)?;
            let average = Average::going_on(progress.averaged, average);
            Run { plan, data, network, optimizer, progress, best, average, folder }
        }
        None => {
            let network = Network::new(&start)?.with_precision(plan.precision);
            let optimizer = Optimizer::new(&network, plan.decay);
            let (progress, average) = (Progress::default(), Average::default());
            Run { plan, data, network, optimizer, progress, best: None, average, folder }
        }
    };
    let is_finished = run.go_on(save_every, report)?.is_continue();
    run.keep()?;
    let parameters = match run.best.take() {
        Some(best) => best,
        None => run.parameters()?,
    };
    let moves = run.progress.all_moves;
    Ok(Trained { parameters, epochs: run.progress.epochs, moves, is_finished })
}

/// What the games to learn from and those to validate on are called.
const LEARNT: &str = "to learn from";
const VALIDATED: &str = "to validate on";

/// Whether the games have what the plan needs.
fn check_kept(plan: &Plan, data: &TrainingData) -> Result<(), TrainingError> {
    let lacks = |games, what, wanted| Err(TrainingError::NotKept { games, what, wanted });
    let (train, valid, needed) = (data.train.keeps(), data.valid.keeps(), plan.needs());
    if needed.legal && !train.legal {
        return lacks(LEARNT, "legal moves", "a loss over these");
    }
    if needed.men && !train.men {
        return lacks(LEARNT, "men", "a network that sees the board");
    }
    if needed.men && !valid.men && !data.valid_samples.is_empty() {
        return lacks(VALIDATED, "men", "a network that sees the board");
    }
    if plan.structure.ahead {
        let replay = |games, dataset: &Dataset| {
            dataset.check_starts().map_err(|source| TrainingError::Replay { games, source })
        };
        replay(LEARNT, data.train)?;
        if !data.valid_samples.is_empty() {
            replay(VALIDATED, data.valid)?;
        }
    }
    Ok(())
}

/// A run under way.
struct Run<'a> {
    plan: &'a Plan,
    data: &'a TrainingData<'a>,
    network: Network,
    optimizer: Optimizer,
    progress: Progress,
    /// The parameters after the best epoch so far.
    best: Option<Parameters>,
    /// The mean of the parameters at the end of the run, as far as it has come.
    average: Average,
    folder: Option<RunFolder>,
}

impl Run<'_> {
    /// Makes all epochs that are left; breaks when it was stopped.
    fn go_on(
        &mut self,
        save_every: Option<usize>,
        report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TrainingError> {
        while self.progress.epoch < self.plan.epochs
            && !self.has_lost_patience()
            && self.plan.updates.is_none_or(|updates| self.optimizer.steps() < updates)
        {
            if self.make_epoch(save_every, report)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.keep()?;
            if report(&Report::Epoch(&self.progress.epochs)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn make_epoch(
        &mut self,
        save_every: Option<usize>,
        report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TrainingError> {
        let (plan, epoch) = (self.plan, self.progress.epoch);
        let windows = plan.windows(self.data, epoch);
        if windows.len() < 2 {
            return Err(TrainingError::Empty);
        }
        // What is left over at the end of an epoch waits for the next one's order.
        let mut steps = (windows.len() / plan.batch).max(1);
        if let Some(updates) = plan.updates {
            let before = self.optimizer.steps() - self.progress.step as u64;
            steps = steps.min(updates.saturating_sub(before) as usize);
        }
        while self.progress.step < steps {
            let step = self.progress.step;
            let chosen = &windows[step * plan.batch..windows.len().min((step + 1) * plan.batch)];
            let (moves, bits) = self.make_step(chosen, steps)?;
            self.progress.moves += moves;
            self.progress.all_moves += moves;
            self.progress.bits += bits * moves as f64;
            self.progress.step += 1;
            let said = report(&Report::Step { epoch, step: step + 1, steps, moves, bits });
            if said.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if save_every.is_some_and(|every| self.progress.step.is_multiple_of(every)) {
                self.keep()?;
            }
        }
        self.finish_epoch()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Learns from some windows; returns how many moves were predicted and the bits a move.
    fn make_step(
        &mut self,
        windows: &[Sample],
        steps: usize,
    ) -> Result<(usize, f64), TrainingError> {
        let Progress { epoch, step, .. } = self.progress;
        let mut noise = self.plan.rng(u64::from(epoch) << 32 | step as u64);
        let batch = batch::of(self.plan, self.data, windows, &mut noise)
            .map_err(|source| TrainingError::Replay { games: LEARNT, source })?;
        let loss = self.network.loss(&batch, &mut noise)?;
        let gradients = loss.backward().map_err(NetworkError::from)?;
        // The rate after half of the step, so that it is never zero.
        let done = match self.plan.updates {
            Some(updates) => (self.optimizer.steps() as f64 + 0.5) / updates as f64,
            None => {
                let epochs = f64::from(epoch) + (step as f64 + 0.5) / steps as f64;
                epochs / f64::from(self.plan.epochs)
            }
        };
        self.optimizer.step(&gradients, self.plan.rate_at(done))?;
        if done >= 1.0 - self.plan.average {
            self.average.follow(&self.network)?;
        }
        let nats = loss.to_scalar::<f32>().map_err(NetworkError::from)?;
        let moves = batch.targets.iter().filter(|&&target| target != PADDING).count();
        Ok((moves, f64::from(nats) / std::f64::consts::LN_2))
    }

    fn finish_epoch(&mut self) -> Result<(), TrainingError> {
        let TrainingData { valid, valid_samples, .. } = *self.data;
        let metrics = match valid_samples {
            [] => None,
            samples => Some(evaluate(&Network::new(&self.parameters()?)?, valid, samples)?),
        };
        let is_best = match (&metrics, self.progress.best_bits) {
            (Some(metrics), Some(best)) => metrics.bits.mean < best,
            _ => true,
        };
        if is_best {
            self.best = Some(self.parameters()?);
            self.progress.best_epoch = self.progress.epoch;
            self.progress.best_bits = metrics.as_ref().map(|metrics| metrics.bits.mean);
        }
        let train_bits = self.progress.bits / self.progress.moves as f64;
        let epoch = self.progress.epoch;
        self.progress.epochs.push(EpochReport { epoch, train_bits, valid: metrics });
        self.progress.epoch += 1;
        (self.progress.step, self.progress.moves, self.progress.bits) = (0, 0, 0.0);
        Ok(())
    }

    /// What the run has come to: the mean of the parameters where it has begun, else those of the
    /// last step.
    fn parameters(&self) -> Result<Parameters, NetworkError> {
        match self.average.parameters(self.plan.structure)? {
            Some(average) => Ok(average),
            None => self.network.parameters(),
        }
    }

    fn has_lost_patience(&self) -> bool {
        let without_better = self.progress.epoch.saturating_sub(self.progress.best_epoch + 1);
        self.plan.patience > 0 && without_better >= self.plan.patience
    }

    fn keep(&mut self) -> Result<(), TrainingError> {
        if let Some(folder) = &mut self.folder {
            self.progress.optimizer_steps = self.optimizer.steps();
            self.progress.averaged = self.average.count();
            folder.save(
                &mut self.progress,
                &self.network.parameters()?,
                &self.optimizer.memory()?,
                self.best.as_ref(),
                self.average.parameters(self.plan.structure)?.as_ref(),
            )?;
        }
        Ok(())
    }
}
