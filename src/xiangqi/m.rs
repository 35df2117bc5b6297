//! A move, and a list of moves that needs no allocation.

use std::{fmt, ops::Deref};

use super::Square;

/// A move from one square to another.
///
/// Whether it is legal, and whether it captures, only a
/// [`Position`](super::Position) can tell. Its spellings are in [`notation`](super::notation);
/// `Display` writes the engines' own, with ranks from 0: `h2e2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// A move between two squares.
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// The same move mirrored on the middle file.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { from: self.from.mirrored(), to: self.to.mirrored() }
    }

    /// The same move seen from the other side of the table.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self { from: self.from.rotated(), to: self.to.rotated() }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A list of the moves of one position, held in place.
///
/// No position has more moves than fit: two chariots and two cannons with 17 each, two horses
/// with 8, five soldiers with 3, and 20 for the palace and the elephants make 119.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveList {
    const CAPACITY: usize = 128;

    /// A list without moves.
    pub const fn new() -> Self {
        Self { moves: [Move::new(Square::A0, Square::A0); Self::CAPACITY], len: 0 }
    }

    /// Adds a move at the end.
    pub(super) fn push(&mut self, m: Move) {
        self.moves[self.len] = m;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, { MoveList::CAPACITY }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}
