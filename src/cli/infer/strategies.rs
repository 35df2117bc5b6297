//! Which strategies are wanted, and how many moves they can be compared on.

use std::str::FromStr;

use crate::attributes::{ParseStrategyError, Strategy};

/// A strategy, or all, on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All strategies.
    All,
    /// This one.
    One(Strategy),
}

impl FromStr for Wanted {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        match text.trim() {
            "all" => Ok(Self::All),
            text => Ok(Self::One(text.parse()?)),
        }
    }
}

/// A text that names no strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}, or all")]
pub struct Unknown(#[from] ParseStrategyError);

/// The strategies named, each once, cheap ones first.
pub fn wanted(named: &[Wanted]) -> Vec<Strategy> {
    let is_named = |strategy: &Strategy| {
        named.iter().any(|wanted| [Wanted::All, Wanted::One(*strategy)].contains(wanted))
    };
    let mut strategies: Vec<_> = Strategy::ALL.into_iter().filter(is_named).collect();
    strategies.sort_by_key(|&strategy| std::cmp::Reverse(moves(strategy)));
    strategies
}

/// How many moves all of these look ahead from in some minutes and some GiB.
pub fn affordable(strategies: &[Strategy]) -> usize {
    strategies.iter().copied().map(moves).min().unwrap_or(0)
}

fn moves(strategy: Strategy) -> usize {
    match strategy {
        Strategy::Min1Max1 | Strategy::Min1Max2 | Strategy::Min2Max2 => 20_000,
        Strategy::Forcing4 => 5_000,
        Strategy::Min1Max3 => 5_000,
        Strategy::Min1Max4 => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_named_one_by_one_or_all() {
        let one = |text: &str| text.parse::<Wanted>();
        assert_eq!(wanted(&[one("all").unwrap()]).len(), Strategy::ALL.len());
        let named = [one("min1max3").unwrap(), one("min1max1").unwrap(), one("min1max3").unwrap()];
        assert_eq!(wanted(&named), [Strategy::Min1Max1, Strategy::Min1Max3]);
        assert_eq!(affordable(&wanted(&named)), 5_000);
        let error = one("min9max9").unwrap_err().to_string();
        assert!(error.ends_with("forcing4, or all"), "{error}");
    }
}
