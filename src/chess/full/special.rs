//! Attributes of castling, promotion and development.

use shakmaty::Role;

use super::men::{ChessMen, bitboard, color, number, square};
use crate::attributes::full::{Look, Men, pair};

type Seen<'a> = Look<'a, ChessMen>;

/// Castling to the king's or the queen's side.
pub(super) fn castling(look: &Seen<'_>) -> usize {
    match is_castling(look) {
        false => 0,
        true if look.step.to > look.step.from => 1,
        true => 2,
    }
}

/// Castling: the king jumps, or goes where an own man stood.
fn is_castling(look: &Seen<'_>) -> bool {
    look.step.role == ChessMen::KING
        && (ChessMen::distance(look.step.from, look.step.to) > 1
            || look.before.at(look.step.to).is_some_and(|man| man.side == look.side))
}

/// A promotion: to what, and whether the new man is safe.
pub(super) fn promotion(look: &Seen<'_>) -> usize {
    look.step.promoted.map_or(0, |role| 2 * role + usize::from(look.is_safe()) - 1)
}

/// A pawn's double step, by file, and a capture en passant.
pub(super) fn double_step(look: &Seen<'_>) -> usize {
    if look.step.role != number(Role::Pawn) {
        return 0;
    }
    if look.step.captured.is_some() && look.before.at(look.step.to).is_none() {
        return 9;
    }
    match look.step.from.abs_diff(look.step.to) {
        16 => 1 + look.step.from % 8,
        _ => 0,
    }
}

/// A king or rook that leaves the place from which it could have castled, early in the game.
pub(super) fn leaves_castling(look: &Seen<'_>) -> usize {
    if is_castling(look) || look.phase > MIDDLE {
        return 0;
    }
    match (Role::ALL[look.step.role], look.seen(look.step.from)) {
        (Role::King, 4) => 1,
        (Role::Rook, 0) => 2,
        (Role::Rook, 7) => 3,
        _ => 0,
    }
}

/// The phase until which castling matters.
const MIDDLE: f32 = 2.0;

/// How many minor pieces are still at home, and whether this is one, another piece or a pawn.
pub(super) fn development(look: &Seen<'_>) -> usize {
    let board = look.before.men.board();
    let minors = (board.knights() | board.bishops()) & board.by_color(color(look.side));
    let home = |at: usize| look.seen(at) / 8 == 0;
    let undeveloped = minors.into_iter().filter(|&at| home(usize::from(at))).count();
    if undeveloped == 0 {
        return 0;
    }
    let is_minor = minors.contains(square(look.step.from));
    let what = match (is_minor, home(look.step.from), Role::ALL[look.step.role]) {
        (true, true, _) => 0,
        (true, false, _) => 1,
        (_, _, Role::Pawn) => 2,
        _ => 3,
    };
    pair(undeveloped.min(4), what, 4)
}

/// Whether a bishop's or knight's target is behind or before the own pawns of the center.
pub(super) fn blocks_center(look: &Seen<'_>) -> usize {
    if look.step.role == number(Role::Pawn) {
        return 0;
    }
    let behind = match look.seen(look.step.to) {
        19 => 11,
        20 => 12,
        _ => return 0,
    };
    let pawn = look.seen(behind);
    let board = look.after.men.board();
    let own = board.pawns() & board.by_color(color(look.side));
    usize::from(own.contains(square(pawn)))
}

/// The pieces that a pawn move attacks, if it is safe.
pub(super) fn pawn_kicks(look: &Seen<'_>) -> usize {
    if look.step.role != number(Role::Pawn) || look.step.promoted.is_some() {
        return 0;
    }
    let board = look.after.men.board();
    let others = board.by_color(color(!look.side)) & !board.pawns();
    let kicked = (bitboard(look.moved.attacks) & others).count().min(2);
    if kicked == 0 { 0 } else { 2 * kicked - 1 + usize::from(look.is_safe()) }
}
