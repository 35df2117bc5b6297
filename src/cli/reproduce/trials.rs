//! Trials that are finished, kept in a file, so that a run that was interrupted goes on.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::Path,
};

use anyhow::Context;
use serde::{Deserialize, Serialize};

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
pub struct Trial {
    #[serde(flatten)]
    setup: Setup,
    /// The strategy that played.
    pub played: Strategy,
    /// The number of the trial among those of the strategy.
    pub number: u32,
    /// The strategy that it was taken for.
    pub found: Strategy,
}

/// The trials of one setup, with the file to which new ones are added if there is one.
#[derive(Debug)]
pub struct Trials {
    setup: Setup,
    file: Option<File>,
    finished: Vec<Trial>,
}

impl Trials {
    /// The trials of this setup that the file holds. Lines of other setups and lines that were
    /// left half-written are passed over; they stay in the file.
    ///
    /// # Errors
    /// When the file cannot be read, or not be written.
    pub fn open(path: Option<&Path>, setup: Setup) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self { setup, file: None, finished: Vec::new() });
        };
        let context = || {
            format!(
                "cannot keep trials in {}, wanted a file in a folder that can be written to",
                path.display()
            )
        };
        let open = || OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = open().with_context(context)?;
        let mut finished: Vec<Trial> = Vec::new();
        let mut is_ended = true;
        for line in BufReader::new(&file).split(b'\n') {
            let line = line.with_context(context)?;
            let Ok(trial) = serde_json::from_slice::<Trial>(&line) else {
                is_ended = false;
                continue;
            };
            is_ended = true;
            if trial.setup == setup {
                finished.push(trial);
            }
        }
        if !is_ended {
            // what comes next must not be joined to half a line
            writeln!(file).with_context(context)?;
        }
        Ok(Self { setup, file: Some(file), finished })
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
        if let Some(file) = &mut self.file {
            // in one piece, so that an interruption leaves whole lines
            let line = serde_json::to_string(&trial)? + "\n";
            file.write_all(line.as_bytes()).context("writing down a finished trial")?;
        }
        self.finished.push(trial);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    #[test]
    fn half_a_line_is_passed_over_and_nothing_joined_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        fs::write(&path, "{\"row\":\"strategy-kn").unwrap();
        let mut trials = Trials::open(Some(&path), setup(1)).unwrap();
        trials.add(Strategy::Min1Max1, 0, Strategy::Min1Max1).unwrap();
        let again = Trials::open(Some(&path), setup(1)).unwrap();
        assert_eq!(again.found(Strategy::Min1Max1, 0), Some(Strategy::Min1Max1));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Trials::open(Some(folder.path()), setup(1)).unwrap_err();
        assert!(format!("{error:#}").contains(&folder.path().display().to_string()), "{error:#}");
    }
}
