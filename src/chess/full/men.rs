//! The men of a chess position as the full attributes look at them.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use crate::{
    attributes::full::{Man, Men, Squares},
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

/// Where a pawn is after its first step.
const RANK_3: u64 = 0xff << 16;
const RANK_6: u64 = 0xff << 40;
const FILE_A: u128 = 0x0101_0101_0101_0101;

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
        let (from, occupied) = (square(from), bitboard(occupied));
        squares(match Role::ALL[role] {
            Role::Pawn => attacks::pawn_attacks(color(side), from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            Role::Queen => attacks::queen_attacks(from, occupied),
            Role::King => attacks::king_attacks(from),
        })
    }

    fn reach_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares {
        self.spans(role, side, from, occupied).1
    }

    fn is_untouched(man: &Man, changed: Squares) -> bool {
        // what a piece attacks ends where something stands; a pawn is stopped by what it does not
        let ahead = match man.role == number(Role::Pawn) {
            true => Squares(FILE_A << (man.square % 8)),
            false => Squares::EMPTY,
        };
        !((man.attacks | ahead) & changed).any()
    }

    fn spans(&self, role: usize, side: Side, from: usize, occupied: Squares) -> (Squares, Squares) {
        let attacked = self.attacks_from(role, side, from, occupied);
        if role != number(Role::Pawn) {
            return (attacked, attacked & !self.of_side(side));
        }
        let empty = !(occupied.0 as u64);
        let steps = match side {
            Side::First => {
                let one = (1u64 << from) << 8 & empty;
                one | (one & RANK_3) << 8 & empty
            }
            Side::Second => {
                let one = (1u64 << from) >> 8 & empty;
                one | (one & RANK_6) >> 8 & empty
            }
        };
        (attacked, attacked & self.of_side(!side) | Squares(u128::from(steps)))
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
