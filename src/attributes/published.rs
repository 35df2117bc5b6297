//! Weights known before any are inferred here: the thesis' own, and people's by rating.

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

/// People's weights at three ratings, by maximum likelihood over 20,000 moves each of rated
/// online games with a horizon of `min1max2`. Look one ply more with the same weights and
/// people's moves become likelier still, so they serve for deeper strategies as well.
const PEOPLE: [(f64, Weights); 3] = [
    (1100.0, people(0.62, 0.012, 0.24, 1.30, 6.8)),
    (1500.0, people(0.68, 0.013, 0.24, 1.46, 9.2)),
    (1900.0, people(0.66, 0.011, 0.26, 1.51, 11.6)),
];

const fn people(material: f64, mobility: f64, center: f64, attacks: f64, mate: f64) -> Weights {
    Weights { attributes: ByAttribute { material, mobility, center, attacks }, mate }
}

/// The weights of people of this rating: those of the ratings measured, linear in between, and
/// outside those of the nearest.
pub fn of_rating(rating: f64) -> Weights {
    let (lowest, highest) = (PEOPLE[0], PEOPLE[PEOPLE.len() - 1]);
    if rating <= lowest.0 {
        return lowest.1;
    }
    PEOPLE
        .windows(2)
        .find(|pair| rating <= pair[1].0)
        .map_or(highest.1, |pair| between(pair[0], pair[1], rating))
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
    fn ratings_between_are_interpolated_and_outside_held() {
        assert_eq!(of_rating(0.0), PEOPLE[0].1);
        assert_eq!(of_rating(1500.0), PEOPLE[1].1);
        assert_eq!(of_rating(4000.0), PEOPLE[2].1);
        assert!((of_rating(1300.0).mate - 8.0).abs() < 1e-9);
        assert!((of_rating(1700.0).attributes.attacks - 1.485).abs() < 1e-9);
        assert!(of_rating(f64::NAN).mate.is_finite());
    }
}
