//! Counts of the legal lines of play, to test the rules with.

use super::Position;

/// How many lines of so many legal moves a position has.
///
/// ```
/// use errare::xiangqi::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 2), 1920);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().into_iter().map(|m| perft(&position.after(m), depth - 1)).sum(),
    }
}
