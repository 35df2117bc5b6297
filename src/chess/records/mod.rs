//! Games of chess as people have recorded them: PGN, or rows of a table, read in one pass and in
//! constant memory.

mod error;
mod filter;
mod pgn;
mod reading;
mod record;
mod rows;
mod source;
mod writing;

pub use error::GamesError;
pub use filter::{Filter, ParseSpeedError, Speed};
pub use reading::{Games, Seen};
pub use record::Record;
pub use source::open;
pub use writing::write_pgn;
