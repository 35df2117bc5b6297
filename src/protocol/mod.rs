//! Text on one side, a player on the other: conversations in UCI and UCCI.
//!
//! A [`Dialect`] is spelling only: it turns lines into [`Command`]s and [`Reply`]s into lines, both
//! ways without any state. What is done about a command, and when, is up to the [`Session`]; it
//! is the same for both dialects, and it names neither a game nor a model of a person.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

mod command;
mod grammar;
mod options;
mod reply;
mod session;
mod ucci;
mod uci;

pub use command::{Command, CommandError, Go};
pub use reply::Reply;
pub use session::Session;
pub use ucci::Ucci;
pub use uci::Uci;

/// A way to spell commands and replies.
///
/// # Examples
/// ```
/// use errare::protocol::{Command, Dialect, Reply, Ucci};
///
/// let ucci = Ucci { milliseconds: false };
/// assert_eq!(ucci.parse("setoption newgame"), Ok(Command::NewGame));
/// assert_eq!(ucci.format(&Reply::Ready).as_deref(), Some("readyok"));
/// ```
pub trait Dialect {
    /// What `line` asks.
    ///
    /// Any white space parts words, case does not matter in keywords, and words before the first
    /// command are passed over. An empty line is [`Command::Nothing`].
    ///
    /// # Errors
    /// When no command is found, or one that lacks what it must have.
    fn parse(&self, line: &str) -> Result<Command, CommandError>;

    /// `reply` as one line without its end; `None` where this dialect has no word for it.
    fn format(&self, reply: &Reply) -> Option<String>;
}

#[cfg(test)]
mod tests;
