//! Who is ahead, and what that does to a choice.

use super::{Attribute, Family, Look, Men, family};
use crate::attributes::full::look::{SIGNED_SIZES, pair, signed_size};

pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Standing,
        [
            ("trade", SIGNED_SIZES * 6 + 1, trade as fn(&Look<'_, M>) -> usize),
            ("man_when_ahead", SIGNED_SIZES * roles + 1, man_when_ahead),
        ],
    )
}

/// What the mover's men are worth less the other side's, in half pawns.
fn lead<M: Men>(look: &Look<'_, M>) -> i32 {
    let worth = &look.before.worth;
    worth[look.side] - worth[!look.side]
}

/// A capture, by who is ahead, by whether it wins, trades or loses, and by whether more than a
/// pawn is taken.
fn trade<M: Men>(look: &Look<'_, M>) -> usize {
    let Some(captured) = look.step.captured else {
        return 0;
    };
    let kind = match look.gain {
        1.. => 0,
        0 => 1,
        _ => 2,
    };
    let large = usize::from(M::WORTH[captured] > 3);
    1 + pair(signed_size(lead(look)), pair(kind, large, 2), 6)
}

/// Which man moves when who is ahead.
fn man_when_ahead<M: Men>(look: &Look<'_, M>) -> usize {
    1 + pair(signed_size(lead(look)), look.step.role, M::roles())
}
