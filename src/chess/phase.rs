//! The phases of a game of chess.

use std::fmt;

use shakmaty::{Chess, Color, Position};

use super::attributes::{count, material};

/// Full moves that belong to the opening, if pieces have not gone before.
const OPENING_MOVES: u32 = 10;
/// An ending begins where the pieces of both sides, pawns and kings aside, are together worth no
/// more than this many pawns: a rook and a minor piece or so each, or queen against queen.
const ENDING_PIECES: u32 = 18;

/// A phase of a game. The source neglects phases and names that a limit; where one ends is *ours*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The first ten moves.
    Opening,
    /// Neither opening nor ending.
    Middlegame,
    /// Few pieces are left: beside the pawns at most eighteen pawns' worth, of both sides.
    Ending,
}

impl Phase {
    /// All phases, in the order in which they come.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Ending];

    /// The phase of a position.
    pub fn of(position: &Chess) -> Self {
        let pieces: u32 = Color::ALL.iter().map(|&color| material(position, color)).sum();
        if pieces - count(position.board().pawns()) <= ENDING_PIECES {
            Self::Ending
        } else if position.fullmoves().get() <= OPENING_MOVES {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Ending => "ending",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::position;

    #[test]
    fn phases_go_by_moves_and_pieces() {
        for (fen, phase) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Phase::Opening),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 11", Phase::Middlegame),
            ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 5", Phase::Ending),
            ("2nqk3/8/8/8/8/8/8/3QK3 w - - 0 40", Phase::Middlegame),
        ] {
            assert_eq!(Phase::of(&position(fen)), phase, "{fen}");
        }
    }
}
