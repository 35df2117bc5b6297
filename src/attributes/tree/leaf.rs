//! What the value of a position that is not looked beyond is made of, in eight bytes.

use crate::attributes::{ByAttribute, Weights};

/// The parts into which an attribute is divided; the smallest that is counted is a weak attack, a
/// tenth.
const PARTS: f32 = 10.0;
/// The parts of a share of mate, which falls by hundredths.
const SHARES: f64 = 100.0;
/// Numbers are kept as positive ones of 16 bits, of which this is zero.
const ZERO: u16 = 1 << 15;

/// The attributes of a position, or the share of mate where the game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf(u64);

impl Leaf {
    /// A draw is worth nothing, as a position is where both sides have as much of everything.
    pub(super) const DRAWN: Self = Self(u64::from_le_bytes([0, 0x80, 0, 0x80, 0, 0x80, 0, 0x80]));

    /// A position with these attributes, to a tenth.
    pub(super) fn seen(of: &ByAttribute<f32>) -> Self {
        // the conversion rounds towards zero, and keeps what is too large at the end of the range
        let part = |count: f32| (count * PARTS + (f32::from(ZERO) + 0.5)) as u16;
        Self::of([part(of.material), part(of.mobility), part(of.center), part(of.attacks)])
    }

    /// The end of the game, worth this share of mate, to a hundredth.
    pub(super) fn ended(share: f64) -> Self {
        match (share * SHARES).round() as i16 {
            0 => Self::DRAWN,
            share => Self::of([ZERO.wrapping_add_signed(share), 0, 0, 0]),
        }
    }

    fn of(parts: [u16; 4]) -> Self {
        let [a, b, c, d] = parts.map(u64::from);
        Self(a | b << 16 | c << 32 | d << 48)
    }

    /// Its bits: leaves that look the same have the same.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// What the [weights](Weights) are multiplied with to give the value, in their order.
    pub(super) fn counts(self) -> [f64; Weights::COUNT] {
        let part = |number: u32| (self.0 >> (16 * number)) as u16;
        let count = |number: u32| f64::from(i32::from(part(number)) - i32::from(ZERO));
        // no position has the most negative number of anything
        if part(1) == 0 {
            return [0.0, 0.0, 0.0, 0.0, count(0) / SHARES];
        }
        let parts = f64::from(PARTS);
        [count(0) / parts, count(1) / parts, count(2) / parts, count(3) / parts, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_shares_of_mate_come_out_as_they_went_in() {
        let seen = ByAttribute { material: -9.0, mobility: 31.0, center: -16.0, attacks: 2.3 };
        assert_eq!(Leaf::seen(&seen).counts(), [-9.0, 31.0, -16.0, 2.3, 0.0]);
        for share in [1.0, 0.98, -0.97] {
            assert_eq!(Leaf::ended(share).counts(), [0.0, 0.0, 0.0, 0.0, share]);
        }
        assert_eq!(Leaf::ended(0.0), Leaf::seen(&ByAttribute::default()));
        assert_eq!(Leaf::DRAWN.counts(), [0.0; 5]);
    }
}
