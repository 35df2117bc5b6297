//! A page about a player: what he thinks of what, or does how often, against others of his
//! strength, where he is predictable, and which of his moves were expected most and least.
//!
//! One file of HTML with its drawings inside; it asks for nothing else and opens offline.

mod board;
mod charts;
mod comparison;
mod page;
mod person;
mod telling;

use shakmaty::Color;

use super::observed::Moves;
use crate::{
    attributes::{
        PEOPLES_STRATEGY, Weights,
        inference::{Fit, Sample},
        of_rating,
    },
    chess::Phase,
    evaluation::{Metrics, Observation, Tally},
};
use charts::PhaseBits;
use comparison::Comparison;
pub use person::{Person, html as of_person};
use telling::Telling;

/// What a page is about.
pub struct Subject<'a> {
    /// Who played, in words.
    pub title: String,
    /// The moves that weights were inferred from.
    pub moves: &'a Moves,
    /// Their look-aheads.
    pub sample: &'a Sample,
    /// What was inferred.
    pub fit: &'a Fit,
    /// How well moves that were held out are predicted, if any were.
    pub held_out: Option<&'a Metrics>,
    /// Which moves counted, in words; empty where all did.
    pub filters: String,
}

/// The weights of people of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The mean rating of the player's games.
    pub rating: f64,
    /// The weights of people of that rating.
    pub weights: Weights,
}

/// The page as HTML.
///
/// # Errors
/// When a chart cannot be drawn.
pub fn html(subject: &Subject<'_>) -> anyhow::Result<String> {
    let band = Band::of(subject);
    let comparisons: Vec<Comparison> = (0..Weights::COUNT)
        .filter_map(|weight| Comparison::new(weight, subject.fit, band.as_ref()))
        .collect();
    let predictions = subject.sample.predictions(&subject.fit.weights);
    let mut phases: Vec<(Phase, Tally)> =
        Phase::ALL.into_iter().map(|phase| (phase, Tally::default())).collect();
    for (observed, predicted) in subject.moves.observed.iter().zip(&predictions) {
        let now = Phase::of(crate::attributes::Positioned::position(&observed.game));
        for (_, tally) in phases.iter_mut().filter(|(phase, _)| *phase == now) {
            let observation = Observation::new(&predicted.probabilities, predicted.played);
            tally.add(observed.record.into(), &observation);
        }
    }
    let phases: Vec<PhaseBits> = phases
        .into_iter()
        .filter_map(|(phase, tally)| {
            let metrics = tally.metrics()?;
            let others = metrics.uniform_bits.mean;
            Some(PhaseBits { phase, metrics, others })
        })
        .collect();
    let telling = Telling::new(subject.moves, &predictions);
    Ok(page::write(&page::Parts {
        subject,
        band: band.as_ref(),
        weights_chart: charts::weights(&comparisons)?,
        phases_chart: charts::phases(&phases)?,
        comparisons: &comparisons,
        phases: &phases,
        telling: &telling,
    }))
}

impl Band {
    /// The people to compare the player with: those of the same rating, where it is known and they
    /// are taken to look as far.
    fn of(subject: &Subject<'_>) -> Option<Self> {
        let ratings: Vec<f64> =
            subject.moves.games.iter().filter_map(|game| game.rating).map(f64::from).collect();
        if ratings.is_empty() || subject.fit.strategy != PEOPLES_STRATEGY {
            return None;
        }
        let rating = ratings.iter().sum::<f64>() / ratings.len() as f64;
        Some(Self { rating, weights: of_rating(rating) })
    }
}

/// The word for a color.
fn color_name(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}
