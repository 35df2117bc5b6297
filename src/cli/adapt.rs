//! `errare adapt`: the search for a range's structure, alone or shared among many machines.

use std::{
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context, bail};

use super::{
    interruption::Interruption,
    output,
    table::Table,
    threads,
    train::{DataArgs, PlanArgs, Progress},
};
use crate::xqsv::{Choice, Phase, Search, SearchPlan, Trial};

/// After how many steps a trial is kept, so that one that is killed does not lose much.
const SAVE_EVERY: usize = 500;
/// The best structure so far, in the folder of a search.
const STRUCTURE: &str = "structure.toml";

/// Arguments of `errare adapt`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Say how the search in this folder stands, and if all trials of a phase are done, choose the
    /// best and begin the next phase
    #[arg(long, exclusive = true, value_name = "SEARCH_FOLDER")]
    collect: Option<PathBuf>,
    /// Where the search is kept: a manifest, and a folder for each trial. The same command goes on
    /// with a search that was interrupted
    #[arg(required = true)]
    search_folder: Option<PathBuf>,
    /// Run the trials of one of several workers, such as 3/8, of the phase under way and no
    /// others; without it, run all phases
    #[arg(long, value_name = "WORKER/WORKERS")]
    trial: Option<Share>,
    /// Values to try for a variable in place of Table I's: --try RHD=128,256,512
    #[arg(long = "try", value_name = "VARIABLE=VALUES")]
    choices: Vec<String>,
    /// How many phases to search, of the five
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=5))]
    phases: u8,
    /// How many minutes each trial trains, with --epochs at most and one epoch at least; the
    /// learning rate falls over all epochs
    #[arg(long)]
    minutes: Option<f64>,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    plan: PlanArgs,
}

/// Which of how many workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    worker: usize,
    workers: usize,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (worker, workers) = text.split_once('/')?;
            let share = Self { worker: worker.parse().ok()?, workers: workers.parse().ok()? };
            (1..=share.workers).contains(&share.worker).then_some(share)
        };
        parse().ok_or_else(|| format!("got `{text}`, wanted a worker and how many, from 1/1"))
    }
}

/// Runs trials, or says how a search stands.
///
/// # Errors
/// When files cannot be read or written, the folder belongs to another search, or the user
/// interrupts it; what was done by then is kept.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.collect {
        let found = Search::find(folder)?;
        let search = found.with_context(|| format!("{} holds no search", folder.display()))?;
        return collect(&search, folder, out);
    }
    let folder = arguments.search_folder.as_deref().context("no search folder was named")?;
    let (plan, start) = arguments.plan.plan()?;
    let mut plan = SearchPlan::five_phases(plan);
    plan.minutes = arguments.minutes;
    plan.phases.truncate(arguments.phases.into());
    for choice in &arguments.choices {
        choose(&mut plan, choice)?;
    }
    let search = Search::open(folder, &plan)?;
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let data = arguments.data.read(plan.training.needs(), &interruption)?;
    eprintln!("{}", data.in_words());
    while let Some(phase) = search.phase()? {
        let Share { worker, workers } = arguments.trial.unwrap_or(Share { worker: 1, workers: 1 });
        for trial in phase.share(worker, workers) {
            if trial.outcome()?.is_some() {
                continue;
            }
            let title = format!("phase {}, {}", phase.number, trial.name);
            let mut progress = Progress::new(plan.training.epochs).of(&title);
            let done = search.run(
                trial,
                start.as_ref(),
                &data.training(),
                Some(SAVE_EVERY),
                &mut |said| {
                    progress.show(said);
                    match interruption.is_asked() {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    }
                },
            )?;
            progress.finish();
            if done.is_none() {
                bail!("stopped in {title}; the same command goes on from there");
            }
        }
        if arguments.trial.is_some() {
            let undone = phase.undone()?.len();
            eprintln!(
                "this share of phase {} is done, {undone} of {} trials are left to others",
                phase.number,
                phase.trials.len()
            );
            return Ok(());
        }
        search.collect()?;
    }
    collect(&search, folder, out)
}

/// Replaces the values that are tried for a variable.
fn choose(plan: &mut SearchPlan, text: &str) -> anyhow::Result<()> {
    let (variable, values) = text
        .split_once('=')
        .with_context(|| format!("`{text}` names no values, wanted for example RHD=128,256"))?;
    let variable = variable.parse()?;
    let choices = plan.phases.iter_mut().flatten();
    let found = choices.into_iter().find(|choice| choice.variable == variable);
    let choice: &mut Choice = found
        .with_context(|| format!("{text}: this variable is in none of the phases searched"))?;
    choice.values = values.split(',').map(str::to_owned).collect();
    Ok(())
}

/// Decides what can be decided and prints how the search stands.
fn collect(search: &Search, folder: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    search.collect()?;
    let mut table = Table::new(["phase", "trials", "best", "top-1", "bits"]);
    for (number, winner) in (1..).zip(search.winners()?) {
        let metrics = &winner.outcome.metrics;
        let top_1 = metrics.top_1();
        table.push([
            format!("{number}"),
            winner.trials.to_string(),
            winner.name,
            format!("{:.2} ± {:.2} %", 100.0 * top_1.mean, 100.0 * top_1.standard_error),
            format!("{:.3} ± {:.3}", metrics.bits.mean, metrics.bits.standard_error),
        ]);
    }
    let structure = search.structure()?;
    let text = format!("# {structure}\n{}", toml::to_string(&structure)?);
    output::write(&folder.join(STRUCTURE), text.as_bytes())?;
    write!(out, "{table}")?;
    match search.phase()? {
        None => writeln!(out, "\nall phases are decided: {structure}")?,
        Some(phase) => writeln!(out, "\n{}", standing(&phase)?)?,
    }
    Ok(())
}

/// How far a phase is, in words.
fn standing(phase: &Phase) -> anyhow::Result<String> {
    let undone = phase.undone()?;
    let names: Vec<&str> = undone.iter().map(|trial: &&Trial| trial.name.as_str()).collect();
    Ok(format!(
        "phase {}: {} of {} trials are not done: {}",
        phase.number,
        undone.len(),
        phase.trials.len(),
        names.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xqsv::{Plan, Variable};

    #[test]
    fn a_share_is_one_of_some_workers() {
        assert_eq!("3/8".parse(), Ok(Share { worker: 3, workers: 8 }));
        for text in ["", "3", "0/8", "9/8", "1/0", "a/b"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_to_try_are_replaced() {
        let mut plan = SearchPlan::five_phases(Plan::default());
        choose(&mut plan, "rhd=128,256").unwrap();
        let choice = &plan.phases[1][1];
        assert_eq!(
            (choice.variable, &choice.values[..]),
            (Variable::Hidden, &["128", "256"].map(str::to_owned)[..])
        );
        for text in ["RHD", "SIZE=1", "SEE=yes"] {
            assert!(choose(&mut plan, text).is_err(), "{text}");
        }
    }
}
