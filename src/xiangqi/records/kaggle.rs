//! PlayOK's games as they are offered on Kaggle: two CSV files, one of games,
//! `gameID,game_datetime,blackID,blackELO,redID,redELO,winner`, and one of moves,
//! `gameID,turn,side,move`, with moves in WXF. `gameID` joins them.
//!
//! The file of games is held in memory, some hundred bytes a game. The file of moves is streamed:
//! the moves of one game follow each other there.

use std::{
    collections::HashMap,
    io::{self, Write},
    mem,
};

use super::{
    Header, Input, Record, RecordFlaw, WriteRecordError, csv::Rows, draft::Draft,
    header::parse_elo, reader::Drafts,
};
use crate::{
    game::{Outcome, Side},
    xiangqi::{ByColor, Color, notation::wxf::Wxf},
};

/// What games from this source are said to come from.
const SOURCE: &str = "playok";
const GAME_COLUMNS: [&str; 7] =
    ["gameID", "game_datetime", "blackID", "blackELO", "redID", "redELO", "winner"];
const MOVE_COLUMNS: [&str; 4] = ["gameID", "turn", "side", "move"];

/// A file of games.
#[derive(Debug, Default)]
pub(super) struct Games {
    by_id: HashMap<String, Header>,
    /// What is wrong with lines of the file.
    flaws: Vec<RecordFlaw>,
}

impl Games {
    /// Reads a file of games.
    pub fn read(input: Input) -> Result<Self, RecordFlaw> {
        let mut rows = Rows::new(input)?;
        let id = rows.column("gameid").ok_or(RecordFlaw::Column { name: "gameID" })?;
        let date = rows.column("game_datetime");
        let elos = ["redelo", "blackelo"].map(|name| rows.column(name));
        let winner = rows.column("winner");
        let mut games = Self::default();
        while rows.advance()? {
            let outcome = rows.check_width().and_then(|()| match winner {
                Some(column) => rows.outcome(column),
                None => Ok(None),
            });
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(flaw) => {
                    games.flaws.push(flaw);
                    continue;
                }
            };
            let [red, black] =
                elos.map(|column| column.and_then(|column| parse_elo(&rows.field(column))));
            let id = rows.field(id);
            let header = Header {
                id: id.clone(),
                source: SOURCE.to_owned(),
                date: date.map_or_else(String::new, |column| rows.field(column)),
                elo: ByColor { red, black },
                outcome,
            };
            games.by_id.insert(id, header);
        }
        Ok(games)
    }
}

/// The games of a pair of files.
pub(super) fn read(mut games: Games, moves: Input) -> Result<Drafts, RecordFlaw> {
    let rows = Rows::new(moves)?;
    let column = |name: &'static str| {
        let column = rows.column(&name.to_ascii_lowercase());
        column.ok_or(RecordFlaw::Column { name })
    };
    let [id, turn, side, text] = MOVE_COLUMNS;
    let columns =
        Columns { id: column(id)?, turn: column(turn)?, side: column(side)?, text: column(text)? };
    let flaws = mem::take(&mut games.flaws);
    let joined = Joined { games, rows, columns, held: None };
    Ok(Box::new(flaws.into_iter().map(Err).chain(joined)))
}

struct Columns {
    id: usize,
    turn: usize,
    side: usize,
    text: usize,
}

/// A line of the file of moves.
struct Line {
    /// The game.
    id: String,
    /// The number of the move and whose it is, or what is wrong with the line.
    turn: Result<(u32, Color), RecordFlaw>,
    /// The move.
    text: String,
}

/// Games with their moves, in the order of the file of moves.
struct Joined {
    games: Games,
    rows: Rows,
    columns: Columns,
    /// The first line of the game to come.
    held: Option<Line>,
}

impl Joined {
    /// The next line of the file of moves, or `None` at the end.
    fn line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.held.take() {
            return Ok(Some(line));
        }
        if !self.rows.advance()? {
            return Ok(None);
        }
        let [id, turn, side, text] =
            [self.columns.id, self.columns.turn, self.columns.side, self.columns.text]
                .map(|column| self.rows.field(column));
        let turn = self.rows.check_width().and_then(|()| {
            let color = match side.to_ascii_lowercase().as_str() {
                "red" => Color::Red,
                "black" => Color::Black,
                _ => {
                    let wanted = "red or black";
                    return Err(RecordFlaw::Field { name: "side", got: side, wanted });
                }
            };
            let wanted = "a number";
            let number = turn.parse().ok();
            let number = number.ok_or(RecordFlaw::Field { name: "turn", got: turn, wanted })?;
            Ok((number, color))
        });
        Ok(Some(Line { id, turn, text }))
    }

    /// All lines of the next game, or `None` at the end.
    fn lines(&mut self) -> io::Result<Option<Vec<Line>>> {
        let Some(first) = self.line()? else {
            return Ok(None);
        };
        let mut lines = vec![first];
        while let Some(line) = self.line()? {
            if line.id != lines[0].id {
                self.held = Some(line);
                break;
            }
            lines.push(line);
        }
        Ok(Some(lines))
    }

    /// The game of some lines.
    fn draft(&mut self, lines: Vec<Line>) -> Result<Draft, RecordFlaw> {
        let id = lines.first().map_or_else(String::new, |line| line.id.clone());
        let header = self.games.by_id.remove(&id).ok_or(RecordFlaw::UnknownGame { id })?;
        let mut draft = Draft { header, ..Draft::default() };
        let turns = lines.into_iter().map(|Line { turn, text, .. }| Ok((turn?, text)));
        let mut turns = turns.collect::<Result<Vec<_>, RecordFlaw>>()?;
        turns.sort_by_key(|&(turn, _)| turn);
        // a move that is missing could go unnoticed: those after it might be legal
        for pair in turns.windows(2) {
            let [((number, color), _), ((next, other), _)] = pair else { continue };
            if color == other || *next > number + 1 {
                let got = format!("{next} {other}");
                let wanted = "the turn after the one before";
                return Err(RecordFlaw::Field { name: "turn", got, wanted });
            }
        }
        turns.iter().for_each(|(_, text)| draft.push_move(text));
        Ok(draft)
    }
}

impl Iterator for Joined {
    type Item = Result<Draft, RecordFlaw>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.lines() {
            Ok(lines) => Some(self.draft(lines?)),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// Writes games to a pair of files.
pub(super) struct KaggleWriter<W: Write> {
    games: ::csv::Writer<W>,
    moves: ::csv::Writer<W>,
}

impl<W: Write> KaggleWriter<W> {
    pub fn new(games: W, moves: W) -> io::Result<Self> {
        let mut games = ::csv::Writer::from_writer(games);
        let mut moves = ::csv::Writer::from_writer(moves);
        games.write_record(GAME_COLUMNS)?;
        moves.write_record(MOVE_COLUMNS)?;
        Ok(Self { games, moves })
    }

    pub fn write(&mut self, record: &Record) -> Result<(), WriteRecordError> {
        if record.fen().is_some() {
            return Err(WriteRecordError::Start { id: record.header.id.clone() });
        }
        let header = &record.header;
        let elo = |elo: Option<u16>| elo.map_or_else(String::new, |elo| elo.to_string());
        let winner = match header.outcome {
            Some(Outcome::Won(Side::First)) => "red",
            Some(Outcome::Won(Side::Second)) => "black",
            Some(Outcome::Drawn) => "draw",
            None => "",
        };
        let [red, black] = [elo(header.elo.red), elo(header.elo.black)];
        let row = [&header.id, &header.date, "", &black, "", &red, winner];
        self.games.write_record(row).map_err(io::Error::from)?;
        for (i, (position, m)) in record.plies().enumerate() {
            let wxf = Wxf::of(&position, m).expect("a record's moves are legal").to_string();
            let turn = (i / 2 + 1).to_string();
            let row = [&header.id, &turn, &position.turn().to_string(), &wxf];
            self.moves.write_record(row).map_err(io::Error::from)?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.games.flush()?;
        self.moves.flush()
    }
}
