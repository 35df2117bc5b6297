//! What a record says about a game beside its moves.

use crate::{
    game::{Outcome, Side},
    xiangqi::ByColor,
};

/// What a record says about a game beside its moves. Names of players are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// What the game is called; the same wherever it is read. Where a format has no names for
    /// games, a hash of the moves, so that a game that stands in two files keeps one name.
    pub id: String,
    /// Where the game was played: a site or an event. Empty where unknown.
    pub source: String,
    /// When, beginning with the year: `1996`, `2017-02-10`, `2026-09-03 16:20:58`. Empty where
    /// unknown.
    pub date: String,
    /// The players' Elo, on the scale of the source.
    pub elo: ByColor<Option<u16>>,
    /// How the game ended; [`Side::First`] is Red. `None` where unknown.
    pub outcome: Option<Outcome>,
}

/// Reads a result in any of the forms that records use. The outer `None` means that it is none
/// of them, the inner one that the outcome is unknown.
pub(super) fn parse_outcome(text: &str) -> Option<Option<Outcome>> {
    let text = text.trim();
    match text {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" => {
            Some(Some(Outcome::Won(Side::First)))
        }
        "0-1" | "黑胜" | "黑勝" | "红先负" | "紅先負" => {
            Some(Some(Outcome::Won(Side::Second)))
        }
        "1/2-1/2" | "0.5-0.5" | "½-½" | "和" | "和棋" | "红先和" | "紅先和" => {
            Some(Some(Outcome::Drawn))
        }
        "" | "*" | "?" => Some(None),
        _ => match text.to_ascii_lowercase().as_str() {
            "red" => Some(Some(Outcome::Won(Side::First))),
            "black" => Some(Some(Outcome::Won(Side::Second))),
            "draw" | "tie" => Some(Some(Outcome::Drawn)),
            "unknown" => Some(None),
            _ => None,
        },
    }
}

/// A result as PGN and our CSV write it.
pub(super) const fn outcome_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Won(Side::First)) => "1-0",
        Some(Outcome::Won(Side::Second)) => "0-1",
        Some(Outcome::Drawn) => "1/2-1/2",
        None => "*",
    }
}

/// Reads an Elo: a number above 0. `None` for everything else, such as `?`, `-` and 0, which
/// records write where it is unknown.
pub(super) fn parse_elo(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&elo| elo > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_reads_back() {
        let won = [Side::First, Side::Second].map(|side| Some(Outcome::Won(side)));
        for outcome in [won[0], won[1], Some(Outcome::Drawn), None] {
            assert_eq!(parse_outcome(outcome_text(outcome)), Some(outcome));
        }
        assert_eq!(parse_outcome("0.5-0.5"), Some(Some(Outcome::Drawn)));
        assert_eq!(parse_outcome("2-0"), None);
    }

    #[test]
    fn an_elo_that_is_no_number_is_unknown() {
        assert_eq!(parse_elo(" 1137 "), Some(1137));
        for text in ["", "?", "0", "-1", "1e3", "99999"] {
            assert_eq!(parse_elo(text), None, "{text}");
        }
    }
}
