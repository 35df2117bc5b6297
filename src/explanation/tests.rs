use super::*;
use crate::{
    chess::{self, Castling},
    engine,
    game::Game as _,
    xiangqi,
};

const EPSILON: f64 = 1e-6;

fn sums_hold<M>(explanation: &Explanation<M>) {
    let total: f64 = explanation.moves.iter().map(|explained| explained.probability).sum();
    assert!((total - 1.0).abs() < EPSILON, "{total}");
    for Explained { probability, shares, bits, .. } in &explanation.moves {
        let sum = |by: &ByPart| Part::ALL.into_iter().map(|part| by.get(part)).sum::<f64>();
        assert!((explanation.by_chance + sum(shares) - probability).abs() < EPSILON);
        assert!((explanation.by_chance.log2() + sum(bits) - probability.log2()).abs() < 1e-4);
    }
}

#[test]
fn shares_sum_to_the_probability_in_both_games() {
    let book = Some(engine::chess_book());
    let mut chess = Explainer::new(engine::chess_network(), book);
    let explanation = chess.explain(&chess::Game::start(), 1500, 1);
    assert_eq!(explanation.moves.len(), 20);
    sums_hold(&explanation);
    let mut xiangqi = Explainer::new(engine::xiangqi_network(), None);
    sums_hold(&xiangqi.explain(&xiangqi::Game::start(), 1300, 0));
}

#[test]
fn what_is_explained_is_what_is_played() {
    use crate::model::Effort;
    let game =
        chess::Game::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
            .unwrap();
    let settings = engine::Settings::at_rating(Some(1500));
    let mut player = engine::chess_player(None, &settings);
    let played = player.predict(&game, Effort::default(), &|| false, &mut |_| {});
    let mut explainer = Explainer::new(engine::chess_network(), Some(engine::chess_book()));
    let explained = explainer.explain(&game, 1500, 1);
    sums_hold(&explained);
    for (played, explained) in played.candidates().iter().zip(&explained.moves) {
        assert!((played.probability - explained.probability).abs() < EPSILON);
    }
    let mate = game.parse_move("f3f7", Castling::Standard).unwrap();
    assert_eq!(explained.moves[0].m, mate);
    assert!(!explained.moves[0].reasons.is_empty() && explained.moves[1].reasons.is_empty());
    let bits: f64 = explained.moves[0].reasons.iter().map(|reason| reason.bits).sum();
    assert!(
        bits > 0.0,
        "more speaks for the mate than against it: {:?}",
        explained.moves[0].reasons
    );
}

#[test]
fn a_recapture_is_remembered_and_a_bare_position_is_not() {
    let mut game = chess::Game::start();
    for text in ["e2e4", "d7d5", "e4d5"] {
        game.play(&game.parse_move(text, Castling::Standard).unwrap());
    }
    let bare = chess::Game::from_fen(&game.fen()).unwrap();
    let recapture = game.parse_move("d8d5", Castling::Standard).unwrap();
    let mut explainer = Explainer::new(engine::chess_network(), None);
    let mut memory = |game: &chess::Game| {
        let explanation = explainer.explain(game, 1500, 0);
        sums_hold(&explanation);
        explanation.moves.iter().find(|explained| explained.m == recapture).unwrap().shares.memory
    };
    assert!(memory(&game) > 0.02);
    assert!(memory(&bare) < memory(&game));
}
