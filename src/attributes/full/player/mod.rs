//! The network as a model of a person at the board.

use std::sync::Arc;

use super::{Basis, Beheld, Circumstances, Eye, Network, Reach, Scratch, View};
use crate::{
    game::Game,
    model::{Candidate, Effort, Model, Prediction, Score},
};

/// A person who weighs the full set of attributes.
#[derive(Debug)]
pub struct FullModel<G: Beheld> {
    eye: Eye<G>,
    view: View<G::Move>,
    network: Arc<Network>,
    rating: u16,
    scratch: Scratch,
    mirror: Mirror<G::Move>,
}

/// The same game in a mirror.
#[derive(Debug)]
struct Mirror<M> {
    view: View<M>,
    scratch: Scratch,
}

impl<G: Beheld> FullModel<G> {
    /// A person of this rating who decides as the network says. It must have been made for the
    /// game; see [`Network::load`].
    pub fn new(network: Arc<Network>, rating: u16) -> Self {
        Self {
            eye: Eye::new(G::REACH),
            view: View::default(),
            network,
            rating,
            scratch: Scratch::default(),
            mirror: Mirror { view: View::default(), scratch: Scratch::default() },
        }
    }

    /// Makes it a person of this rating.
    pub fn set_rating(&mut self, rating: u16) {
        self.rating = rating;
    }

    /// How likely each legal move of the game is, in the order of the game's moves. Where the game
    /// has a mirror, the mean of what is likely here and there: people play both alike, which a
    /// network has only learnt more or less.
    pub fn probabilities(&mut self, game: &G) -> &[f32] {
        self.eye.look(game, &mut self.view);
        predict(&self.network, self.rating, &self.view, &mut self.scratch);
        if let Some(mirrored) = game.mirrored() {
            let Mirror { view, scratch } = &mut self.mirror;
            self.eye.look(&mirrored, view);
            predict(&self.network, self.rating, view, scratch);
            let places = places_in_mirror::<G>(&self.view.moves, &view.moves);
            for (probability, place) in self.scratch.probabilities.iter_mut().zip(places) {
                let there = place.map_or(*probability, |place| scratch.probabilities[place]);
                *probability = 0.5 * (*probability + there);
            }
        }
        &self.scratch.probabilities
    }
}

/// Where each move stands, mirrored, among the moves of the mirrored game.
pub fn places_in_mirror<G: Beheld>(moves: &[G::Move], there: &[G::Move]) -> Vec<Option<usize>> {
    let place = |m| {
        let mirrored = G::mirrored_move(m);
        there.iter().position(|other| *other == mirrored)
    };
    moves.iter().map(place).collect()
}

fn predict<M>(network: &Network, rating: u16, view: &View<M>, scratch: &mut Scratch) {
    let circumstances = Circumstances { rating, other_rating: rating, phase: view.phase };
    let moves: Vec<&[u16]> = (0..view.moves.len()).map(|place| view.numbers(place)).collect();
    network.predict(Basis::of(&circumstances), &view.situation, &moves, scratch);
}

impl<G: Beheld> Model<G> for FullModel<G> {
    /// Always looks as far as the network was made for: a person does not stop halfway, and it
    /// takes about a millisecond.
    fn predict(
        &mut self,
        game: &G,
        _: Effort,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(&Prediction<<G as Game>::Move>),
    ) -> Prediction<<G as Game>::Move> {
        let before = self.eye.nodes();
        self.probabilities(game);
        let moves = self.view.moves.iter().zip(&self.view.scores);
        let candidates = moves
            .zip(&self.scratch.probabilities)
            .map(|((m, &score), &probability)| Candidate {
                m: m.clone(),
                probability: f64::from(probability),
                score: held(score),
                line: vec![m.clone()],
            })
            .collect();
        let plies = match G::REACH {
            Reach::Captures => 1,
            Reach::Replies => 2,
        };
        Prediction::new(candidates, plies, self.eye.nodes() - before)
    }
}

/// The largest score that is no mate, in hundredths of a pawn.
const LARGEST_SCORE: i32 = 9_999;

fn held(score: Score) -> Score {
    match score {
        Score::Centipawns(value) => Score::Centipawns(value.clamp(-LARGEST_SCORE, LARGEST_SCORE)),
        mate => mate,
    }
}

#[cfg(test)]
mod tests;
