//! `errare infer --attributes full`: a network of the full attributes, of the people of many
//! games or of one person.

mod findings;
mod looking;
mod person;

use std::{
    fs,
    io::Write,
    marker::PhantomData,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    attributes::full::{
        Beheld, Card, MeasuredOn, Network, Plan, Settings, Store, StoreWriter, catalog_hash, fit,
        judge, shape_of,
    },
    chess,
    cli::{
        date, games,
        interruption::Interruption,
        observed::{FilterArgs, file_name},
        output, threads,
    },
    engine::Variant,
    evaluation::Metrics,
    xiangqi,
};
use findings::Findings;
use looking::{Looked, Wanted};
pub use person::{Favorite, Judged, Told};

/// More members than this would take longer than they are worth.
const MOST_MEMBERS: u64 = 8;

/// Flags of `errare infer` that only the full attributes have.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "With --attributes full")]
pub struct FullArgs {
    /// Where the run is kept: what was seen in the games, and how far the fit has come. The same
    /// command goes on with a run that was interrupted
    #[arg(long, value_name = "FOLDER")]
    run_folder: Option<PathBuf>,
    /// The game; told by what the files hold, but for standard input
    #[arg(long)]
    game: Option<Variant>,
    /// The card of a network to start from [default: with --player the one that ships]
    #[arg(long, value_name = "NET.toml")]
    start_from: Option<PathBuf>,
    /// Only the weights, without the net beside them
    #[arg(long)]
    linear: bool,
    /// How many networks to fit side by side, each from first parameters of its own; they play as
    /// one, by the mean of what they predict
    #[arg(long, value_name = "NETWORKS", default_value_t = 1, conflicts_with = "start_from",
        value_parser = clap::value_parser!(u64).range(1..=MOST_MEMBERS))]
    members: u64,
    /// Look at each game in its mirror as well; at chess from where nobody may castle any more
    #[arg(long)]
    mirror: bool,
    /// The share of the moves before ply 10 that is looked at; with --plies 0..
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    opening: f64,
    /// How often all moves are seen
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: f64,
    /// How many moves are learnt from at each step
    #[arg(long, value_name = "MOVES", default_value_t = Settings::default().batch)]
    batch: usize,
    /// The learning rate at the beginning
    #[arg(long, value_name = "RATE", default_value_t = Settings::default().rate)]
    learning_rate: f32,
    /// The share of the units that see the board which are left out of each sample
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().dropout)]
    dropout: f32,
    /// Decides the first parameters, the order of the moves and what is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What `errare infer` was asked for, as far as the full attributes can do it.
pub struct Task<'a> {
    /// The games to infer from.
    pub files: &'a [PathBuf],
    /// The games to predict, if any.
    pub valid: &'a [PathBuf],
    /// Which moves count.
    pub filter: &'a FilterArgs,
    /// How many moves at most.
    pub limit: Option<u32>,
    /// Only each move whose number this divides.
    pub every: u32,
    /// Where the card goes; the parameters go beside it.
    pub output: Option<&'a Path>,
    /// Where a page about one person goes.
    pub report: Option<&'a Path>,
    /// Whether one JSON object is printed instead of tables.
    pub json: bool,
    /// How many threads there are.
    pub threads: Option<usize>,
    /// What else was said.
    pub flags: &'a FullArgs,
}

/// Fits a network and says what came of it.
///
/// # Errors
/// When no move counts, a file cannot be read or written, or the user interrupts; what was done by
/// then is kept in the folder of the run.
pub fn run(task: &Task<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let flags = task.flags;
    threads::use_threads(task.threads)?;
    ensure!(
        (0.0..=1.0).contains(&flags.opening) && (0.0..1.0).contains(&flags.dropout),
        "--opening {} --dropout {}: wanted shares from 0 to 1",
        flags.opening,
        flags.dropout
    );
    match games::variant(task.files, flags.game)? {
        Variant::Chess => {
            use chess::full::shipped::{CARD, PARAMETERS};
            let fitting = Fitting::new(task, "chess", (CARD, PARAMETERS), looking::chess)?;
            match &task.filter.player {
                Some(_) => person::infer(&fitting, out),
                None => fitting.run(out),
            }
        }
        Variant::Xiangqi => {
            use xiangqi::full::shipped::{CARD, PARAMETERS};
            Fitting::<xiangqi::Game>::new(task, "xiangqi", (CARD, PARAMETERS), looking::xiangqi)?
                .run(out)
        }
    }
}

/// Looks at games and puts what it sees into a store.
type Look = fn(&[PathBuf], &Wanted<'_>, &mut StoreWriter, &Interruption) -> anyhow::Result<Looked>;

struct Fitting<'a, G: Beheld> {
    task: &'a Task<'a>,
    start: Network,
    game: &'static str,
    look: Look,
    folder: PathBuf,
    /// The folder where none was named; it goes when the run is over.
    _temporary: Option<tempfile::TempDir>,
    interruption: Interruption,
    threads: usize,
    of_game: PhantomData<G>,
}

/// What is to be said on the card of a network that was fitted.
#[derive(Debug, Default)]
struct Said {
    /// To how many moves it was fitted.
    moves: usize,
    /// The rating of the one person it plays as, and the file of that person's book.
    rating: Option<u16>,
    book: Option<String>,
    measured: Option<MeasuredOn>,
}

impl<'a, G: Beheld> Fitting<'a, G> {
    fn new(
        task: &'a Task<'a>,
        game: &'static str,
        shipped: (&str, &[u8]),
        look: Look,
    ) -> anyhow::Result<Self> {
        for path in task.output.iter().chain(&task.report) {
            // better now than after an hour
            drop(output::NewFile::create(path)?);
        }
        let flags = task.flags;
        let start = match &flags.start_from {
            Some(card) => Network::read::<G>(card)?.1,
            None if task.filter.player.is_some() => Network::load::<G>(shipped.0, shipped.1)?.1,
            None => Network::of_members(shape_of::<G>(!flags.linear), flags.members, flags.seed),
        };
        let (folder, temporary) = match &flags.run_folder {
            Some(folder) => (folder.clone(), None),
            None => {
                let folder = tempfile::tempdir().context("making a folder for the run")?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(Self {
            task,
            start,
            game,
            look,
            folder,
            _temporary: temporary,
            interruption: Interruption::listen()?,
            threads: rayon::current_num_threads(),
            of_game: PhantomData,
        })
    }

    fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let train = self.store("train", self.task.files)?;
        let valid = match self.task.valid {
            [] => None,
            files => Some(self.store("valid", files)?),
        };
        let network = self.fit(&train)?;
        let measured = valid.map(|store| judge(&network, &store)).transpose()?.flatten();
        if let Some(path) = self.task.output {
            let measured = measured.as_ref().map(|metrics| self.measured(metrics));
            let said = Said { moves: train.len(), measured, ..Said::default() };
            self.write(&network, said, path)?;
        }
        self.print(&Findings::new(train.len(), measured), out)
    }

    fn print(&self, findings: &Findings, out: &mut impl Write) -> anyhow::Result<()> {
        match self.task.json {
            true => writeln!(out, "{}", serde_json::to_string(findings)?)?,
            false => write!(out, "{findings}")?,
        }
        Ok(())
    }

    /// What the card says of measurements on the games that were held out.
    fn measured(&self, metrics: &Metrics) -> MeasuredOn {
        MeasuredOn::new(&names(self.task.valid), metrics)
    }

    /// What is seen in the games: looked at now, or found in the folder of the run.
    fn store(&self, name: &str, files: &[PathBuf]) -> anyhow::Result<Store> {
        let path = self.folder.join(format!("{name}.samples"));
        let wanted = Wanted {
            filter: self.task.filter,
            opening: if name == "valid" { 1.0 } else { self.task.flags.opening },
            mirror: self.task.flags.mirror && name != "valid",
            limit: self.task.limit.map_or(usize::MAX, |limit| limit as usize),
            every: self.task.every as usize,
            seed: self.task.flags.seed,
        };
        let said = self.folder.join(format!("{name}.txt"));
        let request = format!("{files:?}\n{wanted:?}\n{}\n", catalog_hash::<G>());
        if path.exists() {
            let found = fs::read_to_string(&said).unwrap_or_default();
            ensure!(
                found == request,
                "{} keeps a run on other games, wanted the same command or another folder",
                self.folder.display()
            );
        } else {
            let mut writer = StoreWriter::create(&path)
                .with_context(|| format!("cannot write into {}", self.folder.display()))?;
            let looked = (self.look)(files, &wanted, &mut writer, &self.interruption)?;
            eprintln!("{} moves of {} games looked at", writer.len(), looked.games);
            games::tell_rejects(looked.broken);
            output::write(&said, request.as_bytes())?;
            writer.finish()?;
        }
        Store::open(&path).with_context(|| format!("reading {}", path.display()))
    }

    fn fit(&self, store: &Store) -> anyhow::Result<Network> {
        let flags = self.task.flags;
        let settings = Settings {
            batch: flags.batch,
            rate: flags.learning_rate,
            dropout: flags.dropout,
            threads: self.threads,
            seed: flags.seed,
            ..Settings::default()
        };
        let plan = Plan { epochs: flags.epochs, settings };
        let bar = ProgressBar::new((store.len() as f64 * plan.epochs) as u64).with_style(
            ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {per_sec}  {eta} left")
                .expect("the template is a constant that is shown by hand"),
        );
        let state = self.folder.join("state");
        let network = fit(store, self.start.clone(), &plan, &state, &mut |progress| {
            if bar.position() == 0 {
                // what was learnt before the run was taken up took no time now
                bar.set_position(progress.seen as u64);
                bar.reset_eta();
            }
            bar.set_position(progress.seen as u64);
            bar.set_message(format!("{:.3} bits", progress.bits));
            match self.interruption.is_asked() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        bar.finish_and_clear();
        match network {
            Some(network) => Ok(network),
            None => bail!("interrupted; the same command goes on from here"),
        }
    }

    fn write(&self, network: &Network, said: Said, path: &Path) -> anyhow::Result<()> {
        let flags = self.task.flags;
        let mut data = self.data();
        if flags.opening < 1.0 {
            data += &format!("; {} of the moves before ply 10", flags.opening);
        }
        if flags.mirror {
            data += "; mirrored as well";
        }
        let how = match &self.task.filter.player {
            Some(_) => "drawn from a network of everybody".to_owned(),
            None => format!(
                "AdamW, {} epochs, batches of {}, rate {} falling to zero, dropout {}, seed {}",
                flags.epochs, flags.batch, flags.learning_rate, flags.dropout, flags.seed
            ),
        };
        let how = match network.member_count() {
            1 => how,
            members => format!("{members} members, each by {how}"),
        };
        let start = flags.start_from.as_deref().map(file_name);
        let card = Card {
            game: self.game.to_owned(),
            data,
            date: date::today(),
            moves: said.moves as u64,
            fit: start.map_or(how.clone(), |start| format!("{how}, from {start}")),
            net: network.shape().net,
            catalog: catalog_hash::<G>(),
            sha256: network.sha256(),
            rating: said.rating,
            book: said.book,
            measured: said.measured,
        };
        output::write(&path.with_extension("f16"), &network.to_bytes())?;
        output::write(path, toml::to_string(&card)?.as_bytes())?;
        eprintln!("{} written", path.display());
        Ok(())
    }

    /// Which games and which of their moves were learnt from, in words.
    fn data(&self) -> String {
        let (files, filters) = (names(self.task.files), self.task.filter.to_string());
        if filters.is_empty() { files } else { format!("{files}: {filters}") }
    }
}

/// The names of files, without their folders.
fn names(files: &[PathBuf]) -> String {
    let files: Vec<String> = files.iter().map(|file| file_name(file)).collect();
    files.join(", ")
}
