//! Books as files: a card in TOML, and beside it the counts.
//!
//! The counts are compressed by Zstandard. Decompressed they are numbers in LEB128, seven bits a
//! byte: for each position, in order, what is to be added to the last one's key, how many counts
//! it has, and for each of these the move, the class of the players, and how often it was played.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Book, HIGHEST_CLASS, Indexed, Key, UNRATED,
    book::{Count, KEY_BITS},
};
use crate::digest::sha256;

/// How hard the counts are compressed: it is done once.
const ZSTD_LEVEL: i32 = 19;

/// What is known of a book, how it is used, and by what its counts are recognized.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The game.
    pub game: String,
    /// What games it was learnt from.
    pub data: String,
    /// When it was learnt, `YYYY-MM-DD`.
    pub date: String,
    /// How many games there were.
    pub games: u64,
    /// How many plies of each were counted.
    pub plies: u32,
    /// How often a position was seen at least.
    pub least: u32,
    /// How many positions there are.
    pub positions: u64,
    /// How many moves a model's prediction counts for.
    pub prior: f64,
    /// How many it counts for where the own men and the man moved last decide what is the same;
    /// none where nothing is counted so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_of_setup: Option<f64>,
    /// The distance of ratings at which a count weighs 1/e of what it weighs at the same rating.
    pub reach: f64,
    /// What a count of players without a rating weighs.
    pub unrated: f64,
    /// The number of the start position in hexadecimal digits, which differs where positions are
    /// numbered in another way.
    pub start: String,
    /// The SHA-256 of the counts.
    pub sha256: String,
}

/// Why a book was not loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The card is not TOML of its form.
    #[error("no card of a book, wanted game, data, date and the rest: {}", source.message())]
    Card {
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// The card or the counts cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The counts are not those that the card describes.
    #[error("the counts have SHA-256 {got}, wanted {wanted}")]
    Counts {
        /// Their hash.
        got: String,
        /// The card's.
        wanted: String,
    },
    /// The book numbers positions in another way, or is of another game.
    #[error("the book has the start position at {wanted}, this program at {got}")]
    Start {
        /// The program's number.
        got: String,
        /// The card's.
        wanted: String,
    },
    /// The counts cannot be decompressed.
    #[error("the counts are not compressed by Zstandard: {source}")]
    Compression {
        /// Why.
        source: io::Error,
    },
    /// The counts end early, or are not in order.
    #[error("the counts are broken behind {positions} positions")]
    Broken {
        /// How many positions can be read.
        positions: usize,
    },
}

/// The number of the start position, as a card writes it.
fn start_of<G: Indexed>() -> String {
    format!("{:016x}", G::start().entry(Key::Position, &[]).position)
}

impl Card {
    /// A card of a book of the game `G` that is yet to be made, which mixes as suits most.
    pub fn new<G: Indexed>(game: &str, data: &str, date: &str) -> Self {
        Self {
            game: game.to_owned(),
            data: data.to_owned(),
            date: date.to_owned(),
            games: 0,
            plies: 30,
            least: 3,
            positions: 0,
            prior: 8.0,
            prior_of_setup: None,
            reach: 200.0,
            unrated: 0.003,
            start: start_of::<G>(),
            sha256: String::new(),
        }
    }

    /// The same for one person's moves, all of which count alike, by every key. Tuned on the games
    /// of three people.
    #[must_use]
    pub fn of_person(self) -> Self {
        Self {
            least: 1,
            prior: 4.0,
            prior_of_setup: Some(8.0),
            reach: f64::INFINITY,
            unrated: 1.0,
            ..self
        }
    }

    /// What there are counts by, in the order of their use, with how many moves that which came
    /// before counts for.
    pub(super) fn priors(&self) -> impl Iterator<Item = (Key, f64)> + use<> {
        let priors = [self.prior_of_setup, Some(self.prior)];
        Key::ALL.into_iter().zip(priors).filter_map(|(key, prior)| Some((key, prior?)))
    }
}

impl Book {
    /// The book as files hold it: the card, which has the hash of the counts now, and the counts.
    ///
    /// # Errors
    /// When compression fails.
    pub fn to_files(&self) -> io::Result<(String, Vec<u8>)> {
        let mut bytes = Vec::new();
        let mut last = 0;
        for (key, counts) in self.positions() {
            push(&mut bytes, key - last);
            last = key;
            push(&mut bytes, counts.len() as u64);
            for &Count { m, class, times } in counts {
                push(&mut bytes, m.into());
                push(&mut bytes, class.into());
                push(&mut bytes, times.into());
            }
        }
        let bytes = zstd::encode_all(&bytes[..], ZSTD_LEVEL)?;
        let card = Card { sha256: sha256(&bytes), ..self.card.clone() };
        Ok((toml::to_string(&card).expect("a card is a table of plain values"), bytes))
    }

    /// A book of the game from the file of its card, with its counts beside it under the same name
    /// ending in `.book`.
    ///
    /// # Errors
    /// When a file cannot be read, and as [`load`](Self::load).
    pub fn read<G: Indexed>(card: &Path) -> Result<Self, LoadError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |source| LoadError::Unreadable { path, source }
        };
        let counts = card.with_extension("book");
        let text = fs::read_to_string(card).map_err(unreadable(card))?;
        Self::load::<G>(&text, &fs::read(&counts).map_err(unreadable(&counts))?)
    }

    /// A book of the game `G` from its card and its counts.
    ///
    /// # Errors
    /// When the card cannot be read, the counts are not the ones that it describes, or the book
    /// was made for another game.
    pub fn load<G: Indexed>(card: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let card: Card =
            toml::from_str(card).map_err(|source| LoadError::Card { source: source.into() })?;
        let got = sha256(bytes);
        if got != card.sha256 {
            return Err(LoadError::Counts { got, wanted: card.sha256 });
        }
        let got = start_of::<G>();
        if got != card.start {
            return Err(LoadError::Start { got, wanted: card.start });
        }
        let bytes = zstd::decode_all(bytes).map_err(|source| LoadError::Compression { source })?;
        let mut book = Self::new(card);
        let mut rest = &bytes[..];
        let mut last = None;
        while !rest.is_empty() {
            let positions = book.len();
            let (key, counts) = position(&mut rest, last).ok_or(LoadError::Broken { positions })?;
            book.push(key, counts);
            last = Some(key);
        }
        Ok(book)
    }
}

/// The next position, whose key must be larger than the last one's.
fn position(bytes: &mut &[u8], last: Option<u64>) -> Option<(u64, Vec<Count>)> {
    let step = pull(bytes)?;
    let next = last.unwrap_or(0).checked_add(step)?;
    if last.is_some_and(|last| next <= last) || next >> KEY_BITS > 0 {
        return None;
    }
    // no count is shorter than three bytes
    let length = usize::try_from(pull(bytes)?).ok().filter(|&length| length <= bytes.len() / 3)?;
    let mut counts = Vec::with_capacity(length);
    for _ in 0..length {
        let m = u16::try_from(pull(bytes)?).ok()?;
        let class = u8::try_from(pull(bytes)?).ok()?;
        let times = u32::try_from(pull(bytes)?).ok()?;
        if class > HIGHEST_CLASS && class != UNRATED {
            return None;
        }
        counts.push(Count { m, class, times });
    }
    Some((next, counts))
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn pull(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
