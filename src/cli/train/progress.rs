//! What training says while it is under way: a bar where somebody looks, a line an epoch always.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::xqsv::{EpochReport, Report};

/// How often the speed is measured anew.
const SPEED_TIME: Duration = Duration::from_secs(2);

/// Shows how a run is going, on standard error.
pub struct Progress {
    bar: ProgressBar,
    /// What is trained, where several runs follow each other; ends with a colon then.
    title: String,
    epochs: u32,
    epoch_began: Instant,
    /// Moves learnt since the epoch began here.
    epoch_moves: usize,
    /// When the speed was measured, and the moves learnt since.
    measured: (Instant, usize),
    /// Moves a second.
    speed: f64,
    /// Top-1 of the last epoch.
    top_1: Option<f64>,
}

impl Progress {
    /// A run with at most so many epochs.
    pub fn new(epochs: u32) -> Self {
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")
            .expect("the template is a constant that is shown by hand");
        let now = Instant::now();
        Self {
            bar: ProgressBar::new(0).with_style(style),
            title: String::new(),
            epochs,
            epoch_began: now,
            epoch_moves: 0,
            measured: (now, 0),
            speed: 0.0,
            top_1: None,
        }
    }

    /// The same with what is trained named in all that is said.
    pub fn of(self, title: &str) -> Self {
        Self { title: format!("{title}: "), ..self }
    }

    /// Shows what was reported.
    pub fn show(&mut self, report: &Report) {
        match *report {
            Report::Step { epoch, step, steps, moves, bits } => {
                let all = u64::from(self.epochs) * steps as u64;
                let done = u64::from(epoch) * steps as u64 + step as u64;
                if self.bar.length() == Some(0) {
                    // a run that was taken up has not made these steps now
                    self.bar.set_length(all);
                    self.bar.set_position(done - 1);
                    self.bar.reset_eta();
                }
                self.epoch_moves += moves;
                self.measure(moves);
                self.bar.set_position(done);
                let top_1 = self
                    .top_1
                    .map_or(String::new(), |share| format!("  top-1 {:.1} %", 100.0 * share));
                self.bar.set_message(format!(
                    "{}epoch {} of {}  {:.0} moves/s  {bits:.3} bits{top_1}",
                    self.title,
                    epoch + 1,
                    self.epochs,
                    self.speed,
                ));
            }
            Report::Epoch(epochs) => {
                let Some(last) = epochs.last() else { return };
                self.top_1 = last.valid.as_ref().map(|metrics| metrics.top_1().mean);
                let line = self.line(last);
                self.bar.suspend(|| eprintln!("{line}"));
                (self.epoch_began, self.epoch_moves) = (Instant::now(), 0);
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn measure(&mut self, moves: usize) {
        let (since, sum) = &mut self.measured;
        *sum += moves;
        let passed = since.elapsed();
        if passed >= SPEED_TIME || self.speed == 0.0 {
            self.speed = *sum as f64 / passed.as_secs_f64().max(f64::EPSILON);
            if passed >= SPEED_TIME {
                self.measured = (Instant::now(), 0);
            }
        }
    }

    /// A finished epoch in words. Its time includes the validation, its speed does not count what
    /// was learnt before the run was taken up.
    fn line(&self, epoch: &EpochReport) -> String {
        let took = self.epoch_began.elapsed();
        let valid = epoch.valid.as_ref().map_or(String::new(), |metrics| {
            let top_1 = metrics.top_1();
            format!(
                ", validation {:.3} ± {:.3} bits, top-1 {:.2} ± {:.2} %",
                metrics.bits.mean,
                metrics.bits.standard_error,
                100.0 * top_1.mean,
                100.0 * top_1.standard_error,
            )
        });
        format!(
            "{}epoch {} of {}: {:.3} bits{valid}, {:.0} moves/s, {}",
            self.title,
            epoch.epoch + 1,
            self.epochs,
            epoch.train_bits,
            self.epoch_moves as f64 / took.as_secs_f64(),
            HumanDuration(took),
        )
    }
}
