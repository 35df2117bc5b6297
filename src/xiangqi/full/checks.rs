//! Checks, found without most other moves.

use super::men::{XiangqiMen, bitboard, square};
use crate::{
    attributes::full::Facts,
    game::Side,
    xiangqi::{Bitboard, Board, Color, Move, Piece, Role, Square, attacks, movegen::Mover},
};

/// Whether a side could mate at once if it were to move, the other side not being in check.
pub(super) fn can_mate(facts: &Facts<XiangqiMen>, side: Side) -> bool {
    let (board, color) = (facts.men.board(), Color::from(side));
    let (mover, other) = (Mover::new(board, color), Mover::new(board, !color));
    let checking = Checking::new(board, color);
    facts.list().iter().filter(|man| man.side == side).any(|man| {
        let from = square(man.square);
        let targets = bitboard(man.reach) & checking.targets(from);
        let mates = |to| {
            let m = Move::new(from, to);
            other.is_checked_by(m) && !has_move_after(board, m, !color)
        };
        mover.safe(from, targets).into_iter().flatten().any(mates)
    })
}

/// Whether a color has a legal move once the other one has moved.
fn has_move_after(board: &Board, m: Move, color: Color) -> bool {
    let mut after = board.clone();
    if let Some(piece) = after.remove_piece_at(m.from) {
        after.set_piece_at(m.to, piece);
    }
    Mover::new(&after, color).has_move()
}

/// From where and to where a color may give check.
struct Checking<'a> {
    board: &'a Board,
    /// Squares that a piece may uncover a check by leaving: the lines of the other general, and
    /// the squares beside it that stop horses.
    leaving: Bitboard,
    /// Squares where any piece may become a cannon's screen.
    screens: Bitboard,
    lines: Bitboard,
    horses: Bitboard,
    soldiers: Bitboard,
}

impl<'a> Checking<'a> {
    /// For this color.
    fn new(board: &'a Board, color: Color) -> Self {
        let general = board.general_of(!color).expect("a position has both generals");
        let own = |role| board.by_piece(Piece { color, role });
        let lines = attacks::lines(general);
        let cannons = own(Role::Cannon) & lines;
        Self {
            board,
            leaving: lines | attacks::legs(general),
            screens: if cannons.any() { lines } else { Bitboard::EMPTY },
            lines,
            horses: attacks::horses_to(general, board.occupied()),
            soldiers: attacks::soldiers_to(color, general),
        }
    }

    /// Where the piece on a square may go to give check.
    fn targets(&self, from: Square) -> Bitboard {
        if self.leaving.contains(from) {
            return Bitboard::ALL;
        }
        let direct = match self.board.role_at(from) {
            Some(Role::Chariot | Role::Cannon) => self.lines,
            Some(Role::Horse) => self.horses,
            Some(Role::Soldier) => self.soldiers,
            _ => Bitboard::EMPTY,
        };
        direct | self.screens
    }
}
