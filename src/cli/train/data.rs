//! The games that a net is trained and validated on, as the command line names them.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use serde::{Deserialize, Serialize};

use super::reading::{Games, GamesArgs};
use crate::{
    cli::{interruption::Interruption, ratings::Ratings},
    xqsv::{Dataset, Keep, Prepared, Sample, Selection, TrainingData},
};

/// Which games and moves are learnt, and which are validated on.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct DataArgs {
    #[command(flatten)]
    #[serde(flatten)]
    games: GamesArgs,
    /// A set that `errare prepare` wrote, in place of files of games
    #[arg(long, value_name = "SET", conflicts_with_all = ["train", "valid", "hold_out"])]
    prepared: Option<PathBuf>,
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
    /// Reads the games with what is to be kept of them. Those that cannot be read are named on
    /// standard error.
    ///
    /// # Errors
    /// When a file cannot be read or holds no games, a prepared set lacks what is to be kept, no
    /// moves are left to learn or validate on, or the user interrupts.
    pub fn read(&self, keep: Keep, interruption: &Interruption) -> anyhow::Result<Data> {
        let games = match &self.prepared {
            Some(set) => prepared(set, keep)?,
            None => self.games.read([keep, Keep { legal: true, ..keep }], interruption)?,
        };
        self.select(games)
    }

    fn select(&self, games: Games) -> anyhow::Result<Data> {
        let Games { train, valid, rejects, validates } = games;
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
        let mut words = match &self.prepared {
            Some(set) => format!("the prepared set {}", name(set)),
            None => self.games.in_words(),
        };
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
        self.games = self.games.with_absolute_paths()?;
        self.prepared = self.prepared.map(std::path::absolute).transpose()?;
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

/// A prepared set, if it has what is to be kept.
fn prepared(set: &Path, keep: Keep) -> anyhow::Result<Games> {
    let Prepared { card, train, valid } = Prepared::load(set)?;
    ensure!(
        card.legal || !keep.legal,
        "{} was prepared without legal moves, wanted them for a loss over these",
        set.display()
    );
    ensure!(
        card.men || !keep.men,
        "{} was prepared without the men on the board, wanted them: errare prepare --men",
        set.display()
    );
    let validates = card.valid_games > 0;
    Ok(Games { train, valid, rejects: card.rejects, validates })
}

/// A file's name alone, since folders differ from machine to machine.
pub(super) fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
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
