//! The openings that a person plays more often than others.

use std::collections::HashMap;

use shakmaty::{Position as _, san::SanPlus};

use crate::{
    attributes::Positioned,
    book::{Book, Indexed, Key},
    chess::{Game, records::Record},
    game::Game as _,
};

/// How many plies of a game are looked at.
const PLIES: usize = 14;
/// How often a person must have had a position, and the book know it, to say anything.
const FEWEST: u32 = 8;
/// How many standard deviations apart from others' a person's share is to be told.
const TELLING: f64 = 3.0;
/// How many favorites are told.
const TOLD: usize = 12;

/// A move that a person plays more often than others of the rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Favorite {
    /// The moves with their numbers, the favorite one last.
    pub line: String,
    /// How often it was played, of how many times that the position was on the board.
    pub played: u32,
    /// See above.
    pub met: u32,
    /// The share of others who play it.
    pub expected: f64,
}

/// Positions near the start that were met.
#[derive(Debug, Clone, Default)]
pub struct Favorites {
    met: HashMap<u64, Met>,
}

#[derive(Debug, Clone)]
struct Met {
    game: Game,
    line: String,
    /// The sum of the person's ratings there.
    ratings: u64,
    played: Vec<u32>,
}

impl Favorites {
    /// Takes the moves of a game that count.
    pub fn add(&mut self, record: &Record) {
        record.for_each_counted(|game, m, color| {
            if game.plies_played() >= PLIES {
                return;
            }
            let position = game.entry(Key::Position, &[]).position;
            let met = self.met.entry(position).or_insert_with(|| Met {
                game: game.clone(),
                line: line(record, game.plies_played()),
                ratings: 0,
                played: vec![0; game.legal_moves().len()],
            });
            met.ratings += u64::from(record.ratings.get(color).unwrap_or(1500));
            if let Some(place) = met.game.legal_moves().iter().position(|other| other == m) {
                met.played[place] += 1;
            }
        });
    }

    /// The moves that were played most surprisingly often, beside a book of everybody's.
    pub fn most(&self, book: &Book) -> Vec<Favorite> {
        let mut favorites: Vec<(f64, Favorite)> = Vec::new();
        for Met { game, line, ratings, played } in self.met.values() {
            let met: u32 = played.iter().sum();
            if met < FEWEST {
                continue;
            }
            let legal = game.legal_moves();
            let rating = (ratings / u64::from(met)) as u16;
            let entry = game.entry(Key::Position, &legal);
            let Some(counts) = book.weighted(Key::Position, &entry, rating) else { continue };
            let all: f64 = counts.iter().sum();
            if all < FEWEST.into() {
                continue;
            }
            for ((m, &played), &count) in legal.iter().zip(played).zip(&counts) {
                let expected = (count + 0.5) / (all + 1.0);
                let n = f64::from(met);
                // others' share is known from some games only
                let variance = expected * (1.0 - expected) * (n + n * n / all);
                let deviations = (f64::from(played) - n * expected) / variance.sqrt();
                if deviations >= TELLING {
                    let line = format!("{line}{}", written(game, *m));
                    favorites.push((deviations, Favorite { line, played, met, expected }));
                }
            }
        }
        favorites.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.line.cmp(&b.1.line)));
        favorites.into_iter().take(TOLD).map(|(_, favorite)| favorite).collect()
    }
}

/// A move with its number, `3. Bf4` or `3… Nf6`.
fn written(game: &Game, m: shakmaty::Move) -> String {
    let position = game.position();
    let dots = if position.turn().is_white() { "." } else { "…" };
    format!("{}{dots} {}", position.fullmoves(), SanPlus::from_move(position.clone(), m))
}

/// The first moves of a game as a line that goes on.
fn line(record: &Record, plies: usize) -> String {
    let mut game = record.start.clone();
    let mut line = String::new();
    for &m in &record.moves[..plies] {
        let position = game.position();
        if position.turn().is_white() {
            line += &format!("{}. ", position.fullmoves());
        }
        line += &format!("{} ", SanPlus::from_move(position.clone(), m));
        game.play(&m);
    }
    if game.position().turn().is_white() || line.is_empty() { line } else { line + "· " }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        book::{Card, Counting},
        chess::records::{Filter, Games},
    };

    #[test]
    fn a_favorite_is_what_others_play_less() {
        let game = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 a6 2. d4 h6 *\n\n".repeat(20);
        let filter = Filter { player: Some("Bert".to_owned()), ..Filter::default() };
        let mut favorites = Favorites::default();
        for record in Games::new(game.as_bytes(), filter) {
            favorites.add(&record.unwrap());
        }
        let mut counting = Counting::default();
        let mut start = Game::start();
        start.play(&start.parse_move("e2e4", Default::default()).unwrap());
        for (text, times) in [("e7e5", 90), ("a7a6", 10)] {
            let m = start.parse_move(text, Default::default()).unwrap();
            (0..times).for_each(|_| counting.count(&start, &m, Some(1500)));
        }
        let book = counting.finish(Card::new::<Game>("chess", "a test", "2026-11-30"));
        let most = favorites.most(&book);
        assert_eq!(most.len(), 1, "the book knows nothing of the second move: {most:?}");
        let Favorite { line, played, met, expected } = &most[0];
        assert_eq!((line.as_str(), played, met), ("1. e4 · 1… a6", &20, &20));
        assert!((0.09..0.12).contains(expected), "{expected}");
    }
}
