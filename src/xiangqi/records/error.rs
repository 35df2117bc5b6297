//! What can be wrong with a record, and where.

use std::{fmt, io};

use thiserror::Error;

use crate::xiangqi::{ParseFenError, PositionError, notation::written::WrittenMoveError};

/// A record that could not be read. Reading goes on with the next, except after
/// [`RecordFlaw::Read`] and [`RecordFlaw::UnknownFormat`], which end their file.
#[derive(Debug)]
pub struct RecordError {
    /// The name of the file.
    pub file: String,
    /// The number of the game in its file, from 1; `None` where the file as a whole is meant.
    pub game: Option<usize>,
    /// The number of the move that is wrong, in plies from 1; `None` where no move is.
    pub ply: Option<usize>,
    /// What is wrong.
    pub flaw: RecordFlaw,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.flaw)
    }
}

impl std::error::Error for RecordError {}

/// What is wrong with a record.
#[derive(Debug, Error)]
pub enum RecordFlaw {
    /// The file cannot be opened, read or decompressed.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is in no format that is known.
    #[error(
        "begins with `{got}` where a PlayOK record, PGN, or CSV with a column `moves` was wanted"
    )]
    UnknownFormat {
        /// Its first line.
        got: String,
    },
    /// A file of a Kaggle pair came alone.
    #[error("has {came} of games, and {wanted} was wanted as well")]
    Half {
        /// Which half came.
        came: &'static str,
        /// Which one is missing.
        wanted: &'static str,
    },
    /// A line of a CSV file has more or fewer fields than the first.
    #[error("has {got} fields where {wanted} were wanted")]
    Width {
        /// How many it has.
        got: usize,
        /// How many the first line has.
        wanted: usize,
    },
    /// A column that must be there is not.
    #[error("has no column `{name}`")]
    Column {
        /// The column.
        name: &'static str,
    },
    /// A field does not hold what it should.
    #[error("has `{got}` as {name} where {wanted} was wanted")]
    Field {
        /// What the field is called.
        name: &'static str,
        /// What it holds.
        got: String,
        /// What it should hold.
        wanted: &'static str,
    },
    /// The moves of a game are not in the file of games.
    #[error("has moves of a game `{id}` that is not among the games, or came before")]
    UnknownGame {
        /// The game.
        id: String,
    },
    /// The record ends before its moves do.
    #[error("ends without {wanted}")]
    Unfinished {
        /// What should have come.
        wanted: &'static str,
    },
    /// The start position is not a FEN.
    #[error(transparent)]
    Fen(#[from] ParseFenError),
    /// The start position cannot be played.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is misspelled or not legal.
    #[error(transparent)]
    Move(#[from] WrittenMoveError),
}
