//! An arrangement of pieces that may or may not be playable.

use std::num::NonZeroU32;

use super::{Board, Color, Position, PositionError};

/// Pieces on a board with a side to move and counters: what a FEN says, whether or not it can be
/// played. [`position`](Self::position) asks whether it can.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// Plies since the last capture.
    pub halfmoves: u32,
    /// The number of the move, counted up after Black's moves.
    pub fullmoves: NonZeroU32,
}

impl Setup {
    /// An empty board with Red to move.
    pub fn empty() -> Self {
        Self { board: Board::empty(), turn: Color::Red, halfmoves: 0, fullmoves: NonZeroU32::MIN }
    }

    /// The position, if this can be played.
    ///
    /// # Errors
    /// All that is wrong with the arrangement.
    pub fn position(self) -> Result<Position, PositionError> {
        Position::from_setup(self)
    }
}

impl Default for Setup {
    /// The start position.
    fn default() -> Self {
        Self { board: Board::default(), ..Self::empty() }
    }
}
