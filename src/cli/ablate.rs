//! `errare ablate`: what each idea of the paper is worth, measured by leaving it out.
//!
//! The counterpart of the paper's Table III. Each variant is a training run of its own, resumable
//! like any other, with about as many updates as the whole method has; all are validated on the
//! same moves.

use std::{io::Write, ops::ControlFlow, path::PathBuf};

use anyhow::{bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::{
    interruption::Interruption,
    table::Table,
    threads,
    train::{Data, DataArgs, PlanArgs, Progress},
};
use crate::{
    evaluation::{Estimate, Metrics},
    xqsv::{Parameters, Plan, Selection, Structure, TrainingData, train},
};

/// After how many steps a run is kept.
const SAVE_EVERY: usize = 500;

/// Arguments of `errare ablate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the runs are kept, one folder each. The same command goes on with what was interrupted
    folder: PathBuf,
    /// Which variants to train; what is not trained is not in the table
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Variant::value_variants().to_vec())]
    variants: Vec<Variant>,
    /// How many moves a perfect memory holds [default: those of the longest game]
    #[arg(long, value_name = "MOVES")]
    perfect_memory: Option<usize>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    plan: PlanArgs,
}

/// A net that is trained for the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// The whole method; it tells what no filter costs as well
    Whole,
    /// Learns from everybody, not from the range alone
    NoPartition,
    /// Sees all moves of a game
    PerfectMemory,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::NoPartition => "no Elo partition",
            Self::PerfectMemory => "perfect memory",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::NoPartition => "no-partition",
            Self::PerfectMemory => "perfect-memory",
        }
    }
}

/// A line of the table.
#[derive(Debug, Serialize)]
struct Row {
    variant: &'static str,
    /// How many moves were learnt, each as often as it was seen.
    moves_seen: usize,
    n: usize,
    games: usize,
    top1: f64,
    top1_se: f64,
    /// Nothing is told of these without the filter.
    bits: Option<f64>,
    bits_se: Option<f64>,
    /// The paper's top-1 for the same range, as a share.
    paper_top1: Option<f64>,
}

/// The paper's Table III, top-1 in per cent by the lower end of the range: the whole method, no
/// Elo partition, 2D input, perfect memory, no filter. One net without partition was tested on the
/// first range alone.
const PAPER: [(u16, [Option<f64>; 5]); 6] = [
    (1_200, [Some(39.74), Some(18.42), Some(33.18), Some(24.52), Some(24.43)]),
    (1_300, [Some(39.71), None, Some(33.83), Some(27.56), Some(25.64)]),
    (1_400, [Some(40.52), None, Some(34.64), Some(32.65), Some(23.94)]),
    (1_500, [Some(42.38), None, Some(35.68), Some(34.27), Some(24.50)]),
    (1_600, [Some(42.42), None, Some(37.11), Some(36.47), Some(25.28)]),
    (1_700, [Some(44.63), None, Some(35.58), Some(33.23), Some(23.58)]),
];
const WHOLE: usize = 0;
const NO_PARTITION: usize = 1;
const PERFECT_MEMORY: usize = 3;
const NO_FILTER: usize = 4;

/// Trains the variants and prints how well each predicts the moves of the range.
///
/// # Errors
/// When no range is named, files cannot be read or written, or the user interrupts it; what was
/// done by then is kept.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    ensure!(
        arguments.data.range.0.is_some(),
        "all ratings have no partition to leave out, wanted --range 1200 or another"
    );
    let (plan, start) = arguments.plan.plan()?;
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let data = arguments.data.read(&interruption)?;
    eprintln!("{}", data.in_words());
    let mut rows = Vec::new();
    for &variant in &arguments.variants {
        let (plan, selection) = prepare(arguments, variant, &plan, &data);
        let metrics = learn(
            arguments,
            variant,
            &plan,
            start.as_ref(),
            &TrainingData { selection: &selection, ..data.training() },
            &interruption,
        )?;
        let moves = data.training().train.select(&selection).len();
        let moves_seen = moves * plan.epochs as usize;
        let paper = |column| paper(arguments, column);
        match variant {
            Variant::Whole => {
                rows.push(Row::new(variant.name(), moves_seen, &metrics, paper(WHOLE)));
                rows.extend(Row::without_filter(moves_seen, &metrics, paper(NO_FILTER)));
            }
            Variant::NoPartition => {
                rows.push(Row::new(variant.name(), moves_seen, &metrics, paper(NO_PARTITION)));
            }
            Variant::PerfectMemory => {
                rows.push(Row::new(variant.name(), moves_seen, &metrics, paper(PERFECT_MEMORY)));
            }
        }
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::json!({ "rows": rows }))?;
    } else {
        write!(out, "{}", table(&rows))?;
    }
    Ok(())
}

/// How a variant is trained, and on which moves.
fn prepare(arguments: &Args, variant: Variant, plan: &Plan, data: &Data) -> (Plan, Selection) {
    let training = data.training();
    let mut plan = plan.clone();
    let mut selection = training.selection.clone();
    match variant {
        Variant::Whole => {}
        Variant::NoPartition => {
            selection = Selection { ratings: None, both: false, ..selection };
            // as many updates as the range alone has, to the nearest epoch
            let everybodys = training.train.select(&selection).len();
            let epochs = f64::from(plan.epochs) * data.train_moves as f64 / everybodys as f64;
            plan.epochs = (epochs.round() as u32).max(1);
        }
        Variant::PerfectMemory => {
            let longest = |dataset: &crate::xqsv::Dataset| {
                (0..dataset.games() as u32).map(|game| dataset.game(game).len()).max().unwrap_or(0)
            };
            let longest = longest(training.train).max(longest(training.valid));
            let memory = arguments.perfect_memory.unwrap_or(longest);
            plan.structure = Structure { memory, ..plan.structure };
        }
    }
    (plan, selection)
}

/// How well a variant predicts after its best epoch.
fn learn(
    arguments: &Args,
    variant: Variant,
    plan: &Plan,
    start: Option<&Parameters>,
    data: &TrainingData,
    interruption: &Interruption,
) -> anyhow::Result<Metrics> {
    let folder = arguments.folder.join(variant.folder());
    let mut progress = Progress::new(plan.epochs).of(variant.name());
    let trained = train(plan, start, data, Some(&folder), Some(SAVE_EVERY), &mut |said| {
        progress.show(said);
        match interruption.is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    progress.finish();
    if !trained.is_finished {
        bail!("stopped in {}; the same command goes on from there", variant.name());
    }
    let validated = trained.epochs.into_iter().filter_map(|epoch| epoch.valid);
    match validated.min_by(|a, b| a.bits.mean.total_cmp(&b.bits.mean)) {
        Some(metrics) => Ok(metrics),
        None => bail!("variants are compared on held-out games, wanted --valid or --hold-out"),
    }
}

/// A figure of the paper for the range, as a share.
fn paper(arguments: &Args, column: usize) -> Option<f64> {
    let range = arguments.data.range.0.as_ref()?;
    let (_, figures) = PAPER.iter().find(|(low, _)| *low == range.start)?;
    figures[column].map(|percent| percent / 100.0)
}

impl Row {
    fn new(
        variant: &'static str,
        moves_seen: usize,
        metrics: &Metrics,
        paper_top1: Option<f64>,
    ) -> Self {
        let top_1 = metrics.top_1();
        Self {
            variant,
            moves_seen,
            n: metrics.plies,
            games: metrics.games,
            top1: top_1.mean,
            top1_se: top_1.standard_error,
            bits: Some(metrics.bits.mean),
            bits_se: Some(metrics.bits.standard_error),
            paper_top1,
        }
    }

    /// The same net without the filter.
    fn without_filter(moves_seen: usize, metrics: &Metrics, paper: Option<f64>) -> Option<Self> {
        let Estimate { mean, standard_error } = metrics.unfiltered_top_1?;
        let row = Self::new("no filter", moves_seen, metrics, paper);
        Some(Self { top1: mean, top1_se: standard_error, bits: None, bits_se: None, ..row })
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table =
        Table::new(["variant", "moves seen", "games", "n", "bits", "top-1", "the paper's top-1"]);
    for row in rows {
        let bits = row.bits.zip(row.bits_se);
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        table.push([
            row.variant.to_owned(),
            row.moves_seen.to_string(),
            row.games.to_string(),
            row.n.to_string(),
            bits.map_or(String::new(), |(bits, error)| format!("{bits:.3} ± {error:.3}")),
            format!("{} ± {} %", percent(row.top1), percent(row.top1_se)),
            row.paper_top1.map_or(String::new(), |share| format!("{} %", percent(share))),
        ]);
    }
    table
}
