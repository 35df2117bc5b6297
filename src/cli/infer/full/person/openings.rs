//! What one person knows by heart, counted in the games that the network is fitted to.

use std::{ops::ControlFlow, path::Path};

use anyhow::Context;

use super::{Fitting, favorites::Favorites};
use crate::{
    book::{Book, Card, Counting},
    chess::{self, records::Filter},
    cli::{date, games, observed::file_name, output},
    game::Game as _,
};

/// How many plies of each game are counted. Later ones told nothing more of three people with
/// thousands of games.
const PLIES: usize = 30;

/// The moves of the person in the first plies of the games, whatever plies the network is fitted
/// to, and what is to be said of them.
///
/// # Errors
/// When a file cannot be read, or the user interrupts.
pub fn count(fitting: &Fitting<'_, chess::Game>) -> anyhow::Result<(Book, Favorites)> {
    let task = fitting.task;
    let wanted = task.filter.filter();
    let is_wanted = |ply| ply >= wanted.first_ply && wanted.end_ply.is_none_or(|end| ply < end);
    let all = Filter { first_ply: 0, end_ply: None, ..wanted.clone() };
    let limit = task.limit.map_or(usize::MAX, |limit| limit as usize * task.every as usize);
    let (mut counting, mut favorites) = (Counting::default(), Favorites::default());
    let (mut games, mut learnt) = (0, 0);
    // what cannot be read was named when it was looked at
    games::for_each_chess(
        task.files,
        &all,
        |_| (),
        |record| {
            games += 1;
            favorites.add(&record);
            record.for_each_counted(|game, m, _| {
                if game.plies_played() < PLIES {
                    counting.count_by_all(game, m, None);
                }
                learnt += usize::from(is_wanted(game.plies_played()));
            });
            fitting.interruption.check()?;
            // the book must not know games that the network does not
            Ok(if learnt < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        },
    )?;
    let card = Card::new::<chess::Game>("chess", &fitting.data(), &date::today()).of_person();
    Ok((counting.finish(Card { games, plies: PLIES as u32, ..card }), favorites))
}

/// Writes the book beside the card of the network, and returns the name of its own card.
///
/// # Errors
/// When it cannot be written.
pub fn write(book: &Book, network: &Path) -> anyhow::Result<String> {
    let path = network.with_extension("openings.toml");
    let (card, counts) = book.to_files().context("compressing the book")?;
    output::write(&path.with_extension("book"), &counts)?;
    output::write(&path, card.as_bytes())?;
    Ok(file_name(&path))
}
