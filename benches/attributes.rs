//! How long looking at a position takes: the look-ahead model's trees, with the likelihood of a
//! move and its gradient; the full attributes of all moves; and what the network makes of them.
//! `cargo bench --bench attributes`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use errare::{
    attributes::{
        Positioned, Scratch, Strategy, Tree,
        full::{Beheld, Eye, FullModel, Network, Reach, View},
        of_rating,
    },
    chess::{self, Game},
    game::Game as _,
    xiangqi,
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

/// The same of xiangqi: four middle games, an opening and an ending.
const OF_XIANGQI: [&str; 6] = [
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/6n2/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 5",
    "r2akab1r/9/1cn1b1nc1/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 0 8",
    "2bakab2/9/1cn1c1n1r/p1p1p1p1p/9/2P3P2/P3P3P/N3C1NC1/9/1RBAKAB1R b - - 0 9",
    "3akab2/9/2n1b1n2/p1p1p1p1p/1r7/2P3P2/P3P3P/2N1C1N2/9/R1BAKAB2 w - - 0 14",
    "2bakab2/9/4c1n2/p1r1p3p/6p2/9/P3P1P1P/4C1N2/4A4/R1BAK1B2 b - - 0 18",
    "4kab2/4a4/4b4/8p/9/5N3/P7P/4B4/4A4/3AK1B2 w - - 0 35",
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
    time_trees();
    time_attributes();
}

/// The full attributes of all moves of a position: without the look-ahead to every reply, with
/// it, and with what the shipped network then says, in the mirror too where the game has one.
fn time_attributes() {
    let of_chess = (chess::full::shipped::CARD, chess::full::shipped::PARAMETERS);
    let of_xiangqi = (xiangqi::full::shipped::CARD, xiangqi::full::shipped::PARAMETERS);
    println!("\ngame       one ply  and replies  prediction   (a position)");
    time_attributes_of::<chess::Game>("chess", &POSITIONS, of_chess);
    time_attributes_of::<xiangqi::Game>("xiangqi", &OF_XIANGQI, of_xiangqi);
}

fn time_attributes_of<G: Beheld>(name: &str, positions: &[&str], shipped: (&str, &[u8])) {
    let games: Vec<G> = positions
        .iter()
        .map(|fen| G::from_fen(fen).expect("the positions can be played"))
        .collect();
    let each = games.len() as u32;
    let mut view = View::default();
    let [one, replies] = [Reach::Captures, Reach::Replies].map(|reach| {
        let mut eye = Eye::<G>::new(reach);
        time(|| games.iter().for_each(|game| eye.look(game, &mut view))) / each
    });
    let (_, network) = Network::load::<G>(shipped.0, shipped.1).expect("what ships is whole");
    let mut model = FullModel::<G>::new(Arc::new(network), 1500);
    let prediction = time(|| {
        for game in &games {
            model.probabilities(game);
        }
    }) / each;
    println!("{name:<8} {one:>9.1?} {replies:>12.1?} {prediction:>11.1?}");
}

fn time_trees() {
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
