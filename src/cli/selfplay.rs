//! `errare selfplay`: games of two look-ahead players, for experiments.

use std::{fmt, io::Write, path::PathBuf, str::FromStr};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{interruption::Interruption, observed::file_name, output::NewFile, threads};
use crate::{
    attributes::{AttributeModel, PEOPLES_STRATEGY, Strategy, WeightsFile, of_rating, play_game},
    chess::{Game, records::write_pgn},
    game::Game as _,
};

/// Games that are played before any of them is written.
const BATCH: u32 = 64;

/// Arguments of `errare selfplay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who plays white: a file of weights, or a rating for people of that strength
    #[arg(long, value_name = "FILE.toml|RATING")]
    white: Who,
    /// Who plays black [default: who plays white]
    #[arg(long, value_name = "FILE.toml|RATING")]
    black: Option<Who>,
    /// How far both look [default: as far as their weights were inferred with]
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// How far white looks
    #[arg(long, value_name = "NAME", conflicts_with = "strategy")]
    white_strategy: Option<Strategy>,
    /// How far black looks
    #[arg(long, value_name = "NAME", conflicts_with = "strategy")]
    black_strategy: Option<Strategy>,
    /// How many games to play
    #[arg(long, default_value_t = 1)]
    games: u32,
    /// The same seed plays the same games, whatever the number of threads
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Break a game off after so many plies
    #[arg(long, default_value_t = 300)]
    plies: usize,
    /// The position to start from; the standard one by default
    #[arg(long)]
    fen: Option<String>,
    /// Where to write the games, standard output by default; .gz and .zst are compressed
    #[arg(long, value_name = "FILE.pgn")]
    output: Option<PathBuf>,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
}

/// A player as the command line names it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Who {
    Rated(u16),
    InFile(PathBuf),
}

impl FromStr for Who {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse().map_or_else(|_| Self::InFile(text.into()), Self::Rated))
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rated(rating) => write!(f, "rated {rating}"),
            Self::InFile(path) => {
                let name = file_name(path);
                f.write_str(name.strip_suffix(".toml").unwrap_or(&name))
            }
        }
    }
}

impl Who {
    fn model(&self, strategy: Option<Strategy>) -> anyhow::Result<AttributeModel> {
        let file = match self {
            Self::Rated(rating) => {
                WeightsFile::new(of_rating(f64::from(*rating)), PEOPLES_STRATEGY)
            }
            Self::InFile(path) => WeightsFile::read(path)
                .with_context(|| format!("reading who plays from {}", path.display()))?,
        };
        Ok(AttributeModel::new(file.weights, strategy.unwrap_or(file.strategy)))
    }
}

/// Games of two players, each of which is a number and comes out the same whenever it is played.
struct Match {
    start: Game,
    white: (String, AttributeModel),
    black: (String, AttributeModel),
    seed: u64,
    plies: usize,
}

impl Match {
    /// Plays the game of this number and writes it down.
    fn game(&self, number: u32) -> String {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number.into());
        let moves = play_game(&self.start, &self.white.1, &self.black.1, self.plies, &mut rng);
        let tags = [
            ("Event", "Self-play of Errare"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &number.to_string()),
            ("White", &self.white.0),
            ("Black", &self.black.0),
        ];
        write_pgn(&tags, &self.start, &moves)
    }
}

/// Plays the games and writes them in the order of their numbers.
///
/// # Errors
/// When weights cannot be read, the FEN cannot be used, the output cannot be written, or the user
/// interrupts; then nothing is left behind.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let games = arguments.prepare()?;
    let mut file = arguments.output.as_deref().map(NewFile::create).transpose()?;
    let bar = ProgressBar::new(arguments.games.into()).with_style(
        ProgressStyle::with_template("{bar:24} {pos} of {len} games  {eta} left")
            .expect("the template is a constant that is shown by hand"),
    );
    let mut next = 1;
    while next <= arguments.games {
        let end = arguments.games.min(next.saturating_add(BATCH - 1));
        let play = |number| {
            // the rest of a batch is skipped where nobody waits for it
            let text = if interruption.is_asked() { String::new() } else { games.game(number) };
            bar.inc(1);
            text
        };
        let texts: Vec<String> = (next..=end).into_par_iter().map(play).collect();
        interruption.check()?;
        for text in texts {
            match &mut file {
                Some(file) => file.write_all(text.as_bytes())?,
                None => out.write_all(text.as_bytes())?,
            }
        }
        next = end + 1;
    }
    bar.finish_and_clear();
    file.map_or(Ok(()), NewFile::finish)
}

impl Args {
    fn prepare(&self) -> anyhow::Result<Match> {
        let player = |who: &Who, own: Option<Strategy>| {
            let model = who.model(own.or(self.strategy))?;
            anyhow::Ok((format!("{who}, {}", model.strategy), model))
        };
        let start = match &self.fen {
            Some(fen) => Game::from_fen(fen).context("--fen")?,
            None => Game::start(),
        };
        Ok(Match {
            start,
            white: player(&self.white, self.white_strategy)?,
            black: player(self.black.as_ref().unwrap_or(&self.white), self.black_strategy)?,
            seed: self.seed,
            plies: self.plies,
        })
    }
}
