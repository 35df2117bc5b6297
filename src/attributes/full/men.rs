//! What the full attributes ask of a game: men on squares, and how a move changes them.

use std::{
    fmt::Debug,
    ops::{Index, IndexMut},
};

use super::{Attribute, Facts, Man, Reach, Squares};
use crate::{
    attributes::{Attributed as _, Ending, Positioned, Seen},
    game::Side,
};

/// Men on a board, without any rule about whose turn it is or what is legal.
///
/// Roles and squares are numbers from zero. A role attacks a square when it could capture a man
/// of the other side there, the safety of its own king aside.
pub trait Men: Clone + Debug + Send + Sync + 'static {
    /// How many squares the board has, 128 at most.
    const SQUARES: usize;
    /// What each role is worth, in half pawns; the king's worth is more than all others together.
    const WORTH: &'static [i32];
    /// The role of the man whose loss loses the game.
    const KING: usize;

    /// The squares of a side's men.
    fn of_side(&self, side: Side) -> Squares;

    /// The squares of both sides' men of a role.
    fn of_role(&self, role: usize) -> Squares;

    /// What a man of this role and side attacks from a square where these squares are occupied.
    fn attacks_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares;

    /// Where such a man may go, its own side's men and the safety of its king aside.
    fn reach_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares;

    /// Whether a man surely attacks and reaches the same squares as before when the men on other
    /// squares have changed.
    fn is_untouched(man: &Man, changed: Squares) -> bool;

    /// What such a man attacks, and where it may go: [`attacks_from`](Self::attacks_from) and
    /// [`reach_from`](Self::reach_from) at once.
    fn spans(&self, role: usize, side: Side, from: usize, occupied: Squares) -> (Squares, Squares) {
        (self.attacks_from(role, side, from, occupied), self.reach_from(role, side, from, occupied))
    }

    /// The men of both sides that attack a square where these squares are occupied.
    fn attackers_to(&self, to: usize, occupied: Squares) -> Squares;

    /// The squares from which a man of this role and side would attack a square. Men attack each
    /// other unless a game says otherwise, and a pawn is attacked from where the other side's
    /// would attack.
    fn attackers_of_role(&self, role: usize, side: Side, to: usize, occupied: Squares) -> Squares {
        self.attacks_from(role, !side, to, occupied)
    }

    /// The squares around a side's king whose attack endangers it.
    fn zone(&self, side: Side) -> Squares;

    /// The number that a square has when the board is seen from a side: the same number for the
    /// same square as either side sees it.
    fn seen_from(side: Side, square: usize) -> usize;

    /// The file and the rank of a square.
    fn place(square: usize) -> (i32, i32);

    /// How many roles there are.
    fn roles() -> usize {
        Self::WORTH.len()
    }

    /// All occupied squares.
    fn occupied(&self) -> Squares {
        self.of_side(Side::First) | self.of_side(Side::Second)
    }

    /// The role of the man on a square.
    fn role_at(&self, square: usize) -> Option<usize> {
        (0..Self::roles()).find(|&role| self.of_role(role).contains(square))
    }

    /// How far two squares are apart: the larger of the distances in files and in ranks.
    fn distance(one: usize, other: usize) -> usize {
        let ((file, rank), (other_file, other_rank)) = (Self::place(one), Self::place(other));
        (file - other_file).abs().max((rank - other_rank).abs()) as usize
    }
}

/// A move as a change of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where the man stood.
    pub from: usize,
    /// Where it stands afterwards.
    pub to: usize,
    /// Its role before the move.
    pub role: usize,
    /// The role of the man that it takes.
    pub captured: Option<usize>,
    /// The role that it has afterwards, where it has another.
    pub promoted: Option<usize>,
}

impl Step {
    /// What the move captures and promotes to, in half pawns.
    pub(super) fn takes<M: Men>(&self) -> i32 {
        let worth = |role: Option<usize>| role.map_or(0, |role| M::WORTH[role]);
        worth(self.captured) + worth(self.promoted)
    }
}

/// How many of the last moves a game remembers for the attributes.
pub const REMEMBERED: usize = 8;

/// The last moves of a game, as far as they are known, the newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past {
    /// The moves; `None` before the game, or what is known of it, began.
    pub steps: [Option<Step>; REMEMBERED],
}

impl Past {
    /// The same past with one more move.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.steps.rotate_right(1);
        self.steps[0] = Some(step);
        self
    }

    /// The other side's last move.
    pub fn last(&self) -> Option<&Step> {
        self.steps[0].as_ref()
    }

    /// The last moves of the side to move, the newest first.
    pub fn own(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().skip(1).step_by(2).map_while(Option::as_ref)
    }
}

/// A game whose moves the full attributes describe.
pub trait Beheld: Positioned {
    /// Its men.
    type Men: Men;
    /// How far its players look. Networks are fitted to what is seen so far and to nothing else,
    /// so this may not change without fitting them again.
    const REACH: Reach;

    /// The men of a position.
    fn men(position: &Self::Position) -> Self::Men;

    /// A legal move of a position as a change of men.
    fn step(position: &Self::Position, m: &Self::Move) -> Step;

    /// Calls `each` for every legal move that captures or promotes, in the order of all moves.
    ///
    /// A game that knows these without finding all moves does better than this.
    fn for_each_capture(position: &Self::Position, mut each: impl FnMut(&Self::Move)) {
        position.for_each_move(|m| {
            let step = Self::step(position, m);
            if step.captured.is_some() || step.promoted.is_some() {
                each(m);
            }
        });
    }

    /// The most that one legal capture or promotion takes, in half pawns.
    fn largest_capture(position: &Self::Position) -> i32 {
        let mut largest = 0;
        Self::for_each_capture(position, |m| {
            largest = largest.max(Self::step(position, m).takes::<Self::Men>());
        });
        largest
    }

    /// Calls `each` for all legal moves that give check, and perhaps for others, in any order.
    fn for_each_check(position: &Self::Position, each: impl FnMut(&Self::Move)) {
        position.for_each_move(each);
    }

    /// Whether `side` could mate at once if it were to move; the other side is not in check.
    ///
    /// A game that need not make the position with the turn passed does better than this.
    fn can_mate(position: &Self::Position, facts: &Facts<Self::Men>, side: Side) -> bool {
        let passed = (position.side_to_move() != side).then(|| Self::passed(position));
        let position = match &passed {
            None => position,
            Some(Some(passed)) => passed,
            Some(None) => return false,
        };
        let king = facts.king[!side];
        let mut mates = false;
        Self::for_each_check(position, |m| {
            if !mates {
                let then = position.after(m);
                let men = Self::men(&then);
                let attackers = men.attackers_to(king, men.occupied()) & men.of_side(side);
                mates = attackers.any() && then.ending() == Some(Ending::Lost);
            }
        });
        mates
    }

    /// Calls `each` with what `player` sees after every legal move, in their order; `after` is
    /// what the men do then.
    fn for_each_seen(
        position: &Self::Position,
        player: Side,
        after: &[Facts<Self::Men>],
        mut each: impl FnMut(&Seen),
    ) {
        let _ = after;
        position.for_each_seen(player, false, |_, seen| each(seen));
    }

    /// The position with the turn passed to the other side, unless the side to move is in check.
    fn passed(position: &Self::Position) -> Option<Self::Position>;

    /// The last moves.
    fn past(&self) -> Past;

    /// How often the position after a legal move has been on the board before, as far as the
    /// game is known.
    fn occurrences_after(&self, m: &Self::Move) -> usize;

    /// How far the game has come: from zero, the start, to [`LAST_PHASE`](super::LAST_PHASE),
    /// an ending with hardly a man left.
    fn phase(&self) -> f32;

    /// For how many plies nothing was taken and no pawn moved, as far as the position tells.
    fn quiet_plies(&self) -> u32;

    /// The attributes that only this game has.
    fn own_attributes() -> Vec<Attribute<Self::Men>>;

    /// The game in a mirror, where that is a game by the same rules: people play both alike.
    fn mirrored(&self) -> Option<Self> {
        None
    }

    /// A move in that mirror.
    fn mirrored_move(m: &Self::Move) -> Self::Move {
        m.clone()
    }

    /// How many numbers this game adds to those of a situation.
    const OWN_SITUATIONS: usize = 0;

    /// Calls `each` with the numbers, less than [`OWN_SITUATIONS`](Self::OWN_SITUATIONS), of what
    /// only this game has and the men on their squares do not tell.
    fn for_each_own_situation(&self, _each: impl FnMut(usize)) {}
}

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BySide<T> {
    first: T,
    second: T,
}

impl<T> BySide<T> {
    /// The value that `of` gives for each side.
    pub fn new_with(mut of: impl FnMut(Side) -> T) -> Self {
        Self { first: of(Side::First), second: of(Side::Second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
