//! Reading games to learn from and games to validate on.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::data::name;
use crate::{
    cli::{games, interruption::Interruption},
    xiangqi::records::Record,
    xqsv::{Dataset, Keep, is_held_out},
};

/// The share of the games that is held out where no files to validate on are named.
const HELD_OUT: f64 = 0.1;
/// How many games are read before all threads look at them.
const GAMES_AT_ONCE: usize = 512;

/// Which games are learnt from, and which are validated on.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct GamesArgs {
    /// Files of games to learn from, in any format, plain, .gz or .zst
    #[arg(long, required_unless_present = "prepared", num_args = 1.., value_name = "FILES")]
    #[serde(default)]
    train: Vec<PathBuf>,
    /// Files of games to validate on
    #[arg(long, num_args = 1.., value_name = "FILES", conflicts_with = "hold_out")]
    #[serde(default)]
    valid: Vec<PathBuf>,
    /// The share of the games to hold out and validate on, whole games chosen by a seeded hash of
    /// their names; 0 for no validation [default: 0.1 where no --valid is named]
    #[arg(long, value_name = "SHARE")]
    hold_out: Option<f64>,
    /// The seed of that choice
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    hold_out_seed: u64,
}

/// Games that were read.
pub struct Games {
    /// Those to learn from.
    pub train: Dataset,
    /// Those to validate on.
    pub valid: Dataset,
    /// How many could not be read.
    pub rejects: u64,
    /// Whether there should be games to validate on.
    pub validates: bool,
}

impl GamesArgs {
    /// Reads the games, those to learn from and those to validate on with what is to be kept of
    /// each. Games that cannot be read are named on standard error.
    ///
    /// # Errors
    /// When a file cannot be read or holds no games, or the user interrupts.
    pub fn read(&self, keep: [Keep; 2], interruption: &Interruption) -> anyhow::Result<Games> {
        let hold_out = match self.hold_out {
            None if self.valid.is_empty() => HELD_OUT,
            None => 0.0,
            Some(share) => share,
        };
        ensure!(
            (0.0..1.0).contains(&hold_out),
            "--hold-out cannot be {hold_out}, wanted a share from 0 to below 1"
        );
        let [mut train, mut valid] = keep.map(Dataset::new);
        let mut rejects = self.read_files(&self.train, interruption, |records| {
            let seed = self.hold_out_seed;
            let (held_out, learnt): (Vec<_>, Vec<_>) = records
                .into_iter()
                .partition(|record| is_held_out(&record.header.id, seed, hold_out));
            train.extend(&learnt);
            valid.extend(&held_out);
        })?;
        if !self.valid.is_empty() {
            rejects +=
                self.read_files(&self.valid, interruption, |records| valid.extend(&records))?;
        }
        let validates = hold_out > 0.0 || !self.valid.is_empty();
        Ok(Games { train, valid, rejects, validates })
    }

    /// Calls `take` with some games at a time; returns how many could not be read.
    fn read_files(
        &self,
        files: &[PathBuf],
        interruption: &Interruption,
        mut take: impl FnMut(Vec<Record>),
    ) -> anyhow::Result<u64> {
        let bar = ProgressBar::new_spinner().with_style(
            ProgressStyle::with_template("{spinner} reading: {pos} games, {per_sec}")
                .expect("the template is a constant that is shown by hand"),
        );
        let complain = |error| bar.suspend(|| eprintln!("{error}"));
        let mut records = Vec::with_capacity(GAMES_AT_ONCE);
        let count = games::for_each_xiangqi(files, complain, |record| {
            bar.inc(1);
            records.push(record);
            if records.len() == GAMES_AT_ONCE {
                take(std::mem::take(&mut records));
            }
            interruption.check()
        })?;
        take(records);
        bar.finish_and_clear();
        Ok(count.rejects)
    }

    /// The files in words, for a card.
    pub fn in_words(&self) -> String {
        let name = |file: &PathBuf| name(file);
        self.train.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// The same with paths that mean the same from any folder.
    pub fn with_absolute_paths(mut self) -> std::io::Result<Self> {
        for file in self.train.iter_mut().chain(&mut self.valid) {
            *file = std::path::absolute(Path::new(file))?;
        }
        Ok(self)
    }
}
