//! The loops in which a network's time goes.
//!
//! All are inlined where they are used, so that they take the vectors of the function that they
//! end up in; see [`multiversioned`]. They add in the same order on every processor.

/// Adds rows of a table to `sum`, whose length is the width of the table.
#[inline(always)]
pub(super) fn add_rows<const WIDTH: usize>(table: &[f32], rows: &[u16], sum: &mut [f32; WIDTH]) {
    let mut total = *sum;
    for &row in rows {
        let start = usize::from(row) * WIDTH;
        let row: &[f32; WIDTH] =
            table[start..start + WIDTH].try_into().expect("the slice is as wide");
        for (total, value) in total.iter_mut().zip(row) {
            *total += value;
        }
    }
    *sum = total;
}

/// Adds `values` to rows of a table of their width.
#[inline(always)]
pub(super) fn add_to_rows<const WIDTH: usize>(
    table: &mut [f32],
    rows: &[u16],
    values: &[f32; WIDTH],
) {
    for &row in rows {
        let start = usize::from(row) * WIDTH;
        for (entry, value) in table[start..start + WIDTH].iter_mut().zip(values) {
            *entry += value;
        }
    }
}

/// Adds a vector times a factor.
#[inline(always)]
pub(super) fn add_scaled<const WIDTH: usize>(
    sum: &mut [f32; WIDTH],
    factor: f32,
    values: &[f32; WIDTH],
) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

/// Adds the rows of a matrix, each times a factor.
#[inline(always)]
pub(super) fn add_products<const WIDTH: usize>(
    matrix: &[f32],
    factors: &[f32],
    sum: &mut [f32; WIDTH],
) {
    let mut total = *sum;
    for (&factor, row) in factors.iter().zip(matrix.chunks_exact(WIDTH)) {
        if factor != 0.0 {
            total.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
        }
    }
    *sum = total;
}

/// Adds the outer product of factors and a row to a matrix.
#[inline(always)]
pub(super) fn add_outer<const WIDTH: usize>(
    matrix: &mut [f32],
    factors: &[f32],
    row: &[f32; WIDTH],
) {
    for (&factor, entries) in factors.iter().zip(matrix.chunks_exact_mut(WIDTH)) {
        if factor != 0.0 {
            entries.iter_mut().zip(row).for_each(|(entry, value)| *entry += factor * value);
        }
    }
}

/// The products of each row of a matrix with a vector.
#[inline(always)]
pub(super) fn each_dot<const ROWS: usize, const WIDTH: usize>(
    matrix: &[f32],
    vector: &[f32; WIDTH],
) -> [f32; ROWS] {
    let mut rows = matrix.chunks_exact(WIDTH);
    std::array::from_fn(|_| {
        let row = rows.next().expect("the matrix has as many rows");
        dot(row.try_into().expect("chunks are as wide"), vector)
    })
}

/// How many sums a product of two vectors is divided into.
const LANES: usize = 16;

/// The product of two vectors.
#[inline(always)]
pub(super) fn dot<const WIDTH: usize>(one: &[f32; WIDTH], other: &[f32; WIDTH]) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.chunks(LANES).zip(other.chunks(LANES)) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    sums.iter().sum()
}

/// Sets negative numbers to zero.
#[inline(always)]
pub(super) fn rectify<const WIDTH: usize>(values: &mut [f32; WIDTH]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

/// The part of a gradient that passes through [`rectify`], whose results are given.
#[inline(always)]
pub(super) fn pass_back<const WIDTH: usize>(gradient: &mut [f32; WIDTH], results: &[f32; WIDTH]) {
    for (slope, result) in gradient.iter_mut().zip(results) {
        *slope = if *result > 0.0 { *slope } else { 0.0 };
    }
}

/// Turns logits into probabilities.
#[inline(always)]
pub(super) fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - largest).exp());
    let total: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|logit| *logit /= total);
}

/// Defines a function that calls one which is inlined, compiled for the widest vectors that the
/// processor has.
macro_rules! multiversioned {
    (fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty = $plain:path) => {
        #[allow(unsafe_code)]
        fn $name($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512vl")]
                fn widest($($argument: $type),*) -> $result {
                    $plain($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $type),*) -> $result {
                    $plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx512vl") {
                    // SAFETY: the processor has the feature; what has it has the other too.
                    return unsafe { widest($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has the feature.
                    return unsafe { wide($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    };
}
pub(super) use multiversioned;
