//! Positions of chess as a book names them.

use shakmaty::{
    Board, Move, Position as _, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use super::Game;
use crate::{
    attributes::{Attributed, Positioned, full::Beheld},
    book::{Entry, Indexed, Key},
};

/// How many squares there are.
const SQUARES: u16 = 64;

impl Indexed for Game {
    /// A position is one with the same men, rights to castle and pawns to be taken in passing.
    fn entry(&self, key: Key, moves: &[Move]) -> Entry {
        let position = match key {
            Key::Position => self.position().fingerprint(),
            Key::Setup => men(self) ^ last_mover(self),
        };
        Entry { position, moves: moves.iter().map(number).collect() }
    }
}

/// A number for the mover's men where they stand.
fn men(game: &Game) -> u64 {
    let position = game.position();
    let board = position.board();
    let own = board.by_color(position.turn());
    own.into_iter().fold(0, |number, square| number ^ piece_on(board, square))
}

/// One for the man that the other side has just moved; zero where it is not known.
fn last_mover(game: &Game) -> u64 {
    let last = game.past().last().map(|last| Square::new(last.to as u32));
    last.map_or(0, |square| piece_on(game.position().board(), square))
}

fn piece_on(board: &Board, square: Square) -> u64 {
    board.piece_at(square).map_or(0, |piece| Zobrist64::zobrist_for_piece(square, piece).0)
}

fn number(m: &Move) -> u16 {
    let from = m.from().map_or(0, u16::from);
    let promotion = m.promotion().map_or(0, |role: Role| u16::from(role));
    (promotion * SQUARES + from) * SQUARES + u16::from(m.to())
}
