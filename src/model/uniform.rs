//! Whoever knows nothing: every legal move is as likely as every other.

use super::{Candidate, Effort, Model, Prediction, Score};
use crate::game::Game;

/// A model of whoever knows nothing but the rules; the measure of what other models know.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl<G: Game> Model<G> for Uniform {
    fn predict(
        &mut self,
        game: &G,
        _effort: Effort,
        _interrupted: &dyn Fn() -> bool,
        _progress: &mut dyn FnMut(&Prediction<G::Move>),
    ) -> Prediction<G::Move> {
        let candidates: Vec<_> = game
            .legal_moves()
            .into_iter()
            .map(|m| Candidate { probability: 1.0, score: Score::EVEN, line: vec![m.clone()], m })
            .collect();
        let nodes = candidates.len() as u64;
        Prediction::new(candidates, 1, nodes)
    }
}
