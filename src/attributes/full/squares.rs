//! Sets of squares of any board of up to 128 squares.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of squares: bit `n` is the square of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares(pub u128);

impl Squares {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// One square.
    pub const fn of(square: usize) -> Self {
        Self(1 << square)
    }

    /// Whether it holds this square.
    pub const fn contains(self, square: usize) -> bool {
        self.0 >> square & 1 == 1
    }

    /// Whether it holds any square.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many squares it holds.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square of the lowest number.
    pub const fn first(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The same squares without one.
    #[must_use]
    pub const fn without(self, square: usize) -> Self {
        Self(self.0 & !(1 << square))
    }
}

impl Iterator for Squares {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl BitAnd for Squares {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Self;

    /// All numbers that are not in the set, those past the board included.
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_yields_its_squares_from_the_lowest() {
        let set = Squares::of(3) | Squares::of(89) | Squares::of(64);
        assert_eq!(set.collect::<Vec<_>>(), [3, 64, 89]);
        assert_eq!(set.without(64).count(), 2);
        assert!(set.contains(89) && !set.contains(88));
        assert_eq!(Squares::EMPTY.first(), None);
    }
}
