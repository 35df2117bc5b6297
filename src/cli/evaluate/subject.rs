//! Models to be judged, and judging them on a game.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    attributes::{AttributeModel, Positioned},
    engine::{Person, Settings},
    evaluation::{ByRange, Observation},
    model::{Effort, Model},
};

/// A model to be judged, or several of which the mover's rating chooses.
pub struct Subject<G> {
    /// What it is called.
    pub name: String,
    of_rating: Box<dyn Fn(Option<u16>) -> Box<dyn Model<G>> + Sync>,
}

/// A move of a game that is to be predicted.
pub struct Ply<G: crate::game::Game> {
    /// The game before it.
    pub game: G,
    /// The move.
    pub m: G::Move,
    /// The rating of the player who made it.
    pub rating: Option<u16>,
}

impl<G: crate::game::Game> Ply<G> {
    /// Makes the game a position without a past.
    pub fn forget(&mut self) {
        let fen = self.game.fen();
        self.game = G::from_fen(&fen).expect("a game writes its position so that it reads it");
    }
}

impl<G: Positioned> Subject<G> {
    /// A subject that has a model for every rating.
    pub fn new(
        name: &str,
        of_rating: impl Fn(Option<u16>) -> Box<dyn Model<G>> + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), of_rating: Box::new(of_rating) }
    }

    /// The person of each file, called after the file: a look-ahead with its weights, or what
    /// `player` makes of it with these settings, at any rating.
    ///
    /// # Errors
    /// When a file describes nobody.
    pub fn of_files(
        files: &[PathBuf],
        settings: &Settings,
        player: fn(&Person, &Settings) -> Box<dyn Model<G>>,
    ) -> anyhow::Result<Vec<Self>> {
        let subject = |file: &PathBuf| {
            let person = Person::read(file)
                .with_context(|| format!("reading the weights in {}", file.display()))?;
            if let Person::LookAhead(weights) = &person {
                let strategy = settings.strategy.unwrap_or(weights.strategy);
                let model = AttributeModel::new(weights.weights, strategy);
                return Ok(Self::new(&name(file), move |_| Box::new(model)));
            }
            let settings = settings.clone();
            Ok(Self::new(&name(file), move |rating| {
                player(&person, &settings.clone().with_rating(rating))
            }))
        };
        files.iter().map(subject).collect()
    }

    /// Counts what predictions of moves of one game are worth.
    pub fn judge(&self, number: u64, plies: &[Ply<G>]) -> ByRange {
        let mut counts = ByRange::default();
        // two players have two ratings at most, and a model may take long to make
        let mut models = BTreeMap::new();
        for Ply { game, m, rating } in plies {
            let model = models.entry(*rating).or_insert_with(|| (self.of_rating)(*rating));
            let prediction = model.predict(game, Effort::default(), &|| false, &mut |_| {});
            if let Some(observation) = Observation::of(&prediction, m) {
                counts.add(number, *rating, &observation);
            }
        }
        counts
    }
}

/// What the model in a file is called: the file's name without its ending.
pub fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The nets of files and folders, in the order of their names within a folder.
///
/// # Errors
/// When a folder cannot be read or holds no net.
pub fn nets(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut nets = Vec::new();
    for path in paths {
        if !path.is_dir() {
            nets.push(path.clone());
            continue;
        }
        let context = || format!("reading {}", path.display());
        let mut files = Vec::new();
        for entry in path.read_dir().with_context(context)? {
            let file = entry.with_context(context)?.path();
            if file.extension().is_some_and(|ending| ending == "safetensors") {
                files.push(file);
            }
        }
        if files.is_empty() {
            bail!("the folder {} holds no net, wanted files *.safetensors", path.display());
        }
        files.sort();
        nets.extend(files);
    }
    Ok(nets)
}

/// A bar of moves predicted; without an end where it is not known.
pub fn bar(moves: Option<u64>) -> ProgressBar {
    let (bar, template) = match moves {
        Some(moves) => {
            (ProgressBar::new(moves), "{bar:24} {pos} of {len} moves  {per_sec}  {eta} left  {msg}")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {pos} moves  {per_sec}  {elapsed}"),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.expect("the templates are constants that are shown by hand"))
}
