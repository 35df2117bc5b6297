//! Records of games, read and written in the formats that they are kept in.
//!
//! [`read`] streams any number of files, whatever their format, compression and text encoding,
//! holding one game at a time. A game that cannot be read is an error that says where it stands,
//! and reading goes on with the next. [`Writer`] writes the same formats.
//!
//! ```
//! use errare::xiangqi::records::{Input, Records};
//!
//! let text = "id,source,date,red_elo,black_elo,result,moves\n\
//!             a,club,2024,1200,,1-0,h2e2 h9g7\n\
//!             b,club,2024,,,*,h2e2 h9h8\n";
//! let mut records = Records::new(Input::from_reader("club.csv", text.as_bytes()))?;
//! let first = records.next().expect("there are two")?;
//! assert_eq!(first.header.elo.red, Some(1200));
//! assert_eq!(first.moves().len(), 2);
//! let error = records.next().expect("there are two").unwrap_err();
//! assert_eq!(error.to_string(), "club.csv, game 2, ply 2: h9h8 is not a legal move here");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod draft;
mod error;
mod format;
mod header;
mod input;
mod kaggle;
mod lines;
mod movetext;
mod pgn;
mod playok;
mod reader;
mod record;
mod writer;

pub use error::{RecordError, RecordFlaw};
pub use format::{Format, ParseFormatError};
pub use header::Header;
pub use input::Input;
pub use lines::Encoding;
pub use reader::{Records, read};
pub use record::Record;
pub use writer::{WriteRecordError, Writer};

#[cfg(test)]
mod tests;
