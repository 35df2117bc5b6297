use super::*;
use crate::{
    chess::{self, Castling},
    model::{Candidate, Prediction, Score},
    xiangqi::{self, notation::iccs::Ranks},
};

fn chess_game(moves: &str) -> chess::Game {
    played(chess::Game::start(), moves, Castling::Standard)
}

fn xiangqi_game(moves: &str) -> xiangqi::Game {
    played(xiangqi::Game::start(), moves, Ranks::FromZero)
}

fn played<G: Game>(mut game: G, moves: &str, spelling: G::Spelling) -> G {
    for text in moves.split_whitespace() {
        game.play(&game.parse_move(text, spelling).unwrap());
    }
    game
}

/// A book of moves that were played from the start so many times by players of a rating.
fn book(played: &[(&str, usize, Option<u16>)]) -> Book {
    let game = chess::Game::start();
    let mut counting = Counting::default();
    for &(text, times, rating) in played {
        let m = game.parse_move(text, Castling::Standard).unwrap();
        (0..times).for_each(|_| counting.count(&game, &m, rating));
    }
    counting.finish(Card { least: 2, ..Card::new::<chess::Game>("chess", "a test", "2026-11-29") })
}

/// What a model says that thinks all moves equally likely.
fn uniform<G: Game>(game: &G) -> Prediction<G::Move> {
    let candidate =
        |m: G::Move| Candidate { line: vec![m.clone()], m, probability: 1.0, score: Score::EVEN };
    Prediction::new(game.legal_moves().into_iter().map(candidate).collect(), 1, 1)
}

fn probability(prediction: &Prediction<shakmaty::Move>, text: &str) -> f64 {
    let m = chess::Game::start().parse_move(text, Castling::Standard).unwrap();
    prediction.candidates().iter().find(|candidate| candidate.m == m).unwrap().probability
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let one = chess_game("g1f3 g8f6 b1c3");
    let other = chess_game("b1c3 g8f6 g1f3");
    assert_eq!(one.entry(Key::Position, &[]), other.entry(Key::Position, &[]));
    let from_fen = chess::Game::from_fen(&one.fen()).unwrap();
    assert_eq!(
        one.entry(Key::Position, &one.legal_moves()),
        from_fen.entry(Key::Position, &from_fen.legal_moves())
    );
    assert_ne!(one.entry(Key::Position, &[]), chess_game("g1f3 g8f6").entry(Key::Position, &[]));
}

#[test]
fn mirror_images_are_one_position_with_one_set_of_moves() {
    let (left, right) = (xiangqi_game("b2e2"), xiangqi_game("h2e2"));
    assert_eq!(left.entry(Key::Position, &[]).position, right.entry(Key::Position, &[]).position);
    let answer = |game: &xiangqi::Game, text| {
        game.entry(Key::Position, &[game.parse_move(text, Ranks::FromZero).unwrap()]).moves
    };
    assert_eq!(answer(&left, "b9c7"), answer(&right, "h9g7"));
    assert_ne!(answer(&left, "b9c7"), answer(&right, "b9c7"));
    let start = xiangqi::Game::start();
    assert_ne!(
        answer(&start, "b2e2"),
        answer(&start, "h2e2"),
        "what is its own image has moves of either side"
    );
}

#[test]
fn moves_are_told_apart() {
    let promotion = chess::Game::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    for game in [chess_game("e2e4"), promotion] {
        let mut moves = game.entry(Key::Position, &game.legal_moves()).moves;
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), game.legal_moves().len());
    }
}

#[test]
fn a_prediction_counts_for_a_few_moves() {
    // 8 of the model's and 12 seen; each of 20 moves has a twentieth of the 8
    let book = book(&[("e2e4", 12, Some(1550))]);
    let game = chess::Game::start();
    let mixed = book.mixed(&game, 1550, uniform(&game));
    assert!((probability(&mixed, "e2e4") - (0.4 + 12.0) / 20.0).abs() < 1e-12);
    assert!((probability(&mixed, "d2d4") - 0.4 / 20.0).abs() < 1e-12);
}

#[test]
fn counts_of_other_ratings_count_less_the_farther_they_are() {
    let book = book(&[("e2e4", 100, Some(1050)), ("d2d4", 100, Some(2050))]);
    let game = chess::Game::start();
    let share = |rating| probability(&book.mixed(&game, rating, uniform(&game)), "e2e4");
    assert!(share(1000) > share(1400) && share(1400) > share(2000));
    assert!(share(1000) > 0.9 && share(2000) < 0.1);
    let unrated = self::book(&[("e2e4", 100, None)]);
    assert_eq!(
        unrated.weighted(Key::Position, &game.entry(Key::Position, &[]), 1500),
        Some(vec![])
    );
    let moves = [game.parse_move("e2e4", Castling::Standard).unwrap()];
    let counted = 100.0 * unrated.card.unrated;
    assert_eq!(
        unrated.weighted(Key::Position, &game.entry(Key::Position, &moves), 1500),
        Some(vec![counted])
    );
}

#[test]
fn what_was_seen_too_seldom_or_never_is_left_to_the_model() {
    let book = book(&[("e2e4", 1, None)]);
    assert!(book.is_empty());
    let game = chess_game("e2e4");
    assert_eq!(book.mixed(&game, 1500, uniform(&game)), uniform(&game));
}

#[test]
fn a_book_written_and_read_is_the_same() {
    let mut counting = Counting::default();
    let mut game = xiangqi::Game::start();
    for ply in 0..40 {
        let legal = game.legal_moves();
        let m = legal[ply * 7 % legal.len()];
        for rating in [None, Some(0), Some(1499), Some(1500), Some(9999)] {
            counting.count(&game, &m, rating);
        }
        game.play(&m);
    }
    assert_eq!(counting.len(), 200);
    let book = counting.finish(Card::new::<xiangqi::Game>("xiangqi", "a test", "2026-11-29"));
    assert!(book.len() > 30);
    let (card, bytes) = book.to_files().unwrap();
    let read = Book::load::<xiangqi::Game>(&card, &bytes).unwrap();
    assert_eq!(read.card.positions, book.len() as u64);
    let counts = |book: &Book| {
        book.positions().map(|(key, counts)| (key, counts.to_vec())).collect::<Vec<_>>()
    };
    assert_eq!(counts(&book), counts(&read));
}

#[test]
fn a_book_that_cannot_be_used_is_refused() {
    let (card, bytes) = book(&[("e2e4", 5, Some(1500))]).to_files().unwrap();
    let loaded = Book::load::<chess::Game>;
    assert!(matches!(loaded("", &bytes), Err(LoadError::Card { .. })));
    assert!(matches!(loaded(&card, b"other"), Err(LoadError::Counts { .. })));
    let other = Book::load::<xiangqi::Game>(&card, &bytes);
    assert!(matches!(other, Err(LoadError::Start { .. })));
    // a card that fits whatever the bytes are
    let described = |bytes: &[u8]| {
        use sha2::Digest;
        let hash: String =
            sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let old = card.lines().find(|line| line.starts_with("sha256")).unwrap();
        card.replace(old, &format!("sha256 = \"{hash}\""))
    };
    assert!(matches!(loaded(&described(b"x"), b"x"), Err(LoadError::Compression { .. })));
    for broken in [&b"\x80"[..], &[5, 200, 1, 1], &[5, 1, 1, 30, 1], &[5, 0, 0, 0]] {
        let bytes = zstd::encode_all(broken, 1).unwrap();
        let error = loaded(&described(&bytes), &bytes).unwrap_err();
        assert!(matches!(error, LoadError::Broken { .. }), "{broken:?}: {error}");
    }
}

#[test]
fn a_setup_is_the_own_men_and_the_last_move() {
    let alike =
        |key, one, other| chess_game(one).entry(key, &[]) == chess_game(other).entry(key, &[]);
    let (one, other) = ("d2d4 a7a6 c1f4 d7d5", "d2d4 h7h6 c1f4 d7d5");
    assert!(alike(Key::Setup, one, other) && !alike(Key::Position, one, other));
    assert!(!alike(Key::Setup, "d2d4 d7d5", "d2d4 g8f6"));
    assert!(!alike(Key::Setup, "d2d4 d7d5", "e2e4 d7d5"));
    assert!(!alike(Key::Setup, "", "d2d4"), "the other color has other men");
    let mirrored = |one, other| {
        let setup = |moves| xiangqi_game(moves).entry(Key::Setup, &[]).position;
        setup(one) == setup(other)
    };
    assert!(mirrored("h2e2 h9g7", "b2e2 b9c7") && mirrored("h2e2", "b2e2"));
    assert!(!mirrored("h2e2 h9g7", "h2e2 a9a8"));
}

#[test]
fn a_persons_counts_of_positions_outweigh_those_of_setups() {
    let mut counting = Counting::default();
    let game = chess_game("g1f3 d7d5 f3g1 d5d4");
    let m = game.parse_move("e2e4", Castling::Standard).unwrap();
    (0..12).for_each(|_| counting.count_by_all(&game, &m, None));
    let card = Card::new::<chess::Game>("chess", "a test", "2026-11-30").of_person();
    let (setup, position) = (card.prior_of_setup.unwrap(), card.prior);
    let (card, bytes) = counting.finish(card).to_files().unwrap();
    let book = Book::load::<chess::Game>(&card, &bytes).unwrap();
    let by = |prior: f64, before: f64| (prior * before + 12.0) / (prior + 12.0);
    let of = |moves| probability_in(&chess_game(moves), &book, &m);
    // the pawn on d4 leaves nineteen moves
    let by_setup = by(setup, 1.0 / 19.0);
    assert!((of("g1f3 d7d5 f3g1 d5d4") - by(position, by_setup)).abs() < 1e-12);
    let elsewhere = "g1f3 d7d5 f3g1 a7a6 g1f3 a6a5 f3g1 d5d4";
    assert!((of(elsewhere) - by_setup).abs() < 1e-12, "only the setup is known");
    assert!((of("g1f3 d7d5 f3g1 c8e6") - 1.0 / 20.0).abs() < 1e-12, "nothing is");
}

/// How likely a move is by a book and a model that thinks all moves equally likely.
fn probability_in(game: &chess::Game, book: &Book, m: &shakmaty::Move) -> f64 {
    let mixed = book.mixed(game, 1550, uniform(game));
    mixed.candidates().iter().find(|candidate| candidate.m == *m).unwrap().probability
}
