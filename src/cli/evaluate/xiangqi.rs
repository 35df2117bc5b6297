//! Judging models of xiangqi players.

use std::path::PathBuf;

use anyhow::bail;
use rayon::prelude::*;

use super::{
    Args, Measured,
    subject::{Ply, Subject, bar, name, nets},
};
use crate::{
    cli::{games, interruption::Interruption},
    engine::{ModelKind, Nets, Settings, xiangqi_player},
    evaluation::ByRange,
    game::Game as _,
    xiangqi::{Color, Game, records::Record},
    xqsv::{Checkpoint, Dataset, Keep, Network, Sample, Selection, observe},
};

/// How many moves a net predicts between two looks at the clock.
const MOVES: usize = 4_096;
/// How many games the look-ahead is asked about between two.
const GAMES: usize = 64;

/// Counts what each model's predictions are worth.
pub fn measure(arguments: &Args, interruption: &Interruption) -> anyhow::Result<Measured> {
    let subjects = subjects(arguments)?;
    let nets = match arguments.model {
        Some(ModelKind::Lookahead | ModelKind::Errare) => Vec::new(),
        _ => load(&arguments.net)?,
    };
    let spinner = bar(None);
    let mut records = Vec::new();
    let complain = |error| spinner.suspend(|| eprintln!("{error}"));
    let count = games::for_each_xiangqi(&arguments.records, complain, |record| {
        spinner.inc(record.moves().len() as u64);
        records.push(record);
        interruption.check()
    })?;
    spinner.finish_and_clear();
    games::tell_rejects(count.rejects);
    let chosen = chosen(arguments, &records);
    let mut measured = Vec::new();
    for subject in subjects {
        let no_history = arguments.no_history;
        let counts = judge(&subject, &records, &chosen, no_history, interruption)?;
        measured.push((subject.name, counts));
    }
    if !nets.is_empty() {
        let men = nets.iter().any(|(_, network)| network.structure().sees_board());
        let mut dataset = Dataset::new(Keep { legal: true, men });
        dataset.extend(&records);
        for (name, network) in nets {
            let counts = judge_net(&name, &network, &dataset, &chosen, interruption)?;
            measured.push((name, counts));
        }
    }
    Ok(measured)
}

/// The models that are asked for one position at a time.
fn subjects(arguments: &Args) -> anyhow::Result<Vec<Subject<Game>>> {
    let Args { model, weights, net, strategy, no_book, .. } = arguments;
    let settings = Settings {
        model: model.unwrap_or(ModelKind::Errare),
        strategy: *strategy,
        own_book: !no_book,
        ..Settings::default()
    };
    match model {
        Some(ModelKind::Memory) if !weights.is_empty() => {
            bail!("the memory model has no weights, wanted --net")
        }
        Some(ModelKind::Lookahead) if !net.is_empty() => {
            bail!("the look-ahead has no net, wanted --weights")
        }
        Some(ModelKind::Lookahead) if weights.is_empty() => {
            bail!("no weights for xiangqi ship, wanted a file by --weights")
        }
        _ if weights.is_empty() && net.is_empty() => {
            Ok(vec![Subject::new("shipped", move |rating| {
                let settings = settings.clone().with_rating(rating);
                xiangqi_player(None, &Nets::default(), &settings)
            })])
        }
        Some(ModelKind::Errare) => {
            bail!("the model errare has what ships alone, wanted no --weights and no --net")
        }
        _ => Subject::of_files(weights, &settings, |person, settings| {
            xiangqi_player(Some(person), &Nets::default(), settings)
        }),
    }
}

fn load(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Network)>> {
    let load = |file: PathBuf| {
        let checkpoint = Checkpoint::load(&file)?;
        Ok((name(&file), Network::new(&checkpoint.parameters)?))
    };
    nets(paths)?.into_iter().map(load).collect()
}

/// The moves that are wanted, in the order of the records.
fn chosen(arguments: &Args, records: &[Record]) -> Vec<Sample> {
    let mut dataset = Dataset::new(Keep::default());
    dataset.extend(records);
    let Args { after_ply, range, limit, every, .. } = arguments;
    let selection = Selection { ratings: range.0.clone(), both: false, after_ply: *after_ply };
    let every = *every as usize;
    let spread = dataset.select(&selection).into_iter().skip(every - 1).step_by(every);
    spread.take(limit.unwrap_or(usize::MAX)).collect()
}

fn judge(
    subject: &Subject<Game>,
    records: &[Record],
    chosen: &[Sample],
    no_history: bool,
    interruption: &Interruption,
) -> anyhow::Result<ByRange> {
    let bar = bar(Some(chosen.len() as u64)).with_message(subject.name.clone());
    let games: Vec<&[Sample]> = chosen.chunk_by(|a, b| a.game == b.game).collect();
    let mut counts = ByRange::default();
    for some in games.chunks(GAMES) {
        let judged: Vec<ByRange> = some
            .par_iter()
            .map(|&samples| {
                let number = samples[0].game;
                let mut plies = plies(&records[number as usize], samples);
                if no_history {
                    plies.iter_mut().for_each(Ply::forget);
                }
                let judged = subject.judge(number.into(), &plies);
                bar.inc(samples.len() as u64);
                judged
            })
            .collect();
        judged.into_iter().for_each(|judged| counts.merge(judged));
        interruption.check()?;
    }
    bar.finish_and_clear();
    Ok(counts)
}

/// The moves of some samples of a game.
fn plies(record: &Record, samples: &[Sample]) -> Vec<Ply<Game>> {
    let mut plies = Vec::with_capacity(samples.len());
    let mut game = Game::from_position(record.start().clone());
    let mut samples = samples.iter().map(|sample| sample.ply as usize).peekable();
    for (ply, &m) in record.moves().iter().enumerate() {
        if samples.next_if_eq(&ply).is_some() {
            let elo = record.header.elo;
            let rating = match game.position().turn() {
                Color::Red => elo.red,
                Color::Black => elo.black,
            };
            plies.push(Ply { game: game.clone(), m, rating });
        }
        game.play(&m);
    }
    plies
}

fn judge_net(
    name: &str,
    network: &Network,
    dataset: &Dataset,
    chosen: &[Sample],
    interruption: &Interruption,
) -> anyhow::Result<ByRange> {
    let bar = bar(Some(chosen.len() as u64)).with_message(name.to_owned());
    let mut counts = ByRange::default();
    for some in chosen.chunks(MOVES) {
        observe(network, dataset, some, &mut |sample, observation| {
            counts.add(sample.game.into(), dataset.rating(sample), &observation);
        })?;
        bar.inc(some.len() as u64);
        interruption.check()?;
    }
    bar.finish_and_clear();
    Ok(counts)
}
