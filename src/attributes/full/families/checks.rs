//! Checks and mates, given and allowed.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::{
    Ending,
    full::{Facts, look::pair},
};

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Checks,
        [
            ("ends_game", 3, ends_game as fn(&Look<'_, M>) -> usize),
            ("check", 7, check),
            ("man_checks", 2 * roles + 1, man_checks),
            ("evasions", 7, evasions),
            ("answers_check", 7, answers_check),
            ("answers_check_by_taking", 4, answers_by_taking),
            ("allows_mate", 2, allows_mate),
            ("threatens_mate", 3, threatens_mate),
            ("checks_allowed", 16, checks_allowed),
            ("checks_prepared", 16, checks_prepared),
            ("mate_near", 16, mate_near),
        ],
    )
}

/// Whether the move mates, or draws by the position.
fn ends_game<M: Men>(look: &Look<'_, M>) -> usize {
    match look.ending {
        Some(Ending::Lost) => 1,
        Some(Ending::Drawn) => 2,
        None => 0,
    }
}

/// A check: by the moved man, by another, or by both; and whether the moved man is safe.
fn check<M: Men>(look: &Look<'_, M>) -> usize {
    let checkers = look.after.checkers[!look.side];
    if !checkers.any() {
        return 0;
    }
    let kind = match (checkers.contains(look.step.to), checkers.count() > 1) {
        (true, false) => 0,
        (false, _) => 1,
        (true, true) => 2,
    };
    1 + pair(kind, usize::from(look.is_safe()), 2)
}

/// Which man moves to give check, and whether it is safe.
fn man_checks<M: Men>(look: &Look<'_, M>) -> usize {
    match look.is_check() {
        false => 0,
        true => 1 + pair(look.step.role, usize::from(look.is_safe()), 2),
    }
}

/// How many answers a check leaves.
fn evasions<M: Men>(look: &Look<'_, M>) -> usize {
    match look.evasions {
        0..=3 => look.evasions,
        4..=5 => 4,
        6..=8 => 5,
        _ => 6,
    }
}

/// How a check is answered: by the king, by a capture or by a man put in between; and whether
/// the moved man is safe.
fn answers_check<M: Men>(look: &Look<'_, M>) -> usize {
    if !look.before.checkers[look.side].any() {
        return 0;
    }
    let how = match (look.step.role == M::KING, look.step.captured.is_some()) {
        (true, false) => 0,
        (_, true) => 1,
        (false, false) => 2,
    };
    1 + pair(how, usize::from(look.is_safe()), 2)
}

/// Whether a check could be answered by taking the checker, and whether the king or another man
/// takes it.
fn answers_by_taking<M: Men>(look: &Look<'_, M>) -> usize {
    let checkers = look.before.checkers[look.side];
    let taken = checkers.contains(look.step.to);
    match (checkers.any(), taken, look.step.role == M::KING) {
        (false, ..) => 0,
        (true, true, true) => 1,
        (true, true, false) => 2,
        (true, false, _) => 3 * usize::from((checkers & look.before.attacked[look.side]).any()),
    }
}

/// Whether the other side can mate at once after the move.
fn allows_mate<M: Men>(look: &Look<'_, M>) -> usize {
    usize::from(look.allows_mate)
}

/// Whether the mover could mate next if the other side passed, and whether the moved man is safe.
fn threatens_mate<M: Men>(look: &Look<'_, M>) -> usize {
    if look.threatens_mate { 1 + usize::from(look.is_safe()) } else { 0 }
}

/// How many squares the other side could check from before the move, and after, by its side's
/// safe ones.
fn checks_allowed<M: Men>(look: &Look<'_, M>) -> usize {
    let safe = |facts: &Facts<M>| facts.safe_checks[!look.side].min(3) as usize;
    pair(safe(look.before), safe(look.after), 4)
}

/// How many squares the mover could safely check from before the move, and next.
fn checks_prepared<M: Men>(look: &Look<'_, M>) -> usize {
    let safe = |facts: &Facts<M>| facts.safe_checks[look.side].min(3) as usize;
    pair(safe(look.before), safe(look.after), 4)
}

/// How many squares beside it the other king can still go to, with how many safe checks next.
fn mate_near<M: Men>(look: &Look<'_, M>) -> usize {
    let king = look.after.king[!look.side];
    let flights = look
        .after
        .at(king)
        .map_or(0, |king| (king.reach & !look.after.attacked[look.side]).count().min(4) as usize);
    let checks = look.after.safe_checks[look.side].min(2) as usize;
    1 + pair(flights, checks, 3)
}
