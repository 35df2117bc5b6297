//! Products of a kept matrix with one vector, for play: one sample at a time.
//!
//! Such a product is bound by memory, so the matrix may be kept in half precision; it is widened
//! as it is read, and all arithmetic is in single precision.

#![allow(unsafe_code)]

use half::{f16, slice::HalfFloatSliceExt};

use super::instructions::{InstructionSet, instruction_set};

/// A matrix that is multiplied with many vectors.
#[derive(Debug, Clone)]
pub struct Kernel {
    numbers: Numbers,
    columns: usize,
}

#[derive(Debug, Clone)]
enum Numbers {
    Single(Vec<f32>),
    Half(Vec<f16>),
}

impl Kernel {
    /// A matrix in single precision, row by row.
    ///
    /// # Panics
    /// When there is not a whole number of rows.
    pub fn single(numbers: Vec<f32>, columns: usize) -> Self {
        assert_eq!(numbers.len() % columns, 0, "rows of {columns} in {}", numbers.len());
        Self { numbers: Numbers::Single(numbers), columns }
    }

    /// A matrix in half precision, row by row. Where the processor cannot widen numbers quickly,
    /// that is done now.
    ///
    /// # Panics
    /// When there is not a whole number of rows.
    pub fn half(numbers: Vec<f16>, columns: usize) -> Self {
        assert_eq!(numbers.len() % columns, 0, "rows of {columns} in {}", numbers.len());
        if instruction_set() == InstructionSet::Portable {
            let mut wide = vec![0.0; numbers.len()];
            numbers.convert_to_f32_slice(&mut wide);
            return Self::single(wide, columns);
        }
        Self { numbers: Numbers::Half(numbers), columns }
    }

    /// How many rows the matrix has.
    pub fn rows(&self) -> usize {
        let count = match &self.numbers {
            Numbers::Single(numbers) => numbers.len(),
            Numbers::Half(numbers) => numbers.len(),
        };
        count / self.columns
    }

    /// Copies one row.
    ///
    /// # Panics
    /// When there is no such row, or `to` is not one row long.
    pub fn copy_row(&self, row: usize, to: &mut [f32]) {
        let range = row * self.columns..(row + 1) * self.columns;
        match &self.numbers {
            Numbers::Single(numbers) => to.copy_from_slice(&numbers[range]),
            Numbers::Half(numbers) => numbers[range].convert_to_f32_slice(to),
        }
    }

    /// `product = matrix · vector`.
    ///
    /// # Panics
    /// When `vector` is not one row or `product` not one column long.
    pub fn multiply(&self, vector: &[f32], product: &mut [f32]) {
        assert_eq!((self.columns, self.rows()), (vector.len(), product.len()), "lengths");
        match &self.numbers {
            Numbers::Single(numbers) => multiply(numbers, vector, product),
            Numbers::Half(numbers) => multiply(numbers, vector, product),
        }
    }
}

/// `numbers` holds `product.len()` rows of `vector.len()` numbers: the caller has checked.
fn multiply<N: Number>(numbers: &[N], vector: &[f32], product: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    match instruction_set() {
        // SAFETY: the processor has just been found to have these instructions.
        InstructionSet::Avx512 => return unsafe { x86::multiply_avx512(numbers, vector, product) },
        // SAFETY: the same.
        InstructionSet::Avx2 => return unsafe { x86::multiply_avx2(numbers, vector, product) },
        InstructionSet::Portable => {}
    }
    multiply_portable(numbers, vector, product);
}

fn multiply_portable<N: Number>(numbers: &[N], vector: &[f32], product: &mut [f32]) {
    const LANES: usize = 8;
    for (row, sum) in numbers.chunks_exact(vector.len()).zip(product) {
        let mut lanes = [0.0; LANES];
        for (row, vector) in row.chunks(LANES).zip(vector.chunks(LANES)) {
            for ((lane, number), x) in lanes.iter_mut().zip(row).zip(vector) {
                *lane += number.widened() * x;
            }
        }
        *sum = lanes.iter().sum();
    }
}

/// How numbers of a matrix are kept.
trait Number: Copy {
    /// The number in single precision.
    fn widened(self) -> f32;

    /// Sixteen numbers in single precision.
    ///
    /// # Safety
    /// The processor has AVX-512, and `from` points at sixteen numbers.
    #[cfg(target_arch = "x86_64")]
    unsafe fn load_16(from: *const Self) -> std::arch::x86_64::__m512;

    /// Eight numbers in single precision.
    ///
    /// # Safety
    /// The processor has AVX2 and F16C, and `from` points at eight numbers.
    #[cfg(target_arch = "x86_64")]
    unsafe fn load_8(from: *const Self) -> std::arch::x86_64::__m256;
}

impl Number for f32 {
    fn widened(self) -> f32 {
        self
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_16(from: *const Self) -> std::arch::x86_64::__m512 {
        // SAFETY: the caller points at sixteen numbers.
        unsafe { std::arch::x86_64::_mm512_loadu_ps(from) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn load_8(from: *const Self) -> std::arch::x86_64::__m256 {
        // SAFETY: the caller points at eight numbers.
        unsafe { std::arch::x86_64::_mm256_loadu_ps(from) }
    }
}

impl Number for f16 {
    fn widened(self) -> f32 {
        self.to_f32()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_16(from: *const Self) -> std::arch::x86_64::__m512 {
        use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm512_cvtph_ps};
        // SAFETY: the caller points at sixteen numbers of sixteen bits.
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(from.cast::<__m256i>())) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,fma,f16c")]
    unsafe fn load_8(from: *const Self) -> std::arch::x86_64::__m256 {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm256_cvtph_ps};
        // SAFETY: the caller points at eight numbers of sixteen bits.
        unsafe { _mm256_cvtph_ps(_mm_loadu_si128(from.cast::<__m128i>())) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256, __m512, _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_setzero_ps,
        _mm256_storeu_ps, _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_reduce_add_ps,
        _mm512_setzero_ps,
    };

    use super::Number;

    /// Rows that are multiplied together, so that each part of the vector is read once for all.
    const ROWS: usize = 4;

    /// The sum of what is left of a row after whole registers.
    fn rest<N: Number>(row: &[N], vector: &[f32], from: usize) -> f32 {
        row[from..].iter().zip(&vector[from..]).map(|(number, x)| number.widened() * x).sum()
    }

    /// # Safety
    /// The processor has AVX-512.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
    pub(super) unsafe fn multiply_avx512<N: Number>(
        numbers: &[N],
        vector: &[f32],
        product: &mut [f32],
    ) {
        const STEP: usize = 32;
        let columns = vector.len();
        let whole = columns - columns % STEP;
        for (rows, sums) in numbers.chunks(ROWS * columns).zip(product.chunks_mut(ROWS)) {
            let row = |rank: usize| &rows[rank.min(sums.len() - 1) * columns..][..columns];
            let rows: [&[N]; ROWS] = [row(0), row(1), row(2), row(3)];
            let mut low: [__m512; ROWS] = [_mm512_setzero_ps(); ROWS];
            let mut high: [__m512; ROWS] = [_mm512_setzero_ps(); ROWS];
            for from in (0..whole).step_by(STEP) {
                // SAFETY: `from + 32 <= columns`, the length of the vector and of each row.
                unsafe {
                    let x_low = _mm512_loadu_ps(vector.as_ptr().add(from));
                    let x_high = _mm512_loadu_ps(vector.as_ptr().add(from + 16));
                    for rank in 0..ROWS {
                        let at = rows[rank].as_ptr().add(from);
                        low[rank] = _mm512_fmadd_ps(N::load_16(at), x_low, low[rank]);
                        high[rank] = _mm512_fmadd_ps(N::load_16(at.add(16)), x_high, high[rank]);
                    }
                }
            }
            for (rank, sum) in sums.iter_mut().enumerate() {
                *sum = _mm512_reduce_add_ps(_mm512_add_ps(low[rank], high[rank]))
                    + rest(rows[rank], vector, whole);
            }
        }
    }

    /// # Safety
    /// The processor has AVX2, FMA and F16C.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(super) unsafe fn multiply_avx2<N: Number>(
        numbers: &[N],
        vector: &[f32],
        product: &mut [f32],
    ) {
        const STEP: usize = 16;
        let columns = vector.len();
        let whole = columns - columns % STEP;
        for (rows, sums) in numbers.chunks(ROWS * columns).zip(product.chunks_mut(ROWS)) {
            let row = |rank: usize| &rows[rank.min(sums.len() - 1) * columns..][..columns];
            let rows: [&[N]; ROWS] = [row(0), row(1), row(2), row(3)];
            let mut low: [__m256; ROWS] = [_mm256_setzero_ps(); ROWS];
            let mut high: [__m256; ROWS] = [_mm256_setzero_ps(); ROWS];
            for from in (0..whole).step_by(STEP) {
                // SAFETY: `from + 16 <= columns`, the length of the vector and of each row.
                unsafe {
                    let x_low = _mm256_loadu_ps(vector.as_ptr().add(from));
                    let x_high = _mm256_loadu_ps(vector.as_ptr().add(from + 8));
                    for rank in 0..ROWS {
                        let at = rows[rank].as_ptr().add(from);
                        low[rank] = _mm256_fmadd_ps(N::load_8(at), x_low, low[rank]);
                        high[rank] = _mm256_fmadd_ps(N::load_8(at.add(8)), x_high, high[rank]);
                    }
                }
            }
            for (rank, sum) in sums.iter_mut().enumerate() {
                let mut lanes = [0.0; 8];
                // SAFETY: `lanes` has room for a register.
                unsafe {
                    _mm256_storeu_ps(lanes.as_mut_ptr(), _mm256_add_ps(low[rank], high[rank]));
                }
                *sum = lanes.iter().sum::<f32>() + rest(rows[rank], vector, whole);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|j| ((j * 37) % 64) as f32 / 64.0 - 0.5).collect()
    }

    #[test]
    fn every_instruction_set_and_precision_gives_the_same_product() {
        for (rows, columns) in [(1, 1), (3, 16), (4, 32), (7, 71), (30, 100)] {
            let (matrix, vector) = (numbers(rows * columns), numbers(columns));
            let exact: Vec<f32> = matrix
                .chunks(columns)
                .map(|row| row.iter().zip(&vector).map(|(a, b)| a * b).sum())
                .collect();
            // Sixty-fourths are exact in half precision.
            let half: Vec<f16> = matrix.iter().copied().map(f16::from_f32).collect();
            let mut products = vec![vec![0.0; rows]; 4];
            Kernel::single(matrix.clone(), columns).multiply(&vector, &mut products[0]);
            Kernel::half(half.clone(), columns).multiply(&vector, &mut products[1]);
            multiply_portable(&half, &vector, &mut products[2]);
            multiply_portable(&matrix, &vector, &mut products[3]);
            #[cfg(target_arch = "x86_64")]
            if instruction_set() != InstructionSet::Portable {
                let mut product = vec![0.0; rows];
                // SAFETY: the processor has at least AVX2.
                unsafe { x86::multiply_avx2(&half, &vector, &mut product) };
                products.push(product);
            }
            for product in products {
                for (got, wanted) in product.iter().zip(&exact) {
                    assert!((got - wanted).abs() < 1e-4, "{rows} × {columns}: {got} {wanted}");
                }
            }
        }
    }

    #[test]
    fn rows_are_copied_out() {
        let mut row = [0.0; 2];
        Kernel::half(numbers(6).into_iter().map(f16::from_f32).collect(), 2).copy_row(1, &mut row);
        assert_eq!(row, numbers(6)[2..4]);
    }
}
