//! The games that a net is trained and validated on, as the command line names them.

use std::{cell::Cell, path::PathBuf};

use anyhow::{bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::{
    cli::{games, interruption::Interruption, ratings::Ratings},
    xiangqi::records::Record,
    xqsv::{Dataset, Sample, Selection, TrainingData, is_held_out},
};

/// The share of the games that is held out where no files to validate on are named.
const HELD_OUT: f64 = 0.1;

/// Which games and moves are learnt, and which are validated on.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct DataArgs {
    /// Files of games to learn from, in any format, plain, .gz or .zst
    #[arg(long, required = true, num_args = 1.., value_name = "FILES")]
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
    /// Whose moves are learnt: 1200 for players rated 1200 to 1299, 1200..1500, or all
    #[arg(long, default_value_t)]
    pub range: Ratings,
    /// Only games in which both players are in the range
    #[arg(long)]
    both: bool,
    /// Leave out the first plies of each game
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    after_ply: u32,
    /// Validate on no more moves than about this many, from whole games
    #[arg(long, value_name = "MOVES")]
    valid_moves: Option<usize>,
}

/// Games that were read, with the moves that are wanted of them.
pub struct Data {
    train: Dataset,
    valid: Dataset,
    selection: Selection,
    valid_samples: Vec<Sample>,
    /// How many moves there are to learn.
    pub train_moves: usize,
    /// Games that could not be read.
    rejects: u64,
}

impl DataArgs {
    /// Reads the games. Those that cannot be read are named on standard error.
    ///
    /// # Errors
    /// When a file cannot be read or holds no games, no moves are left to learn or validate on, or
    /// the user interrupts.
    pub fn read(&self, interruption: &Interruption) -> anyhow::Result<Data> {
        let hold_out = match self.hold_out {
            None if self.valid.is_empty() => HELD_OUT,
            None => 0.0,
            Some(share) => share,
        };
        ensure!(
            (0.0..1.0).contains(&hold_out),
            "--hold-out cannot be {hold_out}, wanted a share from 0 to below 1"
        );
        let bar = ProgressBar::new_spinner().with_style(
            ProgressStyle::with_template("{spinner} reading: {pos} games, {per_sec}")
                .expect("the template is a constant that is shown by hand"),
        );
        let mut train = Dataset::new(false);
        let mut valid = Dataset::new(true);
        let rejects = Cell::new(0);
        let read = |files: &[PathBuf], each: &mut dyn FnMut(Record)| {
            let complain = |error| bar.suspend(|| eprintln!("{error}"));
            let count = games::for_each_xiangqi(files, complain, |record| {
                bar.inc(1);
                each(record);
                interruption.check()
            })?;
            rejects.set(rejects.get() + count.rejects);
            anyhow::Ok(())
        };
        read(&self.train, &mut |record| {
            let is_valid = is_held_out(&record.header.id, self.hold_out_seed, hold_out);
            let dataset = if is_valid { &mut valid } else { &mut train };
            dataset.push(&record);
        })?;
        if !self.valid.is_empty() {
            read(&self.valid, &mut |record| valid.push(&record))?;
        }
        bar.finish_and_clear();
        self.select(train, valid, rejects.get(), hold_out > 0.0 || !self.valid.is_empty())
    }

    fn select(
        &self,
        train: Dataset,
        valid: Dataset,
        rejects: u64,
        validates: bool,
    ) -> anyhow::Result<Data> {
        let Self { both, after_ply, .. } = *self;
        let selection = Selection { ratings: self.range.0.clone(), both, after_ply };
        let train_moves = train.select(&selection).len();
        let mut valid_samples = valid.select(&selection);
        if let Some(most) = self.valid_moves {
            valid_samples = thinned(valid_samples, most);
        }
        if train_moves < 2 {
            bail!(
                "{} games hold {train_moves} moves of the range {} to learn, wanted at least two",
                train.games(),
                self.range
            );
        }
        if validates && valid_samples.is_empty() {
            bail!(
                "{} games hold no move of the range {} to validate on; --hold-out 0 does without",
                valid.games(),
                self.range
            );
        }
        Ok(Data { train, valid, selection, valid_samples, train_moves, rejects })
    }

    /// The files in words, for a card: names alone, since folders differ from machine to machine.
    pub fn in_words(&self) -> String {
        let name =
            |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut words = self.train.iter().map(name).collect::<Vec<_>>().join(", ");
        match &self.range.0 {
            None => words += "; moves of everybody",
            Some(range) => {
                words += &format!("; moves of players rated {}..{}", range.start, range.end - 1)
            }
        }
        if self.both {
            words += " against each other";
        }
        if self.after_ply > 0 {
            words += &format!(" after ply {}", self.after_ply);
        }
        words
    }

    /// The same with paths that mean the same from any folder.
    pub fn with_absolute_paths(mut self) -> std::io::Result<Self> {
        for file in self.train.iter_mut().chain(&mut self.valid) {
            *file = std::path::absolute(&*file)?;
        }
        Ok(self)
    }
}

impl Data {
    /// The same as training wants it.
    pub fn training(&self) -> TrainingData<'_> {
        TrainingData {
            train: &self.train,
            selection: &self.selection,
            valid: &self.valid,
            valid_samples: &self.valid_samples,
        }
    }

    /// The games and moves in words.
    pub fn in_words(&self) -> String {
        format!(
            "{} moves of {} games to learn, {} of {} to validate on, {} games rejected",
            self.train_moves,
            self.train.games(),
            self.valid_samples.len(),
            self.valid.games(),
            self.rejects,
        )
    }
}

/// About this many of the samples at most, of whole games from the whole length.
fn thinned(samples: Vec<Sample>, most: usize) -> Vec<Sample> {
    let every = samples.len().div_ceil(most.max(1)).max(1) as u32;
    samples.into_iter().filter(|sample| sample.game.is_multiple_of(every)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_moves_are_taken_from_whole_games() {
        let samples: Vec<Sample> =
            (0..10).flat_map(|game| (0..5).map(move |ply| Sample { game, ply })).collect();
        assert_eq!(thinned(samples.clone(), 50), samples);
        let few = thinned(samples, 25);
        assert_eq!(few.len(), 25);
        assert!(few.iter().all(|sample| sample.game % 2 == 0));
    }
}
