//! The words of the net.

/// How many labels there are.
pub const LABELS: usize = 755;
