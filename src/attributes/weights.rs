//! What a person thinks each attribute is worth.

use serde::{Deserialize, Serialize};

use super::{Attribute, ByAttribute, Ending};

/// A mate loses this part of its value with each ply that it comes later, so that earlier mates
/// are preferred. How much the source does not say; *ours*.
const LATER_MATE: f64 = 0.01;

/// The weights of a person: a value for each attribute, and one for mate.
///
/// Their unit is that of the softmax exponent (nats): a move whose position is worth one more is
/// played *e* times as often. Larger weights mean a more decided player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "Table", into = "Table")]
pub struct Weights {
    /// What one unit of each attribute is worth.
    pub attributes: ByAttribute<f64>,
    /// What mate is worth: finite, because people overlook mates, and fitted like the others.
    pub mate: f64,
}

/// Weights as a table of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    material: f64,
    mobility: f64,
    center: f64,
    attacks: f64,
    mate: f64,
}

impl From<Table> for Weights {
    fn from(Table { material, mobility, center, attacks, mate }: Table) -> Self {
        Self { attributes: ByAttribute { material, mobility, center, attacks }, mate }
    }
}

impl From<Weights> for Table {
    fn from(weights: Weights) -> Self {
        let [material, mobility, center, attacks, mate] = weights.to_array();
        Self { material, mobility, center, attacks, mate }
    }
}

impl Weights {
    /// How many weights there are.
    pub const COUNT: usize = Attribute::ALL.len() + 1;

    /// The names of the weights, in the order of [`to_array`](Self::to_array).
    pub const NAMES: [&'static str; Self::COUNT] =
        ["material", "mobility", "center", "attacks", "mate"];

    /// The weights in order: the attributes', then mate's.
    pub fn to_array(&self) -> [f64; Self::COUNT] {
        let ByAttribute { material, mobility, center, attacks } = self.attributes;
        [material, mobility, center, attacks, self.mate]
    }

    /// The weights that an array in the order of [`to_array`](Self::to_array) holds.
    pub fn from_array([material, mobility, center, attacks, mate]: [f64; Self::COUNT]) -> Self {
        Self { attributes: ByAttribute { material, mobility, center, attacks }, mate }
    }

    /// The value of a position with these attributes, from the side whose attributes they are.
    pub fn value(&self, of: &ByAttribute<f32>) -> f64 {
        self.attributes.material * f64::from(of.material)
            + self.attributes.mobility * f64::from(of.mobility)
            + self.attributes.center * f64::from(of.center)
            + self.attributes.attacks * f64::from(of.attacks)
    }
}

/// How many times the weight of mate the end of a game is worth to the player, `ply` plies from
/// the root: about one where the player mates, minus one where it is mated, zero for a draw.
pub(super) fn mate_share(ending: Ending, player_to_move: bool, ply: u32) -> f64 {
    let share = 1.0 - LATER_MATE * f64::from(ply.saturating_sub(1));
    match ending {
        Ending::Drawn => 0.0,
        Ending::Lost if player_to_move => -share,
        Ending::Lost => share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_weighted_sum() {
        let weights = Weights::from_array([7.0, 0.2, 0.5, 3.0, 50.0]);
        let of = ByAttribute { material: -1.0, mobility: 10.0, center: 2.0, attacks: 0.5 };
        assert!((weights.value(&of) - (-7.0 + 2.0 + 1.0 + 1.5)).abs() < 1e-12);
        assert_eq!(Weights::from_array(weights.to_array()), weights);
    }

    #[test]
    fn earlier_mates_are_worth_more_and_draws_nothing() {
        assert_eq!(mate_share(Ending::Lost, false, 1), 1.0);
        assert!((mate_share(Ending::Lost, false, 3) - 0.98).abs() < 1e-12);
        assert!((mate_share(Ending::Lost, true, 2) + 0.99).abs() < 1e-12);
        assert_eq!(mate_share(Ending::Drawn, true, 2), 0.0);
    }
}
