//! How conversations end.

use super::*;

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
