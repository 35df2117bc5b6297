//! One game a line: `id,source,date,red_elo,black_elo,result,moves`, moves as coordinates with
//! ranks from 0. Columns are found by their names; only `moves` must be there. A column `fen`
//! may say where a game starts.

use std::io::{self, BufRead, Write};

use ::csv::ByteRecord;

use super::{
    Input, Record, RecordFlaw, WriteRecordError,
    draft::Draft,
    header::{outcome_text, parse_outcome},
    lines::Decoder,
    reader::Drafts,
};
use crate::xiangqi::ByColor;

/// The columns, in the order in which they are written.
const COLUMNS: [&str; 7] = ["id", "source", "date", "red_elo", "black_elo", "result", "moves"];

/// The games of a file.
pub(super) fn read(input: Input) -> Result<Drafts, RecordFlaw> {
    let mut rows = Rows::new(input)?;
    let columns = [rows.column("id"), rows.column("source"), rows.column("date")];
    let elos = [rows.column("red_elo"), rows.column("black_elo")];
    let result = rows.column("result");
    let moves = rows.column("moves").ok_or(RecordFlaw::Column { name: "moves" })?;
    let fen = rows.column("fen");
    let draft = move |rows: &mut Rows| {
        rows.check_width()?;
        let mut draft = Draft::default();
        let header = &mut draft.header;
        [header.id, header.source, header.date] =
            columns.map(|column| column.map_or_else(String::new, |column| rows.field(column)));
        let [red, black] = elos.map(|column| match column {
            Some(column) => rows.elo(column),
            None => Ok(None),
        });
        header.elo = ByColor { red: red?, black: black? };
        if let Some(column) = result {
            header.outcome = rows.outcome(column)?;
        }
        draft.fen = fen.map(|column| rows.field(column)).filter(|fen| !fen.is_empty());
        draft.moves = rows.field(moves);
        Ok(draft)
    };
    Ok(Box::new(std::iter::from_fn(move || match rows.advance() {
        Ok(true) => Some(draft(&mut rows)),
        Ok(false) => None,
        Err(error) => Some(Err(error.into())),
    })))
}

/// The rows of a CSV file, one at a time.
pub(super) struct Rows {
    reader: ::csv::Reader<Box<dyn BufRead + Send>>,
    names: Vec<String>,
    row: ByteRecord,
    decoder: Decoder,
}

impl Rows {
    /// Reads the first row, which names the columns.
    pub fn new(input: Input) -> Result<Self, RecordFlaw> {
        let mut reader = ::csv::ReaderBuilder::new().flexible(true).from_reader(input.bytes);
        let names = reader.byte_headers().map_err(io::Error::from)?;
        let name = |field: &[u8]| String::from_utf8_lossy(field).trim().to_ascii_lowercase();
        let names = names.iter().map(name).collect();
        let decoder = Decoder::new(input.encoding);
        Ok(Self { reader, names, row: ByteRecord::new(), decoder })
    }

    /// The place of the column of a name, which is in lower case.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|column| column == name)
    }

    /// Goes on to the next row; `false` at the end.
    pub fn advance(&mut self) -> io::Result<bool> {
        Ok(self.reader.read_byte_record(&mut self.row)?)
    }

    /// Makes sure that this row has as many fields as there are columns.
    pub fn check_width(&self) -> Result<(), RecordFlaw> {
        match (self.row.len(), self.names.len()) {
            (got, wanted) if got != wanted => Err(RecordFlaw::Width { got, wanted }),
            _ => Ok(()),
        }
    }

    /// The text in a column of this row, without white space around it.
    pub fn field(&mut self, column: usize) -> String {
        let bytes = self.row.get(column).unwrap_or_default();
        self.decoder.decode(bytes).trim().to_owned()
    }

    /// The Elo in a column of this row; an empty field is an unknown one.
    pub fn elo(&mut self, column: usize) -> Result<Option<u16>, RecordFlaw> {
        let text = self.field(column);
        if text.is_empty() {
            return Ok(None);
        }
        let wanted = "a number or nothing";
        text.parse().map(Some).map_err(|_| RecordFlaw::Field { name: "Elo", got: text, wanted })
    }

    /// The outcome in a column of this row.
    pub fn outcome(&mut self, column: usize) -> Result<Option<crate::game::Outcome>, RecordFlaw> {
        let text = self.field(column);
        let wanted = "1-0, 0-1, 1/2-1/2 or *";
        parse_outcome(&text).ok_or(RecordFlaw::Field { name: "result", got: text, wanted })
    }
}

/// Writes games, one a line.
pub(super) struct CsvWriter<W: Write> {
    writer: ::csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    pub fn new(out: W) -> io::Result<Self> {
        let mut writer = ::csv::Writer::from_writer(out);
        writer.write_record(COLUMNS)?;
        Ok(Self { writer })
    }

    pub fn write(&mut self, record: &Record) -> Result<(), WriteRecordError> {
        if record.fen().is_some() {
            return Err(WriteRecordError::Start { id: record.header.id.clone() });
        }
        let header = &record.header;
        let elo = |elo: Option<u16>| elo.map_or_else(String::new, |elo| elo.to_string());
        let moves: Vec<String> = record.moves().iter().map(|m| m.to_string()).collect();
        let row = [
            &header.id,
            &header.source,
            &header.date,
            &elo(header.elo.red),
            &elo(header.elo.black),
            outcome_text(header.outcome),
            &moves.join(" "),
        ];
        Ok(self.writer.write_record(row).map_err(io::Error::from)?)
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
