//! Positions of xiangqi as a book names them.

use super::{Game, Move, Position, Square, zobrist};
use crate::book::{Entry, Indexed, Key};

impl Indexed for Game {
    /// A position and its mirror image share the smaller of their numbers, and the moves of the
    /// image that has it. A position that is its own image has moves of its own.
    fn entry(&self, key: Key, moves: &[Move]) -> Entry {
        let position = self.position();
        let (own, image) = match key {
            Key::Position => (position.zobrist_hash(), image(position)),
            Key::Setup => men(position, self.played().last().map(|&(_, m)| m.to)),
        };
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

/// Numbers for the mover's men where they stand with the man on one more square, and for their
/// mirror image.
fn men(position: &Position, also: Option<Square>) -> (u64, u64) {
    let counts = |square, color| color == position.turn() || also == Some(square);
    let men = position.board().iter().filter(|&(square, piece)| counts(square, piece.color));
    men.fold((0, 0), |(own, image), (square, piece)| {
        let there = zobrist::piece_on(piece, square.mirrored());
        (own ^ zobrist::piece_on(piece, square), image ^ there)
    })
}
