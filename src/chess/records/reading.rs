//! Reading PGN, game by game.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{ByColor, Color, Move};
use thiserror::Error;

use super::filter::{Filter, Tags};
use crate::{
    attributes::Positioned,
    chess::{FenError, Game},
    game::{Game as _, Side},
};

/// A game of which at least one side's moves may count.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its number in its source, from 1, games that do not count included.
    pub number: u64,
    /// The players' names.
    pub names: ByColor<String>,
    /// The players' ratings, where they are given.
    pub ratings: ByColor<Option<u16>>,
    /// The game before its first move.
    pub start: Game,
    /// The moves played.
    pub moves: Vec<Move>,
    /// Whose moves count.
    pub counts: ByColor<bool>,
    /// Which plies count.
    filter_plies: (usize, Option<usize>),
}

impl Record {
    /// Calls `each` with every move that counts, the game before it and the color that made it.
    pub fn for_each_counted(&self, mut each: impl FnMut(&Game, &Move, Color)) {
        let (first, end) = self.filter_plies;
        let end = end.unwrap_or(self.moves.len()).min(self.moves.len());
        let mut game = self.start.clone();
        for (ply, m) in self.moves[..end].iter().enumerate() {
            let color = color(game.side_to_move());
            if ply >= first && *self.counts.get(color) {
                each(&game, m, color);
            }
            game.play(m);
        }
    }
}

fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// What went by while games were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Games of any kind.
    pub games: u64,
    /// Games of which moves may count.
    pub counted: u64,
    /// Games that were broken.
    pub broken: u64,
    /// Games in which the player asked for took part.
    pub with_player: u64,
    /// Games in which at least one rating was given.
    pub with_rating: u64,
}

/// Why a game, or all that follow, could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GamesError {
    /// A game has a move that is not legal where it stands. Reading goes on behind it.
    #[error(
        "game {number} ({white} – {black}) got `{got}` as ply {ply}, wanted a legal move of `{fen}`"
    )]
    IllegalMove {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The move as written.
        got: String,
        /// The plies before it, plus one.
        ply: usize,
        /// The position that it was written for.
        fen: String,
    },
    /// A game starts from a position that cannot be played. Reading goes on behind it.
    #[error("game {number} ({white} – {black}) has no start position: {source}")]
    Start {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// What is wrong with its `FEN` tag.
        source: FenError,
    },
    /// A game is of another variant of chess. Reading goes on behind it.
    #[error("game {number} ({white} – {black}) is of variant `{got}`, wanted chess or Chess960")]
    Variant {
        /// The game, from 1.
        number: u64,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The variant as written.
        got: String,
    },
    /// The source cannot be read any further.
    #[error("reading stopped after {games} games: {source}")]
    Read {
        /// How many games were read.
        games: u64,
        /// Why.
        source: io::Error,
    },
}

/// Games of which moves count, one after the other. Games that do not count are skipped without
/// looking at their moves; no more than one game is held at a time.
///
/// A broken game is an error among the games, and the games behind it still come. Only
/// [`GamesError::Read`] is the last.
///
/// ```
/// use errare::chess::records::{Filter, Games};
///
/// let pgn = "[White \"Anna\"]\n\n1. e4 e5 *\n\n[White \"Bert\"]\n\n1. d4 *\n";
/// let filter = Filter { player: Some("Bert".to_owned()), ..Filter::default() };
/// let games: Result<Vec<_>, _> = Games::new(pgn.as_bytes(), filter).collect();
/// assert_eq!(games?[0].moves.len(), 1);
/// # Ok::<_, errare::chess::records::GamesError>(())
/// ```
pub struct Games<R> {
    reader: Reader<R>,
    filter: Filter,
    seen: Seen,
    is_over: bool,
}

impl<R: Read> Games<R> {
    /// The games that `source` holds and `filter` lets count.
    pub fn new(source: R, filter: Filter) -> Self {
        let reader = Reader::build(source).set_supported_tag_line_length(4096).finish();
        Self { reader, filter, seen: Seen::default(), is_over: false }
    }

    /// What has gone by so far.
    pub fn seen(&self) -> Seen {
        self.seen
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Record, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let mut visiting = Visiting { filter: &self.filter, seen: &mut self.seen };
            match self.reader.read_game(&mut visiting) {
                Ok(Some(Visited::Skipped)) => {}
                Ok(Some(Visited::Counted(record))) => {
                    self.seen.counted += 1;
                    return Some(Ok(*record));
                }
                Ok(Some(Visited::Broken(error))) => {
                    self.seen.broken += 1;
                    return Some(Err(*error));
                }
                Ok(None) => self.is_over = true,
                Err(source) => {
                    self.is_over = true;
                    return Some(Err(GamesError::Read { games: self.seen.games, source }));
                }
            }
        }
        None
    }
}

/// What came of one game.
enum Visited {
    Skipped,
    Counted(Box<Record>),
    Broken(Box<GamesError>),
}

struct Visiting<'a> {
    filter: &'a Filter,
    seen: &'a mut Seen,
}

/// A record that is being read, with the game as far as it has come.
struct Growing {
    record: Record,
    game: Game,
}

impl Visitor for Visiting<'_> {
    type Tags = Tags;
    type Movetext = Growing;
    type Output = Visited;

    fn begin_tags(&mut self) -> ControlFlow<Visited, Tags> {
        self.seen.games += 1;
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Visited> {
        let text = || value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.names.white = text(),
            b"Black" => tags.names.black = text(),
            b"WhiteElo" => tags.ratings.white = text().trim().parse().ok(),
            b"BlackElo" => tags.ratings.black = text().trim().parse().ok(),
            b"TimeControl" => tags.time_control = text(),
            b"UTCDate" => tags.date = text(),
            b"Date" if tags.date.is_empty() => tags.date = text(),
            b"FEN" => tags.fen = Some(text()),
            b"Variant" => tags.variant = Some(text()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Visited, Growing> {
        let has_player = |color| self.filter.player.is_some() && self.filter.has_name(&tags, color);
        self.seen.with_player += u64::from(Color::ALL.into_iter().any(has_player));
        self.seen.with_rating += u64::from(tags.ratings.iter().any(Option::is_some));
        let counts = self.filter.colors(&tags);
        if !counts.white && !counts.black {
            return ControlFlow::Break(Visited::Skipped);
        }
        match self.start(tags, counts) {
            Ok(growing) => ControlFlow::Continue(growing),
            Err(error) => ControlFlow::Break(Visited::Broken(Box::new(error))),
        }
    }

    fn san(&mut self, growing: &mut Growing, san: SanPlus) -> ControlFlow<Visited> {
        match san.san.to_move(growing.game.position()) {
            Ok(m) => {
                growing.record.moves.push(m);
                growing.game.play(&m);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(Visited::Broken(Box::new(GamesError::IllegalMove {
                number: growing.record.number,
                white: growing.record.names.white.clone(),
                black: growing.record.names.black.clone(),
                got: san.to_string(),
                ply: growing.record.moves.len() + 1,
                fen: growing.game.fen(),
            }))),
        }
    }

    fn end_game(&mut self, growing: Growing) -> Visited {
        Visited::Counted(Box::new(growing.record))
    }
}

impl Visiting<'_> {
    fn start(&self, tags: Tags, counts: ByColor<bool>) -> Result<Growing, GamesError> {
        let number = self.seen.games;
        let ByColor { white, black } = tags.names.clone();
        if let Some(got) = tags.variant.filter(|variant| !is_chess(variant)) {
            return Err(GamesError::Variant { number, white, black, got });
        }
        let start = match tags.fen {
            Some(fen) => Game::from_fen(&fen).map_err(|source| GamesError::Start {
                number,
                white,
                black,
                source,
            })?,
            None => Game::start(),
        };
        let record = Record {
            number,
            names: tags.names,
            ratings: tags.ratings,
            start: start.clone(),
            moves: Vec::new(),
            counts,
            filter_plies: (self.filter.first_ply, self.filter.end_ply),
        };
        Ok(Growing { record, game: start })
    }
}

/// Whether a `Variant` tag names a game by the rules of chess.
fn is_chess(variant: &str) -> bool {
    let variant = variant.to_ascii_lowercase().replace([' ', '-', '_'], "");
    matches!(
        variant.as_str(),
        "" | "standard"
            | "chess"
            | "normal"
            | "fromposition"
            | "chess960"
            | "fischerandom"
            | "fischerrandom"
            | "960"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = r#"
[Event "?"]
[White "Anna"]
[Black "Bert"]
[WhiteElo "1500"]
[BlackElo "1620"]

1. e4 { a comment } e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 1-0

[White "Carl"]
[Black "Dora"]

1. e4 e5 2. Ke3 Nc6 *

[White "Bert"]
[Black "Anna"]
[WhiteElo "1630"]
[BlackElo "?"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
[SetUp "1"]

1. O-O Kd7 1/2-1/2

[White "Emil"]
[Black "Fred"]
[FEN "no board"]

*

[White "Gina"]
[Black "Hans"]
[Variant "Atomic"]

1. e4 *
"#;

    fn read(filter: Filter) -> (Vec<Record>, Vec<String>, Seen) {
        let mut games = Games::new(PGN.as_bytes(), filter);
        let (mut records, mut errors) = (Vec::new(), Vec::new());
        for game in games.by_ref() {
            match game {
                Ok(record) => records.push(record),
                Err(error) => errors.push(error.to_string()),
            }
        }
        (records, errors, games.seen())
    }

    fn counted(record: &Record) -> Vec<String> {
        let mut moves = Vec::new();
        record.for_each_counted(|game, m, _| {
            assert!(game.legal_moves().contains(m));
            moves.push(game.write_move(m, crate::chess::Castling::Standard));
        });
        moves
    }

    #[test]
    fn whole_games_are_read_and_broken_ones_named() {
        let (records, errors, seen) = read(Filter::default());
        assert_eq!(counted(&records[0]), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(counted(&records[1]), ["e1g1", "e8d7"]);
        assert_eq!(records[1].ratings, ByColor { white: Some(1630), black: None });
        assert_eq!(errors.len(), 3);
        assert!(errors[0].starts_with("game 2 (Carl – Dora) got `Ke3` as ply 3, wanted a legal"));
        assert!(errors[1].starts_with("game 4 (Emil – Fred)"), "{}", errors[1]);
        assert!(errors[2].contains("variant `Atomic`, wanted chess"));
        let wanted = Seen { games: 5, counted: 2, broken: 3, with_player: 0, with_rating: 2 };
        assert_eq!(seen, wanted);
    }

    #[test]
    fn a_filter_chooses_games_and_moves() {
        let anna = Filter { player: Some("anna".to_owned()), ..Filter::default() };
        let (records, errors, seen) = read(anna);
        assert_eq!(
            records.iter().map(counted).collect::<Vec<_>>(),
            [vec!["e2e4", "g1f3"], vec!["e8d7"]]
        );
        assert!(errors.is_empty(), "games that do not count are not looked at");
        assert_eq!((seen.games, seen.with_player), (5, 2));
        let rated = Filter { rating: Some(1600..=1700), first_ply: 1, ..Filter::default() };
        let (records, ..) = read(rated);
        assert_eq!(records.iter().map(counted).collect::<Vec<_>>(), [vec!["e7e5", "b8c6"], vec![]]);
        let middle = Filter { first_ply: 1, end_ply: Some(3), ..Filter::default() };
        assert_eq!(counted(&read(middle).0[0]), ["e7e5", "g1f3"]);
    }

    #[test]
    fn what_is_no_pgn_ends_without_a_panic() {
        for bytes in [&b""[..], b"\xff\xfe\x00[[[", b"{{{{", b"1. e4 e5 2.", b"[White \"\n\n*"] {
            assert!(Games::new(bytes, Filter::default()).count() <= 2);
        }
    }

    #[test]
    fn a_source_that_breaks_off_is_told_once() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        io::Write::write_all(&mut gzip, PGN.as_bytes()).unwrap();
        let bytes = gzip.finish().unwrap();
        let broken = flate2::read::MultiGzDecoder::new(&bytes[..bytes.len() / 2]);
        let last = Games::new(broken, Filter::default()).last().unwrap();
        assert!(matches!(last, Err(GamesError::Read { .. })));
    }
}
