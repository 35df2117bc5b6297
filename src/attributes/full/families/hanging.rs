//! Own men that can be taken, before and after the move.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::{
    Facts, Man, Squares,
    exchange::cheapest,
    look::{SIZES, pair, size},
};

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Hanging,
        [
            ("danger_before_after", SIZES * SIZES, danger as fn(&Look<'_, M>) -> usize),
            ("man_in_danger", 3 * roles, man_in_danger),
            ("loss_before_after", SIZES * SIZES, loss),
            ("net_of_loss", 2 * SIZES * SIZES + 1, net_of_loss),
            ("second_loss", SIZES, second_loss),
            ("hanging_count", 25, hanging_count),
            ("left_hanging", roles + 1, left_hanging),
            ("saved", SIZES, saved),
            ("exposed", SIZES, exposed),
            ("attacked_by_cheaper", 4, attacked_by_cheaper),
            ("guards_lost_won", 16, guards_lost_won),
            ("last_mover_attacks", 6, last_mover_attacks),
            ("answers_threat", 3 * SIZES, answers_threat),
            ("trapped", 4, trapped),
        ],
    )
}

/// What the other side wins by taking the man before it moves, and after.
fn danger<M: Men>(look: &Look<'_, M>) -> usize {
    pair(size(look.mover.stake), size(look.moved.stake), SIZES)
}

/// Which man escapes danger, or stays in it elsewhere.
fn man_in_danger<M: Men>(look: &Look<'_, M>) -> usize {
    match (look.mover.stake > 0, look.is_safe()) {
        (false, _) => 0,
        (true, true) => pair(look.step.role, 1, 3),
        (true, false) => pair(look.step.role, 2, 3),
    }
}

/// The most that the other side would win by a capture before the move, and after.
fn loss<M: Men>(look: &Look<'_, M>) -> usize {
    pair(size(look.before.loss[look.side]), size(look.after.loss[look.side]), SIZES)
}

/// What the move takes less the most that the other side can then take.
fn net_of_loss<M: Men>(look: &Look<'_, M>) -> usize {
    let taken = look.step.captured.map_or(0, |captured| M::WORTH[captured]);
    let loss = look.after.loss[look.side];
    1 + pair(pair(size(taken), size(loss), SIZES), usize::from(loss > taken), 2)
}

/// What the other side could win by its second best capture after the move.
fn second_loss<M: Men>(look: &Look<'_, M>) -> usize {
    size(look.after.second_loss[look.side])
}

/// How many own men hang before the move, and after.
fn hanging_count<M: Men>(look: &Look<'_, M>) -> usize {
    let count = |facts: &Facts<M>| facts.hanging[look.side].count().min(4) as usize;
    pair(count(look.before), count(look.after), 5)
}

/// The role of the most valuable own man that hangs after the move, the moved man aside.
fn left_hanging<M: Men>(look: &Look<'_, M>) -> usize {
    let hanging = look.after.hanging[look.side].without(look.step.to);
    look.after.largest_stake(hanging).map_or(0, |(_, role)| role + 1)
}

/// The most valuable stake of another own man that no longer hangs.
fn saved<M: Men>(look: &Look<'_, M>) -> usize {
    let saved =
        look.before.hanging[look.side].without(look.step.from) & !look.after.hanging[look.side];
    look.before.largest_stake(saved).map_or(0, |(stake, _)| size(stake))
}

/// The most valuable stake of another own man that did not hang before.
fn exposed<M: Men>(look: &Look<'_, M>) -> usize {
    let exposed =
        look.after.hanging[look.side].without(look.step.to) & !look.before.hanging[look.side];
    look.after.largest_stake(exposed).map_or(0, |(stake, _)| size(stake))
}

/// Whether a man worth less attacks the man before it moves, and after.
fn attacked_by_cheaper<M: Men>(look: &Look<'_, M>) -> usize {
    let by_cheaper = |facts: &Facts<M>, man: &Man, attackers: &dyn Fn() -> Squares| {
        facts.attacked[!look.side].contains(man.square)
            && cheapest(&facts.men, attackers() & facts.men.of_side(!look.side))
                .is_some_and(|(_, role)| M::WORTH[role] < M::WORTH[man.role])
    };
    let attackers = || look.before.men.attackers_to(look.step.from, look.before.occupied);
    let before = by_cheaper(look.before, look.mover, &attackers);
    let after = by_cheaper(look.after, look.moved, &|| look.attackers);
    pair(usize::from(before), usize::from(after), 2)
}

/// How many own men under attack the man guarded only before the move, and only after it.
fn guards_lost_won<M: Men>(look: &Look<'_, M>) -> usize {
    let others = look.others();
    let lost = look.mover.attacks & others & look.before.attacked[!look.side] & !look.moved.attacks;
    let won = look.moved.attacks & others & look.after.attacked[!look.side] & !look.mover.attacks;
    pair(lost.count().min(3) as usize, won.count().min(3) as usize, 4)
}

/// What the man that the other side has just moved threatens to take, and whether that man moves,
/// is safe after another's move, or is left.
fn answers_threat<M: Men>(look: &Look<'_, M>) -> usize {
    let Some(attacker) = look.past.last().and_then(|last| look.before.at(last.to)) else {
        return 0;
    };
    if attacker.side == look.side {
        return 0;
    }
    let threatened = attacker.attacks & look.before.hanging[look.side];
    let largest = threatened.max_by_key(|&square| look.before.stake(square));
    let Some(square) = largest else {
        return 0;
    };
    let answer = match (square == look.step.from, look.after.hanging[look.side].contains(square)) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    };
    pair(size(look.before.stake(square)), answer, 3)
}

/// Whether the man has no safe square to go to, before the move and after it.
fn trapped<M: Men>(look: &Look<'_, M>) -> usize {
    let is_trapped = |facts: &Facts<M>, man: &Man| {
        man.role != M::KING && !(man.reach & !facts.attacked[!look.side]).any()
    };
    pair(
        usize::from(is_trapped(look.before, look.mover)),
        usize::from(is_trapped(look.after, look.moved)),
        2,
    )
}

/// Whether the man that the other side has just moved attacks the man, and how that ends.
fn last_mover_attacks<M: Men>(look: &Look<'_, M>) -> usize {
    let Some(attacker) = look.past.last().and_then(|last| look.before.at(last.to)) else {
        return 0;
    };
    if attacker.side == look.side || !attacker.attacks.contains(look.step.from) {
        return 0;
    }
    let was_hanging = look.mover.stake > 0;
    1 + pair(usize::from(was_hanging), usize::from(look.is_safe()), 2)
}
