//! What is taken, and what that wins.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::{
    exchange::cheapest,
    look::{SIGNED_SIZES, SIZES, pair, signed_size, size},
};

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Exchange,
        [
            ("man", roles + 1, man as fn(&Look<'_, M>) -> usize),
            ("man_takes", roles * roles + 1, man_takes),
            ("gain", SIGNED_SIZES, gain),
            ("gain_of_capture", SIGNED_SIZES + 1, gain_of_capture),
            ("gain_of_man", roles * 4, gain_of_man),
            ("best_gain", 4, best_gain),
            ("left_gain", SIZES, left_gain),
            ("recapture", SIZES + 1, recapture),
            ("takes_last_mover", SIZES + 1, takes_last_mover),
            ("target_guard", 17, target_guard),
            ("cheapest_attacker", roles * roles + 1, cheapest_attacker),
            ("captured_is_guarded", 2 * roles + 1, captured_is_guarded),
        ],
    )
}

/// Which man moves.
fn man<M: Men>(look: &Look<'_, M>) -> usize {
    look.step.role + 1
}

/// Which man takes which.
fn man_takes<M: Men>(look: &Look<'_, M>) -> usize {
    look.step.captured.map_or(0, |captured| 1 + pair(look.step.role, captured, M::roles()))
}

/// What the exchange on its square wins or loses.
fn gain<M: Men>(look: &Look<'_, M>) -> usize {
    signed_size(look.gain)
}

/// The same for captures only.
fn gain_of_capture<M: Men>(look: &Look<'_, M>) -> usize {
    look.step.captured.map_or(0, |_| 1 + signed_size(look.gain))
}

/// Whether this man wins, keeps even by a capture, or loses something.
fn gain_of_man<M: Men>(look: &Look<'_, M>) -> usize {
    let sign = match look.gain {
        1.. => 1,
        0 if look.step.captured.is_some() => 2,
        0 => 0,
        _ => 3,
    };
    if sign == 0 { 0 } else { pair(look.step.role, sign, 4) }
}

/// Whether the position offers a gain, and this move is the largest, a smaller one or none.
fn best_gain<M: Men>(look: &Look<'_, M>) -> usize {
    match look.best_gain {
        ..=0 => 0,
        best if look.gain == best => 1,
        _ if look.gain > 0 => 2,
        _ => 3,
    }
}

/// How much more another move would win at once.
fn left_gain<M: Men>(look: &Look<'_, M>) -> usize {
    size(look.best_gain.max(0) - look.gain.max(0))
}

/// Taking back the man that has just captured, by what that wins.
fn recapture<M: Men>(look: &Look<'_, M>) -> usize {
    match look.past.last() {
        Some(last) if last.to == look.step.to && last.captured.is_some() => {
            1 + size(look.gain.max(0))
        }
        _ => 0,
    }
}

/// Taking the man that has just moved without capturing.
fn takes_last_mover<M: Men>(look: &Look<'_, M>) -> usize {
    match look.past.last() {
        Some(last) if last.to == look.step.to && last.captured.is_none() => {
            1 + size(look.gain.max(0))
        }
        _ => 0,
    }
}

/// How many men of the other side attack the target, and how many own ones guard it.
fn target_guard<M: Men>(look: &Look<'_, M>) -> usize {
    let against = (look.attackers & look.enemies()).count().min(3) as usize;
    let guards = (look.attackers & look.others()).count().min(3) as usize;
    1 + pair(against, guards, 4)
}

/// Which man goes where which man of the other side could take it most cheaply.
fn cheapest_attacker<M: Men>(look: &Look<'_, M>) -> usize {
    if !look.after.attacked[!look.side].contains(look.step.to) {
        return 0;
    }
    cheapest(&look.after.men, look.attackers & look.enemies())
        .map_or(0, |(_, role)| 1 + pair(look.moved.role, role, M::roles()))
}

/// What is taken, and whether it was guarded.
fn captured_is_guarded<M: Men>(look: &Look<'_, M>) -> usize {
    let guarded = look.before.attacked[!look.side].contains(look.step.to);
    look.step.captured.map_or(0, |captured| 1 + pair(captured, usize::from(guarded), 2))
}
