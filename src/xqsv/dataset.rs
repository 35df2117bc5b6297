//! Games as streams of labels, and the samples that they give.
//!
//! A game of l moves gives l samples: the labels so far and the label of the next move. Nothing is
//! copied: a sample names a ply, and windows are cut when they are needed.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use super::vocabulary::label_of;
use crate::xiangqi::{ByColor, Color, records::Record};

/// Games of which only the labels of their moves and the players' ratings are kept.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    labels: Vec<u16>,
    games: Vec<Kept>,
    legal: Option<LegalMoves>,
}

#[derive(Debug, Clone)]
struct Kept {
    /// Where its labels begin.
    start: usize,
    /// Who made the first move.
    first: Color,
    ratings: ByColor<Option<u16>>,
}

/// The labels of all legal moves at each ply, and which of them was played.
#[derive(Debug, Clone, Default)]
struct LegalMoves {
    labels: Vec<u16>,
    /// Where the legal moves of each ply end.
    ends: Vec<usize>,
    played: Vec<u8>,
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
    /// No games yet. With `keep_legal`, the legal moves of each ply will be kept as well, which
    /// the filter and the metrics need; they take some seventy bytes a ply.
    pub fn new(keep_legal: bool) -> Self {
        let legal = keep_legal.then(LegalMoves::default);
        Self { legal, ..Self::default() }
    }

    /// Adds a game.
    ///
    /// ```
    /// use errare::{xiangqi::records::{Input, Records}, xqsv::Dataset};
    ///
    /// let text = "id,source,date,red_elo,black_elo,result,moves\na,b,,1200,,*,h2e2 h9g7\n";
    /// let mut dataset = Dataset::new(false);
    /// for record in Records::new(Input::from_reader("games.csv", text.as_bytes()))? {
    ///     dataset.push(&record?);
    /// }
    /// assert_eq!((dataset.games(), dataset.plies()), (1, 2));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, record: &Record) {
        const LEGAL: &str = "records hold legal moves only, and those have labels";
        let ratings = record.header.elo;
        self.games.push(Kept { start: self.labels.len(), first: record.start().turn(), ratings });
        for (position, played) in record.plies() {
            self.labels.push(label_of(&position, played).expect(LEGAL));
            let Some(legal) = &mut self.legal else { continue };
            let moves = position.legal_moves();
            let rank = moves.iter().position(|&m| m == played);
            legal.played.push(rank.expect(LEGAL) as u8);
            legal.labels.extend(moves.iter().map(|&m| label_of(&position, m).expect(LEGAL)));
            legal.ends.push(legal.labels.len());
        }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.labels.len()
    }

    /// The labels of one game.
    ///
    /// # Panics
    /// When there is no such game.
    pub fn game(&self, game: u32) -> &[u16] {
        let game = game as usize;
        let end = self.games.get(game + 1).map_or(self.labels.len(), |next| next.start);
        &self.labels[self.games[game].start..end]
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
        let Kept { first, ratings, .. } = &self.games[sample.game as usize];
        let mover = if sample.ply.is_multiple_of(2) { *first } else { !*first };
        *match mover {
            Color::Red => &ratings.red,
            Color::Black => &ratings.black,
        }
    }

    /// The labels of all legal moves at a sample's ply, and the number of the one played; `None`
    /// where they were not kept.
    pub fn legal(&self, sample: Sample) -> Option<(&[u16], usize)> {
        let legal = self.legal.as_ref()?;
        let ply = self.games[sample.game as usize].start + sample.ply as usize;
        let start = ply.checked_sub(1).map_or(0, |before| legal.ends[before]);
        Some((&legal.labels[start..legal.ends[ply]], legal.played[ply].into()))
    }

    /// Whether the legal moves were kept.
    pub fn has_legal(&self) -> bool {
        self.legal.is_some()
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
        super::digest::sha256(&bytes)
    }
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
        let mut dataset = Dataset::new(true);
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
    fn ratings_and_moves_tell_datasets_apart() {
        let mut other = dataset();
        assert_eq!(other.hash(), dataset().hash());
        other.games[1].ratings.black = None;
        assert_ne!(other.hash(), dataset().hash());
    }
}
