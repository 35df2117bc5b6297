//! Directions and numbers: how a player says where a piece goes.

use crate::xiangqi::{Color, File, Move, Role, Square};

/// Where a piece goes, seen by its player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards the opponent.
    Forward,
    /// Towards the mover.
    Backward,
    /// Along its rank.
    Sideways,
}

impl Direction {
    /// All three, forward first.
    pub const ALL: [Self; 3] = [Self::Forward, Self::Backward, Self::Sideways];
}

/// Whether the number of a move counts steps, and not files.
pub(in crate::xiangqi::notation) const fn counts_steps(role: Role, direction: Direction) -> bool {
    matches!(direction, Direction::Forward | Direction::Backward)
        && matches!(role, Role::General | Role::Chariot | Role::Cannon | Role::Soldier)
}

/// The number of a file, from a player's right hand.
pub(in crate::xiangqi::notation) const fn file_number(color: Color, file: File) -> u8 {
    match color {
        Color::Red => 9 - file.index(),
        Color::Black => 1 + file.index(),
    }
}

/// The direction and number of a move by a piece of the given color and role.
pub(in crate::xiangqi::notation) fn motion(color: Color, role: Role, m: Move) -> (Direction, u8) {
    let (from, to) = (m.from.rank(), m.to.rank());
    let direction = match (to > from, from > to) {
        (true, _) if color.is_red() => Direction::Forward,
        (_, true) if color.is_black() => Direction::Forward,
        (false, false) => Direction::Sideways,
        _ => Direction::Backward,
    };
    let number = match counts_steps(role, direction) {
        true => from.index().abs_diff(to.index()),
        false => file_number(color, m.to.file()),
    };
    (direction, number)
}

/// Where a piece of the given color and role gets from a square, if that is on the board.
pub(in crate::xiangqi::notation) fn destination(
    color: Color,
    role: Role,
    from: Square,
    direction: Direction,
    number: u8,
) -> Option<Square> {
    let number = number as i8;
    let (files, ranks) = if counts_steps(role, direction) {
        (0, number)
    } else {
        let files = file_number(color, from.file()) as i8 - number;
        match (direction, role, files.abs()) {
            (Direction::Sideways, ..) => (files, 0),
            (_, Role::Advisor, 1) | (_, Role::Horse, 2) => (files, 1),
            (_, Role::Elephant, 2) | (_, Role::Horse, 1) => (files, 2),
            _ => return None,
        }
    };
    let ranks = if direction == Direction::Backward { -ranks } else { ranks };
    match color {
        Color::Red => from.offset(files, ranks),
        Color::Black => from.offset(-files, -ranks),
    }
}
