//! What the look-ahead model asks of a game.

use std::fmt::Debug;

use super::ByAttribute;
use crate::game::{Game, Side};

/// How play ends in a position, as far as the position alone says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move has lost.
    Lost,
    /// The game is drawn.
    Drawn,
}

/// What a player sees of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// How play has ended there, if it has; then the rest is of no use.
    pub ending: Option<Ending>,
    /// The attributes there, the player's less the other side's.
    pub attributes: ByAttribute<f32>,
    /// Whether the position is [quiescent](Attributed::is_quiescent).
    pub is_quiescent: bool,
    /// Whether the move is [forcing](Attributed::is_forcing).
    pub is_forcing: bool,
}

/// A position that can be looked at and played on from: all the model asks of a game's rules.
///
/// It is the position of a tree, without the history of the game; cheap to copy.
pub trait Attributed: Clone + Send + Sync {
    /// A legal move.
    type Move: Clone + Send + Sync;

    /// Who is to move.
    fn side_to_move(&self) -> Side;

    /// The attributes, `player`'s less the other side's.
    fn attributes(&self, player: Side) -> ByAttribute<f32>;

    /// Calls `each` once for every legal move.
    fn for_each_move(&self, each: impl FnMut(&Self::Move));

    /// Calls `each` once for every legal move, in the order of
    /// [`for_each_move`](Self::for_each_move), with what `player` sees after it. Whether that is
    /// quiescent and the move forcing is of use only where `farther` is true.
    ///
    /// A game that can look at many moves at once does better than this, which looks at one by
    /// one.
    fn for_each_seen(&self, player: Side, farther: bool, mut each: impl FnMut(&Self::Move, &Seen)) {
        self.for_each_move(|m| each(m, &self.see(player, farther, m)));
    }

    /// What `player` sees after one legal move, as
    /// [`for_each_seen`](Self::for_each_seen) tells it.
    fn see(&self, player: Side, farther: bool, m: &Self::Move) -> Seen {
        let after = self.after(m);
        let ending = after.ending();
        let goes_on = ending.is_none();
        Seen {
            ending,
            attributes: match goes_on {
                true => after.attributes(player),
                false => ByAttribute::default(),
            },
            is_quiescent: goes_on && farther && after.is_quiescent(),
            is_forcing: goes_on && farther && self.is_forcing(m),
        }
    }

    /// The position after a legal move.
    #[must_use]
    fn after(&self, m: &Self::Move) -> Self;

    /// How play has ended here, if it has.
    fn ending(&self) -> Option<Ending>;

    /// Whether nothing forcing can happen: no capture and no promotion is possible, no check can
    /// be given, and the side to move is not in check.
    fn is_quiescent(&self) -> bool;

    /// Whether a legal move is one of those that [`is_quiescent`](Self::is_quiescent) asks about:
    /// a capture, a promotion, a check, or any move out of check.
    fn is_forcing(&self, m: &Self::Move) -> bool;

    /// A number that positions share where they are the same: the same side to move, the same
    /// moves, and all that can follow.
    fn fingerprint(&self) -> u64;
}

/// A game that the look-ahead model can play: it shows its position as the model sees it, and
/// knows what of its past the position does not tell.
pub trait Positioned: Game {
    /// The position without its history.
    type Position: Attributed<Move = Self::Move> + Debug;

    /// The current position.
    fn position(&self) -> &Self::Position;

    /// Whether the game is drawn once this legal move is made, by the rules on repetition and on
    /// counted moves or by the position.
    fn is_drawn_after(&self, m: &Self::Move) -> bool;
}
