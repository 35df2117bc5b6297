//! A person as a memory of moves: the XQSV network, a structurally variable recurrent net that
//! predicts the next move of a game of xiangqi from the last few.
//!
//! After C. Zhou, "XQSV: A Structurally Variable Network to Imitate Human Play in Xiangqi"
//! (arXiv 2407.04678). Where the paper leaves a gap, the code says how it is filled.

#[cfg(test)]
mod golden;
mod layers;
mod network;
mod optimizer;
mod parameters;
mod predictor;
mod recurrence;
mod structure;
mod vocabulary;

pub use network::{Batch, Network};
pub use optimizer::Optimizer;
pub use parameters::{NetworkError, Parameters};
pub use predictor::Predictor;
pub use recurrence::{PADDING, Windows, Workspace};
pub use structure::{Activation, Recurrence, Structure, StructureError, Variable};
