//! Playing: the conversation on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context;

use crate::{engine::Engine, player::Player, protocol::Session};

/// Speaks UCI or UCCI until told to quit, with these options set from the start.
///
/// # Errors
/// When a file that an option names cannot be used, or standard output cannot be written.
pub fn run(options: &[(&str, String)]) -> anyhow::Result<()> {
    let mut engine = Engine::new();
    for (name, value) in options {
        engine.set_option(name, value).context("on the command line")?;
    }
    Session::run(engine, BufReader::new(io::stdin()), io::stdout())?;
    Ok(())
}
