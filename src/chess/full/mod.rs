//! The moves of chess as the [full attributes](crate::attributes::full) describe them.

mod captures;
mod checks;
mod men;
mod pawns;
pub mod shipped;
mod special;

use shakmaty::{Chess, Color, Move, Position, Role};

pub use men::ChessMen;
use men::number;

use super::{Game, mirror};
use crate::attributes::full::{
    Attribute, Beheld, Family, LAST_PHASE, Look, Men, Past, Reach, Step,
};

/// What all pieces but pawns and kings are worth at the start, in half pawns.
const PIECES_AT_START: f32 = 124.0;
/// The ply from which on the opening begins to end, and how many plies that takes.
const OPENING: (f32, f32) = (8.0, 16.0);

/// A legal move as a change of men. Castling is the king's move.
pub(super) fn step(m: &Move) -> Step {
    let from = m.from().expect("nothing is dropped in chess");
    let to = match *m {
        Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_king_side(rook.file() > king.file());
            let color =
                if king.rank() == shakmaty::Rank::First { Color::White } else { Color::Black };
            side.king_to(color)
        }
        _ => m.to(),
    };
    Step {
        from: usize::from(from),
        to: usize::from(to),
        role: number(m.role()),
        captured: m.capture().map(number),
        promoted: m.promotion().map(number),
    }
}

impl Beheld for Game {
    const REACH: Reach = Reach::Replies;

    type Men = ChessMen;

    fn men(position: &Chess) -> ChessMen {
        ChessMen(position.board().clone())
    }

    fn step(_: &Chess, m: &Move) -> Step {
        step(m)
    }

    fn for_each_capture(position: &Chess, each: impl FnMut(&Move)) {
        captures::for_each(position, each);
    }

    fn largest_capture(position: &Chess) -> i32 {
        captures::largest(position)
    }

    fn for_each_check(position: &Chess, each: impl FnMut(&Move)) {
        checks::for_each(position, each);
    }

    fn passed(position: &Chess) -> Option<Chess> {
        position.clone().swap_turn().ok()
    }

    fn past(&self) -> Past {
        self.last_moves()
    }

    fn occurrences_after(&self, m: &Move) -> usize {
        self.earlier_occurrences(m)
    }

    /// The opening by its plies and pieces, later phases by the pieces that are left.
    fn phase(&self) -> f32 {
        let position = crate::attributes::Positioned::position(self);
        let plies = 2 * (position.fullmoves().get() - 1) + u32::from(position.turn().is_black());
        let opening = ((OPENING.0 + OPENING.1 - plies as f32) / OPENING.1).clamp(0.0, 1.0);
        let board = position.board();
        let pieces: i32 = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(|role| board.by_role(role).count() as i32 * ChessMen::WORTH[number(role)])
            .sum();
        let gone = (1.0 - pieces as f32 / PIECES_AT_START).clamp(0.0, 1.0);
        let late = 1.0 + (LAST_PHASE - 1.0) * gone;
        // a position set up with few pieces is no opening, whatever its counter says
        (1.0 - opening) * late + opening * LAST_PHASE * gone
    }

    fn quiet_plies(&self) -> u32 {
        crate::attributes::Positioned::position(self).halfmoves()
    }

    fn mirrored(&self) -> Option<Self> {
        self.in_mirror()
    }

    fn mirrored_move(m: &Move) -> Move {
        mirror::m(*m)
    }

    /// To which sides each player may still castle, the mover's first.
    const OWN_SITUATIONS: usize = 4;

    fn for_each_own_situation(&self, mut each: impl FnMut(usize)) {
        let position = crate::attributes::Positioned::position(self);
        for (owner, color) in [position.turn(), !position.turn()].into_iter().enumerate() {
            for (wing, side) in shakmaty::CastlingSide::ALL.into_iter().enumerate() {
                if position.castles().has(color, side) {
                    each(2 * owner + wing);
                }
            }
        }
    }

    fn own_attributes() -> Vec<Attribute<ChessMen>> {
        OWN.into_iter()
            .map(|(name, values, of)| Attribute { name, family: Family::Chess, values, of })
            .collect()
    }
}

/// A name, a number of values, and a function.
type Own = (&'static str, usize, fn(&Look<'_, ChessMen>) -> usize);

/// The attributes that only chess has.
const OWN: [Own; 18] = [
    ("castling", 3, special::castling),
    ("promotion", 10, special::promotion),
    ("double_step", 10, special::double_step),
    ("leaves_castling", 4, special::leaves_castling),
    ("development", 20, special::development),
    ("blocks_center", 2, special::blocks_center),
    ("pawn_kicks", 5, special::pawn_kicks),
    ("passed_pawn", 16, pawns::passed_pawn),
    ("pawn_neighbors", 17, pawns::pawn_neighbors),
    ("pawn_lever", 7, pawns::pawn_lever),
    ("pawn_shield", 4, pawns::pawn_shield),
    ("file", 19, pawns::file),
    ("outpost", 5, pawns::outpost),
    ("passed_way", 7, pawns::passed_way),
    ("king_to_pawns", 10, pawns::king_to_pawns),
    ("kings", 7, pawns::kings),
    ("race", 100, pawns::race),
    ("race_safe", 2, |look| usize::from(pawns::race(look) > 0 && look.is_safe())),
];

#[cfg(test)]
mod tests;
