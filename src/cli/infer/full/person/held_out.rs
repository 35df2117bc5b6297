//! Moves of a person that nothing was learnt from, as everybody's network foretells them and as
//! the person's own does.

use std::path::PathBuf;

use anyhow::ensure;

use super::{Fitting, read};
use crate::{
    attributes::{
        full::{Basis, Network, Samples, Scratch},
        inference::Predicted,
    },
    book::Book,
    chess,
    cli::observed::{Moves, Share},
    engine,
    evaluation::{Estimate, Metrics, Observation, Tally},
    game::Game as _,
};

/// Moves that were held out, and what was seen in them, in the same order.
pub struct HeldOut {
    moves: Moves,
    samples: Samples,
}

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
    /// Reads the moves, and looks at them; the run keeps what it saw under this name.
    ///
    /// # Errors
    /// When a file cannot be read, no move counts, or the user interrupts.
    pub fn read(
        fitting: &Fitting<'_, chess::Game>,
        name: &str,
        files: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let task = fitting.task;
        let samples = read(&fitting.store(name, files)?)?;
        let limit = task.limit.map_or(usize::MAX, |limit| limit as usize);
        let share = Share { limit, every: task.every as usize };
        let moves = Moves::read(files, &task.filter.filter(), share)?;
        ensure!(
            moves.observed.len() == samples.len(),
            "{} moves were read and {} looked at, wanted the same; the files have changed",
            moves.observed.len(),
            samples.len()
        );
        Ok(Self { moves, samples })
    }

    /// Foretells the moves.
    pub fn judge(self, everybody: &Network, person: &Network, book: &Book) -> Judged {
        let common = engine::chess_book();
        Judged {
            own: self.predict(person, &[&common, book]),
            without_book: self.predict(person, &[&common]),
            everybody: self.predict(everybody, &[&common]),
            moves: self.moves,
        }
    }

    fn predict(&self, network: &Network, books: &[&Book]) -> Vec<Predicted> {
        let mut scratch = Scratch::default();
        let observed = self.moves.observed.iter().zip(self.samples.iter());
        observed
            .map(|(observed, sample)| {
                let numbers: Vec<&[u16]> = sample.each_move().collect();
                let basis = Basis::of(&sample.circumstances);
                network.predict(basis, sample.situation, &numbers, &mut scratch);
                let mut probabilities: Vec<f64> =
                    scratch.probabilities.iter().map(|&probability| probability.into()).collect();
                let legal = observed.game.legal_moves();
                let rating = sample.circumstances.rating;
                for book in books {
                    book.mix(&observed.game, rating, &legal, &mut probabilities);
                }
                Predicted { probabilities, played: sample.chosen }
            })
            .collect()
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
