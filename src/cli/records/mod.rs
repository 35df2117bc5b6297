//! `errare records`: what files of xiangqi games hold, and the same games in another format.

mod converting;
mod summary;

use std::{io::Write, path::PathBuf};

use super::games;
use converting::{Converter, Target};
use summary::Summary;

/// Arguments of `errare records`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games in any format, plain, .gz or .zst; `-` is standard input. The two files of a
    /// Kaggle pair are read together
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// Write the games in this format instead of saying what they are
    #[arg(long, value_name = "FORMAT")]
    to: Option<Target>,
    /// Where to write them, standard output by default; .gz and .zst are compressed. For Kaggle the
    /// file of games, with the moves beside it in NAME-moves.csv
    #[arg(long, requires = "to", value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads the games and says what they are, or writes them in another format. Games that cannot be
/// read are named on standard error.
///
/// # Errors
/// When a file cannot be read at all or has no games, or the output cannot be written.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let complain = |error: String| eprintln!("{error}");
    if let Some(target) = arguments.to {
        let mut converter = Converter::new(target, arguments.output.as_deref(), out)?;
        let count =
            games::for_each_xiangqi(&arguments.files, complain, |record| converter.write(&record))?;
        converter.finish()?;
        eprintln!("{} games written, {} rejected", count.games, count.rejects);
        return Ok(());
    }
    let mut summary = Summary::default();
    let count = games::for_each_xiangqi(&arguments.files, complain, |record| {
        summary.add(&record);
        Ok(())
    })?;
    summary.rejects = count.rejects;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&summary)?)?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(())
}
