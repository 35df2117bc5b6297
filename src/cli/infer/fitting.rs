//! Fitting strategies to moves, with a bar that shows how far it has come.

use std::time::Duration;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};

use super::splitting::Split;
use crate::{
    attributes::{
        Positioned, Strategy, Weights,
        inference::{Fit, Observed, Sample, Settings, infer},
    },
    chess::{Game, Phase},
    evaluation::Metrics,
};

/// Moves that are looked ahead from between two looks at the memory that they take.
const PIECE: usize = 128;
const GIB: f64 = (1u64 << 30) as f64;

/// What was inferred under one strategy.
#[derive(Debug, Clone)]
pub struct Inferred {
    /// The weights, and how long the message is.
    pub fit: Fit,
    /// How well they predict the moves held out, if any are.
    pub held_out: Option<Metrics>,
}

/// Moves to fit strategies to.
pub struct Fitting<'a> {
    split: &'a Split,
    settings: Settings,
    memory_gib: f64,
    /// The shortest message so far, with its look-aheads.
    best: Option<(f64, Sample)>,
}

impl<'a> Fitting<'a> {
    /// Nothing fitted yet.
    pub fn new(split: &'a Split, settings: Settings, memory_gib: f64) -> Self {
        Self { split, settings, memory_gib, best: None }
    }

    /// Infers the weights under a strategy and predicts the moves held out.
    ///
    /// # Errors
    /// When the look-aheads need more memory than allowed.
    pub fn infer(&mut self, strategy: Strategy) -> anyhow::Result<Inferred> {
        let Split { inferred, held_out } = self.split;
        let bar = ProgressBar::new((inferred.observed.len() + held_out.observed.len()) as u64)
            .with_style(
                ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")
                    .expect("the template is a constant that is shown by hand"),
            );
        bar.set_message(format!("{strategy}: looking ahead"));
        let sample = self.look_ahead(strategy, &inferred.observed, &bar)?;
        let fit = with_spinner(format!("{strategy}: inferring weights"), || {
            infer(&sample, &self.settings)
        });
        let held_out = self.look_ahead(strategy, &held_out.observed, &bar)?;
        let held_out = held_out.tally(&fit.weights).metrics();
        bar.finish_and_clear();
        if self.best.as_ref().is_none_or(|(shortest, _)| fit.message_bits < *shortest) {
            self.best = Some((fit.message_bits, sample));
        }
        Ok(Inferred { fit, held_out })
    }

    /// The look-aheads of the strategy with the shortest message so far.
    pub fn best_sample(&self) -> Option<&Sample> {
        self.best.as_ref().map(|(_, sample)| sample)
    }

    /// Fits the strategy with the shortest message to each phase of the game alone. Phases without
    /// a move are left out.
    pub fn phases(&self) -> Vec<(Phase, Fit)> {
        let Some(sample) = self.best_sample() else {
            return Vec::new();
        };
        let phase_of = |observed: &Observed<Game>| Phase::of(observed.game.position());
        let phases: Vec<Phase> = self.split.inferred.observed.iter().map(phase_of).collect();
        let part = |phase| sample.part((0..phases.len()).filter(|&number| phases[number] == phase));
        with_spinner("inferring weights by phase".to_owned(), || {
            Phase::ALL
                .into_iter()
                .map(|phase| (phase, part(phase)))
                .filter(|(_, part)| !part.is_empty())
                .map(|(phase, part)| (phase, infer(&part, &self.settings)))
                .collect()
        })
    }

    /// What is to be said of a fit that is not to be relied on.
    pub fn advice(&self, inferred: &Inferred) -> Vec<String> {
        /// Errors larger than this share of what was believed before are mostly that belief.
        const OPEN: f64 = 0.3;
        let fit = &inferred.fit;
        let mut advice = Vec::new();
        if !fit.has_converged {
            advice.push(format!(
                "the likeliest weights under {} were not found exactly; more moves may help",
                fit.strategy
            ));
        }
        let deviations = self.settings.prior.deviations.to_array();
        let errors = fit.standard_errors.to_array();
        let open: Vec<&str> = (0..Weights::COUNT)
            .filter(|&i| self.settings.free[i] && errors[i] > OPEN * deviations[i])
            .map(|i| Weights::NAMES[i])
            .collect();
        if !open.is_empty() {
            advice.push(format!(
                "{} moves hardly tell what the player thinks of {}: the answer is mostly what is \
                 believed of anybody (around zero); infer from more games",
                fit.moves,
                open.join(", "),
            ));
        }
        advice
    }

    fn look_ahead(
        &self,
        strategy: Strategy,
        moves: &[Observed<Game>],
        bar: &ProgressBar,
    ) -> anyhow::Result<Sample> {
        let mut sample = Sample::new(strategy);
        for piece in moves.chunks(PIECE) {
            sample.extend(piece);
            bar.inc(piece.len() as u64);
            let gib = sample.bytes() as f64 / GIB;
            let all_gib = gib * moves.len() as f64 / sample.len().max(1) as f64;
            if all_gib > self.memory_gib {
                let fit = sample.len() as f64 * self.memory_gib / gib;
                bail!(
                    "looking ahead from {} moves by {strategy} would take {all_gib:.1} GiB of \
                     memory, wanted {} at most: use --limit {} or --memory {}",
                    moves.len(),
                    self.memory_gib,
                    // the moves to come may have larger look-aheads
                    (0.8 * fit) as usize,
                    (1.2 * all_gib).ceil(),
                );
            }
        }
        Ok(sample)
    }
}

fn with_spinner<T>(message: String, work: impl FnOnce() -> T) -> T {
    const TICK: Duration = Duration::from_millis(120);
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(TICK);
    let done = work();
    spinner.finish_and_clear();
    done
}
