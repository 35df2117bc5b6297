//! What was played before.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::look::pair;

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    family(
        Family::History,
        [
            ("same_man", 6, same_man as fn(&Look<'_, M>) -> usize),
            ("moved_before", 6, moved_before),
            ("man_age", 5 * M::roles(), man_age),
            ("near_last_target", 16, near_last_target),
            ("from_near_last_target", 9, from_near_last_target),
            ("near_own_last_target", 9, near_own_last_target),
            ("to_last_origin", 3, to_last_origin),
            ("repetition", 4, repetition),
            ("answers_role", 2 * M::roles() * M::roles() + 1, answers_role),
        ],
    )
}

/// The man that moved last moves again: quietly, taking, or back to where it came from.
fn same_man<M: Men>(look: &Look<'_, M>) -> usize {
    let mut own = look.past.own();
    let Some(last) = own.next().filter(|last| last.to == look.step.from) else {
        return 0;
    };
    if look.step.captured.is_some() {
        return 1;
    }
    if look.step.to == last.from {
        return if last.captured.is_some() { 2 } else { 3 };
    }
    let twice = own.next().is_some_and(|before| before.to == last.from);
    if twice { 5 } else { 4 }
}

/// How many of the side's last moves ago the man moved.
fn moved_before<M: Men>(look: &Look<'_, M>) -> usize {
    age(look)
}

/// The same for each role.
fn man_age<M: Men>(look: &Look<'_, M>) -> usize {
    match age(look) {
        0 => 0,
        age => pair(look.step.role, age.min(4), 5),
    }
}

/// How far the target is from where the other side has just moved, and whether that man took.
fn near_last_target<M: Men>(look: &Look<'_, M>) -> usize {
    look.past.last().map_or(0, |last| {
        let distance = M::distance(look.step.to, last.to).min(7);
        pair(distance, usize::from(last.captured.is_some()), 2)
    })
}

/// How far the man stands from where the other side has just moved.
fn from_near_last_target<M: Men>(look: &Look<'_, M>) -> usize {
    look.past.last().map_or(0, |last| 1 + M::distance(look.step.from, last.to).min(7))
}

/// How far the target is from the side's own last target.
fn near_own_last_target<M: Men>(look: &Look<'_, M>) -> usize {
    look.past.own().next().map_or(0, |own| 1 + M::distance(look.step.to, own.to).min(7))
}

/// Whether the man goes where the other side's man came from, or attacks that square.
fn to_last_origin<M: Men>(look: &Look<'_, M>) -> usize {
    match look.past.last() {
        Some(last) if last.from == look.step.to => 1,
        Some(last) if look.moved.attacks.contains(last.from) => 2,
        _ => 0,
    }
}

/// How often the position after the move was on the board before.
fn repetition<M: Men>(look: &Look<'_, M>) -> usize {
    look.occurrences.min(3)
}

/// Which role answers a move of which, and whether that one took.
fn answers_role<M: Men>(look: &Look<'_, M>) -> usize {
    look.past.last().map_or(0, |last| {
        let roles = pair(last.role, look.step.role, M::roles());
        1 + pair(roles, usize::from(last.captured.is_some()), 2)
    })
}

/// One where the man made the side's last move, two where it made the one before, and so on;
/// zero where it made none that is remembered.
fn age<M: Men>(look: &Look<'_, M>) -> usize {
    look.past.own().position(|own| own.to == look.step.from).map_or(0, |age| age + 1)
}
