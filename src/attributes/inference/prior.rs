//! What is believed of weights before any move is seen.

use std::f64::consts::PI;

use crate::attributes::Weights;

/// Independent normal distributions around zero, one for each weight. *Ours*: the source has none.
///
/// It keeps weights finite where the moves do not bound them (a few moves of which each is the
/// best by some weights, or games without any mate in sight), and gives the message length its
/// `h(λ)`. With the hundreds of moves that inference wants it moves no weight by more than a
/// small part of its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// The standard deviation of each weight.
    pub deviations: Weights,
}

impl Default for Prior {
    /// Ten for each attribute, as the thesis draws weights from 0 to 10, and fifty for mate.
    fn default() -> Self {
        Self { deviations: Weights::from_array([10.0, 10.0, 10.0, 10.0, 50.0]) }
    }
}

impl Prior {
    /// One over the variance of each weight.
    pub(super) fn precisions(&self) -> [f64; Weights::COUNT] {
        self.deviations.to_array().map(|deviation| deviation.powi(-2))
    }

    /// The logarithm of the density of those weights that are free.
    pub(super) fn log_density(&self, weights: &Weights, free: &[bool; Weights::COUNT]) -> f64 {
        let terms = weights.to_array().into_iter().zip(self.deviations.to_array()).zip(free);
        terms
            .filter(|(_, is_free)| **is_free)
            .map(|((weight, deviation), _)| {
                -0.5 * (weight / deviation).powi(2) - deviation.ln() - 0.5 * (2.0 * PI).ln()
            })
            .sum()
    }

    /// The gradient of [`log_density`](Self::log_density), as though all were free.
    pub(super) fn gradient(&self, weights: &Weights) -> [f64; Weights::COUNT] {
        let (weights, precisions) = (weights.to_array(), self.precisions());
        std::array::from_fn(|i| -weights[i] * precisions[i])
    }
}
