//! The three parts of what is known of a move, and their shares.

use crate::attributes::full::{Catalog, Family, Men, View, is_of_the_past};

/// A part of what the model knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What is known by heart, and what was played before: the book, the attributes of the family
    /// [`History`](Family::History), and the last moves.
    Memory,
    /// What is seen on the board before and after the move: all other families.
    Sight,
    /// What positions later on are worth: the attributes of the family [`Ahead`](Family::Ahead).
    Ahead,
}

/// How many sets of parts there are.
pub(super) const SETS: usize = 1 << Part::ALL.len();

impl Part {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Sight, Self::Ahead];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sight => "sight",
            Self::Ahead => "look-ahead",
        }
    }

    /// The part that attributes of a family belong to.
    pub fn of(family: Family) -> Self {
        match family {
            Family::History => Self::Memory,
            Family::Ahead => Self::Ahead,
            _ => Self::Sight,
        }
    }

    /// Whether a set has it. A set is the sum of two to the power of each of its parts' places.
    pub(super) fn is_in(self, set: usize) -> bool {
        set & self.alone() != 0
    }

    /// The set of this part alone.
    fn alone(self) -> usize {
        1 << self as usize
    }
}

/// A number for each part.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ByPart {
    /// That of [`Part::Memory`].
    pub memory: f64,
    /// That of [`Part::Sight`].
    pub sight: f64,
    /// That of [`Part::Ahead`].
    pub ahead: f64,
}

impl ByPart {
    /// That of one part.
    pub fn get(&self, part: Part) -> f64 {
        match part {
            Part::Memory => self.memory,
            Part::Sight => self.sight,
            Part::Ahead => self.ahead,
        }
    }

    /// The Shapley values of a function of sets of parts.
    pub(super) fn shapley(of: impl Fn(usize) -> f64) -> Self {
        let share = |part: Part| {
            let others = (0..SETS).filter(|&set| !part.is_in(set));
            others
                .map(|set| {
                    // how many of the six orders have just this set before the part
                    let orders = if set.count_ones() == 1 { 1.0 } else { 2.0 };
                    orders / 6.0 * (of(set | part.alone()) - of(set))
                })
                .sum()
        };
        Self { memory: share(Part::Memory), sight: share(Part::Sight), ahead: share(Part::Ahead) }
    }
}

/// The numbers of a view, each with the part that it belongs to.
pub(super) struct Sets<'a, M: Men, Move> {
    catalog: &'a Catalog<M>,
    view: &'a View<Move>,
}

/// The numbers of some parts.
pub(super) struct Kept {
    /// Those of the situation.
    pub situation: Vec<u16>,
    /// Those of each move.
    pub moves: Vec<Vec<u16>>,
}

impl<'a, M: Men, Move> Sets<'a, M, Move> {
    /// The numbers of a view.
    pub fn new(catalog: &'a Catalog<M>, view: &'a View<Move>) -> Self {
        Self { catalog, view }
    }

    /// Those that belong to the parts of a set.
    pub fn kept(&self, set: usize) -> Kept {
        let of_situation = |number: &u16| match is_of_the_past::<M>(*number) {
            true => Part::Memory,
            false => Part::Sight,
        };
        let of_move = |number: &u16| Part::of(self.catalog.attribute(*number).family);
        let keep = |numbers: &[u16], part: &dyn Fn(&u16) -> Part| {
            numbers.iter().copied().filter(|number| part(number).is_in(set)).collect::<Vec<_>>()
        };
        Kept {
            situation: keep(&self.view.situation, &of_situation),
            moves: (0..self.view.moves.len())
                .map(|place| keep(self.view.numbers(place), &of_move))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_what_all_parts_do_together() {
        let of = |set: usize| [0.1, 0.3, 0.2, 0.7, 0.15, 0.5, 0.25, 0.9][set];
        let ByPart { memory, sight, ahead } = ByPart::shapley(of);
        assert!((memory + sight + ahead - 0.8).abs() < 1e-12);
        // by hand, over the six orders: memory joins as 1, 1, 3 (from 2), 5 (from 4), 7, 7 (from 6)
        let by_hand = (0.2 + 0.2 + 0.5 + 0.35 + 0.65 + 0.65) / 6.0;
        assert!((memory - by_hand).abs() < 1e-12);
    }

    #[test]
    fn a_part_that_changes_nothing_has_no_share() {
        let shares = ByPart::shapley(|set| f64::from(u8::from(Part::Sight.is_in(set))));
        assert_eq!(shares, ByPart { memory: 0.0, sight: 1.0, ahead: 0.0 });
    }
}
