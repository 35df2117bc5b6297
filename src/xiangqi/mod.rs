//! The game of xiangqi: its board, its rules, and how its moves are written.
//!
//! In the words and manner of shakmaty, and like it in three levels of trust: a [`Fen`] is
//! spelled correctly, a [`Setup`] is any arrangement of pieces, a [`Position`] can be played.
//!
//! ```
//! use errare::xiangqi::{Fen, Position};
//!
//! let mut position: Position = "4k4/9/9/9/9/9/9/9/3R5/3K5 w".parse::<Fen>()?.into_position()?;
//! let m = "d1e1".parse()?;
//! position.play(m)?;
//! assert!(position.is_check());
//! assert_eq!(Fen::from_position(&position).to_string(), "4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 1 1");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
pub mod attributes;
mod bitboard;
mod board;
mod book;
mod color;
mod counting;
mod fen;
pub mod full;
mod game;
#[cfg(test)]
mod laws;
mod m;
mod movegen;
pub mod notation;
mod perft;
mod piece;
mod position;
pub mod records;
mod remembered;
mod role;
pub mod rules;
mod setup;
mod sight;
mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use color::{ByColor, Color};
pub use fen::{Fen, ParseFenError};
pub use game::{FenError, Game, MoveFlaw, ParseMoveError};
pub use m::{Move, MoveList};
pub use perft::perft;
pub use piece::Piece;
pub use position::{IllegalMoveError, Position, PositionError, PositionFlaw};
pub use role::{ByRole, Role};
pub use setup::Setup;
pub use sight::{Seen, Standing, sight};
pub use square::{File, ParseSquareError, Rank, Square};
