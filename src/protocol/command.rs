//! What a user interface can ask, as plain values, and what is wrong with a line that asks nothing.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use thiserror::Error;

use crate::player::{Convention, Search, Setup};

/// What one line of a user interface asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Nothing: an empty line, or a word that needs no answer, such as `register`.
    Nothing,
    /// `uci`, `ucci` or `ucicyclone`: introduce yourself, and speak this way from now on.
    Greet(Convention),
    /// Whether to tell also what is passed over in silence otherwise.
    Debug(bool),
    /// `isready`: answer as soon as this line is read.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name, as written.
        name: String,
        /// The value, as written; `None` where only the name came.
        value: Option<String>,
    },
    /// Whether times come in milliseconds; only UCCI leaves that open.
    Milliseconds(bool),
    /// A new game begins.
    NewGame,
    /// Set up a position.
    Position(Setup),
    /// These moves may not be played until another position is set up.
    BanMoves(Vec<String>),
    /// Think, and answer once.
    Go(Go),
    /// The opponent has played the move that was pondered on.
    PonderHit {
        /// Whether the opponent has offered a draw with it.
        draw_offered: bool,
    },
    /// Answer now.
    Stop,
    /// Tell what is remembered of a position.
    Probe,
    /// The conversation is over.
    Quit,
}

/// What comes with `go`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Go {
    /// What is asked of the player.
    pub search: Search,
    /// Whether only the score is wanted and no move: UCCI's `go depth 0`.
    pub score_only: bool,
    /// What was passed over because it could not be read. The rest of the line holds.
    pub unread: Vec<CommandError>,
}

/// Why a line, or a part of it, was passed over.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("no command in `{got}`, wanted one of {wanted}")]
    Unknown {
        /// The line, abridged.
        got: String,
        /// The commands there are.
        wanted: &'static str,
    },
    /// Something must follow a word and does not.
    #[error("nothing follows `{after}`, wanted {wanted}")]
    Missing {
        /// The word.
        after: &'static str,
        /// What must follow.
        wanted: &'static str,
    },
    /// Something else follows a word than may follow it.
    #[error("`{after}` got `{got}`, wanted {wanted}")]
    Unexpected {
        /// The word.
        after: String,
        /// What follows it, abridged.
        got: String,
        /// What may follow.
        wanted: &'static str,
    },
    /// The line is longer than any that makes sense.
    #[error("got a line of more than {limit} bytes, wanted a shorter one")]
    LineTooLong {
        /// The longest line that is read.
        limit: usize,
    },
}
