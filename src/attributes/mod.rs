//! A person as a weighted look-ahead: attributes, quiescent search, softmax choice.
//!
//! After P. Jansen's, D. Dowe's and G. Farr's model of a chess player and R. Wallbrink's
//! extension of it. What the model needs of a game is [`Attributed`]; it knows no rules.

mod attribute;
mod attributed;

pub use attribute::{Attribute, ByAttribute};
pub use attributed::{Attributed, Ending};
