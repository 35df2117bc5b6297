//! Weights from more games than look-aheads can be kept of.
//!
//! The weights of the first games, whose look-aheads are kept, are a start. From there every game
//! that is played leaves its gradient and information alone, and a step of Fisher scoring leads on:
//! over four times as many games each time, and over all until the step is short.

use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{games::Games, journal::Journal, weights::bar};
use crate::attributes::{
    Weights,
    inference::{Evidence, Fit, Settings},
};

/// Games of the first step, and how many times as many there are in each next one.
const FIRST_STAGE: u32 = 20;
const GROWTH: u32 = 4;
/// How often all games are weighed at most.
const MOST_PASSES: u32 = 4;
/// How far steps lead from the weights of the first games, in their standard errors.
const MOST_ERRORS: f64 = 4.0;
/// The last step is at most this long, in standard errors. What it leaves is some hundredths of it:
/// over many games the information is nearly the curvature.
const SHORT: f64 = 2.0;

/// Which games a game is one of, and the weights that it is seen from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Setup {
    seed: u64,
    plies: usize,
    truth: Weights,
    at: Weights,
}

/// What the moves of a game say.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OfGame {
    #[serde(flatten)]
    setup: Setup,
    game: u32,
    evidence: Evidence,
}

/// What all of `games` say: a fit as good as one to their moves. `first` is the fit to the first of
/// them. Finished games are kept in the file, if one is named, and those that it holds not played
/// again.
///
/// # Errors
/// When the file cannot be read, or not be written.
pub fn fit(
    games: Games,
    first: &Fit,
    settings: &Settings,
    kept: Option<&Path>,
) -> anyhow::Result<Fit> {
    let mut at = rounded(&first.weights);
    let mut count = FIRST_STAGE.min(games.count);
    let mut passes = MOST_PASSES;
    loop {
        let all = evidence(Games { count, ..games }, at, kept)?;
        let (weights, standard_errors) = all.step(&at, settings);
        let weights = within(&weights, first);
        if count == games.count {
            passes -= 1;
            if passes == 0 || is_near(&at, &weights, &standard_errors) {
                return Ok(Fit {
                    weights,
                    standard_errors,
                    moves: all.moves,
                    bits: all.bits,
                    uniform_bits: all.uniform_bits,
                    ..first.clone()
                });
            }
        }
        at = rounded(&weights);
        count = games.count.min(count * GROWTH);
    }
}

/// The weights that are nearest to these and no farther from the first ones than those err. Where
/// the moves hardly bound a weight, as those without a missed mate do, a step may lead anywhere.
fn within(weights: &Weights, first: &Fit) -> Weights {
    let (weights, centers) = (weights.to_array(), first.weights.to_array());
    let errors = first.standard_errors.to_array();
    Weights::from_array(std::array::from_fn(|i| {
        let most = MOST_ERRORS * errors[i];
        weights[i].clamp(centers[i] - most, centers[i] + most)
    }))
}

/// Whether a step is short.
fn is_near(at: &Weights, weights: &Weights, errors: &Weights) -> bool {
    let (at, weights, errors) = (at.to_array(), weights.to_array(), errors.to_array());
    (0..Weights::COUNT).all(|i| (weights[i] - at[i]).abs() <= SHORT * errors[i] + 1e-3)
}

/// What all games say, as seen from `at`.
fn evidence(games: Games, at: Weights, kept: Option<&Path>) -> anyhow::Result<Evidence> {
    let Games { seed, plies, player, .. } = games;
    let setup = Setup { seed, plies, truth: player.weights, at };
    let (mut journal, mut finished) = Journal::open::<OfGame>(kept)?;
    finished.retain(|game| game.setup == setup && game.game < games.count);
    let is_missing = |number: &u32| !finished.iter().any(|game| game.game == *number);
    let missing: Vec<u32> = (0..games.count).filter(is_missing).collect();
    let bar = bar(games.count.into(), "games played and weighed");
    bar.set_position(finished.len() as u64);
    for piece in missing.chunks(rayon::current_num_threads()) {
        let weigh = |&game: &u32| {
            let evidence = games.evidence(game, &at);
            bar.inc(1);
            OfGame { setup: setup.clone(), game, evidence }
        };
        let played: Vec<OfGame> = piece.par_iter().map(weigh).collect();
        for game in played {
            journal.add(&game)?;
            finished.push(game);
        }
    }
    bar.finish_and_clear();
    // sums do not depend on the order in which games were finished
    finished.sort_by_key(|game| game.game);
    let mut all = Evidence::default();
    finished.iter().for_each(|game| all.merge(&game.evidence));
    Ok(all)
}

/// Weights to a thousandth, so that the same are found again whatever the rounding of sums.
fn rounded(weights: &Weights) -> Weights {
    Weights::from_array(weights.to_array().map(|weight| (weight * 1000.0).round() / 1000.0))
}
