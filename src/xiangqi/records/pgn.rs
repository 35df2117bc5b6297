//! Portable game notation, as Chinese programs and XBoard write it for xiangqi.
//!
//! Tags in square brackets, then moves in any spelling of
//! [`written`](crate::xiangqi::notation::written), with numbers, comments in braces or after a
//! semicolon, variations in parentheses and glyphs, all of which are passed over.

use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
};

use super::{
    Input, Record, RecordFlaw,
    draft::Draft,
    header::{outcome_text, parse_elo, parse_outcome},
    lines::Lines,
    movetext::strip_number,
    reader::Drafts,
};
use crate::xiangqi::notation::written::{self, Spelling};

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
        let mut game = Game::default();
        loop {
            let line = match self.lines.next() {
                Ok(line) => line,
                Err(error) => return Some(Err(error.into())),
            };
            let Some(line) = line else {
                return game.finish();
            };
            if game.is_over_before(&line) {
                let line = line.into_owned();
                self.lines.put_back(line);
                return game.finish();
            }
            game.read_line(&line);
        }
    }
}

/// A game that is being read.
#[derive(Default)]
struct Game {
    draft: Draft,
    /// The names of the tags so far.
    tags: Vec<String>,
    has_moves: bool,
    /// Whether the result has come that ends the moves.
    has_ended: bool,
    is_in_comment: bool,
    /// How many variations are open.
    depth: usize,
}

impl Game {
    /// Whether a line belongs to the next game.
    fn is_over_before(&self, line: &str) -> bool {
        let Some((name, _)) = parse_tag(line) else {
            return false;
        };
        match self.is_in_comment || self.depth > 0 {
            // a comment that is never closed must not swallow the games that follow
            true => name == "Game" || name == "Event",
            false => self.has_moves || self.tags.iter().any(|tag| tag == name),
        }
    }

    fn read_line(&mut self, line: &str) {
        let is_outside = !self.is_in_comment && self.depth == 0;
        match parse_tag(line) {
            Some((name, value)) if is_outside && !self.has_moves => {
                self.read_tag(name, value);
                self.tags.push(name.to_owned());
            }
            // lines that begin with a per cent sign are for other programs
            _ if is_outside && line.starts_with('%') => {}
            _ => self.read_movetext(line),
        }
    }

    fn read_tag(&mut self, name: &str, value: Cow<'_, str>) {
        let header = &mut self.draft.header;
        match name {
            "GameId" => header.id = value.into_owned(),
            "Site" => header.source = if value == "?" { String::new() } else { value.into_owned() },
            "Date" => header.date = date_of_tag(&value),
            "RedElo" | "WhiteElo" => header.elo.red = parse_elo(&value),
            "BlackElo" => header.elo.black = parse_elo(&value),
            "Result" => header.outcome = parse_outcome(&value).flatten(),
            "FEN" if !value.is_empty() => self.draft.fen = Some(value.into_owned()),
            _ => {}
        }
    }

    fn read_movetext(&mut self, line: &str) {
        let mut word_start = None;
        for (i, ch) in line.char_indices() {
            let is_outside = !self.is_in_comment && self.depth == 0;
            let ends_word = ch.is_whitespace() || matches!(ch, '{' | '}' | '(' | ')' | ';');
            if is_outside && !ends_word {
                word_start.get_or_insert(i);
                continue;
            }
            if let Some(start) = word_start.take() {
                self.read_word(&line[start..i]);
            }
            match ch {
                '}' => self.is_in_comment = false,
                _ if self.is_in_comment => {}
                '{' => self.is_in_comment = true,
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                ';' => return,
                _ => {}
            }
        }
        if let Some(start) = word_start {
            self.read_word(&line[start..]);
        }
    }

    fn read_word(&mut self, word: &str) {
        self.has_moves = true;
        if self.has_ended || word.starts_with('$') {
            return;
        }
        // a question mark by itself is a glyph
        if let Some(outcome) = parse_outcome(word).filter(|_| word != "?") {
            self.has_ended = true;
            let header = &mut self.draft.header;
            header.outcome = header.outcome.or(outcome);
            return;
        }
        let text = strip_number(word).trim_end_matches(['!', '?', '#', '+']);
        if !text.is_empty() {
            self.draft.push_move(text);
        }
    }

    /// The game, if there is one.
    fn finish(self) -> Option<Result<Draft, RecordFlaw>> {
        let wanted = match (self.is_in_comment, self.depth) {
            (true, _) => "the } of a comment",
            (_, 1..) => "the ) of a variation",
            _ if self.has_moves || !self.tags.is_empty() => return Some(Ok(self.draft)),
            _ => return None,
        };
        Some(Err(RecordFlaw::Unfinished { wanted }))
    }
}

/// Reads `[Name "value"]`.
fn parse_tag(line: &str) -> Option<(&str, Cow<'_, str>)> {
    let tag = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = tag.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = match value.contains('\\') {
        true => Cow::Owned(value.replace("\\\"", "\"").replace("\\\\", "\\")),
        false => Cow::Borrowed(value),
    };
    Some((name, value))
}

/// The date in a tag: `2017.02.10` or `1996.??.??`.
fn date_of_tag(value: &str) -> String {
    let parts: Vec<&str> = value.split('.').take_while(|part| !part.contains('?')).collect();
    parts.join("-")
}

/// Writes a game. Names of players are not known to a record and are written as `?`.
pub(super) fn write(out: &mut impl Write, record: &Record, spelling: Spelling) -> io::Result<()> {
    let header = &record.header;
    let result = outcome_text(header.outcome);
    let unknown = |text: &str| if text.is_empty() { "?".to_owned() } else { escape(text) };
    let format = match spelling {
        Spelling::Iccs => "ICCS",
        Spelling::Wxf => "WXF",
        Spelling::Chinese(_) => "Chinese",
    };
    writeln!(out, "[Game \"Chinese Chess\"]")?;
    writeln!(out, "[Event \"?\"]")?;
    writeln!(out, "[Site \"{}\"]", unknown(&header.source))?;
    writeln!(out, "[Date \"{}\"]", tag_of_date(&header.date))?;
    writeln!(out, "[Round \"?\"]")?;
    writeln!(out, "[Red \"?\"]")?;
    writeln!(out, "[Black \"?\"]")?;
    writeln!(out, "[Result \"{result}\"]")?;
    for (name, elo) in [("RedElo", header.elo.red), ("BlackElo", header.elo.black)] {
        if let Some(elo) = elo {
            writeln!(out, "[{name} \"{elo}\"]")?;
        }
    }
    writeln!(out, "[GameId \"{}\"]", escape(&header.id))?;
    if let Some(fen) = record.fen() {
        writeln!(out, "[FEN \"{fen}\"]")?;
    }
    writeln!(out, "[Format \"{format}\"]\n")?;
    let offset = usize::from(record.start().turn().is_black());
    for (i, (position, m)) in record.plies().enumerate() {
        let text = written::write(m, &position, spelling).expect("a record's moves are legal");
        match (i, position.turn().is_red()) {
            (_, true) => write!(out, "{}. {text}", (i + offset) / 2 + 1)?,
            (0, false) => writeln!(out, "1. ... {text}")?,
            (_, false) => writeln!(out, " {text}")?,
        }
    }
    if (record.moves().len() + offset) % 2 == 1 {
        writeln!(out)?;
    }
    writeln!(out, "{result}\n")
}

/// A date as a tag has it, `????.??.??` where it is not known.
fn tag_of_date(date: &str) -> String {
    let day = date.split(char::is_whitespace).next().unwrap_or_default();
    let mut parts = day.split('-').filter(|part| !part.is_empty());
    let [year, month, day] =
        ["????", "??", "??"].map(|unknown| escape(parts.next().unwrap_or(unknown)));
    format!("{year}.{month}.{day}")
}

/// A text as it stands between the quotation marks of a tag.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}
