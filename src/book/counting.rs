//! Counting what people play.

use super::{
    Book, Card, Indexed, Key,
    book::{Count, number},
    class_of,
};

/// Moves that are being counted.
#[derive(Debug, Clone, Default)]
pub struct Counting {
    /// Each move with the key of its position and the class of who played it.
    played: Vec<(u64, u16, u8)>,
}

impl Counting {
    /// Counts a legal move of the current position of a game, by a player of this rating.
    pub fn count<G: Indexed>(&mut self, game: &G, m: &G::Move, rating: Option<u16>) {
        self.count_by(Key::Position, game, m, rating);
    }

    /// Counts it by every key, as for one person's book.
    pub fn count_by_all<G: Indexed>(&mut self, game: &G, m: &G::Move, rating: Option<u16>) {
        Key::ALL.into_iter().for_each(|key| self.count_by(key, game, m, rating));
    }

    fn count_by<G: Indexed>(&mut self, key: Key, game: &G, m: &G::Move, rating: Option<u16>) {
        let entry = game.entry(key, std::slice::from_ref(m));
        let position = number(key, entry.position);
        self.played.extend(entry.moves.iter().map(|&m| (position, m, class_of(rating))));
    }

    /// How many moves were counted.
    pub fn len(&self) -> usize {
        self.played.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// The book of all positions that were seen at least as often as the card says.
    pub fn finish(mut self, card: Card) -> Book {
        self.played.sort_unstable();
        let least = card.least;
        let mut book = Book::new(card);
        for position in self.played.chunk_by(|one, other| one.0 == other.0) {
            if position.len() >= least as usize {
                let counts = position.chunk_by(PartialEq::eq).map(|same| {
                    let (_, m, class) = same[0];
                    Count { m, class, times: same.len() as u32 }
                });
                book.push(position[0].0, counts);
            }
        }
        book.card.positions = book.len() as u64;
        book
    }
}
