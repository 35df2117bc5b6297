//! The folder of a training run: a manifest that says which run it is, and the state in which it
//! was kept last.
//!
//! State is written to files of new names, then `progress.toml`, which names them, is replaced; a
//! run that is killed at any moment is found as it was kept before or after, never in between.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use candle_core::Tensor;
use serde::{Deserialize, Serialize};

use super::{EpochReport, Plan, TrainingData, TrainingError};
use crate::xqsv::{
    CheckpointError, CheckpointFlaw, Parameters, Structure, attributes_hash,
    checkpoint::{load_tensors, read_toml, save_tensors, write_toml},
};

const MANIFEST: &str = "manifest.toml";
const PROGRESS: &str = "progress.toml";
const START: &str = "start.safetensors";

/// Which run a folder belongs to.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The hash of the games to learn from and of those to validate on.
    games: [String; 2],
    /// How many moves of each are wanted.
    moves: [usize; 2],
    /// The hash of the first parameters.
    start: String,
    /// The hash of the attributes, where the network looks ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<String>,
    plan: Plan,
}

/// How far a run has come.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    /// The epoch under way, from zero.
    pub epoch: u32,
    /// How many of its steps have been made.
    pub step: usize,
    /// How many moves they predicted.
    pub moves: usize,
    /// The sum of their bits.
    pub bits: f64,
    /// How many moves all steps so far predicted.
    #[serde(default)]
    pub all_moves: usize,
    /// How many steps the optimizer has made in all.
    pub optimizer_steps: u64,
    /// Of how many of them the parameters were averaged.
    #[serde(default)]
    pub averaged: u64,
    /// The epoch with the fewest validation bits so far.
    pub best_epoch: u32,
    /// Its bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_bits: Option<f64>,
    /// The number that the files' names end in.
    version: u64,
    /// The SHA-256 of each file of the state, by name.
    files: BTreeMap<String, String>,
    /// The epochs finished.
    pub epochs: Vec<EpochReport>,
}

/// A run as it was kept.
pub(super) struct Found {
    pub progress: Progress,
    /// The parameters.
    pub network: Parameters,
    /// What the optimizer remembered.
    pub moments: BTreeMap<String, Tensor>,
    /// The parameters after the best epoch so far.
    pub best: Option<Parameters>,
    /// The mean of the parameters so far.
    pub average: Option<Parameters>,
}

/// The folder of one run.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    version: u64,
}

impl RunFolder {
    /// Takes a folder for a run, making it if need be.
    ///
    /// # Errors
    /// When it belongs to another run, or cannot be written to.
    pub fn open(
        path: &Path,
        plan: &Plan,
        data: &TrainingData,
        start: &Parameters,
    ) -> Result<Self, TrainingError> {
        fs::create_dir_all(path).map_err(|error| CheckpointFlaw::from(error).of(path))?;
        let wanted = Manifest {
            games: [data.train.hash(), data.valid.hash()],
            moves: [data.train.select(data.selection).len(), data.valid_samples.len()],
            start: save_tensors(&path.join(START), start.tensors())?,
            attributes: plan.structure.ahead.then(|| attributes_hash().to_owned()),
            plan: plan.clone(),
        };
        match read_toml::<Manifest>(&path.join(MANIFEST))? {
            None => write_toml(&path.join(MANIFEST), &wanted)?,
            Some(found) => {
                let differences = [
                    ("plan", found.plan != wanted.plan),
                    ("set of games", found.games != wanted.games || found.moves != wanted.moves),
                    ("start", found.start != wanted.start),
                    ("set of attributes", found.attributes != wanted.attributes),
                ];
                if let Some((what, _)) = differences.into_iter().find(|&(_, differs)| differs) {
                    let folder = path.to_owned();
                    return Err(TrainingError::AnotherRun { folder, what });
                }
            }
        }
        Ok(Self { path: path.to_owned(), version: 0 })
    }

    /// The run as it was kept last; `None` where it was not yet.
    ///
    /// # Errors
    /// When a file is missing or not what was written.
    pub fn load(&mut self, structure: Structure) -> Result<Option<Found>, CheckpointError> {
        let Some(progress) = read_toml::<Progress>(&self.path.join(PROGRESS))? else {
            return Ok(None);
        };
        self.version = progress.version;
        let tensors = |kind: &str| {
            let name = file_name(kind, progress.version);
            let file = self.path.join(&name);
            progress.files.get(&name).map(|digest| load_tensors(&file, digest)).transpose()
        };
        let parameters = |kind: &str| {
            let file = self.path.join(file_name(kind, progress.version));
            let tensors = tensors(kind)?;
            let check = |tensors| Parameters::new(structure, tensors);
            tensors.map(check).transpose().map_err(|error| CheckpointFlaw::from(error).of(&file))
        };
        let missing = |kind| {
            let name = file_name(kind, progress.version);
            CheckpointFlaw::Card(format!("`{name}` is not listed")).of(&self.path.join(PROGRESS))
        };
        let network = parameters("network")?.ok_or_else(|| missing("network"))?;
        let moments = tensors("optimizer")?.ok_or_else(|| missing("optimizer"))?;
        let (best, average) = (parameters("best")?, parameters("average")?);
        Ok(Some(Found { progress, network, moments, best, average }))
    }

    /// Keeps the state of the run in place of what was kept before.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(
        &mut self,
        progress: &mut Progress,
        network: &Parameters,
        optimizer: &BTreeMap<String, Tensor>,
        best: Option<&Parameters>,
        average: Option<&Parameters>,
    ) -> Result<(), CheckpointError> {
        self.version += 1;
        progress.version = self.version;
        let old = std::mem::take(&mut progress.files);
        let mut save = |kind: &str, tensors: &BTreeMap<String, Tensor>| {
            let name = file_name(kind, self.version);
            let digest = save_tensors(&self.path.join(&name), tensors)?;
            progress.files.insert(name, digest);
            Ok::<_, CheckpointError>(())
        };
        save("network", network.tensors())?;
        save("optimizer", optimizer)?;
        for (kind, parameters) in [("best", best), ("average", average)] {
            if let Some(parameters) = parameters {
                save(kind, parameters.tensors())?;
            }
        }
        write_toml(&self.path.join(PROGRESS), progress)?;
        for name in old.keys() {
            let file = self.path.join(name);
            if let Err(error) = fs::remove_file(&file) {
                log::warn!("{}: {error}", file.display());
            }
        }
        Ok(())
    }
}

fn file_name(kind: &str, version: u64) -> String {
    format!("{kind}-{version}.safetensors")
}
