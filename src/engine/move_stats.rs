//! What lc0 prints with `VerboseMoveStats`, so that tools that show its probabilities show ours.

use crate::model::{Candidate, Prediction, Score};

/// Centipawns at which a position counts as half won, for the scale from −1 to 1 of lc0.
const HALF_WON: f64 = 290.0;

/// One line for each legal move, likeliest last, then one for the position itself.
///
/// A move is one visit here: the model has no others to count. What lc0 has no number for, it
/// prints in dashes, and so do we.
pub fn of<M>(prediction: &Prediction<M>, write: impl Fn(&M) -> String) -> Vec<String> {
    let candidates = prediction.candidates();
    let mut stats: Vec<_> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| stat(&write(&candidate.m), index, candidate))
        .rev()
        .collect();
    let mean: f64 = candidates
        .iter()
        .map(|candidate| candidate.probability * expectation(candidate.score))
        .sum();
    stats.push(format!(
        "node  ({:>4}) N: {:>7} (+ 0) (P: 100.00%) (WL: {mean:8.5}) (D: -.---) (M: -.-) (Q: {mean:8.5}) (V:  -.----)",
        candidates.len(),
        prediction.nodes,
    ));
    stats
}

fn stat<M>(written: &str, index: usize, candidate: &Candidate<M>) -> String {
    let percent = 100.0 * candidate.probability;
    let q = expectation(candidate.score);
    format!(
        "{written:<5} ({index:>4}) N: {:>7} (+ 0) (P: {percent:5.2}%) (WL: {q:8.5}) (D: -.---) (M: -.-) (Q: {q:8.5}) (V:  -.----)",
        1,
    )
}

/// The expected result from −1 to 1 that belongs to a score.
fn expectation(score: Score) -> f64 {
    match score {
        Score::Centipawns(centipawns) => {
            (f64::from(centipawns) / HALF_WON).atan() / std::f64::consts::FRAC_PI_2
        }
        Score::Mate(_) => 1.0,
        Score::Mated(_) => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_its_line_likeliest_last_before_the_node() {
        let candidate = |m: &'static str, probability| Candidate {
            m,
            probability,
            score: Score::EVEN,
            line: vec![m],
        };
        let prediction =
            Prediction::new(vec![candidate("a2a3", 0.25), candidate("e2e4", 0.75)], 1, 2);
        let stats = of(&prediction, |m| (*m).to_owned());
        assert_eq!(stats.len(), 3);
        assert!(stats[0].starts_with("a2a3") && stats[0].contains("(P: 25.00%)"), "{}", stats[0]);
        assert!(stats[1].starts_with("e2e4") && stats[1].contains("(P: 75.00%)"), "{}", stats[1]);
        assert!(stats[2].starts_with("node"));
    }
}
