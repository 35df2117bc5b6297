//! A person as a memory of moves: the XQSV network, a structurally variable recurrent net that
//! predicts the next move of a game of xiangqi from the last few.
//!
//! After C. Zhou, "XQSV: A Structurally Variable Network to Imitate Human Play in Xiangqi"
//! (arXiv 2407.04678). Where the paper leaves a gap, the code says how it is filled.

mod adaptation;
mod ahead;
mod checkpoint;
mod dataset;
mod evaluation;
mod files;
mod filter;
#[cfg(test)]
mod golden;
mod layers;
mod network;
mod optimizer;
mod parameters;
mod player;
mod predictor;
mod recurrence;
mod residual;
mod senses;
mod structure;
mod training;
mod vocabulary;

pub use adaptation::{Choice, Outcome, Phase, Search, SearchPlan, Trial, Winner};
pub use ahead::{Ahead, Looker, attribute_values, attributes_hash};
pub use checkpoint::{Card, Checkpoint, CheckpointError, CheckpointFlaw};
pub use dataset::{
    Dataset, Keep, Prepared, PreparedCard, PreparedError, Replay, ReplayError, Sample, Selection,
    is_held_out,
};
pub use evaluation::{EvaluationError, evaluate, observe};
pub use files::with_ending;
pub use filter::{filtered, filtered_ahead, unfiltered};
pub use network::{Batch, Logits, Network, Told};
pub use optimizer::Optimizer;
pub use parameters::{NetworkError, Parameters};
pub use player::XqsvModel;
pub use predictor::Predictor;
pub use recurrence::{PADDING, Precision, Windows, Workspace};
pub use senses::{Bags, View, men_of, mirrored_man};
pub use structure::{Activation, Recurrence, Structure, StructureError, Variable};
pub use training::{EpochReport, Plan, Report, Trained, TrainingData, TrainingError, train};
pub use vocabulary::{LABELS, label_of, label_text, labels_of, mirrored_label, vocabulary_hash};
