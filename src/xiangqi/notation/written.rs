//! Moves in any spelling that is in use, told apart by their looks.

use std::{error::Error, fmt};

use super::{
    algebraic::{self, IllegalAlgebraicError},
    chinese::{self, Chinese, ParseChineseError, Script},
    iccs::{Iccs, Ranks},
    spoken::{IllegalSpokenError, quote},
    wxf::{self, Wxf},
};
use crate::xiangqi::{IllegalMoveError, Move, Position};

/// A way to write moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// Coordinates as records have them: `H2-E2`.
    Iccs,
    /// `C2.5`.
    Wxf,
    /// 炮二平五.
    Chinese(Script),
}

/// A move as it is written, or `None` where it is not legal.
///
/// ```
/// use errare::xiangqi::{Move, Position, Square, notation::written::{self, Spelling}};
///
/// let m = Move::new(Square::H2, Square::E2);
/// let text = written::write(m, &Position::default(), Spelling::Iccs);
/// assert_eq!(text.as_deref(), Some("H2-E2"));
/// ```
pub fn write(m: Move, position: &Position, spelling: Spelling) -> Option<String> {
    match spelling {
        Spelling::Iccs => {
            position.is_legal(m).then(|| Iccs::new(m, Ranks::FromZero).dashed().to_string())
        }
        Spelling::Wxf => Wxf::of(position, m).map(|wxf| wxf.to_string()),
        Spelling::Chinese(script) => {
            Chinese::of(position, m, script).map(|chinese| chinese.to_string())
        }
    }
}

/// The legal move that a text names in a position: as coordinates with ranks from 0, in WXF, in
/// algebraic notation or in Chinese, whichever of these reads it first.
///
/// ```
/// use errare::xiangqi::{Position, notation::written};
///
/// let position = Position::default();
/// for text in ["h2e2", "H2-E2", "C2.5", "c2=5", "炮二平五", "Che2"] {
///     assert_eq!(written::parse(text, &position)?.to_string(), "h2e2", "{text}");
/// }
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is a move in none of these spellings, or is one that is not legal, or not one.
pub fn parse(text: &str, position: &Position) -> Result<Move, WrittenMoveError> {
    let text = text.trim();
    if let Ok(m) = text.parse::<Move>() {
        return if position.is_legal(m) { Ok(m) } else { Err(IllegalMoveError { m }.into()) };
    }
    if let Ok(spoken) = wxf::parse(text) {
        return Ok(spoken.to_move(position)?);
    }
    if let Ok(algebraic) = algebraic::parse(text) {
        return Ok(algebraic.to_move(position)?);
    }
    match chinese::parse(text) {
        Ok(spoken) => Ok(spoken.to_move(position)?),
        // a text with Chinese in it was meant to be Chinese
        Err(error) if !text.is_ascii() => Err(error.into()),
        Err(_) => Err(ParseWrittenError { got: quote(text) }.into()),
    }
}

/// A text that is a move in no spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseWrittenError {
    /// What came, cut off when it is long.
    pub got: String,
}

impl fmt::Display for ParseWrittenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no move: one like h2e2, C2.5, 炮二平五 or Che2 was wanted", self.got)
    }
}

impl Error for ParseWrittenError {}

/// Why a text is not a legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenMoveError {
    /// It is a move in no spelling.
    Parse(ParseWrittenError),
    /// It is misspelled Chinese.
    ParseChinese(ParseChineseError),
    /// Its two squares are not a legal move.
    Illegal(IllegalMoveError),
    /// It is WXF or Chinese, and does not name one legal move.
    IllegalSpoken(IllegalSpokenError),
    /// It is algebraic, and does not name one legal move.
    IllegalAlgebraic(IllegalAlgebraicError),
}

impl WrittenMoveError {
    /// Whether the text was well written, and its move was not legal.
    pub fn is_illegal(&self) -> bool {
        !matches!(self, Self::Parse(_) | Self::ParseChinese(_))
    }
}

impl fmt::Display for WrittenMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::ParseChinese(error) => error.fmt(f),
            Self::Illegal(error) => error.fmt(f),
            Self::IllegalSpoken(error) => error.fmt(f),
            Self::IllegalAlgebraic(error) => error.fmt(f),
        }
    }
}

impl Error for WrittenMoveError {}

impl From<ParseWrittenError> for WrittenMoveError {
    fn from(error: ParseWrittenError) -> Self {
        Self::Parse(error)
    }
}

impl From<ParseChineseError> for WrittenMoveError {
    fn from(error: ParseChineseError) -> Self {
        Self::ParseChinese(error)
    }
}

impl From<IllegalMoveError> for WrittenMoveError {
    fn from(error: IllegalMoveError) -> Self {
        Self::Illegal(error)
    }
}

impl From<IllegalSpokenError> for WrittenMoveError {
    fn from(error: IllegalSpokenError) -> Self {
        Self::IllegalSpoken(error)
    }
}

impl From<IllegalAlgebraicError> for WrittenMoveError {
    fn from(error: IllegalAlgebraicError) -> Self {
        Self::IllegalAlgebraic(error)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, seq::IndexedRandom};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::xiangqi::notation::samples::{crowded_positions, position, random_games};

    #[test]
    fn every_legal_move_reads_back_from_every_spelling() {
        for position in random_games(1, 50).chain(crowded_positions(2, 3000)) {
            for m in position.legal_moves() {
                let spellings = [
                    Spelling::Iccs,
                    Spelling::Wxf,
                    Spelling::Chinese(Script::Simplified),
                    Spelling::Chinese(Script::Traditional),
                ];
                for spelling in spellings {
                    let text = write(m, &position, spelling).unwrap();
                    assert_eq!(parse(&text, &position), Ok(m), "{text}");
                }
            }
        }
    }

    #[test]
    fn whatever_is_written_only_legal_moves_are_read() {
        let letters: Vec<char> = "acegCHPR125789+-.x前后二五兵炮进平é".chars().collect();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut read = 0;
        for position in crowded_positions(6, 200) {
            for _ in 0..500 {
                let length = rng.random_range(0..=5);
                let text: String = (0..length).map(|_| letters.choose(&mut rng).unwrap()).collect();
                if let Ok(m) = parse(&text, &position) {
                    assert!(position.is_legal(m), "{text}");
                    read += 1;
                }
            }
        }
        assert!(read > 10, "only {read} texts were moves");
    }

    #[test]
    fn misspelled_and_illegal_moves_are_told_apart() {
        let start = Position::default();
        for text in ["h2e3", "C2.2", "炮二平二", "Rc5", "h2+4", "P1.2"] {
            assert!(parse(text, &start).unwrap_err().is_illegal(), "{text}");
        }
        for text in ["", "x", "h2e", "C2", "炮二平", "炮二平二十", "Zz9", "C0.5", "é", "馬"]
        {
            assert!(!parse(text, &start).unwrap_err().is_illegal(), "{text}");
        }
    }

    #[test]
    fn errors_say_what_came_and_what_was_wanted() {
        let start = Position::default();
        let message = |text| parse(text, &start).unwrap_err().to_string();
        assert_eq!(message("e9e9"), "e9e9 is not a legal move here");
        assert_eq!(
            message("C2.2"),
            "`the cannon on file 2 sideways to file 2` is no legal move of red here"
        );
        assert_eq!(message("Re4"), "`chariot to e4` is no legal move here");
        assert_eq!(
            message("what"),
            "`what` is no move: one like h2e2, C2.5, 炮二平五 or Che2 was wanted"
        );
        assert_eq!(
            message("炮二"),
            "`炮二` is no move in Chinese: one like 炮二平五 or 前车进３ was wanted"
        );
        let doubled = position("3k5/9/9/2P1P4/2P1P4/9/9/9/9/4K4 w");
        assert_eq!(
            parse("P++1", &doubled).unwrap_err().to_string(),
            "`the front soldier forward by 1` is 2 moves of red here where one was wanted: \
             e6e7 c6c7"
        );
    }

    #[test]
    fn algebraic_moves_say_as_much_as_they_need() {
        let abreast = position("3k5/9/9/4p4/9/2R3R2/9/9/9/4K4 w");
        let found = |text| parse(text, &abreast).map(|m| m.to_string());
        assert_eq!(found("Rg9+"), Ok("g4g9".into()));
        assert_eq!(found("Rge4"), Ok("g4e4".into()));
        assert!(found("Re4").unwrap_err().is_illegal(), "two chariots get there");
        let in_tandem = position("3k5/9/9/4p4/9/2R6/9/2R6/9/4K4 w");
        let found = |text| parse(text, &in_tandem).map(|m| m.to_string());
        assert_eq!(found("R2c3"), Ok("c2c3".into()));
        assert_eq!(found("Rc4-c3"), Ok("c4c3".into()));
        assert!(found("Rc3").unwrap_err().is_illegal(), "two chariots get there");
    }

    #[test]
    fn a_soldiers_algebraic_move_has_no_letter() {
        let position = position("3k5/9/9/3Pp4/9/9/9/9/9/4K4 w");
        for text in ["dxe6", "d6xe6", "e6", "xe6"] {
            assert_eq!(parse(text, &position).map(|m| m.to_string()), Ok("d6e6".into()), "{text}");
        }
    }
}
