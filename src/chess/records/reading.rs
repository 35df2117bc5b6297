//! Reading records, game by game.

use std::io::{self, Cursor, Read};

use pgn_reader::Reader;
use shakmaty::Color;

use super::{
    GamesError, Record,
    filter::{Filter, Tags},
    pgn::Visiting,
    record::Growing,
    rows::{self, Rows},
};

/// How much of a source is looked at to tell its format, in bytes.
const HEAD_LEN: u64 = 4096;

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

/// Games of which moves count, one after the other. Games that do not count are skipped without
/// looking at their moves; no more than one game is held at a time.
///
/// What they come from is PGN, or a table with a game in each row: columns apart by tabs and named
/// in the first row, of which only `moves`, as UCI writes them, must be there. `white`, `black`,
/// `white_elo`, `black_elo`, `time_control`, `speed`, `rated` (`True` or `False`), `date`, `fen`
/// and `variant` are read as well, in any order.
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
    format: Format<R>,
    filter: Filter,
    seen: Seen,
}

/// A source of which the beginning has been read.
type Begun<R> = io::Chain<Cursor<Vec<u8>>, R>;

enum Format<R> {
    Pgn(Reader<Begun<R>>),
    Rows(Rows<Begun<R>>),
    /// The source cannot be read, for a reason that was not yet told.
    Unreadable(io::Error),
    Over,
}

impl<R: Read> Format<R> {
    fn of(mut source: R) -> Self {
        let mut head = Vec::new();
        if let Err(error) = source.by_ref().take(HEAD_LEN).read_to_end(&mut head) {
            return Self::Unreadable(error);
        }
        let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line).into_owned();
        let source = Cursor::new(head).chain(source);
        if rows::is_head(&line) {
            return Self::Rows(Rows::new(&line, source));
        }
        Self::Pgn(Reader::build(source).set_supported_tag_line_length(4096).finish())
    }
}

impl<R: Read> Games<R> {
    /// The games that `source` holds and `filter` lets count.
    pub fn new(source: R, filter: Filter) -> Self {
        Self { format: Format::of(source), filter, seen: Seen::default() }
    }

    /// What has gone by so far.
    pub fn seen(&self) -> Seen {
        self.seen
    }

    /// The next game of any kind; `None` after the last.
    fn visit(&mut self) -> io::Result<Option<Visited>> {
        let Self { format, filter, seen } = self;
        match format {
            Format::Pgn(reader) => reader.read_game(&mut Visiting { filter, seen }),
            Format::Rows(rows) => rows.next(filter, seen).map_err(io::Error::from),
            Format::Over => Ok(None),
            Format::Unreadable(_) => match std::mem::replace(format, Format::Over) {
                Format::Unreadable(error) => Err(error),
                _ => Ok(None),
            },
        }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Record, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.visit() {
                Ok(Some(Visited::Skipped)) => {}
                Ok(Some(Visited::Counted(record))) => {
                    self.seen.counted += 1;
                    return Some(Ok(*record));
                }
                Ok(Some(Visited::Broken(error))) => {
                    self.seen.broken += 1;
                    return Some(Err(*error));
                }
                Ok(None) => {
                    self.format = Format::Over;
                    return None;
                }
                Err(source) => {
                    self.format = Format::Over;
                    return Some(Err(GamesError::Read { games: self.seen.games, source }));
                }
            }
        }
    }
}

/// What came of one game.
pub(super) enum Visited {
    Skipped,
    Counted(Box<Record>),
    Broken(Box<GamesError>),
}

/// The last game seen, before its first move, if it counts and can be played; what came of it
/// otherwise.
pub(super) fn begin(tags: Tags, filter: &Filter, seen: &mut Seen) -> Result<Growing, Visited> {
    let has_player = |color| filter.player.is_some() && filter.has_name(&tags, color);
    seen.with_player += u64::from(Color::ALL.into_iter().any(has_player));
    seen.with_rating += u64::from(tags.ratings.iter().any(Option::is_some));
    let counts = filter.colors(&tags);
    if !counts.white && !counts.black {
        return Err(Visited::Skipped);
    }
    Growing::new(seen.games, tags, counts, filter).map_err(|error| Visited::Broken(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;
    use crate::game::Game as _;

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
