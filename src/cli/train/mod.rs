//! `errare train`: one network of a given structure from records.

mod curve;
mod data;
mod plan;
mod progress;
mod reading;

pub use data::{Data, DataArgs};
pub use plan::PlanArgs;
pub use progress::Progress;
pub use reading::{Games, GamesArgs};

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::{date, interruption::Interruption, output, threads};
use crate::xqsv::{Card, Checkpoint, Network, Plan, Report, Trained, evaluate, train, with_ending};

/// The file of a run folder that says which command began the run.
const COMMAND: &str = "command.toml";
/// The net in a run folder, where no other place was named.
const NET: &str = "net";
/// After how many steps a run is kept, so that one that is killed does not lose much.
const SAVE_EVERY: usize = 500;

/// Arguments of `errare train`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Go on with the run of this folder as it was begun, with nothing else to be said
    #[arg(long, exclusive = true, value_name = "RUN_FOLDER")]
    resume: Option<PathBuf>,
    /// Where the run is kept: its manifest, its state after each epoch, its learning curve. The
    /// same command goes on with a run that was interrupted
    #[arg(required = true)]
    run_folder: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

/// What a run is made of: all that it takes to make it again.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
struct RunArgs {
    /// Where to write the net, as NET.safetensors and its card NET.toml [default: in the folder]
    #[arg(long, value_name = "NET")]
    output: Option<PathBuf>,
    /// How many threads to use [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    plan: PlanArgs,
}

/// Trains a net, or goes on training it, and writes it with its card.
///
/// # Errors
/// When files cannot be read or written, the folder belongs to another run, training diverges, or
/// the user interrupts it; what was learnt by then is kept.
pub fn run(arguments: &Args) -> anyhow::Result<()> {
    let (folder, arguments) = match (&arguments.resume, &arguments.run_folder) {
        (Some(folder), _) => (folder.as_path(), RunArgs::read(&folder.join(COMMAND))?),
        (None, Some(folder)) => (folder.as_path(), arguments.run.clone()),
        (None, None) => bail!("no run folder was named"),
    };
    let (plan, start) = arguments.plan.plan()?;
    threads::use_threads(arguments.threads)?;
    let interruption = Interruption::listen()?;
    let data = arguments.data.read(plan.needs(), &interruption)?;
    eprintln!("{}", data.in_words());
    eprintln!("{}", plan.structure);
    arguments.keep(folder)?;

    let mut progress = Progress::new(plan.epochs);
    let mut curve = Ok(());
    let trained = train(
        &plan,
        start.as_ref(),
        &data.training(),
        Some(folder),
        Some(SAVE_EVERY),
        &mut |said| {
            progress.show(said);
            if let Report::Epoch(epochs) = said {
                curve = curve::write(folder, epochs);
            }
            match curve.is_err() || interruption.is_asked() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    )?;
    progress.finish();
    curve?;
    curve::write(folder, &trained.epochs)?;
    if !trained.is_finished {
        bail!("stopped in epoch {}; the same command goes on from there", trained.epochs.len() + 1);
    }
    let output = arguments.output.clone().unwrap_or_else(|| folder.join(NET));
    save(&arguments, &plan, &data, &trained, &output)
}

/// Writes the net in half precision, with a card that says how well just that predicts.
fn save(
    arguments: &RunArgs,
    plan: &Plan,
    data: &Data,
    trained: &Trained,
    output: &Path,
) -> anyhow::Result<()> {
    let parameters = trained.parameters.halved()?;
    let about = match &arguments.data.range.0 {
        None => "Imitates all players of its games.".to_owned(),
        Some(range) => {
            format!("Imitates players rated {} to {}.", range.start, range.end - 1)
        }
    };
    let words = format!(
        "{}; {}; {}",
        arguments.data.in_words(),
        data.in_words(),
        arguments.plan.in_words(trained.epochs.len())
    );
    let mut card = Card::new(plan.structure, &about, &words, &date::today());
    card.ratings = arguments.data.range.0.as_ref().map(|range| [range.start, range.end]);
    let training = data.training();
    if !training.valid_samples.is_empty() {
        let network = Network::new(&parameters)?;
        card.metrics = Some(evaluate(&network, training.valid, training.valid_samples)?);
    }
    if let Some(folder) = output.parent() {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    }
    Checkpoint { card, parameters }.save(output)?;
    eprintln!("{} written", with_ending(output, "safetensors").display());
    Ok(())
}

impl RunArgs {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let context = || format!("reading the run in {}", file.display());
        let text = fs::read_to_string(file).with_context(context)?;
        toml::from_str(&text).with_context(context)
    }

    /// Writes the command into the run's folder, unless one is there: whether the run is the same
    /// is for training to say.
    fn keep(&self, folder: &Path) -> anyhow::Result<()> {
        let file = folder.join(COMMAND);
        if file.exists() {
            return Ok(());
        }
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        let same = Self {
            output: self.output.as_ref().map(std::path::absolute).transpose()?,
            threads: self.threads,
            data: self.data.clone().with_absolute_paths()?,
            plan: self.plan.clone().with_absolute_paths()?,
        };
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("# errare {version} train\n{}", toml::to_string(&same)?);
        output::write(&file, text.as_bytes())
    }
}
