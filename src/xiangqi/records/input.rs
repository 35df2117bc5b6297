//! Bytes from a file or from standard input, decompressed where they are compressed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;

use super::Encoding;

/// How a gzip stream begins (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// How a Zstandard frame begins (RFC 8878).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How much of a file is looked at to tell its format, in bytes.
const HEAD_LEN: u64 = 4096;

/// A file to be read, or standard input, with the name that errors give it. Its first bytes, not
/// its name, tell whether it is compressed: gzip and Zstandard are undone.
pub struct Input {
    pub(super) name: String,
    pub(super) encoding: Encoding,
    pub(super) bytes: Box<dyn BufRead + Send>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// When the file cannot be opened, or its first bytes cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Self::compressed("standard input".to_owned(), io::stdin());
        }
        Self::compressed(path.display().to_string(), File::open(path)?)
    }

    /// Reads plain text from memory or another source.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Self {
        let bytes = Box::new(BufReader::new(reader));
        Self { name: name.to_owned(), encoding: Encoding::default(), bytes }
    }

    /// Reads bytes that may be compressed.
    fn compressed(name: String, mut reader: impl Read + Send + 'static) -> io::Result<Self> {
        let mut magic = Vec::new();
        reader.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut magic)?;
        let is_gzip = magic.starts_with(&GZIP_MAGIC);
        let is_zstd = magic.starts_with(&ZSTD_MAGIC);
        let whole = BufReader::new(Cursor::new(magic).chain(reader));
        let bytes: Box<dyn BufRead + Send> = if is_gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(whole)))
        } else if is_zstd {
            Box::new(BufReader::new(zstd::Decoder::with_buffer(whole)?))
        } else {
            Box::new(whole)
        };
        Ok(Self { name, encoding: Encoding::default(), bytes })
    }

    /// The same with a text encoding that is known beforehand.
    #[must_use]
    pub fn with_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// The name that errors give it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first few thousand bytes, which stay to be read.
    pub(super) fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.bytes.by_ref().take(HEAD_LEN).read_to_end(&mut head)?;
        let rest = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(head.clone()).chain(rest));
        Ok(head)
    }
}
