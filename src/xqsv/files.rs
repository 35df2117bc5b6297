//! The names of files that lie beside each other: a card and what it is of.

use std::path::{Path, PathBuf};

/// The endings of the files that this room writes.
const ENDINGS: [&str; 3] = ["toml", "safetensors", "games"];

/// The file of this ending that belongs to a net or a set, which may be named by any of its files
/// or without an ending. Any other dot is part of the name, as in `club-0.5`.
///
/// ```
/// use std::path::Path;
///
/// use errare::xqsv::with_ending;
///
/// assert_eq!(with_ending("nets/club.toml", "safetensors"), Path::new("nets/club.safetensors"));
/// assert_eq!(with_ending("nets/club-0.5", "toml"), Path::new("nets/club-0.5.toml"));
/// ```
pub fn with_ending(file: impl AsRef<Path>, ending: &str) -> PathBuf {
    let file = file.as_ref();
    match file.extension().is_some_and(|own| ENDINGS.iter().any(|&ending| own == ending)) {
        true => file.with_extension(ending),
        false => file.with_added_extension(ending),
    }
}
