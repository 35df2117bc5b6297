//! The two colors, and a container with one value for each.

use std::{fmt, ops::Not};

/// Whose pieces they are. Red moves first from the start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Upper case in a FEN, at the bottom of the board.
    Red,
    /// Lower case in a FEN, at the top of the board.
    Black,
}

impl Color {
    /// Both colors, Red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// The color of a FEN's letter: `w` or `r` for Red, `b` for Black.
    pub fn from_char(ch: char) -> Option<Self> {
        match ch {
            'w' | 'r' => Some(Self::Red),
            'b' => Some(Self::Black),
            _ => None,
        }
    }

    /// Its letter in a FEN, `w` or `b`.
    pub const fn char(self) -> char {
        match self {
            Self::Red => 'w',
            Self::Black => 'b',
        }
    }

    /// The other color.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }

    /// Whether this is Red.
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Red)
    }

    /// Whether this is Black.
    pub const fn is_black(self) -> bool {
        matches!(self, Self::Black)
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Black => "black",
        })
    }
}

/// A value for each color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByColor<T> {
    /// Red's.
    pub red: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// The value that `of` gives for each color.
    pub fn new_with(mut of: impl FnMut(Color) -> T) -> Self {
        Self { red: of(Color::Red), black: of(Color::Black) }
    }

    /// The value for one color.
    pub const fn get(&self, color: Color) -> &T {
        match color {
            Color::Red => &self.red,
            Color::Black => &self.black,
        }
    }

    /// The value for one color, to be changed.
    pub const fn get_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Red => &mut self.red,
            Color::Black => &mut self.black,
        }
    }
}
