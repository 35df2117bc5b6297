//! To how many squares men may go.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::look::pair;

/// How many values a change of mobility has.
const CHANGES: usize = 14;

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Mobility,
        [
            ("own_mobility", CHANGES, own_mobility as fn(&Look<'_, M>) -> usize),
            ("other_mobility", CHANGES, other_mobility),
            ("man_mobility", 8 * roles, man_mobility),
            ("man_safe_mobility", 8 * roles, man_safe_mobility),
            ("man_mobility_change", 8 * roles, man_mobility_change),
            ("choice", 8, choice),
            ("shields", 8, shields),
        ],
    )
}

/// By how many squares the mobility of the own side changes.
fn own_mobility<M: Men>(look: &Look<'_, M>) -> usize {
    change(look.after.mobility[look.side], look.before.mobility[look.side])
}

/// By how many squares the mobility of the other side changes.
fn other_mobility<M: Men>(look: &Look<'_, M>) -> usize {
    change(look.after.mobility[!look.side], look.before.mobility[!look.side])
}

/// To how many squares the moved man may go next.
fn man_mobility<M: Men>(look: &Look<'_, M>) -> usize {
    let moved = look.moved;
    pair(moved.role, grade(moved.reach.count()), 8)
}

/// To how many squares that the other side does not attack the moved man may go next.
fn man_safe_mobility<M: Men>(look: &Look<'_, M>) -> usize {
    let moved = look.moved;
    let safe = moved.reach & !look.after.attacked[!look.side];
    pair(moved.role, grade(safe.count()), 8)
}

/// Whether the moved man has more squares than before.
fn man_mobility_change<M: Men>(look: &Look<'_, M>) -> usize {
    let change = look.moved.reach.count() as i32 - look.mover.reach.count() as i32;
    let grade = match change {
        ..=-6 => 1,
        -5..=-3 => 2,
        -2..=-1 => 3,
        0 => 0,
        1..=2 => 4,
        3..=5 => 5,
        6..=8 => 6,
        _ => 7,
    };
    if grade == 0 { 0 } else { pair(look.step.role, grade, 8) }
}

/// How many legal moves the position offers.
fn choice<M: Men>(look: &Look<'_, M>) -> usize {
    match (look.before.checkers[look.side].any(), look.moves) {
        (true, _) => 0,
        (false, ..=5) => 1,
        (false, 6..=12) => 2,
        (false, _) => 0,
    }
}

/// How many men the moved man attacks or guards in all.
fn shields<M: Men>(look: &Look<'_, M>) -> usize {
    (look.moved.attacks & look.others()).count().min(7) as usize
}

fn change(after: u32, before: u32) -> usize {
    let change = after as i32 - before as i32;
    match change {
        0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=6 => 3,
        7..=9 => 4,
        10..=13 => 5,
        14.. => 6,
        -2..=-1 => 7,
        -4..=-3 => 8,
        -6..=-5 => 9,
        -9..=-7 => 10,
        -13..=-10 => 11,
        -20..=-14 => 12,
        _ => 13,
    }
}

fn grade(squares: u32) -> usize {
    match squares {
        0..=4 => squares as usize,
        5..=7 => 5,
        8..=11 => 6,
        _ => 7,
    }
}
