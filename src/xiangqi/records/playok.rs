//! The text that PlayOK gives its players, a form of the WXF file format: lines that begin with
//! a word, then the moves in WXF between `START{` and `}END`.

use std::io::{self, BufRead, Write};

use super::{
    Input, Record, RecordFlaw,
    draft::Draft,
    header::{outcome_text, parse_elo, parse_outcome},
    lines::Lines,
    movetext::strip_number,
    reader::Drafts,
};
use crate::xiangqi::notation::wxf::Wxf;

/// How PlayOK calls its games, and what such games are said to come from.
const EVENT: &str = "PlayOK Game";
const SOURCE: &str = "playok";
/// Moves of both sides in a line.
const MOVES_PER_LINE: usize = 3;

/// The games of a file.
pub(super) fn read(input: Input) -> Drafts {
    Box::new(Games { lines: Lines::new(input.bytes, input.encoding) })
}

struct Games<R> {
    lines: Lines<R>,
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Draft, RecordFlaw>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut draft = Draft::default();
        let mut has_begun = false;
        let mut is_in_moves = false;
        loop {
            let line = match self.lines.next() {
                Ok(line) => line,
                Err(error) => return Some(Err(error.into())),
            };
            let unfinished = RecordFlaw::Unfinished {
                wanted: if is_in_moves { "}END" } else { "START{ and moves" },
            };
            let Some(line) = line else {
                return has_begun.then_some(Err(unfinished));
            };
            let text = line.trim();
            if has_begun && text.split_whitespace().next() == Some("FORMAT") {
                let line = text.to_owned();
                self.lines.put_back(line);
                return Some(Err(unfinished));
            }
            has_begun |= !text.is_empty();
            let mut movetext = text;
            if !is_in_moves {
                let Some(rest) = text.strip_prefix("START{") else {
                    read_header_line(&mut draft, text);
                    continue;
                };
                movetext = rest;
                is_in_moves = true;
            }
            let (movetext, is_over) = match movetext.split_once('}') {
                Some((movetext, _)) => (movetext, true),
                None => (movetext, false),
            };
            let moves = movetext.split_whitespace().map(strip_number);
            moves.filter(|text| !text.is_empty()).for_each(|text| draft.push_move(text));
            if is_over {
                return Some(Ok(draft));
            }
        }
    }
}

/// Reads a line above the moves. Words that are not known say nothing.
fn read_header_line(draft: &mut Draft, line: &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let header = &mut draft.header;
    match word {
        "RED" => header.elo.red = elo_of_player(rest),
        "BLACK" => header.elo.black = elo_of_player(rest),
        "RESULT" => header.outcome = parse_outcome(rest).flatten(),
        "DATE" => header.date = rest.to_owned(),
        "EVENT" if rest.starts_with(EVENT) => header.source = SOURCE.to_owned(),
        "EVENT" => header.source = rest.split(';').next().unwrap_or_default().trim().to_owned(),
        "FEN" if !rest.is_empty() => draft.fen = Some(rest.to_owned()),
        _ => {}
    }
}

/// The Elo in `name ; 1137 ;;`.
fn elo_of_player(text: &str) -> Option<u16> {
    text.split(';').nth(1).and_then(parse_elo)
}

/// Writes a game. Names of players are not known to a record and are written as `?`.
pub(super) fn write(out: &mut impl Write, record: &Record) -> io::Result<()> {
    let header = &record.header;
    let elo = |elo: Option<u16>| elo.map_or_else(String::new, |elo| elo.to_string());
    let [red, black] = [elo(header.elo.red), elo(header.elo.black)];
    let result = match outcome_text(header.outcome) {
        "1/2-1/2" => "0.5-0.5",
        result => result,
    };
    let event = if header.source == SOURCE { EVENT } else { &header.source };
    writeln!(out, "FORMAT  WXF")?;
    writeln!(out, "RED     ? ; {red} ;;")?;
    writeln!(out, "BLACK   ? ; {black} ;;")?;
    writeln!(out, "RESULT  {result}")?;
    writeln!(out, "DATE    {}", one_line(&header.date))?;
    writeln!(out, "EVENT   {}", one_line(event))?;
    if let Some(fen) = record.fen() {
        writeln!(out, "FEN     {fen}")?;
    }
    write!(out, "START{{")?;
    let offset = usize::from(record.start().turn().is_black());
    for (i, (position, m)) in record.plies().enumerate() {
        let number = (i + offset) / 2 + 1;
        if i == 0 || position.turn().is_red() {
            let separator = if (number - 1) % MOVES_PER_LINE == 0 { "\n" } else { "   " };
            write!(out, "{separator}{number:2}.")?;
        }
        if i == 0 && position.turn().is_black() {
            write!(out, " ...")?;
        }
        write!(out, " {}", Wxf::of(&position, m).expect("a record's moves are legal"))?;
    }
    writeln!(out, " }}END\n")
}

/// A text without ends of lines, which would begin another word.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
