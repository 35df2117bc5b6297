//! How far a person looks ahead.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Seen;

/// A rule for which positions are looked beyond.
///
/// `min1max4` reads: every move is looked at one ply deep, and only positions that are not
/// quiescent are looked beyond, to four plies at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// One ply.
    Min1Max1,
    /// One ply, and a second where the position is not quiescent.
    Min1Max2,
    /// As [`Min1Max2`](Self::Min1Max2), to three plies.
    Min1Max3,
    /// As [`Min1Max2`](Self::Min1Max2), to four plies.
    Min1Max4,
    /// Two plies everywhere.
    Min2Max2,
    /// Four plies, but after the first reply only forcing moves are looked beyond: captures,
    /// promotions, checks and evasions. Far cheaper than [`Min1Max4`](Self::Min1Max4); not in
    /// the thesis.
    Forcing4,
}

/// Where a look-ahead ends, in plies from the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Horizon {
    /// Positions nearer to the root than this are always looked beyond; at least one.
    pub full: u32,
    /// Positions this far from the root never are; at least `full`.
    pub limit: u32,
    /// Whether between the two, from the second ply on, only forcing moves are looked beyond.
    pub forcing_only: bool,
}

impl Strategy {
    /// All strategies, the thesis' five first.
    pub const ALL: [Self; 6] = [
        Self::Min1Max1,
        Self::Min1Max2,
        Self::Min1Max3,
        Self::Min1Max4,
        Self::Min2Max2,
        Self::Forcing4,
    ];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min1Max1 => "min1max1",
            Self::Min1Max2 => "min1max2",
            Self::Min1Max3 => "min1max3",
            Self::Min1Max4 => "min1max4",
            Self::Min2Max2 => "min2max2",
            Self::Forcing4 => "forcing4",
        }
    }

    /// How far it looks.
    pub fn horizon(self) -> Horizon {
        let (full, limit) = match self {
            Self::Min1Max1 => (1, 1),
            Self::Min1Max2 => (1, 2),
            Self::Min1Max3 => (1, 3),
            Self::Min1Max4 | Self::Forcing4 => (1, 4),
            Self::Min2Max2 => (2, 2),
        };
        Horizon { full, limit, forcing_only: self == Self::Forcing4 }
    }

    /// The horizons that lead up to this strategy's, from one ply to its own.
    pub fn deepening(self) -> impl Iterator<Item = Horizon> {
        let horizon = self.horizon();
        (1..=horizon.limit).map(move |plies| horizon.within(plies))
    }
}

impl Horizon {
    /// The same horizon, drawn in to at most `plies`.
    fn within(self, plies: u32) -> Self {
        Self { full: self.full.min(plies), limit: self.limit.min(plies), ..self }
    }

    /// Whether a position seen like this, `ply` plies from the root, is looked beyond. It must not
    /// be the end of the game, and where it is not at the limit it must have been seen with a view
    /// to going farther.
    pub(super) fn goes_beyond(self, seen: &Seen, ply: u32) -> bool {
        let is_followed = !self.forcing_only || ply == 1 || seen.is_forcing;
        ply < self.limit && (ply < self.full || (is_followed && !seen.is_quiescent))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no strategy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted one of {}", Strategy::ALL.map(Strategy::name).join(", "))]
pub struct ParseStrategyError {
    /// The text that came.
    pub got: String,
}

impl FromStr for Strategy {
    type Err = ParseStrategyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|strategy| strategy.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ParseStrategyError { got: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_written_and_read_is_the_same_strategy() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        assert_eq!("Min2Max2".parse(), Ok(Strategy::Min2Max2));
    }

    #[test]
    fn an_unknown_name_is_answered_with_all_names() {
        let error = "min3max3".parse::<Strategy>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "got `min3max3`, wanted one of min1max1, min1max2, min1max3, min1max4, min2max2, \
             forcing4"
        );
    }

    #[test]
    fn a_strategy_deepens_from_one_ply_to_its_own_horizon() {
        let plies = |strategy: Strategy| {
            strategy.deepening().map(|horizon| (horizon.full, horizon.limit)).collect::<Vec<_>>()
        };
        assert_eq!(plies(Strategy::Min1Max3), [(1, 1), (1, 2), (1, 3)]);
        assert_eq!(plies(Strategy::Min2Max2), [(1, 1), (2, 2)]);
    }
}
