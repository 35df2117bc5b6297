//! `errare perft`: how many positions legal moves reach.

use std::io::Write;

use anyhow::Context;
use shakmaty::Position;

use crate::{
    attributes::Positioned,
    chess::{self, Castling},
    engine::Variant,
    game::Game,
    xiangqi::{self, notation::iccs::Ranks},
};

/// Arguments of `errare perft`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game; told by the FEN where one is given
    #[arg(long)]
    game: Option<Variant>,
    /// The position to start from; the standard one by default
    #[arg(long)]
    fen: Option<String>,
    /// Plies to go
    depth: u32,
}

/// Prints each legal move with the number of positions that follow it, then the total alone.
///
/// # Errors
/// When the FEN cannot be used, or the output cannot be written.
pub fn run(arguments: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let fen = arguments.fen.as_deref();
    let told = fen.and_then(Variant::of_fen);
    match arguments.game.or(told).unwrap_or(Variant::Chess) {
        Variant::Chess => {
            let game: chess::Game = start(fen)?;
            let counted = |m: &shakmaty::Move, depth| {
                let mut position = game.position().clone();
                position.play_unchecked(*m);
                shakmaty::perft(&position, depth)
            };
            print(&game, arguments.depth, Castling::Standard, counted, out)
        }
        Variant::Xiangqi => {
            let game: xiangqi::Game = start(fen)?;
            let counted =
                |m: &xiangqi::Move, depth| xiangqi::perft(&game.position().after(*m), depth);
            print(&game, arguments.depth, Ranks::FromZero, counted, out)
        }
    }
}

fn start<G: Game>(fen: Option<&str>) -> anyhow::Result<G> {
    fen.map_or_else(
        || Ok(G::start()),
        |fen| G::from_fen(fen).with_context(|| format!("FEN `{fen}`")),
    )
}

fn print<G: Game>(
    game: &G,
    depth: u32,
    spelling: G::Spelling,
    counted: impl Fn(&G::Move, u32) -> u64,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut total = 0;
    match depth.checked_sub(1) {
        None => total = 1,
        Some(depth) => {
            for m in game.legal_moves() {
                let count = counted(&m, depth);
                writeln!(out, "{}: {count}", game.write_move(&m, spelling))?;
                total += count;
            }
            writeln!(out)?;
        }
    }
    writeln!(out, "{total}")?;
    Ok(())
}
