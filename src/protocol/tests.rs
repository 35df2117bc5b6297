//! Every message of both dialects, as text and as value.

#![allow(clippy::panic)]

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    model::Score,
    player::{
        AllowedMoves, Answer, Clock, Clocks, Convention, Gesture, Limits, Line, OptionKind,
        OptionSpec, Search, Setup,
    },
};

const UCI: Uci = Uci { convention: Convention::Uci };
const UCCI: Ucci = Ucci { milliseconds: false };

fn option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.into(), value: value.map(Into::into) }
}

fn position(convention: Convention, fen: Option<&str>, moves: &[&str]) -> Command {
    let moves = moves.iter().map(|&m| m.into()).collect();
    Command::Position(Setup { convention, fen: fen.map(Into::into), moves })
}

fn go(limits: Limits) -> Command {
    Command::Go(Go { search: Search { limits, ..Search::default() }, ..Go::default() })
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Clock> {
    Some(Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go })
}

fn check(dialect: impl Dialect, table: Vec<(&str, Command)>) {
    for (line, command) in table {
        assert_eq!(dialect.parse(line), Ok(command), "{line}");
    }
}

#[test]
fn uci_lines_are_these_commands() {
    let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    check(
        UCI,
        vec![
            ("", Command::Nothing),
            (" \t\r", Command::Nothing),
            ("register later", Command::Nothing),
            ("uci", Command::Greet(Convention::Uci)),
            ("ucci", Command::Greet(Convention::Ucci)),
            ("ucicyclone", Command::Greet(Convention::UciCyclone)),
            ("debug on", Command::Debug(true)),
            ("joho debug off", Command::Debug(false)),
            ("isready\r", Command::IsReady),
            ("  IsReady ", Command::IsReady),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit { draw_offered: false }),
            ("quit", Command::Quit),
            ("setoption name Clear Hash", option("Clear Hash", None)),
            ("setoption name UCI_Elo value 1500", option("UCI_Elo", Some("1500"))),
            (
                "setoption  name  Skill  Level  value  My  Nets ",
                option("Skill Level", Some("My  Nets")),
            ),
            ("setoption name NetsPath value", option("NetsPath", Some(""))),
            ("position startpos", position(Convention::Uci, None, &[])),
            (
                "position\tstartpos  moves e2e4   e7e5",
                position(Convention::Uci, None, &["e2e4", "e7e5"]),
            ),
            ("position startpos moves", position(Convention::Uci, None, &[])),
            (&format!("position fen {fen}"), position(Convention::Uci, Some(fen), &[])),
            (
                &format!("position fen {fen} moves a1a2"),
                position(Convention::Uci, Some(fen), &["a1a2"]),
            ),
            ("startpos moves h2e2", position(Convention::UciCyclone, None, &["h2e2"])),
            ("fen 9/9 w", position(Convention::UciCyclone, Some("9/9 w"), &[])),
        ],
    );
}

#[test]
fn cyclone_once_greeted_means_its_positions_by_its_convention() {
    let cyclone = Uci { convention: Convention::UciCyclone };
    check(cyclone, vec![("position startpos", position(Convention::UciCyclone, None, &[]))]);
}

#[test]
fn ucci_lines_are_these_commands() {
    check(
        UCCI,
        vec![
            ("", Command::Nothing),
            ("ucci", Command::Greet(Convention::Ucci)),
            ("uci", Command::Greet(Convention::Uci)),
            ("isready", Command::IsReady),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit { draw_offered: false }),
            ("ponderhit draw", Command::PonderHit { draw_offered: true }),
            ("quit", Command::Quit),
            ("probe startpos", Command::Probe),
            ("banmoves h2e2 b2e2", Command::BanMoves(vec!["h2e2".into(), "b2e2".into()])),
            ("setoption newgame", Command::NewGame),
            ("setoption newgame ", Command::NewGame),
            ("uxinewgame", Command::NewGame),
            ("setoption usemillisec true", Command::Milliseconds(true)),
            ("setoption UseMilliSec off", Command::Milliseconds(false)),
            ("setoption debug true", Command::Debug(true)),
            ("setoption pruning  large", option("pruning", Some("large"))),
            ("setoption bookfiles", option("bookfiles", None)),
            ("setoption name UCI_Elo value 1500", option("UCI_Elo", Some("1500"))),
            (
                "position fen 9/9 w -- 0 1 moves  h2e2 ",
                position(Convention::Ucci, Some("9/9 w -- 0 1"), &["h2e2"]),
            ),
            ("position startpos", position(Convention::Ucci, None, &[])),
        ],
    );
}

#[test]
fn uci_go_is_these_limits() {
    let by_side = |first, second| Clocks::BySide { first, second };
    let infinite = Limits { infinite: true, ..Limits::default() };
    check(
        UCI,
        vec![
            ("go", go(infinite.clone())),
            ("go infinite", go(infinite.clone())),
            ("go movestogo 40", go(infinite)),
            ("go ponder", go(Limits { ponder: true, ..Limits::default() })),
            ("go depth 3", go(Limits { depth: Some(3), ..Limits::default() })),
            ("go depth 0", go(Limits { depth: Some(1), ..Limits::default() })),
            ("go mate 3", go(Limits { depth: Some(5), ..Limits::default() })),
            ("go mate 3 depth 2", go(Limits { depth: Some(2), ..Limits::default() })),
            ("go nodes 800", go(Limits { nodes: Some(800), ..Limits::default() })),
            ("go movetime 100", go(Limits { movetime: Some(ms(100)), ..Limits::default() })),
            (
                "go wtime 100",
                go(Limits { clocks: by_side(clock(100, 0, None), None), ..Limits::default() }),
            ),
            (
                "go btime -30",
                go(Limits { clocks: by_side(None, clock(0, 0, None)), ..Limits::default() }),
            ),
            (
                "go binc 2 btime 3 movestogo 5 wtime 1 winc 4 ponder",
                go(Limits {
                    clocks: by_side(clock(1, 4, Some(5)), clock(3, 2, Some(5))),
                    ponder: true,
                    ..Limits::default()
                }),
            ),
        ],
    );
}

#[test]
fn ucci_go_is_these_limits() {
    let by_turn = |mover, opponent| Clocks::ByTurn { mover, opponent };
    let base = || Limits { clocks: by_turn(None, None), ..Limits::default() };
    check(
        UCCI,
        vec![
            ("go", go(base())),
            ("go depth 6 ", go(Limits { depth: Some(6), ..base() })),
            ("go depth infinite", go(Limits { infinite: true, ..base() })),
            ("go infinite", go(Limits { infinite: true, ..base() })),
            ("go nodes 9", go(Limits { nodes: Some(9), ..base() })),
            (
                "go movetime 500 depth 9",
                go(Limits { movetime: Some(ms(500)), depth: Some(9), ..base() }),
            ),
            (
                "go time 60 increment 1 opptime 50 oppincrement 2",
                go(Limits {
                    clocks: by_turn(clock(60_000, 1_000, None), clock(50_000, 2_000, None)),
                    ..base()
                }),
            ),
            (
                "go ponder time 60 movestogo 3 opptime 50 oppmovestogo 4",
                go(Limits {
                    clocks: by_turn(clock(60_000, 0, Some(3)), clock(50_000, 0, Some(4))),
                    ponder: true,
                    ..base()
                }),
            ),
        ],
    );
    check(
        Ucci { milliseconds: true },
        vec![(
            "go time 60 increment 1",
            go(Limits { clocks: by_turn(clock(60, 1, None), None), ..base() }),
        )],
    );
}

#[test]
fn go_depth_zero_wants_no_move_in_ucci() {
    let Ok(Command::Go(go)) = UCCI.parse("go depth 0") else { panic!("a go") };
    assert!(go.score_only);
    assert_eq!(go.search.limits.depth, Some(1));
}

#[test]
fn a_draw_can_be_offered_with_and_without_limits() {
    for line in ["go draw", "go draw time 5 opptime 5"] {
        let Ok(Command::Go(go)) = UCCI.parse(line) else { panic!("a go") };
        assert!(go.search.draw_offered && go.unread.is_empty(), "{line}");
    }
}

#[test]
fn searchmoves_end_with_the_next_word_of_go() {
    for line in ["go searchmoves e2e4 d2d4 nodes 7", "go nodes 7 searchmoves e2e4 d2d4"] {
        let Ok(Command::Go(go)) = UCI.parse(line) else { panic!("a go") };
        assert_eq!(go.search.allowed, AllowedMoves::Only(vec!["e2e4".into(), "d2d4".into()]));
        assert_eq!(go.search.limits.nodes, Some(7), "{line}");
        assert!(!go.search.limits.infinite);
    }
}

#[test]
fn what_cannot_be_read_in_go_is_passed_over() {
    for (line, unread) in [
        ("go wtime soon btime 100", "`wtime` got `soon`, wanted a whole number of milliseconds"),
        ("go wtime btime 100", "`wtime` got `btime`, wanted a whole number of milliseconds"),
        ("go fast btime 100", "`go` got `fast`, wanted one of the words that UCI has for it"),
        (
            "go btime 100 wtime 99999999999999999999",
            "`wtime` got `99999999999999999999`, wanted a whole number of milliseconds",
        ),
        ("go btime 100 depth -1", "`depth` got `-1`, wanted a whole number from 0"),
        ("go btime 100 nodes", "nothing follows `nodes`, wanted a whole number from 0"),
    ] {
        let Ok(Command::Go(go)) = UCI.parse(line) else { panic!("a go") };
        let expected = Clocks::BySide { first: None, second: clock(100, 0, None) };
        assert_eq!(go.search.limits.clocks, expected, "{line}");
        let messages: Vec<_> = go.unread.iter().map(ToString::to_string).collect();
        assert_eq!(messages, [unread], "{line}");
    }
}

#[test]
fn a_limit_that_cannot_be_read_does_not_mean_for_ever() {
    let Ok(Command::Go(go)) = UCI.parse("go movetime soon") else { panic!("a go") };
    assert!(!go.search.limits.infinite);
}

#[test]
fn an_error_says_what_came_and_what_was_wanted() {
    for (line, message) in [
        (
            "hello there",
            "no command in `hello there`, wanted one of uci, ucci, debug, isready, setoption, \
             ucinewgame, position, go, stop, ponderhit, quit",
        ),
        ("position", "nothing follows `position`, wanted `startpos` or `fen` and a position"),
        ("position e2e4", "`position` got `e2e4`, wanted `startpos` or `fen` and a position"),
        ("position fen moves e2e4", "nothing follows `fen`, wanted a position"),
        ("position startpos e2e4", "`startpos` got `e2e4`, wanted `moves` or the end of the line"),
        ("debug maybe", "`debug` got `maybe`, wanted `on` or `off`"),
        ("setoption", "nothing follows `setoption`, wanted `name` and the name of an option"),
        (
            "setoption UCI_Elo value 5",
            "`setoption` got `UCI_Elo`, wanted `name` and the name of an option",
        ),
        ("setoption name value 5", "nothing follows `name`, wanted the name of an option"),
    ] {
        assert_eq!(UCI.parse(line).unwrap_err().to_string(), message, "{line}");
    }
    assert_eq!(
        UCCI.parse("setoption usemillisec perhaps").unwrap_err().to_string(),
        "`usemillisec` got `perhaps`, wanted true or false"
    );
}

fn line(score: Score, moves: &[&str]) -> Line {
    let moves = moves.iter().map(|&m| m.into()).collect();
    Line { depth: 2, rank: None, score, nodes: 30, time_ms: 15, moves }
}

fn spec(name: &'static str, kind: OptionKind) -> Reply {
    Reply::Option(OptionSpec { name, kind, help: "" })
}

fn best(best: Option<&str>, ponder: Option<&str>, gesture: Option<Gesture>) -> Reply {
    Reply::BestMove(Answer { best: best.map(Into::into), ponder: ponder.map(Into::into), gesture })
}

#[test]
fn replies_are_these_lines() {
    let values = &["chess", "xiangqi"];
    let second = Line { rank: Some(2), ..line(Score::EVEN, &["a1a2"]) };
    for (reply, uci, ucci) in [
        (
            Reply::Id { key: "name", value: "Errare".into() },
            Some("id name Errare"),
            Some("id name Errare"),
        ),
        (Reply::Greeted, Some("uciok"), Some("ucciok")),
        (Reply::Ready, Some("readyok"), Some("readyok")),
        (Reply::NothingToStop, None, Some("nobestmove")),
        (Reply::Probed, None, Some("pophash")),
        (Reply::Bye, None, Some("bye")),
        (
            Reply::Button("newgame"),
            Some("option name newgame type button"),
            Some("option newgame type button"),
        ),
        (
            spec("UCI_LimitStrength", OptionKind::Check { default: false }),
            Some("option name UCI_LimitStrength type check default false"),
            Some("option uci_limitstrength type check default false"),
        ),
        (
            spec("MultiPV", OptionKind::Spin { default: 1, min: 1, max: 500 }),
            Some("option name MultiPV type spin default 1 min 1 max 500"),
            Some("option multipv type spin min 1 max 500 default 1"),
        ),
        (
            spec("TopP", OptionKind::Decimal { default: 0.95, min: 0.0, max: 1.0 }),
            Some("option name TopP type string default 0.95"),
            Some("option topp type string default 0.95"),
        ),
        (
            spec("UCI_Variant", OptionKind::Combo { default: "chess", values }),
            Some("option name UCI_Variant type combo default chess var chess var xiangqi"),
            Some("option uci_variant type combo var chess var xiangqi default chess"),
        ),
        (
            spec("NetsPath", OptionKind::Text),
            Some("option name NetsPath type string default <empty>"),
            Some("option netspath type string"),
        ),
        (
            Reply::Line(line(Score::Centipawns(-35), &["h2e2", "h9g7"])),
            Some("info depth 2 score cp -35 nodes 30 nps 2000 time 15 pv h2e2 h9g7"),
            Some("info depth 2 score -8 time 15 nodes 30 pv h2e2 h9g7"),
        ),
        (
            Reply::Line(second),
            Some("info depth 2 multipv 2 score cp 0 nodes 30 nps 2000 time 15 pv a1a2"),
            Some("info depth 2 score 0 time 15 nodes 30 pv a1a2"),
        ),
        (
            Reply::Line(line(Score::Mate(2), &["h2e2"])),
            Some("info depth 2 score mate 2 nodes 30 nps 2000 time 15 pv h2e2"),
            Some("info depth 2 score 9997 time 15 nodes 30 pv h2e2"),
        ),
        (
            Reply::Line(line(Score::Mated(1), &["h2e2"])),
            Some("info depth 2 score mate -1 nodes 30 nps 2000 time 15 pv h2e2"),
            Some("info depth 2 score -9998 time 15 nodes 30 pv h2e2"),
        ),
        (
            Reply::Line(line(Score::Mated(0), &[])),
            Some("info depth 2 score mate 0 nodes 30 nps 2000 time 15"),
            Some("info depth 2 score -10000 time 15 nodes 30"),
        ),
        (
            Reply::Line(line(Score::Centipawns(50_000), &[])),
            Some("info depth 2 score cp 50000 nodes 30 nps 2000 time 15"),
            Some("info depth 2 score 9000 time 15 nodes 30"),
        ),
        (
            Reply::Message("two\nlines".into()),
            Some("info string two lines"),
            Some("info message two lines"),
        ),
        (
            Reply::Message("`ponderhit` got `Draw`, not bestmove or resign".into()),
            Some("info string `ponderhit` got `Draw`, not bestmove or resign"),
            Some("info message `ponderhit` got `D-raw`, not b-estmove or r-esign"),
        ),
        (best(None, None, None), Some("bestmove (none)"), Some("nobestmove")),
        (best(Some("e2e4"), None, None), Some("bestmove e2e4"), Some("bestmove e2e4")),
        (
            best(Some("h2e2"), Some("h9g7"), Some(Gesture::Draw)),
            Some("bestmove h2e2 ponder h9g7"),
            Some("bestmove h2e2 ponder h9g7 draw"),
        ),
        (
            best(Some("h2e2"), None, Some(Gesture::Resign)),
            Some("bestmove h2e2"),
            Some("bestmove h2e2 resign"),
        ),
    ] {
        assert_eq!(UCI.format(&reply).as_deref(), uci, "{reply:?}");
        assert_eq!(UCCI.format(&reply).as_deref(), ucci, "{reply:?}");
    }
}

#[test]
fn no_line_is_too_strange() {
    const WORDS: [&str; 24] = [
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "wtime",
        "depth",
        "infinite",
        "searchmoves",
        "setoption",
        "name",
        "value",
        "usemillisec",
        "banmoves",
        "draw",
        "debug",
        "ponderhit",
        "-1",
        "99999999999999999999",
        "\u{0}",
        "\u{feff}",
        "\u{202e}",
        "帥五平六",
        "\t\r",
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..20_000 {
        let length = rng.random_range(0..8);
        let words: Vec<_> =
            (0..length).map(|_| *WORDS.get(rng.random_range(0..WORDS.len())).unwrap()).collect();
        let line = words.join(if rng.random() { " " } else { "" });
        for dialect in [&UCI as &dyn Dialect, &UCCI] {
            let remark = match dialect.parse(&line) {
                Ok(_) => continue,
                Err(error) => dialect.format(&Reply::Message(error.to_string())).unwrap(),
            };
            assert!(!remark.contains(['\n', '\r', '\0']), "{line:?}: {remark:?}");
        }
    }
}
