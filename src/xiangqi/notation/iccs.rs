//! Moves as coordinates, which is how programs write them: `h2e2`, `H2-E2`, or with ranks that
//! begin with 1, `h3e3`.

use std::{error::Error, fmt, str::FromStr};

use crate::xiangqi::{File, Move, Rank, Square};

/// What the rank nearest to Red is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ranks {
    /// Ranks are called 0 to 9: ICCS, UCCI, and UCI in the Cyclone dialect.
    #[default]
    FromZero,
    /// Ranks are called 1 to 10: UCI with `UCI_Variant xiangqi`.
    FromOne,
}

/// A move together with the names of the ranks: the engines' spelling.
///
/// ```
/// use errare::xiangqi::{Move, Square, notation::iccs::{self, Iccs, Ranks}};
///
/// let m = Move::new(Square::A9, Square::A8);
/// assert_eq!(Iccs::new(m, Ranks::FromZero).to_string(), "a9a8");
/// assert_eq!(Iccs::new(m, Ranks::FromOne).to_string(), "a10a9");
/// assert_eq!(Iccs::new(m, Ranks::FromZero).dashed().to_string(), "A9-A8");
/// assert_eq!(iccs::parse("a10a9", Ranks::FromOne), Ok(m));
/// assert_eq!(iccs::parse("A9-A8", Ranks::FromZero), Ok(m));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Iccs {
    m: Move,
    ranks: Ranks,
    is_dashed: bool,
}

impl Iccs {
    /// A move to be written with the given names of ranks, without a dash, in lower case.
    pub const fn new(m: Move, ranks: Ranks) -> Self {
        Self { m, ranks, is_dashed: false }
    }

    /// The same with a dash and in upper case, as in records of games.
    #[must_use]
    pub const fn dashed(self) -> Self {
        Self { is_dashed: true, ..self }
    }
}

impl fmt::Display for Iccs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { m: Move { from, to }, ranks, is_dashed } = *self;
        let rank = |square: Square| match ranks {
            Ranks::FromZero => square.rank().index(),
            Ranks::FromOne => square.rank().index() + 1,
        };
        let file = |square: Square| match is_dashed {
            true => square.file().char().to_ascii_uppercase(),
            false => square.file().char(),
        };
        let dash = if is_dashed { "-" } else { "" };
        write!(f, "{}{}{dash}{}{}", file(from), rank(from), file(to), rank(to))
    }
}

/// A text that should have been a move in coordinates and is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseIccsError {
    /// The names of ranks that were wanted.
    pub ranks: Ranks,
}

impl fmt::Display for ParseIccsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.ranks {
            Ranks::FromZero => "not two squares a0 to i9: a move like h2e2 or H2-E2 was wanted",
            Ranks::FromOne => "not two squares a1 to i10: a move like h3e3 or a10a9 was wanted",
        })
    }
}

impl Error for ParseIccsError {}

/// Reads a move as two squares, in either case, with or without a dash between them.
///
/// # Errors
/// When the text is anything else. Whether the move is legal is not asked.
pub fn parse(text: &str, ranks: Ranks) -> Result<Move, ParseIccsError> {
    let squares = || {
        let (from, rest) = parse_square(text, ranks)?;
        let (to, rest) = parse_square(rest.strip_prefix('-').unwrap_or(rest), ranks)?;
        rest.is_empty().then_some(Move::new(from, to))
    };
    squares().ok_or(ParseIccsError { ranks })
}

/// Reads a square at the beginning of a text; what follows comes back with it.
fn parse_square(text: &str, ranks: Ranks) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = File::from_char(chars.next()?)?;
    let (rank, rest) = match ranks {
        Ranks::FromZero => (Rank::from_char(chars.next()?)?, chars.as_str()),
        Ranks::FromOne => match chars.as_str().strip_prefix("10") {
            Some(rest) => (Rank::new(9), rest),
            None => (Rank::new(chars.next()?.to_digit(10)?.checked_sub(1)? as u8), chars.as_str()),
        },
    };
    Some((Square::from_coords(file, rank), rest))
}

/// The names of ranks that a written move gives away: a rank 0 is of the one kind, a rank 10 of
/// the other. `None` where it could be either, or is no move at all.
///
/// ```
/// use errare::xiangqi::notation::iccs::{Ranks, betrayed_ranks};
///
/// assert_eq!(betrayed_ranks("b0c2"), Some(Ranks::FromZero));
/// assert_eq!(betrayed_ranks("b10c8"), Some(Ranks::FromOne));
/// assert_eq!(betrayed_ranks("h2e2"), None);
/// ```
pub fn betrayed_ranks(text: &str) -> Option<Ranks> {
    match (parse(text, Ranks::FromZero), parse(text, Ranks::FromOne)) {
        (Ok(_), Err(_)) => Some(Ranks::FromZero),
        (Err(_), Ok(_)) => Some(Ranks::FromOne),
        _ => None,
    }
}

impl FromStr for Move {
    type Err = ParseIccsError;

    /// Reads a move as `Display` writes it, or with a dash: `h2e2`, `H2-E2`, ranks from 0.
    fn from_str(text: &str) -> Result<Self, ParseIccsError> {
        parse(text, Ranks::FromZero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back_from_every_spelling() {
        for from in Square::all() {
            for to in Square::all() {
                let m = Move::new(from, to);
                for ranks in [Ranks::FromZero, Ranks::FromOne] {
                    let iccs = Iccs::new(m, ranks);
                    assert_eq!(parse(&iccs.to_string(), ranks), Ok(m), "{iccs}");
                    assert_eq!(parse(&iccs.dashed().to_string(), ranks), Ok(m), "{iccs}");
                }
            }
        }
    }

    #[test]
    fn ranks_from_one_end_with_ten() {
        assert_eq!(parse("a10a9", Ranks::FromOne), Ok(Move::new(Square::A9, Square::A8)));
        assert_eq!(parse("a1a10", Ranks::FromOne), Ok(Move::new(Square::A0, Square::A9)));
        assert_eq!(parse("a1b2", Ranks::FromOne), Ok(Move::new(Square::A0, Square::B1)));
    }

    #[test]
    fn a_rank_of_the_other_kind_is_refused() {
        assert_eq!(parse("a0a1", Ranks::FromOne), Err(ParseIccsError { ranks: Ranks::FromOne }));
        assert_eq!(parse("a10a9", Ranks::FromZero), Err(ParseIccsError { ranks: Ranks::FromZero }));
    }

    #[test]
    fn other_texts_are_no_moves() {
        for text in ["", "h", "h2", "h2e", "h2e2q", "j2e2", "h2--e2", "炮二平五", "h2e2 ", "h+2e2"]
        {
            for ranks in [Ranks::FromZero, Ranks::FromOne] {
                assert!(parse(text, ranks).is_err(), "{text}");
                assert_eq!(betrayed_ranks(text), None, "{text}");
            }
        }
    }
}
