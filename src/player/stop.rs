//! The order to stop thinking: at once, or at a deadline.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// An order to stop one search.
///
/// Clones share the order: one stays with who gives it, one goes with the search. Each search has
/// an order of its own, so that a `stop` that comes late cannot cut the next search short.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Order>);

#[derive(Debug, Default)]
struct Order {
    raised: AtomicBool,
    deadline: OnceLock<Instant>,
}

impl Stop {
    /// An order not yet given.
    pub fn new() -> Self {
        Self::default()
    }

    /// Orders to stop now.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Orders to stop at `deadline`. Only the first deadline of a search counts.
    pub fn set_deadline(&self, deadline: Instant) {
        // a second deadline is refused by `set`, which is what is documented
        let _ = self.0.deadline.set(deadline);
    }

    /// Whether to stop now.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
            || self.0.deadline.get().is_some_and(|&deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_order_reaches_the_clone() {
        let stop = Stop::new();
        let searching = stop.clone();
        assert!(!searching.is_raised());
        stop.raise();
        assert!(searching.is_raised());
    }

    #[test]
    fn a_deadline_raises_it_when_it_passes() {
        let stop = Stop::new();
        stop.set_deadline(Instant::now() + Duration::from_secs(3600));
        assert!(!stop.is_raised());
        let late = Stop::new();
        late.set_deadline(Instant::now());
        assert!(late.is_raised());
    }
}
