//! Why a move is likely: what memory, sight and look-ahead each have to do with it.
//!
//! What the model `errare` knows of a move comes in three [parts](Part). Each is switched off by
//! taking its numbers out of what the network is told (and the book away, for memory), which gives
//! the model's prediction for each of the eight sets of parts; with none of them every legal move
//! is equally likely. A part's share is its Shapley value: by how much the probability grows when
//! the part joins, averaged over the six orders in which the three can join (L. Shapley, *A Value
//! for n-Person Games*, 1953). The shares and the probability by chance sum to the probability.
//!
//! The network has not learnt to do without a part, so that a share says how much the model leans
//! on the part and not how well one could do without it.
//!
//! A single attribute speaks for a move by as much as the odds of the move fall when the attribute
//! is taken from that move alone, with the book closed. These do not sum to anything: attributes
//! work together.

mod parts;
mod reasons;

pub use parts::{ByPart, Part};
pub use reasons::Reason;

use std::sync::Arc;

use crate::{
    attributes::full::{
        Basis, Beheld, Catalog, Circumstances, Eye, Men, Network, Scratch, View, places_in_mirror,
    },
    book::{Book, Entry, Indexed, Key},
};
use parts::{SETS, Sets};
use reasons::reasons;

/// Why each legal move of a position is as likely as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation<M> {
    /// The moves, likeliest first.
    pub moves: Vec<Explained<M>>,
    /// How likely each would be by chance.
    pub by_chance: f64,
}

/// Why a move is as likely as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained<M> {
    /// The move.
    pub m: M,
    /// How likely it is.
    pub probability: f64,
    /// What each part adds to the probability by chance.
    pub shares: ByPart,
    /// What each part adds to the logarithm of the probability, in bits.
    pub bits: ByPart,
    /// The attributes that speak for it and against it, those that say most first.
    pub reasons: Vec<Reason>,
}

/// One who explains moves of a game: a network and, where there is one, a book.
pub struct Explainer<G: Beheld + Indexed> {
    network: Arc<Network>,
    book: Option<Arc<Book>>,
    eye: Eye<G>,
    view: View<G::Move>,
    scratch: Scratch,
}

/// A position and a person, as the network is told of them.
struct Told<'a> {
    network: &'a Network,
    basis: Basis,
    situation: &'a [u16],
    /// What the book says of each move, where it knows the position.
    counted: Option<(f64, Vec<f64>)>,
}

impl Told<'_> {
    /// How likely each move is with these numbers, without the book.
    fn predict(&self, situation: &[u16], moves: &[&[u16]], scratch: &mut Scratch) -> Vec<f64> {
        self.network.predict(self.basis, situation, moves, scratch);
        scratch.probabilities.iter().map(|&probability| probability.into()).collect()
    }

    /// How likely each move of a view is with each set of parts, without the book.
    fn predict_sets<M: Men, Move>(
        &self,
        catalog: &Catalog<M>,
        view: &View<Move>,
        scratch: &mut Scratch,
    ) -> [Vec<f64>; SETS] {
        let sets = Sets::new(catalog, view);
        std::array::from_fn(|set| {
            let kept = sets.kept(set);
            let moves: Vec<&[u16]> = kept.moves.iter().map(Vec::as_slice).collect();
            self.predict(&kept.situation, &moves, scratch)
        })
    }

    /// Mixes what is known by heart into how likely each move is.
    fn mix_by_heart(&self, probabilities: &mut [f64]) {
        if let Some((prior, counted)) = &self.counted {
            let all = prior + counted.iter().sum::<f64>();
            for (probability, counted) in probabilities.iter_mut().zip(counted) {
                *probability = (prior * *probability + counted) / all;
            }
        }
    }
}

impl<G: Beheld + Indexed> Explainer<G> {
    /// One who explains what a network predicts, and a book where there is one. The network must
    /// have been made for the game.
    pub fn new(network: Arc<Network>, book: Option<Arc<Book>>) -> Self {
        let eye = Eye::new(G::REACH);
        Self { network, book, eye, view: View::default(), scratch: Scratch::default() }
    }

    /// Why people of a rating play each legal move of the current position, with reasons for the
    /// likeliest few; empty where there is no legal move.
    pub fn explain(&mut self, game: &G, rating: u16, few: usize) -> Explanation<G::Move> {
        let Self { network, book, eye, view, scratch } = self;
        eye.look(game, view);
        let count = view.moves.len();
        let circumstances = Circumstances { rating, other_rating: rating, phase: view.phase };
        let counted = book.as_ref().and_then(|book| {
            let entry: Entry = game.entry(Key::Position, &view.moves);
            Some((book.card.prior, book.weighted(Key::Position, &entry, rating)?))
        });
        let basis = Basis::of(&circumstances);
        let told = Told { network, basis, situation: &view.situation, counted };
        let mut predictions = told.predict_sets(eye.catalog(), view, scratch);
        if let Some(mirrored) = game.mirrored() {
            // the model asks both and takes the mean
            let mut there = View::default();
            eye.look(&mirrored, &mut there);
            let predictions_there = told.predict_sets(eye.catalog(), &there, scratch);
            let places = places_in_mirror::<G>(&view.moves, &there.moves);
            for (here, there_all) in predictions.iter_mut().zip(&predictions_there) {
                for (probability, &place) in here.iter_mut().zip(&places) {
                    let other = place.map_or(*probability, |place| there_all[place]);
                    *probability = 0.5 * (*probability + other);
                }
            }
        }
        for set in (0..SETS).filter(|&set| Part::Memory.is_in(set)) {
            told.mix_by_heart(&mut predictions[set]);
        }
        let mut order: Vec<usize> = (0..count).collect();
        let all = &predictions[SETS - 1];
        order.sort_by(|&a, &b| all[b].total_cmp(&all[a]));
        let moves = order
            .into_iter()
            .enumerate()
            .map(|(rank, place)| {
                let of = |set: usize| predictions[set][place];
                Explained {
                    m: view.moves[place].clone(),
                    probability: of(SETS - 1),
                    shares: ByPart::shapley(of),
                    bits: ByPart::shapley(|set| of(set).max(f64::MIN_POSITIVE).log2()),
                    reasons: match rank < few {
                        true => reasons(&told, eye.catalog(), view, place, scratch),
                        false => Vec::new(),
                    },
                }
            })
            .collect();
        Explanation { moves, by_chance: 1.0 / count.max(1) as f64 }
    }
}

#[cfg(test)]
mod tests;
