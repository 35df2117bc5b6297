//! Tallies by the rating of the player who moves.

use std::collections::BTreeMap;

use super::{Metrics, Observation, Tally};

/// How wide a range of ratings is, in points. Ranges begin at its multiples.
pub const RANGE_WIDTH: u16 = 100;

/// A tally of all moves, and one for each range of the mover's rating.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ByRange {
    all: Tally,
    ranges: BTreeMap<u16, Tally>,
}

impl ByRange {
    /// Counts an observation of a move by a player with this rating. Moves of players without one
    /// count among all moves alone.
    pub fn add(&mut self, game: u64, rating: Option<u16>, observation: &Observation) {
        self.all.add(game, observation);
        if let Some(rating) = rating {
            let range = rating / RANGE_WIDTH * RANGE_WIDTH;
            self.ranges.entry(range).or_default().add(game, observation);
        }
    }

    /// Adds the counts of others. Equal numbers of games mean the same game.
    pub fn merge(&mut self, other: Self) {
        self.all.merge(other.all);
        for (range, tally) in other.ranges {
            self.ranges.entry(range).or_default().merge(tally);
        }
    }

    /// What all counts come to; `None` where nothing was counted.
    pub fn all(&self) -> Option<Metrics> {
        self.all.metrics()
    }

    /// What the counts of each range come to, by its lower end.
    pub fn ranges(&self) -> impl Iterator<Item = (u16, Metrics)> + '_ {
        self.ranges.iter().filter_map(|(&range, tally)| Some((range, tally.metrics()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_belongs_to_the_range_of_who_made_it_and_to_all() {
        let observation = Observation::new(&[0.5, 0.5], 0);
        let mut tallies = ByRange::default();
        let mut others = ByRange::default();
        tallies.add(1, Some(1_299), &observation);
        others.add(1, Some(1_300), &observation);
        others.add(1, None, &observation);
        tallies.merge(others);
        let plies: Vec<_> =
            tallies.ranges().map(|(range, metrics)| (range, metrics.plies)).collect();
        assert_eq!(plies, [(1_200, 1), (1_300, 1)]);
        assert_eq!(tallies.all().unwrap().plies, 3);
    }
}
