//! Moves that were played, with what the player could see.

use std::sync::Arc;

use rayon::prelude::*;

use crate::{
    attributes::{Positioned, Strategy, Tree, Weights, backup::softmax, tree::Scratch},
    evaluation::{self, Tally},
    game::Game,
};

/// A move of a record.
#[derive(Debug, Clone)]
pub struct Observed<G: Game> {
    /// The game before the move.
    pub game: G,
    /// The move.
    pub m: G::Move,
    /// Which record it is from; standard errors take moves of one record to be alike.
    pub record: u32,
}

/// A move with its look-ahead.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    pub tree: Tree,
    /// The number of the move played among the root's.
    pub played: usize,
    pub record: u32,
}

/// What weights say of a move that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// How likely each legal move is, in the order of
    /// [`legal_moves`](crate::game::Game::legal_moves).
    pub probabilities: Vec<f64>,
    /// The number of the move that was played.
    pub played: usize,
}

impl Predicted {
    /// What the move played costs: `−log2` of its probability.
    pub fn bits(&self) -> f64 {
        -self.probabilities[self.played].max(f64::MIN_POSITIVE).log2()
    }

    /// The number of the likeliest move, the first of those that are.
    pub fn likeliest(&self) -> usize {
        let better = |best: usize, number: usize| {
            if self.probabilities[number] > self.probabilities[best] { number } else { best }
        };
        (0..self.probabilities.len()).fold(0, better)
    }
}

/// Moves that were played, with the look-ahead of one strategy before each.
#[derive(Debug, Clone)]
pub struct Sample {
    strategy: Strategy,
    observations: Vec<Arc<Observation>>,
}

impl Sample {
    /// No moves yet, to be looked at with this strategy.
    pub fn new(strategy: Strategy) -> Self {
        Self { strategy, observations: Vec::new() }
    }

    /// Adds moves; looks ahead on all cores. A move that is not legal is left out.
    pub fn extend<G: Positioned + Sync>(&mut self, observed: &[Observed<G>])
    where
        G::Move: Sync,
    {
        let strategy = self.strategy;
        let observations = observed.par_iter().filter_map(|observed| {
            let played = observed.game.legal_moves().iter().position(|m| *m == observed.m)?;
            let is_drawn = |m: &G::Move| observed.game.is_drawn_after(m);
            let tree = Tree::build(observed.game.position(), strategy.horizon(), is_drawn);
            Some(Arc::new(Observation { tree, played, record: observed.record }))
        });
        self.observations.par_extend(observations);
    }

    /// Adds a move with a look-ahead that was built before, by the strategy of this sample; a move
    /// that is not legal is left out.
    pub fn push<G: Game>(&mut self, observed: &Observed<G>, tree: Tree) {
        let played = observed.game.legal_moves().iter().position(|m| *m == observed.m);
        if let Some(played) = played {
            let observation = Observation { tree, played, record: observed.record };
            self.observations.push(Arc::new(observation));
        }
    }

    /// Adds the moves of another sample, of the same strategy.
    pub fn append(&mut self, mut other: Self) {
        self.observations.append(&mut other.observations);
    }

    /// How far the player is taken to have looked.
    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.observations.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// How many bytes the look-aheads take up.
    pub fn bytes(&self) -> usize {
        self.observations.iter().map(|observation| observation.tree.bytes()).sum()
    }

    /// `Σ log2 m` over the moves, m the number of legal moves: the length of a message that tells
    /// the moves knowing the rules alone.
    pub fn uniform_bits(&self) -> f64 {
        self.observations.iter().map(|observation| (observation.tree.moves() as f64).log2()).sum()
    }

    /// How well these weights predict the moves.
    pub fn tally(&self, weights: &Weights) -> Tally {
        let tallies: Vec<Tally> = self
            .chunks()
            .map(|observations| {
                let (mut tally, mut scratch) = (Tally::default(), Scratch::default());
                for observation in observations {
                    let values = observation.tree.evaluate(weights, &mut scratch);
                    let record = u64::from(observation.record);
                    let prediction =
                        evaluation::Observation::new(&softmax(values), observation.played);
                    tally.add(record, &prediction);
                }
                tally
            })
            .collect();
        let mut all = Tally::default();
        for tally in tallies {
            all.merge(tally);
        }
        all
    }

    /// How likely these weights make each legal move, for all moves in the order in which they were
    /// added.
    pub fn predictions(&self, weights: &Weights) -> Vec<Predicted> {
        let of_chunk = |observations: &[Arc<Observation>]| {
            let mut scratch = Scratch::default();
            let mut predict = |observation: &Arc<Observation>| {
                let values = observation.tree.evaluate(weights, &mut scratch);
                Predicted { probabilities: softmax(values), played: observation.played }
            };
            observations.iter().map(&mut predict).collect::<Vec<_>>()
        };
        let chunks: Vec<_> = self.chunks().map(of_chunk).collect();
        chunks.into_iter().flatten().collect()
    }

    /// The moves of these numbers, counted from zero in the order in which they were added, with
    /// the same look-aheads: they are shared. Numbers that no move has are left out.
    #[must_use]
    pub fn part(&self, numbers: impl IntoIterator<Item = usize>) -> Self {
        let of_number = |number: usize| self.observations.get(number).cloned();
        let observations = numbers.into_iter().filter_map(of_number).collect();
        Self { strategy: self.strategy, observations }
    }

    /// About `count` of the moves at most, from the whole length of the sample; fewer where their
    /// look-aheads would have more than `positions` positions.
    pub(super) fn thinned(&self, count: usize, positions: usize) -> Self {
        let all: usize = self.observations.iter().map(|one| one.tree.positions()).sum();
        let count = count.min((positions * self.len()).checked_div(all).unwrap_or(count));
        let step = self.len().div_ceil(count.max(1)).max(1);
        let observations = self.observations.iter().step_by(step).cloned().collect();
        Self { strategy: self.strategy, observations }
    }

    /// The observations in pieces for all cores. The pieces depend on the sample alone, so that
    /// sums over them are the same on every machine.
    pub(super) fn chunks(&self) -> rayon::slice::Chunks<'_, Arc<Observation>> {
        const PIECES: usize = 256;
        self.observations.par_chunks(self.len().div_ceil(PIECES).max(1))
    }
}
