//! Looking at the positions of games with the full attributes.

use std::{io, ops::ControlFlow, path::PathBuf};

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use shakmaty::Color;

use crate::{
    attributes::full::{Beheld, Circumstances, Eye, Samples, StoreWriter, View},
    chess,
    cli::{games, interruption::Interruption, observed::FilterArgs},
    game::Game as _,
    xiangqi,
};

/// Games that are looked at together, by all threads.
const TOGETHER: usize = 64;
/// The plies that people play by heart.
const OPENING: usize = 10;
/// The rating of players of chess whose games do not give it.
pub const UNKNOWN_AT_CHESS: u16 = 1500;
/// The rating of players of xiangqi whose games do not give it: they are professionals.
const UNKNOWN_AT_XIANGQI: u16 = 2300;

/// Which moves of games are looked at.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// Whose moves, and of which games.
    pub filter: &'a FilterArgs,
    /// The share of the moves before ply 10 that is looked at.
    pub opening: f64,
    /// Whether each game is looked at in its mirror as well, where it has one.
    pub mirror: bool,
    /// How many moves at most.
    pub limit: usize,
    /// Only each move whose number this divides.
    pub every: usize,
    /// Decides which moves before ply 10.
    pub seed: u64,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looked {
    /// Games of which a move was.
    pub games: u64,
    /// Games that could not be read; each was named on standard error.
    pub broken: u64,
}

/// A move of a game, and all that is to be known of it.
struct Turn<G: Beheld> {
    game: G,
    m: G::Move,
    ratings: (u16, u16),
    ply: usize,
}

/// Looks at moves of games of chess and puts them into a store.
///
/// # Errors
/// When a file cannot be read, the store not be written, or the user interrupts.
pub fn chess(
    files: &[PathBuf],
    wanted: &Wanted<'_>,
    to: &mut StoreWriter,
    interruption: &Interruption,
) -> anyhow::Result<Looked> {
    let mut looking = Looking::new(wanted, to, interruption);
    let bar = looking.bar.clone();
    let complain = |error| bar.suspend(|| eprintln!("{error}"));
    let count = games::for_each_chess(files, &wanted.filter.filter(), complain, |record| {
        let rating = |color| record.ratings.get(color).unwrap_or(UNKNOWN_AT_CHESS);
        let (mut turns, mut mirrored) = (Vec::new(), Vec::new());
        record.for_each_counted(|game, m, color: Color| {
            let ratings = (rating(color), rating(!color));
            let ply = game.plies_played();
            if wanted.mirror
                && let Some(game) = game.mirrored()
            {
                let m = chess::Game::mirrored_move(m);
                mirrored.push(Turn { game, m, ratings, ply });
            }
            turns.push(Turn { game: game.clone(), m: *m, ratings, ply });
        });
        match looking.push(turns)? {
            ControlFlow::Continue(()) if !mirrored.is_empty() => looking.push(mirrored),
            enough => Ok(enough),
        }
    })?;
    looking.looked.broken = count.rejects;
    looking.finish()
}

/// Looks at moves of games of xiangqi and puts them into a store.
///
/// # Errors
/// When a file cannot be read, the store not be written, the filter asks for what records of
/// xiangqi do not tell, or the user interrupts.
pub fn xiangqi(
    files: &[PathBuf],
    wanted: &Wanted<'_>,
    to: &mut StoreWriter,
    interruption: &Interruption,
) -> anyhow::Result<Looked> {
    let FilterArgs { player, color, rating, both, speed, rated, time_control, plies, since, until } =
        wanted.filter;
    ensure!(
        player.is_none()
            && color.is_none()
            && speed.is_empty()
            && !rated
            && time_control.is_none()
            && since.is_none()
            && until.is_none(),
        "games of xiangqi are chosen by --rating, --both and --plies alone, wanted no other filter"
    );
    let (first, end) = plies.map_or((0, None), |plies| (plies.from(), plies.to()));
    let counts = |elo: Option<u16>| {
        rating.is_none_or(|span| elo.is_some_and(|elo| span.inclusive().contains(&elo)))
    };
    let mut looking = Looking::new(wanted, to, interruption);
    let mut is_over = false;
    let count = games::for_each_xiangqi(
        files,
        |error| eprintln!("{error}"),
        |record| {
            if is_over {
                return Ok(());
            }
            let elo = record.header.elo;
            let mirrors: &[bool] = if wanted.mirror { &[false, true] } else { &[false] };
            for &mirror in mirrors {
                if mirror && *record.start() != xiangqi::Position::default() {
                    continue;
                }
                let mut turns = Vec::new();
                let mut game = xiangqi::Game::from_position(record.start().clone());
                for (ply, &m) in record.moves().iter().enumerate() {
                    let m = if mirror { m.mirrored() } else { m };
                    let is_red = game.position().turn() == xiangqi::Color::Red;
                    let (own, other) =
                        if is_red { (elo.red, elo.black) } else { (elo.black, elo.red) };
                    let is_within =
                        ply >= usize::from(first) && end.is_none_or(|end| ply < usize::from(end));
                    if is_within && counts(own) && (!both || counts(other)) {
                        let known = |elo: Option<u16>| elo.unwrap_or(UNKNOWN_AT_XIANGQI);
                        let ratings = (known(own), known(other));
                        turns.push(Turn { game: game.clone(), m, ratings, ply });
                    }
                    game.play(&m);
                }
                is_over = looking.push(turns)?.is_break();
            }
            Ok(())
        },
    )?;
    looking.looked.broken = count.rejects;
    looking.finish()
}

/// Looking under way.
struct Looking<'a, G: Beheld> {
    wanted: &'a Wanted<'a>,
    to: &'a mut StoreWriter,
    interruption: &'a Interruption,
    bar: ProgressBar,
    /// Games that wait to be looked at, each with its number.
    waiting: Vec<(u32, Vec<Turn<G>>)>,
    rng: ChaCha8Rng,
    /// How many moves of the games counted, and how many of them are looked at.
    counted: usize,
    taken: usize,
    games: u32,
    looked: Looked,
}

impl<'a, G: Beheld> Looking<'a, G> {
    fn new(
        wanted: &'a Wanted<'a>,
        to: &'a mut StoreWriter,
        interruption: &'a Interruption,
    ) -> Self {
        let bar = ProgressBar::new_spinner().with_style(
            ProgressStyle::with_template("{spinner} looking: {pos} moves, {per_sec}")
                .expect("the template is a constant that is shown by hand"),
        );
        Self {
            wanted,
            to,
            interruption,
            bar,
            waiting: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(wanted.seed),
            counted: 0,
            taken: 0,
            games: 0,
            looked: Looked::default(),
        }
    }

    /// Takes in a game, and looks at those that wait once they are enough; breaks off where no more
    /// moves are wanted.
    fn push(&mut self, mut turns: Vec<Turn<G>>) -> anyhow::Result<ControlFlow<()>> {
        let Wanted { opening, limit, every, .. } = *self.wanted;
        turns.retain(|turn| {
            if turn.ply < OPENING && opening < 1.0 && self.rng.random::<f64>() >= opening {
                return false;
            }
            self.counted += 1;
            let is_taken = self.taken < limit && self.counted.is_multiple_of(every);
            self.taken += usize::from(is_taken);
            is_taken
        });
        if !turns.is_empty() {
            self.waiting.push((self.games, turns));
            self.looked.games += 1;
        }
        self.games += 1;
        if self.waiting.len() >= TOGETHER {
            self.look()?;
        }
        Ok(match self.taken >= limit {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn look(&mut self) -> anyhow::Result<()> {
        let looked: Vec<Samples> = std::mem::take(&mut self.waiting)
            .into_par_iter()
            .map_init(
                || (Eye::<G>::new(G::REACH), View::default()),
                |(eye, view), (number, turns)| samples(eye, view, number, &turns),
            )
            .collect();
        for samples in looked {
            self.put(&samples).context("writing the samples")?;
        }
        self.interruption.check()
    }

    fn put(&mut self, samples: &Samples) -> io::Result<()> {
        self.bar.inc(samples.len() as u64);
        for sample in samples.iter() {
            self.to.piece().push_sample(&sample);
            self.to.close_piece()?;
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Looked> {
        self.look()?;
        self.bar.finish_and_clear();
        if self.taken == 0 {
            bail!("no move of the games counts, wanted one at least; ask for less");
        }
        Ok(self.looked)
    }
}

/// The moves of a game as samples. A move that a game's rules do not know is left out.
fn samples<G: Beheld>(
    eye: &mut Eye<G>,
    view: &mut View<G::Move>,
    number: u32,
    turns: &[Turn<G>],
) -> Samples {
    let mut samples = Samples::default();
    for Turn { game, m, ratings, ply } in turns {
        eye.look(game, view);
        if let Some(chosen) = view.moves.iter().position(|other| other == m) {
            let (rating, other_rating) = *ratings;
            let circumstances = Circumstances { rating, other_rating, phase: view.phase };
            samples.push(view, chosen, circumstances, number, *ply);
        }
    }
    samples
}
