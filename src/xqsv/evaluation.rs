//! How well a network predicts the moves of a dataset.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Dataset, Metrics, Network, NetworkError, Sample, Windows,
    filter::{filtered, unfiltered},
    metrics::{Observation, Tally},
};

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

/// The metrics of `network` on `samples`, game by game as [`Dataset::select`] gives them.
///
/// # Errors
/// When the dataset has no legal moves, there are no samples, or the network fails.
pub fn evaluate(
    network: &Network,
    dataset: &Dataset,
    samples: &[Sample],
) -> Result<Metrics, EvaluationError> {
    if !dataset.has_legal() {
        return Err(EvaluationError::NoLegalMoves);
    }
    if samples.is_empty() {
        return Err(EvaluationError::Empty);
    }
    let mut tally = Tally::default();
    let mut game = None;
    for batch in samples.chunks(BATCH) {
        let logits = logits(network, dataset, batch)?;
        let values: Vec<Vec<f64>> = batch
            .par_iter()
            .zip(&logits)
            .map(|(&sample, logits)| {
                let (legal, played) = dataset.legal(sample).expect("checked above");
                values(logits, legal, played)
            })
            .collect();
        for (sample, values) in batch.iter().zip(values) {
            if game != Some(sample.game) {
                game = Some(sample.game);
                tally.begin_game();
            }
            tally.add(&values);
        }
    }
    Ok(Metrics::new(&tally))
}

fn logits(
    network: &Network,
    dataset: &Dataset,
    batch: &[Sample],
) -> Result<Vec<Vec<f32>>, NetworkError> {
    let structure = network.structure();
    let histories: Vec<&[u16]> = batch.iter().map(|&sample| dataset.history(sample)).collect();
    let windows = Windows::of(&histories, structure.memory, structure.recurrence);
    Ok(network.logits(Arc::new(windows), 1)?.to_vec2()?)
}

/// The values of one ply, from the logits of all labels and the labels of the legal moves.
fn values(logits: &[f32], legal: &[u16], played: usize) -> Vec<f64> {
    let observation = Observation::new(&filtered(logits, legal), played);
    let all = unfiltered(logits);
    let unfiltered_top_1 = Observation::new(&all, legal[played].into()).top_k[0];
    let mut distinct = legal.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let legal_mass = distinct.iter().map(|&label| all[usize::from(label)]).sum();
    Metrics::values(&observation, unfiltered_top_1, legal_mass)
}
