//! Ranges of ratings as the command line writes them.

use std::{fmt, ops::Range, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How wide a range is that is named by its lower end.
const WIDTH: u16 = 100;

/// The ratings whose moves are wanted: `1200` is 1200 to 1299, `1200..1500` ends before 1500, and
/// `all` is everybody, also those without a rating.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ratings(pub Option<Range<u16>>);

/// A text that names no range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted all, the lower end of a range such as 1200, or 1200..1500")]
pub struct ParseRatingsError {
    got: String,
}

impl FromStr for Ratings {
    type Err = ParseRatingsError;

    fn from_str(text: &str) -> Result<Self, ParseRatingsError> {
        let parse = || {
            if text == "all" {
                return Some(Self(None));
            }
            let range = match text.split_once("..") {
                Some((low, high)) => low.parse().ok()?..high.parse().ok()?,
                None => {
                    let low: u16 = text.parse().ok()?;
                    low..low.checked_add(WIDTH)?
                }
            };
            (!range.is_empty()).then_some(Self(Some(range)))
        };
        parse().ok_or_else(|| ParseRatingsError { got: text.to_owned() })
    }
}

impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("all"),
            Some(range) if range.end - range.start == WIDTH => write!(f, "{}", range.start),
            Some(range) => write!(f, "{}..{}", range.start, range.end),
        }
    }
}

impl TryFrom<String> for Ratings {
    type Error = ParseRatingsError;

    fn try_from(text: String) -> Result<Self, ParseRatingsError> {
        text.parse()
    }
}

impl From<Ratings> for String {
    fn from(ratings: Ratings) -> Self {
        ratings.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_back_from_what_is_written() {
        for (text, range) in
            [("all", None), ("1200", Some(1_200..1_300)), ("900..1500", Some(900..1_500))]
        {
            let ratings: Ratings = text.parse().unwrap();
            assert_eq!((ratings.0.clone(), ratings.to_string()), (range, text.to_owned()));
        }
        for text in ["", "1200..1200", "1300..1200", "65500", "-1", "everybody"] {
            assert!(text.parse::<Ratings>().is_err(), "{text}");
        }
    }
}
