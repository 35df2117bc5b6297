//! Products of matrices in bfloat16, twice as fast as in single precision where the processor has
//! instructions for them (AVX512_BF16: Zen 4, Sapphire Rapids and later).
//!
//! A bfloat16 is the upper half of a single: the same range, eight bits of precision. Products of
//! two are exact in single precision, in which they are added up; this is how nets are trained on
//! graphics processors too.

#![allow(unsafe_code)]

use super::matrix::{Into, Matrix, MatrixMut};

/// Rows that the innermost loop computes at once.
const ROWS: usize = 8;
/// Columns that it computes at once: three registers. With those for the results, 24, and for the
/// factors all 32 registers are in use.
const COLUMNS: usize = 48;

/// Whether this processor multiplies bfloat16 numbers.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx512bf16")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// A factor rounded to bfloat16 and laid out for the innermost loop.
///
/// Its rows (of a left factor) or columns (of a right one) are cut into panels; a panel holds, for
/// each two terms of the sums, those two of each of its rows side by side.
#[derive(Debug)]
pub struct Packed {
    pairs: Vec<u32>,
    /// How many rows or columns there are, and how many terms the sums have.
    outer: usize,
    terms: usize,
}

impl Packed {
    /// A left factor.
    pub fn left(matrix: Matrix) -> Self {
        let [rows, columns] = matrix.strides();
        let (outer, terms) = matrix.shape();
        Self::new(matrix.numbers(), [outer, terms], [rows, columns], ROWS)
    }

    /// A right factor.
    pub fn right(matrix: Matrix) -> Self {
        let [rows, columns] = matrix.strides();
        let (terms, outer) = matrix.shape();
        Self::new(matrix.numbers(), [outer, terms], [columns, rows], COLUMNS)
    }

    fn new(numbers: &[f32], shape: [usize; 2], strides: [usize; 2], width: usize) -> Self {
        let [outer, terms] = shape;
        let panel = terms.div_ceil(2) * width;
        let mut pairs = vec![0; outer.div_ceil(width) * panel];
        for (rank, panel) in pairs.chunks_exact_mut(panel.max(1)).enumerate() {
            let first = rank * width;
            let rows = width.min(outer - first);
            let numbers = &numbers[first * strides[0]..];
            if strides[0] == 1 {
                pack_terms(numbers, strides[1], terms, rows, width, panel);
            } else {
                pack_rows(numbers, strides, terms, rows, width, panel);
            }
        }
        Self { pairs, outer, terms }
    }

    fn panels(&self, width: usize) -> std::slice::ChunksExact<'_, u32> {
        self.pairs.chunks_exact((self.terms.div_ceil(2) * width).max(1))
    }
}

super::kernels::vectorized! {
    /// Packs a panel whose rows stand side by side: every `stride` numbers there is the next term
    /// of all of them.
    fn pack_terms(
        numbers: &[f32],
        stride: usize,
        terms: usize,
        rows: usize,
        width: usize,
        panel: &mut [u32],
    ) {
        for (pair, out) in panel.chunks_exact_mut(width).enumerate() {
            let low = &numbers[2 * pair * stride..][..rows];
            if 2 * pair + 1 < terms {
                let high = &numbers[(2 * pair + 1) * stride..][..rows];
                for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
                    *out = (rounded(*low) >> 16) | (rounded(*high) & 0xffff_0000);
                }
            } else {
                for (out, low) in out.iter_mut().zip(low) {
                    *out = rounded(*low) >> 16;
                }
            }
        }
    }

    /// Packs a panel of any other layout.
    fn pack_rows(
        numbers: &[f32],
        strides: [usize; 2],
        terms: usize,
        rows: usize,
        width: usize,
        panel: &mut [u32],
    ) {
        let [row_stride, term_stride] = strides;
        for row in 0..rows {
            let numbers = &numbers[row * row_stride..];
            for pair in 0..terms / 2 {
                let low = rounded(numbers[2 * pair * term_stride]);
                let high = rounded(numbers[(2 * pair + 1) * term_stride]);
                panel[pair * width + row] = (low >> 16) | (high & 0xffff_0000);
            }
            if terms % 2 == 1 {
                panel[terms / 2 * width + row] = rounded(numbers[(terms - 1) * term_stride]) >> 16;
            }
        }
    }
}

/// The bits of a number whose upper half is the nearest bfloat16, ties to even.
#[inline(always)]
fn rounded(number: f32) -> u32 {
    let bits = number.to_bits();
    bits.wrapping_add(0x7fff + ((bits >> 16) & 1))
}

/// Writes the product of two packed factors to `out`.
///
/// # Panics
/// When the shapes do not fit each other.
pub fn multiply(mut out: MatrixMut, into: Into, left: &Packed, right: &Packed) {
    let (rows, columns) = out.shape();
    assert_eq!((rows, columns), (left.outer, right.outer), "shape of a product");
    assert_eq!(left.terms, right.terms, "terms of a product");
    let (stride, numbers) = out.rows_mut();
    let is_fast = is_available();
    for (j, right) in right.panels(COLUMNS).enumerate() {
        for (i, left) in left.panels(ROWS).enumerate() {
            let mut block = [0.0; ROWS * COLUMNS];
            multiply_panels(left, right, &mut block, is_fast);
            let width = COLUMNS.min(columns - j * COLUMNS);
            let height = ROWS.min(rows - i * ROWS);
            for (row, block) in block.chunks_exact(COLUMNS).take(height).enumerate() {
                let from = (i * ROWS + row) * stride + j * COLUMNS;
                let out = &mut numbers[from..from + width];
                match into {
                    Into::Replace => out.copy_from_slice(&block[..width]),
                    Into::Add => out.iter_mut().zip(block).for_each(|(out, sum)| *out += sum),
                }
            }
        }
    }
}

/// Adds the sums of products of one left and one right panel to `block`, which is zero; `is_fast`
/// says that the processor has the instructions.
fn multiply_panels(left: &[u32], right: &[u32], block: &mut [f32; ROWS * COLUMNS], is_fast: bool) {
    #[cfg(target_arch = "x86_64")]
    if is_fast {
        // SAFETY: the caller has found that the processor has AVX512_BF16.
        return unsafe { x86::multiply_panels(left, right, block) };
    }
    debug_assert!(!is_fast, "only this architecture has the instructions");
    multiply_panels_slowly(left, right, block);
}

/// The same for any processor. It is here to check the other: nobody chooses bfloat16 where it is
/// slow.
fn multiply_panels_slowly(left: &[u32], right: &[u32], block: &mut [f32; ROWS * COLUMNS]) {
    let halves = |pair: u32| [f32::from_bits(pair << 16), f32::from_bits(pair & 0xffff_0000)];
    for (left, right) in left.chunks_exact(ROWS).zip(right.chunks_exact(COLUMNS)) {
        for (row, block) in left.iter().zip(block.chunks_exact_mut(COLUMNS)) {
            let [low, high] = halves(*row);
            for (sum, column) in block.iter_mut().zip(right) {
                let factors = halves(*column);
                *sum += low * factors[0] + high * factors[1];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_loadu_si512, _mm512_set1_epi32,
        _mm512_setzero_ps, _mm512_storeu_ps,
    };

    use super::{COLUMNS, ROWS};

    const LANES: usize = 16;
    const REGISTERS: usize = COLUMNS / LANES;

    /// The sums of products of one left and one right panel.
    ///
    /// # Safety
    /// The processor has AVX512_BF16.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")]
    pub(super) unsafe fn multiply_panels(
        left: &[u32],
        right: &[u32],
        block: &mut [f32; ROWS * COLUMNS],
    ) {
        let mut sums: [[__m512; REGISTERS]; ROWS] = [[_mm512_setzero_ps(); REGISTERS]; ROWS];
        for (left, right) in left.chunks_exact(ROWS).zip(right.chunks_exact(COLUMNS)) {
            let mut columns: [__m512bh; REGISTERS] = [as_pairs(_mm512_set1_epi32(0)); REGISTERS];
            for (rank, column) in columns.iter_mut().enumerate() {
                // SAFETY: `right` has three times sixteen pairs.
                let pairs = unsafe { _mm512_loadu_si512(right.as_ptr().add(rank * LANES).cast()) };
                *column = as_pairs(pairs);
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let pair = as_pairs(_mm512_set1_epi32(left[row].cast_signed()));
                for (sum, column) in sums.iter_mut().zip(columns) {
                    *sum = _mm512_dpbf16_ps(*sum, pair, column);
                }
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            for (rank, sum) in sums.into_iter().enumerate() {
                // SAFETY: a row of the block has three times sixteen numbers, and there are eight.
                unsafe {
                    _mm512_storeu_ps(block.as_mut_ptr().add(row * COLUMNS + rank * LANES), sum);
                }
            }
        }
    }

    #[inline(always)]
    fn as_pairs(register: __m512i) -> __m512bh {
        // SAFETY: both are 512 bits of plain numbers.
        unsafe { std::mem::transmute(register) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that bfloat16 holds exactly, so that products can be compared to the bit.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|j| ((j * 37 + seed * 11) % 33) as f32 / 16.0 - 1.0).collect()
    }

    #[test]
    fn products_agree_with_those_in_single_precision_whatever_the_layout() {
        for (rows, columns, terms) in [(1, 1, 1), (8, 48, 2), (9, 50, 7), (30, 100, 33)] {
            let (a, b) = (numbers(rows * terms, 1), numbers(terms * columns, 2));
            let (a_turned, b_turned) = (numbers(rows * terms, 3), numbers(terms * columns, 4));
            let lefts = [
                Matrix::new(&a, rows, terms, terms),
                Matrix::new(&a_turned, terms, rows, rows).transposed(),
            ];
            let rights = [
                Matrix::new(&b, terms, columns, columns),
                Matrix::new(&b_turned, columns, terms, terms).transposed(),
            ];
            for left in lefts {
                for right in rights {
                    for into in [Into::Replace, Into::Add] {
                        let mut got = vec![1.0; rows * columns];
                        let mut wanted = got.clone();
                        let out = MatrixMut::new(&mut got, rows, columns, columns);
                        multiply(out, into, &Packed::left(left), &Packed::right(right));
                        let out = MatrixMut::new(&mut wanted, rows, columns, columns);
                        let one = super::super::matrix::Threads::One;
                        super::super::matrix::multiply(out, into, left, right, one);
                        assert_eq!(got, wanted, "{rows} × {terms} × {columns}");
                    }
                }
            }
        }
    }

    #[test]
    fn both_ways_to_multiply_panels_agree() {
        let (a, b) = (numbers(ROWS * 10, 5), numbers(COLUMNS * 10, 6));
        let left = Packed::left(Matrix::new(&a, ROWS, 10, 10));
        let right = Packed::right(Matrix::new(&b, 10, COLUMNS, COLUMNS));
        let mut blocks = [[0.0; ROWS * COLUMNS]; 2];
        multiply_panels(&left.pairs, &right.pairs, &mut blocks[0], is_available());
        multiply_panels_slowly(&left.pairs, &right.pairs, &mut blocks[1]);
        assert_eq!(blocks[0], blocks[1]);
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        let upper = |number: f32| f32::from_bits(rounded(number) & 0xffff_0000);
        assert_eq!(upper(1.0), 1.0);
        assert_eq!(upper(1.003), 1.0);
        assert_eq!(upper(1.005), 1.007_812_5);
        assert_eq!(upper(-1.005), -1.007_812_5);
        assert!(upper(f32::NAN).is_nan());
    }
}
