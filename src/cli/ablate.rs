//! `errare ablate`: what each idea of the paper is worth, measured by leaving it out.
//!
//! The counterpart of the paper's Table III. Each variant is a training run of its own, resumable
//! like any other, with exactly as many updates as the whole method has, of about as many moves
//! each; all are validated on the same moves.

use std::{io::Write, ops::ControlFlow, path::PathBuf};

use anyhow::{bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::{
    interruption::Interruption,
    published,
    table::Table,
    threads,
    train::{Data, DataArgs, PlanArgs, Progress},
};
use crate::{
    evaluation::{Estimate, Metrics},
    xqsv::{
        Dataset, Keep, Parameters, Plan, Recurrence, Selection, Structure, TrainingData, train,
    },
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
    /// Learns from everybody and is told the ratings: RAT
    Rating,
    /// Sees the board, by a residual network in place of the recurrent layer
    Board,
    /// Sees all moves of a game
    PerfectMemory,
    /// Remembers moves and sees the board and its men's safety: SEE
    Sight,
    /// Remembers moves and sees what a person would in each legal one, with all of the loss over
    /// these: LAH
    LookAhead,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::NoPartition => "no Elo partition",
            Self::Rating => "no Elo partition, RAT",
            Self::Board => "2D input (ResNet)",
            Self::PerfectMemory => "perfect memory",
            Self::Sight => "SEE",
            Self::LookAhead => "LAH",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::NoPartition => "no-partition",
            Self::Rating => "rating",
            Self::Board => "board",
            Self::PerfectMemory => "perfect-memory",
            Self::Sight => "sight",
            Self::LookAhead => "look-ahead",
        }
    }

    /// The column of the paper's Table III.
    fn column(self) -> Option<usize> {
        match self {
            Self::Whole => Some(published::WHOLE),
            Self::NoPartition => Some(published::NO_PARTITION),
            Self::Board => Some(published::BOARD),
            Self::PerfectMemory => Some(published::PERFECT_MEMORY),
            Self::Rating | Self::Sight | Self::LookAhead => None,
        }
    }

    /// The structure in which it differs.
    fn structure(self, structure: Structure, perfect_memory: usize) -> Structure {
        match self {
            Self::Whole | Self::NoPartition => structure,
            Self::Rating => Structure { rating: true, ..structure },
            Self::Board => Structure { recurrence: Recurrence::ResNet, ..structure },
            Self::PerfectMemory => Structure { memory: perfect_memory, ..structure },
            Self::Sight => Structure { sight: true, ..structure },
            Self::LookAhead => Structure { ahead: true, ..structure },
        }
    }
}

/// A line of the table.
#[derive(Debug, Serialize)]
struct Row {
    variant: &'static str,
    /// How many updates were made.
    updates: u64,
    /// How many moves were learnt from in all, each as often as it was seen.
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
    let sees = |variant: &Variant| variant.structure(plan.structure, 1).sees_board();
    let looks = arguments.variants.contains(&Variant::LookAhead);
    let men = arguments.variants.iter().any(sees);
    let keep = Keep { men, legal: looks || plan.needs().legal };
    let data = arguments.data.read(keep, &interruption)?;
    eprintln!("{}", data.in_words());
    let mut rows = Vec::new();
    for &variant in &arguments.variants {
        let (plan, selection) = prepare(arguments, variant, &plan, &data);
        let data = TrainingData { selection: &selection, ..data.training() };
        let start = start.as_ref().filter(|_| variant != Variant::Board);
        let (moves, metrics) = learn(arguments, variant, &plan, start, &data, &interruption)?;
        let updates = plan.updates.unwrap_or_default();
        let new = |name, column: Option<usize>| {
            let paper = column.and_then(|column| paper(arguments, column));
            Row::new(name, [updates as usize, moves], &metrics, paper)
        };
        rows.push(new(variant.name(), variant.column()));
        if variant == Variant::Whole {
            rows.extend(new("no filter", Some(published::NO_FILTER)).without_filter(&metrics));
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
    let whole = plan
        .updates
        .unwrap_or_else(|| u64::from(plan.epochs) * plan.steps_of_an_epoch(&training) as u64);
    let mut plan = plan.clone();
    let mut selection = training.selection.clone();
    if matches!(variant, Variant::NoPartition | Variant::Rating) {
        selection = Selection { ratings: None, both: false, ..selection };
    }
    let longest = |dataset: &Dataset| {
        (0..dataset.games() as u32).map(|game| dataset.game(game).len()).max().unwrap_or(0)
    };
    let longest = longest(training.train).max(longest(training.valid));
    let perfect_memory = arguments.perfect_memory.unwrap_or(longest);
    plan.structure = variant.structure(plan.structure, perfect_memory);
    if variant == Variant::LookAhead {
        plan.legal_share = 1.0;
    }
    if variant == Variant::PerfectMemory && perfect_memory >= longest {
        // each game is read once, and all its moves are predicted on the way; an update is of as
        // many games as have the moves of an update of the whole method
        let windows = plan.steps_of_an_epoch(&training) * plan.batch;
        let moves_of_an_update = data.train_moves * plan.batch / windows.max(1);
        plan.targets = longest;
        let all = Plan { batch: 1, ..plan.clone() };
        let moves_of_a_game = data.train_moves / all.steps_of_an_epoch(&training);
        plan.batch = (moves_of_an_update / moves_of_a_game.max(1)).max(2);
    }
    // as many updates, whatever share of an epoch or how many epochs they are
    let training = TrainingData { selection: &selection, ..training };
    plan.updates = Some(whole);
    plan.epochs = whole.div_ceil(plan.steps_of_an_epoch(&training) as u64) as u32;
    (plan, selection)
}

/// How many moves a variant has learnt from, and how well it predicts after its best epoch.
fn learn(
    arguments: &Args,
    variant: Variant,
    plan: &Plan,
    start: Option<&Parameters>,
    data: &TrainingData,
    interruption: &Interruption,
) -> anyhow::Result<(usize, Metrics)> {
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
    let moves = trained.moves;
    let validated = trained.epochs.into_iter().filter_map(|epoch| epoch.valid);
    match validated.min_by(|a, b| a.bits.mean.total_cmp(&b.bits.mean)) {
        Some(metrics) => Ok((moves, metrics)),
        None => bail!("variants are compared on held-out games, wanted --valid or --hold-out"),
    }
}

/// A figure of the paper for the range, as a share.
fn paper(arguments: &Args, column: usize) -> Option<f64> {
    published::top_1(arguments.data.range.0.as_ref()?.start, column)
}

impl Row {
    fn new(
        variant: &'static str,
        [updates, moves_seen]: [usize; 2],
        metrics: &Metrics,
        paper_top1: Option<f64>,
    ) -> Self {
        let top_1 = metrics.top_1();
        Self {
            variant,
            updates: updates as u64,
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
    fn without_filter(self, metrics: &Metrics) -> Option<Self> {
        let Estimate { mean, standard_error } = metrics.unfiltered_top_1?;
        Some(Self { top1: mean, top1_se: standard_error, bits: None, bits_se: None, ..self })
    }
}

fn table(rows: &[Row]) -> Table {
    let titles = ["variant", "updates", "moves seen", "games", "n", "bits", "top-1"];
    let mut table = Table::new(titles.into_iter().chain(["the paper's top-1"]));
    for row in rows {
        let bits = row.bits.zip(row.bits_se);
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        table.push([
            row.variant.to_owned(),
            row.updates.to_string(),
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
