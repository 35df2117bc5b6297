//! Moves as players write them, in whichever script: what [`wxf`](super::wxf) and
//! [`chinese`](super::chinese) read, and how it is understood on a board.
//!
//! Written moves are richer than the 755 of [`relative`](super::relative): they tell five
//! soldiers on one file apart, and soldiers that are doubled on two files.

use std::{cmp::Ordering, error::Error, fmt};

use super::relative::{Direction, destination, file_number};
use crate::xiangqi::{Color, Move, Piece, Position, Role, Square};

/// The place of a piece among those alike on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The very first of two and more, seen from the opponent.
    Foremost,
    /// The first of two or three, the second of four or five.
    Front,
    /// The middle one of three or five.
    Middle,
    /// The last of two or three, the last but one of four or five.
    Rear,
    /// The very last of two and more.
    Rearmost,
}

/// Which of the mover's pieces of a role is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// Whichever can go where it is said.
    Any,
    /// The one on this file, counted 1 to 9 from the mover's right hand; of three or five the
    /// middle one.
    File(u8),
    /// The one in this place on the file where several stand.
    Place(Place),
    /// The one in this place on this file.
    PlaceOnFile(Place, u8),
    /// The soldier of this number, from 1, among all those that share their file with another:
    /// counted file by file from the mover's right hand, on each file from the front.
    Ordinal(u8),
}

/// A move as a player writes it. Whether it is legal, only [`to_move`](Self::to_move) can tell.
///
/// ```
/// use errare::xiangqi::{
///     Move, Position, Role, Square,
///     notation::{relative::Direction, spoken::{Selector, Spoken}},
/// };
///
/// let spoken = Spoken {
///     role: Role::Cannon,
///     selector: Selector::File(2),
///     direction: Direction::Sideways,
///     number: 5,
/// };
/// assert_eq!(spoken.to_move(&Position::default()), Ok(Move::new(Square::H2, Square::E2)));
/// assert_eq!(spoken.to_string(), "the cannon on file 2 sideways to file 5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spoken {
    /// What kind of piece moves.
    pub role: Role,
    /// Which of its kind.
    pub selector: Selector,
    /// Where it goes.
    pub direction: Direction,
    /// Steps along the file for a general, chariot, cannon or soldier that stays on it, and else
    /// the file of arrival, counted from the mover's right hand.
    pub number: u8,
}

impl Spoken {
    /// The legal move that is meant.
    ///
    /// First by the letter of the rules of writing. If that gives no legal move, then as loosely
    /// as some write: `Front` is then the very first of five, a file may be said of any piece on
    /// it. What is left must be one move.
    ///
    /// # Errors
    /// When no legal move can be meant, or several can.
    pub fn to_move(self, position: &Position) -> Result<Move, IllegalSpokenError> {
        let standings = standings(position, self.role);
        let moves_where = |is_meant: &dyn Fn(&Standing) -> bool| -> Vec<Move> {
            let meant = standings.iter().filter(|standing| is_meant(standing));
            meant.filter_map(|standing| self.move_from(position, standing.square)).collect()
        };
        let mut moves = moves_where(&|standing| standing.is_strictly(self.selector));
        if moves.is_empty() {
            moves = moves_where(&|standing| standing.is_loosely(self.selector));
        }
        match moves[..] {
            [m] => Ok(m),
            _ => Err(IllegalSpokenError { spoken: self, color: position.turn(), moves }),
        }
    }

    /// The legal move from a square that goes as is said.
    fn move_from(self, position: &Position, from: Square) -> Option<Move> {
        let to = destination(position.turn(), self.role, from, self.direction, self.number)?;
        let m = Move::new(from, to);
        position.is_legal(m).then_some(m)
    }
}

impl fmt::Display for Spoken {
    /// Says it in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, selector, direction, number } = *self;
        match selector {
            Selector::Any => write!(f, "any {role}"),
            Selector::File(file) => write!(f, "the {role} on file {file}"),
            Selector::Place(place) => write!(f, "the {place} {role}"),
            Selector::PlaceOnFile(place, file) => write!(f, "the {place} {role} on file {file}"),
            Selector::Ordinal(ordinal) => write!(f, "number {ordinal} of the {role}s in tandem"),
        }?;
        match direction {
            Direction::Forward => f.write_str(" forward"),
            Direction::Backward => f.write_str(" back"),
            Direction::Sideways => f.write_str(" sideways"),
        }?;
        match super::relative::counts_steps(role, direction) {
            true => write!(f, " by {number}"),
            false => write!(f, " to file {number}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foremost => "foremost",
            Self::Front => "front",
            Self::Middle => "middle",
            Self::Rear => "rear",
            Self::Rearmost => "rearmost",
        })
    }
}

/// A move that is written well and does not name one legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalSpokenError {
    /// What was said.
    pub spoken: Spoken,
    /// Who was to move.
    pub color: Color,
    /// The legal moves that can be meant: none, or several.
    pub moves: Vec<Move>,
}

impl fmt::Display for IllegalSpokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spoken, color, moves } = self;
        if moves.is_empty() {
            return write!(f, "`{spoken}` is no legal move of {color} here");
        }
        write!(f, "`{spoken}` is {} moves of {color} here where one was wanted:", moves.len())?;
        moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl Error for IllegalSpokenError {}

/// How a piece stands among those of its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// Where it stands.
    pub square: Square,
    /// Its file, from the mover's right hand.
    pub file: u8,
    /// How many of its kind are on its file, itself among them.
    pub alike: usize,
    /// Its number among those, from 1, the front one first.
    pub nth: usize,
    /// Its number among all that share their file with another, if it does.
    pub ordinal: Option<u8>,
}

impl Standing {
    /// Its place on its file, if it shares that: the outer two of four and five are foremost and
    /// rearmost, of fewer they are front and rear.
    pub fn place(&self) -> Option<Place> {
        let is_crowded = self.alike > 3;
        match (self.nth, self.alike + 1 - self.nth) {
            (1, 1) => None,
            (1, _) => Some(if is_crowded { Place::Foremost } else { Place::Front }),
            (_, 1) => Some(if is_crowded { Place::Rearmost } else { Place::Rear }),
            (before, behind) => Some(match before.cmp(&behind) {
                Ordering::Less => Place::Front,
                Ordering::Equal => Place::Middle,
                Ordering::Greater => Place::Rear,
            }),
        }
    }

    /// Whether this is the piece that is meant, by the letter.
    fn is_strictly(&self, selector: Selector) -> bool {
        let is_at = |place| match place {
            Place::Foremost | Place::Rearmost => self.is_about(place),
            _ => self.place() == Some(place),
        };
        match selector {
            Selector::File(file) => {
                self.file == file && matches!(self.place(), None | Some(Place::Middle))
            }
            Selector::Place(place) => is_at(place),
            Selector::PlaceOnFile(place, file) => self.file == file && is_at(place),
            Selector::Ordinal(ordinal) => self.ordinal == Some(ordinal),
            Selector::Any => true,
        }
    }

    /// Whether this may be the piece that is meant.
    fn is_loosely(&self, selector: Selector) -> bool {
        match selector {
            Selector::File(file) => self.file == file,
            Selector::Place(place) => self.is_about(place),
            Selector::PlaceOnFile(place, file) => self.file == file && self.is_about(place),
            Selector::Ordinal(_) => false,
            Selector::Any => true,
        }
    }

    /// Whether it shares its file and, if only first, last and between are told apart, is in this
    /// place there.
    fn is_about(&self, place: Place) -> bool {
        let (is_first, is_last) = (self.nth == 1, self.nth == self.alike);
        self.alike > 1
            && match place {
                Place::Foremost | Place::Front => is_first,
                Place::Middle => !is_first && !is_last,
                Place::Rear | Place::Rearmost => is_last,
            }
    }
}

/// The mover's pieces of a role, file by file from the mover's right hand, each file from the
/// front.
pub(super) fn standings(position: &Position, role: Role) -> Vec<Standing> {
    let color = position.turn();
    let pieces = position.board().by_piece(Piece { color, role });
    let mut squares: Vec<Square> = pieces.into_iter().collect();
    // the order of indices is from Red's left and rear
    if color.is_red() {
        squares.reverse();
    }
    squares.sort_by_key(|square| file_number(color, square.file()));
    let mut ordinal = 0;
    let mut standings = Vec::with_capacity(squares.len());
    for column in squares.chunk_by(|a, b| a.file() == b.file()) {
        for (i, &square) in column.iter().enumerate() {
            let is_in_tandem = column.len() > 1;
            ordinal += u8::from(is_in_tandem);
            standings.push(Standing {
                square,
                file: file_number(color, square.file()),
                alike: column.len(),
                nth: i + 1,
                ordinal: is_in_tandem.then_some(ordinal),
            });
        }
    }
    standings
}

/// How a written move begins and goes on: what every script has to say of a legal move, but for
/// soldiers in tandem, which each script tells apart in its own way.
pub(super) fn speak(
    position: &Position,
    m: Move,
    select_soldier: impl FnOnce(Standing, TandemFiles) -> Selector,
) -> Option<Spoken> {
    if !position.is_legal(m) {
        return None;
    }
    let role = position.board().role_at(m.from)?;
    let (direction, number) = super::relative::motion(position.turn(), role, m);
    let standings = standings(position, role);
    let standing = *standings.iter().find(|standing| standing.square == m.from)?;
    let selector = match (role, standing.place()) {
        // only one of two on a file can go the way that is said
        (Role::General | Role::Advisor | Role::Elephant, _) | (_, None) => {
            Selector::File(standing.file)
        }
        (Role::Soldier, Some(_)) => {
            let in_tandem = |other: &Standing| other.alike > 1 && other.file != standing.file;
            let is_two = standings.iter().any(in_tandem);
            select_soldier(standing, if is_two { TandemFiles::Two } else { TandemFiles::One })
        }
        (_, Some(place)) => Selector::Place(place),
    };
    Some(Spoken { role, selector, direction, number })
}

/// On how many files soldiers stand in tandem, where they do. Five are too few for three files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TandemFiles {
    One,
    Two,
}

/// The text that an error quotes: the beginning, where all would be too much.
pub(super) fn quote(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
