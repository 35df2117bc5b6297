//! What moves say about weights, as seen from weights that are nearly right: enough to better those
//! without keeping any look-ahead.

use nalgebra::{Cholesky, DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{Sample, Settings};
use crate::attributes::Weights;

const N: usize = Weights::COUNT;

/// Sums over moves, from which a step leads towards the likeliest weights.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// How many moves there are.
    pub moves: usize,
    /// `−Σ log2 Pr(move)` under the weights that they are seen from.
    pub bits: f64,
    /// `Σ log2 m`, m the number of legal moves.
    pub uniform_bits: f64,
    /// The gradient of the logarithm of the likelihood, by the weights in their order.
    gradient: [f64; N],
    /// The Fisher information.
    information: [[f64; N]; N],
}

impl Sample {
    /// What the moves say, as seen from `at`.
    pub fn evidence(&self, at: &Weights) -> Evidence {
        let likelihood = self.likelihood(at);
        Evidence {
            moves: self.len(),
            bits: -likelihood.log / std::f64::consts::LN_2,
            uniform_bits: self.uniform_bits(),
            gradient: likelihood.gradient,
            information: self.information(at),
        }
    }
}

impl Evidence {
    /// Adds what other moves say, as seen from the same weights.
    pub fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.bits += other.bits;
        self.uniform_bits += other.uniform_bits;
        for (sum, part) in self.gradient.iter_mut().zip(other.gradient) {
            *sum += part;
        }
        for (sum, part) in self.information.iter_mut().zip(other.information) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
    }

    /// One step of Fisher scoring from `at`, which the moves must have been seen from: the weights,
    /// with their standard errors.
    ///
    /// The likelihood is no parabola where weights are large, so the likeliest weights are reached
    /// only when a step from them, with the moves seen from there, is short.
    pub fn step(&self, at: &Weights, settings: &Settings) -> (Weights, Weights) {
        let free: Vec<usize> = (0..N).filter(|&i| settings.free[i]).collect();
        let precisions = settings.prior.precisions();
        let matrix = DMatrix::from_fn(free.len(), free.len(), |row, column| {
            let (i, j) = (free[row], free[column]);
            self.information[i][j] + if i == j { precisions[i] } else { 0.0 }
        });
        let prior = settings.prior.gradient(at);
        let slopes = free.iter().map(|&i| self.gradient[i] + prior[i]);
        let slopes = DVector::from_iterator(free.len(), slopes);
        let (mut weights, mut errors) = (at.to_array(), [0.0; N]);
        // rounding alone can keep a sum of squares and a positive diagonal from having a root
        if let Some(root) = Cholesky::new(matrix) {
            let step = root.solve(&slopes);
            let covariance = root.inverse();
            for (place, &i) in free.iter().enumerate() {
                weights[i] += step[place];
                errors[i] = covariance[(place, place)].sqrt();
            }
        }
        (Weights::from_array(weights), Weights::from_array(errors))
    }
}
