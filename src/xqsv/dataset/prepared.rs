//! Prepared sets: games as one compact file that is mapped into memory, with a card beside it.
//!
//! The file is in the form of safetensors, so that other programs can read it: `labels`, and where
//! they are kept `legal.labels`, `legal.counts`, `legal.played`, `men.numbers` and `men.counts`,
//! all ply by ply; `games.plies`, `games.ratings` (mover of the first ply first; zero where
//! unknown) and `games.first` (zero where Red made the first move) game by game, and where some do
//! not begin as usual `games.starts`, a line for each with the FEN of its start, empty for the
//! usual one. The games to validate on come last.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytemuck::Pod;
use memmap2::Mmap;
use safetensors::{Dtype, SafeTensorError, SafeTensors, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Column, Dataset, Keep, Kept, column::map};
use crate::{
    xiangqi::{ByColor, Color, Fen, Position},
    xqsv::{
        CheckpointError,
        checkpoint::{keep_file, read_toml, temporary_beside, write_toml},
        senses::MEN,
        vocabulary::{LABELS, vocabulary_hash},
        with_ending,
    },
};

/// What a prepared set is: kept as TOML beside it, `NAME.toml` beside `NAME.games`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreparedCard {
    /// Which games these are.
    pub data: String,
    /// When they were prepared, as year-month-day.
    pub date: String,
    /// How many games there are to learn from.
    pub games: usize,
    /// How many moves they have.
    pub plies: usize,
    /// How many games there are to validate on.
    pub valid_games: usize,
    /// How many moves they have.
    pub valid_plies: usize,
    /// How many games could not be read.
    pub rejects: u64,
    /// Whether the legal moves of each ply are there.
    pub legal: bool,
    /// Whether the men on the board are.
    pub men: bool,
    /// The hash of the labels' texts: see [`vocabulary_hash`].
    pub vocabulary: String,
    /// The hashes of the games to learn from and of those to validate on: see [`Dataset::hash`].
    pub hashes: [String; 2],
}

/// A prepared set.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What it is.
    pub card: PreparedCard,
    /// The games to learn from.
    pub train: Dataset,
    /// The games to validate on.
    pub valid: Dataset,
}

/// Why a prepared set could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PreparedError {
    /// It could not be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The card could not.
    #[error(transparent)]
    Card(#[from] CheckpointError),
    /// It is no set, or not one of this program's.
    #[error("{}: {flaw}", file.display())]
    Flaw {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what was wanted.
        flaw: String,
    },
}

/// The files of the card and of the games.
fn files(file: &Path) -> (PathBuf, PathBuf) {
    (with_ending(file, "toml"), with_ending(file, "games"))
}

impl Prepared {
    /// Writes games to learn from and games to validate on, each file to a temporary name first.
    /// The numbers and hashes on the card are brought up to date.
    ///
    /// # Errors
    /// When the two do not keep the same, or a file cannot be written.
    pub fn save(&mut self, file: &Path) -> Result<(), PreparedError> {
        let (card_file, games_file) = files(file);
        let Self { card, train, valid } = self;
        if train.keep != valid.keep {
            let flaw = "the games to validate on keep something else than those to learn from";
            return Err(PreparedError::Flaw { file: games_file, flaw: flaw.to_owned() });
        }
        card.hashes = [train.hash(), valid.hash()];
        card.vocabulary = vocabulary_hash().to_owned();
        (card.games, card.plies) = (train.games(), train.plies());
        (card.valid_games, card.valid_plies) = (valid.games(), valid.plies());
        Keep { legal: card.legal, men: card.men } = train.keep;
        let write = || {
            let temporary = temporary_beside(&games_file)?;
            safetensors::serialize_to_file(tensors(train, valid), None, &temporary).map_err(
                |error| match error {
                    SafeTensorError::IoError(error) => error,
                    other => io::Error::other(other),
                },
            )?;
            keep_file(temporary, &games_file)
        };
        write().map_err(|source| PreparedError::Io { file: games_file.clone(), source })?;
        Ok(write_toml(&card_file, card)?)
    }

    /// Maps the set whose card or games are in `file`, whichever of the two is named.
    ///
    /// # Errors
    /// When a file is missing, truncated or not what it should be: all numbers are checked, so
    /// that whatever is read of the set later is there.
    pub fn load(file: &Path) -> Result<Self, PreparedError> {
        let (card_file, games_file) = files(file);
        let io = |source| PreparedError::Io { file: games_file.clone(), source };
        let flaw = |flaw| PreparedError::Flaw { file: games_file.clone(), flaw };
        let Some(card) = read_toml::<PreparedCard>(&card_file)? else {
            let flaw = "there is no card of a prepared set".to_owned();
            return Err(PreparedError::Flaw { file: card_file, flaw });
        };
        if card.vocabulary != vocabulary_hash() {
            let (got, wanted) = (&card.vocabulary, vocabulary_hash());
            return Err(flaw(format!("prepared for the vocabulary {got}, wanted {wanted}")));
        }
        let all = read(&map(&games_file).map_err(io)?, &card).map_err(flaw)?;
        let games = all.games();
        let train = all.games_within(0..card.games);
        Ok(Self { train, valid: all.games_within(card.games..games), card })
    }
}

/// The tensors of a set, in any order.
fn tensors<'a>(train: &'a Dataset, valid: &'a Dataset) -> Vec<(&'static str, Tensor<'a>)> {
    let sets = [train, valid];
    let games = || sets.into_iter().flat_map(|set| &set.games);
    let plies = games().flat_map(|game| (game.plies.len() as u32).to_le_bytes()).collect();
    let ratings = games()
        .flat_map(|game| [game.ratings.red, game.ratings.black])
        .flat_map(|rating| rating.unwrap_or(0).to_le_bytes())
        .collect();
    let first = games().map(|game| u8::from(game.first == Color::Black)).collect();
    let count = games().count();
    let mut tensors = vec![
        ("games.plies", Tensor::own(Dtype::U32, vec![count], plies)),
        ("games.ratings", Tensor::own(Dtype::U16, vec![count, 2], ratings)),
        ("games.first", Tensor::own(Dtype::U8, vec![count], first)),
        ("labels", Tensor::of(Dtype::U16, &train.labels, &valid.labels)),
    ];
    if games().any(|game| game.start.is_some()) {
        let fen = |start: &Arc<Position>| Fen::from_position(start).to_string();
        let line = |game: &Kept| game.start.as_ref().map_or(String::new(), fen) + "\n";
        let lines: Vec<u8> = games().flat_map(|game| line(game).into_bytes()).collect();
        tensors.push(("games.starts", Tensor::own(Dtype::U8, vec![lines.len()], lines)));
    }
    if train.keep.legal {
        tensors.push(("legal.labels", Tensor::of(Dtype::U16, &train.legal, &valid.legal)));
        let (one, other) = (&train.legal_counts, &valid.legal_counts);
        tensors.push(("legal.counts", Tensor::of(Dtype::U8, one, other)));
        tensors.push(("legal.played", Tensor::of(Dtype::U8, &train.played, &valid.played)));
    }
    if train.keep.men {
        tensors.push(("men.numbers", Tensor::of(Dtype::U16, &train.men, &valid.men)));
        tensors.push(("men.counts", Tensor::of(Dtype::U8, &train.men_counts, &valid.men_counts)));
    }
    tensors
}

/// Numbers to be written, those of the games to validate on after the others.
struct Tensor<'a> {
    kind: Dtype,
    shape: Vec<usize>,
    parts: [Cow<'a, [u8]>; 2],
}

impl<'a> Tensor<'a> {
    fn own(kind: Dtype, shape: Vec<usize>, bytes: Vec<u8>) -> Self {
        Self { kind, shape, parts: [Cow::Owned(bytes), Cow::Borrowed(&[])] }
    }

    fn of<T: Pod>(kind: Dtype, train: &'a [T], valid: &'a [T]) -> Self {
        let parts = [train, valid].map(|part| Cow::Borrowed(bytemuck::cast_slice(part)));
        Self { kind, shape: vec![train.len() + valid.len()], parts }
    }
}

impl View for Tensor<'_> {
    fn dtype(&self) -> Dtype {
        self.kind
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        match &self.parts {
            [one, other] if other.is_empty() => Cow::Borrowed(one),
            [one, other] => Cow::Owned([&one[..], &other[..]].concat()),
        }
    }

    fn data_len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }
}

/// All games of a mapped file; or what is wrong with it.
fn read(file: &Arc<Mmap>, card: &PreparedCard) -> Result<Dataset, String> {
    let (header, metadata) =
        SafeTensors::read_metadata(file).map_err(|error| format!("no prepared set: {error}"))?;
    let start = size_of::<u64>() + header;
    let columns = Columns { file, metadata: &metadata, start };
    let plies: Column<u32> = columns.read("games.plies")?;
    let ratings: Column<u16> = columns.read("games.ratings")?;
    let first: Column<u8> = columns.read("games.first")?;
    let mut all = Dataset {
        keep: Keep { legal: card.legal, men: card.men },
        labels: columns.read("labels")?,
        ..Dataset::default()
    };
    if card.legal {
        all.legal = columns.read("legal.labels")?;
        all.legal_counts = columns.read("legal.counts")?;
        all.played = columns.read("legal.played")?;
    }
    if card.men {
        all.men = columns.read("men.numbers")?;
        all.men_counts = columns.read("men.counts")?;
    }
    let games = card.games + card.valid_games;
    if [plies.len(), ratings.len() / 2, first.len()] != [games; 3] {
        return Err(format!("{} games, wanted {games} as on the card", plies.len()));
    }
    let starts = starts(&columns, games)?;
    let mut at = [0; 3];
    for (game, begun) in starts.into_iter().enumerate() {
        let [start, legal, men] = at;
        let end = start + plies[game] as usize;
        let sum = |counts: &[u8]| -> Option<usize> {
            Some(counts.get(start..end)?.iter().map(|&count| usize::from(count)).sum())
        };
        let moved = |keeps, counts: &[u8]| if keeps { sum(counts) } else { Some(0) };
        let counted = moved(card.legal, &all.legal_counts).zip(moved(card.men, &all.men_counts));
        let Some((legal_here, men_here)) = counted else {
            return Err("fewer plies than the games have".to_owned());
        };
        let known = |rating: u16| (rating > 0).then_some(rating);
        let ratings =
            ByColor { red: known(ratings[2 * game]), black: known(ratings[2 * game + 1]) };
        let first = if first[game] == 0 { Color::Red } else { Color::Black };
        all.games.push(Kept { plies: start..end, legal, men, first, ratings, start: begun });
        at = [end, legal + legal_here, men + men_here];
    }
    check(&all, at)?;
    Ok(all)
}

/// Where each game began.
fn starts(columns: &Columns, games: usize) -> Result<Vec<Option<Arc<Position>>>, String> {
    const NAME: &str = "games.starts";
    if columns.metadata.info(NAME).is_none() {
        return Ok(vec![None; games]);
    }
    let text: Column<u8> = columns.read(NAME)?;
    let text = str::from_utf8(&text).map_err(|error| format!("`{NAME}`: {error}"))?;
    let start = |line: &str| {
        if line.is_empty() {
            return Ok(None);
        }
        let fen: Fen = line.parse().map_err(|error| format!("`{NAME}`: {error}"))?;
        let position = fen.into_position().map_err(|error| format!("`{NAME}`: {error}"))?;
        Ok(Some(Arc::new(position)))
    };
    let starts: Vec<_> = text.lines().map(start).collect::<Result<_, String>>()?;
    match starts.len() {
        got if got == games => Ok(starts),
        got => Err(format!("{got} starts, wanted {games}")),
    }
}

/// Whether all numbers are there and name something.
fn check(all: &Dataset, ends: [usize; 3]) -> Result<(), String> {
    let [plies, legal, men] = ends;
    let kept = |keeps: bool| if keeps { plies } else { 0 };
    let lengths = [
        ("labels", all.labels.len(), plies),
        ("legal labels", all.legal.len(), legal),
        ("moves played", all.played.len(), kept(all.keep.legal)),
        ("men", all.men.len(), men),
    ];
    if let Some((what, got, wanted)) = lengths.into_iter().find(|(_, got, wanted)| got != wanted) {
        return Err(format!("{got} {what}, wanted {wanted}"));
    }
    let within = |numbers: &[u16], limit: usize| numbers.iter().all(|&n| usize::from(n) < limit);
    let played = all.played.iter().zip(&*all.legal_counts).all(|(played, count)| played < count);
    if !within(&all.labels, LABELS) || !within(&all.legal, LABELS) || !played {
        return Err(format!("a label out of range, wanted below {LABELS}"));
    }
    if !within(&all.men, MEN) {
        return Err(format!("a man out of range, wanted below {MEN}"));
    }
    Ok(())
}

/// The columns of a mapped file.
struct Columns<'a> {
    file: &'a Arc<Mmap>,
    metadata: &'a safetensors::tensor::Metadata,
    /// Where the numbers begin.
    start: usize,
}

impl Columns<'_> {
    fn read<T: Pod>(&self, name: &str) -> Result<Column<T>, String> {
        let info = self.metadata.info(name).ok_or_else(|| format!("`{name}` is missing"))?;
        if info.dtype.bitsize() != 8 * size_of::<T>() {
            return Err(format!("`{name}` is of type {:?}", info.dtype));
        }
        let (from, to) = info.data_offsets;
        Column::mapped(self.file, self.start + from..self.start + to)
            .ok_or_else(|| format!("`{name}` is truncated or not aligned"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        xiangqi::{
            Position,
            records::{Header, Record},
        },
        xqsv::Selection,
    };

    fn dataset(keep: Keep, games: &[&[&str]]) -> Dataset {
        let mut dataset = Dataset::new(keep);
        for moves in games {
            let elo = ByColor { red: Some(1_234), black: None };
            let moves = moves.iter().map(|m| m.parse().unwrap()).collect();
            let header = Header { elo, ..Header::default() };
            dataset.push(&Record::new(header, Position::default(), moves).unwrap());
        }
        dataset
    }

    fn prepared(keep: Keep) -> Prepared {
        let card = PreparedCard {
            data: "games for a test".into(),
            date: "2026-11-29".into(),
            games: 0,
            plies: 0,
            valid_games: 0,
            valid_plies: 0,
            rejects: 3,
            legal: false,
            men: false,
            vocabulary: String::new(),
            hashes: [String::new(), String::new()],
        };
        let train = dataset(keep, &[&["h2e2", "h9g7", "h0g2"], &["c3c4"]]);
        Prepared { card, train, valid: dataset(keep, &[&["b0c2", "b9c7"]]) }
    }

    #[test]
    fn what_is_prepared_comes_back_with_all_that_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        for keep in [Keep::default(), Keep::LEGAL, Keep::ALL] {
            let file = folder.path().join("set");
            let mut saved = prepared(keep);
            saved.save(&file).unwrap();
            let loaded = Prepared::load(&file).unwrap();
            assert_eq!(loaded.card, saved.card);
            assert_eq!((loaded.card.games, loaded.card.valid_plies), (2, 2));
            for (loaded, saved) in [(&loaded.train, &saved.train), (&loaded.valid, &saved.valid)] {
                assert_eq!(loaded.hash(), saved.hash());
                for sample in saved.select(&Selection::default()) {
                    assert_eq!(loaded.view(sample), saved.view(sample));
                    assert_eq!(loaded.legal(sample), saved.legal(sample));
                }
            }
        }
    }

    #[test]
    fn games_that_begin_elsewhere_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("set");
        let fen: Fen = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 5 60".parse().unwrap();
        let start = fen.into_position().unwrap();
        let mut saved = prepared(Keep::LEGAL);
        let moves = vec!["d9d8".parse().unwrap()];
        saved.train.push(&Record::new(Header::default(), start, moves).unwrap());
        saved.save(&file).unwrap();
        let loaded = Prepared::load(&file).unwrap();
        loaded.train.check_starts().unwrap();
        let [one, other] = [&loaded, &saved].map(|set| set.train.replay(2));
        assert_eq!(one.clone().at(1), other.clone().at(1));
        assert_eq!(loaded.train.replay(0).at(1), saved.train.replay(0).at(1));
    }

    #[test]
    fn a_file_that_was_changed_is_refused_with_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("set");
        prepared(Keep::ALL).save(&file).unwrap();
        let whole = fs::read(file.with_extension("games")).unwrap();
        let refused = |bytes: &[u8]| {
            fs::write(file.with_extension("games"), bytes).unwrap();
            let message = Prepared::load(&file).unwrap_err().to_string();
            message.replace(&format!("{}/", folder.path().display()), "")
        };
        let truncated = refused(&whole[..whole.len() - 9]);
        assert!(truncated.starts_with("set.games: no prepared set: "), "{truncated}");
        let mut spoilt = whole.clone();
        let labels = u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize + 8;
        spoilt[labels..].fill(0xff);
        assert!(refused(&spoilt).contains("fewer plies"), "{}", refused(&spoilt));
        fs::remove_file(file.with_extension("toml")).unwrap();
        assert_eq!(refused(&whole), "set.toml: there is no card of a prepared set");
    }
}
