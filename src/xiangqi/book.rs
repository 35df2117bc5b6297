//! Positions of xiangqi as a book names them.

use super::{Game, Move, Position, Square, zobrist};
use crate::book::{Entry, Indexed};

impl Indexed for Game {
    /// A position and its mirror image share the smaller of their numbers, and the moves of the
    /// image that has it. A position that is its own image has moves of its own.
    fn entry(&self, moves: &[Move]) -> Entry {
        let (own, image) = (self.position().zobrist_hash(), image(self.position()));
        let number =
            |m: Move| u16::from(m.from.index()) * Square::COUNT as u16 + u16::from(m.to.index());
        let moves = moves.iter().map(|&m| number(if image < own { m.mirrored() } else { m }));
        Entry { position: own.min(image), moves: moves.collect() }
    }
}

/// The hash of the mirror image of a position.
fn image(position: &Position) -> u64 {
    let turn = if position.turn().is_black() { zobrist::BLACK_TO_MOVE } else { 0 };
    let men = position.board().iter();
    men.fold(turn, |hash, (square, piece)| hash ^ zobrist::piece_on(piece, square.mirrored()))
}
