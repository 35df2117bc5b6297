//! FEN: a position in one line of text.
//!
//! Read generously, since programs write it in several ways: `n` or `h` for the horse, `b` or
//! `e` for the elephant, `w` or `r` for Red, counters present or missing, with or without the
//! two dashes that chess needs. Written in one way only.

use std::{error::Error, fmt, num::NonZeroU32, str::FromStr};

use super::{Board, Color, File, Piece, Position, PositionError, Rank, Setup, Square};

/// A FEN that is spelled correctly. What it describes need not be playable.
///
/// ```
/// use errare::xiangqi::Fen;
///
/// let fen: Fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r".parse()?;
/// assert_eq!(
///     fen.to_string(),
///     "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
/// );
/// assert!(fen.into_position().is_ok());
/// # Ok::<_, errare::xiangqi::ParseFenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Fen(pub Setup);

impl Fen {
    /// The FEN of a position.
    pub fn from_position(position: &Position) -> Self {
        Self(position.to_setup())
    }

    /// The position, if this can be played.
    ///
    /// # Errors
    /// All that is wrong with the arrangement.
    pub fn into_position(self) -> Result<Position, PositionError> {
        Position::from_setup(self.0)
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, turn, halfmoves, fullmoves } = &self.0;
        write!(f, "{board} {} - - {halfmoves} {fullmoves}", turn.char())
    }
}

impl fmt::Display for Board {
    /// Writes the board as the first field of a FEN does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all().rev() {
            let mut empty = 0;
            for file in File::all() {
                let Some(piece) = self.piece_at(Square::from_coords(file, rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", piece.char())?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank.index() > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

/// Why a text is not a FEN. Texts quoted here are cut off when they are long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseFenError {
    /// There is no text.
    Empty,
    /// The board does not have ten ranks.
    Ranks {
        /// How many it has.
        got: usize,
    },
    /// A rank does not have nine squares.
    Files {
        /// The rank.
        rank: String,
        /// How many squares it has.
        got: usize,
    },
    /// A letter stands for no piece.
    Piece {
        /// The letter.
        got: char,
    },
    /// The side to move is none of `w`, `r` and `b`.
    Turn {
        /// What came instead.
        got: String,
    },
    /// A counter is not a number.
    Counter {
        /// What came instead.
        got: String,
    },
    /// The text goes on after the last field.
    TrailingField {
        /// The first field too many.
        got: String,
    },
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the FEN is empty"),
            Self::Ranks { got } => {
                write!(f, "the FEN's board has {got} ranks where 10 were wanted")
            }
            Self::Files { rank, got } => {
                write!(f, "the FEN's rank `{rank}` has {got} squares where 9 were wanted")
            }
            Self::Piece { got } => {
                write!(f, "the FEN has a piece {got:?} where one of k a b n r c p (e h) was wanted")
            }
            Self::Turn { got } => {
                write!(f, "the FEN's side to move is `{got}` where w, r or b was wanted")
            }
            Self::Counter { got } => {
                write!(f, "the FEN has the counter `{got}` where a number was wanted")
            }
            Self::TrailingField { got } => {
                write!(f, "the FEN goes on with `{got}` where its end was wanted")
            }
        }
    }
}

impl Error for ParseFenError {}

/// The text that an error quotes: the beginning, where all would be too much.
pub(super) fn quote(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl FromStr for Board {
    type Err = ParseFenError;

    /// Reads the first field of a FEN.
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let ranks = text.split('/').count();
        if ranks != Rank::COUNT {
            return Err(ParseFenError::Ranks { got: ranks });
        }
        let mut board = Self::empty();
        for (rank, row) in Rank::all().rev().zip(text.split('/')) {
            let mut file = 0;
            for ch in row.chars() {
                if let Some(empty @ 1..) = ch.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let piece = Piece::from_char(ch).ok_or(ParseFenError::Piece { got: ch })?;
                if file < File::COUNT {
                    let square = Square::from_coords(File::new(file as u8), rank);
                    board.set_piece_at(square, piece);
                }
                file += 1;
            }
            if file != File::COUNT {
                return Err(ParseFenError::Files { rank: quote(row), got: file });
            }
        }
        Ok(board)
    }
}

impl FromStr for Fen {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let mut fields = text.split_whitespace();
        let board: Board = fields.next().ok_or(ParseFenError::Empty)?.parse()?;
        let turn = match fields.next() {
            None => Color::Red,
            Some(field) => {
                let mut chars = field.chars();
                match (chars.next().and_then(Color::from_char), chars.next()) {
                    (Some(turn), None) => turn,
                    _ => return Err(ParseFenError::Turn { got: quote(field) }),
                }
            }
        };
        // The dashes say nothing, and one program writes both in one field.
        let mut counters = fields.filter(|field| field.chars().any(|ch| ch != '-'));
        let mut counter = |missing: u32| match counters.next() {
            None => Ok(missing),
            Some(field) => field.parse().map_err(|_| ParseFenError::Counter { got: quote(field) }),
        };
        let halfmoves = counter(0)?;
        // Some programs count moves from 0.
        let fullmoves = NonZeroU32::new(counter(1)?).unwrap_or(NonZeroU32::MIN);
        match counters.next() {
            None => Ok(Self(Setup { board, turn, halfmoves, fullmoves })),
            Some(field) => Err(ParseFenError::TrailingField { got: quote(field) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[track_caller]
    fn check(rest: &str, written: &str) {
        let fen: Fen = format!("{BOARD}{rest}").parse().unwrap();
        assert_eq!(fen.to_string(), format!("{BOARD} {written}"));
    }

    #[test]
    fn fields_that_are_missing_are_those_of_the_start() {
        assert_eq!(Fen::default().to_string(), format!("{BOARD} w - - 0 1"));
        check("", "w - - 0 1");
        check(" b", "b - - 0 1");
        check(" b - -", "b - - 0 1");
        check(" w - - 7", "w - - 7 1");
    }

    #[test]
    fn the_dashes_are_read_in_every_form() {
        check(" w - - 12 30", "w - - 12 30");
        check(" w -- 0 1", "w - - 0 1");
        check(" w 0 1", "w - - 0 1");
        check(" b - 3 9", "b - - 3 9");
    }

    #[test]
    fn red_may_be_called_red_and_moves_may_begin_with_zero() {
        check(" r - - 0 0", "w - - 0 1");
    }

    #[test]
    fn horses_and_elephants_have_two_letters() {
        let other = BOARD.replace('n', "h").replace('b', "e").replace('N', "H").replace('B', "E");
        assert_eq!(other.parse::<Fen>(), Ok(Fen::default()));
    }

    #[test]
    fn errors_say_what_came_and_what_was_wanted() {
        let error = |text: &str| text.parse::<Fen>().unwrap_err().to_string();
        assert_eq!(error("  "), "the FEN is empty");
        assert_eq!(error("9/9/9"), "the FEN's board has 3 ranks where 10 were wanted");
        assert_eq!(
            error(&BOARD.replacen("/9/", "/8/", 1)),
            "the FEN's rank `8` has 8 squares where 9 were wanted",
        );
        assert_eq!(
            error(&BOARD.replacen("/9/", "/81q/", 1)),
            "the FEN has a piece 'q' where one of k a b n r c p (e h) was wanted",
        );
        assert_eq!(
            error(&format!("{BOARD} white")),
            "the FEN's side to move is `white` where w, r or b was wanted",
        );
        assert_eq!(
            error(&format!("{BOARD} w - - x 1")),
            "the FEN has the counter `x` where a number was wanted",
        );
        assert_eq!(
            error(&format!("{BOARD} w - - 0 1 moves")),
            "the FEN goes on with `moves` where its end was wanted",
        );
        assert!(error(&"9".repeat(10_000)).len() < 100);
        assert!(error(&format!("{BOARD} {}", "馬".repeat(10_000))).len() < 300);
    }
}
