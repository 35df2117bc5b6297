//! What a network's predictions are worth, by the measure of all models.

use super::{Basis, Network, Sample, Scratch};
use crate::evaluation::Observation;

impl Network {
    /// What its prediction of a sample is worth.
    pub fn observe(&self, sample: &Sample<'_>, scratch: &mut Scratch) -> Observation {
        let basis = Basis::of(&sample.circumstances);
        let moves: Vec<&[u16]> = sample.each_move().collect();
        self.predict(basis, sample.situation, &moves, scratch);
        let probabilities: Vec<f64> =
            scratch.probabilities.iter().map(|&probability| probability.into()).collect();
        Observation::new(&probabilities, sample.chosen)
    }
}
