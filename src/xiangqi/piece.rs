//! A piece: a role and a color.

use super::{Color, Role};

/// A role with a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The piece of a FEN's letter: upper case is Red's. `e` and `h` are understood beside `b`
    /// and `n`.
    ///
    /// ```
    /// use errare::xiangqi::{Color, Piece, Role};
    ///
    /// let horse = Piece { color: Color::Red, role: Role::Horse };
    /// assert_eq!(Piece::from_char('H'), Some(horse));
    /// assert_eq!(horse.char(), 'N');
    /// ```
    pub fn from_char(ch: char) -> Option<Self> {
        let color = if ch.is_ascii_uppercase() { Color::Red } else { Color::Black };
        Role::from_char(ch).map(|role| Self { color, role })
    }

    /// Its letter in a FEN.
    pub const fn char(self) -> char {
        match self.color {
            Color::Red => self.role.char().to_ascii_uppercase(),
            Color::Black => self.role.char(),
        }
    }
}
