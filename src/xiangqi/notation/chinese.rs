//! The notation of Chinese books: 炮二平五, 馬８進７, 前炮平三.
//!
//! Of two on a file, 前 is the front one and 后 the rear one, and of three soldiers 中 the middle
//! one. Four and five soldiers are 一 to 五 from the front; where they are doubled on two files,
//! those files are counted together, from the mover's right (the rules that programs in China
//! agreed on in 2004 and 2006).

use std::{error::Error, fmt};

use super::{
    relative::Direction,
    spoken::{IllegalSpokenError, Place, Selector, Spoken, TandemFiles, quote, speak},
};
use crate::xiangqi::{Color, Move, Position, Role};

/// The characters that Chinese is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Script {
    /// As in mainland China: 马, 车, 进.
    #[default]
    Simplified,
    /// As in Taiwan and Hong Kong: 馬, 車, 進.
    Traditional,
}

/// A move in Chinese, to be written.
///
/// Red's numbers are written in Chinese characters, Black's in wide digits.
///
/// ```
/// use errare::xiangqi::{Move, Position, Square, notation::chinese::{self, Chinese, Script}};
///
/// let position = Position::default();
/// let m = Move::new(Square::H0, Square::G2);
/// let chinese = Chinese::of(&position, m, Script::Simplified).expect("the move is legal");
/// assert_eq!(chinese.to_string(), "马二进三");
/// assert_eq!(chinese::parse("馬二進三")?.to_move(&position)?, m);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chinese {
    /// What it says.
    pub spoken: Spoken,
    /// Whose move it is.
    pub color: Color,
    /// In which characters.
    pub script: Script,
}

impl Chinese {
    /// A legal move of a position, or `None` where it is not legal.
    pub fn of(position: &Position, m: Move, script: Script) -> Option<Self> {
        let spoken = speak(position, m, |standing, files| {
            match (standing.place(), standing.ordinal, files) {
                (Some(place), _, TandemFiles::One) if standing.alike < 4 => Selector::Place(place),
                (_, Some(ordinal), _) => Selector::Ordinal(ordinal),
                (_, None, _) => Selector::File(standing.file),
            }
        })?;
        Some(Self { spoken, color: position.turn(), script })
    }

    /// The legal move that is meant, as [`Spoken::to_move`] finds it.
    ///
    /// # Errors
    /// When no legal move can be meant, or several can.
    pub fn to_move(self, position: &Position) -> Result<Move, IllegalSpokenError> {
        self.spoken.to_move(position)
    }

    /// The name of a piece.
    fn piece(self, role: Role) -> char {
        use Color::{Black, Red};
        use Script::{Simplified, Traditional};
        match (role, self.color, self.script) {
            (Role::General, Red, Simplified) => '帅',
            (Role::General, Red, Traditional) => '帥',
            (Role::General, Black, Simplified) => '将',
            (Role::General, Black, Traditional) => '將',
            (Role::Advisor, Red, _) => '仕',
            (Role::Advisor, Black, _) => '士',
            (Role::Elephant, Red, _) => '相',
            (Role::Elephant, Black, _) => '象',
            (Role::Horse, _, Simplified) => '马',
            (Role::Horse, _, Traditional) => '馬',
            (Role::Chariot, _, Simplified) => '车',
            (Role::Chariot, _, Traditional) => '車',
            (Role::Cannon, Black, Traditional) => '砲',
            (Role::Cannon, _, _) => '炮',
            (Role::Soldier, Red, _) => '兵',
            (Role::Soldier, Black, _) => '卒',
        }
    }

    /// The sign of a place on a file. Those between the outer two have one only where they are
    /// one.
    fn place(self, place: Place) -> char {
        match (place, self.script) {
            (Place::Foremost | Place::Front, _) => '前',
            (Place::Middle, _) => '中',
            (Place::Rear | Place::Rearmost, Script::Simplified) => '后',
            (Place::Rear | Place::Rearmost, Script::Traditional) => '後',
        }
    }
}

/// The Chinese digits from 1.
const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// The wide digits from 1.
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// A digit 1 to 9 out of one of the two rows.
fn digit(row: &[char; 9], number: u8) -> char {
    let index = usize::from(number).checked_sub(1);
    index.and_then(|index| row.get(index)).copied().unwrap_or('？')
}

impl fmt::Display for Chinese {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spoken { role, selector, direction, number } = self.spoken;
        let row = if self.color.is_red() { &DIGITS } else { &WIDE_DIGITS };
        let piece = self.piece(role);
        match selector {
            Selector::Any => write!(f, "{piece}"),
            Selector::File(file) => write!(f, "{piece}{}", digit(row, file)),
            Selector::Place(place) => write!(f, "{}{piece}", self.place(place)),
            Selector::PlaceOnFile(place, file) => {
                write!(f, "{}{piece}{}", self.place(place), digit(row, file))
            }
            // such numbers are never Black's digits: those would name a file
            Selector::Ordinal(ordinal) => write!(f, "{}{piece}", digit(&DIGITS, ordinal)),
        }?;
        let direction = match (direction, self.script) {
            (Direction::Forward, Script::Simplified) => '进',
            (Direction::Forward, Script::Traditional) => '進',
            (Direction::Backward, _) => '退',
            (Direction::Sideways, _) => '平',
        };
        write!(f, "{direction}{}", digit(row, number))
    }
}

/// A text that should have been a move in Chinese and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseChineseError {
    /// What came, cut off when it is long.
    pub got: String,
}

impl fmt::Display for ParseChineseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no move in Chinese: one like 炮二平五 or 前车进３ was wanted", self.got)
    }
}

impl Error for ParseChineseError {}

/// Reads what a move says, in either script and with the names of either side's pieces and any
/// digits. Beside what [`Chinese`] writes, 车前进三, 前兵四平五 and 前四平五 are understood.
///
/// # Errors
/// When the text is anything else. Whether the move is legal is not asked.
pub fn parse(text: &str) -> Result<Spoken, ParseChineseError> {
    parse_chars(text).ok_or_else(|| ParseChineseError { got: quote(text) })
}

fn parse_chars(text: &str) -> Option<Spoken> {
    let mut buffer = ['\0'; 5];
    let mut len = 0;
    for ch in text.trim().chars() {
        *buffer.get_mut(len)? = ch;
        len += 1;
    }
    let [ref selected @ .., direction, number] = buffer[..len] else {
        return None;
    };
    let direction = match direction {
        '进' | '進' => Direction::Forward,
        '退' => Direction::Backward,
        '平' => Direction::Sideways,
        _ => return None,
    };
    let (role, selector) = parse_selected(selected)?;
    Some(Spoken { role, selector, direction, number: parse_digit(number)? })
}

/// Reads the part of a move that says which piece it is.
fn parse_selected(selected: &[char]) -> Option<(Role, Selector)> {
    match *selected {
        [a, b] => match (parse_role(a), parse_place(a), parse_digit(a)) {
            (Some(role), ..) => match parse_digit(b) {
                Some(file) => Some((role, Selector::File(file))),
                None => Some((role, Selector::Place(parse_place(b)?))),
            },
            (_, Some(place), _) => match parse_role(b) {
                Some(role) => Some((role, Selector::Place(place))),
                None => Some((Role::Soldier, Selector::PlaceOnFile(place, parse_digit(b)?))),
            },
            (_, _, Some(ordinal)) if parse_role(b) == Some(Role::Soldier) => {
                Some((Role::Soldier, Selector::Ordinal(ordinal)))
            }
            _ => None,
        },
        [place, role, file] => {
            let selector = Selector::PlaceOnFile(parse_place(place)?, parse_digit(file)?);
            Some((parse_role(role)?, selector))
        }
        _ => None,
    }
}

fn parse_role(ch: char) -> Option<Role> {
    match ch {
        '帅' | '帥' | '将' | '將' => Some(Role::General),
        '仕' | '士' => Some(Role::Advisor),
        '相' | '象' => Some(Role::Elephant),
        '马' | '馬' | '傌' => Some(Role::Horse),
        '车' | '車' | '俥' => Some(Role::Chariot),
        '炮' | '砲' | '包' => Some(Role::Cannon),
        '兵' | '卒' => Some(Role::Soldier),
        _ => None,
    }
}

fn parse_place(ch: char) -> Option<Place> {
    match ch {
        '前' => Some(Place::Foremost),
        '中' => Some(Place::Middle),
        '后' | '後' => Some(Place::Rearmost),
        _ => None,
    }
}

fn parse_digit(ch: char) -> Option<u8> {
    let index_in = |row: &[char; 9]| row.iter().position(|&digit| digit == ch);
    match ch {
        '1'..='9' => Some(ch as u8 - b'0'),
        _ => index_in(&DIGITS).or_else(|| index_in(&WIDE_DIGITS)).map(|index| index as u8 + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::notation::samples::{crowded_positions, position};

    fn written(position: &Position, m: &str) -> String {
        Chinese::of(position, m.parse().unwrap(), Script::Simplified).unwrap().to_string()
    }

    fn read(position: &Position, text: &str) -> String {
        parse(text).unwrap().to_move(position).unwrap().to_string()
    }

    #[test]
    fn every_legal_move_of_a_crowded_position_reads_back() {
        for position in crowded_positions(4, 2000) {
            for m in position.legal_moves() {
                for script in [Script::Simplified, Script::Traditional] {
                    let chinese = Chinese::of(&position, m, script).unwrap();
                    let spoken = parse(&chinese.to_string()).unwrap();
                    assert_eq!(spoken.to_move(&position), Ok(m), "{chinese}");
                }
            }
        }
    }

    #[test]
    fn red_counts_in_characters_and_black_in_digits() {
        let start = Position::default();
        assert_eq!(written(&start, "h2e2"), "炮二平五");
        let reply = start.after("h2e2".parse().unwrap());
        assert_eq!(written(&reply, "h9g7"), "马８进７");
        for text in ["马８进７", "马8进7", "馬８進７", "馬八進七", "傌8進七"] {
            assert_eq!(read(&reply, text), "h9g7", "{text}");
        }
    }

    #[test]
    fn every_piece_has_a_name_in_either_script() {
        let names = |color, script| -> String {
            let spoken = parse("炮二平五").unwrap();
            Role::ALL.map(|role| Chinese { spoken, color, script }.piece(role)).iter().collect()
        };
        assert_eq!(names(Color::Red, Script::Simplified), "帅仕相马车炮兵");
        assert_eq!(names(Color::Black, Script::Simplified), "将士象马车炮卒");
        assert_eq!(names(Color::Red, Script::Traditional), "帥仕相馬車炮兵");
        assert_eq!(names(Color::Black, Script::Traditional), "將士象馬車砲卒");
    }

    #[test]
    fn two_on_a_file_are_front_and_rear() {
        let position = position("4k4/9/9/9/9/9/4N4/4N4/5R3/3K1R3 w");
        assert_eq!(written(&position, "f1a1"), "前车平九");
        assert_eq!(written(&position, "e2c3"), "后马进七");
        for text in ["前车平九", "前俥平9", "车前平九", "前車平九"] {
            assert_eq!(read(&position, text), "f1a1", "{text}");
        }
        assert_eq!(read(&position, "後馬進七"), "e2c3");
    }

    #[test]
    fn three_soldiers_on_a_file_are_front_middle_and_rear() {
        let position = position("4k4/9/9/6P2/6P2/6P2/9/9/9/3K5 w");
        let chinese = ["g6f6", "g5f5"].map(|m| written(&position, m));
        assert_eq!(chinese, ["前兵平四", "中兵平四"]);
        assert_eq!(read(&position, "二兵平四"), "g5f5");
    }

    #[test]
    fn four_and_five_soldiers_on_a_file_are_numbered() {
        let position = position("4k4/6P2/6P2/6P2/6P2/6P2/9/9/9/3K5 w");
        let chinese = ["g8f8", "g7f7", "g6f6", "g5f5"].map(|m| written(&position, m));
        assert_eq!(chinese, ["一兵平四", "二兵平四", "三兵平四", "四兵平四"]);
        assert_eq!(read(&position, "前兵平四"), "g8f8");
    }

    #[test]
    fn soldiers_doubled_on_two_files_are_numbered_from_the_right() {
        let position = position("4k4/9/9/9/9/6p2/2p3p2/2p3p2/9/3K5 b");
        let chinese = ["c3d3", "c2d2", "g4f4", "g3f3", "g2f2"].map(|m| written(&position, m));
        assert_eq!(chinese[0], "二卒平４", "the front soldier is the one nearest to Red");
        assert_eq!(chinese, ["二卒平４", "一卒平４", "五卒平６", "四卒平６", "三卒平６"]);
        for text in ["前3平4", "前卒３平４", "前三平四"] {
            assert_eq!(read(&position, text), "c2d2", "{text}");
        }
        assert_eq!(read(&position, "中7平6"), "g3f3");
    }

    #[test]
    fn other_texts_are_no_moves_in_chinese() {
        for text in
            ["", "炮", "炮二平", "炮二五", "炮二平〇", "二炮平五", "前前平五", "C2.5", "炮二平五五"]
        {
            assert_eq!(parse(text), Err(ParseChineseError { got: text.to_owned() }), "{text}");
        }
    }
}
