//! How well a model predicts what people play: one measure for every model and both games.
//!
//! A model says how likely each legal move is; what that was worth, once the move is known, is an
//! [`Observation`]. A [`Tally`] adds observations up game by game, [`ByRange`] also by the rating
//! of the player who moves, and [`Metrics`] is what they come to: bits a move, top-k, top-p.
//!
//! Moves of one game are alike in who made them and how it went, so standard errors are
//! clustered: the game, not the move, is what is drawn at random.
//!
//! ```
//! use errare::evaluation::{Observation, Tally};
//!
//! let mut tally = Tally::default();
//! tally.add(1, &Observation::new(&[0.5, 0.25, 0.25], 0));
//! tally.add(2, &Observation::new(&[0.125, 0.75, 0.125], 2));
//! let metrics = tally.metrics().expect("something was counted");
//! assert_eq!((metrics.bits.mean, metrics.top_1().mean), (2.0, 0.5));
//! ```

mod metrics;
mod observation;
mod ranges;
mod tally;

pub use metrics::{Estimate, Metrics};
pub use observation::{Observation, TOP_K, TOP_P, Unfiltered};
pub use ranges::{ByRange, RANGE_WIDTH};
pub use tally::Tally;
