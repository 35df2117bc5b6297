//! The full set of attributes: what a person sees in each legal move, by name.
//!
//! Where the seed's four attributes value positions, these describe moves: what is taken and what
//! hangs afterwards, threats, checks, squares, what was played before, and what positions a few
//! plies later are worth. They are the same for every game whose men can be looked at
//! ([`Men`], [`Beheld`]); a game adds some of its own. No rules are known here.
//!
//! An [`Eye`] looks at all legal moves of a position at once and leaves a [`View`]. A [`Network`]
//! says how likely each of them is; it is fitted ([`Fit`]) to [`Samples`] and plays as a
//! [`FullModel`]. [`fit_person`] makes one person's network of everybody's.

mod ahead;
mod attribute;
mod basis;
mod evaluation;
mod exchange;
mod facts;
mod families;
mod file;
mod fitting;
mod kernel;
#[cfg(test)]
pub(crate) mod laws;
mod look;
mod men;
mod network;
mod person;
mod player;
mod samples;
mod situation;
mod squares;
mod store;
mod training;
mod view;

pub use ahead::{Prospect, Standing};
pub use attribute::{Attribute, Catalog, Family};
pub use basis::Basis;
pub use exchange::{cheapest, exchange};
pub use facts::{Facts, Man};
pub use file::{Card, LoadError, MeasuredOn, catalog_hash, shape_of};
pub use fitting::{Fit, Settings};
pub use look::{Look, SIGNED_SIZES, SIZES, pair, signed_size, size};
pub use men::{Beheld, BySide, Men, Past, REMEMBERED, Step};
pub use network::{Chance, Network, Scratch, Shape};
pub use person::{Habit, fit_person, habits};
pub use player::{FullModel, places_in_mirror};
pub use samples::{Circumstances, Sample, Samples};
pub use situation::{is_of_the_past, situations};
pub use squares::Squares;
pub use store::{PIECE, Store, StoreWriter};
pub use training::{FitError, Plan, Progress, fit, judge};
pub use view::{Eye, Reach, View};

/// The last of the phases between which a game moves; see [`Beheld::phase`].
pub const LAST_PHASE: f32 = 3.0;
