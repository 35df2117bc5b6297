//! Which moves of chess games count, as the command line says it.

use std::{fmt, str::FromStr};

use clap::ValueEnum;
use shakmaty::Color;
use thiserror::Error;

use super::span::Span;
use crate::chess::records::{Filter, Speed};

/// Flags for which moves of chess games count.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FilterArgs {
    /// Only the moves of this player, named as in the games, in any case
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Only the moves of this color
    #[arg(long)]
    pub color: Option<OneColor>,
    /// Only the moves of players with these ratings: 1200..1500, which ends before 1500, or 1200
    /// for 1200..1300
    #[arg(long, value_name = "FROM..TO")]
    pub rating: Option<Span>,
    /// Only games in which both players have these ratings
    #[arg(long, requires = "rating")]
    pub both: bool,
    /// Only games of these speeds: bullet, blitz, rapid, classical; several with commas between
    #[arg(long, value_name = "SPEED", value_delimiter = ',')]
    pub speed: Vec<Speed>,
    /// Only games that changed the players' ratings, and say so
    #[arg(long)]
    pub rated: bool,
    /// Only games with exactly this TimeControl, such as 300+3
    #[arg(long, value_name = "TEXT")]
    pub time_control: Option<String>,
    /// Only moves with so many plies before them: 10..60 leaves out the first ten, which are often
    /// played by heart, and all from the sixtieth on; 0.. takes all
    #[arg(long, value_name = "FROM..TO", default_value = "10..")]
    pub plies: Option<Span>,
    /// Only games of this day and later; 2024.02.29, or as much of it as matters
    #[arg(long, value_name = "DATE")]
    pub since: Option<Date>,
    /// Only games of this day and earlier; 2024.02 is all of that month
    #[arg(long, value_name = "DATE")]
    pub until: Option<Date>,
}

/// A color on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OneColor {
    /// Who moves first
    White,
    /// Who moves second
    Black,
}

impl From<OneColor> for Color {
    fn from(color: OneColor) -> Self {
        match color {
            OneColor::White => Self::White,
            OneColor::Black => Self::Black,
        }
    }
}

/// A day, a month or a year as PGN writes it: `2024.02.29`, `2024.02`, `2024`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Date(String);

/// A text that is no date.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted a date such as 2024.02.29, 2024.02 or 2024")]
pub struct ParseDateError {
    got: String,
}

impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let text = text.replace('-', ".");
        let lengths = [4, 2, 2];
        let parts: Vec<&str> = text.split('.').collect();
        let is_part = |(part, length): (&&str, usize)| {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        match parts.len() <= lengths.len() && parts.iter().zip(lengths).all(is_part) {
            true => Ok(Self(text)),
            false => Err(ParseDateError { got: text }),
        }
    }
}

impl FilterArgs {
    /// The filter that the flags make.
    pub fn filter(&self) -> Filter {
        Filter {
            player: self.player.clone(),
            color: self.color.map(Color::from),
            rating: self.rating.map(Span::inclusive),
            both_in_rating: self.both,
            speeds: self.speed.clone(),
            time_control: self.time_control.clone(),
            only_rated: self.rated,
            since: self.since.clone().map(|Date(text)| text),
            until: self.until.clone().map(|Date(text)| text),
            first_ply: self.plies.map_or(0, |plies| plies.from().into()),
            end_ply: self.plies.and_then(Span::to).map(usize::from),
        }
    }
}

/// The flags in words, for cards and reports; empty where everything counts.
impl fmt::Display for FilterArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        let mut say = |text: Option<String>| words.extend(text);
        say(self.player.as_ref().map(|name| format!("player {name}")));
        say(self.color.map(|color| format!("{color:?}").to_lowercase()));
        say(self.rating.map(|span| {
            let whom = if self.both { "both rated" } else { "rated" };
            format!("{whom} {span}")
        }));
        let speeds: Vec<&str> = self.speed.iter().map(|speed| speed.name()).collect();
        say((!speeds.is_empty()).then(|| speeds.join(" or ")));
        say(self.rated.then(|| "rated".to_owned()));
        say(self.time_control.as_ref().map(|text| format!("time control {text}")));
        let is_all = |span: &Span| span.from() == 0 && span.to().is_none();
        say(self.plies.filter(|span| !is_all(span)).map(|span| format!("plies {span}")));
        say(self.since.as_ref().map(|Date(text)| format!("since {text}")));
        say(self.until.as_ref().map(|Date(text)| format!("until {text}")));
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_a_filter_and_words() {
        let flags = FilterArgs {
            player: Some("Anna".to_owned()),
            color: Some(OneColor::Black),
            rating: Some("1500".parse().unwrap()),
            both: true,
            speed: vec![Speed::Blitz, Speed::Rapid],
            plies: Some("10..60".parse().unwrap()),
            since: Some("2024-02".parse().unwrap()),
            ..FilterArgs::default()
        };
        let filter = flags.filter();
        assert_eq!((filter.first_ply, filter.end_ply), (10, Some(60)));
        assert_eq!(filter.rating, Some(1500..=1599));
        assert_eq!(filter.since.as_deref(), Some("2024.02"));
        assert_eq!(
            flags.to_string(),
            "player Anna, black, both rated 1500..1600, blitz or rapid, plies 10..60, since 2024.02"
        );
        assert_eq!(FilterArgs::default().filter(), Filter::default());
        let all = FilterArgs { plies: Some("0..".parse().unwrap()), ..FilterArgs::default() };
        assert_eq!((all.filter(), all.to_string()), (Filter::default(), String::new()));
    }

    #[test]
    fn dates_may_be_as_short_as_a_year() {
        for text in ["2024", "2024.02", "2024.02.29", "2024-02-29"] {
            assert!(text.parse::<Date>().is_ok(), "{text}");
        }
        for text in ["", "24", "2024.2", "yesterday", "2024.02.29.1"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
