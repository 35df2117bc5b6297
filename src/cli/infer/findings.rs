//! What was found, as tables for people and as one object for programs.

use std::fmt;

use serde::Serialize;

use super::{fitting::Inferred, splitting::Split};
use crate::{
    attributes::{Strategy, Weights, inference::Fit},
    chess::Phase,
    cli::table::Table,
    evaluation::Metrics,
};

/// What was found.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// Which moves counted, in words; empty where all did.
    filters: String,
    /// Games and moves that were inferred from.
    games: usize,
    moves: usize,
    /// Games that could not be read.
    broken: u64,
    /// Games and moves that were predicted with what was inferred.
    held_out_games: usize,
    held_out_moves: usize,
    /// The shortest message first.
    strategies: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phases: Option<Phases>,
}

/// A strategy and the weights under it.
#[derive(Debug, Serialize)]
struct Row {
    strategy: Strategy,
    /// Weights and moves, by MML87.
    message_bits: f64,
    moves: usize,
    bits: f64,
    uniform_bits: f64,
    /// The moves' bits in parts of the uniform ones.
    compression: f64,
    weights: Weights,
    standard_errors: Weights,
    has_converged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
}

/// How well moves that were held out are predicted; bits are means of a move.
#[derive(Debug, Serialize)]
struct HeldOut {
    bits: f64,
    bits_se: f64,
    uniform_bits: f64,
    compression: f64,
    top1: f64,
    top1_se: f64,
    top3: f64,
    top3_se: f64,
}

/// Opening, middlegame and ending inferred apart.
#[derive(Debug, Serialize)]
struct Phases {
    /// All the messages together.
    message_bits: f64,
    /// By how much they are shorter than the message that knows no phases; negative where longer.
    bits_saved: f64,
    rows: Vec<OfPhase>,
}

/// What was inferred from the moves of one phase.
#[derive(Debug, Serialize)]
struct OfPhase {
    phase: &'static str,
    #[serde(flatten)]
    row: Row,
}

impl Findings {
    /// Gathers what was found; the shortest message comes first in `inferred`.
    pub fn new(
        split: &Split,
        filters: String,
        inferred: &[Inferred],
        phases: Option<Vec<(Phase, Fit)>>,
    ) -> Self {
        let strategies: Vec<Row> =
            inferred.iter().map(|one| Row::new(&one.fit, one.held_out.as_ref())).collect();
        let shortest = strategies.first().map_or(0.0, |best| best.message_bits);
        Self {
            filters,
            games: split.inferred.games.len(),
            moves: split.inferred.observed.len(),
            broken: split.inferred.broken + split.held_out.broken,
            held_out_games: split.held_out.games.len(),
            held_out_moves: split.held_out.observed.len(),
            strategies,
            phases: phases.map(|phases| Phases::new(&phases, shortest)),
        }
    }
}

impl Row {
    fn new(fit: &Fit, held_out: Option<&Metrics>) -> Self {
        let moves = fit.moves as f64;
        Self {
            strategy: fit.strategy,
            message_bits: fit.message_bits,
            moves: fit.moves,
            bits: fit.bits_per_move(),
            uniform_bits: fit.uniform_bits / moves,
            compression: fit.compression(),
            weights: fit.weights,
            standard_errors: fit.standard_errors,
            has_converged: fit.has_converged,
            held_out: held_out.map(|metrics| HeldOut {
                bits: metrics.bits.mean,
                bits_se: metrics.bits.standard_error,
                uniform_bits: metrics.uniform_bits.mean,
                compression: metrics.compression(),
                top1: metrics.top_1().mean,
                top1_se: metrics.top_1().standard_error,
                top3: metrics.top_k[2].mean,
                top3_se: metrics.top_k[2].standard_error,
            }),
        }
    }

    /// Each weight with its standard error, in their order.
    fn weights_in_words(&self) -> impl Iterator<Item = String> {
        let (weights, errors) = (self.weights.to_array(), self.standard_errors.to_array());
        weights.into_iter().zip(errors).map(|(weight, error)| match error {
            0.0 => "held".to_owned(),
            _ => format!("{weight:.3} ± {error:.3}"),
        })
    }
}

impl Phases {
    fn new(phases: &[(Phase, Fit)], shortest: f64) -> Self {
        let message_bits = phases.iter().map(|(_, fit)| fit.message_bits).sum();
        let rows = phases
            .iter()
            .map(|(phase, fit)| OfPhase { phase: phase.name(), row: Row::new(fit, None) })
            .collect();
        Self { message_bits, bits_saved: shortest - message_bits, rows }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves of {} games", self.moves, self.games)?;
        if self.held_out_moves > 0 {
            write!(f, "; {} moves of {} games held out", self.held_out_moves, self.held_out_games)?;
        }
        if self.broken > 0 {
            write!(f, "; {} broken games left out", self.broken)?;
        }
        write!(f, "\n\n{}", self.ranking())?;
        if let Some(best) = self.strategies.first() {
            let mut table = Table::new([&format!("under {}", best.strategy), "weight"]);
            for (name, weight) in Weights::NAMES.into_iter().zip(best.weights_in_words()) {
                table.push([name.to_owned(), weight]);
            }
            write!(f, "\n{table}")?;
        }
        match &self.phases {
            Some(phases) => write!(f, "\n{phases}"),
            None => Ok(()),
        }
    }
}

impl Findings {
    fn ranking(&self) -> Table {
        let mut titles = vec!["strategy", "message", "bits/move", "Comp"];
        if self.held_out_moves > 0 {
            titles.extend(["held-out bits", "Comp", "top-1", "top-3"]);
        }
        let mut table = Table::new(titles);
        for row in &self.strategies {
            let mut cells = vec![
                row.strategy.to_string(),
                format!("{:.1} bits", row.message_bits),
                format!("{:.3}", row.bits),
                percent(row.compression),
            ];
            if let Some(held_out) = &row.held_out {
                cells.extend([
                    with_error(held_out.bits, held_out.bits_se, 3),
                    percent(held_out.compression),
                    with_error(100.0 * held_out.top1, 100.0 * held_out.top1_se, 1) + " %",
                    with_error(100.0 * held_out.top3, 100.0 * held_out.top3_se, 1) + " %",
                ]);
            }
            table.push(cells);
        }
        table
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut titles = vec!["phase", "moves", "bits/move", "Comp"];
        titles.extend(Weights::NAMES);
        let mut table = Table::new(titles);
        for OfPhase { phase, row } in &self.rows {
            let cells = [
                (*phase).to_owned(),
                row.moves.to_string(),
                format!("{:.3}", row.bits),
                percent(row.compression),
            ];
            table.push(cells.into_iter().chain(row.weights_in_words()));
        }
        let (all, by) = (self.message_bits, self.bits_saved.abs());
        let than = if self.bits_saved > 0.0 { "shorter" } else { "longer" };
        write!(
            f,
            "{table}\nThe phases told apart make {all:.1} bits, {by:.1} bits {than} than without.\n"
        )
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A mean with its standard error, where there is one.
fn with_error(mean: f64, error: f64, digits: usize) -> String {
    match error.is_nan() {
        true => format!("{mean:.digits$}"),
        false => format!("{mean:.digits$} ± {error:.digits$}"),
    }
}
