//! `errare book`: how often people play each move near the start, counted in their games.

use std::{
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};

use super::{date, games, interruption::Interruption, observed::file_name, output};
use crate::{
    book::{Book, Card, Counting},
    chess::{self, records::Filter},
    engine::Variant,
    game::Game as _,
    xiangqi,
};

/// Arguments of `errare book`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of games: PGN or a table of chess, or xiangqi in any format, plain, .gz or .zst
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Where to write the book: a card FILE.toml, and beside it the counts FILE.book
    #[arg(long, value_name = "FILE.toml")]
    output: PathBuf,
    /// The game; told by what the files hold, but for standard input
    #[arg(long)]
    game: Option<Variant>,
    /// How many plies of each game to count
    #[arg(long, default_value_t = 30)]
    plies: u32,
    /// Leave out positions that were seen more seldom
    #[arg(long, default_value_t = 3)]
    least: u32,
    /// How many moves a model's prediction counts for
    #[arg(long, default_value_t = 8.0, value_parser = positive)]
    prior: f64,
    /// The distance of ratings at which a count weighs 1/e of what it weighs at the same rating
    #[arg(long, default_value_t = 200.0, value_parser = positive)]
    reach: f64,
    /// What a count of players without a rating weighs
    #[arg(long, default_value_t = 0.003, value_parser = positive)]
    unrated: f64,
    /// What the card says of the games [default: the names of the files]
    #[arg(long, value_name = "TEXT")]
    data: Option<String>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("got `{text}`, wanted a number above zero"))
}

/// Counts the moves of the games and writes the book.
///
/// # Errors
/// When a file cannot be read, no position was seen often enough, the book cannot be written, or
/// the user interrupts.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.output.extension().is_none_or(|ending| ending != "toml") {
        bail!("--output got {}, wanted a name in .toml", arguments.output.display());
    }
    let interruption = Interruption::listen()?;
    let bar = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} counting: {pos} games")
            .expect("the template is a constant that is shown by hand"),
    );
    let counted = Counted { arguments, bar, interruption };
    let book = match games::variant(&arguments.records, arguments.game)? {
        Variant::Chess => counted.chess()?,
        Variant::Xiangqi => counted.xiangqi()?,
    };
    if book.is_empty() {
        bail!(
            "no position of {} games was seen {} times, wanted more games or less --least",
            book.card.games,
            arguments.least
        );
    }
    let (card, counts) = book.to_files()?;
    output::write(&arguments.output.with_extension("book"), &counts)?;
    output::write(&arguments.output, card.as_bytes())?;
    let kilobytes = counts.len().div_ceil(1_000);
    writeln!(
        out,
        "{} positions of {} games in {kilobytes} kB",
        book.card.positions, book.card.games
    )?;
    Ok(())
}

/// Games that are being counted.
struct Counted<'a> {
    arguments: &'a Args,
    bar: ProgressBar,
    interruption: Interruption,
}

impl Counted<'_> {
    fn chess(&self) -> anyhow::Result<Book> {
        let mut counting = Counting::default();
        let mut games = 0;
        let filter = Filter { end_ply: Some(self.arguments.plies as usize), ..Filter::default() };
        let complain = |error: String| self.complain(&error);
        let count = games::for_each_chess(&self.arguments.records, &filter, complain, |record| {
            games += 1;
            record.for_each_counted(|game, m, color| {
                counting.count(game, m, *record.ratings.get(color));
            });
            self.tick(games)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(self.finish(
            counting,
            Card::new::<chess::Game>("chess", &self.data(), &date::today()),
            games,
            count.rejects,
        ))
    }

    fn xiangqi(&self) -> anyhow::Result<Book> {
        let mut counting = Counting::default();
        let mut games = 0;
        let complain = |error: String| self.complain(&error);
        let count = games::for_each_xiangqi(&self.arguments.records, complain, |record| {
            games += 1;
            let mut game = xiangqi::Game::from_position(record.start().clone());
            for m in record.moves().iter().take(self.arguments.plies as usize) {
                let elo = record.header.elo;
                let rating = if game.position().turn().is_red() { elo.red } else { elo.black };
                counting.count(&game, m, rating);
                game.play(m);
            }
            self.tick(games)
        })?;
        Ok(self.finish(
            counting,
            Card::new::<xiangqi::Game>("xiangqi", &self.data(), &date::today()),
            games,
            count.rejects,
        ))
    }

    fn tick(&self, games: u64) -> anyhow::Result<()> {
        self.bar.set_position(games);
        self.interruption.check()
    }

    fn complain(&self, error: &str) {
        self.bar.suspend(|| eprintln!("{error}"));
    }

    fn data(&self) -> String {
        let names =
            || self.arguments.records.iter().map(|file: &PathBuf| file_name(Path::new(file)));
        self.arguments.data.clone().unwrap_or_else(|| names().collect::<Vec<_>>().join(", "))
    }

    fn finish(&self, counting: Counting, card: Card, games: u64, rejects: u64) -> Book {
        self.bar.finish_and_clear();
        games::tell_rejects(rejects);
        let Args { plies, least, prior, reach, unrated, .. } = *self.arguments;
        counting.finish(Card { games, plies, least, prior, reach, unrated, ..card })
    }
}
