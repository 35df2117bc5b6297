//! `errare infer`: whose play is this? Weights and strategies from the games that people played.

mod findings;
mod fitting;
pub mod full;
mod splitting;
mod strategies;

use std::{io::Write, path::PathBuf};

use anyhow::{Context, ensure};

use super::{
    observed::{FilterArgs, Moves, Share, file_name},
    output::{self, NewFile},
    report, threads,
};
use crate::attributes::{Attribute, PEOPLES_STRATEGY, Strategy, WeightsFile, inference::Settings};
use findings::Findings;
use fitting::{Fitting, Inferred};
use splitting::Split;
use strategies::Wanted;

/// Arguments of `errare infer`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of chess games in PGN, plain, .gz or .zst; `-` is standard input
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Read no more than so many moves [default: 20000, fewer for strategies that look farther]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Count only one of so many moves, to spread few moves over many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// How far the player is taken to look; several with commas between, or all, are compared by
    /// the length of the message that tells the moves
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = PEOPLES_STRATEGY.name())]
    strategy: Vec<Wanted>,
    /// The attributes that the player is taken to weigh: some of the four, with commas between,
    /// all of them as `seed`, or `full` for the hundred named ones of a move [default: seed]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = attributes)]
    attributes: Vec<Attributes>,
    /// Infer opening, middlegame and ending apart as well, and say whether that tells more
    #[arg(long)]
    phases: bool,
    /// Hold each game out whose number this divides, and predict its moves; 0 holds none out
    /// [default: 5 where no --valid is named]
    #[arg(long, value_name = "N", conflicts_with = "valid")]
    hold_out: Option<u32>,
    /// Files of games to predict with what was inferred, of which the same moves count
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    valid: Vec<PathBuf>,
    /// Write the weights to this file, with a card that says where they come from
    #[arg(long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Write a page about the player to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// The most memory to use for look-aheads, in GiB
    #[arg(long, value_name = "GIB", default_value_t = 4.0)]
    memory: f64,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    full: full::FullArgs,
}

/// Attributes as they are named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attributes {
    One(Attribute),
    Seed,
    Full,
}

/// Infers weights and says what they are. Games that cannot be read are named on standard error.
///
/// # Errors
/// When no move counts, an output cannot be written, or look-aheads need more memory than allowed.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.attributes.contains(&Attributes::Full) {
        return arguments.run_full(out);
    }
    for path in arguments.output.iter().chain(&arguments.report) {
        // better now than after an hour
        drop(NewFile::create(path)?);
    }
    threads::use_threads(arguments.threads)?;
    let strategies = strategies::wanted(&arguments.strategy);
    let split = arguments.read(&strategies)?;
    let mut fitting = Fitting::new(&split, arguments.settings(), arguments.memory);
    let mut inferred = Vec::new();
    for &strategy in &strategies {
        inferred.push(fitting.infer(strategy)?);
    }
    inferred.sort_by(|a: &Inferred, b| a.fit.message_bits.total_cmp(&b.fit.message_bits));
    let best = inferred.first().context("there is always a strategy")?;
    let phases = arguments.phases.then(|| fitting.phases());

    if let Some(path) = &arguments.output {
        output::write(path, arguments.weights_file(&split, best).to_toml().as_bytes())?;
        eprintln!("{} written", path.display());
    }
    if let (Some(path), Some(sample)) = (&arguments.report, fitting.best_sample()) {
        let page = report::html(&report::Subject {
            title: arguments.title(&split.inferred),
            moves: &split.inferred,
            sample,
            fit: &best.fit,
            held_out: best.held_out.as_ref(),
            filters: arguments.filter.to_string(),
        })?;
        output::write(path, page.as_bytes())?;
        eprintln!("{} written", path.display());
    }
    for advice in fitting.advice(best) {
        eprintln!("{advice}");
    }
    let findings = Findings::new(&split, arguments.filter.to_string(), &inferred, phases);
    match arguments.json {
        true => writeln!(out, "{}", serde_json::to_string(&findings)?)?,
        false => write!(out, "{findings}")?,
    }
    Ok(())
}

impl Args {
    fn run_full(&self, out: &mut impl Write) -> anyhow::Result<()> {
        ensure!(
            self.attributes.len() == 1,
            "--attributes full stands alone, wanted it or some of the four"
        );
        ensure!(
            !self.phases && self.hold_out.is_none(),
            "--phases and --hold-out are for the four attributes, wanted --valid and --json with \
             --attributes full"
        );
        ensure!(
            self.report.is_none() || self.filter.player.is_some(),
            "--report with --attributes full is about one person, wanted --player as well"
        );
        full::run(
            &full::Task {
                files: &self.files,
                valid: &self.valid,
                filter: &self.filter,
                limit: self.limit,
                every: self.every,
                output: self.output.as_deref(),
                report: self.report.as_deref(),
                json: self.json,
                threads: self.threads,
                flags: &self.full,
            },
            out,
        )
    }

    /// Reads the moves and holds some out.
    fn read(&self, strategies: &[Strategy]) -> anyhow::Result<Split> {
        /// Games of which one is held out.
        const HOLD_OUT: u32 = 5;
        let limit = match self.limit {
            Some(limit) => limit as usize,
            None => strategies::affordable(strategies),
        };
        let share = Share { limit, every: self.every as usize };
        let filter = self.filter.filter();
        let moves = Moves::read(&self.files, &filter, share)?;
        if self.limit.is_none() && moves.observed.len() == limit {
            eprintln!("stopped reading after {limit} moves; --limit reads more");
        }
        if self.valid.is_empty() {
            return Ok(Split::of(moves, self.hold_out.unwrap_or(HOLD_OUT)));
        }
        Ok(Split { inferred: moves, held_out: Moves::read(&self.valid, &filter, share)? })
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        let is_named = |attribute| self.attributes.contains(&Attributes::One(attribute));
        if !self.attributes.is_empty() && !self.attributes.contains(&Attributes::Seed) {
            // the last weight is mate's, which is no attribute and always free
            for (free, attribute) in settings.free.iter_mut().zip(Attribute::ALL) {
                *free = is_named(attribute);
            }
        }
        settings
    }

    /// Who the report is about, spelled as in the games.
    fn title(&self, moves: &Moves) -> String {
        let Some(player) = &self.filter.player else {
            return "How these players play".to_owned();
        };
        let is_player = |name: &&String| name.to_lowercase() == player.to_lowercase();
        let mut names = moves.games.iter().flat_map(|game| game.names.iter());
        format!("How {} plays", names.find(is_player).unwrap_or(player))
    }

    fn weights_file(&self, split: &Split, best: &Inferred) -> WeightsFile {
        let files: Vec<String> = self.files.iter().map(|file| file_name(file)).collect();
        let mut filters = self.filter.to_string();
        if self.every > 1 {
            let and = if filters.is_empty() { "" } else { ", " };
            filters += &format!("{and}one move of {}", self.every);
        }
        let fit = &best.fit;
        WeightsFile {
            data: Some(format!("{}, {} games", files.join(", "), split.inferred.games.len())),
            filters: Some(filters).filter(|text| !text.is_empty()),
            moves: Some(fit.moves as u64),
            bits_per_move: Some(fit.bits_per_move()),
            uniform_bits_per_move: Some(fit.uniform_bits / fit.moves as f64),
            standard_errors: Some(fit.standard_errors),
            ..WeightsFile::new(fit.weights, fit.strategy)
        }
    }
}

fn attributes(text: &str) -> Result<Attributes, String> {
    let names = Attribute::ALL.map(Attribute::name);
    match text {
        "seed" => Ok(Attributes::Seed),
        "full" => Ok(Attributes::Full),
        _ => Attribute::ALL
            .into_iter()
            .find(|attribute| attribute.name() == text)
            .map(Attributes::One)
            .ok_or_else(|| {
                format!("got `{text}`, wanted seed, full or some of {}", names.join(", "))
            }),
    }
}
