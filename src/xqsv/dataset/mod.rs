//! Games as streams of labels, and the samples that they give.
//!
//! A game of l moves gives l samples: the labels so far and the label of the next move. Nothing is
//! copied: a sample names a ply, and windows are cut when they are needed.

mod column;
mod prepared;
mod replay;

use std::{ops::Range, sync::Arc};

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use self::column::Column;
pub use self::{
    prepared::{Prepared, PreparedCard, PreparedError},
    replay::{Replay, ReplayError},
};
use super::{
    senses::{View, men_of},
    vocabulary::label_of,
};
use crate::{
    digest::sha256,
    xiangqi::{ByColor, Color, Position, records::Record},
};

/// Games of which only the labels of their moves and the players' ratings are kept, and what else
/// was [asked for](Keep).
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    keep: Keep,
    games: Vec<Kept>,
    labels: Column<u16>,
    /// The labels of all legal moves, ply by ply.
    legal: Column<u16>,
    /// How many legal moves there are at each ply.
    legal_counts: Column<u8>,
    /// Which of them was played.
    played: Column<u8>,
    /// The numbers of all men, ply by ply.
    men: Column<u16>,
    /// How many men there are at each ply.
    men_counts: Column<u8>,
}

/// What a dataset keeps of each ply beside the move played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Keep {
    /// The labels of all legal moves, which the filter, the metrics, losses over legal moves and
    /// networks with look-ahead need; they take some seventy bytes a ply.
    pub legal: bool,
    /// The men on the board, which networks with sight need; they take some fifty bytes a ply.
    pub men: bool,
}

impl Keep {
    /// The legal moves alone.
    pub const LEGAL: Self = Self { legal: true, men: false };
    /// Everything.
    pub const ALL: Self = Self { legal: true, men: true };
}

#[derive(Debug, Clone)]
struct Kept {
    /// Where its plies begin and end.
    plies: Range<usize>,
    /// Where its first ply's legal moves begin.
    legal: usize,
    /// Where its first ply's men begin.
    men: usize,
    /// Who made the first move.
    first: Color,
    ratings: ByColor<Option<u16>>,
    /// Where it began; none where that was the standard start.
    start: Option<Arc<Position>>,
}

/// What one game adds to the columns.
#[derive(Default)]
struct Columns {
    labels: Vec<u16>,
    legal: Vec<u16>,
    legal_counts: Vec<u8>,
    played: Vec<u8>,
    men: Vec<u16>,
    men_counts: Vec<u8>,
}

impl Columns {
    fn of(record: &Record, keep: Keep) -> Self {
        const LEGAL: &str = "records hold legal moves only, and those have labels";
        let mut columns = Self::default();
        for (position, played) in record.plies() {
            columns.labels.push(label_of(&position, played).expect(LEGAL));
            if keep.legal {
                let moves = position.legal_moves();
                let rank = moves.iter().position(|&m| m == played);
                columns.played.push(rank.expect(LEGAL) as u8);
                let labels = moves.iter().map(|&m| label_of(&position, m).expect(LEGAL));
                columns.legal.extend(labels);
                columns.legal_counts.push(moves.len() as u8);
            }
            if keep.men {
                let before = columns.men.len();
                columns.men.extend(men_of(&position));
                columns.men_counts.push((columns.men.len() - before) as u8);
            }
        }
        columns
    }
}

/// A ply of a dataset, with the move played there to be predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sample {
    /// The number of the game.
    pub game: u32,
    /// How many moves were played before.
    pub ply: u32,
}

/// Which plies of a dataset are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Where the rating of the player who moves must lie; `None` for anywhere, and for players
    /// without a rating too.
    ///
    /// The paper cuts (1000, 1100] and so on; ours are [1000, 1100), as in chess.
    pub ratings: Option<Range<u16>>,
    /// Whether the opponent's rating must lie there as well.
    pub both: bool,
    /// How many plies at the start of each game are left out.
    pub after_ply: u32,
}

impl Dataset {
    /// No games yet.
    pub fn new(keep: Keep) -> Self {
        Self { keep, ..Self::default() }
    }

    /// Adds a game.
    ///
    /// ```
    /// use errare::{xiangqi::records::{Input, Records}, xqsv::{Dataset, Keep}};
    ///
    /// let text = "id,source,date,red_elo,black_elo,result,moves\na,b,,1200,,*,h2e2 h9g7\n";
    /// let mut dataset = Dataset::new(Keep::default());
    /// for record in Records::new(Input::from_reader("games.csv", text.as_bytes()))? {
    ///     dataset.push(&record?);
    /// }
    /// assert_eq!((dataset.games(), dataset.plies()), (1, 2));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, record: &Record) {
        self.append(record, Columns::of(record, self.keep));
    }

    /// Adds games in their order, on all of rayon's threads.
    pub fn extend(&mut self, records: &[Record]) {
        let keep = self.keep;
        let columns: Vec<Columns> =
            records.par_iter().map(|record| Columns::of(record, keep)).collect();
        for (record, columns) in records.iter().zip(columns) {
            self.append(record, columns);
        }
    }

    fn append(&mut self, record: &Record, columns: Columns) {
        let start = self.labels.len();
        self.games.push(Kept {
            plies: start..start + columns.labels.len(),
            legal: self.legal.len(),
            men: self.men.len(),
            first: record.start().turn(),
            ratings: record.header.elo,
            start: (*record.start() != Position::default())
                .then(|| Arc::new(record.start().clone())),
        });
        self.labels.extend(columns.labels);
        self.legal.extend(columns.legal);
        self.legal_counts.extend(columns.legal_counts);
        self.played.extend(columns.played);
        self.men.extend(columns.men);
        self.men_counts.extend(columns.men_counts);
    }

    /// The games of these numbers alone; columns that are mapped from a file are shared.
    ///
    /// # Panics
    /// When there are no such games.
    #[must_use]
    pub fn games_within(&self, games: Range<usize>) -> Self {
        Self { games: self.games[games].to_vec(), ..self.clone() }
    }

    /// What is kept of each ply beside the move played.
    pub fn keeps(&self) -> Keep {
        self.keep
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.games.iter().map(|game| game.plies.len()).sum()
    }

    /// The labels of one game.
    ///
    /// # Panics
    /// When there is no such game.
    pub fn game(&self, game: u32) -> &[u16] {
        &self.labels[self.games[game as usize].plies.clone()]
    }

    /// The labels of the moves before a sample's, oldest first.
    pub fn history(&self, sample: Sample) -> &[u16] {
        &self.game(sample.game)[..sample.ply as usize]
    }

    /// The label of the move played.
    pub fn label(&self, sample: Sample) -> u16 {
        self.game(sample.game)[sample.ply as usize]
    }

    /// The rating of the player who moves, where it is known.
    pub fn rating(&self, sample: Sample) -> Option<u16> {
        self.ratings(sample)[0]
    }

    /// The ratings of the player who moves and of the other, where they are known.
    pub fn ratings(&self, sample: Sample) -> [Option<u16>; 2] {
        let Kept { first, ratings, .. } = &self.games[sample.game as usize];
        let mover = if sample.ply.is_multiple_of(2) { *first } else { !*first };
        match mover {
            Color::Red => [ratings.red, ratings.black],
            Color::Black => [ratings.black, ratings.red],
        }
    }

    /// The labels of all legal moves at a sample's ply, and the number of the one played; `None`
    /// where they were not kept.
    pub fn legal(&self, sample: Sample) -> Option<(&[u16], usize)> {
        if !self.keep.legal {
            return None;
        }
        let game = &self.games[sample.game as usize];
        let legal = part(&self.legal, game.legal, &self.legal_counts, &game.plies, sample.ply);
        Some((legal, self.played[game.plies.start + sample.ply as usize].into()))
    }

    /// The men on the board at a sample's ply; none where they were not kept.
    pub fn men(&self, sample: Sample) -> &[u16] {
        if !self.keep.men {
            return &[];
        }
        let game = &self.games[sample.game as usize];
        part(&self.men, game.men, &self.men_counts, &game.plies, sample.ply)
    }

    /// What a network is told of a sample, but for the attributes of its legal moves.
    pub fn view(&self, sample: Sample) -> View<'_> {
        let (men, ratings) = (self.men(sample), self.ratings(sample));
        View { history: self.history(sample), men, ratings, moves: None }
    }

    /// Whether a selection wants a sample.
    pub fn wants(&self, selection: &Selection, sample: Sample) -> bool {
        let Some(range) = &selection.ratings else { return sample.ply >= selection.after_ply };
        let within = |rating: Option<u16>| rating.is_some_and(|rating| range.contains(&rating));
        let ratings = &self.games[sample.game as usize].ratings;
        sample.ply >= selection.after_ply
            && within(self.rating(sample))
            && (!selection.both || (within(ratings.red) && within(ratings.black)))
    }

    /// All samples that a selection wants, game by game.
    pub fn select(&self, selection: &Selection) -> Vec<Sample> {
        let mut samples = Vec::new();
        for game in 0..self.games.len() as u32 {
            let plies = self.game(game).len() as u32;
            let all = (0..plies).map(|ply| Sample { game, ply });
            samples.extend(all.filter(|&sample| self.wants(selection, sample)));
        }
        samples
    }

    /// The SHA-256 of all labels and where games begin, in hexadecimal: it tells datasets apart.
    pub fn hash(&self) -> String {
        let mut bytes = Vec::with_capacity(2 * self.labels.len());
        for game in 0..self.games.len() as u32 {
            bytes.extend(self.game(game).iter().flat_map(|label| label.to_le_bytes()));
            bytes.extend(u16::MAX.to_le_bytes());
            let ratings = &self.games[game as usize].ratings;
            let known = [ratings.red, ratings.black].map(|rating| rating.unwrap_or(0));
            bytes.extend(known.into_iter().flat_map(u16::to_le_bytes));
        }
        sha256(&bytes)
    }
}

/// The numbers of one ply among those of a game, whose counts are known ply by ply.
fn part<'a>(
    numbers: &'a [u16],
    first: usize,
    counts: &[u8],
    plies: &Range<usize>,
    ply: u32,
) -> &'a [u16] {
    let ply = plies.start + ply as usize;
    let before: usize = counts[plies.start..ply].iter().map(|&count| usize::from(count)).sum();
    &numbers[first + before..][..usize::from(counts[ply])]
}

/// Whether a game belongs to the share that is held out, by a seeded hash of its name.
///
/// The same name and seed always say the same, so games are split alike wherever they come from;
/// and all moves of a game stay together.
///
/// ```
/// use errare::xqsv::is_held_out;
///
/// let held_out = (0..10_000).filter(|game| is_held_out(&format!("game {game}"), 1, 0.1)).count();
/// assert!((900..1_100).contains(&held_out));
/// ```
pub fn is_held_out(name: &str, seed: u64, share: f64) -> bool {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(name).finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    (u64::from_le_bytes(first) as f64) < share * u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        xiangqi::{Position, records::Header},
        xqsv::label_text,
    };

    fn dataset() -> Dataset {
        let mut dataset = Dataset::new(Keep::ALL);
        let games = [
            (["h2e2", "h9g7", "h0g2"].as_slice(), Some(1_250), Some(1_310)),
            (&["c3c4"], None, Some(1_200)),
        ];
        for (moves, red, black) in games {
            let header = Header { elo: ByColor { red, black }, ..Header::default() };
            let moves = moves.iter().map(|m| m.parse().unwrap()).collect();
            dataset.push(&Record::new(header, Position::default(), moves).unwrap());
        }
        dataset
    }

    fn at(game: u32, ply: u32) -> Sample {
        Sample { game, ply }
    }

    #[test]
    fn every_ply_is_a_sample_with_the_moves_before_it() {
        let dataset = dataset();
        let samples = dataset.select(&Selection::default());
        assert_eq!(samples, [at(0, 0), at(0, 1), at(0, 2), at(1, 0)]);
        let texts: Vec<String> =
            dataset.history(at(0, 2)).iter().copied().map(label_text).collect();
        assert_eq!(texts, ["c2=5", "n8+7"]);
        assert_eq!(label_text(dataset.label(at(0, 2))), "n2+3");
        assert!(dataset.history(at(1, 0)).is_empty());
        assert_eq!(label_text(dataset.label(at(1, 0))), "p7+1");
    }

    #[test]
    fn a_sample_belongs_to_the_range_of_the_player_who_moves() {
        let dataset = dataset();
        let range = |both| Selection { ratings: Some(1_200..1_300), both, after_ply: 0 };
        assert_eq!(dataset.select(&range(false)), [at(0, 0), at(0, 2)]);
        assert!(dataset.select(&range(true)).is_empty());
        let late = Selection { after_ply: 1, ..range(false) };
        assert_eq!(dataset.select(&late), [at(0, 2)]);
    }

    #[test]
    fn legal_moves_are_kept_with_the_one_played() {
        let dataset = dataset();
        for sample in dataset.select(&Selection::default()) {
            let (legal, played) = dataset.legal(sample).unwrap();
            assert_eq!(legal[played], dataset.label(sample));
        }
        assert_eq!(dataset.legal(at(0, 0)).unwrap().0.len(), 44);
        assert_eq!(dataset.legal(at(1, 0)).unwrap().0.len(), 44);
    }

    #[test]
    fn a_view_is_of_the_position_before_the_move() {
        let dataset = dataset();
        let view = dataset.view(at(0, 1));
        let before = Position::default().after("h2e2".parse().unwrap());
        assert_eq!(view.men, crate::xqsv::men_of(&before).collect::<Vec<_>>());
        assert_eq!((view.history.len(), view.ratings), (1, [Some(1_310), Some(1_250)]));
        let second = dataset.games_within(1..2);
        assert_eq!(second.view(at(0, 0)), dataset.view(at(1, 0)));
        assert_eq!(second.legal(at(0, 0)), dataset.legal(at(1, 0)));
        assert_eq!((second.games(), second.plies()), (1, 1));
    }

    #[test]
    fn games_come_in_their_order_from_many_threads() {
        let records: Vec<Record> = [&["h2e2", "h9g7"][..], &["c3c4"], &["b0c2"]]
            .map(|moves| moves.iter().map(|m| m.parse().unwrap()).collect())
            .into_iter()
            .map(|moves| Record::new(Header::default(), Position::default(), moves).unwrap())
            .collect();
        let (mut one, mut all) = (Dataset::new(Keep::ALL), Dataset::new(Keep::ALL));
        records.iter().for_each(|record| one.push(record));
        all.extend(&records);
        assert_eq!(one.hash(), all.hash());
        assert_eq!(one.men(at(2, 0)), all.men(at(2, 0)));
    }

    #[test]
    fn ratings_and_moves_tell_datasets_apart() {
        let mut other = dataset();
        assert_eq!(other.hash(), dataset().hash());
        other.games[1].ratings.black = None;
        assert_ne!(other.hash(), dataset().hash());
    }
}
