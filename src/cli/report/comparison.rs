//! A weight of a player beside that of others of his strength.

use super::Band;
use crate::attributes::{Weights, inference::Fit};

/// How many standard errors apart two weights are when a difference is spoken of.
const TELLING_ERRORS: f64 = 2.0;

/// A weight of a player, beside that of others.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The weight's name.
    pub name: &'static str,
    /// Its value, with its standard error.
    pub own: f64,
    /// The standard error of `own`.
    pub error: f64,
    /// What it is in pawns: in parts of the weight of material.
    pub own_pawns: f64,
    /// The same for people of the player's rating.
    pub others: Option<f64>,
    /// Theirs in pawns.
    pub others_pawns: Option<f64>,
}

impl Comparison {
    /// The weight of this number; `None` where it was not inferred.
    pub fn new(weight: usize, fit: &Fit, band: Option<&Band>) -> Option<Self> {
        let own = fit.weights.to_array();
        let error = fit.standard_errors.to_array()[weight];
        let others = band.map(|band| band.weights.to_array());
        (error > 0.0).then(|| Self {
            name: Weights::NAMES[weight],
            own: own[weight],
            error,
            own_pawns: own[weight] / own[0],
            others: others.map(|others| others[weight]),
            others_pawns: others.map(|others| others[weight] / others[0]),
        })
    }

    /// How many standard errors the player's weight lies above the others'.
    pub fn errors_apart(&self) -> Option<f64> {
        Some((self.own - self.others?) / self.error)
    }

    /// What is to be said of the difference, if it is more than chance.
    pub fn in_words(&self) -> Option<String> {
        let apart = self.errors_apart()?;
        let others = self.others.filter(|others| *others > 0.0)?;
        if apart.abs() < TELLING_ERRORS {
            return None;
        }
        let name = self.name;
        if self.own <= 0.0 {
            return Some(format!("thinks nothing of {name}, less"));
        }
        let percent = 100.0 * (self.own / others - 1.0).abs();
        let than = if apart > 0.0 { "more" } else { "less" };
        Some(format!("weighs {name} {percent:.0} % {than}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::Strategy;

    fn fit(weights: [f64; 5], errors: [f64; 5]) -> Fit {
        Fit {
            strategy: Strategy::Forcing4,
            weights: Weights::from_array(weights),
            standard_errors: Weights::from_array(errors),
            moves: 100,
            bits: 300.0,
            uniform_bits: 400.0,
            message_bits: 320.0,
            has_converged: true,
        }
    }

    #[test]
    fn only_differences_that_are_more_than_chance_are_spoken_of() {
        let fit = fit([1.1, 0.03, 0.2, 2.0, 0.0], [0.04, 0.02, 0.1, 0.1, 0.0]);
        let others = Weights::from_array([1.0, 0.02, 0.2, 2.5, 8.0]);
        let band = Band { rating: 1500.0, weights: others };
        let words: Vec<_> =
            (0..5).map(|weight| Comparison::new(weight, &fit, Some(&band))?.in_words()).collect();
        let material = Some("weighs material 10 % more".to_owned());
        let attacks = Some("weighs attacks 20 % less".to_owned());
        assert_eq!(words, [material, None, None, attacks, None]);
        assert_eq!(Comparison::new(4, &fit, Some(&band)), None, "it was held");
        assert_eq!(Comparison::new(0, &fit, None).unwrap().in_words(), None);
        let nothing =
            Comparison { own: -0.1, error: 0.1, ..Comparison::new(3, &fit, Some(&band)).unwrap() };
        assert_eq!(nothing.in_words().as_deref(), Some("thinks nothing of attacks, less"));
        let in_pawns = Comparison::new(3, &fit, Some(&band)).unwrap();
        assert_eq!(in_pawns.others_pawns, Some(2.5));
    }
}
