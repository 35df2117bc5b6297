//! Ctrl-C: the first one asks the work to stop where it can be taken up, the second ends it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, bail};

/// What a shell expects of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether the user has asked to stop.
#[derive(Debug, Clone)]
pub struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// Listens for Ctrl-C, and for what systems send to end a program. To be called once.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub fn listen() -> anyhow::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&asked);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPTED);
            }
        })
        .context("listening for Ctrl-C")?;
        Ok(Self(asked))
    }

    /// Whether the user has asked to stop.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Ends work that cannot be taken up.
    ///
    /// # Errors
    /// When the user has asked to stop.
    pub fn check(&self) -> anyhow::Result<()> {
        if self.is_asked() {
            bail!("interrupted");
        }
        Ok(())
    }
}
