use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::*;
use crate::attributes::{
    Strategy, Weights,
    mock::{Mock, tree as mock},
    people::of_rating,
    published::ADVANCED,
    search::{Budget, look_ahead},
};

const FENS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
];

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn agree<A: Attributed>(root: &A, weights: &Weights, strategy: Strategy) {
    let stored = Tree::build(root, strategy.horizon(), |_| false);
    let budget = Budget { nodes: u64::MAX, interrupted: &|| false };
    let mut visited = 0;
    let considered =
        look_ahead(root, weights, strategy.horizon(), &|_| false, budget, &mut visited).unwrap();
    assert!(stored.positions() <= visited as usize);
    let values = stored.values(weights);
    assert_eq!(values.len(), considered.len());
    for (stored, considered) in values.iter().zip(&considered) {
        // the search sees attributes in single precision
        assert!((stored - considered.value).abs() < 1e-5, "{strategy}: {stored}");
    }
}

#[test]
fn the_stored_tree_and_the_search_agree() {
    for fen in FENS {
        for strategy in [
            Strategy::Min1Max1,
            Strategy::Min1Max2,
            Strategy::Min2Max2,
            Strategy::Min1Max3,
            Strategy::Forcing4,
        ] {
            agree(&position(fen), &of_rating(1500.0), strategy);
            agree(&position(fen), &ADVANCED, strategy);
        }
    }
}

#[test]
fn orders_of_moves_that_lead_to_the_same_position_are_stored_once() {
    // from here on a king and a rook that make two moves make them in either order
    let rook_ending = position("7k/8/8/8/3p4/8/8/R3K3 w - - 0 1");
    let horizon = Horizon { full: 4, limit: 4, forcing_only: false };
    let stored = Tree::build(&rook_ending, horizon, |_| false);
    let budget = Budget { nodes: u64::MAX, interrupted: &|| false };
    let mut visited = 0;
    let weights = of_rating(1500.0);
    let considered =
        look_ahead(&rook_ending, &weights, horizon, &|_| false, budget, &mut visited).unwrap();
    assert!(3 * stored.positions() < 2 * visited as usize, "{} {visited}", stored.positions());
    for (stored, considered) in stored.values(&weights).iter().zip(&considered) {
        assert!((stored - considered.value).abs() < 1e-5);
    }
}

#[test]
fn a_draw_by_history_is_worth_nothing() {
    let root: Mock = mock("(1 2)");
    let weights = Weights::from_array([1.0, 0.0, 0.0, 0.0, 9.0]);
    let drawn = Tree::build(&root, Strategy::Min1Max1.horizon(), |&m| m == 1);
    assert_eq!(drawn.values(&weights), [1.0, 0.0]);
}

#[test]
fn without_moves_there_are_no_values() {
    let mated = position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    let tree = Tree::build(&mated, Strategy::Min1Max2.horizon(), |_| false);
    assert_eq!(tree.moves(), 0);
    assert!(tree.values(&ADVANCED).is_empty());
}

/// The gradient of `Σ share·value` by central differences.
fn by_differences(tree: &Tree, weights: &Weights, shares: &[f64]) -> [f64; 5] {
    const STEP: f64 = 1e-5;
    let sum = |weights: [f64; 5]| {
        let values = tree.values(&Weights::from_array(weights));
        values.iter().zip(shares).map(|(value, share)| value * share).sum::<f64>()
    };
    std::array::from_fn(|i| {
        let (mut up, mut down) = (weights.to_array(), weights.to_array());
        up[i] += STEP;
        down[i] -= STEP;
        (sum(up) - sum(down)) / (2.0 * STEP)
    })
}

#[test]
fn gradients_agree_with_finite_differences() {
    for fen in FENS {
        for strategy in [Strategy::Min1Max1, Strategy::Min1Max3, Strategy::Min2Max2] {
            let tree = Tree::build(&position(fen), strategy.horizon(), |_| false);
            for weights in [of_rating(1500.0), ADVANCED] {
                let shares: Vec<f64> =
                    (0..tree.moves()).map(|i| ((i * 7) % 5) as f64 / 5.0 - 0.3).collect();
                let mut scratch = Scratch::default();
                tree.evaluate(&weights, &mut scratch);
                let reverse = tree.gradient(&shares, &mut scratch);
                let jacobian = tree.jacobian(&scratch);
                let differences = by_differences(&tree, &weights, &shares);
                for i in 0..5 {
                    let forward: f64 =
                        jacobian.iter().zip(&shares).map(|(row, share)| row[i] * share).sum();
                    let scale = 1.0 + differences[i].abs();
                    assert!((reverse[i] - forward).abs() < 1e-9 * scale, "{strategy} {fen} {i}");
                    assert!(
                        (reverse[i] - differences[i]).abs() < 1e-5 * scale,
                        "{strategy} {fen} {i}: {} {}",
                        reverse[i],
                        differences[i]
                    );
                }
            }
        }
    }
}

#[test]
fn a_gradient_by_hand() {
    // the opponent chooses between λ and -λ:
    // v = λ·(e^-λ - e^λ)/(e^-λ + e^λ) = -λ tanh λ, and dv/dλ = -tanh λ - λ / cosh² λ
    let tree = Tree::build(&mock("(!(1 -1))"), Strategy::Min1Max2.horizon(), |_| false);
    let lambda = 0.7f64;
    let weights = Weights::from_array([lambda, 0.0, 0.0, 0.0, 1.0]);
    let mut scratch = Scratch::default();
    let value = tree.evaluate(&weights, &mut scratch)[0];
    assert!((value + lambda * lambda.tanh()).abs() < 1e-12);
    let wanted = -lambda.tanh() - lambda / lambda.cosh().powi(2);
    assert!((tree.gradient(&[1.0], &mut scratch)[0] - wanted).abs() < 1e-12);
}
