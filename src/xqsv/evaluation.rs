//! How well a network predicts the moves of a dataset.

use rayon::prelude::*;

use super::{
    Bags, Dataset, Logits, Network, NetworkError, ReplayError, Sample, Told, View,
    ahead::{Stretch, look_at},
    filter::{average, filtered_ahead, unfiltered},
    mirrored_label,
    senses::Mirrored,
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
    /// The games could not be played again, to see the attributes of moves in them.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The network failed.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The metrics of `network` on `samples`.
///
/// # Errors
/// When the dataset has no legal moves or its games cannot be played again where they must be,
/// there are no samples, or the network fails.
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
/// When the dataset has no legal moves, its games cannot be played again where they must be, or the
/// network fails.
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
        let predicted = predicted(network, dataset, batch)?;
        let observations: Vec<Observation> = batch
            .par_iter()
            .zip(&predicted)
            .map(|(&sample, predicted)| {
                let (legal, played) = dataset.legal(sample).expect("checked above");
                observation(predicted, legal, played)
            })
            .collect();
        for (&sample, observation) in batch.iter().zip(observations) {
            each(sample, observation);
        }
    }
    Ok(())
}

/// How likely a network holds the moves of one position.
struct Predicted {
    /// The logits of labels.
    labels: Vec<f32>,
    /// What look-ahead adds to each legal move; empty without.
    ahead: Vec<f32>,
}

/// What a network makes of some positions, and of their mirrors where it looks at these.
fn predicted(
    network: &Network,
    dataset: &Dataset,
    batch: &[Sample],
) -> Result<Vec<(Predicted, Option<Predicted>)>, EvaluationError> {
    let here = asked(network, dataset, batch, false)?;
    let there = match network.structure().looks_in_mirror() {
        true => asked(network, dataset, batch, true)?.into_iter().map(Some).collect(),
        false => Vec::new(),
    };
    let there = there.into_iter().chain(std::iter::repeat_with(|| None));
    Ok(here.into_iter().zip(there).collect())
}

fn asked(
    network: &Network,
    dataset: &Dataset,
    batch: &[Sample],
    is_mirrored: bool,
) -> Result<Vec<Predicted>, EvaluationError> {
    let structure = network.structure();
    let moves: Vec<Bags> = match structure.ahead {
        true => {
            let stretches = Stretch::all_of(batch, is_mirrored);
            look_at(dataset, &stretches)?.into_iter().flatten().collect()
        }
        false => Vec::new(),
    };
    let mut views: Vec<View> = batch.iter().map(|&sample| dataset.view(sample)).collect();
    let mirrored: Vec<Mirrored> = match is_mirrored {
        true => views.iter().map(Mirrored::of).collect(),
        false => Vec::new(),
    };
    for (place, view) in views.iter_mut().enumerate() {
        let moves = moves.get(place);
        *view = match mirrored.get(place) {
            Some(mirrored) => mirrored.view(moves),
            None => View { moves, ..*view },
        };
    }
    let told = Told::of(structure, &views);
    let Logits { labels, ahead } = network.logits(&told)?;
    let labels = labels.to_vec2().map_err(NetworkError::from)?;
    let ahead: Vec<f32> = match ahead {
        Some(ahead) => ahead.to_vec1().map_err(NetworkError::from)?,
        None => Vec::new(),
    };
    let of_position = |position| match ahead.is_empty() {
        true => Vec::new(),
        false => ahead[told.ahead.of_position(position)].to_vec(),
    };
    let predicted = |(position, labels)| Predicted { labels, ahead: of_position(position) };
    Ok(labels.into_iter().enumerate().map(predicted).collect())
}

/// What one ply was worth, with the labels of the legal moves. Without the filter there is nothing
/// to look ahead at, and no mirror: it is the filter that knows which moves are legal.
fn observation(
    (here, there): &(Predicted, Option<Predicted>),
    legal: &[u16],
    played: usize,
) -> Observation {
    let labels: Vec<usize> = legal.iter().map(|&label| label.into()).collect();
    let unfiltered = Unfiltered::new(&unfiltered(&here.labels), labels[played], &labels);
    let mut probabilities = filtered_ahead(&here.labels, legal, &here.ahead);
    if let Some(there) = there {
        let legal: Vec<u16> = legal.iter().map(|&label| mirrored_label(label)).collect();
        average(&mut probabilities, &filtered_ahead(&there.labels, &legal, &there.ahead));
    }
    Observation::new(&probabilities, played).with_unfiltered(unfiltered)
}
