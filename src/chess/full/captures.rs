//! Captures and promotions, found without all other moves.

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use super::men::{ChessMen, number};
use crate::{
    attributes::full::Men,
    chess::{
        forcing::{is_safe_for_king, reach},
        sight::{Sight, Wing},
    },
};

/// The roles of pieces that are neither pawn nor king.
pub(super) const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Calls `each` for every legal move that captures or promotes, in the order of all moves; only
/// those of the king may come at another place.
pub(super) fn for_each(position: &Chess, mut each: impl FnMut(&Move)) {
    let sight = Sight::of_mover(position);
    if position.maybe_ep_square().is_some() {
        position.en_passant_moves().iter().for_each(&mut each);
    }
    for_each_pawn_capture_or_promotion(&sight, &mut each);
    for role in PIECES {
        for from in sight.board.by_role(role) & sight.own {
            for to in sight.allowed(from, reach(&sight, from)) & sight.other {
                each(&normal(&sight, role, from, to, None));
            }
        }
    }
    for to in attacks::king_attacks(sight.king) & sight.other {
        if is_safe_for_king(&sight, to) {
            each(&normal(&sight, Role::King, sight.king, to, None));
        }
    }
}

/// The most that one legal capture or promotion takes, in half pawns.
pub(super) fn largest(position: &Chess) -> i32 {
    let sight = Sight::of_mover(position);
    let pawns = sight.board.pawns() & sight.own;
    if (pawns & Bitboard::from_rank(sight.color.relative_rank(shakmaty::Rank::Seventh))).any() {
        return largest_of_all(position);
    }
    let free = pawns & !sight.pinned;
    let mut taken = (sight.pawn_attacks(free, Wing::Queenside)
        | sight.pawn_attacks(free, Wing::Kingside))
        & sight.targets;
    for from in pawns & sight.pinned {
        taken |= sight.allowed(from, attacks::pawn_attacks(sight.color, from));
    }
    for from in sight.own & !sight.board.pawns() & !sight.board.kings() {
        taken |= sight.allowed(from, reach(&sight, from));
    }
    let worth = |role: Role| ChessMen::WORTH[number(role)];
    let most = |taken: Bitboard| {
        let is_taken = |role: &Role| (taken & sight.other & sight.board.by_role(*role)).any();
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].into_iter().find(is_taken)
    };
    let mut largest = most(taken).map_or(0, worth);
    for to in attacks::king_attacks(sight.king) & sight.other & !taken {
        let of = sight.board.role_at(to).map_or(0, worth);
        if of > largest && is_safe_for_king(&sight, to) {
            largest = of;
        }
    }
    match largest {
        0 if sight.en_passant_moves() > 0 => worth(Role::Pawn),
        largest => largest,
    }
}

fn largest_of_all(position: &Chess) -> i32 {
    let mut largest = 0;
    for_each(position, |m| {
        let worth = |role: Option<Role>| role.map_or(0, |role| ChessMen::WORTH[number(role)]);
        largest = largest.max(worth(m.capture()) + worth(m.promotion()));
    });
    largest
}

fn for_each_pawn_capture_or_promotion(sight: &Sight<'_>, each: &mut impl FnMut(&Move)) {
    let pawns = sight.board.pawns() & sight.own;
    let up = sight.color.fold_wb(8, -8);
    let captured = |wing| sight.pawn_attacks(pawns, wing) & sight.other;
    for (targets, step) in [
        (captured(Wing::Queenside), up - 1),
        (captured(Wing::Kingside), up + 1),
        (sight.pawn_steps(pawns).0 & Bitboard::BACKRANKS, up),
    ] {
        let targets = targets & sight.targets;
        for to in (targets & !Bitboard::BACKRANKS).into_iter().chain(targets & Bitboard::BACKRANKS)
        {
            let from = to.offset(-step).expect("the pawn came from the board");
            if sight.allowed(from, Bitboard::from_square(to)).any() {
                for_each_promotion(sight, from, to, each);
            }
        }
    }
}

/// Calls `each` for a pawn's move to a square: four times where it promotes there.
pub(super) fn for_each_promotion(
    sight: &Sight<'_>,
    from: Square,
    to: Square,
    each: &mut impl FnMut(&Move),
) {
    if !Bitboard::BACKRANKS.contains(to) {
        return each(&normal(sight, Role::Pawn, from, to, None));
    }
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        each(&normal(sight, Role::Pawn, from, to, Some(role)));
    }
}

/// The move of a man to a square that it may go to.
pub(super) fn normal(
    sight: &Sight<'_>,
    role: Role,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Move {
    Move::Normal { role, from, capture: sight.board.role_at(to), to, promotion }
}
