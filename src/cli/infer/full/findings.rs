//! What came of a fit of the full attributes, as tables for people and as one object for programs.

use std::fmt;

use serde::Serialize;

use crate::{
    attributes::full::{Catalog, Habit, Men},
    cli::table::Table,
    evaluation::Metrics,
};

/// How many habits are told of each kind.
const TOLD: usize = 12;

/// What came of a fit.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// Moves learnt from.
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    /// The same moves predicted for anybody of the person's rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_average: Option<HeldOut>,
    /// What the person does more, and less, often than others of the rating.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_often: Vec<Told>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    less_often: Vec<Told>,
}

/// How well moves that were held out are predicted.
#[derive(Debug, Clone, Copy, Serialize)]
struct HeldOut {
    n: usize,
    bits: f64,
    bits_se: f64,
    top1: f64,
    top1_se: f64,
}

/// A habit by the name of its attribute.
#[derive(Debug, Serialize)]
struct Told {
    value: String,
    played: u32,
    expected: f32,
    deviations: f32,
}

impl Findings {
    /// What came of a fit to so many moves.
    pub fn new(moves: usize, measured: Option<Metrics>) -> Self {
        Self {
            moves,
            held_out: measured.as_ref().map(HeldOut::new),
            held_out_average: None,
            more_often: Vec::new(),
            less_often: Vec::new(),
        }
    }

    /// Adds what is to be said of one person: how well others of the rating predict the same
    /// moves, and what the person does otherwise.
    pub fn of_person<M: Men>(
        &mut self,
        average: Option<Metrics>,
        habits: &[Habit],
        catalog: &Catalog<M>,
    ) {
        self.held_out_average = average.as_ref().map(HeldOut::new);
        let tell = |is_more: bool| {
            let kind = habits.iter().filter(move |habit| (habit.deviations > 0.0) == is_more);
            kind.take(TOLD)
                .map(|habit| Told {
                    value: catalog.name(habit.number.into()),
                    played: habit.played,
                    expected: habit.expected,
                    deviations: habit.deviations,
                })
                .collect()
        };
        self.more_often = tell(true);
        self.less_often = tell(false);
    }
}

impl HeldOut {
    fn new(metrics: &Metrics) -> Self {
        Self {
            n: metrics.plies,
            bits: metrics.bits.mean,
            bits_se: metrics.bits.standard_error,
            top1: metrics.top_1().mean,
            top1_se: metrics.top_1().standard_error,
        }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} moves learnt from", self.moves)?;
        let mut table = Table::new(["held out", "moves", "bits/move", "top-1"]);
        for (name, held_out) in
            [("what was inferred", self.held_out), ("anybody of the rating", self.held_out_average)]
        {
            if let Some(held_out) = held_out {
                table.push([
                    name.to_owned(),
                    held_out.n.to_string(),
                    format!("{:.3} ± {:.3}", held_out.bits, held_out.bits_se),
                    format!("{:.2} ± {:.2} %", 100.0 * held_out.top1, 100.0 * held_out.top1_se),
                ]);
            }
        }
        if self.held_out.is_some() {
            write!(f, "\n{table}")?;
        }
        for (title, told) in [("more often", &self.more_often), ("less often", &self.less_often)] {
            if told.is_empty() {
                continue;
            }
            let mut table = Table::new([title, "played", "expected", "deviations"]);
            for Told { value, played, expected, deviations } in told {
                table.push([
                    value.clone(),
                    played.to_string(),
                    format!("{expected:.1}"),
                    format!("{deviations:+.1}"),
                ]);
            }
            write!(f, "\n{table}")?;
        }
        Ok(())
    }
}
