//! What is left of a game, or of a piece of one, when its moves are counted.

use std::ops::Range;

use crate::{
    attributes::full::{Beheld, Eye, View},
    model::Score,
};

/// A score that no loss is larger than, in hundredths of a pawn.
const LARGEST: i32 = 1_000;
/// From what losses on a move is a mistake, and a blunder.
const MISTAKES: [f32; 2] = [100.0, 300.0];
/// Names of the statistics that are no attribute's value.
const OTHERS: [&str; 9] = [
    "loss",
    "deviation of the loss",
    "mistakes",
    "blunders",
    "losses after losses",
    "better moves",
    "moves to choose from",
    "captures after captures",
    "plies",
];

/// What is seen of one move that was played.
#[derive(Debug, Clone, Default)]
struct Glimpse {
    /// The numbers of its attributes' values.
    numbers: Vec<u16>,
    /// What it gives away to the best move, by the value after captures, in hundredths of a pawn.
    loss: f32,
    /// The share of the legal moves that are better by it.
    better: f32,
    /// The logarithm of the number of legal moves.
    choices: f32,
    is_capture: bool,
}

/// The moves of a game as far as statistics need them.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    glimpses: Vec<Glimpse>,
    values: usize,
}

impl Statistics {
    /// How many plies there are.
    pub fn plies(&self) -> usize {
        self.glimpses.len()
    }

    /// The statistics of some plies: how often each attribute had each value, and the other ones.
    /// As many numbers for any plies of the same game of either kind; all are zero for none.
    pub fn of(&self, plies: Range<usize>) -> Vec<f32> {
        let glimpses = &self.glimpses[plies];
        let mut all = vec![0.0; self.values + OTHERS.len()];
        if glimpses.is_empty() {
            return all;
        }
        let share = 1.0 / glimpses.len() as f32;
        for glimpse in glimpses {
            glimpse.numbers.iter().for_each(|&number| all[usize::from(number)] += share);
        }
        let mean = |of: &dyn Fn(&Glimpse) -> f32| share * glimpses.iter().map(of).sum::<f32>();
        let flag = |is: bool| f32::from(u8::from(is));
        let loss = mean(&|glimpse| glimpse.loss);
        let deviation = mean(&|glimpse| (glimpse.loss - loss).powi(2)).sqrt();
        // the last move of the same player was two plies before
        let after = |is: &dyn Fn(&Glimpse) -> bool, back: usize| {
            let both = glimpses.windows(back + 1).filter(|plies| is(&plies[0]) && is(&plies[back]));
            share * both.count() as f32
        };
        let others = [
            loss,
            deviation,
            mean(&|glimpse| flag(glimpse.loss >= MISTAKES[0])),
            mean(&|glimpse| flag(glimpse.loss >= MISTAKES[1])),
            after(&|glimpse| glimpse.loss >= MISTAKES[0], 2),
            mean(&|glimpse| glimpse.better),
            mean(&|glimpse| glimpse.choices),
            after(&|glimpse| glimpse.is_capture, 1),
            glimpses.len() as f32,
        ];
        all[self.values..].copy_from_slice(&others);
        all
    }
}

/// One who watches games.
#[derive(Debug)]
pub struct Watcher<G: Beheld> {
    eye: Eye<G>,
    view: View<G::Move>,
}

impl<G: Beheld> Watcher<G> {
    /// One who has seen no game yet.
    pub fn new() -> Self {
        Self { eye: Eye::new(G::REACH), view: View::default() }
    }

    /// The name of each statistic, such as `captured=3`.
    pub fn names(&self) -> Vec<String> {
        let values = self.eye.catalog().values();
        let names = (0..values).map(|number| self.eye.catalog().name(number));
        names.chain(OTHERS.map(str::to_owned)).collect()
    }

    /// Watches a game of legal moves.
    pub fn watch(&mut self, start: &G, moves: &[G::Move]) -> Statistics {
        let mut game = start.clone();
        let mut glimpses = Vec::with_capacity(moves.len());
        for m in moves {
            self.eye.look(&game, &mut self.view);
            if let Some(place) = self.view.moves.iter().position(|other| other == m) {
                let is_capture = G::step(game.position(), m).captured.is_some();
                glimpses.push(Glimpse { is_capture, ..glimpse(&self.view, place) });
            }
            game.play(m);
        }
        Statistics { glimpses, values: self.eye.catalog().values() }
    }
}

impl<G: Beheld> Default for Watcher<G> {
    fn default() -> Self {
        Self::new()
    }
}

fn glimpse<M>(view: &View<M>, place: usize) -> Glimpse {
    let value = |score: &Score| match *score {
        Score::Centipawns(value) => value.clamp(-LARGEST, LARGEST),
        Score::Mate(_) => LARGEST,
        Score::Mated(_) => -LARGEST,
    };
    let values: Vec<i32> = view.scores.iter().map(value).collect();
    let own = values[place];
    let best = values.iter().copied().max().unwrap_or(own);
    let better = values.iter().filter(|&&other| other > own).count();
    Glimpse {
        numbers: view.numbers(place).to_vec(),
        loss: (best - own).min(LARGEST) as f32,
        better: better as f32 / values.len() as f32,
        choices: (values.len() as f32).ln(),
        is_capture: false,
    }
}
