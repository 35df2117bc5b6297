//! Samples on disk: too many for memory, read piece by piece in any order.
//!
//! A store is one file: pieces one after the other, each compressed by itself and led by its
//! length in bytes and its number of samples, both as little-endian `u32`.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::Samples;

/// How many samples are in a piece: as many as are shuffled together.
pub const PIECE: usize = 16_384;
/// A level of Zstandard at which writing costs little beside looking at positions.
const LEVEL: i32 = 1;
const HEAD: u64 = 8;

/// A store that is being written. It takes its place when it is finished.
#[derive(Debug)]
pub struct StoreWriter {
    path: PathBuf,
    to: BufWriter<tempfile::NamedTempFile>,
    piece: Samples,
    written: usize,
}

impl StoreWriter {
    /// Begins a store.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        let to = BufWriter::new(file);
        Ok(Self { path: path.to_owned(), to, piece: Samples::default(), written: 0 })
    }

    /// The piece that is being filled. It must be [closed](Self::close_piece) when it is full.
    pub fn piece(&mut self) -> &mut Samples {
        &mut self.piece
    }

    /// Writes the piece if it is full.
    ///
    /// # Errors
    /// When writing fails.
    pub fn close_piece(&mut self) -> io::Result<()> {
        if self.piece.len() >= PIECE { self.write_piece() } else { Ok(()) }
    }

    /// How many samples were put in.
    pub fn len(&self) -> usize {
        self.written + self.piece.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the rest cannot be written, or the file not be renamed.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_piece()?;
        let file = self.to.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Writes a piece before it is full.
    #[cfg(test)]
    pub(super) fn write_piece_for_tests(&mut self) {
        self.write_piece().unwrap();
    }

    fn write_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::new();
        self.piece.write(&mut bytes)?;
        let bytes = zstd::encode_all(bytes.as_slice(), LEVEL)?;
        self.to.write_all(&(bytes.len() as u32).to_le_bytes())?;
        self.to.write_all(&(self.piece.len() as u32).to_le_bytes())?;
        self.to.write_all(&bytes)?;
        self.written += self.piece.len();
        self.piece.clear();
        Ok(())
    }
}

/// A store that was written.
#[derive(Debug)]
pub struct Store {
    file: File,
    /// Where each piece's bytes begin, and how many they are.
    pieces: Vec<(u64, u32)>,
    samples: usize,
}

impl Store {
    /// Opens a store.
    ///
    /// # Errors
    /// When it cannot be read, or ends within a piece.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let end = file.metadata()?.len();
        let (mut pieces, mut samples, mut at) = (Vec::new(), 0, 0);
        while at < end {
            let mut head = [0; HEAD as usize];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut head)?;
            let number = |bytes: &[u8]| {
                u32::from_le_bytes(bytes.try_into().expect("four bytes are asked for"))
            };
            let (bytes, count) = (number(&head[..4]), number(&head[4..]));
            pieces.push((at + HEAD, bytes));
            samples += count as usize;
            at += HEAD + u64::from(bytes);
        }
        if at > end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { file, pieces, samples })
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.samples
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples == 0
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Reads a piece in the place of the samples.
    ///
    /// # Errors
    /// When it cannot be read, or is not what was written.
    pub fn read(&self, piece: usize, samples: &mut Samples) -> io::Result<()> {
        let (start, length) = self.pieces[piece];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        let bytes = zstd::decode_all(file.take(u64::from(length)))?;
        match samples.read(&mut bytes.as_slice())? {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
