//! One person in a file, made by `errare infer`.

use std::{fs, io, path::Path, sync::Arc};

use thiserror::Error;

use crate::{
    attributes::{
        WeightsError, WeightsFile,
        full::{Beheld, FullModel, LoadError, Network},
    },
    book::{self, Book, Indexed},
    chess, xiangqi,
};

/// A person, or people of some kind, as a file describes them.
#[derive(Debug, Clone)]
pub enum Person {
    /// Weights of the four attributes, for the look-ahead at chess.
    LookAhead(WeightsFile),
    /// A network of the full attributes for chess.
    Chess(OfNetwork),
    /// A network of the full attributes for xiangqi.
    Xiangqi(OfNetwork),
}

/// A network of the full attributes, and what its card says of the person.
#[derive(Debug, Clone)]
pub struct OfNetwork {
    network: Arc<Network>,
    /// The person's rating; none for people of any.
    rating: Option<u16>,
    /// What the person knows by heart, beside what everybody does.
    book: Option<Arc<Book>>,
}

/// Why a file describes nobody.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PersonError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It holds no weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// It is the card of a network that cannot be used.
    #[error(transparent)]
    Network(#[from] LoadError),
    /// The book that the card of a network names cannot be used.
    #[error("the book of the network: {0}")]
    Book(#[from] book::LoadError),
}

impl Person {
    /// Reads a file of weights, or the card of a network, whose parameters lie beside it under the
    /// same name ending in `.f16`, with the book that it names.
    ///
    /// # Errors
    /// When it cannot be read or describes nobody.
    pub fn read(path: &Path) -> Result<Self, PersonError> {
        let text = fs::read_to_string(path)?;
        let table: toml::Table = text.parse().unwrap_or_default();
        if !table.contains_key("catalog") {
            return Ok(Self::LookAhead(WeightsFile::read(path)?));
        }
        if table.get("game").and_then(toml::Value::as_str) == Some("xiangqi") {
            return Ok(Self::Xiangqi(OfNetwork::read::<xiangqi::Game>(path)?));
        }
        Ok(Self::Chess(OfNetwork::read::<chess::Game>(path)?))
    }
}

impl OfNetwork {
    fn read<G: Beheld + Indexed>(path: &Path) -> Result<Self, PersonError> {
        let (card, network) = Network::read::<G>(path)?;
        let book = card.book.map(|name| Book::read::<G>(&path.with_file_name(name))).transpose()?;
        Ok(Self { network: Arc::new(network), rating: card.rating, book: book.map(Arc::new) })
    }

    /// The person, or people of this rating where the network is of no one person, without what
    /// is known by heart.
    pub(super) fn model<G: Beheld>(&self, rating: u16) -> FullModel<G> {
        FullModel::new(self.network.clone(), self.rating.unwrap_or(rating))
    }

    /// What the person knows by heart, beside what everybody does.
    pub(super) fn book(&self) -> Option<&Arc<Book>> {
        self.book.as_ref()
    }
}
