//! The search for a range's structure: variables in small groups, one phase after another.
//!
//! The paper searches its ten variables in five phases, two at a time in the order of Table I.
//! Each phase tries all pairs of values; variables of earlier phases have the values that were
//! best there, variables of later ones their defaults. What is best is told by accuracy (top-1) on
//! held-out games.
//!
//! A search lives in a folder: a manifest, and a folder for each trial, which is a training run
//! like any other. Whoever shares the folder may run trials, at the same time and on any machine,
//! as long as no two run the same one; nothing here starts or watches anybody. When all trials of
//! a phase are done, [`Search::collect`] names the winner and the next phase begins.

mod clock;
mod plan;
#[cfg(test)]
mod tests;
mod trial;

pub use plan::{Choice, SearchPlan};
pub use trial::{Outcome, Trial};

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use self::{clock::Clock, trial::OUTCOME};
use super::{
    CheckpointError, Parameters, Plan, Report, Structure, TrainingData, TrainingError,
    checkpoint::{read_toml, write_toml},
    train,
};

const MANIFEST: &str = "manifest.toml";

/// A search in its folder.
#[derive(Debug)]
pub struct Search {
    folder: PathBuf,
    plan: SearchPlan,
}

/// The best trial of a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Winner {
    /// What distinguishes it from the others of its phase.
    pub name: String,
    /// How many trials it was the best of.
    pub trials: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// A phase that is not decided yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// Its number, from one.
    pub number: usize,
    /// All its trials, always in the same order.
    pub trials: Vec<Trial>,
}

impl Search {
    /// Begins a search in a folder, or finds the one that was begun there with the same plan.
    ///
    /// # Errors
    /// When the folder belongs to another search or cannot be written to, or a value of the plan
    /// makes no structure that can be trained.
    pub fn open(folder: &Path, plan: &SearchPlan) -> Result<Self, TrainingError> {
        for number in 1..=plan.phases.len() {
            for (_, structure) in plan.trials(number, plan.training.structure)? {
                Plan { structure, ..plan.training.clone() }.check()?;
            }
        }
        let manifest = folder.join(MANIFEST);
        match read_toml::<SearchPlan>(&manifest)? {
            None => {
                make_folder(folder)?;
                write_toml(&manifest, plan)?;
            }
            Some(found) if found != *plan => {
                let what = "plan of its search";
                return Err(TrainingError::AnotherRun { folder: folder.to_owned(), what });
            }
            Some(_) => {}
        }
        Ok(Self { folder: folder.to_owned(), plan: plan.clone() })
    }

    /// The search that was begun in a folder; `None` where there is none.
    ///
    /// # Errors
    /// When its manifest cannot be read.
    pub fn find(folder: &Path) -> Result<Option<Self>, CheckpointError> {
        let plan = read_toml(&folder.join(MANIFEST))?;
        Ok(plan.map(|plan| Self { folder: folder.to_owned(), plan }))
    }

    /// The winners of all phases that are decided, in order.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn winners(&self) -> Result<Vec<Winner>, CheckpointError> {
        let mut winners = Vec::new();
        while let Some(winner) = read_toml(&self.winner_file(winners.len() + 1))? {
            winners.push(winner);
        }
        Ok(winners)
    }

    /// The best structure known: that of the last winner, or of the plan.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn structure(&self) -> Result<Structure, CheckpointError> {
        let winners = self.winners()?;
        let last = winners.last().map(|winner| winner.outcome.structure);
        Ok(last.unwrap_or(self.plan.training.structure))
    }

    /// The phase whose trials are to be run; `None` when all are decided.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn phase(&self) -> Result<Option<Phase>, TrainingError> {
        let number = self.winners()?.len() + 1;
        if number > self.plan.phases.len() {
            return Ok(None);
        }
        let folder = self.folder.join(format!("phase-{number}"));
        let trials = self.plan.trials(number, self.structure()?)?;
        let trial = |(name, structure): (String, Structure)| {
            // names of folders that no shell and no system has trouble with
            let folder = folder.join(name.replace(' ', "_").replace('#', ""));
            Trial { name, structure, folder }
        };
        Ok(Some(Phase { number, trials: trials.into_iter().map(trial).collect() }))
    }

    /// Runs a trial to its end, or on from where it was stopped; `None` when `report` stops it.
    ///
    /// No two may run the same trial at a time. A trial that is done is not run again.
    ///
    /// # Errors
    /// As [`train`]. Also when there is nothing to validate on, without which no trial is better
    /// than another.
    pub fn run(
        &self,
        trial: &Trial,
        start: Option<&Parameters>,
        data: &TrainingData,
        save_every: Option<usize>,
        report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, TrainingError> {
        if let Some(outcome) = trial.outcome()? {
            return Ok(Some(outcome));
        }
        let plan = Plan { structure: trial.structure, ..self.plan.training.clone() };
        let mut clock = Clock::of(trial, self.plan.minutes)?;
        let folder = Some(trial.folder.as_path());
        let trained = train(&plan, start, data, folder, save_every, &mut |said| {
            if report(said).is_break() {
                return ControlFlow::Break(());
            }
            clock.look(said)
        })?;
        clock.keep()?;
        if !trained.is_finished && !clock.is_over {
            return Ok(None);
        }
        let best = trained
            .epochs
            .iter()
            .filter_map(|epoch| epoch.valid.as_ref())
            .min_by(|a, b| a.bits.mean.total_cmp(&b.bits.mean));
        let metrics = best.cloned().ok_or(super::EvaluationError::Empty)?;
        let epochs = trained.epochs.len();
        let outcome = Outcome { structure: trial.structure, epochs, metrics };
        write_toml(&trial.folder.join(OUTCOME), &outcome)?;
        trial.tidy();
        Ok(Some(outcome))
    }

    /// Decides the phase under way if all its trials are done; `None` if some are not, or no phase
    /// is left.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn collect(&self) -> Result<Option<Winner>, TrainingError> {
        let Some(Phase { number, trials }) = self.phase()? else { return Ok(None) };
        let mut best: Option<(&Trial, Outcome)> = None;
        for trial in &trials {
            let Some(outcome) = trial.outcome()? else { return Ok(None) };
            let is_better = best.as_ref().is_none_or(|(_, best)| outcome.is_better_than(best));
            if is_better {
                best = Some((trial, outcome));
            }
        }
        let Some((trial, outcome)) = best else { return Ok(None) };
        let winner = Winner { name: trial.name.clone(), trials: trials.len(), outcome };
        write_toml(&self.winner_file(number), &winner)?;
        Ok(Some(winner))
    }

    fn winner_file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("phase-{number}.toml"))
    }
}

impl Phase {
    /// The trials that one of several workers runs: every `workers`-th, beginning with number
    /// `worker`, from one. Together the workers run all, and no two the same.
    pub fn share(&self, worker: usize, workers: usize) -> impl Iterator<Item = &Trial> {
        self.trials.iter().skip(worker - 1).step_by(workers)
    }

    /// The trials that are not done.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn undone(&self) -> Result<Vec<&Trial>, CheckpointError> {
        let mut undone = Vec::new();
        for trial in &self.trials {
            if trial.outcome()?.is_none() {
                undone.push(trial);
            }
        }
        Ok(undone)
    }
}

fn make_folder(folder: &Path) -> Result<(), CheckpointError> {
    fs::create_dir_all(folder).map_err(|error| super::CheckpointFlaw::from(error).of(folder))
}
