//! Whose play is this? Weights and strategies from the moves that a person played.
//!
//! A [`Sample`] holds the moves and what the person could see; [`infer`] finds the weights under
//! which the moves are likeliest, how certain they are, and how long a message that tells the
//! moves would be, by which strategies can be compared.

mod evidence;
mod fit;
mod likelihood;
mod prior;
mod sample;
#[cfg(test)]
mod tests;

pub use evidence::Evidence;
pub use fit::{Fit, Settings, infer};
pub use prior::Prior;
pub use sample::{Observed, Predicted, Sample};
