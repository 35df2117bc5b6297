//! Ranges of whole numbers as the command line writes them.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use thiserror::Error;

/// How wide a range of ratings is that is named by its lower end.
const WIDTH: u16 = 100;

/// Numbers from one to another, the last left out: `10..60`. Either end may be left open, and a
/// number alone is that and the 99 above it, as bands of ratings are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    from: u16,
    /// The number after the last.
    to: Option<u16>,
}

/// A text that names no range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted a range such as 1200..1500, 1200.., ..1500, or 1200 for 1200..1300")]
pub struct ParseSpanError {
    got: String,
}

impl Span {
    /// The first number.
    pub fn from(self) -> u16 {
        self.from
    }

    /// The number after the last, where there is one.
    pub fn to(self) -> Option<u16> {
        self.to
    }

    /// The same range with its last number in it.
    pub fn inclusive(self) -> RangeInclusive<u16> {
        self.from..=self.to.map_or(u16::MAX, |to| to - 1)
    }
}

impl FromStr for Span {
    type Err = ParseSpanError;

    fn from_str(text: &str) -> Result<Self, ParseSpanError> {
        let end = |text: &str| match text {
            "" => Some(None),
            _ => text.parse().ok().map(Some),
        };
        let parse = || {
            let (from, to): (u16, Option<u16>) = match text.split_once("..") {
                Some((from, to)) => (end(from)?.unwrap_or(0), end(to)?),
                None => {
                    let from: u16 = text.parse().ok()?;
                    (from, Some(from.checked_add(WIDTH)?))
                }
            };
            to.is_none_or(|to| from < to).then_some(Self { from, to })
        };
        parse().ok_or_else(|| ParseSpanError { got: text.to_owned() })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(f, "{}..{to}", self.from),
            None => write!(f, "{}..", self.from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_with_open_ends_and_as_bands() {
        for (text, from, to) in [
            ("1200..1500", 1200, Some(1500)),
            ("1200..", 1200, None),
            ("..1500", 0, Some(1500)),
            ("1200", 1200, Some(1300)),
        ] {
            assert_eq!(text.parse(), Ok(Span { from, to }), "{text}");
        }
        assert_eq!("1200".parse::<Span>().unwrap().inclusive(), 1200..=1299);
        for text in ["", "x", "5..5", "9..3", "-1..3", "65500", "1..2..3"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
