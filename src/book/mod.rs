//! What people know by heart: how often each move was played in positions near the start, by the
//! rating of who played it.
//!
//! Positions are looked up as they stand, so that the order of moves does not matter and a FEN is
//! as good as a game. [`Counting`] makes a [`Book`] from people's moves, and a [`Booked`] model
//! mixes what the book counts with what another model says: the model's prediction counts like a
//! few moves seen ([`Card::prior`]), so that many games outweigh it and few do not, and counts of
//! players with other ratings count the less the farther these are ([`Card::reach`]).
//!
//! One person's book counts more alike than positions: people play what they know against
//! whatever the other side does. It has counts by each [`Key`], and goes from the coarsest to the
//! finest.

#[expect(clippy::module_inception, reason = "the book is what the room is about")]
mod book;
mod booked;
mod counting;
mod file;

pub use book::Book;
pub use booked::Booked;
pub use counting::Counting;
pub use file::{Card, LoadError};

use crate::game::Game;

/// What a book takes for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Positions in which the mover's men stand alike, and the man that the other side has just
    /// moved.
    Setup,
    /// The same position.
    Position,
}

impl Key {
    /// All keys, the coarsest first.
    pub const ALL: [Self; 2] = [Self::Setup, Self::Position];
}

/// A game whose positions a book can be asked for.
pub trait Indexed: Game {
    /// The current position and these legal moves of it, as a book names them by a key.
    fn entry(&self, key: Key, moves: &[Self::Move]) -> Entry;
}

/// A position and some of its moves, by the numbers that a book has for them.
///
/// Positions in which players see the same have the same number by [`Key::Position`], whatever led
/// to them; where a board has a mirror image, both images may share a number, and moves are then
/// those of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The position. The highest bits tell the most.
    pub position: u64,
    /// The moves, in the order in which they were asked for.
    pub moves: Vec<u16>,
}

/// How many ratings share a class.
const CLASS_WIDTH: u16 = 100;
/// Where the lowest class begins.
const LOWEST: u16 = 600;
/// The class of players with the highest ratings.
const HIGHEST_CLASS: u8 = 24;
/// The class of players without a rating: in records of xiangqi, professionals.
const UNRATED: u8 = 31;

/// The class of a rating.
fn class_of(rating: Option<u16>) -> u8 {
    let class = |rating: u16| rating.saturating_sub(LOWEST) / CLASS_WIDTH;
    rating.map_or(UNRATED, |rating| class(rating).min(HIGHEST_CLASS.into()) as u8)
}

/// The rating in the middle of a class; `None` for players without one.
fn middle_of(class: u8) -> Option<f64> {
    let lowest = f64::from(LOWEST + u16::from(class) * CLASS_WIDTH);
    (class != UNRATED).then_some(lowest + f64::from(CLASS_WIDTH) / 2.0)
}

#[cfg(test)]
mod tests;
