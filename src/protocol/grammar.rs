//! What both dialects spell alike: words, numbers, positions, and remarks on one line.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use std::time::Duration;

use super::command::{Command, CommandError};
use crate::player::{Convention, Setup, abridged};

/// The words of a line, first to last. A clone goes on from where the original stands.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// What has not been read yet, as written but for the space around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.trim_matches(is_separator)
    }

    /// The next word, in lower case, without reading it.
    pub(super) fn peek(&self) -> Option<String> {
        self.clone().next().map(str::to_ascii_lowercase)
    }

    /// Reads words up to the first that `is_end` accepts, which is not read.
    pub(super) fn until(&mut self, is_end: impl Fn(&str) -> bool) -> Vec<String> {
        let mut words = Vec::new();
        while let Some(word) = self.clone().next()
            && !is_end(&word.to_ascii_lowercase())
        {
            words.push(word.to_owned());
            self.next();
        }
        words
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_separator);
        let (word, rest) = match rest.find(is_separator) {
            Some(end) => rest.split_at(end),
            None => (rest, ""),
        };
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Besides white space: what terminals, pipes and other encodings leave between words.
fn is_separator(c: char) -> bool {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    c.is_whitespace() || c.is_control() || c == BYTE_ORDER_MARK
}

/// Finds the first word that is a command and reads the line from there, as both specifications
/// want it: what stands before it is passed over.
pub(super) fn first_command(
    line: &str,
    wanted: &'static str,
    read: impl Fn(&str, Words<'_>) -> Option<Result<Command, CommandError>>,
) -> Result<Command, CommandError> {
    let mut words = Words::new(line);
    let mut is_empty = true;
    while let Some(word) = words.next() {
        is_empty = false;
        if let Some(result) = read(&word.to_ascii_lowercase(), words.clone()) {
            return result;
        }
    }
    if is_empty {
        Ok(Command::Nothing)
    } else {
        Err(CommandError::Unknown { got: abridged(Words::new(line).rest()), wanted })
    }
}

/// Reads a position: `startpos` or `fen …`, which is the `first` word, and the moves after it.
pub(super) fn setup(
    first: Option<&str>,
    mut words: Words<'_>,
    convention: Convention,
) -> Result<Setup, CommandError> {
    const WANTED: &str = "`startpos` or `fen` and a position";
    let is_moves = |word: &str| word == "moves";
    let fen = match first {
        None => return Err(CommandError::Missing { after: "position", wanted: WANTED }),
        Some(word) if word.eq_ignore_ascii_case("startpos") => None,
        Some(word) if word.eq_ignore_ascii_case("fen") => {
            let fields = words.until(is_moves);
            if fields.is_empty() {
                return Err(CommandError::Missing { after: "fen", wanted: "a position" });
            }
            Some(fields.join(" "))
        }
        Some(word) => return Err(unexpected("position", word, WANTED)),
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some(word) if is_moves(&word.to_ascii_lowercase()) => words.map(str::to_owned).collect(),
        Some(word) => return Err(unexpected("startpos", word, "`moves` or the end of the line")),
    };
    Ok(Setup { convention, fen, moves })
}

/// The error that `after` is followed by `got`.
pub(super) fn unexpected(after: &str, got: &str, wanted: &'static str) -> CommandError {
    CommandError::Unexpected { after: abridged(after), got: abridged(got), wanted }
}

/// Reads the word after `after` as `read` does.
///
/// A word that cannot be read is passed over, unless it is a word that may follow on its own.
pub(super) fn value<T>(
    words: &mut Words<'_>,
    after: &'static str,
    wanted: &'static str,
    is_keyword: impl Fn(&str) -> bool,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, CommandError> {
    let mut ahead = words.clone();
    let Some(word) = ahead.next() else {
        return Err(CommandError::Missing { after, wanted });
    };
    let value = read(word);
    if value.is_some() || !is_keyword(&word.to_ascii_lowercase()) {
        *words = ahead;
    }
    value.ok_or_else(|| unexpected(after, word, wanted))
}

/// A count that cannot be negative; what is too large for us is as good as the largest.
pub(super) fn count(word: &str) -> Option<u32> {
    let count: i64 = word.parse().ok()?;
    (count >= 0).then(|| u32::try_from(count).unwrap_or(u32::MAX))
}

/// What [`count`] reads, in words.
pub(super) const COUNT: &str = "a whole number from 0";

/// Milliseconds. A clock that has run below zero is at zero.
pub(super) fn milliseconds(word: &str) -> Option<Duration> {
    let time: i64 = word.parse().ok()?;
    Some(Duration::from_millis(u64::try_from(time).unwrap_or(0)))
}

/// What [`milliseconds`] reads, in words.
pub(super) const MILLISECONDS: &str = "a whole number of milliseconds";

/// Yes or no.
pub(super) fn boolean(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Some(true),
        "false" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// A remark as one line that every user interface has room for.
pub(super) fn remark(text: &str) -> String {
    // adapters read lines into buffers of a kilobyte
    const LONGEST: usize = 400;
    text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_by_whatever_is_no_letter() {
        let words: Vec<_> = Words::new("\u{feff} go\tdepth\0 3  \r").collect();
        assert_eq!(words, ["go", "depth", "3"]);
    }

    #[test]
    fn the_rest_is_kept_as_written() {
        let mut words = Words::new(" value  My  Nets \r");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "My  Nets");
    }

    #[test]
    fn a_value_that_is_a_keyword_is_left_for_itself() {
        let mut words = Words::new("btime 100");
        let is_keyword = |word: &str| word == "btime";
        let got = value(&mut words, "wtime", MILLISECONDS, is_keyword, milliseconds);
        assert_eq!(
            got.unwrap_err().to_string(),
            "`wtime` got `btime`, wanted a whole number of milliseconds"
        );
        assert_eq!(words.next(), Some("btime"));
    }

    #[test]
    fn numbers_beyond_reason_are_bounded_or_refused() {
        assert_eq!(count("9999999999"), Some(u32::MAX));
        assert_eq!(count("-1"), None);
        assert_eq!(milliseconds("-50"), Some(Duration::ZERO));
        assert_eq!(milliseconds("99999999999999999999"), None);
    }

    #[test]
    fn a_remark_is_one_line() {
        assert_eq!(remark("a\nb\0c"), "a b c");
        assert_eq!(remark(&"x".repeat(1_000)).len(), 400);
    }
}
