//! Attributes that only xiangqi has: the river, lines to the general, its guards.

use super::men::{XiangqiMen, number, square};
use crate::{
    attributes::full::{Look, Men, Squares, pair},
    game::Side,
    xiangqi::{Color, Role, attacks},
};

type Seen<'a> = Look<'a, XiangqiMen>;

/// Whether the man crosses the river, stays beyond it, or comes back.
pub(super) fn river(look: &Seen<'_>) -> usize {
    let beyond = |at: usize| look.seen(at) / 9 >= 5;
    let way = match (beyond(look.step.from), beyond(look.step.to)) {
        (false, false) => return 0,
        (false, true) => 1,
        (true, true) => 2,
        (true, false) => 3,
    };
    pair(look.step.role, way, 4)
}

/// How many men stand between the moved man and the other general where they are on one line, and
/// whether that was so before.
pub(super) fn line_to_general(look: &Seen<'_>) -> usize {
    let role = match Role::ALL[look.step.role] {
        Role::Chariot => 0,
        Role::Cannon => 1,
        _ => return 0,
    };
    let screens = |from: usize, king: usize, occupied: Squares| {
        let (from, king) = (square(from), square(king));
        match from.file() == king.file() || from.rank() == king.rank() {
            true => 1 + (Squares(attacks::between(from, king).0) & occupied).count().min(4),
            false => 0,
        }
    };
    let king = look.after.king[!look.side];
    let after = screens(look.step.to, king, look.after.occupied) as usize;
    let before = screens(look.step.from, king, look.before.occupied) as usize;
    pair(role, pair(after, before, 6), 36)
}

/// How far the target's file is from the other general's.
pub(super) fn file_of_general(look: &Seen<'_>) -> usize {
    let file = |at: usize| at % 9;
    let distance = file(look.step.to).abs_diff(file(look.after.king[!look.side])).min(4);
    1 + pair(look.step.role, distance, 5)
}

/// How many advisors and elephants each side has left, and which man moves.
pub(super) fn guards(look: &Seen<'_>) -> usize {
    let count = |side: Side| {
        let board = look.after.men.board();
        let guards = board.by_role(Role::Advisor) | board.by_role(Role::Elephant);
        (guards & board.by_color(Color::from(side))).count().min(4)
    };
    1 + pair(look.step.role, pair(count(look.side), count(!look.side), 5), 25)
}

/// Whether a horse is freed or hemmed in: how many of its four ways are open, before and after,
/// for the moved man if it is a horse and else for the own horses together.
pub(super) fn open_horses(look: &Seen<'_>) -> usize {
    let open = |facts: &crate::attributes::full::Facts<XiangqiMen>| {
        facts
            .list()
            .iter()
            .filter(|man| man.side == look.side && man.role == number(Role::Horse))
            .map(|man| man.reach.count() as i32)
            .sum::<i32>()
    };
    let change = open(look.after) - open(look.before);
    let way = match change {
        0 => return 0,
        ..=-3 => 0,
        -2..=-1 => 1,
        1..=2 => 2,
        3.. => 3,
    };
    1 + pair(way, usize::from(look.step.role == number(Role::Horse)), 2)
}

/// How many of the own chariots have left their corner, and which man moves.
pub(super) fn chariots_out(look: &Seen<'_>) -> usize {
    if look.phase > 1.5 {
        return 0;
    }
    let chariots =
        look.before.men.of_role(number(Role::Chariot)) & look.before.men.of_side(look.side);
    let home = chariots.filter(|&at| matches!(look.seen(at), 0 | 8)).count();
    let from_home = matches!(look.seen(look.step.from), 0 | 8);
    if home == 0 { 0 } else { pair(pair(look.step.role, home, 3), usize::from(from_home), 2) }
}
