//! Files, ranks and squares of the board, named as the engines name them: `a0` is the corner at
//! Red's left hand, `i9` the one at Black's left hand.

use std::{error::Error, fmt, str::FromStr};

/// One of the nine files, `a` at Red's left hand to `i` at Red's right hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

impl File {
    /// How many files there are.
    pub const COUNT: usize = 9;

    /// The file at an index.
    ///
    /// # Panics
    /// When the index is 9 or more.
    pub const fn new(index: u8) -> Self {
        assert!(index < 9, "a file index is below 9");
        Self(index)
    }

    /// All files from `a` to `i`.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..9u8).map(Self)
    }

    /// The file of a letter `a` to `i`, in either case.
    pub fn from_char(ch: char) -> Option<Self> {
        match ch.to_ascii_lowercase() {
            letter @ 'a'..='i' => Some(Self(letter as u8 - b'a')),
            _ => None,
        }
    }

    /// Its letter, `a` to `i`.
    pub const fn char(self) -> char {
        (b'a' + self.0) as char
    }

    /// Its index, 0 for `a` to 8 for `i`.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The file that mirrors it on the middle file: `a` becomes `i`.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(8 - self.0)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// One of the ten ranks, 0 where Red's general lives to 9 where Black's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 10;

    /// The rank at an index.
    ///
    /// # Panics
    /// When the index is 10 or more.
    pub const fn new(index: u8) -> Self {
        assert!(index < 10, "a rank index is below 10");
        Self(index)
    }

    /// All ranks from 0 to 9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..10u8).map(Self)
    }

    /// The rank of a digit.
    pub fn from_char(ch: char) -> Option<Self> {
        ch.to_digit(10).map(|digit| Self(digit as u8))
    }

    /// Its index, 0 to 9.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The rank that Black sees where Red sees this one: 0 becomes 9.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(9 - self.0)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One of the ninety squares (the points of the board), counted `a0`, `b0`, … `i0`, `a1`, … `i9`.
///
/// ```
/// use errare::xiangqi::Square;
///
/// let square: Square = "h2".parse()?;
/// assert_eq!(square, Square::H2);
/// assert_eq!(square.index(), 2 * 9 + 7);
/// assert_eq!(square.flipped(), Square::H7);
/// assert_eq!(square.mirrored().to_string(), "b2");
/// # Ok::<_, errare::xiangqi::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 90;

    /// The square at an index.
    ///
    /// # Panics
    /// When the index is 90 or more.
    pub const fn new(index: u8) -> Self {
        assert!(index < 90, "a square index is below 90");
        Self(index)
    }

    /// The square at an index, if the board has it.
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 90 { Some(Self(index)) } else { None }
    }

    /// The square where a file and a rank meet.
    pub const fn from_coords(file: File, rank: Rank) -> Self {
        Self(rank.0 * 9 + file.0)
    }

    /// All squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..90u8).map(Self)
    }

    /// Its index, 0 to 89.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its file.
    pub const fn file(self) -> File {
        File(self.0 % 9)
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        Rank(self.0 / 9)
    }

    /// The square so many files to Red's right and ranks towards Black, if the board has it.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self.0 % 9) as i8 + files;
        let rank = (self.0 / 9) as i8 + ranks;
        if file < 0 || file > 8 || rank < 0 || rank > 9 {
            None
        } else {
            Some(Self(rank as u8 * 9 + file as u8))
        }
    }

    /// The square mirrored on the middle file: `a3` becomes `i3`.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self::from_coords(self.file().mirrored(), self.rank())
    }

    /// The square on the same file that is as far from the other edge: `a3` becomes `a6`.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self::from_coords(self.file(), self.rank().flipped())
    }

    /// The square seen from the other side of the table, flipped and mirrored: `a3` becomes `i6`.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(89 - self.0)
    }
}

/// Names for the squares of a rank.
macro_rules! name_squares {
    ($($rank:literal: $($name:ident)+;)+) => {
        /// The squares by name.
        #[allow(missing_docs)]
        impl Square { $( name_squares!(@rank $rank * 9; $($name)+); )+ }
    };
    (@rank $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Self = Self::new($index);
        name_squares!(@rank $index + 1; $($rest)*);
    };
    (@rank $index:expr;) => {};
}

name_squares! {
    0: A0 B0 C0 D0 E0 F0 G0 H0 I0;
    1: A1 B1 C1 D1 E1 F1 G1 H1 I1;
    2: A2 B2 C2 D2 E2 F2 G2 H2 I2;
    3: A3 B3 C3 D3 E3 F3 G3 H3 I3;
    4: A4 B4 C4 D4 E4 F4 G4 H4 I4;
    5: A5 B5 C5 D5 E5 F5 G5 H5 I5;
    6: A6 B6 C6 D6 E6 F6 G6 H6 I6;
    7: A7 B7 C7 D7 E7 F7 G7 H7 I7;
    8: A8 B8 C8 D8 E8 F8 G8 H8 I8;
    9: A9 B9 C9 D9 E9 F9 G9 H9 I9;
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that should have been a square's name and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: a letter a to i and a digit were wanted")
    }
}

impl Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut chars = text.chars();
        let file = chars.next().and_then(File::from_char).ok_or(ParseSquareError)?;
        let rank = chars.next().and_then(Rank::from_char).ok_or(ParseSquareError)?;
        match chars.next() {
            None => Ok(Self::from_coords(file, rank)),
            Some(_) => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn names_stand_where_red_sees_them() {
        assert_eq!(Square::A0.index(), 0);
        assert_eq!(Square::I0.index(), 8);
        assert_eq!(Square::A1.index(), 9);
        assert_eq!(Square::E5.to_string(), "e5");
        assert_eq!(Square::I9.index(), 89);
    }

    #[test]
    fn mirroring_and_flipping_together_turn_the_board() {
        for square in Square::all() {
            assert_eq!(square.mirrored().flipped(), square.rotated());
            assert_eq!(square.rotated().rotated(), square);
        }
    }

    #[test]
    fn steps_over_the_edge_lead_nowhere() {
        assert_eq!(Square::I4.offset(1, 0), None);
        assert_eq!(Square::A9.offset(0, 1), None);
        assert_eq!(Square::B0.offset(1, 2), Some(Square::C2));
    }

    #[test]
    fn other_texts_are_no_squares() {
        for text in ["", "a", "j0", "a10", "a-1", "aa", "0a", "é0"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }
}
