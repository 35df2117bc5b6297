//! `errare explain`: why people of a rating play the moves of a position.

use std::io::Write;

use anyhow::Context;
use serde_json::json;

use super::table::Table;
use crate::{
    attributes::full::Beheld,
    book::Indexed,
    chess::{self, Castling},
    engine::{self, Variant},
    explanation::{Explained, Explainer, Explanation, Part, Reason},
    game::Game,
    xiangqi::{self, notation::iccs::Ranks},
};

/// How the shares are computed, in two lines for whoever reads the table.
const METHOD: &str = "Points of probability, Shapley values: what each part adds to choosing by \
    chance, averaged\nover the orders in which memory, sight and look-ahead can join.";

/// Arguments of `errare explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position; the standard start by default
    #[arg(long)]
    fen: Option<String>,
    /// Moves played since then, as UCI or ICCS writes them
    #[arg(long, num_args = 1.., value_delimiter = ' ', value_name = "MOVE")]
    moves: Vec<String>,
    /// The game; told by the FEN where one is given
    #[arg(long)]
    game: Option<Variant>,
    /// The rating of who is to move
    #[arg(long, default_value_t = 1500)]
    elo: u16,
    /// How many moves to list, likeliest first
    #[arg(long, default_value_t = 5)]
    top: usize,
    /// How many attributes to name for each move, and how many against it
    #[arg(long, default_value_t = 4)]
    reasons: usize,
    /// Leave out what is known by heart of openings
    #[arg(long)]
    no_book: bool,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Prints the likeliest moves and what makes them likely.
///
/// # Errors
/// When the FEN or a move cannot be used, there is no legal move, or the output cannot be written.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let told = arguments.fen.as_deref().and_then(Variant::of_fen);
    match arguments.game.or(told).unwrap_or(Variant::Chess) {
        Variant::Chess => {
            let game = position(arguments, |_: &chess::Game| Castling::Standard)?;
            let book = (!arguments.no_book).then(engine::chess_book);
            let explainer = Explainer::new(engine::chess_network(), book);
            print(arguments, explainer, &game, Castling::Standard, out)
        }
        Variant::Xiangqi => {
            let words: Vec<&str> = arguments.moves.iter().map(String::as_str).collect();
            let ranks =
                |start: &xiangqi::Game| start.detect_ranks(&words).unwrap_or(Ranks::FromZero);
            let game = position(arguments, ranks)?;
            let book = (!arguments.no_book).then(engine::xiangqi_book);
            let explainer = Explainer::new(engine::xiangqi_network(), book);
            print(arguments, explainer, &game, Ranks::FromZero, out)
        }
    }
}

/// The position that is to be explained, with the moves before it.
fn position<G: Game>(
    arguments: &Args,
    spelling: impl FnOnce(&G) -> G::Spelling,
) -> anyhow::Result<G> {
    let mut game = match &arguments.fen {
        Some(fen) => G::from_fen(fen).context("--fen")?,
        None => G::start(),
    };
    let spelling = spelling(&game);
    for text in arguments.moves.iter().filter(|text| !text.is_empty()) {
        let m = game.parse_move(text, spelling).context("--moves")?;
        game.play(&m);
    }
    Ok(game)
}

fn print<G: Beheld + Indexed>(
    arguments: &Args,
    mut explainer: Explainer<G>,
    game: &G,
    spelling: G::Spelling,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut explanation = explainer.explain(game, arguments.elo, arguments.top);
    anyhow::ensure!(
        !explanation.moves.is_empty(),
        "there is no legal move in `{}`, wanted a position to play in",
        game.fen()
    );
    explanation.moves.truncate(arguments.top);
    let write = |m: &G::Move| game.write_move(m, spelling);
    if arguments.json {
        let object = object(arguments, &explanation, &game.fen(), write);
        serde_json::to_writer_pretty(&mut *out, &object)?;
        return Ok(writeln!(out)?);
    }
    writeln!(out, "{}", shares(&explanation, write))?;
    writeln!(out, "{METHOD}\n")?;
    write!(out, "{}", reasons(arguments, &explanation, write))?;
    Ok(())
}

fn shares<M>(explanation: &Explanation<M>, write: impl Fn(&M) -> String) -> Table {
    let parts = Part::ALL.map(Part::name);
    let mut table = Table::new(["move", "probability", "by chance"].into_iter().chain(parts));
    for explained in &explanation.moves {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let mut row = vec![
            write(&explained.m),
            format!("{} %", percent(explained.probability)),
            percent(explanation.by_chance),
        ];
        row.extend(Part::ALL.map(|part| percent(explained.shares.get(part))));
        table.push(row);
    }
    table
}

/// The reasons that say most for a move, and those that say most against it.
fn most<M>(explained: &Explained<M>, count: usize) -> [Vec<&Reason>; 2] {
    let of = |is_for: bool| {
        let reasons = explained.reasons.iter();
        reasons.filter(|reason| (reason.bits > 0.0) == is_for).take(count).collect()
    };
    [of(true), of(false)]
}

fn reasons<M>(
    arguments: &Args,
    explanation: &Explanation<M>,
    write: impl Fn(&M) -> String,
) -> Table {
    let mut table = Table::new(["move", "", "attributes, in bits of the odds"]);
    for explained in &explanation.moves {
        let most = most(explained, arguments.reasons);
        for (word, reasons) in ["for", "against"].into_iter().zip(most) {
            let reasons: Vec<String> = reasons
                .iter()
                .map(|reason| format!("{} {:+.2}", reason.name, reason.bits))
                .collect();
            table.push([write(&explained.m), word.to_owned(), reasons.join(", ")]);
        }
    }
    table
}

fn object<M>(
    arguments: &Args,
    explanation: &Explanation<M>,
    fen: &str,
    write: impl Fn(&M) -> String,
) -> serde_json::Value {
    let by_part = |of: &dyn Fn(Part) -> f64| {
        let pairs = Part::ALL.map(|part| (part.name().to_owned(), json!(of(part))));
        serde_json::Value::Object(pairs.into_iter().collect())
    };
    let moves: Vec<_> = explanation
        .moves
        .iter()
        .map(|explained| {
            let reasons = most(explained, arguments.reasons).into_iter().flatten();
            let reasons: Vec<_> = reasons
                .map(|reason| {
                    json!({
                        "name": reason.name,
                        "part": reason.part.name(),
                        "bits": reason.bits,
                    })
                })
                .collect();
            json!({
                "move": write(&explained.m),
                "probability": explained.probability,
                "shares": by_part(&|part| explained.shares.get(part)),
                "bits": by_part(&|part| explained.bits.get(part)),
                "reasons": reasons,
            })
        })
        .collect();
    json!({
        "fen": fen,
        "elo": arguments.elo,
        "by_chance": explanation.by_chance,
        "moves": moves,
    })
}
