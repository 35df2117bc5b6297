//! Captures, found without all other moves.

use super::men::{XiangqiMen, number};
use crate::{
    attributes::full::Men,
    xiangqi::{
        Bitboard, Move, Position, Role,
        movegen::{Mover, attacks_on},
    },
};

/// Calls `each` for every legal move that captures, in the order of all moves.
pub(super) fn for_each(position: &Position, mut each: impl FnMut(Move)) {
    let board = position.board();
    let them = position.them();
    let mut mover = None;
    for from in position.us() {
        let targets = attacks_on(board, from, them);
        if targets.is_empty() {
            continue;
        }
        // most positions have few captures, so that the danger to the general is looked at late
        let mover = mover.get_or_insert_with(|| Mover::of(position));
        for safe in mover.safe(from, targets) {
            safe.into_iter().for_each(|to| each(Move::new(from, to)));
        }
    }
}

/// The roles that can be captured, the most valuable first.
const TAKEN: [Role; 6] =
    [Role::Chariot, Role::Cannon, Role::Horse, Role::Advisor, Role::Elephant, Role::Soldier];

/// The most that one legal capture takes, in half pawns.
pub(super) fn largest(position: &Position) -> i32 {
    let board = position.board();
    let (mut wanted, mut largest) = (position.them(), 0);
    let mut mover = None;
    for from in position.us() {
        let mut targets = attacks_on(board, from, wanted);
        for role in TAKEN {
            if targets.is_empty() {
                break;
            }
            let of_role = targets & board.by_role(role);
            targets &= !of_role;
            if of_role.is_empty() {
                continue;
            }
            let mover = mover.get_or_insert_with(|| Mover::of(position));
            if mover.safe(from, of_role).into_iter().any(Bitboard::any) {
                largest = XiangqiMen::WORTH[number(role)];
                let is_more = |other: &&Role| XiangqiMen::WORTH[number(**other)] > largest;
                let more = TAKEN.iter().filter(is_more).map(|&role| board.by_role(role));
                wanted = position.them() & more.fold(Bitboard::EMPTY, |all, men| all | men);
                break;
            }
        }
    }
    largest
}
