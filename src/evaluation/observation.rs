//! What one prediction was worth, once the move was known.

use crate::model::Prediction;

/// The k of top-k.
pub const TOP_K: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/// The p of top-p.
pub const TOP_P: [f64; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// What one prediction was worth.
///
/// Where moves are equally likely and would have to be put in some order, the one played counts
/// for its chance of being put where it must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// Minus the binary logarithm of the played move's probability; at most about a thousand, also
    /// where that is zero.
    pub bits: f64,
    /// The same for whoever knows the rules alone.
    pub uniform_bits: f64,
    /// For each k of [`TOP_K`], whether the move played is among the k likeliest.
    pub top_k: [f64; TOP_K.len()],
    /// For each p of [`TOP_P`], whether the move played is in the smallest set of likeliest moves
    /// whose probability exceeds p.
    pub top_p: [f64; TOP_P.len()],
    /// The same prediction before illegal moves were removed, of a model that knows no rules.
    pub unfiltered: Option<Unfiltered>,
}

/// What a prediction was worth that gave probability to illegal moves as well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unfiltered {
    /// Whether the move played was the likeliest of all.
    pub top_1: f64,
    /// The share of the probability that fell on legal moves.
    pub legal_mass: f64,
}

impl Observation {
    /// What a distribution over all legal moves was worth, of which number `played` was played.
    ///
    /// # Panics
    /// When there is no such move.
    pub fn new(probabilities: &[f64], played: usize) -> Self {
        let Standing { own, above, mass_above, tied } = Standing::of(probabilities, played);
        Self {
            bits: -own.max(f64::MIN_POSITIVE).log2(),
            uniform_bits: (probabilities.len() as f64).log2(),
            top_k: TOP_K.map(|k| ((k as f64 - above) / tied).clamp(0.0, 1.0)),
            top_p: TOP_P.map(|p| {
                if mass_above > p {
                    return 0.0;
                }
                // equally likely moves enter the set one by one until it exceeds p
                let taken = ((p - mass_above) / own).floor() + 1.0;
                (taken / tied).clamp(0.0, 1.0)
            }),
            unfiltered: None,
        }
    }

    /// What a prediction was worth when `m` was played; `None` where it does not hold that move.
    pub fn of<M: PartialEq>(prediction: &Prediction<M>, m: &M) -> Option<Self> {
        let candidates = prediction.candidates();
        let played = candidates.iter().position(|candidate| candidate.m == *m)?;
        let probabilities: Vec<f64> =
            candidates.iter().map(|candidate| candidate.probability).collect();
        Some(Self::new(&probabilities, played))
    }

    /// The same with what the prediction was worth before illegal moves were removed.
    #[must_use]
    pub fn with_unfiltered(self, unfiltered: Unfiltered) -> Self {
        Self { unfiltered: Some(unfiltered), ..self }
    }
}

impl Unfiltered {
    /// What a distribution over legal and illegal moves was worth, of which number `played` was
    /// played and the numbers of `legal` are legal, each of which counts once.
    ///
    /// # Panics
    /// When there is no such move.
    pub fn new(probabilities: &[f64], played: usize, legal: &[usize]) -> Self {
        let Standing { above, tied, .. } = Standing::of(probabilities, played);
        let mut legal = legal.to_vec();
        legal.sort_unstable();
        legal.dedup();
        Self {
            top_1: ((1.0 - above) / tied).clamp(0.0, 1.0),
            legal_mass: legal.into_iter().map(|m| probabilities[m]).sum(),
        }
    }
}

/// Where the move played stands among all.
struct Standing {
    /// Its probability.
    own: f64,
    /// How many are likelier, and how likely those are together.
    above: f64,
    mass_above: f64,
    /// How many are as likely, itself included.
    tied: f64,
}

impl Standing {
    fn of(probabilities: &[f64], played: usize) -> Self {
        let own = probabilities[played];
        let mut standing = Self { own, above: 0.0, mass_above: 0.0, tied: 0.0 };
        for &probability in probabilities {
            if probability > own {
                standing.above += 1.0;
                standing.mass_above += probability;
            } else if probability == own {
                standing.tied += 1.0;
            }
        }
        standing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Candidate, Score};

    #[test]
    fn the_likeliest_move_is_in_every_set() {
        let observation = Observation::new(&[0.2, 0.5, 0.3], 1);
        assert_eq!(observation.top_k, [1.0; 10]);
        assert_eq!(observation.top_p, [1.0; 10]);
        assert_eq!(observation.bits, 1.0);
        assert_eq!(observation.uniform_bits, 3_f64.log2());
    }

    #[test]
    fn the_third_move_needs_k_of_3_and_p_of_the_first_two() {
        let observation = Observation::new(&[0.25, 0.5, 0.25, 0.0], 3);
        assert_eq!(observation.top_k[2], 0.0);
        assert_eq!(observation.top_k[3], 1.0);
        let observation = Observation::new(&[0.125, 0.5, 0.375], 0);
        assert_eq!(observation.top_k[..3], [0.0, 0.0, 1.0]);
        assert_eq!(observation.top_p, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn equally_likely_moves_count_by_chance() {
        let observation = Observation::new(&[0.25; 4], 2);
        assert_eq!(observation.top_k[..4], [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(observation.top_p[0], 0.25);
        assert_eq!(observation.top_p[3], 0.5);
    }

    #[test]
    fn an_impossible_move_costs_much_but_not_all() {
        let observation = Observation::new(&[1.0, 0.0], 1);
        assert_eq!(observation.bits, 1_022.0);
        assert_eq!(observation.top_p, [0.0; 10]);
    }

    #[test]
    fn a_prediction_is_worth_what_its_probabilities_are() {
        let candidate =
            |m, probability| Candidate { m, probability, score: Score::EVEN, line: vec![m] };
        let prediction = Prediction::new(vec![candidate('a', 0.25), candidate('b', 0.75)], 1, 2);
        assert_eq!(Observation::of(&prediction, &'a'), Some(Observation::new(&[0.25, 0.75], 0)));
        assert_eq!(Observation::of(&prediction, &'c'), None);
    }

    #[test]
    fn what_fell_on_illegal_moves_is_not_legal_mass() {
        // the label 2 names two legal moves and counts once
        let unfiltered = Unfiltered::new(&[0.5, 0.125, 0.375], 2, &[1, 2, 2]);
        assert_eq!(unfiltered, Unfiltered { top_1: 0.0, legal_mass: 0.5 });
        assert_eq!(Unfiltered::new(&[0.5, 0.5], 0, &[0]).top_1, 0.5);
    }
}
