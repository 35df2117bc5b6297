//! Weights recovered from self-play with known ones.

use std::{io::Write, path::Path, time::Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::{games::Games, journal::Journal, many};
use crate::{
    attributes::{
        Attribute, AttributeModel, Strategy, Weights,
        inference::{Fit, Settings, infer},
    },
    cli::table::Table,
};

/// Games of deep look-aheads that are kept in memory, as many as the thesis had.
const MOST_KEPT: u32 = 5;

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

/// What the first games say, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct First {
    seed: u64,
    plies: usize,
    player: (Weights, Strategy),
    games: u32,
    fit: Fit,
}

impl Recovery {
    /// Plays, infers, and prints what came of it. Where there are more games than look-aheads can
    /// be kept of, first what the first of them say, then all. Finished games are kept in the
    /// file, if one is named.
    ///
    /// # Errors
    /// When the output or what is finished cannot be written.
    pub fn make(
        &self,
        seed: u64,
        plies: usize,
        kept: Option<&Path>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let player = AttributeModel::new(self.truth, self.strategy);
        let free = self.truth.to_array().map(|weight| weight != 0.0);
        let settings = Settings { free, ..Settings::default() };
        let most = match self.strategy.horizon().limit {
            1 => u32::MAX,
            _ => MOST_KEPT,
        };
        let games = Games { player, seed, first: 0, count: self.games, plies };
        let first = Games { count: self.games.min(most), ..games };
        let start = Instant::now();
        let fit = self.first(first, &settings, kept)?;
        self.print(&fit, first.count, start, out)?;
        if self.games > most {
            let fit = many::fit(games, &fit, &settings, kept)?;
            writeln!(out)?;
            self.print(&fit, self.games, start, out)?;
        }
        Ok(())
    }

    /// The weights of games whose look-aheads are kept.
    fn first(&self, games: Games, settings: &Settings, kept: Option<&Path>) -> anyhow::Result<Fit> {
        let Games { seed, plies, count, .. } = games;
        let player = (self.truth, self.strategy);
        let (mut journal, finished) = Journal::open::<First>(kept)?;
        let is_it = |first: &First| {
            (first.seed, first.plies, first.games) == (seed, plies, count) && first.player == player
        };
        if let Some(first) = finished.into_iter().find(is_it) {
            return Ok(first.fit);
        }
        let bar = bar(count.into(), "games played");
        let sample = games.play(|| bar.inc(1)).sample;
        bar.finish_and_clear();
        let fit = infer(&sample, settings);
        journal.add(&First { seed, plies, player, games: count, fit: fit.clone() })?;
        Ok(fit)
    }

    fn print(
        &self,
        fit: &Fit,
        games: u32,
        start: Instant,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        writeln!(
            out,
            "{}, {games} games of self-play: {} moves, {:.0} s",
            self.strategy,
            fit.moves,
            start.elapsed().as_secs_f64()
        )?;
        write!(out, "{}", self.table(fit))?;
        writeln!(
            out,
            "bits a move {:.3}, Comp {:.1} %",
            fit.bits_per_move(),
            100.0 * fit.compression()
        )?;
        Ok(out.flush()?)
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
