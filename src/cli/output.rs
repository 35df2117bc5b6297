//! Files that are there whole or not at all: written under another name, then renamed.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use flate2::{Compression, write::GzEncoder};
use tempfile::NamedTempFile;

/// The level of Zstandard that is as fast as gzip and better.
const ZSTD_LEVEL: i32 = 9;

/// A file that takes its place when it is finished, and is not there before. A name that ends in
/// `.gz` or `.zst` has it compressed.
pub struct NewFile {
    path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    Plain(BufWriter<NamedTempFile>),
    Gzip(GzEncoder<BufWriter<NamedTempFile>>),
    Zstd(zstd::Encoder<'static, BufWriter<NamedTempFile>>),
}

impl NewFile {
    /// Begins a file, whose folder must be there.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        Self::create_at(path).with_context(|| {
            format!(
                "cannot write {}, wanted a file in a folder that can be written to",
                path.display()
            )
        })
    }

    fn create_at(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let temporary = builder().tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let plain = BufWriter::new(temporary);
        let ending = path.extension().and_then(|ending| ending.to_str());
        let bytes = match ending {
            Some("gz") => Bytes::Gzip(GzEncoder::new(plain, Compression::default())),
            Some("zst") => Bytes::Zstd(zstd::Encoder::new(plain, ZSTD_LEVEL)?),
            _ => Bytes::Plain(plain),
        };
        Ok(Self { path: path.to_owned(), bytes })
    }

    /// Puts the file in its place, over a file that was there.
    ///
    /// # Errors
    /// When the rest cannot be written, or the file not be renamed.
    pub fn finish(self) -> anyhow::Result<()> {
        let path = self.path;
        let finish = || {
            let plain = match self.bytes {
                Bytes::Plain(plain) => plain,
                Bytes::Gzip(encoder) => encoder.finish()?,
                Bytes::Zstd(encoder) => encoder.finish()?,
            };
            let temporary = plain.into_inner().map_err(io::IntoInnerError::into_error)?;
            temporary.persist(&path).map_err(|error| error.error)?;
            Ok::<_, io::Error>(())
        };
        finish().with_context(|| format!("writing {}", path.display()))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.bytes {
            Bytes::Plain(plain) => plain.write(bytes),
            Bytes::Gzip(encoder) => encoder.write(bytes),
            Bytes::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.bytes {
            Bytes::Plain(plain) => plain.flush(),
            Bytes::Gzip(encoder) => encoder.flush(),
            Bytes::Zstd(encoder) => encoder.flush(),
        }
    }
}

/// Writes a whole file at once.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).with_context(|| format!("writing {}", path.display()))?;
    file.finish()
}

/// Temporary files with the permissions that files usually have; else they are for their owner
/// alone.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_finished_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"moves\n").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"moves\n");
        drop(NewFile::create(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"moves\n", "what is not finished changes nothing");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
    }

    #[test]
    fn the_ending_of_the_name_says_how_it_is_compressed() {
        let folder = tempfile::tempdir().unwrap();
        let beginning = |name: &str| {
            let path = folder.path().join(name);
            write(&path, b"moves\n").unwrap();
            fs::read(&path).unwrap()[..2].to_vec()
        };
        assert_eq!(beginning("games.gz"), [0x1f, 0x8b]);
        assert_eq!(beginning("games.zst"), [0x28, 0xb5]);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("none/games.csv")] {
            let error = write(&path, b"").unwrap_err();
            assert!(format!("{error:#}").contains(&path.display().to_string()), "{error:#}");
        }
    }
}
