//! The other side's men that could be taken next.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::{
    Facts, Squares,
    look::{SIZES, pair, size},
};

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Threats,
        [
            ("threat_before_after", SIZES * SIZES, threat as fn(&Look<'_, M>) -> usize),
            ("second_threat", SIZES, second_threat),
            ("threat_count", 25, threat_count),
            ("new_threat", 4 * SIZES, new_threat),
            ("man_threatens", roles * roles + 1, man_threatens),
            ("man_attacks", 2 * roles * roles + 1, man_attacks),
            ("attacks_count", 10, attacks_count),
            ("fork", 8, fork),
            ("uncovers", SIZES, uncovers),
            ("attacks_last_mover", 5, attacks_last_mover),
            ("threat_given_up", SIZES, threat_given_up),
        ],
    )
}

/// The most that a capture would win before the move, and after if the other side passed.
fn threat<M: Men>(look: &Look<'_, M>) -> usize {
    pair(size(look.before.loss[!look.side]), size(look.after.loss[!look.side]), SIZES)
}

/// The second most that a capture would win after the move.
fn second_threat<M: Men>(look: &Look<'_, M>) -> usize {
    size(look.after.second_loss[!look.side])
}

/// How many of the other side's men hang before the move, and after.
fn threat_count<M: Men>(look: &Look<'_, M>) -> usize {
    let count = |facts: &Facts<M>| facts.hanging[!look.side].count().min(4) as usize;
    pair(count(look.before), count(look.after), 5)
}

/// The largest stake that did not hang before, whether the moved man attacks it, and whether
/// that man is safe.
fn new_threat<M: Men>(look: &Look<'_, M>) -> usize {
    let new = look.after.hanging[!look.side] & !look.before.hanging[!look.side];
    let Some((stake, _)) = look.after.largest_stake(new) else {
        return 0;
    };
    let direct = (new & look.moved.attacks).any();
    pair(size(stake), pair(usize::from(direct), usize::from(look.is_safe()), 2), 4)
}

/// Which safe man attacks which man that hangs.
fn man_threatens<M: Men>(look: &Look<'_, M>) -> usize {
    if !look.is_safe() {
        return 0;
    }
    let moved = look.moved;
    look.after
        .largest_stake(look.after.hanging[!look.side] & moved.attacks)
        .map_or(0, |(_, role)| 1 + pair(moved.role, role, M::roles()))
}

/// The most valuable man that the moved man attacks now and did not attack before, and whether
/// the moved man is safe.
fn man_attacks<M: Men>(look: &Look<'_, M>) -> usize {
    let moved = look.moved;
    let new = moved.attacks & look.enemies() & !look.mover.attacks;
    new.filter_map(|square| look.after.at(square))
        .map(|man| man.role)
        .max_by_key(|&role| M::WORTH[role])
        .map_or(0, |role| {
            1 + pair(pair(moved.role, role, M::roles()), usize::from(look.is_safe()), 2)
        })
}

/// How many men the moved man attacks, and whether it is safe.
fn attacks_count<M: Men>(look: &Look<'_, M>) -> usize {
    let count = (look.moved.attacks & look.enemies()).count().min(4) as usize;
    if count == 0 { 0 } else { pair(count, usize::from(look.is_safe()), 2) }
}

/// How many men that hang, or are the king, the moved man attacks at once.
fn fork<M: Men>(look: &Look<'_, M>) -> usize {
    let king = Squares::of(look.after.king[!look.side]);
    let targets = look.moved.attacks & (look.after.hanging[!look.side] | king);
    match targets.count().min(4) as usize {
        0 => 0,
        count => 2 * (count - 1) + usize::from(look.is_safe()),
    }
}

/// The largest new stake that the moved man does not attack itself.
fn uncovers<M: Men>(look: &Look<'_, M>) -> usize {
    let new =
        look.after.hanging[!look.side] & !look.before.hanging[!look.side] & !look.moved.attacks;
    look.after.largest_stake(new).map_or(0, |(stake, _)| size(stake))
}

/// Whether the man now attacks the man that has just moved, whether that hangs, and whether the
/// moved man is safe.
fn attacks_last_mover<M: Men>(look: &Look<'_, M>) -> usize {
    let Some(last) = look.past.last().filter(|last| last.to != look.step.to) else {
        return 0;
    };
    if !look.moved.attacks.contains(last.to) || look.mover.attacks.contains(last.to) {
        return 0;
    }
    let hangs = look.after.hanging[!look.side].contains(last.to);
    1 + pair(usize::from(hangs), usize::from(look.is_safe()), 2)
}

/// The largest stake that could be taken before and no longer can, other than by taking it.
fn threat_given_up<M: Men>(look: &Look<'_, M>) -> usize {
    let given_up =
        look.before.hanging[!look.side].without(look.step.to) & !look.after.hanging[!look.side];
    look.before.largest_stake(given_up).map_or(0, |(stake, _)| size(stake))
}
