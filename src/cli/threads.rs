//! How many processors are used.

use anyhow::Context;

/// Uses this many threads from here on, or one for each processor. To be called once, before any
/// work is shared out.
///
/// # Errors
/// When they cannot be started.
pub fn use_threads(count: Option<usize>) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count.unwrap_or(0))
        .build_global()
        .context("starting threads")
}
