//! The game of chess, by the rules of [`shakmaty`], Chess960 included.
//!
//! [`Game`] is a game in progress; a [`shakmaty::Chess`] position without its history is what
//! the look-ahead model sees. No model is known here, only what it asks of a position.

mod attributes;
mod book;
mod fen;
mod forcing;
pub mod full;
mod game;
mod mirror;
mod phase;
mod position;
pub mod records;
#[cfg(test)]
mod samples;
mod siblings;
mod sight;

pub use attributes::{attacks, center, material, mobility};
pub use fen::FenError;
pub use game::{Castling, Game, MoveError};
pub use phase::Phase;
