//! How long the look-ahead model takes: building trees, and the likelihood of a move with and
//! without its gradient, a position. `cargo bench --bench attributes`.

use std::time::{Duration, Instant};

use errare::{
    attributes::{Positioned, Scratch, Strategy, Tree, of_rating},
    chess::Game,
    game::Game as _,
};

/// Middle games and an ending; nothing about them is special.
const POSITIONS: [&str; 6] = [
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1 w - - 0 11",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b1r1k1/pp3ppp/2n2n2/q1bp4/8/P1N1PN2/1PQ1BPPP/R1B2RK1 w - - 2 12",
    "3r2k1/p4ppp/1p2p3/8/2rP4/P3RN2/1P3PPP/6K1 w - - 0 27",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/6P1/r5K1/1R6 w - - 0 40",
];

/// How long each measurement goes on at least, and how often.
const AT_LEAST: Duration = Duration::from_millis(300);
const CALLS: u32 = 5;

/// The shortest time of a call of `work`, which other programs have disturbed least.
fn time(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    let (mut calls, mut shortest) = (0, Duration::MAX);
    while calls < CALLS || start.elapsed() < AT_LEAST {
        let start = Instant::now();
        work();
        shortest = shortest.min(start.elapsed());
        calls += 1;
    }
    shortest
}

fn main() {
    let games = POSITIONS.map(|fen| Game::from_fen(fen).expect("the positions can be played"));
    let each = games.len() as u32;
    let weights = of_rating(1500.0);
    println!("strategy   positions      tree  likelihood  and gradient   (a move)");
    for strategy in Strategy::ALL {
        let build = |game: &Game| Tree::build(game.position(), strategy.horizon(), |_| false);
        let trees: Vec<Tree> = games.iter().map(build).collect();
        let positions = trees.iter().map(Tree::positions).sum::<usize>() / games.len();
        let building = time(|| games.iter().for_each(|game| drop(build(game)))) / each;
        let mut scratch = Scratch::default();
        let likelihood = time(|| {
            for tree in &trees {
                tree.evaluate(&weights, &mut scratch);
            }
        }) / each;
        let gradient = time(|| {
            for tree in &trees {
                tree.evaluate(&weights, &mut scratch);
                tree.gradient(&vec![1.0; tree.moves()], &mut scratch);
            }
        }) / each;
        println!(
            "{:<9} {positions:>10} {building:>9.1?} {likelihood:>11.1?} {gradient:>13.1?}",
            strategy.name()
        );
    }
}
