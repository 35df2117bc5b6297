//! The men of a chess position as the full attributes look at them.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use crate::{
    attributes::full::{Men, Squares},
    game::Side,
};

/// A chess board.
#[derive(Debug, Clone)]
pub struct ChessMen(pub(super) Board);

impl ChessMen {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.0
    }
}

/// The color that a side plays.
pub(super) fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// The number of a role.
pub(super) fn number(role: Role) -> usize {
    usize::from(role) - 1
}

/// The square of a number less than 64.
pub(super) fn square(number: usize) -> Square {
    Square::new(number as u32)
}

pub(super) fn squares(bitboard: Bitboard) -> Squares {
    Squares(u128::from(bitboard.0))
}

/// The part of a set that is on the board.
pub(super) fn bitboard(squares: Squares) -> Bitboard {
    Bitboard(squares.0 as u64)
}

impl Men for ChessMen {
    const SQUARES: usize = 64;
    const WORTH: &'static [i32] = &[2, 6, 6, 10, 18, 300];
    const KING: usize = 5;

    fn of_side(&self, side: Side) -> Squares {
        squares(self.0.by_color(color(side)))
    }

    fn of_role(&self, role: usize) -> Squares {
        squares(self.0.by_role(Role::ALL[role]))
    }

    fn attacks_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares {
        let piece = Piece { color: color(side), role: Role::ALL[role] };
        squares(attacks::attacks(square(from), piece, bitboard(occupied)))
    }

    fn reach_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares {
        let own = self.of_side(side);
        let attacked = self.attacks_from(role, side, from, occupied);
        if role != number(Role::Pawn) {
            return attacked & !own;
        }
        let (up, start) = match side {
            Side::First => (8, 8..16),
            Side::Second => (-8, 48..56),
        };
        let mut reach = attacked & self.of_side(!side);
        let free = |to: Option<Square>| to.map(usize::from).filter(|&to| !occupied.contains(to));
        if let Some(one) = free(square(from).offset(up)) {
            reach |= Squares::of(one);
            if let Some(two) = free(square(one).offset(up)).filter(|_| start.contains(&from)) {
                reach |= Squares::of(two);
            }
        }
        reach
    }

    fn attackers_to(&self, to: usize, occupied: Squares) -> Squares {
        let (to, occupied) = (square(to), bitboard(occupied));
        let board = &self.0;
        let rooks = attacks::rook_attacks(to, occupied) & board.rooks_and_queens();
        let bishops = attacks::bishop_attacks(to, occupied) & board.bishops_and_queens();
        let knights = attacks::knight_attacks(to) & board.knights();
        let kings = attacks::king_attacks(to) & board.kings();
        let white = attacks::pawn_attacks(Color::Black, to) & board.white();
        let black = attacks::pawn_attacks(Color::White, to) & board.black();
        squares(rooks | bishops | knights | kings | ((white | black) & board.pawns()))
    }

    /// The king's square, those beside it and those before these.
    fn zone(&self, side: Side) -> Squares {
        let king = self.0.king_of(color(side)).expect("each side of a chess position has a king");
        let beside = attacks::king_attacks(king).with(king);
        let before = match side {
            Side::First => Bitboard(beside.0 << 8),
            Side::Second => Bitboard(beside.0 >> 8),
        };
        squares(beside | before)
    }

    fn seen_from(side: Side, square: usize) -> usize {
        match side {
            Side::First => square,
            Side::Second => square ^ 56,
        }
    }

    fn place(square: usize) -> (i32, i32) {
        ((square % 8) as i32, (square / 8) as i32)
    }

    fn role_at(&self, number_of: usize) -> Option<usize> {
        self.0.role_at(square(number_of)).map(number)
    }
}
