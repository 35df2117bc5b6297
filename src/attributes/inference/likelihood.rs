//! How likely weights make the moves of a sample, and how that changes with the weights.

use std::sync::Arc;

use rayon::prelude::*;

use super::sample::{Observation, Sample};
use crate::attributes::{Weights, backup::softmax, tree::Scratch};

const N: usize = Weights::COUNT;

/// The logarithm of a likelihood, in nats, with its gradient by the weights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Likelihood {
    pub log: f64,
    pub gradient: [f64; N],
}

impl Sample {
    /// The likelihood of all moves.
    pub(super) fn likelihood(&self, weights: &Weights) -> Likelihood {
        let of_chunk = |observations: &[Arc<Observation>]| {
            let (mut sum, mut scratch) = (Likelihood::default(), Scratch::default());
            for observation in observations {
                let one = observation.likelihood(weights, &mut scratch);
                sum.log += one.log;
                add(&mut sum.gradient, &one.gradient, 1.0);
            }
            sum
        };
        let chunks: Vec<Likelihood> = self.chunks().map(of_chunk).collect();
        chunks.into_iter().fold(Likelihood::default(), |mut sum, chunk| {
            sum.log += chunk.log;
            add(&mut sum.gradient, &chunk.gradient, 1.0);
            sum
        })
    }

    /// The Fisher information that the moves hold about the weights: the sum over the positions
    /// of the covariance, under the player's choice, of the gradients of the moves' values.
    pub(super) fn information(&self, weights: &Weights) -> [[f64; N]; N] {
        let of_chunk = |observations: &[Arc<Observation>]| {
            let (mut sum, mut scratch) = ([[0.0; N]; N], Scratch::default());
            for observation in observations {
                observation.add_information(weights, &mut scratch, &mut sum);
            }
            sum
        };
        let chunks: Vec<_> = self.chunks().map(of_chunk).collect();
        chunks.into_iter().fold([[0.0; N]; N], |mut sum, chunk| {
            for (row, other) in sum.iter_mut().zip(&chunk) {
                add(row, other, 1.0);
            }
            sum
        })
    }
}

impl Observation {
    fn likelihood(&self, weights: &Weights, scratch: &mut Scratch) -> Likelihood {
        let values = self.tree.evaluate(weights, scratch);
        let played = values[self.played];
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = values.iter().map(|value| (value - largest).exp()).sum();
        let log = played - largest - total.ln();
        let mut shares: Vec<f64> =
            values.iter().map(|value| -(value - largest).exp() / total).collect();
        shares[self.played] += 1.0;
        Likelihood { log, gradient: self.tree.gradient(&shares, scratch) }
    }

    fn add_information(&self, weights: &Weights, scratch: &mut Scratch, sum: &mut [[f64; N]; N]) {
        let probabilities = softmax(self.tree.evaluate(weights, scratch));
        let gradients = self.tree.jacobian(scratch);
        let mut mean = [0.0; N];
        for (gradient, &probability) in gradients.iter().zip(&probabilities) {
            add(&mut mean, gradient, probability);
        }
        for (gradient, &probability) in gradients.iter().zip(&probabilities) {
            let apart: [f64; N] = std::array::from_fn(|i| gradient[i] - mean[i]);
            for (row, &by) in sum.iter_mut().zip(&apart) {
                add(row, &apart, probability * by);
            }
        }
    }
}

fn add(sum: &mut [f64; N], other: &[f64; N], by: f64) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += by * other;
    }
}
