//! What the XQSV paper published, to be set beside what is measured here.

/// Table III, top-1 in per cent by the lower end of the range: the whole method, no Elo partition,
/// 2D input, perfect memory, no filter. One net without partition was tested on the first range
/// alone. The first column is that of Table II.
const TABLE_3: [(u16, [Option<f64>; 5]); 6] = [
    (1_200, [Some(39.74), Some(18.42), Some(33.18), Some(24.52), Some(24.43)]),
    (1_300, [Some(39.71), None, Some(33.83), Some(27.56), Some(25.64)]),
    (1_400, [Some(40.52), None, Some(34.64), Some(32.65), Some(23.94)]),
    (1_500, [Some(42.38), None, Some(35.68), Some(34.27), Some(24.50)]),
    (1_600, [Some(42.42), None, Some(37.11), Some(36.47), Some(25.28)]),
    (1_700, [Some(44.63), None, Some(35.58), Some(33.23), Some(23.58)]),
];
/// The columns of Table III.
pub const WHOLE: usize = 0;
pub const NO_PARTITION: usize = 1;
pub const BOARD: usize = 2;
pub const PERFECT_MEMORY: usize = 3;
pub const NO_FILTER: usize = 4;

/// The range of Table IV.
pub const RELAXED_RANGE: u16 = 1_200;
/// Table IV's left half: the share of moves among the k likeliest, in per cent, for k from 1.
pub const TOP_K: [f64; 10] = [39.74, 47.82, 53.68, 58.37, 62.30, 65.61, 68.59, 71.05, 73.33, 76.38];
/// Its right half: the share of moves in the smallest set of likeliest moves whose probability
/// exceeds p, for p from 0 by tenths.
pub const TOP_P: [f64; 10] = [39.74, 41.51, 43.71, 48.26, 55.39, 63.18, 74.72, 85.62, 93.12, 97.38];

/// A figure of Table III as a share, for the range that begins there.
pub fn top_1(range: u16, column: usize) -> Option<f64> {
    let (_, figures) = TABLE_3.iter().find(|(low, _)| *low == range)?;
    figures[column].map(|percent| percent / 100.0)
}
