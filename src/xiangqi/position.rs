//! A position that can be played.

use std::{error::Error, fmt, hash, num::NonZeroU32};

use super::{
    Bitboard, Board, Color, Fen, Move, MoveList, Piece, Role, Setup, Square, attacks, movegen,
    zobrist,
};

/// A position that can be played: each side has one general that it has not left to be captured,
/// no side has more pieces than at the start, and all stand where they can get.
///
/// Only [`from_setup`](Self::from_setup) makes one from an arrangement, so code that holds one
/// need not check again.
///
/// Two positions are equal, and hash alike, when they have the same pieces on the same squares
/// and the same side to move; the counters do not matter.
///
/// ```
/// use errare::xiangqi::{Move, Position, Square};
///
/// let mut position = Position::default();
/// assert_eq!(position.legal_moves().len(), 44);
/// assert!(position.play(Move::new(Square::H2, Square::E2)).is_ok());
/// assert!(position.play(Move::new(Square::A9, Square::A6)).is_err());
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    turn: Color,
    halfmoves: u32,
    fullmoves: NonZeroU32,
    hash: u64,
}

impl Position {
    /// The position of an arrangement, if it can be played.
    ///
    /// # Errors
    /// All that is wrong with the arrangement.
    pub fn from_setup(setup: Setup) -> Result<Self, PositionError> {
        let flaws = flaws(&setup);
        if !flaws.is_empty() {
            return Err(PositionError { flaws });
        }
        let Setup { board, turn, halfmoves, fullmoves } = setup;
        let hash = zobrist::hash(&board, turn);
        Ok(Self { board, turn, halfmoves, fullmoves, hash })
    }

    /// The arrangement of this position.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board.clone(),
            turn: self.turn,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// The position mirrored on the middle file. What is legal in one is so in the other.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let board = self.board.mirrored();
        let hash = zobrist::hash(&board, self.turn);
        Self { board, hash, ..*self }
    }

    /// The pieces.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Who is to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Plies since the last capture, or as many more as the arrangement said.
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move, counted up after Black's moves.
    pub fn fullmoves(&self) -> NonZeroU32 {
        self.fullmoves
    }

    /// A hash of the pieces and the side to move. The same in every run and on every machine.
    pub fn zobrist_hash(&self) -> u64 {
        self.hash
    }

    /// The squares of the pieces of the side to move.
    pub fn us(&self) -> Bitboard {
        self.board.by_color(self.turn)
    }

    /// The squares of the pieces of the other side.
    pub fn them(&self) -> Bitboard {
        self.board.by_color(!self.turn)
    }

    /// The square of a color's general.
    pub fn general_of(&self, color: Color) -> Square {
        self.board.general_of(color).expect("a position has both generals")
    }

    /// All legal moves, each once, in an order that depends on the position alone.
    pub fn legal_moves(&self) -> MoveList {
        movegen::legal_moves(self)
    }

    /// Whether a move is legal here. It may be any two squares.
    pub fn is_legal(&self, m: Move) -> bool {
        movegen::is_pseudo_legal(self, m) && movegen::leaves_general_safe(self, m)
    }

    /// Whether a legal move captures a piece.
    pub fn is_capture(&self, m: Move) -> bool {
        self.board.occupied().contains(m.to)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        let general = self.general_of(self.turn);
        self.board.attacks_to(general, !self.turn, self.board.occupied())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is in check and has no move: it has lost.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.winner().is_some()
    }

    /// Whether the side to move has no move and is not in check. In xiangqi it has lost as well.
    ///
    /// ```
    /// use errare::xiangqi::{Color, Fen};
    ///
    /// let position = "3k5/4P4/9/9/9/9/9/9/9/4K4 b".parse::<Fen>()?.into_position()?;
    /// assert!(position.is_stalemate());
    /// assert_eq!(position.winner(), Some(Color::Red));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.winner().is_some()
    }

    /// The winner, where the side to move has no move: by checkmate or by stalemate.
    pub fn winner(&self) -> Option<Color> {
        (!movegen::Mover::of(self).has_move()).then_some(!self.turn)
    }

    /// Whether neither side has a piece that can attack: no chariot, horse, cannon or soldier.
    pub fn has_no_attackers(&self) -> bool {
        self.board.has_no_attackers()
    }

    /// The same pieces with the other side to move, unless the side to move is in check.
    pub fn passed(&self) -> Option<Self> {
        let turn = !self.turn;
        let hash = self.hash ^ zobrist::BLACK_TO_MOVE;
        (!self.is_check()).then(|| Self { turn, hash, ..self.clone() })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the move is not legal; the position then stays as it was.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMoveError> {
        if !self.is_legal(m) {
            return Err(IllegalMoveError { m });
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// After any other the position may be one that cannot be played, and its further answers
    /// mean nothing, up to panics.
    pub fn play_unchecked(&mut self, m: Move) {
        let Some(piece) = self.board.remove_piece_at(m.from) else {
            return;
        };
        self.hash ^= zobrist::piece_on(piece, m.from) ^ zobrist::piece_on(piece, m.to);
        self.halfmoves = self.halfmoves.saturating_add(1);
        if let Some(captured) = self.board.set_piece_at(m.to, piece) {
            self.hash ^= zobrist::piece_on(captured, m.to);
            self.halfmoves = 0;
        }
        if self.turn.is_black() {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut after = self.clone();
        after.play_unchecked(m);
        after
    }
}

impl Default for Position {
    /// The start position.
    fn default() -> Self {
        Self::from_setup(Setup::default()).expect("the start position can be played")
    }
}

impl fmt::Debug for Position {
    /// Writes the position as its FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", Fen::from_position(self))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.turn == other.turn && self.board == other.board
    }
}

impl Eq for Position {}

impl hash::Hash for Position {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Something that keeps an arrangement from being a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionFlaw {
    /// A side has more pieces of a role than at the start, or no general.
    Count {
        /// The pieces.
        piece: Piece,
        /// How many there are.
        count: u8,
    },
    /// A piece stands where it can never get.
    Misplaced {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The general of the side that is not to move could be captured.
    OppositeCheck {
        /// Whose general that is.
        color: Color,
    },
    /// The generals look at each other along an open file.
    FacingGenerals,
}

impl fmt::Display for PositionFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Count { piece: Piece { color, role: Role::General }, count } => {
                write!(f, "{color} has {count} generals where 1 was wanted")
            }
            Self::Count { piece: Piece { color, role }, count } => {
                write!(f, "{color} has {count} {role}s where at most {} were wanted", role.most())
            }
            Self::Misplaced { piece: Piece { color, role }, square } => {
                write!(f, "the {color} {role} on {square} stands where it cannot get")
            }
            Self::OppositeCheck { color } => {
                write!(f, "{color} is in check though it is the other side's move")
            }
            Self::FacingGenerals => f.write_str("the generals face each other on an open file"),
        }
    }
}

/// Why an arrangement cannot be played: all its flaws, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionError {
    flaws: Vec<PositionFlaw>,
}

impl PositionError {
    /// What is wrong with the arrangement.
    pub fn flaws(&self) -> &[PositionFlaw] {
        &self.flaws
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the position cannot be played: ")?;
        for (i, flaw) in self.flaws.iter().enumerate() {
            write!(f, "{}{flaw}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl Error for PositionError {}

/// A move that is not legal in the position where it was to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMoveError {
    /// The move.
    pub m: Move,
}

impl fmt::Display for IllegalMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.m)
    }
}

impl Error for IllegalMoveError {}

/// All that keeps an arrangement from being played.
fn flaws(setup: &Setup) -> Vec<PositionFlaw> {
    let board = &setup.board;
    let mut flaws = Vec::new();
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece { color, role };
            let count = board.by_piece(piece).count() as u8;
            if count > role.most() || role == Role::General && count == 0 {
                flaws.push(PositionFlaw::Count { piece, count });
            }
        }
    }
    for (square, piece) in board.iter() {
        let allowed = match piece.role {
            Role::General => attacks::palace(piece.color),
            Role::Advisor => attacks::advisor_squares(piece.color),
            Role::Elephant => attacks::elephant_squares(piece.color),
            Role::Soldier => attacks::soldier_squares(piece.color),
            Role::Horse | Role::Chariot | Role::Cannon => Bitboard::ALL,
        };
        if !allowed.contains(square) {
            flaws.push(PositionFlaw::Misplaced { piece, square });
        }
    }
    if let Some(general) = board.general_of(!setup.turn) {
        let attackers = board.attacks_to(general, setup.turn, board.occupied());
        let generals = board.by_role(Role::General);
        if !attackers.is_disjoint(generals) {
            flaws.push(PositionFlaw::FacingGenerals);
        }
        if (attackers & !generals).any() {
            flaws.push(PositionFlaw::OppositeCheck { color: !setup.turn });
        }
    }
    flaws
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse::<Fen>().unwrap().into_position().unwrap()
    }

    fn flaws_of(fen: &str) -> String {
        fen.parse::<Fen>().unwrap().into_position().unwrap_err().to_string()
    }

    #[test]
    fn what_keeps_an_arrangement_from_being_played_is_told_all_at_once() {
        assert_eq!(
            flaws_of("9/9/9/9/9/9/4A4/9/P8/3KK4 w"),
            "the position cannot be played: red has 2 generals where 1 was wanted; \
             black has 0 generals where 1 was wanted; \
             the red soldier on a1 stands where it cannot get; \
             the red advisor on e3 stands where it cannot get",
        );
        assert_eq!(
            flaws_of("4k4/9/9/9/9/9/RRR6/9/9/3K5 w"),
            "the position cannot be played: red has 3 chariots where at most 2 were wanted",
        );
    }

    #[test]
    fn pieces_stand_only_where_they_can_get() {
        for misplaced in [
            "3k5/9/9/9/4K4/9/9/9/9/9 w",
            "3k5/4K4/9/9/9/9/9/9/9/9 w",
            "3k5/9/9/9/9/9/9/9/3A5/4K4 w",
            "3k5/9/9/9/B8/9/9/9/9/4K4 w",
            "3k5/9/9/9/9/2b6/9/9/9/4K4 w",
            "3k5/9/9/9/9/1P7/9/9/9/4K4 w",
            "3k5/9/p8/9/9/9/9/9/9/4K4 w",
        ] {
            assert!(flaws_of(misplaced).ends_with("stands where it cannot get"), "{misplaced}");
        }
    }

    #[test]
    fn a_general_that_could_be_captured_is_refused() {
        assert_eq!(
            flaws_of("3k5/9/9/9/9/9/9/9/3R5/4K4 w"),
            "the position cannot be played: black is in check though it is the other side's move",
        );
        assert!(flaws_of("4k4/9/9/9/9/9/9/9/9/4K4 b").ends_with("on an open file"));
    }

    #[test]
    fn a_move_that_is_not_legal_changes_nothing() {
        let mut start = Position::default();
        for m in ["h2h8", "e0e2", "a0a0", "e4e5", "a9a8"] {
            let m: Move = m.parse().unwrap();
            assert_eq!(start.play(m), Err(IllegalMoveError { m }));
            assert_eq!(start, Position::default());
        }
    }

    #[test]
    fn generals_may_not_come_to_face_each_other() {
        let position = position("4k4/9/9/9/4P4/9/9/9/9/4K4 w");
        assert!(!position.is_legal("e5d5".parse().unwrap()));
        assert!(position.is_legal("e5e6".parse().unwrap()));
    }

    #[test]
    fn a_pinned_chariot_may_still_capture_its_pinner() {
        let position = position("3k5/9/9/4r4/9/9/9/9/4R4/4K4 w");
        assert!(position.is_legal("e1e6".parse().unwrap()));
        assert!(!position.is_legal("e1d1".parse().unwrap()));
    }

    #[test]
    fn a_piece_may_not_become_the_screen_of_a_cannon() {
        let position = position("5k3/9/9/4c4/9/9/9/9/3R5/4K4 w");
        assert!(!position.is_legal("d1e1".parse().unwrap()));
    }

    #[test]
    fn counters_count_plies_since_a_capture_and_moves() {
        let mut position = Position::default();
        for m in ["a3a4", "i9i8", "h2h9"] {
            position.play(m.parse().unwrap()).unwrap();
        }
        assert_eq!((position.halfmoves(), position.fullmoves().get()), (0, 2));
        position.play("i8i7".parse().unwrap()).unwrap();
        assert_eq!((position.halfmoves(), position.fullmoves().get()), (1, 3));
    }

    #[test]
    fn positions_are_equal_whatever_their_counters() {
        let board = "5k3/9/9/4c4/9/9/9/9/3R5/4K4";
        let positions =
            ["w - - 0 1", "w - - 30 99"].map(|rest| position(&format!("{board} {rest}")));
        assert_eq!(positions[0], positions[1]);
        assert_ne!(positions[0].passed(), Some(positions[1].clone()));
    }

    #[test]
    fn only_a_side_that_is_not_in_check_can_pass() {
        let start = Position::default();
        assert_eq!(start.passed().and_then(|passed| passed.passed()), Some(start));
        assert_eq!(
            position("3k5/9/9/9/9/9/9/9/4R4/4K4 w").passed().map(|p| p.turn()),
            Some(Color::Black)
        );
        assert_eq!(position("3k5/9/9/9/9/9/9/9/3R5/4K4 b").passed(), None);
    }
}
