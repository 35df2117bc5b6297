//! Can games be told from people's? A check on likeness that does not ask the models themselves.
//!
//! People's games are paired with games that a [`Contestant`] plays from the same start against
//! itself, each side at the rating of the person whose place it takes, and cut to the same number
//! of plies, so that neither resignation nor length tells. What is left of a game is [`Statistics`]:
//! how often each value of each attribute of the catalog was chosen, how much was given away and
//! how evenly, how often the best was found. A [`Discriminator`] learns on some of the pairs which
//! are people's and judges the others; what it achieves is the area under its curve
//! ([`area()`]), one half where games cannot be told apart and one where they always can.

mod area;
mod contestant;
mod discriminator;
mod external;
mod judging;
mod statistics;

pub use area::{Area, Judged, area};
pub use contestant::{Contestant, Modelled, play};
pub use discriminator::Discriminator;
pub use external::{Dialect, Engine, EngineError};
pub use judging::{Pair, Unit, Verdict, judge};
pub use statistics::{Statistics, Watcher};

#[cfg(test)]
mod tests;
