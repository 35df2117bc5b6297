//! One person's weights, from a few dozen of the person's games.

use super::{Basis, Network, Samples, Scratch, kernel::add_to_rows};

/// How often a person's moves are gone through.
const ROUNDS: usize = 40;
/// How much of a full step is taken in every round. Attributes overlap, so that steps which would
/// each be right alone would together go too far.
const SHARE: f32 = 0.1;
/// How much of every step goes on in the next round.
const MOMENTUM: f32 = 0.8;

/// A network that plays as one person: the readable weights of `start`, which knows people of all
/// ratings, fitted to the person's moves and drawn towards those of `start`. The net stays.
///
/// `precision` is one over the variance of what makes persons differ; 300 serves. It is a normal
/// prior around what people of the person's rating do, so that what the games do not show stays as
/// it was, and a few dozen games suffice.
pub fn fit_person(start: &Network, samples: &Samples, precision: f32) -> Network {
    let mut network = start.clone();
    let count = network.shape().weights();
    let scale: Vec<f32> =
        information(start, samples).iter().map(|known| SHARE / (known + precision)).collect();
    let mut gradient = vec![0.0; network.parameters.len()];
    let mut steps = vec![0.0; count];
    let mut scratch = Scratch::default();
    for _ in 0..ROUNDS {
        gradient.fill(0.0);
        for sample in samples.iter() {
            // no gradient is left out: all are larger than nothing
            network.learn(&sample, &mut scratch, &mut gradient, &mut || 0.0);
        }
        for place in 0..count {
            let away = network.parameters[place] - start.parameters[place];
            let slope = gradient[place] + precision * away;
            steps[place] = MOMENTUM * steps[place] - scale[place] * slope;
            network.parameters[place] += steps[place];
        }
    }
    network
}

/// How much the samples tell about each weight: the diagonal of the Fisher information, the moves
/// of a position taken for independent.
fn information(network: &Network, samples: &Samples) -> Vec<f32> {
    let mut information = vec![0.0; network.shape().weights()];
    let mut scratch = Scratch::default();
    for sample in samples.iter() {
        let basis = Basis::of(&sample.circumstances);
        network.predict(basis, sample.situation, sample.each_move(), &mut scratch);
        for (numbers, probability) in sample.each_move().zip(&scratch.probabilities) {
            let spread = probability * (1.0 - probability);
            add_to_rows(&mut information, numbers, &basis.0.map(|value| spread * value * value));
        }
    }
    information
}
