use std::time::Instant;

use super::*;
use crate::{
    attributes::full::{LoadError, MeasuredOn, Samples, fit_person},
    chess,
    evaluation::{Observation, Tally},
    xiangqi,
};

fn chess_network() -> Arc<Network> {
    let (card, network) =
        Network::load::<chess::Game>(chess::full::shipped::CARD, chess::full::shipped::PARAMETERS)
            .unwrap();
    assert_eq!(card.game, "chess");
    Arc::new(network)
}

fn xiangqi_network() -> Arc<Network> {
    let shipped = (xiangqi::full::shipped::CARD, xiangqi::full::shipped::PARAMETERS);
    let (card, network) = Network::load::<xiangqi::Game>(shipped.0, shipped.1).unwrap();
    assert_eq!(card.game, "xiangqi");
    Arc::new(network)
}

fn predict<G: Beheld>(network: &Arc<Network>, rating: u16, game: &G) -> Prediction<G::Move> {
    FullModel::new(network.clone(), rating).predict(game, Effort::default(), &|| false, &mut |_| {})
}

fn likeliest(fen: &str, rating: u16) -> (String, f64) {
    let game = chess::Game::from_fen(fen).unwrap();
    let prediction = predict(&chess_network(), rating, &game);
    let first = &prediction.candidates()[0];
    (game.write_move(&first.m, chess::Castling::Standard), first.probability)
}

#[test]
fn every_legal_move_is_predicted_once() {
    let network = chess_network();
    let mut game = chess::Game::start();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"] {
        game.play(&game.parse_move(text, chess::Castling::Standard).unwrap());
        let prediction = predict(&network, 1500, &game);
        assert_eq!(prediction.candidates().len(), game.legal_moves().len());
        let total: f64 = prediction.candidates().iter().map(|c| c.probability).sum();
        assert!((total - 1.0).abs() < 1e-9);
        assert!(prediction.nodes > 100 && prediction.depth == 2);
    }
    let game = xiangqi::Game::start();
    let prediction = predict(&xiangqi_network(), 1200, &game);
    assert_eq!(prediction.candidates().len(), 44);
}

#[test]
fn people_take_back_and_mate_and_open_as_people_do() {
    // 1 e4 d5 2 exd5
    let (m, probability) =
        likeliest("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 1500);
    assert!(m == "d8d5" && probability > 0.4, "{m} {probability}");
    let (m, _) = likeliest("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1500);
    assert_eq!(m, "a1a8");
    let (m, _) = likeliest("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1500);
    assert!(["e2e4", "d2d4"].contains(&m.as_str()), "{m}");
}

#[test]
fn the_rating_changes_what_is_likely() {
    let game = chess::Game::from_fen(
        "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6",
    )
    .unwrap();
    let network = chess_network();
    let (weak, strong) = (predict(&network, 1000, &game), predict(&network, 2200, &game));
    assert_ne!(weak.candidates(), strong.candidates());
    // ratings nobody has are taken for the nearest that are known
    assert_eq!(
        predict(&network, 0, &game).candidates(),
        predict(&network, 900, &game).candidates()
    );
}

#[test]
fn a_mate_is_scored_as_such_and_a_finished_game_is_empty() {
    let network = chess_network();
    let game = chess::Game::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
    assert_eq!(predict(&network, 1500, &game).candidates()[0].score, Score::Mate(1));
    let over = chess::Game::from_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").unwrap();
    assert!(predict(&network, 1500, &over).is_empty());
}

#[test]
fn a_move_takes_less_than_twenty_milliseconds() {
    let game = chess::Game::from_fen(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    )
    .unwrap();
    let mut model = FullModel::new(chess_network(), 1500);
    // the quickest of several, because the machine may be busy
    let quickest = (0..20)
        .map(|_| {
            let begin = Instant::now();
            model.probabilities(&game);
            begin.elapsed()
        })
        .min()
        .unwrap();
    assert!(quickest.as_millis() < 20, "{quickest:?}");
}

#[test]
fn a_network_that_is_not_what_its_card_says_is_refused() {
    let (card, bytes) = (chess::full::shipped::CARD, chess::full::shipped::PARAMETERS);
    let load = |card: &str, bytes: &[u8]| Network::load::<chess::Game>(card, bytes).unwrap_err();
    let mut changed = bytes.to_vec();
    changed[17] ^= 1;
    let error = load(card, &changed);
    assert!(matches!(error, LoadError::Parameters { .. }), "{error}");
    assert!(error.to_string().contains("wanted"));
    let error = load("game = \"chess\"", bytes);
    assert!(matches!(error, LoadError::Card { .. }), "{error}");
    let other = Network::load::<xiangqi::Game>(card, bytes).unwrap_err();
    assert!(matches!(other, LoadError::Catalog { .. }), "{other}");
}

#[test]
fn what_was_measured_is_rounded_to_what_it_is_worth() {
    let mut tally = Tally::default();
    tally.add(1, &Observation::new(&[0.2, 0.8], 0));
    tally.add(2, &Observation::new(&[0.2, 0.8], 1));
    tally.add(3, &Observation::new(&[0.2, 0.8], 1));
    let measured = MeasuredOn::new("some games", &tally.metrics().unwrap());
    // bits: a third of log2 5 and two thirds of log2 1.25
    assert_eq!((measured.moves, measured.top1, measured.bits), (3, 66.67, 0.9886));
}

#[test]
fn a_person_who_always_does_the_same_is_learnt_from_a_few_games() {
    // always h2h4 at once, which hardly anybody plays
    let game = chess::Game::start();
    let mut model = FullModel::<chess::Game>::new(chess_network(), 1500);
    let m = game.parse_move("h2h4", chess::Castling::Standard).unwrap();
    model.probabilities(&game);
    let place = model.view.moves.iter().position(|other| *other == m).unwrap();
    let circumstances = Circumstances { rating: 1500, other_rating: 1500, phase: model.view.phase };
    let mut samples = Samples::default();
    (0..60).for_each(|game| samples.push(&model.view, place, circumstances, game, 0));
    let before = model.probabilities(&game)[place];
    let person = Arc::new(fit_person(&chess_network(), &samples, 1));
    let after = FullModel::new(person, 1500).probabilities(&game)[place];
    assert!(before < 0.1 && after > 1.3 * before, "{before} {after}");
}
