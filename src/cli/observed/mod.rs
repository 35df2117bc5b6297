//! Moves of chess games that were named on the command line, one by one.

mod filter;
mod span;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::{ByColor, Color};

use crate::{
    attributes::inference::Observed,
    chess::{
        Game,
        records::{Filter, Games, GamesError, Seen, open},
    },
};
pub use filter::FilterArgs;

/// Moves that count.
#[derive(Debug, Default)]
pub struct Moves {
    /// The moves, in the order in which they were played; the record is the number of the game
    /// among [`games`](Self::games).
    pub observed: Vec<Observed<Game>>,
    /// The games that the moves are from.
    pub games: Vec<OfGame>,
    /// How many games could not be read; each was named on standard error.
    pub broken: u64,
}

/// What a move's game is called.
#[derive(Debug, Clone)]
pub struct OfGame {
    /// The file that it is in, without its folder.
    pub file: String,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The players' names.
    pub names: ByColor<String>,
    /// The rating of the player whose moves count, of White's where both do.
    pub rating: Option<u16>,
}

/// What is taken of the moves that a filter lets count.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// At most so many moves.
    pub limit: usize,
    /// Only each move whose number, counted from one over all games, this divides.
    pub every: usize,
}

impl Moves {
    /// Reads moves of these files, until there are as many as wanted. Games that cannot be read are
    /// named on standard error and counted.
    ///
    /// # Errors
    /// When a file cannot be read, or no move counts; then the message says why.
    pub fn read(files: &[PathBuf], filter: &Filter, share: Share) -> anyhow::Result<Self> {
        let bar = ProgressBar::new_spinner().with_style(
            ProgressStyle::with_template("{spinner} reading: {pos} games, {msg}")
                .expect("the template is a constant that is shown by hand"),
        );
        let mut moves = Self::default();
        let mut seen = Seen::default();
        let mut counted = 0;
        for file in files {
            let source = open(file).with_context(|| format!("reading {}", file.display()))?;
            let mut games = Games::new(source, filter.clone());
            while moves.observed.len() < share.limit
                && let Some(game) = games.next()
            {
                bar.set_position(seen.games + games.seen().games);
                match game {
                    Ok(record) => {
                        moves.add(&record, file, share, &mut counted);
                        bar.set_message(format!("{} moves", moves.observed.len()));
                    }
                    Err(error @ GamesError::Read { .. }) => {
                        return Err(error).with_context(|| format!("reading {}", file.display()));
                    }
                    Err(error) => {
                        bar.suspend(|| eprintln!("{}: {error}", file.display()));
                    }
                }
            }
            add_seen(&mut seen, games.seen());
        }
        bar.finish_and_clear();
        moves.broken = seen.broken;
        if moves.observed.is_empty() {
            bail!(explain_nothing(files, filter, seen));
        }
        Ok(moves)
    }

    fn add(
        &mut self,
        record: &crate::chess::records::Record,
        file: &Path,
        share: Share,
        counted: &mut usize,
    ) {
        let number = self.games.len() as u32;
        let before = self.observed.len();
        record.for_each_counted(|game, m, _| {
            *counted += 1;
            if self.observed.len() < share.limit && counted.is_multiple_of(share.every) {
                self.observed.push(Observed { game: game.clone(), m: *m, record: number });
            }
        });
        if self.observed.len() > before {
            let color = if record.counts.white { Color::White } else { Color::Black };
            self.games.push(OfGame {
                file: file_name(file),
                number: record.number,
                names: record.names.clone(),
                rating: *record.ratings.get(color),
            });
        }
    }
}

/// What a file is called on cards and in reports: its name without its folder.
pub fn file_name(file: &Path) -> String {
    match file.file_name() {
        Some(_) if file == Path::new("-") => "standard input".to_owned(),
        Some(name) => name.to_string_lossy().into_owned(),
        None => file.display().to_string(),
    }
}

fn add_seen(sum: &mut Seen, seen: Seen) {
    sum.games += seen.games;
    sum.counted += seen.counted;
    sum.broken += seen.broken;
    sum.with_player += seen.with_player;
    sum.with_rating += seen.with_rating;
}

/// Why no move counts, and what can be done.
fn explain_nothing(files: &[PathBuf], filter: &Filter, seen: Seen) -> String {
    let names = files.iter().map(|file| match file == Path::new("-") {
        true => file_name(file),
        false => file.display().to_string(),
    });
    let (games, names) = (seen.games, names.collect::<Vec<_>>().join(", "));
    if games == 0 {
        return format!("there is no game in {names}, wanted PGN with one at least");
    }
    if let Some(player) = filter.player.as_ref().filter(|_| seen.with_player == 0) {
        return format!(
            "`{player}` plays in none of the {games} games in {names}, wanted a name as their \
             White and Black tags write it"
        );
    }
    if filter.rating.is_some() && seen.with_rating == 0 {
        return format!(
            "none of the {games} games in {names} gives a rating, wanted WhiteElo and BlackElo \
             tags; leave --rating out"
        );
    }
    if seen.broken > 0 && seen.counted == 0 {
        return format!("none of the {games} games in {names} that count can be read");
    }
    format!("no move of the {games} games in {names} counts, wanted one at least; ask for less")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const PGN: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n\
        [White \"Bert\"]\n[Black \"Anna\"]\n\n1. e4 e5 2. Ke3 *\n\n\
        [White \"Bert\"]\n[Black \"Anna\"]\n\n1. d4 d5 2. c4 e6 *\n";
    const ALL: Share = Share { limit: usize::MAX, every: 1 };

    fn read(pgn: &str, filter: &Filter, share: Share) -> anyhow::Result<Moves> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(pgn.as_bytes()).unwrap();
        Moves::read(&[file.path().to_owned()], filter, share)
    }

    fn filter(player: &str) -> Filter {
        Filter { player: Some(player.to_owned()), ..Filter::default() }
    }

    #[test]
    fn moves_know_their_games_and_broken_games_are_counted() {
        let moves = read(PGN, &filter("Anna"), ALL).unwrap();
        assert_eq!(moves.broken, 1);
        let numbers: Vec<u64> = moves.games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, [1, 3]);
        let records: Vec<u32> = moves.observed.iter().map(|observed| observed.record).collect();
        assert_eq!(records, [0, 0, 1, 1]);
    }

    #[test]
    fn no_more_moves_are_read_than_wanted() {
        let first = read(PGN, &Filter::default(), Share { limit: 3, every: 1 }).unwrap();
        assert_eq!((first.observed.len(), first.broken), (3, 0), "the broken game was not reached");
        let spread = read(PGN, &Filter::default(), Share { limit: 9, every: 3 }).unwrap();
        let plies: Vec<usize> = spread
            .observed
            .iter()
            .map(|observed| crate::game::Game::plies_played(&observed.game))
            .collect();
        assert_eq!(plies, [2, 1]);
    }

    #[test]
    fn nothing_to_count_is_explained() {
        for (pgn, filter, said) in [
            ("", Filter::default(), "there is no game in"),
            (PGN, filter("Carl"), "`Carl` plays in none of the 3 games"),
            (PGN, Filter { rating: Some(0..=9), ..Filter::default() }, "leave --rating out"),
            (PGN, Filter { first_ply: 9, ..Filter::default() }, "no move of the 3 games"),
            ("[White \"A\"]\n\n1. e5 *\n", Filter::default(), "can be read"),
        ] {
            let error = read(pgn, &filter, ALL).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
