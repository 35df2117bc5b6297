//! The time that a trial may take.

use std::{ops::ControlFlow, path::PathBuf, time::Instant};

use serde::{Deserialize, Serialize};

use super::Trial;
use crate::xqsv::{
    CheckpointError, Report,
    checkpoint::{read_toml, write_toml},
};

const SPENT: &str = "spent.toml";

/// How much of a trial's time is spent, kept with the trial from one start to the next.
pub struct Clock {
    file: PathBuf,
    minutes: Option<f64>,
    /// Minutes spent before this start.
    before: f64,
    started: Instant,
    /// Whether the time was over.
    pub is_over: bool,
}

/// The file of a clock.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spent {
    minutes: f64,
}

impl Clock {
    pub fn of(trial: &Trial, minutes: Option<f64>) -> Result<Self, CheckpointError> {
        let file = trial.folder.join(SPENT);
        let before = read_toml::<Spent>(&file)?.unwrap_or_default().minutes;
        Ok(Self { file, minutes, before, started: Instant::now(), is_over: false })
    }

    fn spent(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64() / 60.0
    }

    /// Breaks when the time is over and one epoch at least was made.
    pub fn look(&mut self, said: &Report) -> ControlFlow<()> {
        let has_epoch = match said {
            Report::Step { epoch, .. } => *epoch > 0,
            Report::Epoch(_) => true,
        };
        self.is_over = has_epoch && self.minutes.is_some_and(|minutes| self.spent() >= minutes);
        if let Report::Epoch(_) = said
            && let Err(error) = self.keep()
        {
            log::warn!("{error}");
        }
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn keep(&self) -> Result<(), CheckpointError> {
        match self.minutes {
            None => Ok(()),
            Some(_) => write_toml(&self.file, &Spent { minutes: self.spent() }),
        }
    }
}
