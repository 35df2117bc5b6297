//! `errare reproduce`: published results, made again and set beside what was published.

mod games;
mod journal;
mod many;
mod strategies;
mod trials;
mod weights;

use std::{io::Write, path::PathBuf};

use clap::ValueEnum;

use super::threads;
use crate::attributes::{ADVANCED, ONE_PLY, ONE_PLY_DOUBLED, Strategy};
use strategies::{PUBLISHED, Question, Series};
use weights::Recovery;

/// Arguments of `errare reproduce`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose results
    what: Work,
    /// Only these rows of the table, with commas between
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    only: Vec<Row>,
    /// Self-play games that four weights are inferred from; the thesis had five. A move takes about
    /// a tenth of a second of one core, and one of the first five games 4 MiB of memory
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// How often each strategy is to be recovered; the thesis tried it 100 times
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    trials: u32,
    /// The strategies that are played and told apart. min1max4 takes ten times as long as the
    /// others together
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_values_t = PUBLISHED
    )]
    strategies: Vec<Strategy>,
    /// Keep what is finished, trials and games, in this file, and go on from what it holds already:
    /// an interrupted run, called again with the same seed, plies and strategies, makes only what
    /// is missing
    #[arg(long, value_name = "FILE.jsonl")]
    resume: Option<PathBuf>,
    /// The same seed plays the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Break a game off after so many plies
    #[arg(long, default_value_t = 300)]
    plies: usize,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
}

/// A published work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Work {
    /// R. Wallbrink's honours thesis, Monash 2000, after Jansen, Dowe and Farr, PRICAI 2000
    Thesis,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Row {
    /// Two weights from 1000 games of a player who looks one ply ahead
    OnePly,
    /// The strategy of one game, its weights known
    StrategyKnown,
    /// Strategy and weights of two games
    StrategyInferred,
    /// Four weights from games of a player who looks four plies ahead
    Advanced,
}

/// Makes the rows again, each of which is printed as soon as it is there.
///
/// # Errors
/// When the output cannot be written, or finished trials not be kept.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let Work::Thesis = arguments.what;
    threads::use_threads(arguments.threads)?;
    let (seed, plies, kept) = (arguments.seed, arguments.plies, arguments.resume.as_deref());
    writeln!(out, "Self-play with seed {seed}; games end after {plies} plies at the latest.")?;
    for row in Row::value_variants() {
        if !arguments.only.is_empty() && !arguments.only.contains(row) {
            continue;
        }
        writeln!(out)?;
        match row {
            Row::OnePly => {
                const GAMES: u32 = 1000;
                let published = [
                    (ONE_PLY, [Some(5.1182), Some(0.5), None, None]),
                    (ONE_PLY_DOUBLED, [Some(9.9365), Some(1.0), None, None]),
                ];
                for (truth, published) in published {
                    let strategy = Strategy::Min1Max1;
                    Recovery { truth, strategy, games: GAMES, published }
                        .make(seed, plies, kept, out)?;
                }
            }
            Row::Advanced => {
                let published = [Some(6.802), Some(0.199), Some(0.462), Some(2.923)];
                let (truth, strategy) = (ADVANCED, Strategy::Min1Max4);
                let games = arguments.games;
                Recovery { truth, strategy, games, published }.make(seed, plies, kept, out)?;
            }
            Row::StrategyKnown | Row::StrategyInferred => {
                let question = match row {
                    Row::StrategyKnown => Question::StrategyAlone,
                    _ => Question::StrategyAndWeights,
                };
                let strategies = &arguments.strategies;
                let trials = arguments.trials;
                Series { question, strategies, trials, seed, plies, kept }.make(out)?;
            }
        }
    }
    Ok(())
}
