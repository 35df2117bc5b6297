use super::*;
use crate::attributes::{
    Strategy,
    mock::{Mock, tree},
};

/// Material worth 1, mate 9.
const WEIGHTS: [f64; 5] = [1.0, 0.0, 0.0, 0.0, 9.0];

fn look(root: &Mock, horizon: Horizon) -> Vec<Considered<usize>> {
    let budget = Budget { nodes: u64::MAX, interrupted: &|| false };
    let weights = Weights::from_array(WEIGHTS);
    look_ahead(root, &weights, horizon, &|_| false, budget, &mut 0).unwrap()
}

fn values(text: &str, strategy: Strategy) -> Vec<f64> {
    look(&tree(text), strategy.horizon()).iter().map(|considered| considered.value).collect()
}

fn assert_close(got: &[f64], wanted: &[f64]) {
    assert_eq!(got.len(), wanted.len());
    for (got, wanted) in got.iter().zip(wanted) {
        assert!((got - wanted).abs() < 1e-6, "got {got}, wanted {wanted}");
    }
}

#[test]
fn one_ply_is_worth_what_is_seen_there() {
    assert_close(&values("(2 -1 = x)", Strategy::Min1Max1), &[2.0, -1.0, 0.0, 9.0]);
}

#[test]
fn the_opponent_is_expected_to_choose_what_is_worse_for_the_player() {
    // the opponent weighs exp(-1) : exp(1), so the value is (e^-1 - e) / (e^-1 + e) = -tanh 1
    assert_close(&values("(!(1 -1) !(2))", Strategy::Min1Max2), &[-1f64.tanh(), 2.0]);
}

#[test]
fn a_quiescent_position_is_looked_beyond_only_by_brute_force() {
    let text = "((1 -1):5 !(3):7)";
    assert_close(&values(text, Strategy::Min1Max2), &[5.0, 3.0]);
    assert_close(&values(text, Strategy::Min2Max2), &[-1f64.tanh(), 3.0]);
    assert_close(&values(text, Strategy::Min1Max1), &[5.0, 7.0]);
}

#[test]
fn values_are_backed_up_over_three_plies_by_hand() {
    // after the reply the player chooses among 2 and 0: 2e^2 / (e^2 + 1) = 1 + tanh 1 = 1.7615942
    // the opponent weighs exp(-1.7615942) : exp(-1), so q = 0.3182989 : 0.6817011 and the value is
    // 0.3182989 * 1.7615942 + 0.6817011 = 1.2424156
    let inner = 1.0 + 1f64.tanh();
    let q = 1.0 / (1.0 + (inner - 1.0).exp());
    let wanted = q * inner + (1.0 - q);
    assert!((wanted - 1.242_415_6).abs() < 1e-6, "{wanted}");
    assert_close(&values("(!(!(2 0) 1))", Strategy::Min1Max3), &[wanted]);
}

#[test]
fn later_mates_are_worth_a_little_less() {
    let text = "(x !(!(x)))";
    assert_close(&values(text, Strategy::Min1Max3), &[9.0, 0.98 * 9.0]);
    assert_close(&values("(!(x))", Strategy::Min1Max2), &[-0.99 * 9.0]);
}

#[test]
fn only_forcing_moves_are_followed_after_the_first_reply() {
    let text = "(~!(~!(7):1 !(8)))";
    assert_close(&values(text, Strategy::Forcing4), &values("(!(1 !(8)))", Strategy::Min1Max4));
    assert_close(&values(text, Strategy::Min1Max4), &values("(!(!(7) !(8)))", Strategy::Min1Max4));
}

#[test]
fn a_forced_mate_is_counted_in_plies_and_an_escape_ends_it() {
    let forced = |text| look(&tree(text), Strategy::Min1Max4.horizon())[0].forced;
    let by = |winner, plies| Some(Forced { winner, plies });
    assert_eq!(forced("(x)"), by(Side::First, 0));
    assert_eq!(forced("(!(!(x) !(x 5)))"), by(Side::First, 2));
    assert_eq!(forced("(!(!(x) 0))"), None);
    assert_eq!(forced("(!(x 9))"), by(Side::Second, 1));
    assert_eq!(forced("(!(!(!(x) !(x)) 9))"), by(Side::Second, 3), "the opponent goes there");
    assert_eq!(forced("(!(!(!(x) 9)))"), None, "the player need not go there");
    assert_eq!(forced("(!(!(!(x) !(x))))"), by(Side::Second, 3));
    assert_eq!(forced("(=)"), None);
}

#[test]
fn a_line_goes_on_with_the_likeliest_replies() {
    let considered = look(&tree("(1 !(3 !(4 -9 2) -2))"), Strategy::Min1Max3.horizon());
    assert_eq!(considered[0].line, [0]);
    assert_eq!(considered[1].line, [1, 2]);
}

#[test]
fn a_budget_ends_the_search_and_what_was_visited_is_told() {
    let root = tree("(!(1 2 3) !(4 5 6))");
    let weights = Weights::from_array(WEIGHTS);
    let mut visited = 0;
    let budget = Budget { nodes: 3, interrupted: &|| false };
    let horizon = Strategy::Min1Max2.horizon();
    assert!(look_ahead(&root, &weights, horizon, &|_| false, budget, &mut visited).is_none());
    assert_eq!(visited, 4);
}
