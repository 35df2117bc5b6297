//! What came of a fit of the full attributes, as tables for people and as one object for programs.

use std::fmt;

use serde::Serialize;

use super::person::{Judged, Told};
use crate::{cli::table::Table, evaluation::Metrics};

/// How many habits are told of each kind.
const TOLD: usize = 12;
/// How many standard deviations from what is expected they are at least.
const TELLING: f32 = 2.0;

/// What came of a fit.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// Moves learnt from.
    moves: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    /// The same moves predicted without what the person knows by heart.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_without_book: Option<HeldOut>,
    /// The same moves predicted for anybody of the person's rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out_average: Option<HeldOut>,
    /// By how many bits a move the first is better than the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain_se: Option<f64>,
    /// What the person does more, and less, often than others of the rating.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_often: Vec<Habit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    less_often: Vec<Habit>,
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

/// Something that a person does, and how often.
#[derive(Debug, Serialize)]
struct Habit {
    does: String,
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
            held_out_without_book: None,
            held_out_average: None,
            gain: None,
            gain_se: None,
            more_often: Vec::new(),
            less_often: Vec::new(),
        }
    }

    /// Adds what is to be said of one person: how well others of the rating predict the same
    /// moves, and what the person does otherwise.
    pub fn of_person(&mut self, judged: Option<&Judged>, told: &[Told]) {
        if let Some(judged) = judged {
            let measure = |predictions| judged.metrics(predictions).as_ref().map(HeldOut::new);
            self.held_out_without_book = measure(&judged.without_book);
            self.held_out_average = measure(&judged.everybody);
            let gain = judged.gain(&judged.own, &judged.everybody);
            self.gain = gain.as_ref().map(|gain| gain.mean);
            self.gain_se = gain.map(|gain| gain.standard_error);
        }
        let tell = |is_more: bool| {
            let kind = told.iter().filter(move |told| {
                let deviations = told.deviations();
                deviations.abs() >= TELLING && (deviations > 0.0) == is_more
            });
            kind.take(TOLD)
                .map(|told| Habit {
                    does: told.text.clone(),
                    played: told.played,
                    expected: told.expected,
                    deviations: told.deviations(),
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
        for (name, held_out) in [
            ("what was inferred", self.held_out),
            ("without the own book", self.held_out_without_book),
            ("anybody of the rating", self.held_out_average),
        ] {
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
        if let (Some(gain), Some(error)) = (self.gain, self.gain_se) {
            writeln!(f, "\n{gain:.3} ± {error:.3} bits a move better than for anybody")?;
        }
        for (title, told) in [("more often", &self.more_often), ("less often", &self.less_often)] {
            if told.is_empty() {
                continue;
            }
            let mut table = Table::new([title, "played", "expected", "deviations"]);
            for Habit { does, played, expected, deviations } in told {
                table.push([
                    does.clone(),
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
