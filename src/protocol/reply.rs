//! What is said to a user interface, as plain values.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use crate::player::{Answer, Line, OptionSpec};

/// What is said to a user interface, before a dialect spells it.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Who is speaking: `id name …`, `id author …`.
    Id {
        /// `name` or `author`.
        key: &'static str,
        /// The name.
        value: String,
    },
    /// An option that can be set.
    Option(OptionSpec),
    /// An option without a value, which acts when it is set.
    Button(&'static str),
    /// All options have been named.
    Greeted,
    /// Everything that came before has been dealt with.
    Ready,
    /// A line of play with its score.
    Line(Line),
    /// A remark in words.
    Message(String),
    /// The answer to a `go`.
    BestMove(Answer),
    /// A `stop` came while there was nothing to stop.
    NothingToStop,
    /// What is remembered of a position that was asked for: nothing.
    Probed,
    /// The conversation is over.
    Bye,
}
