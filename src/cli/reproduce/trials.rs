//! Trials that are finished.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::journal::Journal;
use crate::attributes::Strategy;

/// What trials have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The row of the table that they are of.
    pub row: String,
    /// What chance goes by.
    pub seed: u64,
    /// After how many plies games are broken off.
    pub plies: usize,
    /// The strategies that there were to choose from, in the order of the table.
    pub choices: Vec<Strategy>,
}

/// A finished trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Trial {
    #[serde(flatten)]
    setup: Setup,
    /// The strategy that played.
    played: Strategy,
    /// The number of the trial among those of the strategy.
    number: u32,
    /// The strategy that it was taken for.
    found: Strategy,
}

/// The trials of one setup.
#[derive(Debug)]
pub struct Trials {
    setup: Setup,
    journal: Journal,
    finished: Vec<Trial>,
}

impl Trials {
    /// The trials of this setup that a file holds, if one is named.
    ///
    /// # Errors
    /// When the file cannot be read, or not be written.
    pub fn open(path: Option<&Path>, setup: Setup) -> anyhow::Result<Self> {
        let (journal, mut finished) = Journal::open::<Trial>(path)?;
        finished.retain(|trial| trial.setup == setup);
        Ok(Self { setup, journal, finished })
    }

    /// What a trial found, if it is finished.
    pub fn found(&self, played: Strategy, number: u32) -> Option<Strategy> {
        let is_it = |trial: &&Trial| trial.played == played && trial.number == number;
        self.finished.iter().find(is_it).map(|trial| trial.found)
    }

    /// Adds a finished trial, to the file as well.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, played: Strategy, number: u32, found: Strategy) -> anyhow::Result<()> {
        let trial = Trial { setup: self.setup.clone(), played, number, found };
        self.journal.add(&trial)?;
        self.finished.push(trial);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(seed: u64) -> Setup {
        let choices = vec![Strategy::Min1Max1, Strategy::Min2Max2];
        Setup { row: "strategy-known".to_owned(), seed, plies: 40, choices }
    }

    #[test]
    fn trials_of_the_same_setup_are_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut trials = Trials::open(Some(&path), setup(1)).unwrap();
        trials.add(Strategy::Min1Max1, 3, Strategy::Min2Max2).unwrap();
        drop(trials);
        let again = Trials::open(Some(&path), setup(1)).unwrap();
        assert_eq!(again.found(Strategy::Min1Max1, 3), Some(Strategy::Min2Max2));
        assert_eq!(again.found(Strategy::Min1Max1, 4), None);
        assert_eq!(again.found(Strategy::Min2Max2, 3), None);
        let other = Trials::open(Some(&path), setup(2)).unwrap();
        assert_eq!(other.found(Strategy::Min1Max1, 3), None);
    }
}
