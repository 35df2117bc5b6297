//! Writing records in any of the formats.

use std::io::{self, Write};

use thiserror::Error;

use super::{Format, Record, csv::CsvWriter, kaggle::KaggleWriter, pgn, playok};
use crate::xiangqi::notation::written::Spelling;

/// Writes records one after another. What is written reads back as the same moves and the same
/// header, but for what a format has no place for: PlayOK's has none for names of games, and the
/// Kaggle pair and PlayOK's have little for sources.
///
/// ```
/// use errare::xiangqi::{
///     Move, Position, Square,
///     notation::written::Spelling,
///     records::{Header, Record, Writer},
/// };
///
/// let moves = vec![Move::new(Square::H2, Square::E2)];
/// let record = Record::new(Header::default(), Position::default(), moves)?;
/// let mut text = Vec::new();
/// let mut writer = Writer::pgn(&mut text, Spelling::Wxf);
/// writer.write(&record)?;
/// writer.finish()?;
/// assert!(String::from_utf8(text)?.contains("1. C2.5"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Csv(Box<CsvWriter<W>>),
    Kaggle(Box<KaggleWriter<W>>),
    Pgn(W, Spelling),
    PlayOk(W),
}

impl<W: Write> Writer<W> {
    /// Writes CSV with moves as coordinates.
    ///
    /// # Errors
    /// When the line of the columns' names cannot be written.
    pub fn csv(out: W) -> io::Result<Self> {
        Ok(Self(Kind::Csv(Box::new(CsvWriter::new(out)?))))
    }

    /// Writes a Kaggle pair: a file of games and a file of moves.
    ///
    /// # Errors
    /// When the lines of the columns' names cannot be written.
    pub fn kaggle(games: W, moves: W) -> io::Result<Self> {
        Ok(Self(Kind::Kaggle(Box::new(KaggleWriter::new(games, moves)?))))
    }

    /// Writes PGN in UTF-8.
    pub fn pgn(out: W, spelling: Spelling) -> Self {
        Self(Kind::Pgn(out, spelling))
    }

    /// Writes the text that PlayOK gives its players.
    pub fn playok(out: W) -> Self {
        Self(Kind::PlayOk(out))
    }

    /// The format that is written.
    pub fn format(&self) -> Format {
        match self.0 {
            Kind::Csv(_) => Format::Csv,
            Kind::Kaggle(_) => Format::Kaggle,
            Kind::Pgn(..) => Format::Pgn,
            Kind::PlayOk(_) => Format::PlayOk,
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// When writing fails, or the format has no place for where the game starts.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteRecordError> {
        match &mut self.0 {
            Kind::Csv(writer) => writer.write(record),
            Kind::Kaggle(writer) => writer.write(record),
            Kind::Pgn(out, spelling) => Ok(pgn::write(out, record, *spelling)?),
            Kind::PlayOk(out) => Ok(playok::write(out, record)?),
        }
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Kind::Csv(writer) => writer.finish(),
            Kind::Kaggle(writer) => writer.finish(),
            Kind::Pgn(mut out, _) | Kind::PlayOk(mut out) => out.flush(),
        }
    }
}

/// Why a record was not written.
#[derive(Debug, Error)]
pub enum WriteRecordError {
    /// Writing failed.
    #[error("cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The format only has games from the standard start.
    #[error("game `{id}` does not begin with the standard start, for which CSV has no place")]
    Start {
        /// The game.
        id: String,
    },
}
