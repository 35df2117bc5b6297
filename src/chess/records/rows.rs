//! Games as rows of a table: columns apart by tabs, named in the first row, moves as UCI writes
//! them.

use std::io::Read;

use csv::{ByteRecord, Reader, ReaderBuilder};
use shakmaty::ByColor;

use super::{
    GamesError, Seen,
    filter::{Filter, Tags},
    reading::{Visited, begin},
};
use crate::{chess::Castling, game::Game as _};

/// What parts columns.
const TAB: char = '\t';
/// The column that a table cannot be without.
const MOVES: &str = "moves";

/// Whether these are the names of a table's columns.
pub(super) fn is_head(line: &str) -> bool {
    line.contains(TAB) && columns(line).any(|name| name == MOVES)
}

fn columns(line: &str) -> impl Iterator<Item = &str> {
    line.trim_start_matches('\u{feff}').trim_end().split(TAB)
}

/// A table of games, read row by row.
pub(super) struct Rows<R> {
    reader: Reader<R>,
    names: Vec<String>,
    row: ByteRecord,
}

impl<R: Read> Rows<R> {
    /// The rows below a head that [`is_head`] has passed, and which `source` begins with.
    pub fn new(head: &str, source: R) -> Self {
        let reader = ReaderBuilder::new()
            .delimiter(TAB as u8)
            .quoting(false)
            .flexible(true)
            .has_headers(true)
            .from_reader(source);
        Self { reader, names: columns(head).map(str::to_owned).collect(), row: ByteRecord::new() }
    }

    /// The next game; `None` after the last.
    ///
    /// # Errors
    /// When the source cannot be read any further.
    pub fn next(&mut self, filter: &Filter, seen: &mut Seen) -> csv::Result<Option<Visited>> {
        if !self.reader.read_byte_record(&mut self.row)? {
            return Ok(None);
        }
        seen.games += 1;
        if self.row.len() != self.names.len() {
            return Ok(Some(Visited::Broken(Box::new(GamesError::Columns {
                number: seen.games,
                got: self.row.len(),
                wanted: self.names.len(),
            }))));
        }
        Ok(Some(self.visit(filter, seen)))
    }

    fn visit(&self, filter: &Filter, seen: &mut Seen) -> Visited {
        let mut growing = match begin(self.tags(), filter, seen) {
            Ok(growing) => growing,
            Err(visited) => return visited,
        };
        for text in self.text(MOVES).unwrap_or_default().split_ascii_whitespace() {
            match growing.game().parse_move(text, Castling::Standard) {
                Ok(m) => growing.push(m),
                Err(_) => return Visited::Broken(Box::new(growing.illegal_move(text))),
            }
        }
        Visited::Counted(Box::new(growing.finish()))
    }

    fn tags(&self) -> Tags {
        let text = |name| self.text(name);
        let name = |name| text(name).unwrap_or_else(|| "?".to_owned());
        let rating = |name| text(name).and_then(|text| text.parse().ok());
        Tags {
            names: ByColor { white: name("white"), black: name("black") },
            ratings: ByColor { white: rating("white_elo"), black: rating("black_elo") },
            time_control: text("time_control").unwrap_or_default(),
            speed: text("speed").and_then(|text| text.parse().ok()),
            is_rated: text("rated").and_then(|text| text.to_ascii_lowercase().parse().ok()),
            date: text("date").unwrap_or_default(),
            fen: text("fen"),
            variant: text("variant"),
        }
    }

    /// What the row has in the column of this name; nothing where there is none or it is empty.
    fn text(&self, name: &str) -> Option<String> {
        let place = self.names.iter().position(|column| column == name)?;
        let text = String::from_utf8_lossy(self.row.get(place)?);
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Games, Record, Speed};
    use super::*;

    const ROWS: &str = "speed\trated\twhite_elo\tblack_elo\ttime_control\tmoves\n\
        rapid\tTrue\t1549\t1550\t600+0\te2e4 e7e5 e1e2\n\
        None\tNone\t800\t800\tNone\td2d4\n\
        blitz\tFalse\t1600\t1700\tNone\te2e4 e7e5 e1g1\n\
        rapid\tTrue\t1600\n\
        blitz\tTrue\t1650\t1700\t300+0\te2e4 d7d5 e4d5 d8d5\n";

    fn read(text: &str, filter: Filter) -> (Vec<Record>, Vec<String>, Seen) {
        let mut games = Games::new(text.as_bytes(), filter);
        let (mut records, mut errors) = (Vec::new(), Vec::new());
        for game in games.by_ref() {
            match game {
                Ok(record) => records.push(record),
                Err(error) => errors.push(error.to_string()),
            }
        }
        (records, errors, games.seen())
    }

    fn numbers(filter: Filter) -> Vec<u64> {
        read(ROWS, filter).0.iter().map(|record| record.number).collect()
    }

    #[test]
    fn rows_are_games_and_broken_ones_are_named() {
        let (records, errors, seen) = read(ROWS, Filter::default());
        let plies: Vec<usize> = records.iter().map(|record| record.moves.len()).collect();
        assert_eq!(plies, [3, 1, 4]);
        assert_eq!(records[0].ratings, ByColor { white: Some(1549), black: Some(1550) });
        assert!(errors[0].starts_with("game 3 (? – ?) got `e1g1` as ply 3, wanted a legal"));
        assert_eq!(errors[1], "game 4 has 3 columns, wanted 6");
        let wanted = Seen { games: 5, counted: 3, broken: 2, with_player: 0, with_rating: 4 };
        assert_eq!(seen, wanted);
    }

    #[test]
    fn rows_count_as_games_of_pgn_do() {
        assert_eq!(numbers(Filter { speeds: vec![Speed::Blitz], ..Filter::default() }), [5]);
        assert_eq!(numbers(Filter { rating: Some(1500..=1599), ..Filter::default() }), [1]);
        assert_eq!(numbers(Filter { only_rated: true, ..Filter::default() }), [1, 5]);
    }

    #[test]
    fn columns_may_stand_in_any_order_and_be_left_out() {
        for text in ["moves\tspeed\ne2e4\trapid\n", "\u{feff}date\tmoves\r\n2024\te2e4\r\n"] {
            let (records, errors, _) = read(text, Filter::default());
            assert_eq!((records.len(), errors), (1, vec![]), "{text}");
            assert_eq!(records[0].moves.len(), 1);
        }
    }

    #[test]
    fn what_is_no_text_is_a_broken_game_at_worst() {
        let bytes = b"white_elo\tmoves\n\xff\xfe\te2e4\n1500\t\xff\xff\n1500\te2e4\n";
        let games: Vec<_> = Games::new(&bytes[..], Filter::default()).collect();
        assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    }
}
