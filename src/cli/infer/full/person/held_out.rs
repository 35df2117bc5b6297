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
        let without_book = self.mixed(self.predict(person), &common);
        Judged {
            own: self.mixed(without_book.clone(), book),
            without_book,
            everybody: self.mixed(self.predict(everybody), &common),
            moves: self.0,
        }
    }

    /// What a network foretells without a book.
    fn predict(&self, network: &Network) -> Vec<Predicted> {
        let network = Arc::new(network.clone());
        let predict = |model: &mut FullModel<_>, observed: &Observed<chess::Game>| {
            let Observed { game, m, .. } = observed;
            model.set_rating(self.rating(observed));
            let probabilities = model.probabilities(game).iter().map(|&p| p.into()).collect();
            let played = game.legal_moves().iter().position(|other| other == m);
            Predicted { probabilities, played: played.expect("records hold legal moves alone") }
        };
        let model = || FullModel::new(network.clone(), UNKNOWN_AT_CHESS);
        self.0.observed.par_iter().map_init(model, predict).collect()
    }

    /// The same with what a book knows.
    fn mixed(&self, mut predictions: Vec<Predicted>, book: &Book) -> Vec<Predicted> {
        for (observed, Predicted { probabilities, .. }) in
            self.0.observed.iter().zip(&mut predictions)
        {
            let legal = observed.game.legal_moves();
            book.mix(&observed.game, self.rating(observed), &legal, probabilities);
        }
        predictions
    }

    fn rating(&self, observed: &Observed<chess::Game>) -> u16 {
        self.0.games[observed.record as usize].rating.unwrap_or(UNKNOWN_AT_CHESS)
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
