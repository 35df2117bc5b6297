//! Which piece stands on which square.

use std::fmt;

use super::{
    Bitboard, ByColor, ByRole, Color, Piece, Role, Square,
    attacks::{
        advisor_attacks, cannon_attacks, chariot_attacks, elephant_attacks, general_attacks,
        horse_attacks, horses_to, soldier_attacks, soldiers_to,
    },
};

/// Pieces on squares, in any arrangement.
///
/// ```
/// use errare::xiangqi::{Board, Role, Square};
///
/// let board = Board::default();
/// assert_eq!(board.occupied().count(), 32);
/// assert_eq!(board.role_at(Square::H2), Some(Role::Cannon));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    by_role: ByRole<Bitboard>,
    by_color: ByColor<Bitboard>,
    pieces: [Option<Piece>; Square::COUNT],
}

impl Board {
    /// A board without pieces.
    pub fn empty() -> Self {
        Self {
            by_role: ByRole::default(),
            by_color: ByColor::default(),
            pieces: [None; Square::COUNT],
        }
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index() as usize]
    }

    /// The role of the piece on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(|piece| piece.role)
    }

    /// The color of the piece on a square.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        self.piece_at(square).map(|piece| piece.color)
    }

    /// Puts a piece on a square and gives back the one that stood there.
    pub fn set_piece_at(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        let before = self.remove_piece_at(square);
        *self.by_role.get_mut(piece.role) |= square.into();
        *self.by_color.get_mut(piece.color) |= square.into();
        self.pieces[square.index() as usize] = Some(piece);
        before
    }

    /// Takes the piece off a square and gives it back.
    pub fn remove_piece_at(&mut self, square: Square) -> Option<Piece> {
        let before = self.pieces[square.index() as usize].take();
        if let Some(piece) = before {
            *self.by_role.get_mut(piece.role) ^= square.into();
            *self.by_color.get_mut(piece.color) ^= square.into();
        }
        before
    }

    /// The same pieces mirrored on the middle file.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                mirrored.set_piece_at(square.mirrored(), piece);
            }
        }
        mirrored
    }

    /// The squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.by_color.red | self.by_color.black
    }

    /// The squares of a color's pieces.
    pub fn by_color(&self, color: Color) -> Bitboard {
        *self.by_color.get(color)
    }

    /// The squares of the pieces of a role, of both colors.
    pub fn by_role(&self, role: Role) -> Bitboard {
        *self.by_role.get(role)
    }

    /// The squares of all pieces of one color and role.
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.by_color(piece.color) & self.by_role(piece.role)
    }

    /// The square of a color's general; the first one, should there be several.
    pub fn general_of(&self, color: Color) -> Option<Square> {
        self.by_piece(Piece { color, role: Role::General }).first()
    }

    /// Whether neither side has a piece that can attack: no chariot, horse, cannon or soldier.
    pub fn has_no_attackers(&self) -> bool {
        let is_absent = |role: &Role| self.by_role(*role).is_empty();
        Role::ALL.iter().filter(|role| role.is_attacker()).all(is_absent)
    }

    /// How many pieces of each role each side has.
    pub fn material(&self) -> ByColor<ByRole<u8>> {
        ByColor::new_with(|color| {
            ByRole::new_with(|role| self.by_piece(Piece { color, role }).count() as u8)
        })
    }

    /// The pieces with their squares, in the order of the squares.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares that the piece on a square attacks: where it could capture, whatever stands
    /// there. For a cannon these are only squares with pieces.
    ///
    /// A general attacks the squares beside it; the look along an open file is not counted.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        let Some(piece) = self.piece_at(square) else {
            return Bitboard::EMPTY;
        };
        let occupied = self.occupied();
        match piece.role {
            Role::General => general_attacks(square),
            Role::Advisor => advisor_attacks(square),
            Role::Elephant => elephant_attacks(square, occupied),
            Role::Horse => horse_attacks(square, occupied),
            Role::Chariot => chariot_attacks(square, occupied),
            Role::Cannon => cannon_attacks(square, occupied),
            Role::Soldier => soldier_attacks(piece.color, square),
        }
    }

    /// The pieces of a color that attack a square, on this board with other squares occupied.
    ///
    /// The piece on the square itself, if any, counts neither for nor against them. Where the
    /// square holds the other side's general, the general that looks at it along an open file is
    /// among the attackers.
    pub fn attacks_to(&self, square: Square, attacker: Color, occupied: Bitboard) -> Bitboard {
        let role = |role| *self.by_role.get(role);
        let chariots = chariot_attacks(square, occupied);
        let mut attackers = chariots & role(Role::Chariot)
            | cannon_attacks(square, occupied) & role(Role::Cannon)
            | horses_to(square, occupied) & role(Role::Horse)
            | elephant_attacks(square, occupied) & role(Role::Elephant)
            | advisor_attacks(square) & role(Role::Advisor)
            | soldiers_to(attacker, square) & role(Role::Soldier)
            | general_attacks(square) & role(Role::General);
        if self.piece_at(square) == Some(Piece { color: !attacker, role: Role::General }) {
            attackers |= chariots & Bitboard::from_file(square.file()) & role(Role::General);
        }
        attackers & self.by_color(attacker)
    }
}

impl fmt::Debug for Board {
    /// Writes the board as a FEN does: ninety squares one by one say less.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl Default for Board {
    /// The board of the start position.
    fn default() -> Self {
        use Role::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
        const BACK: [Role; 9] =
            [Chariot, Horse, Elephant, Advisor, General, Advisor, Elephant, Horse, Chariot];
        let mut board = Self::empty();
        let mut set = |square: Square, role| {
            board.set_piece_at(square, Piece { color: Color::Red, role });
            board.set_piece_at(square.flipped(), Piece { color: Color::Black, role });
        };
        for (square, role) in Square::all().zip(BACK) {
            set(square, role);
        }
        for square in [Square::B2, Square::H2] {
            set(square, Cannon);
        }
        for square in [Square::A3, Square::C3, Square::E3, Square::G3, Square::I3] {
            set(square, Soldier);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_put_down_can_be_taken_up_again() {
        let mut board = Board::empty();
        let horse = Piece { color: Color::Black, role: Role::Horse };
        assert_eq!(board.set_piece_at(Square::E4, horse), None);
        assert_eq!(board.by_piece(horse).first(), Some(Square::E4));
        let cannon = Piece { color: Color::Red, role: Role::Cannon };
        assert_eq!(board.set_piece_at(Square::E4, cannon), Some(horse));
        assert!(board.by_color(Color::Black).is_empty());
        assert_eq!(board.remove_piece_at(Square::E4), Some(cannon));
        assert_eq!(board, Board::empty());
    }

    #[test]
    fn the_start_board_is_the_same_from_both_sides() {
        let board = Board::default();
        for (square, piece) in board.iter() {
            let opposite = Piece { color: !piece.color, role: piece.role };
            assert_eq!(board.piece_at(square.flipped()), Some(opposite));
        }
        assert_eq!(board.material().red, board.material().black);
    }

    #[test]
    fn attackers_of_a_square_are_the_pieces_that_attack_it() {
        let board = Board::default();
        for to in Square::all() {
            for color in Color::ALL {
                let occupied = board.occupied().with(to);
                // a cannon's attack needs a piece to aim at, so only the occupied squares agree
                let from: Bitboard = board
                    .by_color(color)
                    .into_iter()
                    .filter(|&from| board.attacks_from(from).contains(to))
                    .collect();
                if board.occupied().contains(to) {
                    assert_eq!(board.attacks_to(to, color, occupied), from, "{color} {to}");
                }
            }
        }
    }
}
