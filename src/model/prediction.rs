//! A distribution over the legal moves of a position, and drawing from it.

use rand::Rng;

use super::Score;

/// A legal move and what a model says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// How likely it is to be played, between zero and one.
    pub probability: f64,
    /// What the position after it is worth to the player who makes it.
    pub score: Score,
    /// How play is expected to go on; begins with `m`.
    pub line: Vec<M>,
}

/// What a model says of a position: every legal move once, likeliest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction<M> {
    candidates: Vec<Candidate<M>>,
    /// How many plies the model looked ahead.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
}

impl<M> Prediction<M> {
    /// Gathers candidates, scales their probabilities to sum to one and puts the likeliest first.
    ///
    /// Equally likely candidates keep their order. Where no probability is positive, all become
    /// equal.
    pub fn new(mut candidates: Vec<Candidate<M>>, depth: u32, nodes: u64) -> Self {
        normalize(&mut candidates);
        candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        Self { candidates, depth, nodes }
    }

    /// The candidates, likeliest first.
    pub fn candidates(&self) -> &[Candidate<M>] {
        &self.candidates
    }

    /// Whether there is no legal move.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The same prediction given that only moves that `keep` accepts may be played.
    ///
    /// Their probabilities are scaled to sum to one again; it may be left empty.
    #[must_use]
    pub fn restricted(mut self, mut keep: impl FnMut(&M) -> bool) -> Self {
        self.candidates.retain(|candidate| keep(&candidate.m));
        normalize(&mut self.candidates);
        self
    }

    /// The same prediction with each probability raised to the power `1 / temperature`.
    ///
    /// One changes nothing, less makes the likely moves likelier, and zero leaves only the
    /// likeliest move possible.
    #[must_use]
    pub fn tempered(mut self, temperature: f64) -> Self {
        if temperature == 1.0 {
            return self;
        }
        let Some(highest) = self.candidates.first().map(|first| first.probability) else {
            return self;
        };
        for (rank, candidate) in self.candidates.iter_mut().enumerate() {
            candidate.probability = if temperature > 0.0 {
                (candidate.probability / highest).powf(1.0 / temperature)
            } else if rank == 0 {
                1.0
            } else {
                0.0
            };
        }
        normalize(&mut self.candidates);
        self
    }

    /// The same prediction with everything but the likeliest moves made impossible: the fewest
    /// whose probabilities together reach `top_p`, and at least one.
    #[must_use]
    pub fn cut(mut self, top_p: f64) -> Self {
        let mut mass = 0.0;
        for (rank, candidate) in self.candidates.iter_mut().enumerate() {
            if rank > 0 && mass >= top_p {
                candidate.probability = 0.0;
            } else {
                mass += candidate.probability;
            }
        }
        normalize(&mut self.candidates);
        self
    }

    /// Draws a candidate by its probability; `None` when there is none.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<&Candidate<M>> {
        let mut left = rng.random::<f64>();
        let mut possible = self.candidates.iter().filter(|candidate| candidate.probability > 0.0);
        let mut last = possible.next()?;
        left -= last.probability;
        for candidate in possible {
            if left < 0.0 {
                break;
            }
            last = candidate;
            left -= candidate.probability;
        }
        Some(last)
    }
}

fn normalize<M>(candidates: &mut [Candidate<M>]) {
    let total: f64 = candidates.iter().map(|candidate| candidate.probability).sum();
    let count = candidates.len() as f64;
    for candidate in candidates {
        candidate.probability =
            if total > 0.0 { candidate.probability / total } else { 1.0 / count };
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn prediction(probabilities: &[f64]) -> Prediction<usize> {
        let candidates = probabilities
            .iter()
            .enumerate()
            .map(|(m, &probability)| Candidate {
                m,
                probability,
                score: Score::EVEN,
                line: vec![m],
            })
            .collect();
        Prediction::new(candidates, 1, 1)
    }

    fn probabilities(prediction: &Prediction<usize>) -> Vec<f64> {
        prediction.candidates().iter().map(|candidate| candidate.probability).collect()
    }

    #[test]
    fn probabilities_sum_to_one_and_the_likeliest_comes_first() {
        let prediction = prediction(&[1.0, 5.0, 2.0]);
        assert_eq!(probabilities(&prediction), [0.625, 0.25, 0.125]);
        assert_eq!(prediction.candidates()[0].m, 1);
    }

    #[test]
    fn without_positive_probability_all_are_equal() {
        assert_eq!(probabilities(&prediction(&[0.0, 0.0])), [0.5, 0.5]);
    }

    #[test]
    fn a_low_temperature_favours_the_likely() {
        let cold = prediction(&[0.8, 0.2]).tempered(0.5);
        assert!((cold.candidates()[0].probability - 0.64 / 0.68).abs() < 1e-12);
        assert_eq!(probabilities(&prediction(&[0.5, 0.5]).tempered(0.0)), [1.0, 0.0]);
    }

    #[test]
    fn a_cut_keeps_the_fewest_that_reach_it() {
        assert_eq!(probabilities(&prediction(&[0.5, 0.3, 0.2]).cut(0.5)), [1.0, 0.0, 0.0]);
        assert_eq!(probabilities(&prediction(&[0.5, 0.25, 0.25]).cut(0.6))[2], 0.0);
        assert_eq!(probabilities(&prediction(&[0.5, 0.3, 0.2]).cut(0.0)), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_restriction_may_leave_nothing() {
        assert!(prediction(&[0.5, 0.5]).restricted(|_| false).is_empty());
        assert_eq!(
            probabilities(&prediction(&[0.5, 0.4, 0.1]).restricted(|&m| m != 0)),
            [0.8, 0.2]
        );
    }

    #[test]
    fn moves_are_drawn_as_often_as_they_are_likely() {
        let prediction = prediction(&[0.7, 0.3, 0.0]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = [0; 3];
        for _ in 0..10_000 {
            drawn[prediction.draw(&mut rng).unwrap().m] += 1;
        }
        assert!((6_800..7_200).contains(&drawn[0]), "{drawn:?}");
        assert_eq!(drawn[2], 0);
    }
}
