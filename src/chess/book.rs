//! Positions of chess as a book names them.

use shakmaty::{Move, Role};

use super::Game;
use crate::{
    attributes::{Attributed, Positioned},
    book::{Entry, Indexed},
};

/// How many squares there are.
const SQUARES: u16 = 64;

impl Indexed for Game {
    /// A position is one with the same men, rights to castle and pawns to be taken in passing.
    fn entry(&self, moves: &[Move]) -> Entry {
        let position = self.position().fingerprint();
        Entry { position, moves: moves.iter().map(number).collect() }
    }
}

fn number(m: &Move) -> u16 {
    let from = m.from().map_or(0, u16::from);
    let promotion = m.promotion().map_or(0, |role: Role| u16::from(role));
    (promotion * SQUARES + from) * SQUARES + u16::from(m.to())
}
