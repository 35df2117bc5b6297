//! The surroundings of both kings.

use std::cmp::Ordering;

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::look::pair;

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::King,
        [
            ("other_zone", 5 * roles, other_zone as fn(&Look<'_, M>) -> usize),
            ("other_pressure", 9, other_pressure),
            ("own_pressure", 9, own_pressure),
            ("own_danger", 12, own_danger),
            ("leaves_king", 4, leaves_king),
        ],
    )
}

/// How many squares around the other king the man attacks.
fn other_zone<M: Men>(look: &Look<'_, M>) -> usize {
    let zone = look.after.men.zone(!look.side);
    match (look.moved.attacks & zone).count().min(4) as usize {
        0 => 0,
        count => pair(look.step.role, count, 5),
    }
}

/// By how much the attacks around the other king change.
fn other_pressure<M: Men>(look: &Look<'_, M>) -> usize {
    change(look.after.pressure[!look.side], look.before.pressure[!look.side])
}

/// By how much the attacks around the own king change.
fn own_pressure<M: Men>(look: &Look<'_, M>) -> usize {
    change(look.after.pressure[look.side], look.before.pressure[look.side])
}

/// How strongly the own king is attacked before the move, and whether it gets better or worse.
fn own_danger<M: Men>(look: &Look<'_, M>) -> usize {
    let (before, after) = (look.before.pressure[look.side], look.after.pressure[look.side]);
    let level = match before {
        0 => 0,
        1..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let way = match after.cmp(&before) {
        Ordering::Equal => 0,
        Ordering::Greater => 1,
        Ordering::Less => 2,
    };
    pair(level, way, 3)
}

/// Whether the man leaves the surroundings of its own king, comes there, or stays.
fn leaves_king<M: Men>(look: &Look<'_, M>) -> usize {
    let zone = look.before.men.zone(look.side);
    pair(usize::from(zone.contains(look.step.from)), usize::from(zone.contains(look.step.to)), 2)
}

fn change(after: u32, before: u32) -> usize {
    let change = after as i32 - before as i32;
    match change {
        0 => 0,
        1 => 1,
        2 => 2,
        3..=4 => 3,
        5.. => 4,
        -1 => 5,
        -2 => 6,
        -4..=-3 => 7,
        _ => 8,
    }
}
