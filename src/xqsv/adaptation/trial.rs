//! A structure that is tried, and what has come of it.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    evaluation::Metrics,
    xqsv::{CheckpointError, Structure, checkpoint::read_toml},
};

/// The file of a trial that is done.
pub(super) const OUTCOME: &str = "outcome.toml";

/// A structure that is tried in a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What distinguishes it from the others of its phase, as `m=10 RNN=GRU`.
    pub name: String,
    /// Its structure.
    pub structure: Structure,
    /// The folder of its run.
    pub folder: PathBuf,
}

/// What has come of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The structure.
    pub structure: Structure,
    /// How many epochs were made.
    pub epochs: usize,
    /// How well the net predicted after its best epoch.
    pub metrics: Metrics,
}

impl Trial {
    /// What has come of it; `None` while it is not done.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn outcome(&self) -> Result<Option<Outcome>, CheckpointError> {
        read_toml(&self.folder.join(OUTCOME))
    }

    /// Removes what it took to go on with the run, which is much; the best net stays.
    pub(super) fn tidy(&self) {
        let needless: BTreeSet<&str> = ["network", "optimizer", "start"].into();
        for entry in self.folder.read_dir().into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = name.split(['-', '.']).next().unwrap_or_default();
            if name.ends_with(".safetensors")
                && needless.contains(kind)
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::warn!("{}: {error}", entry.path().display());
            }
        }
    }
}

impl Outcome {
    /// Whether it predicts the likeliest move better, or else as well with fewer bits.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|outcome| outcome.metrics.top_1().mean);
        own > others || own == others && self.metrics.bits.mean < other.metrics.bits.mean
    }
}
