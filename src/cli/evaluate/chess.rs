//! Judging models of chess players: games are streamed, some at a time on all processors.

use std::path::Path;

use anyhow::{Context, bail};
use rayon::prelude::*;

use super::{
    Args, Measured,
    subject::{Ply, Subject, bar},
};
use crate::{
    chess::{
        Game,
        records::{Filter, Games, GamesError, Record, open},
    },
    cli::{games, interruption::Interruption},
    engine::{ModelKind, Settings, chess_player},
    evaluation::ByRange,
};

/// How many games are held at a time.
const GAMES: usize = 64;

/// Counts what each model's predictions are worth.
pub fn measure(arguments: &Args, interruption: &Interruption) -> anyhow::Result<Measured> {
    if arguments.model == Some(ModelKind::Memory) || !arguments.net.is_empty() {
        bail!("the memory model plays xiangqi alone, wanted --model lookahead for chess");
    }
    let subjects = subjects(arguments)?;
    let filter = Filter {
        rating: arguments.range.0.as_ref().map(|range| range.start..=range.end - 1),
        first_ply: arguments.after_ply as usize,
        ..Filter::default()
    };
    let mut counts = vec![ByRange::default(); subjects.len()];
    let mut left = arguments.limit.unwrap_or(usize::MAX);
    let mut spread = Spread { every: arguments.every as usize, passed: 0 };
    let bar = bar(arguments.limit.map(|limit| limit as u64));
    let (mut number, mut rejects) = (0, 0);
    for file in &arguments.records {
        let source = open(file).with_context(|| format!("reading {}", file.display()))?;
        let mut records = Games::new(source, filter.clone());
        while left > 0 {
            let mut games = some_games(&mut records, file, &mut left, &mut spread, |error| {
                rejects += 1;
                bar.suspend(|| eprintln!("{error}"));
            })?;
            if arguments.no_history {
                games.iter_mut().flatten().for_each(Ply::forget);
            }
            if games.is_empty() {
                break;
            }
            let judged: Vec<Vec<ByRange>> = games
                .par_iter()
                .enumerate()
                .map(|(rank, plies)| {
                    let judge =
                        |subject: &Subject<Game>| subject.judge(number + rank as u64, plies);
                    let judged = subjects.iter().map(judge).collect();
                    bar.inc(plies.len() as u64);
                    judged
                })
                .collect();
            number += games.len() as u64;
            for judged in judged {
                counts.iter_mut().zip(judged).for_each(|(all, some)| all.merge(some));
            }
            interruption.check()?;
        }
        if records.seen().games == 0 && left > 0 {
            bail!("there is no game in {}, wanted PGN of one at least", file.display());
        }
    }
    bar.finish_and_clear();
    games::tell_rejects(rejects);
    Ok(subjects.into_iter().map(|subject| subject.name).zip(counts).collect())
}

fn subjects(arguments: &Args) -> anyhow::Result<Vec<Subject<Game>>> {
    let Args { strategy, no_book, .. } = *arguments;
    let model = arguments.model.unwrap_or(ModelKind::Errare);
    let settings = Settings { model, strategy, own_book: !no_book, ..Settings::default() };
    if !arguments.weights.is_empty() {
        return Subject::of_files(&arguments.weights, &settings, |person, settings| {
            chess_player(Some(person), settings)
        });
    }
    Ok(vec![Subject::new("shipped", move |rating| {
        chess_player(None, &settings.clone().with_rating(rating))
    })])
}

/// Which of the moves that count are predicted: one of so many.
struct Spread {
    every: usize,
    /// How many moves have come since the last one.
    passed: usize,
}

impl Spread {
    fn takes_next(&mut self) -> bool {
        self.passed = (self.passed + 1) % self.every;
        self.passed == 0
    }
}

/// The moves that count of some games, at most `left` in all.
fn some_games<R: std::io::Read>(
    records: &mut Games<R>,
    file: &Path,
    left: &mut usize,
    spread: &mut Spread,
    mut complain: impl FnMut(String),
) -> anyhow::Result<Vec<Vec<Ply<Game>>>> {
    let mut games = Vec::new();
    while games.len() < GAMES && *left > 0 {
        match records.next() {
            None => break,
            Some(Ok(record)) => {
                let plies = plies(&record, *left, spread);
                *left -= plies.len();
                games.push(plies);
            }
            Some(Err(error @ GamesError::Read { .. })) => {
                return Err(error).with_context(|| format!("reading {}", file.display()));
            }
            Some(Err(error)) => complain(format!("{}: {error}", file.display())),
        }
    }
    Ok(games)
}

fn plies(record: &Record, most: usize, spread: &mut Spread) -> Vec<Ply<Game>> {
    let mut plies = Vec::new();
    record.for_each_counted(|game, m, color| {
        if plies.len() < most && spread.takes_next() {
            let rating = *record.ratings.get(color);
            plies.push(Ply { game: game.clone(), m: *m, rating });
        }
    });
    plies
}
