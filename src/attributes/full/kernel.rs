//! Sums over rows of a table, with the widest vectors that the processor has.
//!
//! The loops are written once and compiled twice, so that both give the same sums but for the
//! order of rounding inside a fused multiplication.

/// Adds rows of a table to `sum`, whose length is the width of the table.
#[inline(always)]
fn add_rows_plainly<const WIDTH: usize>(table: &[f32], rows: &[u16], sum: &mut [f32; WIDTH]) {
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
fn add_to_rows_plainly<const WIDTH: usize>(table: &mut [f32], rows: &[u16], values: &[f32; WIDTH]) {
    for &row in rows {
        let start = usize::from(row) * WIDTH;
        for (entry, value) in table[start..start + WIDTH].iter_mut().zip(values) {
            *entry += value;
        }
    }
}

/// Adds rows of a table to `sum`, whose length is the width of the table.
pub(super) fn add_rows<const WIDTH: usize>(table: &[f32], rows: &[u16], sum: &mut [f32; WIDTH]) {
    #[cfg(target_arch = "x86_64")]
    if wide::are_there() {
        return wide::add_rows(table, rows, sum);
    }
    add_rows_plainly(table, rows, sum);
}

/// Adds `values` to rows of a table of their width.
pub(super) fn add_to_rows<const WIDTH: usize>(
    table: &mut [f32],
    rows: &[u16],
    values: &[f32; WIDTH],
) {
    #[cfg(target_arch = "x86_64")]
    if wide::are_there() {
        return wide::add_to_rows(table, rows, values);
    }
    add_to_rows_plainly(table, rows, values);
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod wide {
    //! The same loops for processors with 256-bit vectors.

    use super::{add_rows_plainly, add_to_rows_plainly};

    /// Whether the processor has them; asked once, remembered by the standard library.
    pub(super) fn are_there() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
    }

    pub(super) fn add_rows<const WIDTH: usize>(
        table: &[f32],
        rows: &[u16],
        sum: &mut [f32; WIDTH],
    ) {
        #[target_feature(enable = "avx2")]
        fn wide<const WIDTH: usize>(table: &[f32], rows: &[u16], sum: &mut [f32; WIDTH]) {
            add_rows_plainly(table, rows, sum);
        }
        // SAFETY: only called where the processor has been found to have the feature.
        unsafe { wide(table, rows, sum) }
    }

    pub(super) fn add_to_rows<const WIDTH: usize>(
        table: &mut [f32],
        rows: &[u16],
        values: &[f32; WIDTH],
    ) {
        #[target_feature(enable = "avx2")]
        fn wide<const WIDTH: usize>(table: &mut [f32], rows: &[u16], values: &[f32; WIDTH]) {
            add_to_rows_plainly(table, rows, values);
        }
        // SAFETY: as above.
        unsafe { wide(table, rows, values) }
    }
}
