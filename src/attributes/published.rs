//! The weights that the thesis publishes.

use super::{ByAttribute, Weights};

/// What mate is worth with the thesis' weights, which do not tell: more than any material they
/// can see in a few plies, and finite. *Ours*.
const THESIS_MATE: f64 = 100.0;

/// The one-ply player of the thesis' first recovery test.
pub const ONE_PLY: Weights = thesis(5.0, 0.5, 0.0, 0.0);

/// The same player twice as decided.
pub const ONE_PLY_DOUBLED: Weights = thesis(10.0, 1.0, 0.0, 0.0);

/// The four-attribute player of the thesis.
pub const ADVANCED: Weights = thesis(7.0, 0.2, 0.5, 3.0);

/// What the thesis' authors inferred from one long game of Kasparov's.
pub const KASPAROV: Weights = thesis(1.20, 0.09, 0.10, 3.19);

const fn thesis(material: f64, mobility: f64, center: f64, attacks: f64) -> Weights {
    Weights { attributes: ByAttribute { material, mobility, center, attacks }, mate: THESIS_MATE }
}
