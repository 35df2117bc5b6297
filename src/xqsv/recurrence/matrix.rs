//! Products of matrices, by the `gemm` crate: bounds are checked here, once a product.

#![allow(unsafe_code)]

use gemm::Parallelism;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bfloat::{self, Packed};

/// A matrix within a slice.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    numbers: &'a [f32],
    shape: Layout,
}

/// A matrix within a slice, to be written to.
#[derive(Debug)]
pub struct MatrixMut<'a> {
    numbers: &'a mut [f32],
    shape: Layout,
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl Layout {
    fn check(self, length: usize) -> Self {
        let needed = if self.rows == 0 || self.columns == 0 {
            0
        } else {
            (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride + 1
        };
        assert!(needed <= length, "a matrix of {needed} numbers in a slice of {length}");
        self
    }
}

impl<'a> Matrix<'a> {
    /// A matrix of `rows` × `columns` whose rows begin every `stride` numbers.
    ///
    /// # Panics
    /// When it does not fit into the slice.
    pub fn new(numbers: &'a [f32], rows: usize, columns: usize, stride: usize) -> Self {
        let shape = Layout { rows, columns, row_stride: stride, column_stride: 1 };
        Self { numbers, shape: shape.check(numbers.len()) }
    }

    /// The same matrix with rows and columns exchanged; nothing is moved.
    pub fn transposed(self) -> Self {
        let Layout { rows, columns, row_stride, column_stride } = self.shape;
        let shape = Layout {
            rows: columns,
            columns: rows,
            row_stride: column_stride,
            column_stride: row_stride,
        };
        Self { numbers: self.numbers, shape }
    }
}

impl<'a> Matrix<'a> {
    /// How many rows and columns it has.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.shape.rows, self.shape.columns)
    }

    /// Some of its rows.
    fn rows(self, first: usize, count: usize) -> Self {
        assert!(first + count <= self.shape.rows, "rows beyond a matrix's last one");
        let numbers = &self.numbers[first * self.shape.row_stride..];
        Self { numbers, shape: Layout { rows: count, ..self.shape } }
    }

    /// How many numbers it is to the next row and to the next column.
    pub(super) fn strides(&self) -> [usize; 2] {
        [self.shape.row_stride, self.shape.column_stride]
    }

    /// All numbers, those between its rows included.
    pub(super) fn numbers(&self) -> &'a [f32] {
        self.numbers
    }
}

impl<'a> MatrixMut<'a> {
    /// How many rows and columns it has.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.shape.rows, self.shape.columns)
    }

    /// How many numbers it is to the next row, and all numbers.
    pub(super) fn rows_mut(&mut self) -> (usize, &mut [f32]) {
        (self.shape.row_stride, self.numbers)
    }
}

impl<'a> MatrixMut<'a> {
    /// A matrix of `rows` × `columns` whose rows begin every `stride` numbers.
    ///
    /// # Panics
    /// When it does not fit into the slice, or its rows overlap.
    pub fn new(numbers: &'a mut [f32], rows: usize, columns: usize, stride: usize) -> Self {
        assert!(stride >= columns, "rows of {columns} numbers every {stride} overlap");
        let shape = Layout { rows, columns, row_stride: stride, column_stride: 1 };
        let shape = shape.check(numbers.len());
        Self { numbers, shape }
    }
}

/// What a product does with what is already in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Into {
    /// It is written over.
    Replace,
    /// The product is added to it.
    Add,
}

/// Writes the product of `a` and `b` to `out`, on this thread alone or on all of rayon's.
///
/// # Panics
/// When the shapes do not fit each other.
pub fn multiply(out: MatrixMut, into: Into, a: Matrix, b: Matrix, threads: Threads) {
    let (o, x, y) = (out.shape, a.shape, b.shape);
    assert_eq!((o.rows, o.columns, x.columns), (x.rows, y.columns, y.rows), "shapes of a product");
    let parallelism = match threads {
        Threads::All if rayon::current_num_threads() > 1 => {
            Parallelism::Rayon(rayon::current_num_threads())
        }
        _ => Parallelism::None,
    };
    // SAFETY: the constructors have checked that each matrix lies within its slice, the shapes fit
    // each other, and `out` is borrowed mutably, so it overlaps neither `a` nor `b`.
    unsafe {
        gemm::gemm(
            o.rows,
            o.columns,
            x.columns,
            out.numbers.as_mut_ptr(),
            o.column_stride as isize,
            o.row_stride as isize,
            into == Into::Add,
            a.numbers.as_ptr(),
            x.column_stride as isize,
            x.row_stride as isize,
            b.numbers.as_ptr(),
            y.column_stride as isize,
            y.row_stride as isize,
            1.0_f32,
            1.0_f32,
            false,
            false,
            false,
            parallelism,
        );
    }
}

/// In which precision factors are multiplied; sums are always in single precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// Single precision.
    #[default]
    Single,
    /// bfloat16, which is twice as fast; single precision where the processor does not have it.
    Bfloat,
}

/// A right factor, prepared to be multiplied from the left many times.
#[derive(Debug)]
pub enum Right<'a> {
    /// As it is.
    Single(Matrix<'a>),
    /// Rounded and laid out.
    Bfloat(Packed),
}

impl<'a> Right<'a> {
    /// Prepares a right factor.
    pub fn new(matrix: Matrix<'a>, precision: Precision) -> Self {
        match precision {
            Precision::Bfloat if bfloat::is_available() => Self::Bfloat(Packed::right(matrix)),
            _ => Self::Single(matrix),
        }
    }

    /// Writes the product of `left` with this factor to `out`, on this thread.
    ///
    /// # Panics
    /// When the shapes do not fit each other.
    pub fn multiply(&self, out: MatrixMut, into: Into, left: Matrix) {
        match self {
            Self::Single(right) => multiply(out, into, left, *right, Threads::One),
            Self::Bfloat(right) => bfloat::multiply(out, into, &Packed::left(left), right),
        }
    }

    /// The same on all of rayon's threads.
    ///
    /// # Panics
    /// When the shapes do not fit each other.
    pub fn multiply_on_all_threads(&self, mut out: MatrixMut, into: Into, left: Matrix) {
        let right = match self {
            Self::Single(right) => return multiply(out, into, left, *right, Threads::All),
            Self::Bfloat(right) => right,
        };
        let (rows, columns) = out.shape();
        let part = rows.div_ceil(rayon::current_num_threads()).max(1);
        let (stride, numbers) = out.rows_mut();
        numbers.par_chunks_mut(part * stride).enumerate().for_each(|(rank, numbers)| {
            let first = rank * part;
            let count = part.min(rows - first);
            let out = MatrixMut::new(numbers, count, columns, stride);
            bfloat::multiply(out, into, &Packed::left(left.rows(first, count)), right);
        });
    }
}

/// On how many threads a product is formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// On the thread that asks.
    One,
    /// On all of rayon's.
    All,
}

/// Writes the transpose of the `rows` × `columns` matrix `from` to `to`, whose rows begin every
/// `stride` numbers.
pub fn transpose(from: &[f32], rows: usize, columns: usize, to: &mut [f32], stride: usize) {
    /// Squares of this side are moved at a time, to stay within the cache's lines.
    const SIDE: usize = 16;
    for first_row in (0..rows).step_by(SIDE) {
        for first_column in (0..columns).step_by(SIDE) {
            for row in first_row..(first_row + SIDE).min(rows) {
                for column in first_column..(first_column + SIDE).min(columns) {
                    to[column * stride + row] = from[row * columns + column];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_replace_or_add_and_transpose() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let b = [1.0, 0.0, 2.0, 1.0, 0.0, 1.0];
        let mut out = [9.0; 6];
        let (a, b) = (Matrix::new(&a, 2, 3, 3), Matrix::new(&b, 3, 2, 2));
        multiply(MatrixMut::new(&mut out, 2, 2, 3), Into::Replace, a, b, Threads::One);
        assert_eq!(out, [5.0, 5.0, 9.0, 14.0, 11.0, 9.0]);
        let square = MatrixMut::new(&mut out, 2, 2, 3);
        multiply(square, Into::Add, b.transposed(), a.transposed(), Threads::All);
        assert_eq!(out, [10.0, 19.0, 9.0, 19.0, 22.0, 9.0]);
    }

    #[test]
    fn a_prepared_factor_gives_the_same_product_in_either_precision_on_any_threads() {
        let numbers = |count: usize| -> Vec<f32> { (0..count).map(|j| (j % 7) as f32).collect() };
        let (a, b) = (numbers(40 * 6), numbers(6 * 50));
        let (left, right) = (Matrix::new(&a, 40, 6, 6), Matrix::new(&b, 6, 50, 50));
        let mut wanted = vec![0.0; 40 * 50];
        let out = MatrixMut::new(&mut wanted, 40, 50, 50);
        multiply(out, Into::Replace, left, right, Threads::One);
        for precision in [Precision::Single, Precision::Bfloat] {
            let right = Right::new(right, precision);
            let mut got = vec![0.0; 40 * 50];
            right.multiply(MatrixMut::new(&mut got, 40, 50, 50), Into::Replace, left);
            assert_eq!(got, wanted, "{precision:?}");
            let out = MatrixMut::new(&mut got, 40, 50, 50);
            right.multiply_on_all_threads(out, Into::Add, left);
            wanted.iter().zip(&got).for_each(|(one, two)| assert_eq!(2.0 * one, *two));
        }
    }

    #[test]
    #[should_panic(expected = "a matrix of 6 numbers in a slice of 5")]
    fn a_matrix_beyond_its_slice_is_refused() {
        Matrix::new(&[0.0; 5], 2, 3, 3);
    }
}
