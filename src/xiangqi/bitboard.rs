//! A set of squares.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use super::{File, Rank, Square};

/// A set of squares, one bit for each: bit `n` is [`Square::new(n)`](Square::new).
///
/// ```
/// use errare::xiangqi::{Bitboard, Square};
///
/// let corners = Bitboard::from(Square::A0) | Bitboard::from(Square::I9);
/// assert_eq!(corners.count(), 2);
/// assert_eq!(corners.into_iter().collect::<Vec<_>>(), [Square::A0, Square::I9]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(super) u128);

/// The squares of the file at Red's left hand.
const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < 10 {
        bits |= 1 << (9 * rank);
        rank += 1;
    }
    bits
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self((1 << 90) - 1);

    /// One square alone.
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The squares of a file.
    pub const fn from_file(file: File) -> Self {
        Self(FILE_A << file.index())
    }

    /// The squares of a rank.
    pub const fn from_rank(rank: Rank) -> Self {
        Self(0x1ff << (rank.index() * 9))
    }

    /// Whether a square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has any square.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many squares it has.
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it shares no square with another set.
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Its first square in the order of the indices.
    pub const fn first(self) -> Option<Square> {
        Square::try_new(self.0.trailing_zeros() as u8)
    }

    /// The set with a square added.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// The set with a square taken away.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The squares of a set in the order of their indices.
#[derive(Debug, Clone)]
pub struct IntoIter(Bitboard);

impl Iterator for IntoIter {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.count(), Some(self.0.count()))
    }
}

impl ExactSizeIterator for IntoIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        IntoIter(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_ranks_cover_the_board_once() {
        let files = File::all().map(Bitboard::from_file).fold(Bitboard::EMPTY, |a, b| {
            assert!(a.is_disjoint(b));
            a | b
        });
        let ranks = Rank::all().map(Bitboard::from_rank).fold(Bitboard::EMPTY, |a, b| {
            assert!(a.is_disjoint(b));
            a | b
        });
        assert_eq!(files, Bitboard::ALL);
        assert_eq!(ranks, Bitboard::ALL);
    }

    #[test]
    fn a_set_gives_back_the_squares_put_in() {
        let squares = [Square::A0, Square::E4, Square::H7, Square::I9];
        let set: Bitboard = squares.into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert!(!(!set).contains(Square::E4));
        assert_eq!((!set).count(), 86);
    }
}
