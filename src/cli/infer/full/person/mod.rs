//! One person: a network and a book of that person's own, and what they say of the person.

mod favorites;
mod held_out;
mod openings;
mod wording;

use std::io::Write;

use super::{Findings, Fitting, Said};
use crate::{
    attributes::full::{Catalog, Samples, Store, fit_person, habits},
    chess,
    cli::{output, report},
    engine,
};
pub use favorites::Favorite;
use held_out::HeldOut;
pub use held_out::Judged;
use wording::phrases;

/// The roles of chess, in the order of their numbers.
const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Something that a person does more or less often than others of the rating.
#[derive(Debug, Clone)]
pub struct Told {
    /// What, such as `gives check`.
    pub text: String,
    /// How often.
    pub played: u32,
    /// How often others would have done it in the same positions.
    pub expected: f32,
    /// The standard deviation of how often others would have.
    pub deviation: f32,
}

impl Told {
    /// By how many standard deviations the person does it more often.
    pub fn deviations(&self) -> f32 {
        (self.played as f32 - self.expected) / self.deviation
    }
}

/// Fits a network to one person, counts what that person knows by heart, and says what came of it.
///
/// # Errors
/// When no move counts, a file cannot be read or written, or the user interrupts.
pub fn infer(fitting: &Fitting<'_, chess::Game>, out: &mut impl Write) -> anyhow::Result<()> {
    let task = fitting.task;
    let samples = read(&fitting.store("train", task.files)?)?;
    let network = fit_person(&fitting.start, &samples, fitting.threads);
    let (book, favorites) = openings::count(fitting)?;
    let judge = |files| -> anyhow::Result<Judged> {
        Ok(HeldOut::read(fitting, files)?.judge(&fitting.start, &network, &book))
    };
    let judged = match task.valid {
        [] => None,
        files => Some(judge(files)?),
    };
    let measured = judged.as_ref().and_then(Judged::own);
    if let Some(path) = task.output {
        let said = Said {
            moves: samples.len(),
            rating: rating(&samples),
            book: Some(openings::write(&book, path)?),
            measured: measured.as_ref().map(|metrics| fitting.measured(metrics)),
        };
        fitting.write(&network, said, path)?;
    }
    let told = tell(fitting, &samples);
    if let Some(path) = task.report {
        let is_held_out = judged.is_some();
        let shown = match &judged {
            Some(judged) => judged,
            None => &judge(task.files)?,
        };
        let page = report::of_person(&report::Person {
            name: name(fitting, shown),
            data: fitting.data(),
            moves: samples.len(),
            rating: rating(&samples),
            told: &told,
            favorites: &favorites.most(&engine::chess_book()),
            judged: shown,
            is_held_out,
        })?;
        output::write(path, page.as_bytes())?;
        eprintln!("{} written", path.display());
    }
    let mut findings = Findings::new(samples.len(), measured);
    findings.of_person(judged.as_ref(), &told);
    fitting.print(&findings, out)
}

/// What the person does more and less often than others, the most surprising first.
fn tell(fitting: &Fitting<'_, chess::Game>, samples: &Samples) -> Vec<Told> {
    let phrases = phrases(&Catalog::of_game::<chess::Game>(), &ROLES);
    let kinds = phrases.iter().map(|phrase| phrase.numbers.as_slice());
    habits(&fitting.start, samples, kinds)
        .into_iter()
        .map(|habit| Told {
            text: phrases[habit.kind].text.clone(),
            played: habit.played,
            expected: habit.expected,
            deviation: habit.deviation,
        })
        .collect()
}

/// The person's name, spelled as in the games.
fn name(fitting: &Fitting<'_, chess::Game>, judged: &Judged) -> String {
    let asked = fitting.task.filter.player.as_deref().unwrap_or_default();
    let is_asked = |name: &&String| name.to_lowercase() == asked.to_lowercase();
    let mut names = judged.moves.games.iter().flat_map(|game| game.names.iter());
    names.find(is_asked).map_or(asked, String::as_str).to_owned()
}

/// All samples of a store.
fn read(store: &Store) -> anyhow::Result<Samples> {
    let (mut all, mut piece) = (Samples::default(), Samples::default());
    for number in 0..store.pieces() {
        store.read(number, &mut piece)?;
        piece.iter().for_each(|sample| all.push_sample(&sample));
    }
    Ok(all)
}

/// The mean rating of whoever moves in the samples, to the nearest ten; none where nobody does.
fn rating(samples: &Samples) -> Option<u16> {
    let sum: u64 = samples.iter().map(|sample| u64::from(sample.circumstances.rating)).sum();
    let mean = sum.checked_div(samples.len() as u64)?;
    Some((mean + 5) as u16 / 10 * 10)
}
