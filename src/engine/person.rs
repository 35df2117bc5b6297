//! One person in a file, made by `errare infer`.

use std::{fs, io, path::Path, sync::Arc};

use thiserror::Error;

use crate::{
    attributes::{
        WeightsError, WeightsFile,
        full::{Beheld, FullModel, LoadError, Network},
    },
    chess, xiangqi,
};

/// A person, or people of some kind, as a file describes them.
#[derive(Debug, Clone)]
pub enum Person {
    /// Weights of the four attributes, for the look-ahead at chess.
    LookAhead(WeightsFile),
    /// A network of the full attributes for chess.
    Chess(Arc<Network>, Option<u16>),
    /// A network of the full attributes for xiangqi.
    Xiangqi(Arc<Network>, Option<u16>),
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
}

impl Person {
    /// Reads a file of weights, or the card of a network, whose parameters lie beside it under the
    /// same name ending in `.f16`.
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
            let (network, rating) = network::<xiangqi::Game>(path)?;
            return Ok(Self::Xiangqi(network, rating));
        }
        let (network, rating) = network::<chess::Game>(path)?;
        Ok(Self::Chess(network, rating))
    }
}

fn network<G: Beheld>(path: &Path) -> Result<(Arc<Network>, Option<u16>), LoadError> {
    let (card, network) = Network::read::<G>(path)?;
    Ok((Arc::new(network), card.rating))
}

/// The person of a network: of the rating that its card gives, or of any.
pub fn of_network<G: Beheld>(
    (network, own): (&Arc<Network>, &Option<u16>),
    rating: u16,
) -> FullModel<G> {
    FullModel::new(network.clone(), own.unwrap_or(rating))
}
