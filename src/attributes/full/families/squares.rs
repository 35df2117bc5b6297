//! Where the man comes from and goes to.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::look::pair;

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let all = M::roles() * M::SQUARES + 1;
    family(
        Family::Squares,
        [
            ("to", all, to as fn(&Look<'_, M>) -> usize),
            ("from", all, from),
            ("direction", 27 * M::roles(), direction),
            ("other_king_distance", 8 * M::roles(), other_king_distance),
            ("own_king_distance", 8 * M::roles(), own_king_distance),
        ],
    )
}

/// The man and its target, as the mover sees the board.
fn to<M: Men>(look: &Look<'_, M>) -> usize {
    1 + pair(look.step.role, look.seen(look.step.to), M::SQUARES)
}

/// The man and where it stood.
fn from<M: Men>(look: &Look<'_, M>) -> usize {
    1 + pair(look.step.role, look.seen(look.step.from), M::SQUARES)
}

/// Whether the man goes forward or back, to which side, and how far.
fn direction<M: Men>(look: &Look<'_, M>) -> usize {
    let (from, to) = (look.seen(look.step.from), look.seen(look.step.to));
    let ((from_file, from_rank), (to_file, to_rank)) = (M::place(from), M::place(to));
    let sign = |from: i32, to: i32| ((to - from).signum() + 1) as usize;
    let far = match M::distance(from, to) {
        0..=1 => 0,
        2..=3 => 1,
        _ => 2,
    };
    let way = pair(sign(from_rank, to_rank), sign(from_file, to_file), 3);
    pair(look.step.role, pair(way, far, 3), 27)
}

/// How near the moved man is to the other king.
fn other_king_distance<M: Men>(look: &Look<'_, M>) -> usize {
    let distance = M::distance(look.step.to, look.after.king[!look.side]);
    pair(look.step.role, distance.min(7), 8)
}

/// How near the moved man is to its own king.
fn own_king_distance<M: Men>(look: &Look<'_, M>) -> usize {
    let distance = M::distance(look.step.to, look.after.king[look.side]);
    pair(look.step.role, distance.min(7), 8)
}
