//! A person as a weighted look-ahead: attributes, quiescent search, softmax choice.
//!
//! After A. Jansen's, D. Dowe's and G. Farr's model of a chess player and R. Wallbrink's
//! extension of it. What the model needs of a game is [`Attributed`]; it knows no rules.
//!
//! A position is worth the weighted sum of its [attributes](Attribute). From the root the person
//! looks ahead as far as a [`Strategy`] says; the value of a position looked beyond is the value
//! *expected* when each side chooses with softmax probabilities, not a minimax. The move played is
//! drawn by the same rule. [`AttributeModel`] plays so.

mod attribute;
mod attributed;
mod backup;
pub mod full;
pub mod inference;
#[cfg(test)]
mod mock;
mod people;
mod player;
mod published;
mod search;
mod selfplay;
mod strategy;
mod tree;
mod weights;
mod weights_file;

pub use attribute::{Attribute, ByAttribute};
pub use attributed::{Attributed, Ending, Positioned, Seen};
pub use people::{PEOPLES_STRATEGY, of_rating, shipped_weights};
pub use player::AttributeModel;
pub use published::{ADVANCED, KASPAROV, ONE_PLY, ONE_PLY_DOUBLED};
pub use selfplay::{play_game, play_seen};
pub use strategy::{Horizon, ParseStrategyError, Strategy};
pub use tree::{Scratch, Tree};
pub use weights::Weights;
pub use weights_file::{WeightsError, WeightsFile};
