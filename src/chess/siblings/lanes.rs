//! Sets of squares of several positions side by side, in one register.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A number of 64 bits for each of a few positions: a set of squares, a count, or a condition that
/// is all ones where it is true.
pub(super) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitOrAssign + Not<Output = Self>
{
    /// How many positions.
    const COUNT: usize;

    /// The numbers of a slice, which must hold [`COUNT`](Self::COUNT) of them.
    fn read(numbers: &[u64]) -> Self;

    /// Puts the numbers into a slice of as many.
    fn write(self, numbers: &mut [u64]);

    /// The same number for every position.
    fn splat(bits: u64) -> Self;

    /// Bits moved towards higher numbers.
    fn up<const BY: u32>(self) -> Self;

    /// Bits moved towards lower numbers.
    fn down<const BY: u32>(self) -> Self;

    /// How many bits are set.
    fn count(self) -> Self;

    /// The sums, in two's complement.
    fn plus(self, other: Self) -> Self;

    /// The differences, in two's complement.
    fn minus(self, other: Self) -> Self;

    /// Whether each number is zero.
    fn is_zero(self) -> Self;

    /// Whether any bit of any number is set.
    fn any(self) -> bool;
}

impl Lanes for u64 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn read(numbers: &[u64]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn write(self, numbers: &mut [u64]) {
        numbers[0] = self;
    }

    #[inline(always)]
    fn splat(bits: u64) -> Self {
        bits
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Self {
        self << BY
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Self {
        self >> BY
    }

    #[inline(always)]
    fn count(self) -> Self {
        u64::from(self.count_ones())
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        if self == 0 { Self::MAX } else { 0 }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(super) mod wide {
    //! Registers of x86-64. Their operations are for functions alone that are compiled for
    //! processors which have them, and those are called only where the processor does.

    use std::arch::x86_64::*;

    use super::{BitAnd, BitOr, BitOrAssign, Lanes, Not};

    /// Eight numbers; AVX-512 with the instruction that counts bits.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Eight(__m512i);

    /// Four numbers; AVX2.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Four(__m256i);

    /// Implements an operator by an instruction.
    macro_rules! operators {
        ($lanes:ident, $and:ident, $or:ident, $xor:ident) => {
            impl BitAnd for $lanes {
                type Output = Self;

                #[inline(always)]
                fn bitand(self, other: Self) -> Self {
                    // SAFETY: see the module
                    Self(unsafe { $and(self.0, other.0) })
                }
            }

            impl BitOr for $lanes {
                type Output = Self;

                #[inline(always)]
                fn bitor(self, other: Self) -> Self {
                    // SAFETY: see the module
                    Self(unsafe { $or(self.0, other.0) })
                }
            }

            impl BitOrAssign for $lanes {
                #[inline(always)]
                fn bitor_assign(&mut self, other: Self) {
                    *self = *self | other;
                }
            }

            impl Not for $lanes {
                type Output = Self;

                #[inline(always)]
                fn not(self) -> Self {
                    // SAFETY: see the module
                    Self(unsafe { $xor(self.0, Self::splat(u64::MAX).0) })
                }
            }
        };
    }

    operators!(Eight, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512);
    operators!(Four, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256);

    impl Lanes for Eight {
        const COUNT: usize = 8;

        #[inline(always)]
        fn read(numbers: &[u64]) -> Self {
            let numbers: &[u64; 8] = numbers.try_into().expect("eight numbers");
            // SAFETY: the array holds 64 bytes; for the instructions see the module
            Self(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
        }

        #[inline(always)]
        fn write(self, numbers: &mut [u64]) {
            let numbers: &mut [u64; 8] = numbers.try_into().expect("eight numbers");
            // SAFETY: as above
            unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(bits: u64) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_set1_epi64(bits as i64) })
        }

        #[inline(always)]
        fn up<const BY: u32>(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_slli_epi64::<BY>(self.0) })
        }

        #[inline(always)]
        fn down<const BY: u32>(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_srli_epi64::<BY>(self.0) })
        }

        #[inline(always)]
        fn count(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_popcnt_epi64(self.0) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_add_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn is_zero(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm512_maskz_set1_epi64(_mm512_testn_epi64_mask(self.0, self.0), -1) })
        }

        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: see the module
            unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
        }
    }

    impl Lanes for Four {
        const COUNT: usize = 4;

        #[inline(always)]
        fn read(numbers: &[u64]) -> Self {
            let numbers: &[u64; 4] = numbers.try_into().expect("four numbers");
            // SAFETY: the array holds 32 bytes; for the instructions see the module
            Self(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
        }

        #[inline(always)]
        fn write(self, numbers: &mut [u64]) {
            let numbers: &mut [u64; 4] = numbers.try_into().expect("four numbers");
            // SAFETY: as above
            unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(bits: u64) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_set1_epi64x(bits as i64) })
        }

        #[inline(always)]
        fn up<const BY: u32>(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi64_si128(i64::from(BY))) })
        }

        #[inline(always)]
        fn down<const BY: u32>(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi64_si128(i64::from(BY))) })
        }

        /// By a table of the sixteen half bytes, whose counts are then added up.
        #[inline(always)]
        fn count(self) -> Self {
            // SAFETY: see the module
            Self(unsafe {
                let table = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                );
                let half = _mm256_set1_epi8(15);
                let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, half));
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half);
                let bytes = _mm256_add_epi8(low, _mm256_shuffle_epi8(table, high));
                _mm256_sad_epu8(bytes, _mm256_setzero_si256())
            })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_add_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn is_zero(self) -> Self {
            // SAFETY: see the module
            Self(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
        }

        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: see the module
            unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
        }
    }
}
