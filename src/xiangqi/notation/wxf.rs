//! WXF: the notation of the World Xiangqi Federation, `C2.5`, `H8+7`, `R+.6`, which PlayOK's
//! records are written in.
//!
//! The federation's rules of 1997, which come down from C. W. Huang's of 1980: a letter, the
//! file, `+` forward or `-` back or `.` sideways, and steps or the file of arrival. `+` or `-` in
//! place of the file is the front or rear one of two. Soldiers have forms of their own: of three
//! the middle one goes by its file, of four or five the outermost are `++` and `--`, and where
//! they are doubled on two files the file takes the letter's place: `3+.4`, `33.4`, `3-.4`.

use std::{error::Error, fmt, str::FromStr};

use super::{
    relative::Direction,
    spoken::{IllegalSpokenError, Place, Selector, Spoken, TandemFiles, quote, speak},
};
use crate::xiangqi::{Color, Move, Position, Role};

/// A move in WXF.
///
/// ```
/// use errare::xiangqi::{Move, Position, Square, notation::wxf::Wxf};
///
/// let position = Position::default();
/// let m = Move::new(Square::H0, Square::G2);
/// let wxf = Wxf::of(&position, m).expect("the move is legal");
/// assert_eq!(wxf.to_string(), "H2+3");
/// assert_eq!("h2+3".parse::<Wxf>()?.to_move(&position)?, m);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wxf {
    /// What it says.
    pub spoken: Spoken,
    /// Whose move it is: upper case is Red's, as in PlayOK's records. Reading takes any case for
    /// either side.
    pub color: Color,
}

impl Wxf {
    /// A legal move of a position, or `None` where it is not legal.
    pub fn of(position: &Position, m: Move) -> Option<Self> {
        let spoken = speak(position, m, |standing, files| match (standing.place(), files) {
            (Some(place), TandemFiles::Two) => Selector::PlaceOnFile(place, standing.file),
            (None | Some(Place::Middle), TandemFiles::One) => Selector::File(standing.file),
            (Some(place), TandemFiles::One) => Selector::Place(place),
            (None, TandemFiles::Two) => Selector::File(standing.file),
        })?;
        Some(Self { spoken, color: position.turn() })
    }

    /// The legal move that is meant, as [`Spoken::to_move`] finds it.
    ///
    /// # Errors
    /// When no legal move can be meant, or several can.
    pub fn to_move(self, position: &Position) -> Result<Move, IllegalSpokenError> {
        self.spoken.to_move(position)
    }
}

impl fmt::Display for Wxf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spoken { role, selector, direction, number } = self.spoken;
        let letter = match (role, self.color) {
            (Role::Elephant, Color::Red) => 'E',
            (Role::Elephant, Color::Black) => 'e',
            (Role::Horse, Color::Red) => 'H',
            (Role::Horse, Color::Black) => 'h',
            (role, Color::Red) => role.char().to_ascii_uppercase(),
            (role, Color::Black) => role.char(),
        };
        match selector {
            Selector::Any => write!(f, "{letter}"),
            Selector::File(file) => write!(f, "{letter}{file}"),
            Selector::Place(Place::Foremost) => f.write_str("++"),
            Selector::Place(Place::Rearmost) => f.write_str("--"),
            Selector::Place(Place::Front) => write!(f, "{letter}+"),
            Selector::Place(Place::Middle) => write!(f, "{letter}."),
            Selector::Place(Place::Rear) => write!(f, "{letter}-"),
            Selector::PlaceOnFile(Place::Foremost | Place::Front, file) => write!(f, "{file}+"),
            Selector::PlaceOnFile(Place::Middle, file) => write!(f, "{file}{file}"),
            Selector::PlaceOnFile(Place::Rear | Place::Rearmost, file) => write!(f, "{file}-"),
            Selector::Ordinal(ordinal) => write!(f, "{letter}{}", ordinal_letter(ordinal)),
        }?;
        let sign = match direction {
            Direction::Forward => '+',
            Direction::Backward => '-',
            Direction::Sideways => '.',
        };
        write!(f, "{sign}{number}")
    }
}

/// A text that should have been a move in WXF and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseWxfError {
    /// What came, cut off when it is long.
    pub got: String,
}

impl fmt::Display for ParseWxfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not in WXF: a move like C2.5, H8+7 or R+.6 was wanted", self.got)
    }
}

impl Error for ParseWxfError {}

impl FromStr for Wxf {
    type Err = ParseWxfError;

    /// Reads a move in either case, generously: `=` for `.`, `+R.6` for `R+.6`, `A+4` and `C25`
    /// where nothing else can be meant, `P.+1` for the middle soldier, `Pa+1` to `Pe+1` for
    /// soldiers by number. A text without a letter counts as Red's.
    fn from_str(text: &str) -> Result<Self, ParseWxfError> {
        let spoken = parse(text)?;
        let is_black = text.chars().find(char::is_ascii_alphabetic);
        let is_black = is_black.is_some_and(|letter| letter.is_ascii_lowercase());
        Ok(Self { spoken, color: if is_black { Color::Black } else { Color::Red } })
    }
}

/// Reads what a move in WXF says, as generously as [`Wxf`]'s `from_str`.
///
/// # Errors
/// When the text is anything else. Whether the move is legal is not asked.
pub fn parse(text: &str) -> Result<Spoken, ParseWxfError> {
    parse_chars(text).ok_or_else(|| ParseWxfError { got: quote(text) })
}

fn parse_chars(text: &str) -> Option<Spoken> {
    let mut buffer = ['\0'; 4];
    let mut len = 0;
    for ch in text.trim().chars() {
        *buffer.get_mut(len)? = ch;
        len += 1;
    }
    let (selected, sign, number) = match buffer[..len] {
        [a, b, sign, number] => (parse_selected(a, b)?, sign, number),
        [a, sign, number] if !sign.is_ascii_digit() => {
            ((Role::from_char(a)?, Selector::Any), sign, number)
        }
        [a, b, number] => (parse_selected(a, b)?, '.', number),
        _ => return None,
    };
    let direction = match parse_sign(sign)? {
        Sign::Plus => Direction::Forward,
        Sign::Minus => Direction::Backward,
        Sign::Point => Direction::Sideways,
    };
    let (role, selector) = selected;
    Some(Spoken { role, selector, direction, number: parse_digit(number)? })
}

/// Reads the half of a move that says which piece it is.
fn parse_selected(a: char, b: char) -> Option<(Role, Selector)> {
    let place = |sign| match sign {
        Sign::Plus => Place::Front,
        Sign::Minus => Place::Rear,
        Sign::Point => Place::Middle,
    };
    let soldier = |selector| Some((Role::Soldier, selector));
    match (parse_digit(a), parse_digit(b), parse_sign(a), parse_sign(b)) {
        (Some(file), Some(same), ..) if file == same => {
            soldier(Selector::PlaceOnFile(Place::Middle, file))
        }
        (Some(file), _, _, Some(sign)) => soldier(Selector::PlaceOnFile(place(sign), file)),
        (Some(_), ..) => None,
        (_, Some(file), None, _) => Some((Role::from_char(a)?, Selector::File(file))),
        (_, _, Some(Sign::Plus), Some(Sign::Plus)) => soldier(Selector::Place(Place::Foremost)),
        (_, _, Some(Sign::Minus), Some(Sign::Minus)) => soldier(Selector::Place(Place::Rearmost)),
        (_, None, Some(sign), None) => Some((Role::from_char(b)?, Selector::Place(place(sign)))),
        (_, _, None, Some(sign)) => Some((Role::from_char(a)?, Selector::Place(place(sign)))),
        (_, None, None, None) if Role::from_char(a) == Some(Role::Soldier) => {
            let ordinal = (1..=5).find(|&ordinal| ordinal_letter(ordinal) == b)?;
            soldier(Selector::Ordinal(ordinal))
        }
        _ => None,
    }
}

enum Sign {
    Plus,
    Minus,
    Point,
}

fn parse_sign(ch: char) -> Option<Sign> {
    match ch {
        '+' => Some(Sign::Plus),
        // hyphen, dash and minus: typesetters use all three
        '-' | '–' | '−' => Some(Sign::Minus),
        '.' | '=' => Some(Sign::Point),
        _ => None,
    }
}

fn parse_digit(ch: char) -> Option<u8> {
    ch.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8)
}

/// The letter for a soldier by number, in the form of some Chinese programs: `a` to `e`.
fn ordinal_letter(ordinal: u8) -> char {
    char::from(b'a' - 1 + ordinal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::notation::samples::{crowded_positions, position};

    fn written(position: &Position, m: &str) -> String {
        Wxf::of(position, m.parse().unwrap()).unwrap().to_string()
    }

    fn read(position: &Position, text: &str) -> String {
        text.parse::<Wxf>().unwrap().to_move(position).unwrap().to_string()
    }

    #[test]
    fn every_legal_move_of_a_crowded_position_reads_back() {
        for position in crowded_positions(3, 2000) {
            for m in position.legal_moves() {
                let wxf = Wxf::of(&position, m).unwrap();
                assert_eq!(
                    wxf.to_string().parse::<Wxf>().unwrap().to_move(&position),
                    Ok(m),
                    "{wxf}"
                );
            }
        }
    }

    #[test]
    fn upper_case_is_red_and_lower_case_black() {
        let start = Position::default();
        assert_eq!(written(&start, "h2e2"), "C2.5");
        let reply = start.after("h2e2".parse().unwrap());
        assert_eq!(written(&reply, "h9g7"), "h8+7");
        assert_eq!(read(&reply, "H8+7"), "h9g7");
        assert_eq!("h8+7".parse::<Wxf>().unwrap().color, Color::Black);
    }

    #[test]
    fn two_on_a_file_are_front_and_rear() {
        let position = position("4k4/9/9/9/4N4/9/4N4/9/5R3/3K1R3 w");
        assert_eq!(written(&position, "f1a1"), "R+.9");
        assert_eq!(written(&position, "e3f5"), "H-+4");
        for text in ["R+.9", "+R.9", "R+=9", "r+.9"] {
            assert_eq!(read(&position, text), "f1a1", "{text}");
        }
        for text in ["H-+4", "-H+4", "N-+4", "H–+4", "-N+4"] {
            assert_eq!(read(&position, text), "e3f5", "{text}");
        }
    }

    #[test]
    fn advisors_and_elephants_need_no_sign() {
        let position = position("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w");
        assert_eq!(written(&position, "d2e1"), "A6-5");
        assert_eq!(written(&position, "c0e2"), "E7+5");
        for text in ["A6-5", "A+-5", "A-5"] {
            assert_eq!(read(&position, text), "d2e1", "{text}");
        }
    }

    // The federation's own examples of soldiers in tandem follow.

    #[test]
    fn three_soldiers_on_a_file_are_front_file_and_rear() {
        let position = position("4k4/9/9/6P2/6P2/6P2/9/9/9/3K5 w");
        let wxf = ["g6f6", "g5f5"].map(|m| written(&position, m));
        assert_eq!(wxf, ["P+.4", "P3.4"]);
        assert_eq!(read(&position, "P..4"), "g5f5");
    }

    #[test]
    fn four_and_five_soldiers_on_a_file_have_doubled_signs() {
        let five = position("4k4/6P2/6P2/6P2/6P2/6P2/9/9/9/3K5 w");
        let wxf = ["g8f8", "g7f7", "g6f6", "g5f5"].map(|m| written(&five, m));
        assert_eq!(wxf, ["++.4", "P+.4", "P3.4", "P-.4"]);
        let four = position("4k4/6P2/6P2/6P2/6P2/9/9/9/9/3K5 w");
        let wxf = ["g8f8", "g7f7", "g6f6", "g5f5"].map(|m| written(&four, m));
        assert_eq!(wxf, ["++.4", "P+.4", "P-.4", "--.4"]);
        assert_eq!(read(&four, "Pd.4"), "g5f5");
    }

    #[test]
    fn soldiers_doubled_on_two_files_say_their_file() {
        let position = position("4k4/9/2P3P2/2P3P2/6P2/9/9/9/9/3K5 w");
        let wxf = ["g7f7", "g6f6", "g5f5", "c7d7", "c6d6"].map(|m| written(&position, m));
        assert_eq!(wxf, ["3+.4", "33.4", "3-.4", "7+.6", "7-.6"]);
        let lettered = ["Pa.4", "Pb.4", "Pd.6", "Pe.6"].map(|text| read(&position, text));
        assert_eq!(lettered, ["g7f7", "g6f6", "c7d7", "c6d6"]);
    }

    #[test]
    fn what_only_one_piece_can_do_may_be_said_loosely() {
        let position = position("4k4/6P2/6P2/6P2/6P2/9/9/4B4/9/3K1R2R w");
        assert_eq!(read(&position, "P++1"), "g8g9", "the second one is blocked");
        assert_eq!(read(&position, "R12"), "i0h0");
        assert_eq!(read(&position, "E+3"), "e2g4");
    }

    #[test]
    fn other_texts_are_not_in_wxf() {
        for text in
            ["", "C", "C2", "C2.", "C2.0", "C0.5", "X2.5", "C2/5", "C2.55", "h2e2", "炮二平五"]
        {
            assert_eq!(parse(text), Err(ParseWxfError { got: text.to_owned() }), "{text}");
        }
        let long = "C".repeat(1000);
        assert_eq!(parse(&long).unwrap_err().got.chars().count(), 41);
    }
}
