//! Weights from more games than look-aheads can be kept of: those of the first games are kept and
//! their weights inferred; from there one step over all games leads to the weights that they tell,
//! or a few steps where the first games have led astray.

use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{games::Games, journal::Journal, weights::bar};
use crate::attributes::{
    Weights,
    inference::{Evidence, Fit, Settings},
};

/// How often all games are weighed at most.
const MOST_PASSES: u32 = 4;

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
    let mut passes = MOST_PASSES;
    loop {
        passes -= 1;
        let all = evidence(games, at, kept)?;
        let (weights, standard_errors) = all.step(&at, settings);
        if passes == 0 || is_near(&at, &weights, &first.standard_errors) {
            return Ok(Fit {
                weights,
                standard_errors,
                moves: all.moves,
                bits: all.bits,
                uniform_bits: all.uniform_bits,
                ..first.clone()
            });
        }
        log::info!("the first games lead too far astray: all are weighed again from {weights:?}");
        at = rounded(&weights);
    }
}

/// Whether a step is as short as the errors of the weights that it began with let expect.
fn is_near(at: &Weights, weights: &Weights, errors: &Weights) -> bool {
    const MOST_ERRORS: f64 = 4.0;
    let (at, weights, errors) = (at.to_array(), weights.to_array(), errors.to_array());
    (0..Weights::COUNT).all(|i| (weights[i] - at[i]).abs() <= MOST_ERRORS * errors[i] + 1e-3)
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
