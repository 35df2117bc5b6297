//! Nets in files: the tensors as safetensors, and beside them a card that says what they are.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use candle_core::{Device, Tensor, safetensors};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use super::{
    NetworkError, Parameters, Structure, attributes_hash, vocabulary::vocabulary_hash, with_ending,
};
use crate::{digest::sha256, evaluation::Metrics};

/// The longest card that is read, in bytes.
const LONGEST_CARD: u64 = 1 << 20;
/// The longest file of tensors that is read, in bytes: more than the largest structure has, in
/// single precision.
const MOST_TENSORS: u64 = 1 << 30;

/// What a net is: kept as TOML beside its tensors, `NAME.toml` beside `NAME.safetensors`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// What the net is for, in one sentence.
    pub about: String,
    /// What it was trained on and how.
    pub data: String,
    /// When it was made, as year-month-day.
    pub date: String,
    /// The lowest and the highest rating whose moves it was trained on, the latter not included;
    /// none where it was trained on all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<[u16; 2]>,
    /// The hash of the labels' texts: see [`vocabulary_hash`].
    pub vocabulary: String,
    /// The hash of the attributes that it knows, see [`attributes_hash`]; none where it does not
    /// look ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<String>,
    /// The SHA-256 of the file of tensors.
    pub sha256: String,
    /// Its structure.
    pub structure: Structure,
    /// How well it predicts held-out games; none where it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
}

impl Card {
    /// A card for a net of the structure given, not measured yet. Saving adds the hashes.
    pub fn new(structure: Structure, about: &str, data: &str, date: &str) -> Self {
        Self {
            about: about.to_owned(),
            data: data.to_owned(),
            date: date.to_owned(),
            ratings: None,
            vocabulary: vocabulary_hash().to_owned(),
            attributes: attributes_of(&structure),
            sha256: String::new(),
            structure,
            metrics: None,
        }
    }
}

/// The hash of the attributes that a network of this structure knows.
fn attributes_of(structure: &Structure) -> Option<String> {
    structure.ahead.then(|| attributes_hash().to_owned())
}

/// A net with its card.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// What it is.
    pub card: Card,
    /// Its numbers.
    pub parameters: Parameters,
}

/// Why a net could not be read or written. The message names the file.
#[derive(Debug, Error)]
#[error("{}: {flaw}", file.display())]
pub struct CheckpointError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub flaw: Box<CheckpointFlaw>,
}

/// What is wrong with a file of a net.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointFlaw {
    /// It could not be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is no file with an end, such as a folder or a device.
    #[error("not a regular file")]
    NoFile,
    /// It is longer than any that makes sense.
    #[error("{bytes} bytes, wanted at most {most}")]
    TooLong {
        /// How long it is.
        bytes: u64,
        /// How long it may be.
        most: u64,
    },
    /// It is not a text, or not a card.
    #[error("no card of a net: {0}")]
    Card(String),
    /// It holds other bytes than its card says: it is truncated, or belongs to another card.
    #[error("{bytes} bytes with the SHA-256 {got}, wanted {wanted} as on its card")]
    Digest {
        /// How long it is.
        bytes: usize,
        /// Its SHA-256.
        got: String,
        /// The one on the card.
        wanted: String,
    },
    /// The net was trained on other labels.
    #[error("trained on the vocabulary {got}, wanted {wanted}")]
    Vocabulary {
        /// The hash of its labels.
        got: String,
        /// The hash of this program's.
        wanted: &'static str,
    },
    /// The net was trained on other attributes.
    #[error("trained on the attributes {}, wanted {}", shown(got), shown(wanted))]
    Attributes {
        /// The hash of its attributes, if it has any.
        got: Option<String>,
        /// The hash of this program's, if the structure has any.
        wanted: Option<String>,
    },
    /// It is no file of tensors.
    #[error("no tensors: {0}")]
    Tensors(candle_core::Error),
    /// The tensors are not those of the structure.
    #[error("{0}")]
    Network(#[from] NetworkError),
}

fn shown(hash: &Option<String>) -> &str {
    hash.as_deref().unwrap_or("none")
}

impl CheckpointFlaw {
    /// The error of this flaw in a file.
    pub(super) fn of(self, file: &Path) -> CheckpointError {
        CheckpointError { file: file.to_owned(), flaw: Box::new(self) }
    }
}

impl Checkpoint {
    /// Reads the net whose card or tensors are in `file`, whichever of the two is named.
    ///
    /// # Errors
    /// When one of the two files is missing, truncated or not what it should be, or the tensors
    /// are not those of the card: by their hash, their vocabulary or their shapes.
    pub fn load(file: &Path) -> Result<Self, CheckpointError> {
        let (card_file, tensors_file) = files(file);
        let text = read(&card_file, LONGEST_CARD).map_err(|flaw| flaw.of(&card_file))?;
        let card = parse_card(&text).map_err(|flaw| flaw.of(&card_file))?;
        let bytes = read(&tensors_file, MOST_TENSORS).map_err(|flaw| flaw.of(&tensors_file))?;
        assemble(card, &bytes).map_err(|flaw| flaw.of(&tensors_file))
    }

    /// The net whose card and tensors are in these bytes, as embedded in a program.
    ///
    /// # Errors
    /// As [`load`](Self::load) does, naming the files after `name`.
    pub fn from_bytes(name: &str, card: &[u8], tensors: &[u8]) -> Result<Self, CheckpointError> {
        let (card_file, tensors_file) = files(Path::new(name));
        let card = parse_card(card).map_err(|flaw| flaw.of(&card_file))?;
        assemble(card, tensors).map_err(|flaw| flaw.of(&tensors_file))
    }

    /// Writes card and tensors, each to a temporary name first, so that a reader never finds half
    /// a file. The hashes on the card are brought up to date.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&mut self, file: &Path) -> Result<(), CheckpointError> {
        let (card_file, tensors_file) = files(file);
        self.card.structure = *self.parameters.structure();
        self.card.vocabulary = vocabulary_hash().to_owned();
        self.card.attributes = attributes_of(&self.card.structure);
        self.card.sha256 = save_tensors(&tensors_file, self.parameters.tensors())?;
        let text = toml::to_string(&self.card)
            .map_err(|error| CheckpointFlaw::Card(error.to_string()).of(&card_file))?;
        replace(&card_file, text.as_bytes())
            .map_err(|error| CheckpointFlaw::from(error).of(&card_file))
    }
}

/// The files of the card and of the tensors.
fn files(file: &Path) -> (PathBuf, PathBuf) {
    (with_ending(file, "toml"), with_ending(file, "safetensors"))
}

/// The bytes of a file, unless there are too many or they might never end: a user may pick any
/// file by mistake.
fn read(file: &Path, most: u64) -> Result<Vec<u8>, CheckpointFlaw> {
    let metadata = fs::metadata(file)?;
    if !metadata.is_file() {
        return Err(CheckpointFlaw::NoFile);
    }
    let bytes = metadata.len();
    if bytes > most {
        return Err(CheckpointFlaw::TooLong { bytes, most });
    }
    Ok(fs::read(file)?)
}

fn parse_card(text: &[u8]) -> Result<Card, CheckpointFlaw> {
    let text = str::from_utf8(text).map_err(|error| CheckpointFlaw::Card(error.to_string()))?;
    toml::from_str(text).map_err(|error| CheckpointFlaw::Card(error.to_string().trim().to_owned()))
}

fn assemble(card: Card, tensors: &[u8]) -> Result<Checkpoint, CheckpointFlaw> {
    if card.vocabulary != vocabulary_hash() {
        let (got, wanted) = (card.vocabulary, vocabulary_hash());
        return Err(CheckpointFlaw::Vocabulary { got, wanted });
    }
    let wanted = attributes_of(&card.structure);
    if card.attributes != wanted {
        return Err(CheckpointFlaw::Attributes { got: card.attributes, wanted });
    }
    check_digest(tensors, &card.sha256)?;
    let tensors =
        safetensors::load_buffer(tensors, &Device::Cpu).map_err(CheckpointFlaw::Tensors)?;
    let parameters = Parameters::new(card.structure, tensors)?;
    Ok(Checkpoint { card, parameters })
}

fn check_digest(bytes: &[u8], wanted: &str) -> Result<(), CheckpointFlaw> {
    let got = sha256(bytes);
    if got == wanted {
        return Ok(());
    }
    Err(CheckpointFlaw::Digest { bytes: bytes.len(), got, wanted: wanted.to_owned() })
}

/// Writes tensors to a temporary name and renames the file; returns its SHA-256.
pub(super) fn save_tensors(
    file: &Path,
    tensors: &BTreeMap<String, Tensor>,
) -> Result<String, CheckpointError> {
    let save = || {
        let temporary = temporary_beside(file)?;
        let all = tensors.iter().map(|(name, tensor)| (name.clone(), tensor.clone())).collect();
        safetensors::save(&all, &temporary).map_err(CheckpointFlaw::Tensors)?;
        let digest = sha256(&fs::read(&temporary)?);
        keep_file(temporary, file)?;
        Ok::<_, CheckpointFlaw>(digest)
    };
    save().map_err(|flaw| flaw.of(file))
}

/// Reads tensors whose SHA-256 is known.
pub(super) fn load_tensors(
    file: &Path,
    digest: &str,
) -> Result<BTreeMap<String, Tensor>, CheckpointError> {
    let load = || {
        let bytes = fs::read(file)?;
        check_digest(&bytes, digest)?;
        let tensors =
            safetensors::load_buffer(&bytes, &Device::Cpu).map_err(CheckpointFlaw::Tensors)?;
        Ok::<_, CheckpointFlaw>(tensors.into_iter().collect())
    };
    load().map_err(|flaw| flaw.of(file))
}

/// Writes a file to a temporary name and renames it.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_beside(file)?;
    fs::write(&temporary, bytes)?;
    keep_file(temporary, file)
}

/// What a TOML file says; `None` where there is none.
pub(super) fn read_toml<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, CheckpointError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CheckpointFlaw::from(error).of(file)),
    };
    toml::from_str(&text)
        .map(Some)
        .map_err(|error| CheckpointFlaw::Card(error.to_string().trim().to_owned()).of(file))
}

/// Writes a value as TOML, in place of what the file said.
pub(super) fn write_toml(file: &Path, value: &impl Serialize) -> Result<(), CheckpointError> {
    let text =
        toml::to_string(value).map_err(|error| CheckpointFlaw::Card(error.to_string()).of(file))?;
    replace(file, text.as_bytes()).map_err(|error| CheckpointFlaw::from(error).of(file))
}

/// A new name beside a file.
pub(super) fn temporary_beside(file: &Path) -> io::Result<tempfile::TempPath> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?.into_temp_path())
}

/// Renames a finished file, with the permissions that files usually have: temporary ones are
/// for their owner alone.
pub(super) fn keep_file(temporary: tempfile::TempPath, file: &Path) -> io::Result<()> {
    fs::File::open(&temporary)?.sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o644))?;
    }
    temporary.persist(file).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let structure = Structure { hidden: 4, ..Structure::default() };
        let parameters = Parameters::random(structure, 1).unwrap();
        let card = Card::new(structure, "A net for a test.", "nothing", "2026-11-29");
        Checkpoint { card, parameters: parameters.halved().unwrap() }
    }

    /// A saved checkpoint whose two files `change` may spoil, and what loading it says.
    fn spoilt(change: impl FnOnce(&Path, &Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("net");
        checkpoint().save(&file).unwrap();
        let (card, tensors) = files(&file);
        change(&card, &tensors);
        let message = Checkpoint::load(&card).unwrap_err().to_string();
        message.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn what_is_saved_comes_back_from_either_file_and_from_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("net.safetensors");
        let mut saved = checkpoint();
        saved.save(&file).unwrap();
        let (card, tensors) = files(&file);
        let (card_bytes, tensor_bytes) = (fs::read(&card).unwrap(), fs::read(&tensors).unwrap());
        for loaded in [
            Checkpoint::load(&card).unwrap(),
            Checkpoint::load(&tensors).unwrap(),
            Checkpoint::from_bytes("net", &card_bytes, &tensor_bytes).unwrap(),
        ] {
            assert_eq!(loaded.card, saved.card);
            for (name, tensor) in saved.parameters.tensors() {
                let loaded = loaded.parameters.tensor(name);
                let numbers = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<half::f16>().unwrap();
                assert_eq!(numbers(loaded), numbers(tensor), "{name}");
            }
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let message = spoilt(|_, tensors| fs::remove_file(tensors).unwrap());
        assert!(message.starts_with("net.safetensors: No such file"), "{message}");
        let message = spoilt(|card, _| fs::remove_file(card).unwrap());
        assert!(message.starts_with("net.toml: No such file"), "{message}");
    }

    #[test]
    fn a_truncated_file_is_named_with_its_length() {
        let message = spoilt(|_, tensors| {
            let bytes = fs::read(tensors).unwrap();
            fs::write(tensors, &bytes[..1_000]).unwrap();
        });
        assert!(message.starts_with("net.safetensors: 1000 bytes with the SHA-256 "), "{message}");
        let message = spoilt(|card, _| fs::write(card, "about = ").unwrap());
        assert!(message.starts_with("net.toml: no card of a net: "), "{message}");
    }

    #[test]
    fn a_file_that_is_none_or_longer_than_any_net_is_not_read() {
        let lengthen = |file: &Path, length| {
            fs::File::options().write(true).open(file).unwrap().set_len(length).unwrap();
        };
        let message = spoilt(|card, _| lengthen(card, LONGEST_CARD + 1));
        assert_eq!(message, "net.toml: 1048577 bytes, wanted at most 1048576");
        let message = spoilt(|_, tensors| lengthen(tensors, MOST_TENSORS + 1));
        assert_eq!(message, "net.safetensors: 1073741825 bytes, wanted at most 1073741824");
        let message = spoilt(|_, tensors| {
            fs::remove_file(tensors).unwrap();
            fs::create_dir(tensors).unwrap();
        });
        assert_eq!(message, "net.safetensors: not a regular file");
    }

    #[test]
    fn tensors_of_another_structure_or_vocabulary_are_refused() {
        let edit = |from: &'static str, to: &'static str| {
            move |card: &Path, _: &Path| {
                let text = fs::read_to_string(card).unwrap();
                assert!(text.contains(from));
                fs::write(card, text.replace(from, to)).unwrap();
            }
        };
        assert_eq!(
            spoilt(edit("hidden = 4", "hidden = 5")),
            "net.safetensors: tensor `recurrent.table` has shape [755, 12], wanted [755, 15]"
        );
        let hash = vocabulary_hash();
        assert_eq!(
            spoilt(edit(hash, "0123")),
            format!("net.safetensors: trained on the vocabulary 0123, wanted {hash}")
        );
    }

    #[test]
    fn a_net_that_looks_ahead_names_its_attributes_and_is_refused_with_others() {
        let structure =
            Structure { hidden: 4, ahead: true, ahead_hidden: 2, ..Structure::default() };
        let parameters = Parameters::random(structure, 1).unwrap();
        let card = Card::new(structure, "nobody", "nothing", "2026-11-30");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("net");
        Checkpoint { card, parameters }.save(&file).unwrap();
        let loaded = Checkpoint::load(&file).unwrap();
        assert_eq!(loaded.card.attributes.as_deref(), Some(attributes_hash()));
        assert_eq!(*loaded.parameters.structure(), structure);
        let card = file.with_extension("toml");
        let text = fs::read_to_string(&card).unwrap();
        fs::write(&card, text.replace(attributes_hash(), "0123")).unwrap();
        let message = Checkpoint::load(&file).unwrap_err().to_string();
        let wanted = format!("trained on the attributes 0123, wanted {}", attributes_hash());
        assert!(message.ends_with(&wanted), "{message}");
    }
}
