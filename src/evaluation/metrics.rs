//! What observations come to.

use serde::{Deserialize, Serialize};

/// A measured share or mean, with its standard error clustered by game.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The mean over all moves.
    pub mean: f64,
    /// Its standard error; not a number where there are fewer than two games.
    pub standard_error: f64,
}

impl Estimate {
    /// What was not measured.
    const UNKNOWN: Self = Self { mean: f64::NAN, standard_error: f64::NAN };

    /// For cards that were written before it was measured.
    fn unknown() -> Self {
        Self::UNKNOWN
    }
}

/// How well a model predicts, all as shares between zero and one but for the bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// How many games the moves are from.
    pub games: usize,
    /// How many moves were predicted, counted as plies.
    pub plies: usize,
    /// Bits a move.
    pub bits: Estimate,
    /// Bits a move of whoever knows the rules alone: log2 of the number of legal moves.
    #[serde(default = "Estimate::unknown")]
    pub uniform_bits: Estimate,
    /// Top-1 of a model that knows no rules, before illegal moves are removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfiltered_top_1: Option<Estimate>,
    /// The share of such a model's probability that falls on legal moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_mass: Option<Estimate>,
    /// For each k of [`TOP_K`](super::TOP_K), the share of moves among the k likeliest.
    pub top_k: Vec<Estimate>,
    /// For each p of [`TOP_P`](super::TOP_P), the share of moves in the smallest set of likeliest
    /// moves whose probability exceeds p.
    pub top_p: Vec<Estimate>,
}

impl Metrics {
    /// The share of moves that were the likeliest.
    pub fn top_1(&self) -> Estimate {
        self.top_k.first().copied().unwrap_or(Estimate::UNKNOWN)
    }

    /// Bits a move in parts of what they are for whoever knows the rules alone (Comp %).
    pub fn compression(&self) -> f64 {
        self.bits.mean / self.uniform_bits.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_of_former_cards_are_read_without_what_they_lack() {
        let estimate = "{ mean = 0.5, standard_error = 0.1 }";
        let text = format!(
            "games = 2\nplies = 9\nbits = {estimate}\nunfiltered_top_1 = {estimate}\n\
             legal_mass = {estimate}\ntop_k = [{estimate}]\ntop_p = []\n"
        );
        let metrics: Metrics = toml::from_str(&text).unwrap();
        assert_eq!(metrics.top_1().mean, 0.5);
        assert!(metrics.uniform_bits.mean.is_nan());
    }
}
