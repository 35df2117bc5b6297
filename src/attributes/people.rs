//! People by their rating: weights inferred from the games of thirteen bands of players.

use std::sync::LazyLock;

use super::{Strategy, Weights, WeightsFile};

/// How far people are taken to look by the weights that ship: of all strategies the one that told
/// their moves in the fewest bits.
pub const PEOPLES_STRATEGY: Strategy = Strategy::Forcing4;

/// Half the width of a band, so that a band stands for the rating in its middle.
const HALF_BAND: f64 = 50.0;

/// The weights of each band, by its lowest rating.
const BANDS: [(f64, &str); 13] = [
    (1000.0, include_str!("../../nets/chess/1000.toml")),
    (1100.0, include_str!("../../nets/chess/1100.toml")),
    (1200.0, include_str!("../../nets/chess/1200.toml")),
    (1300.0, include_str!("../../nets/chess/1300.toml")),
    (1400.0, include_str!("../../nets/chess/1400.toml")),
    (1500.0, include_str!("../../nets/chess/1500.toml")),
    (1600.0, include_str!("../../nets/chess/1600.toml")),
    (1700.0, include_str!("../../nets/chess/1700.toml")),
    (1800.0, include_str!("../../nets/chess/1800.toml")),
    (1900.0, include_str!("../../nets/chess/1900.toml")),
    (2000.0, include_str!("../../nets/chess/2000.toml")),
    (2100.0, include_str!("../../nets/chess/2100.toml")),
    (2200.0, include_str!("../../nets/chess/2200.toml")),
];

/// The bands from the lowest to the highest, by the rating in their middle.
static PEOPLE: LazyLock<Vec<(f64, Weights)>> = LazyLock::new(|| {
    let band = |&(lowest, text): &(f64, &str)| {
        let file = WeightsFile::parse(text).expect("a test reads every file that ships");
        (lowest + HALF_BAND, file.weights)
    };
    BANDS.iter().map(band).collect()
});

/// The weights of people of this rating: those of the bands, linear between the middles of two,
/// and beyond the outermost middles those of the nearest band.
pub fn of_rating(rating: f64) -> Weights {
    let people = &PEOPLE[..];
    let above = people.partition_point(|&(middle, _)| middle < rating);
    match (above.checked_sub(1).map(|below| people[below]), people.get(above)) {
        (Some(below), Some(&above)) => between(below, above, rating),
        (Some((_, nearest)), None) => nearest,
        (None, _) => people[0].1,
    }
}

/// The files of weights that ship, each with the lowest rating of its band.
pub fn shipped_weights() -> impl Iterator<Item = (u16, WeightsFile)> {
    BANDS.iter().map(|&(lowest, text)| {
        (lowest as u16, WeightsFile::parse(text).expect("a test reads every file that ships"))
    })
}

fn between((low, below): (f64, Weights), (high, above): (f64, Weights), rating: f64) -> Weights {
    let share = (rating - low) / (high - low);
    let (below, above) = (below.to_array(), above.to_array());
    Weights::from_array(std::array::from_fn(|i| below[i] + share * (above[i] - below[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_ships_is_read_and_says_where_it_comes_from() {
        for (lowest, text) in BANDS {
            let file = WeightsFile::parse(text).unwrap();
            assert_eq!(file.strategy, PEOPLES_STRATEGY, "{lowest}");
            assert!(file.data.unwrap().contains(&format!("{lowest}")), "{lowest}");
            assert!(file.moves.unwrap() >= 1000 && file.standard_errors.is_some(), "{lowest}");
            assert!(file.bits_per_move.unwrap() < file.uniform_bits_per_move.unwrap(), "{lowest}");
            assert!(file.weights.to_array().iter().all(|&weight| weight > 0.0), "{lowest}");
        }
    }

    #[test]
    fn ratings_between_are_interpolated_and_outside_held() {
        assert_eq!(of_rating(0.0), PEOPLE[0].1);
        assert_eq!(of_rating(1550.0), PEOPLE[5].1);
        assert_eq!(of_rating(4000.0), PEOPLE[12].1);
        let mean = (PEOPLE[5].1.mate + PEOPLE[6].1.mate) / 2.0;
        assert!((of_rating(1600.0).mate - mean).abs() < 1e-9);
        assert!(of_rating(f64::NAN).mate.is_finite());
    }
}
