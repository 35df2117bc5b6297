//! A column of a dataset: numbers in memory, or in a file that is mapped into memory.

#![allow(unsafe_code)]

use std::{fs::File, io, marker::PhantomData, ops::Deref, ops::Range, path::Path, sync::Arc};

use bytemuck::Pod;
use memmap2::Mmap;

/// Numbers one after another, kept or mapped.
#[derive(Debug, Clone)]
pub(super) enum Column<T> {
    /// Kept in memory, and may grow.
    Kept(Vec<T>),
    /// A part of a mapped file.
    Mapped(Mapped<T>),
}

/// A part of a mapped file that holds numbers.
#[derive(Debug, Clone)]
pub(super) struct Mapped<T> {
    file: Arc<Mmap>,
    /// Which bytes; checked to be numbers when it was made.
    bytes: Range<usize>,
    kind: PhantomData<T>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::Kept(Vec::new())
    }
}

impl<T: Pod> Column<T> {
    /// A part of a mapped file; `None` where the bytes are no whole numbers, or are not aligned.
    pub fn mapped(file: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.get(bytes.clone())?).ok()?;
        Some(Self::Mapped(Mapped { file: Arc::clone(file), bytes, kind: PhantomData }))
    }

    /// Adds numbers; what was mapped is copied into memory first.
    pub fn extend(&mut self, numbers: impl IntoIterator<Item = T>) {
        if let Self::Mapped(_) = self {
            *self = Self::Kept(self.to_vec());
        }
        if let Self::Kept(kept) = self {
            kept.extend(numbers);
        }
    }
}

impl<T: Pod> Deref for Column<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Kept(numbers) => numbers,
            Self::Mapped(Mapped { file, bytes, .. }) => bytemuck::cast_slice(&file[bytes.clone()]),
        }
    }
}

/// Maps a file into memory.
///
/// # Errors
/// When it cannot be read.
pub(super) fn map(file: &Path) -> io::Result<Arc<Mmap>> {
    let file = File::open(file)?;
    // SAFETY: the map is private to this process and only ever read. Should another program change
    // the file meanwhile, numbers change, which are checked wherever they name something.
    Ok(Arc::new(unsafe { Mmap::map(&file) }?))
}
