//! Leaves that look the same, stored once.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::Leaf;

/// Gives each different leaf a number.
#[derive(Default)]
pub(super) struct Interner {
    numbers: HashMap<[u32; 5], u32, BuildHasherDefault<Mixer>>,
    leaves: Vec<Leaf>,
}

impl Interner {
    /// The number of a leaf, a new one if it has not been seen.
    pub(super) fn number(&mut self, leaf: Leaf) -> u32 {
        // adding zero makes one zero of the two
        let bits = leaf.map(|value| (value + 0.0).to_bits());
        *self.numbers.entry(bits).or_insert_with(|| {
            self.leaves.push(leaf);
            self.leaves.len() as u32 - 1
        })
    }

    /// The leaves in the order of their numbers.
    pub(super) fn into_leaves(self) -> Vec<Leaf> {
        self.leaves
    }
}

/// A fast hash of a few numbers that nobody chose with evil intent.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(4) {
            let mut padded = [0; 4];
            padded[..word.len()].copy_from_slice(word);
            self.write_u32(u32::from_le_bytes(padded));
        }
    }

    fn write_u32(&mut self, word: u32) {
        // an odd multiplier near 2^64 divided by the golden ratio spreads any bit upward
        self.0 = (self.0.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, length: usize) {
        self.write_u32(length as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_leaves_share_a_number() {
        let mut interner = Interner::default();
        let leaf = |material| [material, 1.0, 0.0, 0.5, 0.0];
        let numbers = [1.0, 2.0, 1.0, 0.0, -0.0].map(|material| interner.number(leaf(material)));
        assert_eq!(numbers, [0, 1, 0, 2, 2]);
        assert_eq!(interner.into_leaves(), [leaf(1.0), leaf(2.0), leaf(0.0)]);
    }
}
