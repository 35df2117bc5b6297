//! Whether anything forcing can happen in a chess position: the test that decides where the
//! look-ahead goes on.

use shakmaty::{Bitboard, CastlingSide, Chess, Move, Position, Role, Square, attacks};

use super::sight::{Sight, Wing};

/// Whether the side to move is not in check and has no capture (en passant included), no
/// promotion and no move that gives check.
pub(super) fn is_quiescent(position: &Chess) -> bool {
    let sight = Sight::of_mover(position);
    sight.checkers.is_empty()
        && !has_pawn_capture_or_promotion(&sight)
        && !has_capture(&sight)
        && !has_check(position, &sight)
}

/// Whether a legal move is a capture, a promotion or an evasion of check, or gives check.
pub(super) fn is_forcing(position: &Chess, m: Move) -> bool {
    if m.is_capture() || m.is_promotion() || position.is_check() {
        return true;
    }
    let mut after = position.clone();
    after.play_unchecked(m);
    after.is_check()
}

fn has_pawn_capture_or_promotion(sight: &Sight<'_>) -> bool {
    let pawns = sight.board.pawns() & sight.own;
    let forcing = |pawns: Bitboard| {
        let attacked =
            sight.pawn_attacks(pawns, Wing::Queenside) | sight.pawn_attacks(pawns, Wing::Kingside);
        (attacked & sight.other) | (sight.pawn_steps(pawns).0 & Bitboard::BACKRANKS)
    };
    forcing(pawns & !sight.pinned).any()
        || (pawns & sight.pinned)
            .into_iter()
            .any(|from| sight.allowed(from, forcing(Bitboard::from_square(from))).any())
        || sight.en_passant_moves() > 0
}

/// Whether a piece or the king can capture.
fn has_capture(sight: &Sight<'_>) -> bool {
    let pieces = sight.own & !sight.board.pawns() & !sight.board.kings();
    pieces.into_iter().any(|from| (sight.allowed(from, reach(sight, from)) & sight.other).any())
        || (attacks::king_attacks(sight.king) & sight.other)
            .into_iter()
            .any(|square| is_safe_for_king(sight, square))
}

/// Whether a move that neither captures nor promotes can give check.
fn has_check(position: &Chess, sight: &Sight<'_>) -> bool {
    let board = sight.board;
    let Some(target) = board.king_of(!sight.color) else {
        return false;
    };
    let lines = attacks::rook_attacks(target, sight.occupied);
    let diagonals = attacks::bishop_attacks(target, sight.occupied);
    let pieces = sight.own & !board.pawns() & !board.kings();
    // own men that stand before an own slider and may uncover its check by leaving the line
    let uncovering = sight.alone_before(target, sight.own) & sight.own;
    let gives_check = |from: Square| {
        let mut checking = match board.role_at(from) {
            Some(Role::Knight) => attacks::knight_attacks(target),
            Some(Role::Bishop) => diagonals,
            Some(Role::Rook) => lines,
            Some(Role::Queen) => lines | diagonals,
            _ => Bitboard::EMPTY,
        };
        if uncovering.contains(from) {
            checking |= !attacks::ray(target, from);
        }
        (sight.allowed(from, reach(sight, from) & checking)).any()
    };
    pieces.into_iter().any(gives_check)
        || pawn_gives_check(sight, target, uncovering)
        || king_gives_check(sight, target, uncovering)
        || castling_gives_check(position, sight)
}

fn pawn_gives_check(sight: &Sight<'_>, target: Square, uncovering: Bitboard) -> bool {
    let pawns = sight.board.pawns() & sight.own;
    let direct = attacks::pawn_attacks(!sight.color, target);
    let (one, two) = sight.pawn_steps(pawns & !sight.pinned);
    if ((one | two) & direct).any() {
        return true;
    }
    (pawns & (sight.pinned | uncovering)).into_iter().any(|from| {
        let (one, two) = sight.pawn_steps(Bitboard::from_square(from));
        let checking = match uncovering.contains(from) {
            true => direct | !attacks::ray(target, from),
            false => direct,
        };
        sight.allowed(from, (one | two) & checking).any()
    })
}

fn king_gives_check(sight: &Sight<'_>, target: Square, uncovering: Bitboard) -> bool {
    uncovering.contains(sight.king)
        && (attacks::king_attacks(sight.king) & !sight.own & !attacks::ray(target, sight.king))
            .into_iter()
            .any(|square| is_safe_for_king(sight, square))
}

fn castling_gives_check(position: &Chess, sight: &Sight<'_>) -> bool {
    CastlingSide::ALL.into_iter().any(|side| {
        position.castles().rook(sight.color, side).is_some_and(|rook| {
            sight.may_castle(side) && is_forcing(position, Move::Castle { king: sight.king, rook })
        })
    })
}

/// Whether the king may step to `square`, which is beside it and not its own side's.
pub(super) fn is_safe_for_king(sight: &Sight<'_>, square: Square) -> bool {
    let occupied = sight.occupied.without(sight.king);
    sight.board.attacks_to(square, !sight.color, occupied).is_empty()
}

/// The squares that the piece on `from`, no pawn, attacks.
pub(super) fn reach(sight: &Sight<'_>, from: Square) -> Bitboard {
    sight.board.attacks_from(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::{position, positions};

    #[test]
    fn a_position_is_quiescent_exactly_where_no_move_is_forcing() {
        let (mut quiet, mut loud) = (0, 0);
        for position in positions(200) {
            let moves = position.legal_moves();
            let forcing = position.is_check() || moves.iter().any(|&m| is_forcing(&position, m));
            assert_eq!(is_quiescent(&position), !forcing, "{position:?}");
            *(if forcing { &mut loud } else { &mut quiet }) += 1;
        }
        assert!(quiet > 500 && loud > 500, "{quiet} quiet, {loud} loud");
    }

    #[test]
    fn every_kind_of_forcing_move_is_seen() {
        for (what, fen, quiescent) in [
            ("nothing", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", true),
            ("en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", false),
            ("en passant under a pin", "8/8/8/KPp4r/8/8/7k/8 w - c6 0 2", true),
            ("castling", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", false),
            ("promotion", "8/P7/8/8/8/8/4k3/7K w - - 0 1", false),
            ("in check", "4k3/8/8/8/8/8/8/K3R3 b - - 0 1", false),
            ("uncovered by a pawn", "7k/8/8/8/3P4/8/1B6/K7 w - - 0 1", false),
            ("the pawn is blocked", "7k/8/8/3p4/3P4/8/1B6/K7 w - - 0 1", true),
            ("uncovered by a king", "k7/8/8/8/8/8/K7/R7 w - - 0 1", false),
            ("a protected man beside the king", "7k/8/8/8/8/1p6/p7/K7 w - - 0 1", true),
        ] {
            let position = position(fen);
            assert_eq!(is_quiescent(&position), quiescent, "{what}");
        }
    }
}
