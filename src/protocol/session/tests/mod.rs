//! Conversations with a player made for them.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod leaving;
mod obeying;
mod searching;

use std::{
    error::Error,
    io::{BufReader, PipeWriter, Write, pipe},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, unbounded};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    model::Score,
    player::{Line, OptionError, OptionKind, OptionSpec, Search},
};

/// Long enough for anything that is to happen, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// Long enough to notice what happens though it should not.
const SILENCE: Duration = Duration::from_millis(80);

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "UCI_Elo",
        kind: OptionKind::Spin { default: 1500, min: 1, max: 3000 },
        help: "",
    },
    OptionSpec {
        name: "UCI_Variant",
        kind: OptionKind::Combo { default: "chess", values: &["chess", "xiangqi"] },
        help: "",
    },
];

/// How a player behaves, by the first word of the FEN that it is given: it plays the move `m1`,
/// `m2` … of its n-th search.
#[derive(Clone, Copy, PartialEq)]
enum Temper {
    /// Answers at once.
    Quick,
    /// Thinks until it is stopped, or for ever.
    Slow,
    /// Goes on thinking for a while after it was stopped.
    Sluggish,
    /// Panics before it has said anything.
    Nervous,
    /// Panics after it has said a line.
    Unlucky,
    /// Panics whenever it is asked.
    Hopeless,
    /// Panics when its position is set up.
    Fragile,
    /// Has no move.
    Mated,
}

/// What a player has been asked to do, in its own words.
type Diary = Arc<Mutex<Vec<String>>>;

struct Mock {
    temper: Temper,
    searches: u32,
    diary: Diary,
}

impl Mock {
    fn note(&self, entry: impl Into<String>) {
        self.diary.lock().unwrap().push(entry.into());
    }

    fn line(&self, m: &str) -> Info {
        let moves = vec![m.to_owned()];
        Info::Line(Line { depth: 1, rank: None, score: Score::EVEN, nodes: 1, time_ms: 0, moves })
    }
}

impl Player for Mock {
    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
    }

    fn greet(&mut self, convention: Convention) {
        self.note(format!("greet {convention:?}"));
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let spec = OptionSpec::find(OPTIONS, name)
            .ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let value = spec.check(value)?;
        self.note(format!("{} = {value}", spec.name));
        Ok(())
    }

    fn new_game(&mut self) {
        self.note("new game");
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.temper = match setup.fen.as_deref() {
            None | Some("quick") => Temper::Quick,
            Some("slow") => Temper::Slow,
            Some("sluggish") => Temper::Sluggish,
            Some("nervous") => Temper::Nervous,
            Some("unlucky") => Temper::Unlucky,
            Some("hopeless") => Temper::Hopeless,
            Some("mated") => Temper::Mated,
            Some("fragile") => {
                self.temper = Temper::Fragile;
                panic!("a bug in setting up")
            }
            Some(other) => return Err(format!("got `{other}`, wanted a temper").into()),
        };
        self.note(format!("set up {:?} {:?} {:?}", setup.convention, setup.fen, setup.moves));
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        Side::First
    }

    fn choose(&mut self, search: &Search, stop: &Stop, say: &mut dyn FnMut(Info)) -> Answer {
        self.searches += 1;
        self.note(format!("choose {:?} {}", search.allowed, search.draw_offered));
        let best = format!("m{}", self.searches);
        match self.temper {
            Temper::Nervous if !stop.is_raised() => panic!("a bug in thinking"),
            Temper::Hopeless => panic!("a bug in thinking"),
            Temper::Unlucky => {
                say(self.line(&best));
                panic!("a bug {}", "in thinking")
            }
            Temper::Mated => return Answer::default(),
            Temper::Slow | Temper::Sluggish => {
                while !stop.is_raised() {
                    thread::sleep(Duration::from_millis(1));
                }
                if self.temper == Temper::Sluggish {
                    thread::sleep(SILENCE / 2);
                }
            }
            _ => {}
        }
        say(self.line(&best));
        Answer { best: Some(best), ..Answer::default() }
    }
}

/// What a session prints, line by line.
struct Printer {
    lines: Sender<String>,
    line: Vec<u8>,
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The other side of a conversation.
struct Interface {
    input: Option<PipeWriter>,
    heard: Receiver<String>,
    session: Option<thread::JoinHandle<io::Result<()>>>,
    diary: Diary,
}

impl Interface {
    fn new() -> Self {
        let (reader, input) = pipe().unwrap();
        let (lines, heard) = unbounded();
        let diary = Diary::default();
        let player = Mock { temper: Temper::Quick, searches: 0, diary: diary.clone() };
        let printer = Printer { lines, line: Vec::new() };
        let session = thread::spawn(move || Session::run(player, BufReader::new(reader), printer));
        Self { input: Some(input), heard, session: Some(session), diary }
    }

    /// Greeted in UCCI, with the answer heard.
    fn ucci() -> Self {
        let mut interface = Self::new();
        interface.say("ucci");
        interface.wait_for("ucciok");
        interface
    }

    fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("open").write_all(bytes).unwrap();
    }

    fn close(&mut self) {
        self.input = None;
    }

    /// The next line that is no line of play.
    #[track_caller]
    fn hear(&self) -> String {
        loop {
            let line = self.heard.recv_timeout(PATIENCE).expect("an answer");
            if !line.contains(" score ") {
                return line;
            }
        }
    }

    #[track_caller]
    fn expect(&self, line: &str) {
        assert_eq!(self.hear(), line);
    }

    #[track_caller]
    fn wait_for(&self, line: &str) {
        while self.hear() != line {}
    }

    #[track_caller]
    fn expect_silence(&self) {
        let until = Instant::now() + SILENCE;
        while let Ok(line) = self.heard.recv_deadline(until) {
            assert!(line.contains(" score "), "{line}");
        }
    }

    /// The session ends, having said nothing more.
    #[track_caller]
    fn expect_end(&mut self) {
        let started = Instant::now();
        self.session.take().expect("a session").join().unwrap().unwrap();
        assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
        let rest: Vec<_> = self.heard.try_iter().collect();
        assert!(rest.iter().all(|line| line.contains(" score ")), "{rest:?}");
    }

    fn diary(&self) -> Vec<String> {
        self.diary.lock().unwrap().clone()
    }
}
