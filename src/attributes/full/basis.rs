//! How weights depend on the rating and on the phase.

use super::{Circumstances, LAST_PHASE};

/// How many phases there are hats for.
const PHASES: usize = LAST_PHASE as usize + 1;
/// The rating that changes nothing, how much one unit is, and how many units are told apart.
const RATING: (f32, f32) = (1500.0, 400.0);
const UNITS: (f32, f32) = (-1.5, 2.0);

/// The values of the basis functions, of which weights are the sums: a hat for each phase, one
/// there and zero at the others, and the same hats times the rating's distance from 1500.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis(pub [f32; Self::COUNT]);

impl Basis {
    /// How many functions there are.
    pub const COUNT: usize = 2 * PHASES;

    /// Their values for a rating and a phase.
    pub fn of(circumstances: &Circumstances) -> Self {
        let rating = f32::from(circumstances.rating);
        let rating = ((rating - RATING.0) / RATING.1).clamp(UNITS.0, UNITS.1);
        let mut values = [0.0; Self::COUNT];
        for phase in 0..PHASES {
            let hat = (1.0 - (circumstances.phase - phase as f32).abs()).max(0.0);
            values[phase] = hat;
            values[PHASES + phase] = hat * rating;
        }
        Self(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(rating: u16, phase: f32) -> [f32; Basis::COUNT] {
        Basis::of(&Circumstances { rating, other_rating: 0, phase }).0
    }

    #[test]
    fn hats_sum_to_one_everywhere() {
        for tenths in 0..=30 {
            let values = basis(1700, tenths as f32 / 10.0);
            assert!((values[..PHASES].iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert!((values[PHASES..].iter().sum::<f32>() - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn the_middle_rating_adds_nothing_and_far_ones_are_held() {
        assert_eq!(basis(1500, 2.0)[PHASES..], [0.0; PHASES]);
        assert_eq!(basis(0, 1.0), basis(900, 1.0));
        assert_eq!(basis(9000, 1.0), basis(2300, 1.0));
    }
}
