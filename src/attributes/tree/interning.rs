//! Leaves that look the same, stored once.

use super::leaf::Leaf;

/// A slot that no leaf is in.
const EMPTY: u32 = u32::MAX;
const FEWEST_SLOTS: usize = 1 << 6;

/// Gives each different leaf a number.
#[derive(Debug)]
pub(super) struct Interner {
    leaves: Vec<Leaf>,
    /// Numbers of leaves by their hash, in the first free slot from there on; as many as a power of
    /// two, at most half of them full.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { leaves: Vec::new(), slots: vec![EMPTY; FEWEST_SLOTS] }
    }
}

impl Interner {
    /// The number of a leaf, a new one if it has not been seen.
    pub(super) fn number(&mut self, leaf: Leaf) -> u32 {
        let mask = self.slots.len() - 1;
        let mut slot = self.first_slot(leaf);
        loop {
            match self.slots[slot] {
                EMPTY => break,
                number if self.leaves[number as usize] == leaf => return number,
                _ => slot = (slot + 1) & mask,
            }
        }
        let number = self.leaves.len() as u32;
        self.slots[slot] = number;
        self.leaves.push(leaf);
        if 2 * self.leaves.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    /// The leaves in the order of their numbers.
    pub(super) fn into_leaves(mut self) -> Vec<Leaf> {
        self.leaves.shrink_to_fit();
        self.leaves
    }

    fn first_slot(&self, leaf: Leaf) -> usize {
        // an odd multiplier near 2^64 divided by the golden ratio spreads any bit upward
        let hash = leaf.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; 4 * self.slots.len()];
        let mask = self.slots.len() - 1;
        for number in 0..self.leaves.len() {
            let mut slot = self.first_slot(self.leaves[number]);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::ByAttribute;

    fn leaf(material: f32) -> Leaf {
        Leaf::seen(&ByAttribute { material, mobility: 1.0, center: 0.0, attacks: 0.5 })
    }

    #[test]
    fn equal_leaves_share_a_number() {
        let mut interner = Interner::default();
        let numbers = [1.0, 2.0, 1.0, 0.0, -0.0].map(|material| interner.number(leaf(material)));
        assert_eq!(numbers, [0, 1, 0, 2, 2]);
        assert_eq!(interner.into_leaves(), [leaf(1.0), leaf(2.0), leaf(0.0)]);
    }

    #[test]
    fn many_leaves_keep_their_numbers() {
        let mut interner = Interner::default();
        for _ in 0..2 {
            for number in 0..1000 {
                assert_eq!(interner.number(leaf(number as f32)), number);
            }
        }
    }
}
