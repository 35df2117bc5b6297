//! What one side of a chess position attacks and where it may move, counted without making moves.
//!
//! The fast twin of the definitions in [`attributes`](super::attributes): one pass over the
//! pieces of each color, on bitboards, with pins and checks as masks.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Position, Rank, Role, Square, attacks,
};

use super::attributes::{CENTER, WEAK_ATTACK, count, worth};
use crate::attributes::ByAttribute;

/// A color's men and what they may do.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    position: &'a Chess,
    pub(super) board: &'a Board,
    pub(super) color: Color,
    pub(super) occupied: Bitboard,
    pub(super) own: Bitboard,
    pub(super) other: Bitboard,
    pub(super) king: Square,
    /// Own pieces that may only move on the line with their king.
    pub(super) pinned: Bitboard,
    /// Where a piece other than the king may go: nowhere onto its own, and in check only where
    /// that ends the check.
    pub(super) targets: Bitboard,
    /// Pieces that give check to this color.
    pub(super) checkers: Bitboard,
    /// Whether the safety of the king is left out of account.
    pseudo_legal: bool,
}

/// What one color attacks.
struct Attacked {
    squares: Bitboard,
    strong: u32,
    weak: u32,
}

/// The attributes of a position, White's less Black's.
pub(super) fn of_white(position: &Chess) -> ByAttribute<f32> {
    let mover = Sight::of_mover(position);
    let waiting = Sight::of_waiting(position, mover.checkers);
    let (mut reached, mut reached_back) = (mover.attacked(), waiting.attacked());
    let moves = reached.moves + mover.king_moves(reached_back.attacked.squares);
    let moves_back = reached_back.moves + waiting.king_moves(reached.attacked.squares);
    let (material, material_back) = (mover.material(), waiting.material());
    if position.turn() == Color::Black {
        std::mem::swap(&mut reached, &mut reached_back);
        return difference(
            (material_back, moves_back, &reached.attacked),
            (material, moves, &reached_back.attacked),
        );
    }
    difference(
        (material, moves, &reached.attacked),
        (material_back, moves_back, &reached_back.attacked),
    )
}

fn difference(
    (material, moves, attacked): (u32, u32, &Attacked),
    (other_material, other_moves, other): (u32, u32, &Attacked),
) -> ByAttribute<f32> {
    let less = |ours: u32, theirs: u32| ours as f32 - theirs as f32;
    ByAttribute {
        material: less(material, other_material),
        mobility: less(moves, other_moves),
        center: less(count(attacked.squares & CENTER), count(other.squares & CENTER)),
        attacks: less(attacked.strong, other.strong)
            + WEAK_ATTACK * less(attacked.weak, other.weak),
    }
}

/// What the men of a color attack, and how many moves they have without the king's.
struct Reached {
    attacked: Attacked,
    moves: u32,
}

impl<'a> Sight<'a> {
    /// The sight of the side to move.
    pub(super) fn of_mover(position: &'a Chess) -> Self {
        let mut sight = Self::new(position, position.turn());
        sight.pinned = sight.pins();
        sight.checkers = position.checkers();
        if let Some(checker) = sight.checkers.first() {
            sight.targets = match sight.checkers.more_than_one() {
                true => Bitboard::EMPTY,
                false => attacks::between(sight.king, checker).with(checker),
            };
        }
        sight
    }

    /// The sight of the other side, as though the turn were passed to it. Where the side to move
    /// is in `check`, that cannot be, and the king's safety is left out of account.
    fn of_waiting(position: &'a Chess, check: Bitboard) -> Self {
        let mut sight = Self::new(position, !position.turn());
        sight.pseudo_legal = check.any();
        if !sight.pseudo_legal {
            sight.pinned = sight.pins();
        }
        sight
    }

    fn new(position: &'a Chess, color: Color) -> Self {
        let board = position.board();
        let own = board.by_color(color);
        Self {
            position,
            board,
            color,
            occupied: board.occupied(),
            own,
            other: board.by_color(!color),
            king: board.king_of(color).expect("each side of a chess position has a king"),
            pinned: Bitboard::EMPTY,
            targets: !own,
            checkers: Bitboard::EMPTY,
            pseudo_legal: false,
        }
    }

    /// Own pieces that alone stand between the king and a slider of the other side.
    fn pins(&self) -> Bitboard {
        self.alone_before(self.king, self.other) & self.own
    }

    /// The pieces, of either color, that alone stand between `square` and one of the `sliders`.
    pub(super) fn alone_before(&self, square: Square, sliders: Bitboard) -> Bitboard {
        let snipers = sliders
            & ((attacks::rook_attacks(square, Bitboard::EMPTY) & self.board.rooks_and_queens())
                | (attacks::bishop_attacks(square, Bitboard::EMPTY)
                    & self.board.bishops_and_queens()));
        snipers.into_iter().fold(Bitboard::EMPTY, |blockers, sniper| {
            let between = attacks::between(square, sniper) & self.occupied;
            if between.more_than_one() { blockers } else { blockers | between }
        })
    }

    /// Where the piece on `from`, no king, may go of the squares that it reaches.
    pub(super) fn allowed(&self, from: Square, reach: Bitboard) -> Bitboard {
        let targets = reach & self.targets;
        match self.pinned.contains(from) {
            true => targets & attacks::ray(self.king, from),
            false => targets,
        }
    }

    fn material(&self) -> u32 {
        Role::ALL[..5]
            .iter()
            .map(|&role| count(self.board.by_role(role) & self.own) * worth(role))
            .sum()
    }

    /// What all men attack, and the moves of all but the king.
    fn attacked(&self) -> Reached {
        let board = self.board;
        let king = board.kings() & self.other;
        let above_rook = king | (board.queens() & self.other);
        let above_minor = above_rook | (board.rooks() & self.other);
        let above_pawn = self.other & !board.pawns();
        let mut reached = Reached {
            attacked: Attacked { squares: Bitboard::EMPTY, strong: 0, weak: 0 },
            moves: 0,
        };
        let mut piece = |from: Square, reach: Bitboard, above: Bitboard| {
            reached.attacked.add(reach, above, self.other);
            reached.moves += count(self.allowed(from, reach));
        };
        let occupied = self.occupied;
        for from in board.knights() & self.own {
            piece(from, attacks::knight_attacks(from), above_minor);
        }
        for from in board.bishops() & self.own {
            piece(from, attacks::bishop_attacks(from, occupied), above_minor);
        }
        for from in board.rooks() & self.own {
            piece(from, attacks::rook_attacks(from, occupied), above_rook);
        }
        for from in board.queens() & self.own {
            piece(from, attacks::queen_attacks(from, occupied), king);
        }
        let pawns = board.pawns() & self.own;
        for side in [Wing::Queenside, Wing::Kingside] {
            reached.attacked.add(self.pawn_attacks(pawns, side), above_pawn, self.other);
        }
        reached.attacked.add(attacks::king_attacks(self.king), Bitboard::EMPTY, self.other);
        reached.moves += self.pawn_moves(pawns);
        reached
    }

    /// The squares that `pawns` attack towards one wing; no square twice.
    pub(super) fn pawn_attacks(&self, pawns: Bitboard, wing: Wing) -> Bitboard {
        let forward = self.forward(pawns);
        match wing {
            Wing::Queenside => Bitboard((forward.0 & !FILE_A) >> 1),
            Wing::Kingside => Bitboard((forward.0 & !FILE_H) << 1),
        }
    }

    fn forward(&self, squares: Bitboard) -> Bitboard {
        self.color.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8))
    }

    /// The squares one step and two steps ahead of `pawns` that they can reach, checks aside.
    pub(super) fn pawn_steps(&self, pawns: Bitboard) -> (Bitboard, Bitboard) {
        let third = Bitboard::from_rank(self.color.fold_wb(Rank::Third, Rank::Sixth));
        let one = self.forward(pawns) & !self.occupied;
        let two = self.forward(one & third) & !self.occupied;
        (one, two)
    }

    fn pawn_moves(&self, pawns: Bitboard) -> u32 {
        let free = pawns & !self.pinned;
        let mut moves = self.pawn_moves_within(free, self.targets);
        for from in pawns & self.pinned {
            let targets = self.targets & attacks::ray(self.king, from);
            moves += self.pawn_moves_within(Bitboard::from_square(from), targets);
        }
        if self.position.turn() == self.color {
            moves += self.en_passant_moves();
        }
        moves
    }

    /// The moves of `pawns` onto `targets`, en passant excepted.
    fn pawn_moves_within(&self, pawns: Bitboard, targets: Bitboard) -> u32 {
        let (one, two) = self.pawn_steps(pawns);
        [
            one & targets,
            two & targets,
            self.pawn_attacks(pawns, Wing::Queenside) & self.other & targets,
            self.pawn_attacks(pawns, Wing::Kingside) & self.other & targets,
        ]
        .into_iter()
        .map(|targets| count(targets) + 3 * count(targets & Bitboard::BACKRANKS))
        .sum()
    }

    /// The legal captures en passant of the side to move.
    pub(super) fn en_passant_moves(&self) -> u32 {
        let Some(target) = self.position.maybe_ep_square() else {
            return 0;
        };
        let pawns = attacks::pawn_attacks(!self.color, target) & self.board.pawns() & self.own;
        let is_legal = |from: &Square| {
            let captured = Square::from_coords(target.file(), from.rank());
            let occupied = self.occupied.without(*from).without(captured).with(target);
            let attackers = self.board.attacks_to(self.king, !self.color, occupied);
            (attackers & occupied).is_empty()
        };
        pawns.into_iter().filter(is_legal).count() as u32
    }

    /// The moves of the king, castling included, where the other side attacks `attacked`.
    fn king_moves(&self, attacked: Bitboard) -> u32 {
        let steps = attacks::king_attacks(self.king) & !self.own;
        if self.pseudo_legal {
            return count(steps);
        }
        let mut safe = steps & !attacked;
        for checker in self.checkers & self.board.sliders() {
            // the checker's line goes on behind the king when the king steps back on it
            safe &= !attacks::ray(checker, self.king).without(checker);
        }
        count(safe) + self.castling_moves()
    }

    /// The legal castling moves.
    pub(super) fn castling_moves(&self) -> u32 {
        CastlingSide::ALL.into_iter().filter(|&side| self.may_castle(side)).count() as u32
    }

    /// Whether castling to this side is legal.
    pub(super) fn may_castle(&self, side: CastlingSide) -> bool {
        let castles = self.position.castles();
        let Some(rook) = castles.rook(self.color, side) else {
            return false;
        };
        if self.checkers.any() || (castles.path(self.color, side) & self.occupied).any() {
            return false;
        }
        let king_to = side.king_to(self.color);
        let without_king = self.occupied ^ Bitboard::from_square(self.king);
        let after = without_king.without(rook).with(side.rook_to(self.color));
        let is_attacked =
            |square, occupied| self.board.attacks_to(square, !self.color, occupied).any();
        !is_attacked(king_to, after)
            && !attacks::between(self.king, king_to)
                .into_iter()
                .any(|square| is_attacked(square, without_king))
    }
}

impl Attacked {
    /// Adds what one piece attacks, or pawns that attack no square twice; `above` are the other
    /// side's men that are worth more.
    fn add(&mut self, reach: Bitboard, above: Bitboard, other: Bitboard) {
        self.squares |= reach;
        self.strong += count(reach & above);
        self.weak += count(reach & other & !above);
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The two ways in which a pawn captures.
#[derive(Clone, Copy)]
pub(super) enum Wing {
    /// Towards the a file.
    Queenside,
    /// Towards the h file.
    Kingside,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attributes::Attribute,
        chess::{
            attributes::{attacks, center, material, mobility},
            samples::positions,
        },
    };

    #[test]
    fn one_pass_counts_what_the_definitions_count() {
        for position in positions(60) {
            let seen = of_white(&position);
            let less = |of: &dyn Fn(&Chess, Color) -> f32| {
                of(&position, Color::White) - of(&position, Color::Black)
            };
            let defined = ByAttribute {
                material: less(&|position, color| material(position, color) as f32),
                mobility: less(&|position, color| mobility(position, color) as f32),
                center: less(&|position, color| center(position, color) as f32),
                attacks: less(&attacks),
            };
            for attribute in Attribute::ALL {
                let (seen, defined) = (seen.get(attribute), defined.get(attribute));
                assert!((seen - defined).abs() < 1e-4, "{attribute} of {position:?}");
            }
        }
    }
}
