use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    attributes::{AttributeModel, PEOPLES_STRATEGY, of_rating},
    chess::{self, Castling},
    game::Game as _,
    model::{Candidate, Effort, Model, Prediction, Score},
};

/// One who plays any legal move.
struct Monkey;

impl Model<chess::Game> for Monkey {
    fn predict(
        &mut self,
        game: &chess::Game,
        _: Effort,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(&Prediction<shakmaty::Move>),
    ) -> Prediction<shakmaty::Move> {
        let candidate = |m| Candidate { m, probability: 1.0, score: Score::EVEN, line: vec![m] };
        Prediction::new(game.legal_moves().into_iter().map(candidate).collect(), 0, 0)
    }
}

fn games(contestant: &mut dyn Contestant<chess::Game>, seed: u64) -> Vec<Statistics> {
    let mut watcher = Watcher::new();
    let start = chess::Game::start();
    (0..30)
        .map(|game| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(game);
            let moves = play(contestant, &start, [1500, 1500], 40, &mut rng).unwrap();
            watcher.watch(&start, &moves)
        })
        .collect()
}

fn pairs(human: Vec<Statistics>, other: Vec<Statistics>) -> Vec<Pair> {
    human.into_iter().zip(other).map(|(human, other)| Pair { human, other }).collect()
}

#[test]
fn chance_is_told_from_people_and_people_are_not_told_from_themselves() {
    let look_ahead = |rating: u16| {
        let model = AttributeModel::new(of_rating(rating.into()), PEOPLES_STRATEGY);
        Box::new(model) as Box<dyn Model<chess::Game>>
    };
    let people = games(&mut Modelled::new(look_ahead), 1);
    let others = games(&mut Modelled::new(look_ahead), 2);
    let monkeys = games(&mut Modelled::new(|_| Box::new(Monkey)), 3);
    let told = judge(&pairs(people.clone(), monkeys), Unit::Game, 1).unwrap();
    assert!(told.area.mean > 0.9, "{told:?}");
    assert_eq!(told.area.count, 60);
    assert!(!told.telltales.is_empty());
    let same = judge(&pairs(people, others), Unit::Moves(10), 1).unwrap();
    assert!(same.area.interval.0 < 0.5, "{same:?}");
    assert!(same.area.mean < 0.7 && same.area.count > 60, "{same:?}");
}

#[test]
fn a_shift_of_one_statistic_is_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut case = |shift: f32| -> Vec<f32> {
        (0..40).map(|place| rng.random::<f32>() + if place == 7 { shift } else { 0.0 }).collect()
    };
    let cases: Vec<Vec<f32>> = (0..400).map(|n| case(if n % 2 == 0 { 0.5 } else { 0.0 })).collect();
    let are_human: Vec<bool> = (0..400).map(|n| n % 2 == 0).collect();
    let learnt = Discriminator::learn(&cases[..200], &are_human[..200], 1).unwrap();
    let scores = learnt.scores(&cases[200..]).unwrap();
    let judged: Vec<Judged> = scores
        .iter()
        .enumerate()
        .map(|(n, &score)| Judged { pair: n, fold: 0, is_human: are_human[200 + n], score })
        .collect();
    // uniform numbers half a unit apart: 7/8 at best, were the other 39 known to tell nothing
    let area = area(&judged, 1).unwrap();
    assert!((0.7..0.92).contains(&area.mean), "{area:?}");
    let again = Discriminator::learn(&cases[..200], &are_human[..200], 1).unwrap();
    assert_eq!(again.scores(&cases[200..]).unwrap(), scores, "the seed makes it the same");
}

#[test]
fn statistics_are_those_of_the_plies_asked_for() {
    let mut game = chess::Game::start();
    let mut moves = Vec::new();
    for text in ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d2"] {
        let m = game.parse_move(text, Castling::Standard).unwrap();
        game.play(&m);
        moves.push(m);
    }
    let mut watcher = Watcher::<chess::Game>::new();
    let statistics = watcher.watch(&chess::Game::start(), &moves);
    assert_eq!(statistics.plies(), 6);
    let names = watcher.names();
    let at = |all: &[f32], name: &str| all[names.iter().position(|other| other == name).unwrap()];
    let all = statistics.of(0..6);
    assert_eq!(all.len(), names.len());
    assert_eq!(at(&all, "plies"), 6.0);
    // pawn takes pawn, queen takes pawn; then a knight's move, then the queen is given for a pawn
    assert!((at(&all, "captures after captures") - 1.0 / 6.0).abs() < 1e-6);
    assert_eq!(at(&statistics.of(0..2), "captures after captures"), 0.0);
    assert!(at(&all, "blunders") > 0.0 && at(&statistics.of(0..4), "blunders") == 0.0);
    assert!(statistics.of(0..0).iter().all(|&value| value == 0.0));
}

#[test]
fn an_engine_that_is_none_is_told() {
    let start = |path: &str| {
        Engine::start(path.as_ref(), Dialect::Uci, &[], "nodes 1", Castling::Standard).map(drop)
    };
    let error = start("/no/such/engine").unwrap_err();
    assert!(matches!(error, EngineError::Start { .. }) && error.to_string().contains("/no/such"));
    #[cfg(unix)]
    assert!(matches!(start("/bin/true").unwrap_err(), EngineError::Gone { .. }));
}
