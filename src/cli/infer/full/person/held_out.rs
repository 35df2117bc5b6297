//! Moves of a person that nothing was learnt from, as everybody's network foretells them and as
//! the person's own does.

use std::{path::PathBuf, sync::Arc};

use rayon::prelude::*;

use super::{super::looking::UNKNOWN_AT_CHESS, Fitting};
use crate::{
    attributes::{
        full::{FullModel, Network},
        inference::{Observed, Predicted},
    },
    book::Book,
    chess,
    cli::observed::{Moves, Share},
    engine,
    evaluation::{Estimate, Metrics, Observation, Tally},
    game::Game as _,
};

/// Moves that were held out.
pub struct HeldOut(Moves);

/// Moves that were held out with what was foretold.
pub struct Judged {
    /// The moves.
    pub moves: Moves,
    /// Their predictions by the person's network and books.
    pub own: Vec<Predicted>,
    /// By the person's network and everybody's book alone.
    pub without_book: Vec<Predicted>,
    /// By everybody's network and book, at the person's rating.
    pub everybody: Vec<Predicted>,
}

impl HeldOut {
    /// Reads the moves.
    ///
    /// # Errors
    /// When a file cannot be read, or no move counts.
    pub fn read(fitting: &Fitting<'_, chess::Game>, files: &[PathBuf]) -> anyhow::Result<Self> {
        let task = fitting.task;
        let limit = task.limit.map_or(usize::MAX, |limit| limit as usize);
        let share = Share { limit, every: task.every as usize };
        Ok(Self(Moves::read(files, &task.filter.filter(), share)?))
    }

    /// Foretells the moves, as the engine does at the board.
    pub fn judge(self, everybody: &Network, person: &Network, book: &Book) -> Judged {
        let common = engine::chess_book();
        let (everybody, person) = (Arc::new(everybody.clone()), Arc::new(person.clone()));
        Judged {
            own: self.predict(&person, &[&common, book]),
            without_book: self.predict(&person, &[&common]),
            everybody: self.predict(&everybody, &[&common]),
            moves: self.0,
        }
    }

    fn predict(&self, network: &Arc<Network>, books: &[&Book]) -> Vec<Predicted> {
        let Moves { observed, games, .. } = &self.0;
        let predict = |model: &mut FullModel<_>, observed: &Observed<chess::Game>| {
            let Observed { game, m, record } = observed;
            let rating = games[*record as usize].rating.unwrap_or(UNKNOWN_AT_CHESS);
            model.set_rating(rating);
            let mut probabilities: Vec<f64> =
                model.probabilities(game).iter().map(|&probability| probability.into()).collect();
            let legal = game.legal_moves();
            for book in books {
                book.mix(game, rating, &legal, &mut probabilities);
            }
            let played = legal.iter().position(|other| other == m);
            Predicted { probabilities, played: played.expect("records hold legal moves alone") }
        };
        let model = || FullModel::new(network.clone(), UNKNOWN_AT_CHESS);
        observed.par_iter().map_init(model, predict).collect()
    }
}

impl Judged {
    /// How well the person's network and books foretell the moves.
    pub fn own(&self) -> Option<Metrics> {
        self.metrics(&self.own)
    }

    /// How well some predictions foretell the moves.
    pub fn metrics(&self, predictions: &[Predicted]) -> Option<Metrics> {
        let mut tally = Tally::default();
        for (observed, Predicted { probabilities, played }) in
            self.moves.observed.iter().zip(predictions)
        {
            tally.add(observed.record.into(), &Observation::new(probabilities, *played));
        }
        tally.metrics()
    }

    /// By how many bits a move the first predictions are better than the others, with the standard
    /// error of the difference.
    pub fn gain(&self, predictions: &[Predicted], others: &[Predicted]) -> Option<Estimate> {
        let mut tally = Tally::default();
        let pairs = predictions.iter().zip(others);
        for (observed, (one, other)) in self.moves.observed.iter().zip(pairs) {
            let observation = Observation::new(&one.probabilities, one.played);
            let bits = other.bits() - one.bits();
            tally.add(observed.record.into(), &Observation { bits, ..observation });
        }
        tally.metrics().map(|metrics| metrics.bits)
    }
}
