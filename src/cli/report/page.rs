//! The page itself: what was found, in HTML.

use std::fmt::Write;

use shakmaty::Position;

use super::{
    Band, Subject, board,
    charts::PhaseBits,
    comparison::Comparison,
    telling::{Telling, Told},
};

const STYLE: &str = include_str!("page.css");

/// What a page is made of.
pub struct Parts<'a> {
    /// What it is about.
    pub subject: &'a Subject<'a>,
    /// Who the player is compared with.
    pub band: Option<&'a Band>,
    /// The weights as a drawing.
    pub weights_chart: String,
    /// The bits by phase as a drawing.
    pub phases_chart: String,
    /// The weights one by one.
    pub comparisons: &'a [Comparison],
    /// The bits by phase.
    pub phases: &'a [PhaseBits],
    /// The moves to show.
    pub telling: &'a Telling,
}

/// The page.
pub fn write(parts: &Parts<'_>) -> String {
    let title = escaped(&parts.subject.title);
    let sections = [
        format!("<h1>{title}</h1>\n{}", introduction(parts)),
        format!("<h2>What the player thinks of what</h2>\n{}", weights(parts)),
        format!("<h2>Where the player can be foreseen</h2>\n{}", phases(parts)),
        format!(
            "<h2>Least expected moves</h2>\n<p>The moves that the model found least likely: \
             strokes of genius, blunders, and what it does not see. The dashed arrow is the move \
             that it expected.</p>\n{}",
            moves(&parts.telling.unexpected)
        ),
        format!(
            "<h2>Most expected moves</h2>\n<p>The moves that the model told best, measured against \
             a blind guess.</p>\n{}",
            moves(&parts.telling.expected)
        ),
    ];
    whole(&title, &sections)
}

/// A page of some sections, with the drawings that they use.
pub fn whole(title: &str, sections: &[String]) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n{}\n<main>\n{}\n\
         </main>\n</body>\n</html>\n",
        board::STYLE,
        board::SYMBOLS,
        sections.join("\n")
    )
}

fn introduction(parts: &Parts<'_>) -> String {
    let Subject { moves, fit, held_out, filters, .. } = parts.subject;
    let mut text = format!(
        "<p>Inferred by Errare {} from {} moves of {} games",
        env!("CARGO_PKG_VERSION"),
        fit.moves,
        moves.games.len()
    );
    if !filters.is_empty() {
        text += &format!(" ({})", escaped(filters));
    }
    text += &format!(
        ", taking the player to look ahead by the strategy <b>{}</b>. A move takes <b>{:.2}</b> \
         bits to tell, {:.0} % of what it takes knowing the rules alone.",
        fit.strategy,
        fit.bits_per_move(),
        100.0 * fit.compression()
    );
    if let Some(metrics) = held_out {
        text += &format!(
            " Of {} moves in {} games that were held out, {:.0} % were the likeliest; they took \
             {:.2} bits each.",
            metrics.plies,
            metrics.games,
            100.0 * metrics.top_1().mean,
            metrics.bits.mean
        );
    }
    text + "</p>"
}

fn weights(parts: &Parts<'_>) -> String {
    let mut text = match parts.band {
        Some(band) => {
            let said: Vec<String> =
                parts.comparisons.iter().filter_map(Comparison::in_words).collect();
            let than = format!("than others rated about {:.0}", band.rating);
            match said.split_last() {
                None => format!(
                    "<p>No difference from others rated about {:.0} is larger than two standard \
                     errors.</p>",
                    band.rating
                ),
                Some((only, [])) => format!("<p>The player {only} {than}.</p>"),
                Some((last, rest)) => {
                    format!("<p>The player {} and {last} {than}.</p>", rest.join(", "))
                }
            }
        }
        None => "<p>There is nobody to compare the player with: no rating is known, or the \
                 strategy is not the one of the people that ship.</p>"
            .to_owned(),
    };
    text += "\n<p class=\"legend\"><span class=\"own\"></span> the player, ± 2 standard errors";
    if parts.band.is_some() {
        text += " <span class=\"others\"></span> others of that rating";
    }
    text += &format!("</p>\n<figure>{}</figure>\n", parts.weights_chart);
    text += "<table><tr><th></th><th>weight</th><th>in pawns</th>";
    if parts.band.is_some() {
        text += "<th>others</th><th>in pawns</th><th>apart</th>";
    }
    text += "</tr>\n";
    for row in parts.comparisons {
        // a minus before nothing but zeros tells nothing
        let own_pawns = (100.0 * row.own_pawns).round() / 100.0 + 0.0;
        text += &format!(
            "<tr><td>{}</td><td>{:.3} ± {:.3}</td><td>{:.2}</td>",
            row.name, row.own, row.error, own_pawns
        );
        if let (Some(others), Some(pawns), Some(apart)) =
            (row.others, row.others_pawns, row.errors_apart())
        {
            text += &format!("<td>{others:.3}</td><td>{pawns:.2}</td><td>{apart:+.1} s.e.</td>");
        }
        text += "</tr>\n";
    }
    text + "</table>\n<p class=\"note\">A weight says how much likelier one more of something \
            makes a move, in nats; divided by the weight of material it is in pawns. Larger \
            weights throughout mean a more decided player.</p>"
}

fn phases(parts: &Parts<'_>) -> String {
    let mut text = format!(
        "<p class=\"legend\"><span class=\"own\"></span> bits a move, ± 2 standard errors \
         <span class=\"others\"></span> knowing the rules alone</p>\n<figure>{}</figure>\n<table>\
         <tr><th></th><th>moves</th><th>bits a move</th><th>of a blind guess</th>\
         <th>likeliest played</th></tr>\n",
        parts.phases_chart
    );
    for PhaseBits { phase, metrics, .. } in parts.phases {
        text += &format!(
            "<tr><td>{phase}</td><td>{}</td><td>{:.2}</td><td>{:.0} %</td><td>{:.0} %</td></tr>\n",
            metrics.plies,
            metrics.bits.mean,
            100.0 * metrics.compression(),
            100.0 * metrics.top_1().mean
        );
    }
    text + "</table>"
}

/// Boards with moves.
pub fn moves(told: &[Told]) -> String {
    let mut text = "<div class=\"boards\">\n".to_owned();
    for told in told {
        let (played, likeliest) = (told.played, told.likeliest);
        let other = (likeliest.0 != played.0).then_some(likeliest.0);
        let drawing = board::draw(told.position.board(), told.position.turn(), played.0, other);
        let mut caption = format!(
            "<b>{}</b> {} ({:.1} bits)",
            escaped(&told.numbered()),
            percent(played.1),
            told.bits
        );
        if other.is_some() {
            let written = escaped(&told.written(likeliest.0));
            caption += &format!("; expected {written} {}", percent(likeliest.1));
        }
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "<figure>{drawing}<figcaption>{caption}<br><small>{}</small></figcaption></figure>",
            escaped(&told.game)
        );
    }
    text + "</div>"
}

/// A share in percent, with as many digits as it needs.
fn percent(share: f64) -> String {
    match 100.0 * share {
        ..0.001 => "under 0.001 %".to_owned(),
        percent @ ..1.0 => format!("{percent:.3} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// Text with the characters that mean something in HTML written out.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
