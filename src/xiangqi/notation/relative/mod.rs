//! Moves as a player says them: which piece, forward, back or sideways, how far. The same for
//! Red and Black. No spelling lives here.
//!
//! There are 755 of them. The XQSV paper (C. Zhou, arXiv 2407.04678, section II-C) speaks of "a
//! minimal set of 755 moves" that are legal on some board, and never lists it. The set here is
//! our reading: by brute force over legal positions these forms, and no other ones of the kind,
//! name a legal move somewhere, and they number 755.

mod direction;

pub use direction::Direction;
pub(super) use direction::{counts_steps, destination, file_number, motion};

use std::sync::LazyLock;

use crate::xiangqi::{Bitboard, Move, MoveList, Piece, Position, Role, Square};

/// Which of the mover's pieces of a role is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The one on this file, counted 1 to 9 from the mover's right hand.
    File(u8),
    /// Of several on one file, the one nearest to the opponent.
    Front,
    /// Of three and more on one file, any that is neither the front one nor the rear one.
    Middle,
    /// Of several on one file, the one nearest to the mover.
    Rear,
}

/// A move as a player says it: one of 755, the same for Red and Black.
///
/// Every legal move of every position is named by exactly one of them, and one names exactly one
/// legal move, or none, with one exception: among soldiers, where four or five stand on one file
/// or two and more stand on each of two files, up to three moves share a name.
///
/// Chariots, cannons, horses and soldiers that share their file are told apart as front, middle
/// and rear. Advisors and elephants are not: only one of two on a file can go the way that is
/// said, so their file names them.
///
/// ```
/// use errare::xiangqi::{
///     Move, Position, Role, Square,
///     notation::relative::{Direction, Relative, Which},
/// };
///
/// let position = Position::default();
/// let m = Move::new(Square::H2, Square::E2);
/// let relative = Relative::of(&position, m).expect("the move is legal");
/// assert_eq!(
///     Some(relative),
///     Relative::new(Role::Cannon, Which::File(2), Direction::Sideways, 5),
/// );
/// assert_eq!(relative.moves(&position)[..], [m]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relative {
    role: Role,
    which: Which,
    direction: Direction,
    number: u8,
}

impl Relative {
    /// How many there are.
    pub const COUNT: usize = 755;

    /// The move of these parts, if it is one of the 755: if on some board a legal move has this
    /// name. `number` counts steps where a general, chariot, cannon or soldier goes along its
    /// file, and else is the file where the piece arrives, 1 to 9 from the mover's right hand.
    ///
    /// ```
    /// use errare::xiangqi::{Role, notation::relative::{Direction, Relative, Which}};
    ///
    /// let rear_nine = |direction| Relative::new(Role::Cannon, Which::Rear, direction, 9);
    /// assert!(rear_nine(Direction::Forward).is_some(), "over its partner");
    /// assert!(rear_nine(Direction::Backward).is_none(), "it stands before another one");
    /// ```
    pub fn new(role: Role, which: Which, direction: Direction, number: u8) -> Option<Self> {
        exists(role, which, direction, number).then_some(Self { role, which, direction, number })
    }

    /// The name of a move, or `None` where the move is not legal.
    pub fn of(position: &Position, m: Move) -> Option<Self> {
        if !position.is_legal(m) {
            return None;
        }
        let role = position.board().role_at(m.from)?;
        let (direction, number) = motion(position.turn(), role, m);
        Some(Self { role, which: which_of(position, role, m.from), direction, number })
    }

    /// The legal moves that this names in a position: none, one, or, among soldiers, up to three,
    /// in the order of the squares that they leave.
    pub fn moves(self, position: &Position) -> MoveList {
        let color = position.turn();
        let mut moves = MoveList::new();
        for from in position.board().by_piece(Piece { color, role: self.role }) {
            if which_of(position, self.role, from) != self.which {
                continue;
            }
            if let Some(to) = destination(color, self.role, from, self.direction, self.number)
                && position.is_legal(Move::new(from, to))
            {
                moves.push(Move::new(from, to));
            }
        }
        moves
    }

    /// All of them, in an order that files of nets may rely on.
    ///
    /// First the 587 that name a piece by its file: by role in the order of [`Role::ALL`], by
    /// file from 1 to 9, by direction in the order of [`Direction::ALL`], by number. Then the 168
    /// that name one of several on a file: by role, then front, middle, rear, then by direction
    /// and number.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.by_index.iter().copied()
    }

    /// Its place in [`all`](Self::all), below [`COUNT`](Self::COUNT).
    pub fn index(self) -> usize {
        usize::from(TABLE.index_by_code[self.code()])
    }

    /// The one at a place in [`all`](Self::all).
    pub fn from_index(index: usize) -> Option<Self> {
        TABLE.by_index.get(index).copied()
    }

    /// What kind of piece moves.
    pub const fn role(self) -> Role {
        self.role
    }

    /// Which of its kind.
    pub const fn which(self) -> Which {
        self.which
    }

    /// Where it goes.
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// Steps along the file, or the file of arrival: see [`new`](Self::new).
    pub const fn number(self) -> u8 {
        self.number
    }

    /// The same move of the mirrored board.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let which = match self.which {
            Which::File(file) => Which::File(10 - file),
            which => which,
        };
        let number = match counts_steps(self.role, self.direction) {
            true => self.number,
            false => 10 - self.number,
        };
        Self { which, number, ..self }
    }

    /// A small number of its own, with gaps.
    fn code(self) -> usize {
        let which = match self.which {
            Which::File(file) => file,
            Which::Front => 0,
            Which::Middle => 10,
            Which::Rear => 11,
        };
        ((self.role as usize * 12 + usize::from(which)) * 3 + self.direction as usize) * 10
            + usize::from(self.number)
    }
}

/// All of the 755, by place and back.
struct Table {
    by_index: Vec<Relative>,
    index_by_code: Vec<u16>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    const CODES: usize = 7 * 12 * 3 * 10;
    let files: Vec<Which> = (1..=9).map(Which::File).collect();
    let tandem = vec![Which::Front, Which::Middle, Which::Rear];
    let mut by_index = Vec::with_capacity(Relative::COUNT);
    for whiches in [files, tandem] {
        for role in Role::ALL {
            for &which in &whiches {
                for direction in Direction::ALL {
                    by_index.extend(
                        (1..=9).filter_map(|number| Relative::new(role, which, direction, number)),
                    );
                }
            }
        }
    }
    let mut index_by_code = vec![u16::MAX; CODES];
    for (index, relative) in by_index.iter().enumerate() {
        index_by_code[relative.code()] = index as u16;
    }
    Table { by_index, index_by_code }
});

/// Whether on some board a legal move has this name.
fn exists(role: Role, which: Which, direction: Direction, number: u8) -> bool {
    use Direction::{Backward, Forward, Sideways};
    if !(1..=9).contains(&number) {
        return false;
    }
    match which {
        Which::File(file) => {
            let steps_aside = file.abs_diff(number);
            let in_palace = |file| (4..=6).contains(&file);
            (1..=9).contains(&file)
                && match (role, direction) {
                    (Role::General, Sideways) => {
                        in_palace(file) && in_palace(number) && steps_aside == 1
                    }
                    (Role::General, _) => in_palace(file) && number == 1,
                    (Role::Chariot | Role::Cannon, Sideways) => steps_aside > 0,
                    (Role::Chariot | Role::Cannon, _) => true,
                    (Role::Soldier, Sideways) => steps_aside == 1,
                    (Role::Soldier, Forward) => number == 1,
                    (Role::Soldier, Backward) => false,
                    (_, Sideways) => false,
                    (Role::Advisor, _) => in_palace(file) && in_palace(number) && steps_aside == 1,
                    (Role::Elephant, _) => file % 2 == 1 && steps_aside == 2,
                    (Role::Horse, _) => steps_aside == 1 || steps_aside == 2,
                }
        }
        Which::Middle if role != Role::Soldier => false,
        Which::Front | Which::Middle | Which::Rear => match (role, direction) {
            (Role::General | Role::Advisor | Role::Elephant, _) => false,
            (Role::Horse, _) => direction != Sideways,
            (Role::Chariot | Role::Cannon | Role::Soldier, Sideways) => true,
            // the partner takes up one rank of ten, and only a cannon gets over it
            (Role::Chariot, _) => number < 9,
            (Role::Cannon, _) => {
                number < 9
                    || matches!(
                        (which, direction),
                        (Which::Front, Backward) | (Which::Rear, Forward)
                    )
            }
            (Role::Soldier, _) => direction == Forward && number == 1,
        },
    }
}

/// Which of its kind the mover's piece on a square is.
fn which_of(position: &Position, role: Role, square: Square) -> Which {
    let color = position.turn();
    let file = square.file();
    let is_told_by_file = matches!(role, Role::General | Role::Advisor | Role::Elephant);
    let others = (position.board().by_piece(Piece { color, role }) & Bitboard::from_file(file))
        .without(square);
    if is_told_by_file || others.is_empty() {
        return Which::File(file_number(color, file));
    }
    let higher = others.into_iter().filter(|other| other.rank() > square.rank()).count();
    let lower = others.count() - higher;
    let (before, behind) = if color.is_red() { (higher, lower) } else { (lower, higher) };
    match (before, behind) {
        (0, _) => Which::Front,
        (_, 0) => Which::Rear,
        _ => Which::Middle,
    }
}

#[cfg(test)]
mod tests;
