//! Networks as files: a card in TOML, and beside it the parameters as half-precision numbers.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use half::f16;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Beheld, Catalog, Network, Shape, situations};
use crate::{digest::sha256, evaluation::Metrics};

/// What is known of a network, and by what its parameters are recognized.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The game.
    pub game: String,
    /// What games it was fitted to.
    pub data: String,
    /// When it was fitted, `YYYY-MM-DD`.
    pub date: String,
    /// To how many moves it was fitted, each seen as often as the fit says.
    pub moves: u64,
    /// How it was fitted.
    pub fit: String,
    /// Whether there is a net beside the weights.
    pub net: bool,
    /// The SHA-256 of the attributes' names, families and numbers of values.
    pub catalog: String,
    /// The SHA-256 of the parameters.
    pub sha256: String,
    /// The rating of the one person, or the people, whom it plays like; none where it plays like
    /// people of any rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The file of what the one person knows by heart, in the folder of the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// What it was measured on; never games it was fitted to.
    pub measured: Option<MeasuredOn>,
}

/// How well a network foretells moves, with standard errors clustered by game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredOn {
    /// Which games.
    pub data: String,
    /// How many moves.
    pub moves: u64,
    /// The share of moves that were the likeliest, in percent.
    pub top1: f64,
    /// Its standard error.
    pub top1_se: f64,
    /// Bits a move.
    pub bits: f64,
    /// Their standard error.
    pub bits_se: f64,
}

impl MeasuredOn {
    /// What was measured on the named games.
    pub fn new(data: &str, metrics: &Metrics) -> Self {
        let percent = |share: f64| (share * 1e4).round() / 1e2;
        let rounded = |bits: f64| (bits * 1e4).round() / 1e4;
        Self {
            data: data.to_owned(),
            moves: metrics.plies as u64,
            top1: percent(metrics.top_1().mean),
            top1_se: percent(metrics.top_1().standard_error),
            bits: rounded(metrics.bits.mean),
            bits_se: rounded(metrics.bits.standard_error),
        }
    }
}

/// Why a network was not loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The card is not TOML of its form.
    #[error("no card of a network, wanted game, data, date and the rest: {}", source.message())]
    Card {
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// The card or the parameters cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The parameters are not those that the card describes.
    #[error("the parameters have SHA-256 {got}, wanted {wanted}")]
    Parameters {
        /// Their hash.
        got: String,
        /// The card's.
        wanted: String,
    },
    /// The network was made for other attributes than this program's.
    #[error("the network knows the attributes {wanted}, this program has {got}")]
    Catalog {
        /// The hash of this program's catalog.
        got: String,
        /// The card's.
        wanted: String,
    },
    /// There are too few or too many parameters for any number of members.
    #[error("the network has {got} parameters, wanted {wanted} for each of its members")]
    Size {
        /// How many there are.
        got: usize,
        /// How many the shape asks for in a member.
        wanted: usize,
    },
}

/// The shape that networks of a game have.
pub fn shape_of<G: Beheld>(net: bool) -> Shape {
    let catalog = Catalog::of_game::<G>();
    let (values, placed) = (catalog.values(), catalog.placed());
    Shape { values, placed, situations: situations::<G>(), net }
}

/// The SHA-256 of the attributes of a game.
pub fn catalog_hash<G: Beheld>() -> String {
    sha256(Catalog::of_game::<G>().fingerprint().as_bytes())
}

impl Network {
    /// The parameters as the file holds them: half-precision, little-endian, in order.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parameters.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect()
    }

    /// The SHA-256 of [`to_bytes`](Self::to_bytes), as the card names it.
    pub fn sha256(&self) -> String {
        sha256(&self.to_bytes())
    }

    /// A network of the game from the file of its card, with its parameters beside it under the
    /// same name ending in `.f16`.
    ///
    /// # Errors
    /// When a file cannot be read, and as [`load`](Self::load).
    pub fn read<G: Beheld>(card: &Path) -> Result<(Card, Self), LoadError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |source| LoadError::Unreadable { path, source }
        };
        let parameters = card.with_extension("f16");
        let text = fs::read_to_string(card).map_err(unreadable(card))?;
        let bytes = fs::read(&parameters).map_err(unreadable(&parameters))?;
        Self::load::<G>(&text, &bytes)
    }

    /// A network of the game from its card and its parameters.
    ///
    /// # Errors
    /// When the card cannot be read, the parameters are not the ones that it describes, or the
    /// network was made for other attributes.
    pub fn load<G: Beheld>(card: &str, bytes: &[u8]) -> Result<(Card, Self), LoadError> {
        let card: Card =
            toml::from_str(card).map_err(|source| LoadError::Card { source: source.into() })?;
        let got = sha256(bytes);
        if got != card.sha256 {
            return Err(LoadError::Parameters { got, wanted: card.sha256 });
        }
        let got = catalog_hash::<G>();
        if got != card.catalog {
            return Err(LoadError::Catalog { got, wanted: card.catalog });
        }
        let parameters: Vec<f32> = bytes
            .chunks_exact(2)
            .map(|bytes| f16::from_le_bytes([bytes[0], bytes[1]]).to_f32())
            .collect();
        let shape = shape_of::<G>(card.net);
        let got = parameters.len();
        let network = Self::with_parameters(shape, parameters)
            .ok_or(LoadError::Size { got, wanted: shape.parameters() })?;
        Ok((card, network))
    }
}
