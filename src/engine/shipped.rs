//! The networks and books inside the program, each read once, when somebody first asks for it.

use std::sync::{Arc, LazyLock};

use crate::{
    attributes::full::{Beheld, Network},
    book::{Book, Card, Indexed},
    chess, xiangqi,
};

/// The files of a game's book, card and counts.
macro_rules! book {
    ($game:literal) => {
        (
            include_str!(concat!("../../nets/", $game, "/openings.toml")),
            include_bytes!(concat!("../../nets/", $game, "/openings.book")),
        )
    };
}

const CHESS_BOOK: (&str, &[u8]) = book!("chess");
const XIANGQI_BOOK: (&str, &[u8]) = book!("xiangqi");

/// The network for chess.
pub fn chess_network() -> Arc<Network> {
    use chess::full::shipped::{CARD, PARAMETERS};
    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| network::<chess::Game>(CARD, PARAMETERS));
    NETWORK.clone()
}

/// The network for xiangqi.
pub fn xiangqi_network() -> Arc<Network> {
    use xiangqi::full::shipped::{CARD, PARAMETERS};
    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| network::<xiangqi::Game>(CARD, PARAMETERS));
    NETWORK.clone()
}

fn network<G: Beheld>(card: &str, parameters: &[u8]) -> Arc<Network> {
    let network = Network::load::<G>(card, parameters);
    Arc::new(network.expect("a test reads every network that ships").1)
}

/// The book of chess.
pub fn chess_book() -> Arc<Book> {
    static BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| book::<chess::Game>(CHESS_BOOK));
    BOOK.clone()
}

/// The book of xiangqi.
pub fn xiangqi_book() -> Arc<Book> {
    static BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| book::<xiangqi::Game>(XIANGQI_BOOK));
    BOOK.clone()
}

fn book<G: Indexed>((card, counts): (&str, &[u8])) -> Arc<Book> {
    Arc::new(Book::load::<G>(card, counts).expect("a test reads every book that ships"))
}

/// The cards of the books.
pub fn shipped_books() -> impl Iterator<Item = Card> {
    [CHESS_BOOK, XIANGQI_BOOK]
        .into_iter()
        .map(|(card, _)| toml::from_str(card).expect("a test reads every book that ships"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{book::Key, game::Game};

    /// What all that ships may take up, in bytes.
    const ROOM: usize = 4_000_000;

    #[test]
    fn every_book_that_ships_knows_the_start_and_is_small() {
        let start = chess::Game::start();
        let entry = start.entry(Key::Position, &start.legal_moves());
        assert!(chess_book().weighted(Key::Position, &entry, 1500).is_some());
        let start = xiangqi::Game::start();
        let entry = start.entry(Key::Position, &start.legal_moves());
        assert!(xiangqi_book().weighted(Key::Position, &entry, 1300).is_some());
        let games: Vec<String> = shipped_books().map(|card| card.game).collect();
        assert_eq!(games, ["chess", "xiangqi"]);
        assert!(CHESS_BOOK.1.len() + XIANGQI_BOOK.1.len() < ROOM);
    }

    #[test]
    fn what_ships_is_read_once() {
        assert!(Arc::ptr_eq(&chess_network(), &chess_network()));
        assert!(Arc::ptr_eq(&xiangqi_network(), &xiangqi_network()));
        assert!(Arc::ptr_eq(&chess_book(), &chess_book()));
    }
}
