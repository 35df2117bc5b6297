//! Which games count, and which moves of them.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use shakmaty::{ByColor, Color};
use thiserror::Error;

/// Which games count, and which moves of them. The default lets everything count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Only moves of the player of this name, without regard to case.
    pub player: Option<String>,
    /// Only moves of this color.
    pub color: Option<Color>,
    /// Only moves of players with a rating in this range.
    pub rating: Option<RangeInclusive<u16>>,
    /// Only games in which both ratings are in the range.
    pub both_in_rating: bool,
    /// Only games of these speeds; of any where there are none.
    pub speeds: Vec<Speed>,
    /// Only games with exactly this `TimeControl`, such as `300+3`.
    pub time_control: Option<String>,
    /// Only games that changed the players' ratings, as far as their records tell: those that do
    /// not tell are left out.
    pub only_rated: bool,
    /// Only games on or after this day, written `2024.02.01`, or as much of it as matters.
    pub since: Option<String>,
    /// Only games on or before this day, written likewise.
    pub until: Option<String>,
    /// Only moves with at least this many plies before them.
    pub first_ply: usize,
    /// Only moves with fewer plies than this before them.
    pub end_ply: Option<usize>,
}

/// How fast a game is, by the time that one player is likely to have for forty moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Speed {
    /// Less than three minutes.
    Bullet,
    /// Less than eight minutes.
    Blitz,
    /// Less than twenty-five minutes.
    Rapid,
    /// More, or without a clock.
    Classical,
}

impl Speed {
    /// All speeds, from fast to slow.
    pub const ALL: [Self; 4] = [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
        }
    }

    /// The speed of a PGN `TimeControl`: `300+3`, `600`, or `-` for none.
    pub fn of_time_control(text: &str) -> Option<Self> {
        if text == "-" {
            return Some(Self::Classical);
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = base
            .parse::<u32>()
            .ok()?
            .saturating_add(increment.parse::<u32>().ok()?.saturating_mul(40));
        Some(match seconds {
            0..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1500 => Self::Rapid,
            _ => Self::Classical,
        })
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no speed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted one of {}", Speed::ALL.map(Speed::name).join(", "))]
pub struct ParseSpeedError {
    /// The text that came.
    pub got: String,
}

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|speed| speed.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseSpeedError { got: text.to_owned() })
    }
}

/// The tags of a game that a filter looks at.
#[derive(Debug, Clone, Default)]
pub(super) struct Tags {
    pub names: ByColor<String>,
    pub ratings: ByColor<Option<u16>>,
    pub time_control: String,
    /// What the record says of it, whatever the time control.
    pub speed: Option<Speed>,
    pub is_rated: Option<bool>,
    pub date: String,
    pub fen: Option<String>,
    pub variant: Option<String>,
}

impl Filter {
    /// Whose moves of a game count.
    pub(super) fn colors(&self, tags: &Tags) -> ByColor<bool> {
        if !self.admits(tags) {
            return ByColor::default();
        }
        ByColor::new_with(|color| {
            self.color.is_none_or(|only| only == color)
                && self.has_name(tags, color)
                && self.has_rating(tags, color)
                && (!self.both_in_rating || self.has_rating(tags, !color))
        })
    }

    /// Whether a game is one in which moves of either side may count.
    fn admits(&self, tags: &Tags) -> bool {
        let speed = || tags.speed.or_else(|| Speed::of_time_control(&tags.time_control));
        let has_begun = |since: &String| tags.date.as_str() >= since.as_str();
        // `2024.02` as the last day means all of that month
        let has_not_ended =
            |until: &String| tags.date.get(..until.len()).unwrap_or(&tags.date) <= until.as_str();
        (self.speeds.is_empty() || speed().is_some_and(|speed| self.speeds.contains(&speed)))
            && self.time_control.as_ref().is_none_or(|only| *only == tags.time_control)
            && (!self.only_rated || tags.is_rated == Some(true))
            && self.since.as_ref().is_none_or(has_begun)
            && self.until.as_ref().is_none_or(has_not_ended)
    }

    /// Whether the player of this color is the one asked for.
    pub(super) fn has_name(&self, tags: &Tags, color: Color) -> bool {
        let name = tags.names.get(color);
        self.player.as_ref().is_none_or(|only| name.to_lowercase() == only.to_lowercase())
    }

    fn has_rating(&self, tags: &Tags, color: Color) -> bool {
        self.rating.as_ref().is_none_or(|range| {
            tags.ratings.get(color).is_some_and(|rating| range.contains(&rating))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> Tags {
        Tags {
            names: ByColor { white: "Anna".to_owned(), black: "Bert".to_owned() },
            ratings: ByColor { white: Some(1500), black: Some(1620) },
            time_control: "300+3".to_owned(),
            date: "2024.02.29".to_owned(),
            ..Tags::default()
        }
    }

    fn counts(filter: Filter) -> (bool, bool) {
        let colors = filter.colors(&tags());
        (colors.white, colors.black)
    }

    #[test]
    fn everything_counts_where_nothing_is_asked_for() {
        assert_eq!(counts(Filter::default()), (true, true));
    }

    #[test]
    fn moves_count_by_who_made_them() {
        let player = Some("ANNA".to_owned());
        assert_eq!(counts(Filter { player: player.clone(), ..Filter::default() }), (true, false));
        let color = Some(Color::Black);
        assert_eq!(counts(Filter { color, ..Filter::default() }), (false, true));
        assert_eq!(counts(Filter { player, color, ..Filter::default() }), (false, false));
        let rating = Some(1500..=1599);
        assert_eq!(counts(Filter { rating: rating.clone(), ..Filter::default() }), (true, false));
        let both = Filter { rating, both_in_rating: true, ..Filter::default() };
        assert_eq!(counts(both), (false, false));
    }

    #[test]
    fn a_game_that_does_not_say_that_it_is_rated_is_not() {
        let filter = Filter { only_rated: true, ..Filter::default() };
        for (is_rated, counts) in [(None, false), (Some(false), false), (Some(true), true)] {
            let tags = Tags { is_rated, ..tags() };
            assert_eq!(filter.colors(&tags), ByColor { white: counts, black: counts });
        }
    }

    #[test]
    fn games_count_by_when_and_how_fast_they_were_played() {
        let with = |since: Option<&str>, until: Option<&str>, speeds: &[Speed]| {
            counts(Filter {
                since: since.map(str::to_owned),
                until: until.map(str::to_owned),
                speeds: speeds.to_vec(),
                ..Filter::default()
            })
            .0
        };
        assert!(with(Some("2024.02"), Some("2024.02"), &[Speed::Blitz, Speed::Rapid]));
        assert!(!with(Some("2024.03"), None, &[]));
        assert!(!with(None, Some("2024.02.28"), &[]));
        assert!(!with(None, None, &[Speed::Rapid]));
    }

    #[test]
    fn a_time_control_has_a_speed() {
        for (text, speed) in [
            ("60+0", Some(Speed::Bullet)),
            ("180", Some(Speed::Blitz)),
            ("300+5", Some(Speed::Rapid)),
            ("1800+0", Some(Speed::Classical)),
            ("-", Some(Speed::Classical)),
            ("?", None),
        ] {
            assert_eq!(Speed::of_time_control(text), speed, "{text}");
        }
        assert!("hyper".parse::<Speed>().unwrap_err().to_string().contains("wanted one of bullet"));
    }
}
