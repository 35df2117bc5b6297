//! How a net is trained, as the command line says it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::xqsv::{Checkpoint, Parameters, Plan, Structure};

/// How a net is trained.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct PlanArgs {
    /// A TOML file with the structure; without one, that of --start-from or the default
    #[arg(long, value_name = "FILE")]
    structure: Option<PathBuf>,
    /// Gives a structural variable a value, by its abbreviation: --set RHD=256 --set RNN=LSTM
    #[arg(long, value_name = "VARIABLE=VALUE")]
    #[serde(default)]
    set: Vec<String>,
    /// A net whose parameters to start from
    #[arg(long, value_name = "NET")]
    start_from: Option<PathBuf>,
    /// How often all moves are seen, at most
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: u32,
    /// Stop after so many epochs without a better validation; 0 for never
    #[arg(long, default_value_t = Plan::default().patience, value_name = "EPOCHS")]
    patience: u32,
    /// How many windows are read at each step
    #[arg(long, default_value_t = Plan::default().batch, value_name = "WINDOWS")]
    batch: usize,
    /// How many moves are predicted in each window; 1 is the paper's way, more is faster
    #[arg(long, default_value_t = Plan::default().targets, value_name = "MOVES")]
    targets: usize,
    /// Mirror half of the windows left to right
    #[arg(long)]
    mirror: bool,
    /// The highest learning rate
    #[arg(long, default_value_t = Plan::default().rate, value_name = "RATE")]
    learning_rate: f64,
    /// The share of the run in which the learning rate rises
    #[arg(long, default_value_t = Plan::default().warm_up, value_name = "SHARE")]
    warm_up: f64,
    /// Weight decay of all parameters
    #[arg(long, default_value_t = Plan::default().decay, value_name = "DECAY")]
    weight_decay: f64,
    /// The share of the loss that is over the legal moves alone; the paper's is over all labels, and
    /// LAH=yes wants 1
    #[arg(long, default_value_t = Plan::default().legal_share, value_name = "SHARE")]
    #[serde(default)]
    legal_share: f64,
    /// The share of the run, at its end, of which the parameters are averaged
    #[arg(long, default_value_t = Plan::default().average, value_name = "SHARE")]
    #[serde(default)]
    average: f64,
    /// Make no more steps than this, whatever the epochs; the learning rate falls over them
    #[arg(long, value_name = "STEPS")]
    updates: Option<u64>,
    /// Decides the first parameters, the order of the samples and what is dropped
    #[arg(long, default_value_t = Plan::default().seed)]
    seed: u64,
}

impl PlanArgs {
    /// The plan and the parameters to start from, if any.
    ///
    /// # Errors
    /// When a file cannot be read, or no network can be built or trained so.
    pub fn plan(&self) -> anyhow::Result<(Plan, Option<Parameters>)> {
        let start = self.start_from.as_deref().map(Checkpoint::load).transpose()?;
        let base = match (&self.structure, &start) {
            (Some(file), _) => read_structure(file)?,
            (None, Some(start)) => *start.parameters.structure(),
            (None, None) => Structure::default(),
        };
        // a text gives variables their values in turn, so that the last one stays
        let structure = format!("{base} {}", self.set.join(" ")).parse::<Structure>()?;
        let plan = Plan {
            seed: self.seed,
            epochs: self.epochs,
            patience: self.patience,
            batch: self.batch,
            targets: self.targets,
            mirror: self.mirror,
            rate: self.learning_rate,
            warm_up: self.warm_up,
            decay: self.weight_decay,
            legal_share: self.legal_share,
            average: self.average,
            updates: self.updates,
            structure,
            ..Plan::default()
        };
        plan.check()?;
        Ok((plan, start.map(|start| start.parameters)))
    }

    /// The plan in words, for a card.
    pub fn in_words(&self, epochs: usize) -> String {
        let mut words = format!(
            "{epochs} of {} epochs, batches of {}, {} targets, learning rate {}, seed {}",
            self.epochs, self.batch, self.targets, self.learning_rate, self.seed
        );
        if self.mirror {
            words += ", half of the windows mirrored";
        }
        if self.legal_share > 0.0 {
            words += &format!(", {} of the loss over legal moves alone", self.legal_share);
        }
        if self.average > 0.0 {
            words += &format!(", the mean of the parameters over the last {}", self.average);
        }
        if let Some(updates) = self.updates {
            words += &format!(", {updates} steps at most");
        }
        if let Some(net) = &self.start_from {
            let name = net.file_stem().unwrap_or_default().to_string_lossy();
            words += &format!(", started from the net {name}");
        }
        words
    }

    /// The same with paths that mean the same from any folder.
    pub fn with_absolute_paths(mut self) -> std::io::Result<Self> {
        for file in [&mut self.structure, &mut self.start_from].into_iter().flatten() {
            *file = std::path::absolute(&*file)?;
        }
        Ok(self)
    }
}

fn read_structure(file: &Path) -> anyhow::Result<Structure> {
    let context = || format!("reading the structure in {}", file.display());
    let text = fs::read_to_string(file).with_context(context)?;
    toml::from_str(&text).with_context(context)
}
