//! Algebraic notation as in chess, which XBoard and a few sites use for xiangqi: `Che2`, `Nc2`,
//! `R1xa5+`, `exe5`, on the files a to i and ranks 0 to 9. Only read, never written.

use std::{error::Error, fmt};

use super::spoken::quote;
use crate::xiangqi::{File, Move, Position, Rank, Role, Square};

/// A move in algebraic notation. Whether it is legal, only [`to_move`](Self::to_move) can tell.
///
/// ```
/// use errare::xiangqi::{Position, notation::algebraic};
///
/// let m = algebraic::parse("Che2")?.to_move(&Position::default())?;
/// assert_eq!(m.to_string(), "h2e2");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Algebraic {
    /// What kind of piece moves.
    pub role: Role,
    /// The file that it leaves, where that is said.
    pub file: Option<File>,
    /// The rank that it leaves, where that is said.
    pub rank: Option<Rank>,
    /// Where it goes.
    pub to: Square,
}

impl Algebraic {
    /// The legal move that is meant.
    ///
    /// # Errors
    /// When no legal move can be meant, or several can.
    pub fn to_move(self, position: &Position) -> Result<Move, IllegalAlgebraicError> {
        let is_meant = |m: &Move| {
            m.to == self.to
                && position.board().role_at(m.from) == Some(self.role)
                && self.file.is_none_or(|file| file == m.from.file())
                && self.rank.is_none_or(|rank| rank == m.from.rank())
        };
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(is_meant).collect();
        match moves[..] {
            [m] => Ok(m),
            _ => Err(IllegalAlgebraicError { algebraic: self, moves }),
        }
    }
}

impl fmt::Display for Algebraic {
    /// Says it in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.role)?;
        if let Some(file) = self.file {
            write!(f, " from file {file}")?;
        }
        if let Some(rank) = self.rank {
            write!(f, " from rank {rank}")?;
        }
        write!(f, " to {}", self.to)
    }
}

/// A move that is written well and does not name one legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalAlgebraicError {
    /// What was written.
    pub algebraic: Algebraic,
    /// The legal moves that can be meant: none, or several.
    pub moves: Vec<Move>,
}

impl fmt::Display for IllegalAlgebraicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algebraic, moves } = self;
        match moves.len() {
            0 => write!(f, "`{algebraic}` is no legal move here"),
            count => write!(f, "`{algebraic}` is {count} moves here where one was wanted"),
        }
    }
}

impl Error for IllegalAlgebraicError {}

/// A text that should have been a move in algebraic notation and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseAlgebraicError {
    /// What came, cut off when it is long.
    pub got: String,
}

impl fmt::Display for ParseAlgebraicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not algebraic: a move like Che2, Nc2 or exe5 was wanted", self.got)
    }
}

impl Error for ParseAlgebraicError {}

/// Reads a move: an upper-case letter unless a soldier moves, the file and rank that it leaves
/// where they are said, `x` or `-` if it likes, and the square of arrival. Check marks are let by.
///
/// # Errors
/// When the text is anything else. Whether the move is legal is not asked.
pub fn parse(text: &str) -> Result<Algebraic, ParseAlgebraicError> {
    parse_parts(text).ok_or_else(|| ParseAlgebraicError { got: quote(text) })
}

fn parse_parts(text: &str) -> Option<Algebraic> {
    let text = text.trim().trim_end_matches(['+', '#']);
    let (role, rest) = match text.chars().next()? {
        letter @ 'A'..='Z' => (Role::from_char(letter)?, &text[1..]),
        _ => (Role::Soldier, text),
    };
    let to = rest.get(rest.len().checked_sub(2)?..)?.parse().ok()?;
    let mut from = rest[..rest.len() - 2].trim_end_matches(['x', '-']).chars().peekable();
    let file = from.peek().copied().and_then(File::from_char);
    if file.is_some() {
        from.next();
    }
    let rank = from.peek().copied().and_then(Rank::from_char);
    if rank.is_some() {
        from.next();
    }
    from.next().is_none().then_some(Algebraic { role, file, rank, to })
}
