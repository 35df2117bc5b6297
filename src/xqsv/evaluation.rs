//! How well a network predicts the moves of a dataset.

use rayon::prelude::*;

use super::{
    Dataset, Network, NetworkError, Sample, Told, View,
    filter::{filtered, unfiltered},
};
use crate::evaluation::{Metrics, Observation, Tally, Unfiltered};

/// How many windows are read at once.
const BATCH: usize = 256;

/// Why a network could not be evaluated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The filter needs the legal moves.
    #[error("the dataset was read without legal moves, wanted them for the filter")]
    NoLegalMoves,
    /// There is nothing to predict.
    #[error("there are no moves to predict, wanted one at least")]
    Empty,
    /// The network failed.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The metrics of `network` on `samples`.
///
/// # Errors
/// When the dataset has no legal moves, there are no samples, or the network fails.
pub fn evaluate(
    network: &Network,
    dataset: &Dataset,
    samples: &[Sample],
) -> Result<Metrics, EvaluationError> {
    let mut tally = Tally::default();
    observe(network, dataset, samples, &mut |sample, observation| {
        tally.add(sample.game.into(), &observation);
    })?;
    tally.metrics().ok_or(EvaluationError::Empty)
}

/// Calls `each` with what the prediction of each sample by `network` was worth, in their order.
///
/// # Errors
/// When the dataset has no legal moves or the network fails.
pub fn observe(
    network: &Network,
    dataset: &Dataset,
    samples: &[Sample],
    each: &mut dyn FnMut(Sample, Observation),
) -> Result<(), EvaluationError> {
    if !dataset.keeps().legal {
        return Err(EvaluationError::NoLegalMoves);
    }
    for batch in samples.chunks(BATCH) {
        let logits = logits(network, dataset, batch)?;
        let observations: Vec<Observation> = batch
            .par_iter()
            .zip(&logits)
            .map(|(&sample, logits)| {
                let (legal, played) = dataset.legal(sample).expect("checked above");
                observation(logits, legal, played)
            })
            .collect();
        for (&sample, observation) in batch.iter().zip(observations) {
            each(sample, observation);
        }
    }
    Ok(())
}

fn logits(
    network: &Network,
    dataset: &Dataset,
    batch: &[Sample],
) -> Result<Vec<Vec<f32>>, NetworkError> {
    let views: Vec<View> = batch.iter().map(|&sample| dataset.view(sample)).collect();
    Ok(network.logits(&Told::of(network.structure(), &views))?.to_vec2()?)
}

/// What one ply was worth, from the logits of all labels and the labels of the legal moves.
fn observation(logits: &[f32], legal: &[u16], played: usize) -> Observation {
    let labels: Vec<usize> = legal.iter().map(|&label| label.into()).collect();
    let unfiltered = Unfiltered::new(&unfiltered(logits), labels[played], &labels);
    Observation::new(&filtered(logits, legal), played).with_unfiltered(unfiltered)
}
