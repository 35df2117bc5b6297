//! Games of chess as people have recorded them: PGN, read in one pass and in constant memory.

mod filter;
mod reading;
mod source;
mod writing;

pub use filter::{Filter, ParseSpeedError, Speed};
pub use reading::{Games, GamesError, Record, Seen};
pub use source::open;
pub use writing::write_pgn;
