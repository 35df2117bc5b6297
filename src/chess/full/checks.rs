//! Checks, found without most other moves.

use shakmaty::{Bitboard, CastlingSide, Chess, Move, Position, Role, Square, attacks};

use super::captures::{for_each_promotion, normal};
use crate::chess::{
    forcing::{is_safe_for_king, reach},
    sight::{Sight, Wing},
};

/// Calls `each` for every legal move that gives check, and perhaps for others, in any order.
pub(super) fn for_each(position: &Chess, mut each: impl FnMut(&Move)) {
    let sight = Sight::of_mover(position);
    let Some(target) = sight.board.king_of(!sight.color) else {
        return;
    };
    let lines = attacks::rook_attacks(target, sight.occupied);
    let diagonals = attacks::bishop_attacks(target, sight.occupied);
    // a man that leaves one of these may uncover a check along it
    let uncovering = (lines | diagonals) & sight.own;
    for (role, checking) in [
        (Role::Knight, attacks::knight_attacks(target)),
        (Role::Bishop, diagonals),
        (Role::Rook, lines),
        (Role::Queen, lines | diagonals),
    ] {
        for from in sight.board.by_role(role) & sight.own {
            let checking = if uncovering.contains(from) { Bitboard::FULL } else { checking };
            for to in sight.allowed(from, reach(&sight, from) & checking) {
                each(&normal(&sight, role, from, to, None));
            }
        }
    }
    for_each_pawn_check(&sight, target, uncovering, &mut each);
    if position.maybe_ep_square().is_some() {
        position.en_passant_moves().iter().for_each(&mut each);
    }
    if uncovering.contains(sight.king) {
        for to in attacks::king_attacks(sight.king) & !sight.own {
            if is_safe_for_king(&sight, to) {
                each(&normal(&sight, Role::King, sight.king, to, None));
            }
        }
    }
    for side in CastlingSide::ALL {
        if let Some(rook) = position.castles().rook(sight.color, side)
            && attacks::rook_attacks(target, Bitboard::EMPTY).contains(side.rook_to(sight.color))
            && sight.may_castle(side)
        {
            each(&Move::Castle { king: sight.king, rook });
        }
    }
}

fn for_each_pawn_check(
    sight: &Sight<'_>,
    target: Square,
    uncovering: Bitboard,
    each: &mut impl FnMut(&Move),
) {
    let pawns = sight.board.pawns() & sight.own;
    let direct = attacks::pawn_attacks(!sight.color, target) | Bitboard::BACKRANKS;
    let (one, two) = sight.pawn_steps(pawns);
    let attacked =
        sight.pawn_attacks(pawns, Wing::Queenside) | sight.pawn_attacks(pawns, Wing::Kingside);
    if ((one | two | (attacked & sight.other)) & direct).is_empty()
        && (pawns & uncovering).is_empty()
    {
        return;
    }
    for from in pawns {
        let (one, two) = sight.pawn_steps(Bitboard::from_square(from));
        let captures = attacks::pawn_attacks(sight.color, from) & sight.other;
        let checking = if uncovering.contains(from) { Bitboard::FULL } else { direct };
        for to in sight.allowed(from, (one | two | captures) & checking) {
            for_each_promotion(sight, from, to, each);
        }
    }
}
