//! `errare evaluate`: how well models predict what people played, for both games.

mod beside;
mod chess;
mod cross_table;
mod report;
mod subject;
mod xiangqi;

use std::{io::Write, path::PathBuf};

use anyhow::bail;

use super::{games, interruption::Interruption, ratings::Ratings, threads};
use crate::{
    attributes::Strategy,
    engine::{ModelKind, Variant},
    evaluation::ByRange,
};
use report::{Form, Report};
pub use subject::name;

/// Arguments of `errare evaluate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games: PGN of chess, or xiangqi in any format, plain, .gz or .zst; `-` is standard
    /// input
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// The game; told by what the files hold, but for standard input
    #[arg(long)]
    game: Option<Variant>,
    /// Which model of a person: errare, lookahead, or memory for xiangqi. By default what is named
    /// by --weights and --net, or errare, which plays the game
    #[arg(long)]
    model: Option<ModelKind>,
    /// Weights of the look-ahead, several to be compared on the same moves; without any, those that
    /// ship, each move by those of its player's rating
    #[arg(long, num_args = 1.., value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// How far the look-ahead looks, whatever its weights were inferred with
    #[arg(long)]
    strategy: Option<Strategy>,
    /// Nets, or folders of nets, to be compared on the same moves
    #[arg(long, num_args = 1.., value_name = "FILE|FOLDER")]
    net: Vec<PathBuf>,
    /// Only moves of players rated 1200 to 1299 for 1200, or 1200..1500, or all
    #[arg(long, default_value_t)]
    range: Ratings,
    /// Leave out the first plies of each game
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    after_ply: u32,
    /// Predict no more moves than this
    #[arg(long, value_name = "MOVES")]
    limit: Option<usize>,
    /// Leave out what errare knows by heart of openings
    #[arg(long)]
    no_book: bool,
    /// Predict only one of so many moves, to spread few moves over many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Judge every position as a FEN without the moves before it
    #[arg(long)]
    no_history: bool,
    /// Say also what nets predict before illegal moves are removed
    #[arg(long)]
    no_filter: bool,
    /// Draw every model's top-1 on every range into this SVG file, with the numbers in a CSV file
    /// beside it
    #[arg(long, value_name = "FILE.svg")]
    cross_table: Option<PathBuf>,
    /// Print in place of all else the counterparts of the XQSV paper's Tables II and IV, with the
    /// paper's figures beside them
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    beside_paper: bool,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON object instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
}

/// What was measured: each model with its counts.
type Measured = Vec<(String, ByRange)>;

/// Predicts the moves of the games with each model and prints how well.
///
/// # Errors
/// When a file cannot be read, no move is left to predict, the models do not play the game, or
/// the user interrupts.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.no_history && !arguments.net.is_empty() {
        bail!("--no-history goes with --model and --weights, wanted no --net: nets remember");
    }
    let variant = games::variant(&arguments.records, arguments.game)?;
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let measured = match variant {
        Variant::Chess => chess::measure(arguments, &interruption)?,
        Variant::Xiangqi => xiangqi::measure(arguments, &interruption)?,
    };
    if measured.iter().all(|(_, counts)| counts.all().is_none()) {
        bail!(
            "no move of the range {} after ply {} is in {}, wanted one at least",
            arguments.range,
            arguments.after_ply,
            games::names(&arguments.records)
        );
    }
    if let Some(file) = &arguments.cross_table {
        cross_table::write(file, &measured)?;
    }
    if arguments.beside_paper {
        return beside::write(&measured, out);
    }
    let form = match (arguments.json, arguments.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv,
        _ => Form::Table,
    };
    Report::new(&measured, arguments.no_filter).write(form, out)
}
