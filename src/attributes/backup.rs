//! The value that is expected when a side chooses among positions with softmax probabilities.

/// The expectation of values under the softmax of one side, taken up one by one.
///
/// `Σ q·v` with `q ∝ exp(σ·v)`: the player (σ = 1) leans to high values, the opponent (σ = −1) to
/// low ones. Held relative to the largest exponent, so that no value is too large.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expectation {
    sign: f64,
    largest: f64,
    weight: f64,
    weighted: f64,
}

impl Expectation {
    /// The expectation of no values yet, under the player's choice or the opponent's.
    pub(super) fn new(player_chooses: bool) -> Self {
        Self {
            sign: if player_chooses { 1.0 } else { -1.0 },
            largest: f64::NEG_INFINITY,
            weight: 0.0,
            weighted: 0.0,
        }
    }

    /// Takes a value up; says whether it is the likeliest so far.
    pub(super) fn add(&mut self, value: f64) -> bool {
        let exponent = self.sign * value;
        let is_likeliest = exponent > self.largest;
        if is_likeliest {
            let shrink = (self.largest - exponent).exp();
            self.weight = self.weight * shrink + 1.0;
            self.weighted = self.weighted * shrink + value;
            self.largest = exponent;
        } else {
            let weight = (exponent - self.largest).exp();
            self.weight += weight;
            self.weighted += weight * value;
        }
        is_likeliest
    }

    /// The value expected. At least one must have been taken up.
    pub(super) fn value(&self) -> f64 {
        self.weighted / self.weight
    }
}

/// The probabilities with which the player chooses among moves of these values.
pub(super) fn softmax(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|value| (value - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation(player_chooses: bool, values: &[f64]) -> f64 {
        let mut expectation = Expectation::new(player_chooses);
        for &value in values {
            expectation.add(value);
        }
        expectation.value()
    }

    #[test]
    fn golden_values_of_softmax_and_expectation() {
        // exp(0) : exp(ln 3) = 1 : 3
        let ln3 = 3f64.ln();
        let probabilities = softmax(&[0.0, ln3]);
        assert!((probabilities[0] - 0.25).abs() < 1e-12);
        assert!((probabilities[1] - 0.75).abs() < 1e-12);
        assert!((expectation(true, &[0.0, ln3]) - 0.75 * ln3).abs() < 1e-12);
        assert!((expectation(false, &[0.0, ln3]) - 0.25 * ln3).abs() < 1e-12);
    }

    #[test]
    fn the_order_of_values_does_not_matter() {
        let (up, down) = ([-3.0, 1.0, 4.0], [4.0, 1.0, -3.0]);
        for player_chooses in [true, false] {
            let (a, b) = (expectation(player_chooses, &up), expectation(player_chooses, &down));
            assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn huge_values_stay_finite() {
        assert_eq!(expectation(true, &[1e6, -1e6]), 1e6);
        assert_eq!(expectation(false, &[1e6, -1e6]), -1e6);
        assert_eq!(softmax(&[1e6, -1e6]), [1.0, 0.0]);
    }
}
