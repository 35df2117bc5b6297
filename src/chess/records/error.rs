//! Why games cannot be read.

use std::io;

use thiserror::Error;

use crate::chess::FenError;

/// Why a game, or all that follow, could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GamesError {
    /// A game has a move that is not legal where it stands. Reading goes on behind it.
    #[error(
        "game {number} ({white} – {black}) got `{got}` as ply {ply}, wanted a legal move of `{fen}`"
    )]
    IllegalMove {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The move as written.
        got: String,
        /// The plies before it, plus one.
        ply: usize,
        /// The position that it was written for.
        fen: String,
    },
    /// A game starts from a position that cannot be played. Reading goes on behind it.
    #[error("game {number} ({white} – {black}) has no start position: {source}")]
    Start {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// What is wrong with its `FEN` tag.
        source: FenError,
    },
    /// A game is of another variant of chess. Reading goes on behind it.
    #[error("game {number} ({white} – {black}) is of variant `{got}`, wanted chess or Chess960")]
    Variant {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The variant as written.
        got: String,
    },
    /// A row of a table has too few or too many columns. Reading goes on behind it.
    #[error("game {number} has {got} columns, wanted {wanted}")]
    Columns {
        /// The game, from 1.
        number: u64,
        /// How many columns it has.
        got: usize,
        /// How many the first row names.
        wanted: usize,
    },
    /// The source cannot be read any further.
    #[error("reading stopped after {games} games: {source}")]
    Read {
        /// How many games were read.
        games: u64,
        /// Why.
        source: io::Error,
    },
}
