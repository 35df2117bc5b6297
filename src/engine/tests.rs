use super::*;
use crate::player::{AllowedMoves, Limits, Line};

const XIANGQI_START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn setup(convention: Convention, fen: Option<&str>, moves: &str) -> Setup {
    Setup {
        convention,
        fen: fen.map(str::to_owned),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
    }
}

/// The answer in the current position, with every line said before it.
fn ask(engine: &mut Engine, search: &Search) -> (Answer, Vec<Line>) {
    let mut lines = Vec::new();
    let answer = engine.choose(search, &Stop::new(), &mut |info| {
        if let Info::Line(line) = info {
            lines.push(line);
        }
    });
    (answer, lines)
}

/// A quick search: one ply.
fn quick() -> Search {
    Search { limits: Limits { depth: Some(1), ..Limits::default() }, ..Search::default() }
}

#[test]
fn a_fen_tells_its_game_and_startpos_the_variants() {
    let mut engine = Engine::new();
    engine.set_up(&setup(Convention::Uci, Some(XIANGQI_START), "")).unwrap();
    assert_eq!(engine.playing, Variant::Xiangqi);
    engine.set_up(&setup(Convention::Uci, None, "e2e4")).unwrap();
    assert_eq!(engine.playing, Variant::Chess);
    engine.set_option("uci_variant", "XIANGQI").unwrap();
    assert_eq!(engine.playing, Variant::Xiangqi);
    engine.set_up(&setup(Convention::Uci, None, "h3e3")).unwrap();
    assert_eq!(engine.playing, Variant::Xiangqi);
}

#[test]
fn ranks_are_counted_as_the_convention_the_list_or_the_option_has_it() {
    let spelled = |engine: &mut Engine, setup: &Setup| {
        engine.set_up(setup).unwrap();
        engine.xiangqi.spelling
    };
    let mut engine = Engine::new();
    let ucci = setup(Convention::Ucci, None, "h2e2");
    assert_eq!(spelled(&mut engine, &ucci), Ranks::FromZero);
    let bare = setup(Convention::Uci, Some(XIANGQI_START), "");
    assert_eq!(spelled(&mut engine, &bare), Ranks::FromZero);
    let ten = setup(Convention::Uci, Some(XIANGQI_START), "h3e3 b10c8");
    assert_eq!(spelled(&mut engine, &ten), Ranks::FromOne);
    engine.set_option("UCI_Variant", "xiangqi").unwrap();
    assert_eq!(spelled(&mut engine, &bare), Ranks::FromOne);
    engine.set_option("XiangqiCoords", "0-9").unwrap();
    assert_eq!(spelled(&mut engine, &bare), Ranks::FromZero);
}

#[test]
fn what_cannot_be_set_up_changes_nothing() {
    let mut engine = Engine::new();
    engine.set_up(&setup(Convention::Uci, None, "e2e4")).unwrap();
    let before = engine.chess.game.fen();
    for bad in [
        setup(Convention::Uci, None, "e2e4 e7e5 e1e3"),
        setup(Convention::Uci, Some("8/8/8/8/8/8/8/8 w - - 0 1"), ""),
        setup(Convention::Uci, Some("nonsense"), ""),
        setup(Convention::Uci, Some(""), ""),
        setup(Convention::Ucci, None, "e2e5"),
    ] {
        let error = engine.set_up(&bad).unwrap_err().to_string();
        assert!(error.starts_with("got "), "{error}");
        assert_eq!((engine.playing, engine.chess.game.fen()), (Variant::Chess, before.clone()));
    }
}

#[test]
fn a_line_that_continues_the_game_keeps_its_moves() {
    let mut engine = Engine::new();
    engine.greet(Convention::Ucci);
    engine.set_up(&setup(Convention::Ucci, None, "h2e2 h9g7 h0g2 i9h9")).unwrap();
    // we answer e2e6 and the opponent b9c7: two moves that the engine is not told of
    let mut game = engine.xiangqi.game.clone();
    for m in ["e2e6", "b9c7"] {
        game.play(&game.parse_move(m, Ranks::FromZero).unwrap());
    }
    engine.set_up(&setup(Convention::Ucci, Some(&game.fen()), "")).unwrap();
    assert_eq!(engine.xiangqi.game.plies_played(), 6);
    assert_eq!(engine.xiangqi.game.position(), game.position());
    engine.new_game();
    engine.set_up(&setup(Convention::Ucci, Some(&game.fen()), "")).unwrap();
    assert_eq!(engine.xiangqi.game.plies_played(), 0);
}

#[test]
fn the_last_line_begins_with_the_move_chosen() {
    for multi_pv in ["1", "3", "100"] {
        let mut engine = Engine::new();
        engine.set_option("MultiPV", multi_pv).unwrap();
        for _ in 0..20 {
            let (answer, lines) = ask(&mut engine, &quick());
            assert_eq!(lines.last().unwrap().moves.first(), answer.best.as_ref());
        }
    }
}

#[test]
fn as_many_lines_are_shown_as_were_asked_for() {
    let mut engine = Engine::new();
    engine.set_option("MultiPV", "5").unwrap();
    let (_, lines) = ask(&mut engine, &quick());
    let mut ranks: Vec<_> = lines.iter().map(|line| line.rank).collect();
    ranks.sort();
    assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4), Some(5)]);
}

#[test]
fn a_seed_draws_the_same_game_again() {
    let mut engine = Engine::new();
    let mut game = |seed: &str| {
        engine.set_option("Seed", seed).unwrap();
        let mut moves = String::new();
        for _ in 0..12 {
            engine.set_up(&setup(Convention::Uci, None, &moves)).unwrap();
            let (answer, _) = ask(&mut engine, &quick());
            // now and then somebody is mated this soon
            let Some(best) = answer.best else { break };
            moves += &format!("{best} ");
        }
        moves
    };
    let first = game("7");
    assert_eq!(first, game("7"));
    assert_ne!(first, game("8"));
    assert_ne!(game("0"), game("0"), "twelve moves are not drawn alike by chance");
}

#[test]
fn only_allowed_moves_are_chosen() {
    let mut engine = Engine::new();
    let words = |moves: &str| moves.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let search = |allowed| Search { allowed, ..quick() };
    let only = search(AllowedMoves::Only(words("a2a3 e2e5 nonsense")));
    assert_eq!(ask(&mut engine, &only).0.best.as_deref(), Some("a2a3"));
    let nothing = search(AllowedMoves::Only(words("0000")));
    let (answer, lines) = ask(&mut engine, &nothing);
    assert_eq!((answer.best, lines.len()), (None, 1));
    engine.set_up(&setup(Convention::Uci, Some("7k/8/8/8/8/8/r7/7K w - - 0 1"), "")).unwrap();
    let banned = search(AllowedMoves::AllBut(words("h1g1")));
    assert_eq!(ask(&mut engine, &banned).0.best, None, "there was but one legal move");
}

#[test]
fn at_temperature_zero_the_likeliest_move_is_played() {
    let mut engine = Engine::new();
    engine.set_option("Temperature", "0").unwrap();
    let best: Vec<_> = (0..5).map(|_| ask(&mut engine, &quick()).0.best).collect();
    assert!(best.iter().all(|again| again == &best[0]), "{best:?}");
}

#[test]
fn every_option_can_be_set_to_its_default() {
    let mut engine = Engine::new();
    for option in OPTIONS {
        engine.set_option(option.name, &option.default_value()).unwrap();
    }
    assert_eq!(engine.settings, Settings { variant: Some(Variant::Chess), ..Settings::default() });
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_reason() {
    let mut engine = Engine::new();
    for name in ["WeightsFile", "NetsPath"] {
        let error = engine.set_option(name, "/no/such/file").unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("/no/such/file"), "{error}");
    }
    assert!(ask(&mut engine, &quick()).0.best.is_some());
}

#[test]
fn where_no_move_is_left_it_says_how_the_game_stands() {
    let mut engine = Engine::new();
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", crate::model::Score::EVEN),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", crate::model::Score::Mated(0)),
        ("R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1", crate::model::Score::Mated(0)),
    ] {
        engine.set_up(&setup(Convention::Uci, Some(fen), "")).unwrap();
        let (answer, lines) = ask(&mut engine, &Search::default());
        assert_eq!((answer, lines.len()), (Answer::default(), 1));
        assert_eq!((lines[0].score, lines[0].depth), (score, 0), "{fen}");
    }
}

#[test]
fn the_reason_stands_within_what_a_remark_has_room_for() {
    const ROOM: usize = 400;
    let path = format!("/nowhere{}", "/folder".repeat(20));
    let message = Engine::new().set_option("WeightsFile", &path).unwrap_err().to_string();
    assert!(message.len() <= ROOM && message.contains("os error"), "{message}");
}
