//! Weights as a file: TOML with a card that says where they come from.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Strategy, Weights};

/// The largest magnitude of a weight that is believed; beyond it a softmax is a step.
const LARGEST: f64 = 1e6;

/// The longest file that is read, in bytes. A user may pick any file by mistake.
const LONGEST_FILE: u64 = 1 << 20;

/// Weights together with their card.
///
/// ```
/// let text = r#"
///     strategy = "min1max2"
///     [weights]
///     material = 0.68
///     mobility = 0.013
///     center = 0.24
///     attacks = 1.46
///     mate = 9.2
/// "#;
/// let file = errare::attributes::WeightsFile::parse(text)?;
/// assert_eq!(file.weights.mate, 9.2);
/// # Ok::<_, errare::attributes::WeightsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsFile {
    /// How far the person looks, or was taken to look when the weights were inferred.
    pub strategy: Strategy,
    /// Which games the weights were inferred from, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Which moves of those games counted, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filters: Option<String>,
    /// How many moves counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// Mean of −log2 of the probability that the weights give to a move played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits_per_move: Option<f64>,
    /// Mean of log2 of the number of legal moves, for comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform_bits_per_move: Option<f64>,
    /// The weights.
    pub weights: Weights,
    /// The standard error of each weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_errors: Option<Weights>,
}

/// Why a weights file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file could not be read.
    #[error("cannot read weights from {}, wanted a TOML file: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The text is not TOML of this form.
    #[error(
        "no weights file, wanted strategy and [weights] with {}: {}",
        Weights::NAMES.join(", "),
        source.message()
    )]
    Form {
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// A number cannot be a weight.
    #[error("weight {name} is {got}, wanted a number between -{LARGEST} and {LARGEST}")]
    Value {
        /// The weight.
        name: &'static str,
        /// Its value.
        got: f64,
    },
}

impl WeightsFile {
    /// Weights with a card that names nothing but the strategy.
    pub fn new(weights: Weights, strategy: Strategy) -> Self {
        Self {
            strategy,
            data: None,
            filters: None,
            moves: None,
            bits_per_move: None,
            uniform_bits_per_move: None,
            weights,
            standard_errors: None,
        }
    }

    /// Reads a weights file.
    ///
    /// # Errors
    /// When there is no such file, or it is not of this form, or a weight is not finite.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let text =
            read(path).map_err(|source| WeightsError::Read { path: path.to_owned(), source })?;
        Self::parse(&text)
    }

    /// Parses the text of a weights file.
    ///
    /// # Errors
    /// When the text is not of this form, or a weight is not finite.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let file: Self =
            toml::from_str(text).map_err(|source| WeightsError::Form { source: source.into() })?;
        for (name, got) in Weights::NAMES.into_iter().zip(file.weights.to_array()) {
            if !(-LARGEST..=LARGEST).contains(&got) {
                return Err(WeightsError::Value { name, got });
            }
        }
        Ok(file)
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers, words and two flat tables are always TOML")
    }
}

/// The text of a file, unless it is too long for weights or might never end.
fn read(path: &Path) -> io::Result<String> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.len() > LONGEST_FILE {
        let bytes = metadata.len();
        return Err(io::Error::other(format!("{bytes} bytes, wanted at most {LONGEST_FILE}")));
    }
    fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> WeightsFile {
        WeightsFile {
            data: Some("1500.train.pgn.gz".to_owned()),
            filters: Some("ply 10 and later".to_owned()),
            moves: Some(20_000),
            bits_per_move: Some(3.81),
            standard_errors: Some(Weights::from_array([0.01, 0.001, 0.01, 0.02, 0.3])),
            ..WeightsFile::new(
                Weights::from_array([0.68, 0.013, 0.24, 1.46, 9.2]),
                Strategy::Min1Max2,
            )
        }
    }

    #[test]
    fn a_file_written_and_read_is_the_same() {
        let text = file().to_toml();
        assert!(text.contains("strategy = \"min1max2\""), "{text}");
        assert_eq!(WeightsFile::parse(&text).unwrap(), file());
    }

    #[test]
    fn an_error_says_what_came_and_what_was_wanted() {
        let text = file().to_toml();
        for (from, to, said) in [
            ("min1max2", "min9max9", "min9max9"),
            ("mate = 9.2", "", "missing field `mate`"),
            ("mate = 9.2", "mate = \"high\"", "invalid type"),
            ("mate = 9.2", "mate = inf", "weight mate is inf"),
            ("material = 0.68", "material = nan", "weight material is NaN"),
            ("data =", "date =", "date"),
            ("[weights]", "[weights", "wanted strategy and [weights]"),
        ] {
            let error = WeightsFile::parse(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("wanted"), "{to}: {error}");
        }
        let missing = WeightsFile::read(Path::new("/nonexistent/weights.toml")).unwrap_err();
        assert!(missing.to_string().contains("/nonexistent/weights.toml"));
    }

    #[test]
    fn a_file_too_long_for_weights_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(LONGEST_FILE + 1).unwrap();
        let error = WeightsFile::read(file.path()).unwrap_err().to_string();
        assert!(error.ends_with("1048577 bytes, wanted at most 1048576"), "{error}");
    }
}
