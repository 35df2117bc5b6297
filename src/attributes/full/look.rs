//! What is known of one move when its attributes are asked for.

use super::{Facts, Man, Men, Past, Squares, Step, ahead::Prospect};
use crate::{attributes::Ending, game::Side};

/// A move as the attributes see it: the men before and after, and what was found out on the way.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a, M: Men> {
    /// Who moves.
    pub side: Side,
    /// The move.
    pub step: Step,
    /// The men before it.
    pub before: &'a Facts<M>,
    /// The men after it.
    pub after: &'a Facts<M>,
    /// The man to move, where it comes from.
    pub mover: &'a Man,
    /// The same man, or what it was promoted to, where it went.
    pub moved: &'a Man,
    /// The men of both sides that attack the square where it went.
    pub attackers: Squares,
    /// The moves before it.
    pub past: &'a Past,
    /// What it wins on its square, in half pawns; negative where the man is lost for less.
    pub gain: i32,
    /// The most that any move of the position wins so.
    pub best_gain: i32,
    /// How many legal moves answer a check that it gives; zero where it gives none.
    pub evasions: usize,
    /// How it ends the game, if it does, for the side that would move.
    pub ending: Option<Ending>,
    /// Whether it allows the other side to mate at once.
    pub allows_mate: bool,
    /// Whether the mover could mate next if the other side passed.
    pub threatens_mate: bool,
    /// How often the position after it has been on the board before.
    pub occurrences: usize,
    /// How many legal moves the position has.
    pub moves: usize,
    /// How far the game has come.
    pub phase: f32,
    /// What positions some plies later are worth.
    pub prospect: Prospect,
}

impl<M: Men> Look<'_, M> {
    /// Whether the other side wins nothing by capturing the moved man.
    pub fn is_safe(&self) -> bool {
        self.moved.stake == 0
    }

    /// Whether the move gives check.
    pub fn is_check(&self) -> bool {
        self.after.checkers[!self.side].any()
    }

    /// The other side's men after the move.
    pub fn enemies(&self) -> Squares {
        self.after.men.of_side(!self.side)
    }

    /// The own side's men other than the moved one.
    pub fn others(&self) -> Squares {
        self.after.men.of_side(self.side).without(self.step.to)
    }

    /// A square as the mover sees it.
    pub fn seen(&self, square: usize) -> usize {
        M::seen_from(self.side, square)
    }
}

/// The sizes of losses and gains: a pawn, a weak man, a minor man, a stronger one, two of them, a
/// queen or chariot.
pub const SIZES: usize = 7;

/// The size of a loss in half pawns, less than [`SIZES`]; zero for none.
pub fn size(half_pawns: i32) -> usize {
    match half_pawns {
        ..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=7 => 3,
        8..=11 => 4,
        12..=16 => 5,
        _ => 6,
    }
}

/// How many values [`signed_size`] has.
pub const SIGNED_SIZES: usize = 2 * SIZES - 1;

/// The size of a gain or a loss: zero for none, then the gains, then the losses.
pub fn signed_size(half_pawns: i32) -> usize {
    match half_pawns {
        0.. => size(half_pawns),
        _ => SIZES - 1 + size(-half_pawns),
    }
}

/// Two values as one: zero only where both are.
pub fn pair(one: usize, other: usize, values_of_other: usize) -> usize {
    one * values_of_other + other
}
