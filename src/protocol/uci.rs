//! How UCI spells commands and replies; the sort that Cyclone speaks is understood as well.
//!
//! The specification is the text of April 2006, with the usual additions.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use std::{fmt::Write, time::Duration};

use super::{
    Dialect,
    command::{Command, CommandError, Go},
    grammar::{self, COUNT, MILLISECONDS, Words},
    options,
    reply::Reply,
};
use crate::{
    model::Score,
    player::{AllowedMoves, Answer, Clock, Clocks, Convention, Line},
};

/// UCI.
#[derive(Debug, Clone, Copy)]
pub struct Uci {
    /// By what convention `position` is meant; a bare `fen` or `startpos` is always Cyclone's.
    pub convention: Convention,
}

/// The commands there are, for who sends another.
const COMMANDS: &str = "uci, ucci, debug, isready, setoption, ucinewgame, position, go, stop, \
                        ponderhit, quit";

/// The words that may follow `go`.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Dialect for Uci {
    fn parse(&self, line: &str) -> Result<Command, CommandError> {
        grammar::first_command(line, COMMANDS, |word, words| self.read(word, words))
    }

    fn format(&self, reply: &Reply) -> Option<String> {
        Some(match reply {
            Reply::Id { key, value } => format!("id {key} {value}"),
            Reply::Option(spec) => options::uci_line(spec),
            Reply::Button(name) => format!("option name {name} type button"),
            Reply::Greeted => "uciok".to_owned(),
            Reply::Ready => "readyok".to_owned(),
            Reply::Line(line) => write_line(line),
            Reply::Message(text) => format!("info string {}", grammar::remark(text)),
            Reply::BestMove(answer) => write_answer(answer),
            Reply::NothingToStop | Reply::Probed | Reply::Bye => return None,
        })
    }
}

impl Uci {
    /// The command that begins with `word`; `None` where none does.
    fn read(&self, word: &str, mut words: Words<'_>) -> Option<Result<Command, CommandError>> {
        Some(match word {
            "uci" => Ok(Command::Greet(Convention::Uci)),
            "ucci" => Ok(Command::Greet(Convention::Ucci)),
            "ucicyclone" => Ok(Command::Greet(Convention::UciCyclone)),
            "debug" => debug(words),
            "isready" => Ok(Command::IsReady),
            "setoption" => set_option(words),
            "ucinewgame" => Ok(Command::NewGame),
            "position" => {
                grammar::setup(words.next(), words, self.convention).map(Command::Position)
            }
            "fen" | "startpos" => {
                grammar::setup(Some(word), words, Convention::UciCyclone).map(Command::Position)
            }
            "go" => Ok(Command::Go(go(words))),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit { draw_offered: false }),
            "quit" => Ok(Command::Quit),
            "register" => Ok(Command::Nothing),
            _ => return None,
        })
    }
}

fn debug(mut words: Words<'_>) -> Result<Command, CommandError> {
    const WANTED: &str = "`on` or `off`";
    let word = words.next().ok_or(CommandError::Missing { after: "debug", wanted: WANTED })?;
    let on = grammar::boolean(word).ok_or_else(|| grammar::unexpected("debug", word, WANTED))?;
    Ok(Command::Debug(on))
}

/// Reads `name <id> [value <x>]`; both may hold spaces.
pub(super) fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    const WANTED: &str = "`name` and the name of an option";
    match words.next() {
        Some(word) if word.eq_ignore_ascii_case("name") => {}
        Some(word) => return Err(grammar::unexpected("setoption", word, WANTED)),
        None => return Err(CommandError::Missing { after: "setoption", wanted: WANTED }),
    }
    let name = words.until(|word| word == "value").join(" ");
    if name.is_empty() {
        return Err(CommandError::Missing { after: "name", wanted: "the name of an option" });
    }
    let value = words.next().map(|_| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

/// What `go` says of one side's clock.
#[derive(Default)]
struct ClockWords {
    time: Option<Duration>,
    increment: Option<Duration>,
}

impl ClockWords {
    fn clock(&self, moves_to_go: Option<u32>) -> Option<Clock> {
        let increment = self.increment.unwrap_or_default();
        self.time.map(|remaining| Clock { remaining, increment, moves_to_go })
    }
}

/// Reads what follows `go`. Words that cannot be read are passed over.
fn go(mut words: Words<'_>) -> Go {
    let is_keyword = |word: &str| GO_WORDS.contains(&word);
    let mut go = Go::default();
    let limits = &mut go.search.limits;
    let mut first = ClockWords::default();
    let mut second = ClockWords::default();
    let mut moves_to_go = None;
    while let Some(word) = words.next() {
        // these read the word after `name`, and note it where it cannot be read
        let mut time = |name: &'static str, to: &mut Option<Duration>| {
            let read = grammar::milliseconds;
            grammar::value(&mut words, name, MILLISECONDS, is_keyword, read)
                .map(|time| *to = Some(time))
        };
        let result = match word.to_ascii_lowercase().as_str() {
            "wtime" => time("wtime", &mut first.time),
            "btime" => time("btime", &mut second.time),
            "winc" => time("winc", &mut first.increment),
            "binc" => time("binc", &mut second.increment),
            "movetime" => time("movetime", &mut limits.movetime),
            "movestogo" => count("movestogo", &mut words).map(|n| moves_to_go = Some(n)),
            // nobody chooses a move without looking at any
            "depth" => count("depth", &mut words).map(|n| at_most(&mut limits.depth, n.max(1))),
            // n moves of one's own are 2n - 1 plies
            "mate" => count("mate", &mut words)
                .map(|n| at_most(&mut limits.depth, n.max(1).saturating_mul(2) - 1)),
            "nodes" => count("nodes", &mut words).map(|n| limits.nodes = Some(n.into())),
            "infinite" => {
                limits.infinite = true;
                Ok(())
            }
            "ponder" => {
                limits.ponder = true;
                Ok(())
            }
            "searchmoves" => {
                go.search.allowed = AllowedMoves::Only(words.until(is_keyword));
                Ok(())
            }
            _ => Err(grammar::unexpected("go", word, "one of the words that UCI has for it")),
        };
        go.unread.extend(result.err());
    }
    limits.clocks =
        Clocks::BySide { first: first.clock(moves_to_go), second: second.clock(moves_to_go) };
    let is_limited = limits.movetime.is_some()
        || limits.clocks != Clocks::default()
        || limits.depth.is_some()
        || limits.nodes.is_some();
    // without any limit UCI means to analyze; but a limit that could not be read was meant as one
    limits.infinite |= !is_limited && !limits.ponder && go.unread.is_empty();
    go
}

/// Reads the count after `name` in `go`.
fn count(name: &'static str, words: &mut Words<'_>) -> Result<u32, CommandError> {
    grammar::value(words, name, COUNT, |word| GO_WORDS.contains(&word), grammar::count)
}

fn at_most(limit: &mut Option<u32>, n: u32) {
    *limit = Some(limit.map_or(n, |limit| limit.min(n)));
}

/// Writes a line of play with what is known of it, the moves last.
fn write_line(line: &Line) -> String {
    let Line { depth, rank, score, nodes, time_ms, moves } = line;
    let rank = rank.map(|rank| format!(" multipv {rank}")).unwrap_or_default();
    let score = match score {
        Score::Centipawns(centipawns) => format!("cp {centipawns}"),
        Score::Mate(moves) => format!("mate {moves}"),
        Score::Mated(0) => "mate 0".to_owned(),
        Score::Mated(moves) => format!("mate -{moves}"),
    };
    let nps = nodes.saturating_mul(1_000) / time_ms.max(&1);
    let mut text =
        format!("info depth {depth}{rank} score {score} nodes {nodes} nps {nps} time {time_ms}");
    if !moves.is_empty() {
        // writing to a string cannot fail
        let _ = write!(text, " pv {}", moves.join(" "));
    }
    text
}

fn write_answer(answer: &Answer) -> String {
    match (&answer.best, &answer.ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}
