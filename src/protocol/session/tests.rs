//! Conversations with a player made for them.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

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

#[test]
fn the_first_greeting_chooses_the_dialect_and_the_last_one_holds() {
    let mut interface = Interface::new();
    interface.say("uci\nucci\nisready");
    let mut heard = Vec::new();
    while heard.last().is_none_or(|line| line != "readyok") {
        heard.push(interface.hear());
    }
    assert!(heard.contains(&"option name UCI_Elo type spin default 1500 min 1 max 3000".into()));
    assert!(heard.contains(&"uciok".into()));
    assert!(heard.contains(&"option uci_elo type spin min 1 max 3000 default 1500".into()));
    assert!(heard.contains(&"option usemillisec type check default false".into()));
    assert!(heard.contains(&"option newgame type button".into()));
    assert!(!heard.iter().any(|line| line.starts_with("option uci_variant")), "{heard:?}");
    assert_eq!(interface.diary(), ["greet Uci", "greet Ucci"]);
    interface.say("stop");
    interface.expect("nobestmove");
    interface.say("uci");
    interface.wait_for("uciok");
    interface.say("stop\nisready");
    interface.expect("readyok");
}

#[test]
fn before_any_greeting_uci_is_understood() {
    let mut interface = Interface::new();
    interface.say("position startpos moves a1a2\ngo movetime 10");
    interface.expect("bestmove m1");
    assert_eq!(interface.diary()[0], "set up Uci None [\"a1a2\"]");
    interface.say("fen quick moves a0a1");
    interface.say("isready");
    interface.expect("readyok");
    assert_eq!(interface.diary()[2], "set up UciCyclone Some(\"quick\") [\"a0a1\"]");
}

#[test]
fn every_go_gets_exactly_one_answer() {
    let mut interface = Interface::new();
    interface.say("go depth 1\ngo depth 1\ngo depth 1");
    for answer in ["bestmove m1", "bestmove m2", "bestmove m3"] {
        interface.expect(answer);
    }
    interface.expect_silence();
}

#[test]
fn an_infinite_search_holds_its_answer_until_stop() {
    for temper in ["quick", "slow"] {
        let mut interface = Interface::new();
        interface.say(&format!("position fen {temper}\ngo infinite"));
        interface.expect_silence();
        interface.say("isready");
        interface.expect("readyok");
        interface.say("ponderhit");
        interface.expect_silence();
        interface.say("stop\nstop");
        interface.expect("bestmove m1");
        interface.expect_silence();
    }
}

#[test]
fn pondering_holds_the_answer_until_ponderhit_or_stop() {
    for temper in ["quick", "slow"] {
        for order in ["ponderhit", "stop"] {
            let mut interface = Interface::new();
            interface.say(&format!("position fen {temper}\ngo ponder wtime 300 btime 300"));
            interface.expect_silence();
            interface.say(order);
            interface.expect("bestmove m1");
            interface.expect_silence();
        }
    }
}

#[test]
fn after_ponderhit_the_clock_counts_from_its_arrival() {
    let mut interface = Interface::new();
    interface.say("position fen slow\ngo ponder movetime 200");
    thread::sleep(Duration::from_millis(300));
    let hit = Instant::now();
    interface.say("ponderhit");
    interface.expect("bestmove m1");
    assert!(hit.elapsed() >= Duration::from_millis(180), "{:?}", hit.elapsed());
}

#[test]
fn an_infinite_ponder_search_holds_on_after_ponderhit() {
    let mut interface = Interface::new();
    interface.say("go ponder infinite\nponderhit");
    interface.expect_silence();
    interface.say("stop");
    interface.expect("bestmove m1");
}

#[test]
fn a_late_stop_does_not_cut_the_next_search_short() {
    let mut interface = Interface::new();
    interface.say("go depth 1");
    interface.expect("bestmove m1");
    interface.say("stop\nposition fen slow\ngo movetime 150");
    let started = Instant::now();
    interface.expect("bestmove m2");
    assert!(started.elapsed() >= Duration::from_millis(120), "{:?}", started.elapsed());
}

#[test]
fn a_stop_after_a_go_that_waits_is_for_that_go() {
    let mut interface = Interface::new();
    let search = "position fen sluggish\ngo infinite";
    interface.say(&format!("{search}\nstop\n{search}\nstop\nstop\n{search}"));
    interface.expect("bestmove m1");
    interface.expect("bestmove m2");
    interface.expect_silence();
    interface.say("stop");
    interface.expect("bestmove m3");
}

#[test]
fn a_ponderhit_after_a_go_that_waits_is_for_that_go() {
    let mut interface = Interface::new();
    let search = "position fen sluggish\ngo ponder wtime 300 btime 300";
    interface.say(&format!("{search}\nstop\n{search}\nponderhit"));
    interface.expect("bestmove m1");
    interface.expect("bestmove m2");
    interface.expect_silence();
}

#[test]
fn one_clock_alone_is_a_limit() {
    let mut interface = Interface::new();
    interface.say("position fen slow\ngo wtime 3000");
    interface.expect("bestmove m1");
    interface.say("go btime 3000");
    interface.expect("bestmove m2");
}

#[test]
fn what_comes_while_thinking_waits_in_order() {
    let mut interface = Interface::new();
    interface.say("position fen slow\ngo infinite");
    interface.say("setoption name UCI_Elo value 5\nposition startpos\nhello\ngo depth 1\nisready");
    interface.expect("readyok");
    interface.expect_silence();
    assert_eq!(interface.diary().len(), 2);
    interface.say("stop");
    interface.expect("bestmove m1");
    assert!(interface.hear().starts_with("info string no command in `hello`"));
    interface.expect("bestmove m2");
    assert_eq!(interface.diary()[2..4], ["UCI_Elo = 5", "set up Uci None []"]);
}

#[test]
fn what_waits_is_understood_by_what_waits_before_it() {
    let mut interface = Interface::ucci();
    interface.say("position fen slow\ngo infinite\nsetoption usemillisec true\ngo time 3000");
    interface.say("stop");
    interface.expect("bestmove m1");
    // after three seconds' share, not fifty minutes'
    interface.expect("bestmove m2");
}

#[test]
fn bad_lines_are_told_and_change_nothing() {
    let mut interface = Interface::new();
    interface.say("position fen slow");
    for (line, told) in [
        ("position fen angry", "info string position: got `angry`, wanted a temper"),
        (
            "position",
            "info string nothing follows `position`, wanted `startpos` or `fen` and a position",
        ),
        (
            "setoption name UCI_Elo value 9000",
            "info string setoption: option UCI_Elo got `9000`, wanted a whole number from 1 to 3000",
        ),
        ("setoption name Hash value 1", "info string setoption: no option is called `Hash`"),
    ] {
        interface.say(line);
        interface.expect(told);
    }
    interface.say_bytes(b"\xff\xfe\0\n");
    assert!(interface.hear().starts_with("info string no command in "));
    interface.say_bytes(&[b'x'; (1 << 20) + 1]);
    interface.say("");
    interface.expect("info string got a line of more than 1048576 bytes, wanted a shorter one");
    interface.say("go infinite");
    interface.expect_silence();
    interface.say("stop");
    interface.expect("bestmove m1");
    assert_eq!(interface.diary().len(), 2);
}

#[test]
fn an_option_set_to_its_default_asks_for_nothing_until_it_was_changed() {
    let mut interface = Interface::new();
    interface.say("setoption name UCI_Elo value 1500\nsetoption name Ponder value true");
    interface.say("setoption name uci_elo value 1400\nsetoption name UCI_Elo value 1500\nisready");
    interface.expect("readyok");
    assert_eq!(interface.diary(), ["UCI_Elo = 1400", "UCI_Elo = 1500"]);
}

#[test]
fn ucci_passes_over_options_that_only_others_have() {
    let mut interface = Interface::ucci();
    interface.say("setoption hashsize 16\nsetoption bookfiles book.dat\nsetoption batch true");
    interface.say("setoption uci_variant chess\nsetoption uci_elo 1400\nisready");
    interface.expect("readyok");
    assert_eq!(interface.diary()[1..], ["UCI_Elo = 1400"]);
    interface.say("setoption debug true\nsetoption hashsize 16");
    interface.expect("info message option hashsize has no effect here");
}

#[test]
fn banned_moves_are_banned_until_the_next_position() {
    let mut interface = Interface::ucci();
    interface.say("banmoves h2e2\nposition fen angry\ngo depth 1");
    interface.expect("info message position: got `angry`, wanted a temper");
    interface.expect("bestmove m1");
    interface.say("go depth 1");
    interface.expect("bestmove m2");
    interface.say("position startpos\ngo depth 1");
    interface.expect("bestmove m3");
    let diary = interface.diary();
    let searches: Vec<_> = diary.iter().filter(|entry| entry.starts_with("choose")).collect();
    assert_eq!(
        searches,
        [
            r#"choose AllBut(["h2e2"]) false"#,
            r#"choose AllBut(["h2e2"]) false"#,
            "choose All false"
        ]
    );
}

#[test]
fn without_a_move_each_dialect_has_its_answer() {
    let mut interface = Interface::new();
    interface.say("position fen mated\ngo depth 1");
    interface.expect("bestmove (none)");
    let mut interface = Interface::ucci();
    interface.say("position fen mated\ngo depth 1");
    interface.expect("nobestmove");
    interface.say("position startpos\ngo depth 0");
    interface.expect("nobestmove");
    interface.say("probe startpos");
    interface.expect("pophash");
}

#[test]
fn a_player_that_panics_still_answers() {
    for (temper, answer) in
        [("nervous", "bestmove m2"), ("unlucky", "bestmove m1"), ("hopeless", "bestmove (none)")]
    {
        let mut interface = Interface::new();
        interface.say(&format!("position fen {temper}\ngo movetime 50"));
        interface.expect("info string thinking failed, going on without it: a bug in thinking");
        if temper == "hopeless" {
            assert!(interface.hear().starts_with("info string thinking failed again"));
        }
        interface.expect(answer);
        interface.expect_silence();
        let again = format!("set up Uci Some({temper:?}) []");
        assert_eq!(interface.diary().iter().filter(|entry| **entry == again).count(), 2);
        interface.say("position startpos\ngo depth 1");
        assert!(interface.hear().starts_with("bestmove m"));
    }
}

#[test]
fn a_panic_over_a_position_does_not_end_the_conversation() {
    let mut interface = Interface::new();
    interface.say("position fen fragile");
    interface.expect("info string position: failed, please report it: a bug in setting up");
    interface.say("isready");
    interface.expect("readyok");
}

#[test]
fn quit_and_the_end_of_input_end_it_at_once() {
    let mut interface = Interface::new();
    interface.say("quit");
    interface.expect_end();
    let mut interface = Interface::new();
    interface.close();
    interface.expect_end();
    let mut interface = Interface::ucci();
    interface.say("quit");
    interface.expect("bye");
    interface.expect_end();
}

#[test]
fn a_search_that_is_left_gets_its_answer_first() {
    for go in ["go infinite", "go ponder time 100000", "go movetime 100000"] {
        for quits in [true, false] {
            let mut interface = Interface::ucci();
            interface.say(&format!("position fen slow\n{go}"));
            if quits {
                interface.say("quit");
            } else {
                interface.close();
            }
            interface.expect("bestmove m1");
            interface.expect("bye");
            interface.expect_end();
        }
    }
}

#[test]
fn a_held_answer_is_given_when_leaving() {
    let mut interface = Interface::new();
    interface.say("go infinite");
    interface.expect_silence();
    interface.close();
    interface.expect("bestmove m1");
    interface.expect_end();
}

#[test]
fn a_script_is_carried_out_to_its_end() {
    let mut interface = Interface::new();
    interface.say("position fen slow\ngo infinite\ngo movetime 100\nposition startpos\ngo depth 1");
    interface.say("quit");
    for answer in ["bestmove m1", "bestmove m2", "bestmove m3"] {
        interface.expect(answer);
    }
    interface.expect_end();
}

#[test]
fn a_script_is_not_carried_out_for_ever() {
    let mut interface = Interface::new();
    let started = Instant::now();
    interface.say("position fen slow\ngo movetime 100000\ngo movetime 100000");
    interface.close();
    interface.expect("bestmove m1");
    interface.expect_end();
    assert!(started.elapsed() >= LONGEST_SCRIPT);
}

#[test]
fn whatever_comes_between_every_go_gets_exactly_one_answer() {
    const LINES: [&str; 12] = [
        "go depth 1",
        "go infinite",
        "go ponder movetime 1",
        "go ponder infinite",
        "stop",
        "ponderhit",
        "isready",
        "position fen unlucky",
        "position startpos",
        "position fen nobody",
        "ucinewgame",
        "hello",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..20 {
        let script: Vec<_> = (0..100).map(|_| LINES[rng.random_range(0..LINES.len())]).collect();
        let count = |beginning: &str| script.iter().filter(|l| l.starts_with(beginning)).count();
        let mut interface = Interface::new();
        interface.say(&script.join("\n"));
        interface.close();
        interface.session.take().expect("a session").join().unwrap().unwrap();
        let heard: Vec<_> = interface.heard.try_iter().collect();
        let answers = heard.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(answers, count("go"), "{script:?}");
        assert_eq!(heard.iter().filter(|line| *line == "readyok").count(), count("isready"));
    }
}
