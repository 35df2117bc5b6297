//! Weights recovered from self-play with known ones.

use std::{io::Write, time::Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::games::Games;
use crate::{
    attributes::{
        Attribute, AttributeModel, Strategy, Weights,
        inference::{Fit, Settings, infer},
    },
    cli::table::Table,
};

/// Weights to be recovered.
pub struct Recovery {
    /// The weights that both sides play with. Those that are zero are not inferred.
    pub truth: Weights,
    /// How far they look.
    pub strategy: Strategy,
    /// How many games they play.
    pub games: u32,
    /// What the thesis recovered.
    pub published: [Option<f64>; Attribute::ALL.len()],
}

impl Recovery {
    /// Plays, infers, and prints what came of it.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn make(&self, seed: u64, plies: usize, out: &mut impl Write) -> anyhow::Result<()> {
        let start = Instant::now();
        let fit = self.fit(seed, plies);
        writeln!(
            out,
            "{}, {} games of self-play: {} moves, {:.0} s",
            self.strategy,
            self.games,
            fit.moves,
            start.elapsed().as_secs_f64()
        )?;
        write!(out, "{}", self.table(&fit))?;
        writeln!(
            out,
            "bits a move {:.3}, Comp {:.1} %",
            fit.bits_per_move(),
            100.0 * fit.compression()
        )?;
        Ok(out.flush()?)
    }

    fn fit(&self, seed: u64, plies: usize) -> Fit {
        let player = AttributeModel::new(self.truth, self.strategy);
        let bar = bar(self.games.into(), "games played");
        let games = Games { player, seed, first: 0, count: self.games, plies };
        let sample = games.play(|| bar.inc(1)).sample;
        bar.finish_and_clear();
        let free = self.truth.to_array().map(|weight| weight != 0.0);
        infer(&sample, &Settings { free, ..Settings::default() })
    }

    fn table(&self, fit: &Fit) -> Table {
        let mut table =
            Table::new(["weight", "true", "published", "off", "here", "off", "s.e. off"]);
        let (truth, own) = (self.truth.to_array(), fit.weights.to_array());
        let errors = fit.standard_errors.to_array();
        for (i, attribute) in Attribute::ALL.into_iter().enumerate() {
            if truth[i] == 0.0 {
                continue;
            }
            let off = |value: f64| format!("{:.1} %", 100.0 * (value / truth[i] - 1.0));
            let published = self.published[i];
            table.push([
                attribute.to_string(),
                format!("{}", truth[i]),
                published.map_or(String::new(), |value| format!("{value:.3}")),
                published.map_or(String::new(), off),
                format!("{:.3} ± {:.3}", own[i], errors[i]),
                off(own[i]),
                format!("{:.1}", (own[i] - truth[i]) / errors[i]),
            ]);
        }
        table
    }
}

/// A bar that counts things of this name.
pub fn bar(length: u64, name: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos} of {len} {msg}  {eta} left")
        .expect("the template is a constant that is shown by hand");
    ProgressBar::new(length).with_style(style).with_message(name)
}
