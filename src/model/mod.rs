//! A model of a person: how likely someone is to play each legal move of a position.
//!
//! A [`Model`] only says what is likely. Drawing a move, the temperature, the top-p cut and the
//! restriction to some moves are the same for every model and live in [`Prediction`].

mod prediction;
mod score;

pub use prediction::{Candidate, Prediction};
pub use score::Score;

use crate::game::Game;

/// How much a model may do for one prediction. A model that does not look ahead ignores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Look no further ahead than this many plies.
    pub max_plies: Option<u32>,
    /// Visit no more positions than this. At least one ply is always looked at.
    pub max_nodes: Option<u64>,
}

/// A model of a person who plays the game `G`.
pub trait Model<G: Game>: Send {
    /// How likely this person is to play each legal move of `game`.
    ///
    /// The prediction lists every legal move once, with probabilities that sum to one, and is
    /// empty exactly when there is no legal move. Models that look ahead call `progress` with
    /// each finished prediction but the last, from shallow to deep.
    ///
    /// `interrupted` is asked often, at the latest every few milliseconds; once it says `true`,
    /// the model returns what it has, and it always has at least its shallowest prediction.
    fn predict(
        &mut self,
        game: &G,
        effort: Effort,
        interrupted: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(&Prediction<G::Move>),
    ) -> Prediction<G::Move>;
}
