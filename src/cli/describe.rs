//! `errare describe`: the card of a net or of a file of weights.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::table::Table;
use crate::{
    attributes::{Weights, WeightsFile, full, shipped_weights},
    book, chess,
    engine::{shipped_books, shipped_cards},
    evaluation::{Estimate, Metrics, RANGE_WIDTH},
    xiangqi,
    xqsv::{Checkpoint, Variable, with_ending},
};

/// Arguments of `errare describe`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Nets, by their card or their tensors, books by their card, and files of weights; without
    /// any, what ships
    files: Vec<PathBuf>,
}

/// Prints what each file is, what it was made from and how well it predicts.
///
/// # Errors
/// When a file is neither a net nor a file of weights, or not what its card says.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.files.is_empty() {
        write!(out, "{}", what_ships()?)?;
    }
    for (rank, file) in arguments.files.iter().enumerate() {
        if rank > 0 {
            writeln!(out)?;
        }
        match kind(file)? {
            Kind::Weights => {
                let weights = WeightsFile::read(file)?;
                write!(out, "{}", of_weights(file, &weights))?;
            }
            Kind::Full(card) => {
                writeln!(out, "{}: a network over the full set of attributes\n", file.display())?;
                write!(out, "{}", of_full(&card))?;
            }
            Kind::Book(card) => {
                writeln!(out, "{}: a book of openings\n", file.display())?;
                write!(out, "{}", of_book(&card))?;
            }
            Kind::Net => {
                let checkpoint = Checkpoint::load(file)?;
                write!(out, "{}", of_net(file, &checkpoint))?;
            }
        }
    }
    Ok(())
}

/// What ships: the networks over the full set of attributes, the nets, and the weights of each
/// band of ratings.
fn what_ships() -> anyhow::Result<String> {
    let mut text = String::new();
    for card in [chess::full::shipped::CARD, xiangqi::full::shipped::CARD] {
        let card: full::Card = toml::from_str(card).context("reading what ships")?;
        text += &format!("{}, full set of attributes\n{}\n", card.game, of_full(&card));
    }
    for card in shipped_books() {
        text += &format!("{}, openings known by heart\n{}\n", card.game, of_book(&card));
    }
    let titles = ["xiangqi, net", "ratings", "structure", "moves", "bits a move", "top-1"];
    let mut table = Table::new(titles);
    for (name, card) in shipped_cards() {
        let metrics = card.metrics.as_ref();
        table.push([
            name.to_owned(),
            ratings(card.ratings),
            card.structure.to_string(),
            metrics.map_or(String::new(), |metrics| metrics.plies.to_string()),
            metrics.map_or(String::new(), |metrics| format!("{:.3}", metrics.bits.mean)),
            metrics.map_or(String::new(), |m| format!("{:.2} %", 100.0 * m.top_1().mean)),
        ]);
    }
    text += &format!("{table}\n");
    let titles = ["chess, Elo", "strategy", "moves", "bits a move", "of a uniform choice"];
    let mut table = Table::new(titles.into_iter().chain(Weights::NAMES));
    for (lowest, file) in shipped_weights() {
        let bits = |bits: Option<f64>| bits.map_or(String::new(), |bits| format!("{bits:.3}"));
        let mut row = vec![
            format!("{lowest}..{}", lowest + (RANGE_WIDTH - 1)),
            file.strategy.to_string(),
            file.moves.map_or(String::new(), |moves| moves.to_string()),
            bits(file.bits_per_move),
            bits(file.uniform_bits_per_move),
        ];
        row.extend(file.weights.to_array().map(|weight| format!("{weight:.3}")));
        table.push(row);
    }
    Ok(text + &table.to_string())
}

/// What a file is.
enum Kind {
    Weights,
    Full(Box<full::Card>),
    Book(Box<book::Card>),
    /// Anything else, of which a net's own reader says what is wrong.
    Net,
}

fn kind(file: &Path) -> anyhow::Result<Kind> {
    if file.extension().is_some_and(|ending| ending == "safetensors") {
        return Ok(Kind::Net);
    }
    let text = match fs::read(file) {
        // a net may be named without its ending
        Err(_) if with_ending(file, "safetensors").exists() => return Ok(Kind::Net),
        text => text.with_context(|| format!("reading {}", file.display()))?,
    };
    let text = String::from_utf8_lossy(&text);
    if text.lines().any(|line| line.trim() == "[weights]") {
        return Ok(Kind::Weights);
    }
    if let Ok(card) = toml::from_str(&text) {
        return Ok(Kind::Book(Box::new(card)));
    }
    Ok(toml::from_str(&text).map_or(Kind::Net, |card| Kind::Full(Box::new(card))))
}

fn of_book(card: &book::Card) -> Table {
    let mut table = Table::new(["made", &card.date]);
    let book::Card { data, games, plies, least, positions, prior, reach, .. } = card;
    let from = format!("{games} games, the first {plies} plies: {data}");
    let kept = format!("{positions} positions seen {least} times or oftener");
    let mut mixed = format!("a prediction counts for {prior} moves");
    match card.prior_of_setup {
        Some(setup) => {
            mixed += &format!(
                "; for {setup} where only the own men and the other's last move are the same"
            );
        }
        None => mixed += &format!("; ratings {reach} apart for 1/e"),
    }
    for (name, value) in [("from", from), ("kept", kept), ("mixed", mixed)] {
        table.push([name.to_owned(), value]);
    }
    table.push(["SHA-256".to_owned(), card.sha256.clone()]);
    table
}

fn of_full(card: &full::Card) -> Table {
    let mut table = Table::new(["made", &card.date]);
    for (name, value) in [
        ("from", card.data.clone()),
        ("moves", card.moves.to_string()),
        ("fit", card.fit.clone()),
        ("SHA-256", card.sha256.clone()),
    ] {
        table.push([name.to_owned(), value]);
    }
    if let Some(book) = &card.book {
        table.push(["knows by heart".to_owned(), book.clone()]);
    }
    if let Some(measured) = &card.measured {
        let full::MeasuredOn { data, moves, top1, top1_se, bits, bits_se } = measured;
        table.push(["measured on".to_owned(), format!("{moves} moves, {data}")]);
        table.push(["top-1".to_owned(), format!("{top1:.2} ± {top1_se:.2} %")]);
        table.push(["bits a move".to_owned(), format!("{bits:.3} ± {bits_se:.3}")]);
    }
    table
}

/// A range of ratings in words.
fn ratings(range: Option<[u16; 2]>) -> String {
    range.map_or("all".to_owned(), |[low, high]| format!("{low}..{}", high.saturating_sub(1)))
}

fn of_net(file: &Path, checkpoint: &Checkpoint) -> String {
    let card = &checkpoint.card;
    let numbers: usize = checkpoint.parameters.tensors().values().map(|t| t.elem_count()).sum();
    let types: std::collections::BTreeSet<&str> =
        checkpoint.parameters.tensors().values().map(|t| t.dtype().as_str()).collect();
    let types: Vec<&str> = types.into_iter().collect();
    let mut text = format!("{}: a net for xiangqi\n", file.display());
    text += &format!("{}\n\n", card.about);
    let mut table = Table::new(["made", &card.date]);
    for (name, value) in [
        ("from", card.data.clone()),
        ("ratings", ratings(card.ratings)),
        ("parameters", format!("{numbers} of type {}", types.join(", "))),
        ("vocabulary", card.vocabulary.clone()),
        ("SHA-256", card.sha256.clone()),
    ] {
        table.push([name.to_owned(), value]);
    }
    text += &format!("{table}\n");
    let mut table = Table::new(["structural variable", "value"]);
    for variable in Variable::ALL {
        table.push([variable.abbreviation().to_owned(), card.structure.value(variable)]);
    }
    text += &table.to_string();
    if let Some(metrics) = &card.metrics {
        text += &format!("\n{}", of_metrics(metrics));
    }
    text
}

fn of_metrics(metrics: &Metrics) -> Table {
    let title = format!("{} moves of {} games", metrics.plies, metrics.games);
    let mut table = Table::new([title.as_str(), "mean", "standard error"]);
    let bits = [("bits a move", metrics.bits), ("bits of a uniform choice", metrics.uniform_bits)];
    for (name, estimate) in bits.into_iter().filter(|(_, estimate)| estimate.mean.is_finite()) {
        let Estimate { mean, standard_error } = estimate;
        table.push([name.to_owned(), format!("{mean:.3}"), format!("{standard_error:.3}")]);
    }
    let mut share = |name: String, estimate: &Estimate| {
        let [mean, error] =
            [estimate.mean, estimate.standard_error].map(|share| format!("{:.2} %", 100.0 * share));
        table.push([name, mean, error]);
    };
    for (k, estimate) in (1..).zip(&metrics.top_k) {
        share(format!("top-{k}"), estimate);
    }
    for (p, estimate) in (0..).zip(&metrics.top_p) {
        share(format!("top-p 0.{p}"), estimate);
    }
    for (name, estimate) in [
        ("top-1 without the filter", &metrics.unfiltered_top_1),
        ("legal mass without the filter", &metrics.legal_mass),
    ] {
        if let Some(estimate) = estimate {
            share(name.to_owned(), estimate);
        }
    }
    table
}

fn of_weights(file: &Path, weights: &WeightsFile) -> String {
    let mut text = format!("{}: weights of the look-ahead\n\n", file.display());
    let strategy = weights.strategy.to_string();
    let mut table = Table::new(["strategy", &strategy]);
    for (name, value) in [
        ("from", weights.data.clone()),
        ("filters", weights.filters.clone()),
        ("moves", weights.moves.map(|moves| moves.to_string())),
        ("bits a move", weights.bits_per_move.map(|bits| format!("{bits:.3}"))),
        ("of a uniform choice", weights.uniform_bits_per_move.map(|bits| format!("{bits:.3}"))),
    ] {
        if let Some(value) = value {
            table.push([name.to_owned(), value]);
        }
    }
    text += &format!("{table}\n");
    let mut table = Table::new(["attribute", "weight", "standard error"]);
    let errors = weights.standard_errors.map(|errors| errors.to_array());
    for (rank, (name, weight)) in
        Weights::NAMES.into_iter().zip(weights.weights.to_array()).enumerate()
    {
        let error = errors.and_then(|errors| errors.get(rank).copied());
        let error = error.map_or(String::new(), |error| format!("{error:.4}"));
        table.push([name.to_owned(), format!("{weight:.4}"), error]);
    }
    text + &table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attributes::{ONE_PLY, Strategy},
        xqsv::{Card, Parameters, Structure},
    };

    fn described(file: &Path) -> anyhow::Result<String> {
        let mut text = Vec::new();
        run(&Args { files: vec![file.to_owned()] }, &mut text)?;
        Ok(String::from_utf8(text)?)
    }

    #[test]
    fn nets_and_weights_are_told_apart_and_described() {
        let folder = tempfile::tempdir().unwrap();
        let structure = Structure { hidden: 4, memory: 7, ..Structure::default() };
        let card = Card::new(structure, "A net for a test.", "ten games", "2026-11-29");
        let parameters = Parameters::random(structure, 1).unwrap();
        let net = folder.path().join("net");
        Checkpoint { card, parameters }.save(&net).unwrap();
        let weights = folder.path().join("weights.toml");
        fs::write(&weights, WeightsFile::new(ONE_PLY, Strategy::Min1Max2).to_toml()).unwrap();

        for ending in ["", "toml", "safetensors"] {
            let text = described(&net.with_extension(ending)).unwrap();
            assert!(text.contains("A net for a test.") && text.contains("ten games"), "{text}");
            assert!(
                text.lines().any(|line| line.starts_with("m ") && line.ends_with('7')),
                "{text}"
            );
        }
        let full = folder.path().join("full.toml");
        fs::write(&full, chess::full::shipped::CARD).unwrap();
        let text = described(&full).unwrap();
        assert!(text.contains("full set of attributes") && text.contains("top-1"), "{text}");
        let book = folder.path().join("openings.toml");
        let card = crate::engine::shipped_books().next().unwrap();
        fs::write(&book, toml::to_string(&card).unwrap()).unwrap();
        let text = described(&book).unwrap();
        assert!(text.contains("a book of openings") && text.contains("positions seen"), "{text}");
        let text = described(&weights).unwrap();
        assert!(text.contains("min1max2") && text.contains("material"), "{text}");
        let missing = folder.path().join("none.toml");
        let error = format!("{:#}", described(&missing).unwrap_err());
        assert!(error.contains("none.toml"), "{error}");
        let mut text = Vec::new();
        run(&Args { files: Vec::new() }, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        for wanted in [
            "chess, open",
            "xiangqi, open",
            "chess, full",
            "xiangqi, full",
            "xiangqi, net",
            "1500..1599",
        ] {
            assert!(text.lines().any(|line| line.starts_with(wanted)), "{wanted}: {text}");
        }
    }
}
