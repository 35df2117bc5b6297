//! How a net is trained: numbers in range, the learning rate, the order of the windows.

use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{TrainingData, TrainingError, batch::targets};
use crate::xqsv::{Keep, NetworkError, Precision, Sample, Structure};

/// How to train a net.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// Decides the first parameters, the order of the samples and what is dropped.
    pub seed: u64,
    /// How often all samples are seen, at most.
    pub epochs: u32,
    /// After how many epochs without a better validation training stops; zero for never.
    pub patience: u32,
    /// How many windows are read at each step.
    pub batch: usize,
    /// How many moves are predicted in each window. One is the paper's way; with more, the first
    /// is predicted from m moves, each further one from one more, at little more cost.
    pub targets: usize,
    /// Whether half of the windows are mirrored left to right. The paper does not.
    pub mirror: bool,
    /// The highest learning rate.
    pub rate: f64,
    /// The share of the run in which the rate rises from zero; then it falls as a cosine does.
    pub warm_up: f64,
    /// Weight decay of all parameters, apart from FCR.
    pub decay: f64,
    /// The share of the loss that is over the legal moves alone; the rest is over all labels, which
    /// is the paper's way. Must be one where the network looks ahead.
    pub legal_share: f64,
    /// The share of the run, at its end, of which the parameters are averaged; zero for those of
    /// the last step. The paper does not say.
    pub average: f64,
    /// How many steps are made at most, whatever the epochs; none for as many as they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<u64>,
    /// In which precision products are formed.
    pub precision: Precision,
    /// The structure of the net.
    pub structure: Structure,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            seed: 1,
            epochs: 10,
            patience: 3,
            batch: 256,
            targets: 1,
            mirror: false,
            rate: 1e-3,
            warm_up: 0.05,
            decay: 0.01,
            legal_share: 0.0,
            average: 0.0,
            updates: None,
            precision: Precision::Bfloat,
            structure: Structure::default(),
        }
    }
}

impl Plan {
    /// Whether the numbers are in range.
    ///
    /// # Errors
    /// With the first that is not.
    pub fn check(&self) -> Result<(), TrainingError> {
        let wrong = |name, got, wanted| Err(TrainingError::Plan { name, got, wanted });
        self.structure.check().map_err(NetworkError::from)?;
        if self.batch < 2 {
            return wrong("batch", self.batch as f64, "two windows or more");
        }
        if self.targets == 0 {
            return wrong("targets", 0.0, "one move or more");
        }
        if self.targets > 1 && self.structure.recurrence.is_backward() {
            let wanted = "one move where the window is read from its end";
            return wrong("targets", self.targets as f64, wanted);
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            return wrong("rate", self.rate, "a number above 0, at most 1");
        }
        if !(0.0..=1.0).contains(&self.warm_up) {
            return wrong("warm_up", self.warm_up, "a share between 0 and 1");
        }
        let shares =
            [("decay", self.decay), ("legal_share", self.legal_share), ("average", self.average)];
        for (name, got) in shares {
            if !(0.0..=1.0).contains(&got) {
                return wrong(name, got, "a number between 0 and 1");
            }
        }
        if self.structure.ahead && self.legal_share != 1.0 {
            let wanted = "1 with LAH=yes, which tells of legal moves alone";
            return wrong("legal_share", self.legal_share, wanted);
        }
        if self.updates == Some(0) {
            return wrong("updates", 0.0, "one step or more");
        }
        Ok(())
    }

    /// What the games to learn from must keep.
    pub fn needs(&self) -> Keep {
        Keep { legal: self.legal_share > 0.0, men: self.structure.sees_board() }
    }

    /// The learning rate when a share of the run, zero to one, is done.
    pub(super) fn rate_at(&self, done: f64) -> f64 {
        if done < self.warm_up {
            return self.rate * done / self.warm_up;
        }
        let fallen = (done - self.warm_up) / (1.0 - self.warm_up).max(f64::EPSILON);
        self.rate * 0.5 * (1.0 + (std::f64::consts::PI * fallen.min(1.0)).cos())
    }

    /// How many steps an epoch over these games has.
    pub fn steps_of_an_epoch(&self, data: &TrainingData) -> usize {
        (self.windows(data, 0).len() / self.batch).max(1)
    }

    /// The order of an epoch's windows, each named by the last ply that is predicted in it.
    pub(super) fn windows(&self, data: &TrainingData, epoch: u32) -> Vec<Sample> {
        let mut rng = self.rng(u64::from(epoch) | 1 << 63);
        let mut windows = Vec::new();
        if self.targets == 1 {
            windows = data.train.select(data.selection);
        } else {
            for game in 0..data.train.games() as u32 {
                let plies = data.train.game(game).len();
                if plies == 0 {
                    continue;
                }
                // Windows of one game follow each other, beginning anywhere; one that holds the
                // whole game ends with it.
                let first = rng.random_range(0..self.targets);
                let mut last = if plies <= self.targets { plies - 1 } else { first };
                while last + 1 < plies + self.targets {
                    let sample = Sample { game, ply: last as u32 };
                    if targets(self, data, sample).any(|(_, wanted)| wanted) {
                        windows.push(sample);
                    }
                    last += self.targets;
                }
            }
        }
        windows.shuffle(&mut rng);
        windows
    }

    pub(super) fn rng(&self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(stream);
        rng
    }
}
