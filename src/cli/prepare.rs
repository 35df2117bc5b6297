//! `errare prepare`: records as one compact file that training maps into memory.

use std::{fs, path::PathBuf, time::Instant};

use anyhow::Context;

use super::{
    date,
    interruption::Interruption,
    threads,
    train::{Games, GamesArgs},
};
use crate::xqsv::{Keep, Prepared, PreparedCard, with_ending};

/// Arguments of `errare prepare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write the set, as SET.games and its card SET.toml
    #[arg(id = "prepared", value_name = "SET", requires = "train")]
    output: PathBuf,
    #[command(flatten)]
    games: GamesArgs,
    /// Keep the men on the board as well, which networks with SEE=yes need
    #[arg(long)]
    men: bool,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
}

/// Prepares a set.
///
/// # Errors
/// When files cannot be read or written, or the user interrupts.
pub fn run(arguments: &Args) -> anyhow::Result<()> {
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let began = Instant::now();
    let keep = Keep { legal: true, men: arguments.men };
    let Games { train, valid, rejects, .. } = arguments.games.read([keep; 2], &interruption)?;
    let card = PreparedCard {
        data: arguments.games.in_words(),
        date: date::today(),
        games: train.games(),
        plies: train.plies(),
        valid_games: valid.games(),
        valid_plies: valid.plies(),
        rejects,
        legal: keep.legal,
        men: keep.men,
        vocabulary: String::new(),
        hashes: [String::new(), String::new()],
    };
    let output = &arguments.output;
    if let Some(folder) = output.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    let mut set = Prepared { card, train, valid };
    set.save(output)?;
    let PreparedCard { games, plies, valid_games, valid_plies, .. } = set.card;
    let seconds = began.elapsed().as_secs_f64();
    eprintln!(
        "{plies} moves of {games} games to learn, {valid_plies} of {valid_games} to validate on, \
         {rejects} games rejected; {} in {seconds:.1} s, {:.0} moves/s",
        with_ending(output, "games").display(),
        (plies + valid_plies) as f64 / seconds
    );
    Ok(())
}
