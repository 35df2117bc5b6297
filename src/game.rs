//! What the rest of the house asks of a game: its positions, its moves and how they are written.
//!
//! No rule of any game lives here. [`chess`](crate::chess) and [`xiangqi`](crate::xiangqi)
//! implement [`Game`]; players and protocols are written against it.

use std::{error::Error, fmt::Debug, ops::Not};

/// One of the two players, by who moves first in the standard start position.
///
/// White in chess, Red in xiangqi is [`Side::First`]. The games keep their own words for colors;
/// this one serves where the game does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// White, or Red.
    First,
    /// Black.
    Second,
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// One side has won: by mate, or by a rule that makes the other side lose.
    Won(Side),
    /// Neither side has won.
    Drawn,
}

/// A game in progress: a position together with the moves that led to it.
///
/// Cloning must be cheap enough to be done once a move. A `Game` only ever holds a position that
/// can be played: parsing refuses all others, so code that holds one need not check again.
pub trait Game: Clone + Debug + Send + 'static {
    /// A legal move of this game. Only meaningful together with the position it was made for.
    type Move: Clone + Debug + PartialEq + Send + 'static;
    /// How moves are spelled where more than one spelling is in use.
    type Spelling: Copy + Debug + Send;
    /// Why a FEN was refused: the message says what came and what was wanted.
    type FenError: Error + Send + Sync + 'static;
    /// Why a written move was refused: misspelled, or spelled well but not legal here.
    type MoveError: Error + Send + Sync + 'static;

    /// The standard start position with no moves played.
    fn start() -> Self;

    /// The position that `fen` describes, with no moves played.
    ///
    /// # Errors
    /// When the text is not a FEN of this game, or its position cannot be played.
    fn from_fen(fen: &str) -> Result<Self, Self::FenError>;

    /// The FEN of the current position, with its counters.
    fn fen(&self) -> String;

    /// Who is to move.
    fn side_to_move(&self) -> Side;

    /// All legal moves, each once, in an order that depends on the position alone.
    ///
    /// Moves are listed even where [`outcome`](Self::outcome) says that the game is over by a
    /// rule about its history: a user interface may ask for a move there all the same.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// The legal move that `text` names. Other spellings than the one given are understood too
    /// where they cannot be mistaken for it.
    ///
    /// # Errors
    /// When `text` is misspelled or names a move that is not legal here.
    fn parse_move(
        &self,
        text: &str,
        spelling: Self::Spelling,
    ) -> Result<Self::Move, Self::MoveError>;

    /// The move as the given spelling writes it.
    fn write_move(&self, m: &Self::Move, spelling: Self::Spelling) -> String;

    /// Plays a legal move. What an illegal one does is not specified.
    fn play(&mut self, m: &Self::Move);

    /// The outcome, once there is one: by the position or by the history of the game.
    fn outcome(&self) -> Option<Outcome>;

    /// Moves played since the start position or the FEN, in plies.
    fn plies_played(&self) -> usize;
}
