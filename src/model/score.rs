//! What a position is worth to the side to move.

use std::ops::Neg;

/// What a position is worth, always from the view of the side to move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The side to move mates in this many of its own moves; one at least.
    Mate(u32),
    /// The side to move is mated in this many of its moves; zero means that it is mated now.
    Mated(u32),
}

impl Score {
    /// An even position.
    pub const EVEN: Self = Self::Centipawns(0);
}

impl Neg for Score {
    type Output = Self;

    /// The same score from the other side's view, in the same position.
    fn neg(self) -> Self {
        match self {
            Self::Centipawns(centipawns) => Self::Centipawns(-centipawns),
            Self::Mate(moves) => Self::Mated(moves),
            Self::Mated(moves) => Self::Mate(moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negating_twice_changes_nothing() {
        for score in [Score::EVEN, Score::Centipawns(-35), Score::Mate(2), Score::Mated(3)] {
            assert_eq!(-(-score), score);
        }
    }
}
