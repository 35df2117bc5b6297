//! Products of matrices, by the `gemm` crate: bounds are checked here, once a product.

#![allow(unsafe_code)]

use gemm::Parallelism;

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
    #[should_panic(expected = "a matrix of 6 numbers in a slice of 5")]
    fn a_matrix_beyond_its_slice_is_refused() {
        Matrix::new(&[0.0; 5], 2, 3, 3);
    }
}
