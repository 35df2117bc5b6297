//! The network that is shipped for xiangqi.

/// Its card; see [`Card`](crate::attributes::full::Card).
pub const CARD: &str = include_str!("../../../nets/xiangqi/full.toml");

/// Its parameters.
pub const PARAMETERS: &[u8] = include_bytes!("../../../nets/xiangqi/full.f16");
