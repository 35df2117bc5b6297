//! Looking up what was played, and mixing it with what a model says.

use super::{Card, Entry, Indexed, Key, middle_of};
use crate::model::{Candidate, Prediction};

/// How many bits of a position's number are kept.
pub(super) const KEY_BITS: u32 = 40;

/// The number under which a book keeps what a key takes for the same.
pub(super) fn number(key: Key, position: u64) -> u64 {
    // no setup shall have the number of a position
    let turned = match key {
        Key::Setup => position.rotate_left(KEY_BITS),
        Key::Position => position,
    };
    turned >> (u64::BITS - KEY_BITS)
}

/// How often a move was played by players of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Count {
    /// The move.
    pub m: u16,
    /// The class of the players.
    pub class: u8,
    /// How often.
    pub times: u32,
}

/// Positions near the start with the moves that people played in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// What is known of it.
    pub card: Card,
    /// The positions, in order.
    keys: Vec<u64>,
    /// Where the counts of each position begin, and at the end how many there are.
    starts: Vec<u32>,
    counts: Vec<Count>,
}

impl Book {
    /// A book with no position in it.
    pub(super) fn new(card: Card) -> Self {
        Self { card, keys: Vec::new(), starts: vec![0], counts: Vec::new() }
    }

    /// Adds a position, whose key must be larger than any before.
    pub(super) fn push(&mut self, key: u64, counts: impl IntoIterator<Item = Count>) {
        self.keys.push(key);
        self.counts.extend(counts);
        self.starts.push(self.counts.len() as u32);
    }

    /// The positions in order, each with its counts.
    pub(super) fn positions(&self) -> impl Iterator<Item = (u64, &[Count])> {
        self.keys.iter().enumerate().map(|(place, &key)| (key, self.counts_at(place)))
    }

    fn counts_at(&self, place: usize) -> &[Count] {
        &self.counts[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How often each move of an entry by this key was played, counts of other ratings weighing
    /// less; `None` where it is not in the book.
    pub fn weighted(&self, key: Key, entry: &Entry, rating: u16) -> Option<Vec<f64>> {
        let place = self.keys.binary_search(&number(key, entry.position)).ok()?;
        let mut weighted = vec![0.0; entry.moves.len()];
        for count in self.counts_at(place) {
            if let Some(m) = entry.moves.iter().position(|&m| m == count.m) {
                weighted[m] += self.weight(count.class, rating) * f64::from(count.times);
            }
        }
        Some(weighted)
    }

    /// What a count of players of a class weighs for one of this rating.
    fn weight(&self, class: u8, rating: u16) -> f64 {
        match middle_of(class) {
            None => self.card.unrated,
            Some(middle) => (-(middle - f64::from(rating)).abs() / self.card.reach).exp(),
        }
    }

    /// What a player of this rating plays who knows the book, and where it does not know more
    /// does what a model predicts: what is counted by each key outweighs what came before it.
    #[must_use]
    pub fn mixed<G: Indexed>(
        &self,
        game: &G,
        rating: u16,
        prediction: Prediction<G::Move>,
    ) -> Prediction<G::Move> {
        let candidates = prediction.candidates();
        let moves: Vec<G::Move> = candidates.iter().map(|candidate| candidate.m.clone()).collect();
        let mut probabilities: Vec<f64> =
            candidates.iter().map(|candidate| candidate.probability).collect();
        if !self.mix(game, rating, &moves, &mut probabilities) {
            return prediction;
        }
        let candidates = candidates.iter().zip(probabilities);
        let candidates = candidates
            .map(|(candidate, probability)| Candidate { probability, ..candidate.clone() })
            .collect();
        Prediction::new(candidates, prediction.depth, prediction.nodes)
    }

    /// The same for probabilities of all legal moves; says whether the book knows anything.
    pub fn mix<G: Indexed>(
        &self,
        game: &G,
        rating: u16,
        moves: &[G::Move],
        probabilities: &mut [f64],
    ) -> bool {
        let mut knows = false;
        for (key, prior) in self.card.priors() {
            let Some(weighted) = self.weighted(key, &game.entry(key, moves), rating) else {
                continue;
            };
            knows = true;
            let all = prior + weighted.iter().sum::<f64>();
            for (probability, weighted) in probabilities.iter_mut().zip(weighted) {
                *probability = (prior * *probability + weighted) / all;
            }
        }
        knows
    }
}
