//! How UCCI spells commands and replies.
//!
//! The specification is version 3.0 of November 2007. Two words of UCI are understood beside it,
//! `movetime` and `infinite`, because user interfaces send them.

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
    uci,
};
use crate::{
    model::Score,
    player::{Answer, Clock, Clocks, Convention, Gesture, Line},
};

/// UCCI.
#[derive(Debug, Clone, Copy)]
pub struct Ucci {
    /// Whether clocks come in milliseconds; the specification has seconds.
    pub milliseconds: bool,
}

/// The commands there are, for who sends another.
const COMMANDS: &str = "ucci, uci, isready, setoption, position, banmoves, go, stop, ponderhit, \
                        probe, quit";

/// The words that may follow `go`.
const GO_WORDS: [&str; 12] = [
    "ponder",
    "draw",
    "depth",
    "nodes",
    "time",
    "movestogo",
    "increment",
    "opptime",
    "oppmovestogo",
    "oppincrement",
    "movetime",
    "infinite",
];

impl Dialect for Ucci {
    fn parse(&self, line: &str) -> Result<Command, CommandError> {
        grammar::first_command(line, COMMANDS, |word, words| self.read(word, words))
    }

    fn format(&self, reply: &Reply) -> Option<String> {
        Some(match reply {
            Reply::Id { key, value } => format!("id {key} {value}"),
            Reply::Option(spec) => options::ucci_line(spec),
            Reply::Button(name) => format!("option {name} type button"),
            Reply::Greeted => "ucciok".to_owned(),
            Reply::Ready => "readyok".to_owned(),
            Reply::Line(line) => write_line(line),
            Reply::Message(text) => format!("info message {}", disarmed(&grammar::remark(text))),
            Reply::BestMove(answer) => write_answer(answer),
            Reply::NothingToStop => "nobestmove".to_owned(),
            Reply::Probed => "pophash".to_owned(),
            Reply::Bye => "bye".to_owned(),
        })
    }
}

impl Ucci {
    /// The command that begins with `word`; `None` where none does.
    fn read(&self, word: &str, mut words: Words<'_>) -> Option<Result<Command, CommandError>> {
        Some(match word {
            "ucci" => Ok(Command::Greet(Convention::Ucci)),
            "uci" => Ok(Command::Greet(Convention::Uci)),
            "isready" => Ok(Command::IsReady),
            "setoption" => set_option(words),
            // an adapter makes the second up from the first letters of the dialect's name
            "ucinewgame" | "uxinewgame" => Ok(Command::NewGame),
            "position" => {
                grammar::setup(words.next(), words, Convention::Ucci).map(Command::Position)
            }
            "fen" | "startpos" => {
                grammar::setup(Some(word), words, Convention::Ucci).map(Command::Position)
            }
            "banmoves" => Ok(Command::BanMoves(words.map(str::to_owned).collect())),
            "go" => Ok(Command::Go(self.go(words))),
            "ponderhit" => {
                Ok(Command::PonderHit { draw_offered: words.peek().as_deref() == Some("draw") })
            }
            "stop" => Ok(Command::Stop),
            "probe" => Ok(Command::Probe),
            "quit" => Ok(Command::Quit),
            _ => return None,
        })
    }

    /// Reads what follows `go`. Words that cannot be read are passed over.
    fn go(&self, mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        let limits = &mut go.search.limits;
        let mut mover = ClockWords::default();
        let mut opponent = ClockWords::default();
        while let Some(word) = words.next() {
            let result = match word.to_ascii_lowercase().as_str() {
                "time" => self.time("time", &mut words).map(|time| mover.time = Some(time)),
                "increment" => {
                    self.time("increment", &mut words).map(|time| mover.increment = time)
                }
                "movestogo" => count("movestogo", &mut words).map(|n| mover.moves_to_go = Some(n)),
                "opptime" => {
                    self.time("opptime", &mut words).map(|time| opponent.time = Some(time))
                }
                "oppincrement" => {
                    self.time("oppincrement", &mut words).map(|time| opponent.increment = time)
                }
                "oppmovestogo" => {
                    count("oppmovestogo", &mut words).map(|n| opponent.moves_to_go = Some(n))
                }
                "depth" if words.peek().as_deref() == Some("infinite") => Ok(()),
                "depth" => count("depth", &mut words).map(|n| {
                    go.score_only = n == 0;
                    limits.depth = Some(n.max(1));
                }),
                "nodes" => count("nodes", &mut words).map(|n| limits.nodes = Some(n.into())),
                "movetime" => value("movetime", MILLISECONDS, &mut words, grammar::milliseconds)
                    .map(|time| limits.movetime = Some(time)),
                "infinite" => {
                    limits.infinite = true;
                    Ok(())
                }
                "ponder" => {
                    limits.ponder = true;
                    Ok(())
                }
                "draw" => {
                    go.search.draw_offered = true;
                    Ok(())
                }
                _ => Err(grammar::unexpected("go", word, "one of the words that UCCI has for it")),
            };
            go.unread.extend(result.err());
        }
        limits.clocks = Clocks::ByTurn { mover: mover.clock(), opponent: opponent.clock() };
        go
    }

    /// Reads the time after `name` in `go`, in the unit that holds.
    fn time(&self, name: &'static str, words: &mut Words<'_>) -> Result<Duration, CommandError> {
        if self.milliseconds {
            value(name, MILLISECONDS, words, grammar::milliseconds)
        } else {
            value(name, "a number of seconds", words, seconds)
        }
    }
}

/// What `go` says of one side's clock.
#[derive(Default)]
struct ClockWords {
    time: Option<Duration>,
    increment: Duration,
    moves_to_go: Option<u32>,
}

impl ClockWords {
    fn clock(&self) -> Option<Clock> {
        let Self { increment, moves_to_go, .. } = *self;
        self.time.map(|remaining| Clock { remaining, increment, moves_to_go })
    }
}

/// Reads the value after `name` in `go`.
fn value<T>(
    name: &'static str,
    wanted: &'static str,
    words: &mut Words<'_>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, CommandError> {
    grammar::value(words, name, wanted, |word| GO_WORDS.contains(&word), read)
}

fn count(name: &'static str, words: &mut Words<'_>) -> Result<u32, CommandError> {
    value(name, COUNT, words, grammar::count)
}

/// Seconds. A clock that has run below zero is at zero.
fn seconds(word: &str) -> Option<Duration> {
    let time: i64 = word.parse().ok()?;
    Some(Duration::from_secs(u64::try_from(time).unwrap_or(0)))
}

/// Reads `<name> [<value>]`, and UCI's `name <id> value <x>` from who mixes the two up.
///
/// UCCI has no commands of their own for a new game, for debugging and for its unit of time.
fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    if words.peek().as_deref() == Some("name") {
        return uci::set_option(words);
    }
    let name = words
        .next()
        .ok_or(CommandError::Missing { after: "setoption", wanted: "the name of an option" })?;
    let value = Some(words.rest().to_owned()).filter(|value| !value.is_empty());
    let boolean = || {
        const WANTED: &str = "true or false";
        let got = value.as_deref().unwrap_or_default();
        grammar::boolean(got).ok_or_else(|| grammar::unexpected(name, got, WANTED))
    };
    match name.to_ascii_lowercase().as_str() {
        "newgame" => Ok(Command::NewGame),
        "debug" => boolean().map(Command::Debug),
        "usemillisec" => boolean().map(Command::Milliseconds),
        _ => Ok(Command::SetOption { name: name.to_owned(), value }),
    }
}

/// Writes a line of play, the score right after the depth and the moves last.
///
/// The depth comes first, since there are clients that know a line of play by it. UCCI has no word
/// for a line's rank among several.
fn write_line(line: &Line) -> String {
    let Line { depth, rank: _, score, nodes, time_ms, moves } = line;
    let score = plain_score(*score);
    let mut text = format!("info depth {depth} score {score} time {time_ms} nodes {nodes}");
    if !moves.is_empty() {
        // writing to a string cannot fail
        let _ = write!(text, " pv {}", moves.join(" "));
    }
    text
}

/// A score as the bare number that UCCI has for all: a horse or cannon is worth about a hundred,
/// and mates count down from 10 000 by plies.
fn plain_score(score: Score) -> i64 {
    /// What a horse or cannon is worth, in soldiers.
    const SOLDIERS_OF_A_HORSE: i64 = 4;
    const MATE: i64 = 10_000;
    /// So many plies from its mate a score may be and still be told from the others.
    const LONGEST_MATE: i64 = 999;
    match score {
        Score::Centipawns(centipawns) => {
            let most = MATE - LONGEST_MATE - 1;
            (i64::from(centipawns) / SOLDIERS_OF_A_HORSE).clamp(-most, most)
        }
        Score::Mate(moves) => MATE - (2 * i64::from(moves) - 1).clamp(0, LONGEST_MATE),
        Score::Mated(moves) => (2 * i64::from(moves)).min(LONGEST_MATE) - MATE,
    }
}

fn write_answer(answer: &Answer) -> String {
    let Some(best) = &answer.best else {
        return "nobestmove".to_owned();
    };
    let ponder =
        answer.ponder.as_ref().map(|ponder| format!(" ponder {ponder}")).unwrap_or_default();
    let gesture = match answer.gesture {
        Some(Gesture::Draw) => " draw",
        Some(Gesture::Resign) => " resign",
        None => "",
    };
    format!("bestmove {best}{ponder}{gesture}")
}

/// A remark without the words that mean something anywhere in a line.
///
/// Some user interfaces look for these words in all that they have read, so that even an error
/// that quotes them would be taken for an answer.
fn disarmed(text: &str) -> String {
    const ARMED: [&str; 4] = ["bestmove", "draw", "resign", "bye"];
    let mut disarmed = text.to_owned();
    for word in ARMED {
        while let Some(at) = disarmed.to_ascii_lowercase().find(word) {
            disarmed.insert(at + 1, '-');
        }
    }
    disarmed
}
