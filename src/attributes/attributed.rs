//! What the look-ahead model asks of a game.

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
    type Position: Attributed<Move = Self::Move>;

    /// The current position.
    fn position(&self) -> &Self::Position;

    /// Whether the game is drawn once this legal move is made, by the rules on repetition and on
    /// counted moves or by the position.
    fn is_drawn_after(&self, m: &Self::Move) -> bool;
}
