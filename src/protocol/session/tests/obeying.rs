//! Dialects, options, positions and lines that nobody understands.

use super::*;

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
