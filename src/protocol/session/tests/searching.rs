//! What happens while the player thinks.

use super::*;

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
