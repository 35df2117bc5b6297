//! What a sequence of captures on one square wins.

use super::{Men, Squares};
use crate::game::Side;

/// What `side` wins, in half pawns, when it may begin to capture on `square`, where something of
/// this worth stands: both sides capture there with their cheapest man for as long as it pays.
///
/// Never negative, because nobody must capture. Pins are not seen.
pub fn exchange<M: Men>(men: &M, square: usize, worth: i32, side: Side, occupied: Squares) -> i32 {
    let attackers = men.attackers_to(square, occupied) & occupied & men.of_side(side);
    let Some((from, role)) = cheapest(men, attackers) else {
        return 0;
    };
    let answer = exchange(men, square, M::WORTH[role], !side, occupied.without(from));
    (worth - answer).max(0)
}

/// The man of least worth on these squares, with its role.
pub fn cheapest<M: Men>(men: &M, squares: Squares) -> Option<(usize, usize)> {
    if !squares.any() {
        return None;
    }
    (0..M::roles())
        .filter_map(|role| (men.of_role(role) & squares).first().map(|square| (square, role)))
        .min_by_key(|&(_, role)| M::WORTH[role])
}
