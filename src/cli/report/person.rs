//! A page about one person by the full attributes: habits, openings, and moves.

use std::fmt::Write;

use super::{
    charts::{self, PhaseBits, Rate},
    page::{escaped, moves, whole},
    telling::Telling,
};
use crate::{
    attributes::Positioned,
    chess::Phase,
    cli::infer::full::{Favorite, Judged, Told},
    evaluation::{Observation, Tally},
};

/// How many habits are told, of those that are more and of those that are less often.
const TOLD: usize = 15;
/// How many standard deviations from what is expected a habit is.
const TELLING: f32 = 3.0;
/// What is done more seldom than this is left out: it may be far from expected and be a few moves.
const FEWEST: f32 = 20.0;

/// What a page is about.
pub struct Person<'a> {
    /// Who.
    pub name: String,
    /// The games that were learnt from, in words.
    pub data: String,
    /// How many moves were learnt from.
    pub moves: usize,
    /// The person's mean rating.
    pub rating: Option<u16>,
    /// What the person does more and less often than others.
    pub told: &'a [Told],
    /// The openings that the person plays more than others.
    pub favorites: &'a [Favorite],
    /// Moves with what was foretold.
    pub judged: &'a Judged,
    /// Whether nothing was learnt from these moves.
    pub is_held_out: bool,
}

/// The page as HTML.
///
/// # Errors
/// When a chart cannot be drawn.
pub fn html(person: &Person<'_>) -> anyhow::Result<String> {
    let title = format!("How {} plays", escaped(&person.name));
    let telling = Telling::new(&person.judged.moves, &person.judged.own);
    let sections = [
        format!("<h1>{title}</h1>\n{}", introduction(person)),
        format!("<h2>More often than others</h2>\n{}", habits(person, true)?),
        format!("<h2>Less often than others</h2>\n{}", habits(person, false)?),
        format!("<h2>Openings</h2>\n{}", openings(person)),
        format!("<h2>Where {} can be foreseen</h2>\n{}", escaped(&person.name), phases(person)?),
        format!(
            "<h2>Least expected moves</h2>\n<p>The moves that the network found least likely even \
             for {}. The dashed arrow is the move that it expected.</p>\n{}",
            escaped(&person.name),
            moves(&telling.unexpected)
        ),
        format!(
            "<h2>Most expected moves</h2>\n<p>The moves that the network told best, measured \
             against a blind guess.</p>\n{}",
            moves(&telling.expected)
        ),
    ];
    Ok(whole(&title, &sections))
}

/// Who the person is compared with.
fn others(person: &Person<'_>) -> String {
    let rated = |rating: u16| format!("others rated about {rating}");
    person.rating.map_or("others".to_owned(), rated)
}

fn introduction(person: &Person<'_>) -> String {
    let Person { moves, judged, is_held_out, .. } = person;
    let mut text = format!(
        "<p>Inferred by Errare {} from {moves} moves ({}), beside what {} would have played in the \
         same positions.",
        env!("CARGO_PKG_VERSION"),
        escaped(&person.data),
        others(person)
    );
    let gain = judged.gain(&judged.own, &judged.everybody);
    let metrics = (judged.own(), judged.metrics(&judged.everybody), gain);
    if let (Some(own), Some(everybody), Some(gain)) = metrics {
        let which = match is_held_out {
            true => "that nothing was learnt from",
            false => "that were learnt from, which flatter",
        };
        text += &format!(
            " Of {} moves in {} games {which}, {:.1} % were the likeliest; for anybody of that \
             rating {:.1} % would have been. They took {:.2} bits each instead of {:.2}: \
             {:.3} ± {:.3} fewer.",
            own.plies,
            own.games,
            100.0 * own.top_1().mean,
            100.0 * everybody.top_1().mean,
            own.bits.mean,
            everybody.bits.mean,
            gain.mean,
            gain.standard_error
        );
    }
    text + "</p>"
}

fn habits(person: &Person<'_>, is_more: bool) -> anyhow::Result<String> {
    let is_told = |told: &&Told| {
        let deviations = if is_more { told.deviations() } else { -told.deviations() };
        deviations >= TELLING && told.expected.max(told.played as f32) >= FEWEST
    };
    let told: Vec<&Told> = person.told.iter().filter(is_told).take(TOLD).collect();
    if told.is_empty() {
        return Ok("<p>Nothing that could not be chance.</p>".to_owned());
    }
    let expected = |told: &Told| f64::from(told.expected.max(f32::EPSILON));
    let rate = |told: &&Told| Rate {
        text: told.text.clone(),
        times: f64::from(told.played) / expected(told),
        error: f64::from(told.deviation) / expected(told),
    };
    let rates: Vec<Rate> = told.iter().map(rate).collect();
    let mut text = format!(
        "<p class=\"legend\"><span class=\"own\"></span> how many times as often, ± 2 standard \
         errors <span class=\"others\"></span> {}</p>\n<figure>{}</figure>\n<table><tr><th></th>\
         <th>played</th><th>expected</th><th>apart</th></tr>\n",
        others(person),
        charts::rates(&rates)?
    );
    for told in told {
        text += &format!(
            "<tr><td>{}</td><td>{}</td><td>{:.0}</td><td>{:+.1} s.e.</td></tr>\n",
            escaped(&told.text),
            told.played,
            told.expected,
            told.deviations()
        );
    }
    Ok(text
        + "</table>\n<p class=\"note\">Expected is how often others would have done the same in the \
           positions that the person had; a move counts on every line that fits it.</p>")
}

fn openings(person: &Person<'_>) -> String {
    if person.favorites.is_empty() {
        return "<p>None that stands out.</p>".to_owned();
    }
    let mut text = "<p>The moves that are played most surprisingly often in positions that others \
                    had as well.</p>\n<table><tr><th></th><th>played</th><th>others</th></tr>\n"
        .to_owned();
    for Favorite { line, played, met, expected } in person.favorites {
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{played} of {met}, {:.0} %</td><td>{:.1} %</td></tr>",
            escaped(line),
            100.0 * f64::from(*played) / f64::from(*met),
            100.0 * expected
        );
    }
    text + "</table>"
}

fn phases(person: &Person<'_>) -> anyhow::Result<String> {
    let judged = person.judged;
    let mut tallies: Vec<(Phase, [Tally; 2])> =
        Phase::ALL.into_iter().map(|phase| (phase, Default::default())).collect();
    let predictions = judged.own.iter().zip(&judged.everybody);
    for (observed, (own, everybody)) in judged.moves.observed.iter().zip(predictions) {
        let now = Phase::of(observed.game.position());
        for (_, tallies) in tallies.iter_mut().filter(|(phase, _)| *phase == now) {
            for (tally, predicted) in tallies.iter_mut().zip([own, everybody]) {
                let observation = Observation::new(&predicted.probabilities, predicted.played);
                tally.add(observed.record.into(), &observation);
            }
        }
    }
    let phases: Vec<PhaseBits> = tallies
        .into_iter()
        .filter_map(|(phase, [own, everybody])| {
            let (metrics, others) = (own.metrics()?, everybody.metrics()?.bits.mean);
            Some(PhaseBits { phase, metrics, others })
        })
        .collect();
    let mut text = format!(
        "<p class=\"legend\"><span class=\"own\"></span> bits a move, ± 2 standard errors \
         <span class=\"others\"></span> as one of {}</p>\n<figure>{}</figure>\n<table>\
         <tr><th></th><th>moves</th><th>bits a move</th><th>as one of others</th>\
         <th>likeliest played</th></tr>\n",
        others(person),
        charts::phases(&phases)?
    );
    for PhaseBits { phase, metrics, others } in &phases {
        text += &format!(
            "<tr><td>{phase}</td><td>{}</td><td>{:.2}</td><td>{others:.2}</td><td>{:.0} %</td></tr>\n",
            metrics.plies,
            metrics.bits.mean,
            100.0 * metrics.top_1().mean
        );
    }
    Ok(text + "</table>")
}
