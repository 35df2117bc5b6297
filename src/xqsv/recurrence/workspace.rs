//! Large buffers that are used again, because fresh ones cost a page fault every 4 KiB.

use std::sync::Mutex;

/// A stock of buffers. Training one network takes the same sizes at every step.
#[derive(Debug, Default)]
pub struct Workspace {
    buffers: Mutex<Vec<Vec<f32>>>,
}

impl Workspace {
    /// More than one step needs; a guard against sizes that never come again.
    const MAX_BUFFERS: usize = 32;

    /// A buffer of `length` numbers, which may be anything.
    pub fn take(&self, length: usize) -> Vec<f32> {
        let mut buffers = self.lock();
        match buffers.iter().position(|buffer| buffer.len() == length) {
            Some(found) => buffers.swap_remove(found),
            None => vec![0.0; length],
        }
    }

    /// A buffer of `length` zeros.
    pub fn take_zeros(&self, length: usize) -> Vec<f32> {
        let mut buffer = self.take(length);
        buffer.fill(0.0);
        buffer
    }

    /// Takes a buffer back.
    pub fn give(&self, buffer: Vec<f32>) {
        if buffer.is_empty() {
            return;
        }
        let mut buffers = self.lock();
        if buffers.len() == Self::MAX_BUFFERS {
            buffers.remove(0);
        }
        buffers.push(buffer);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<f32>>> {
        // A panic elsewhere leaves at worst a buffer missing.
        self.buffers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
