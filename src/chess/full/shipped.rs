//! The network that is shipped for chess.

/// Its card; see [`Card`](crate::attributes::full::Card).
pub const CARD: &str = include_str!("../../../nets/chess/full.toml");

/// Its parameters.
pub const PARAMETERS: &[u8] = include_bytes!("../../../nets/chess/full.f16");
