//! `errare turing`: can games of models and engines be told from people's?

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{evaluate, games, interruption::Interruption, table::Table};
use crate::{
    attributes::full::Beheld,
    chess::{
        self, Castling,
        records::{Filter, Games, GamesError, open},
    },
    engine::{ModelKind, Nets, Settings, Variant, chess_player, xiangqi_player},
    turing::{Contestant, Dialect, Engine, Modelled, Pair, Unit, Verdict, Watcher, judge, play},
    xiangqi::{self, notation::iccs::Ranks},
};

/// How many moves of each side are judged at a time, beside whole games.
const MOVES: usize = 10;
/// Games shorter than this say nothing.
const SHORTEST: usize = 2 * MOVES;

/// Arguments of `errare turing`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of people's games, which nothing may have been learnt from: PGN or a table of chess,
    /// or xiangqi in any format, plain, .gz or .zst
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// The game; told by what the files hold, but for standard input
    #[arg(long)]
    game: Option<Variant>,
    /// Models to be told from people [default: all that play the game]
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "MODEL")]
    model: Vec<ModelKind>,
    /// Other engines to be told from people, by their programs
    #[arg(long, num_args = 1.., value_name = "PROGRAM")]
    engine: Vec<PathBuf>,
    /// Speak UCCI with the engines instead of UCI
    #[arg(long)]
    ucci: bool,
    /// Options to set in the engines; their rating is set by UCI_LimitStrength and UCI_Elo
    #[arg(long, num_args = 1.., value_name = "NAME=VALUE", value_parser = option)]
    engine_option: Vec<(String, String)>,
    /// How the engines think about each move, as `go` says it
    #[arg(long, default_value = "nodes 2000")]
    go: String,
    /// How many games of people, each with one of every contestant
    #[arg(long, default_value_t = 300)]
    games: usize,
    /// Decides which games play a part in what, and all draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out what errare knows by heart of openings
    #[arg(long)]
    no_book: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

fn option(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    parts.ok_or_else(|| format!("got `{text}`, wanted NAME=VALUE"))
}

/// A game of people.
struct Human<G: crate::game::Game> {
    start: G,
    moves: Vec<G::Move>,
    ratings: [u16; 2],
}

/// What came of one contestant.
struct Told {
    name: String,
    verdicts: [Verdict; 2],
    plies: f64,
}

/// A contestant with its name.
type Named<G> = (String, Box<dyn Contestant<G>>);

/// Has each contestant play, and prints how well its games can be told from people's.
///
/// # Errors
/// When a file cannot be read, there are too few games, an engine does not play, or the user
/// interrupts.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let interruption = Interruption::listen()?;
    let (told, names) = match games::variant(&arguments.records, arguments.game)? {
        Variant::Chess => {
            let people = chess_games(arguments)?;
            compare(arguments, &people, chess_contestants(arguments)?, &interruption)?
        }
        Variant::Xiangqi => {
            let people = xiangqi_games(arguments)?;
            compare(arguments, &people, xiangqi_contestants(arguments)?, &interruption)?
        }
    };
    match arguments.json {
        true => {
            serde_json::to_writer_pretty(&mut *out, &object(arguments, &told, &names))?;
            writeln!(out)?;
        }
        false => {
            writeln!(out, "{}", table(&told))?;
            write!(out, "{}", telltales(&told, &names))?;
        }
    }
    Ok(())
}

fn chess_games(arguments: &Args) -> anyhow::Result<Vec<Human<chess::Game>>> {
    let mut people = Vec::new();
    for file in &arguments.records {
        let reading = || format!("reading {}", file.display());
        for game in Games::new(open(file).with_context(reading)?, Filter::default()) {
            if people.len() == arguments.games {
                break;
            }
            match game {
                Ok(record) => {
                    let ratings = [record.ratings.white, record.ratings.black];
                    people.extend(human(record.start, record.moves, ratings));
                }
                Err(error @ GamesError::Read { .. }) => return Err(error).with_context(reading),
                Err(error) => eprintln!("{}: {error}", file.display()),
            }
        }
    }
    Ok(people)
}

fn xiangqi_games(arguments: &Args) -> anyhow::Result<Vec<Human<xiangqi::Game>>> {
    let mut people = Vec::new();
    games::for_each_xiangqi(
        &arguments.records,
        |error| eprintln!("{error}"),
        |record| {
            if people.len() < arguments.games {
                let ratings = [record.header.elo.red, record.header.elo.black];
                let start = xiangqi::Game::from_position(record.start().clone());
                people.extend(human(start, record.moves().to_vec(), ratings));
            }
            Ok(())
        },
    )?;
    Ok(people)
}

/// A game of people, where it is long enough and both ratings are known.
fn human<G: crate::game::Game>(
    start: G,
    moves: Vec<G::Move>,
    ratings: [Option<u16>; 2],
) -> Option<Human<G>> {
    let ratings = [ratings[0]?, ratings[1]?];
    (moves.len() >= SHORTEST).then_some(Human { start, moves, ratings })
}

/// The models that were asked for, or all that play the game.
fn models<'a>(asked: &'a [ModelKind], all: &'a [ModelKind]) -> anyhow::Result<&'a [ModelKind]> {
    if let Some(other) = asked.iter().find(|model| !all.contains(model)) {
        bail!("the model {} does not play this game", model_name(*other));
    }
    Ok(if asked.is_empty() { all } else { asked })
}

fn model_name(model: ModelKind) -> &'static str {
    match model {
        ModelKind::Errare => "errare",
        ModelKind::Lookahead => "lookahead",
        ModelKind::Memory => "memory",
    }
}

fn chess_contestants(arguments: &Args) -> anyhow::Result<Vec<Named<chess::Game>>> {
    let mut contestants: Vec<Named<chess::Game>> = Vec::new();
    for &model in models(&arguments.model, &[ModelKind::Errare, ModelKind::Lookahead])? {
        let own_book = !arguments.no_book;
        let of_rating = move |rating| {
            let settings = Settings::at_rating(Some(rating));
            chess_player(None, &Settings { model, own_book, ..settings })
        };
        contestants.push((model_name(model).to_owned(), Box::new(Modelled::new(of_rating))));
    }
    for path in &arguments.engine {
        let engine = start(arguments, path, &[], Castling::Standard)?;
        contestants.push((evaluate::name(path), Box::new(engine)));
    }
    Ok(contestants)
}

fn xiangqi_contestants(arguments: &Args) -> anyhow::Result<Vec<Named<xiangqi::Game>>> {
    let mut contestants: Vec<Named<xiangqi::Game>> = Vec::new();
    for &model in models(&arguments.model, &[ModelKind::Errare, ModelKind::Memory])? {
        let own_book = !arguments.no_book;
        let of_rating = move |rating| {
            let settings = Settings::at_rating(Some(rating));
            xiangqi_player(None, &Nets::default(), &Settings { model, own_book, ..settings })
        };
        contestants.push((model_name(model).to_owned(), Box::new(Modelled::new(of_rating))));
    }
    // by UCI the board's ranks are counted from one where the variant is told by its name
    let (options, ranks): (&[(&str, &str)], _) = match arguments.ucci {
        true => (&[], Ranks::FromZero),
        false => (&[("UCI_Variant", "xiangqi")], Ranks::FromOne),
    };
    for path in &arguments.engine {
        let engine = start(arguments, path, options, ranks)?;
        contestants.push((evaluate::name(path), Box::new(engine)));
    }
    Ok(contestants)
}

fn start<S: Copy>(
    arguments: &Args,
    path: &Path,
    options: &[(&str, &str)],
    spelling: S,
) -> anyhow::Result<Engine<S>> {
    let dialect = if arguments.ucci { Dialect::Ucci } else { Dialect::Uci };
    let own = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    let options: Vec<_> = own.chain(arguments.engine_option.iter().cloned()).collect();
    Ok(Engine::start(path, dialect, &options, &arguments.go, spelling)?)
}

/// Has all contestants play against people's games; also the names of the statistics.
fn compare<G: Beheld>(
    arguments: &Args,
    people: &[Human<G>],
    contestants: Vec<Named<G>>,
    interruption: &Interruption,
) -> anyhow::Result<(Vec<Told>, Vec<String>)> {
    let bar = ProgressBar::new((people.len() * contestants.len()) as u64).with_style(
        ProgressStyle::with_template("{bar:24} {pos} of {len} games  {eta} left  {msg}")
            .expect("the template is a constant that is shown by hand"),
    );
    let mut watcher = Watcher::new();
    let humans: Vec<_> =
        people.iter().map(|human| watcher.watch(&human.start, &human.moves)).collect();
    let mut told = Vec::new();
    for (name, mut contestant) in contestants {
        bar.set_message(name.clone());
        let mut pairs = Vec::new();
        let mut plies = 0;
        for (number, (human, statistics)) in people.iter().zip(&humans).enumerate() {
            let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
            rng.set_stream(number as u64);
            let Human { start, moves, ratings } = human;
            let played = play(contestant.as_mut(), start, *ratings, moves.len(), &mut rng)?;
            plies += played.len();
            let other = watcher.watch(start, &played);
            pairs.push(Pair { human: statistics.clone(), other });
            bar.inc(1);
            interruption.check()?;
        }
        let judged = |unit| {
            judge(&pairs, unit, arguments.seed)
                .with_context(|| format!("telling games of {name} from people's"))
        };
        let verdicts = [judged(Unit::Game)?, judged(Unit::Moves(MOVES))?];
        let plies = plies as f64 / pairs.len() as f64;
        told.push(Told { name, verdicts, plies });
    }
    bar.finish_and_clear();
    Ok((told, watcher.names()))
}

fn table(told: &[Told]) -> Table {
    let titles = ["who", "AUC, games", "n", "AUC, ten moves", "n", "plies a game"];
    let mut table = Table::new(titles);
    for Told { name, verdicts, plies } in told {
        let mut row = vec![name.clone()];
        for Verdict { area, .. } in verdicts {
            let (low, high) = area.interval;
            row.push(format!("{:.3} ({low:.3} to {high:.3})", area.mean));
            row.push(area.count.to_string());
        }
        row.push(format!("{plies:.0}"));
        table.push(row);
    }
    table
}

fn telltales(told: &[Told], names: &[String]) -> Table {
    let mut table = Table::new(["who", "what people have more (+) or less (-) of, in deviations"]);
    for Told { name, verdicts, .. } in told {
        let telltales = verdicts[0].telltales.iter();
        let words: Vec<String> = telltales
            .map(|(place, distance)| format!("{} {distance:+.2}", names[*place]))
            .collect();
        table.push([name.clone(), words.join(", ")]);
    }
    table
}

fn object(arguments: &Args, told: &[Told], names: &[String]) -> serde_json::Value {
    let verdict = |verdict: &Verdict| {
        let telltales: Vec<_> = verdict
            .telltales
            .iter()
            .map(|(place, distance)| json!({ "name": names[*place], "deviations": distance }))
            .collect();
        json!({
            "auc": verdict.area.mean,
            "interval": [verdict.area.interval.0, verdict.area.interval.1],
            "n": verdict.area.count,
            "telltales": telltales,
        })
    };
    let contestants: Vec<_> = told
        .iter()
        .map(|told| {
            json!({
                "name": told.name,
                "games": verdict(&told.verdicts[0]),
                "ten_moves": verdict(&told.verdicts[1]),
                "plies": told.plies,
            })
        })
        .collect();
    json!({ "seed": arguments.seed, "contestants": contestants })
}
