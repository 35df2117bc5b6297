//! A record as it stands in a file, its moves still text.

use super::{Header, Record, RecordFlaw, record::id_of};
use crate::xiangqi::{Fen, Position, notation::written};

/// A record as it stands in a file.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What it says beside the moves. An empty id will be filled in.
    pub header: Header,
    /// The FEN that it starts from, if it is not the standard start.
    pub fen: Option<String>,
    /// The moves in any spelling, with white space between them.
    pub moves: String,
}

impl Draft {
    /// Adds a move at the end.
    pub fn push_move(&mut self, text: &str) {
        self.moves.push_str(text);
        self.moves.push(' ');
    }

    /// The record, if all its moves are legal.
    ///
    /// # Errors
    /// What is wrong, and with which ply, if with a move.
    pub fn into_record(self) -> Result<Record, (Option<usize>, RecordFlaw)> {
        let Self { mut header, fen, moves: texts } = self;
        let start = match fen {
            None => Position::default(),
            Some(fen) => {
                let fen: Fen = fen.parse().map_err(|error: _| (None, RecordFlaw::Fen(error)))?;
                fen.into_position().map_err(|error| (None, error.into()))?
            }
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(texts.len() / 5);
        for (i, text) in texts.split_whitespace().enumerate() {
            let m = written::parse(text, &position).map_err(|error| (Some(i + 1), error.into()))?;
            position.play_unchecked(m);
            moves.push(m);
        }
        if header.id.is_empty() {
            header.id = id_of(&start, &moves);
        }
        Ok(Record::new_unchecked(header, start, moves))
    }
}
