//! The formats of records, and how to tell them apart.

use std::{fmt, str::FromStr};

/// A format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One game a line: `id,source,date,red_elo,black_elo,result,moves`, moves as coordinates.
    Csv,
    /// A file of games and a file of moves, as PlayOK's games are offered on Kaggle.
    Kaggle,
    /// Portable game notation, moves as coordinates, in WXF, in Chinese or as XBoard writes them.
    Pgn,
    /// The text that PlayOK gives its players: `FORMAT WXF` … `START{` … `}END`.
    PlayOk,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Kaggle, Self::Pgn, Self::PlayOk];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Kaggle => "kaggle",
            Self::Pgn => "pgn",
            Self::PlayOk => "playok",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{got}` is no format of records: csv, kaggle, pgn or playok was wanted")]
pub struct ParseFormatError {
    /// The name.
    pub got: String,
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or_else(|| ParseFormatError { got: text.to_owned() })
    }
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing but white space.
    Nothing,
    Csv,
    KaggleGames,
    KaggleMoves,
    Pgn,
    PlayOk,
}

impl Content {
    /// What begins with these bytes, or the first line of what is not known.
    pub fn detect(head: &[u8]) -> Result<Self, String> {
        let head = String::from_utf8_lossy(head);
        let mut lines = head.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
        let Some(first) = lines.clone().find(|line| !line.is_empty()) else {
            return Ok(Self::Nothing);
        };
        let columns: Vec<String> =
            first.split(',').map(|name| name.trim_matches('"').to_ascii_lowercase()).collect();
        let has = |name: &str| columns.iter().any(|column| column == name);
        let word = first.split_whitespace().next().unwrap_or_default();
        if has("moves") {
            Ok(Self::Csv)
        } else if has("gameid") && has("move") {
            Ok(Self::KaggleMoves)
        } else if has("gameid") {
            Ok(Self::KaggleGames)
        } else if word == "FORMAT" || lines.clone().any(|line| line.starts_with("START{")) {
            Ok(Self::PlayOk)
        } else if lines.any(|line| line.starts_with('[')) {
            Ok(Self::Pgn)
        } else {
            Err(first.chars().take(40).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_told_by_its_beginning() {
        let content = |text: &str| Content::detect(text.as_bytes());
        assert_eq!(content(" \r\n"), Ok(Content::Nothing));
        assert_eq!(content("id,source,moves\n"), Ok(Content::Csv));
        assert_eq!(content("gameID,turn,side,move\n"), Ok(Content::KaggleMoves));
        assert_eq!(content("gameID,game_datetime,blackID,winner\n"), Ok(Content::KaggleGames));
        assert_eq!(content("\u{feff}[Game \"Chinese Chess\"]"), Ok(Content::Pgn));
        assert_eq!(content("; exported\n[Event \"?\"]"), Ok(Content::Pgn));
        assert_eq!(content("FORMAT  WXF\n"), Ok(Content::PlayOk));
        assert_eq!(content("RED a;1;;\nSTART{\n"), Ok(Content::PlayOk));
        assert_eq!(content("\nhello there"), Err("hello there".to_owned()));
    }

    #[test]
    fn every_format_reads_back_from_its_name() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("xqf".parse::<Format>().is_err());
    }
}
