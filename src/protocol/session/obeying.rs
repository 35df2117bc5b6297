//! What is done in an instant by a player who is here: greetings, options, positions.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use std::io::{self, Write};

use super::{Session, thinking::guarded};
use crate::{
    player::{Convention, OptionSpec, Player},
    protocol::{Command, Reply, options},
};

impl<P: Player, W: Write> Session<P, W> {
    /// Does what is done in an instant by a player who is here.
    pub(super) fn obey(&mut self, player: &mut P, command: Command) -> io::Result<()> {
        match command {
            Command::Greet(convention) => self.greet(player, convention),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::SetOption { name, value } => {
                self.set_option(player, &name, &value.unwrap_or_default())
            }
            Command::Milliseconds(on) => {
                self.milliseconds = on;
                Ok(())
            }
            Command::NewGame => {
                self.banned.clear();
                self.setup = None;
                self.guard("new game", || {
                    player.new_game();
                    Ok::<_, String>(())
                })?;
                Ok(())
            }
            Command::Position(setup) => {
                if self.guard("position", || player.set_up(&setup))? {
                    self.banned.clear();
                    self.setup = Some(setup);
                }
                Ok(())
            }
            Command::BanMoves(moves) => {
                self.banned = moves;
                Ok(())
            }
            Command::Probe => self.say(&Reply::Probed),
            Command::Nothing
            | Command::IsReady
            | Command::Go(_)
            | Command::PonderHit { .. }
            | Command::Stop
            | Command::Quit => Ok(()),
        }
    }

    fn greet(&mut self, player: &mut P, convention: Convention) -> io::Result<()> {
        self.convention = convention;
        // each greeting begins afresh, as it would with a process of its own
        self.milliseconds = false;
        self.guard("greeting", || {
            player.greet(convention);
            Ok::<_, String>(())
        })?;
        let name = concat!("Errare ", env!("CARGO_PKG_VERSION")).to_owned();
        self.say(&Reply::Id { key: "name", value: name })?;
        self.say(&Reply::Id { key: "author", value: "the Errare authors".to_owned() })?;
        for option in options::offered(convention, player.options()) {
            self.say(&option)?;
        }
        self.say(&Reply::Greeted)
    }

    fn set_option(&mut self, player: &mut P, name: &str, value: &str) -> io::Result<()> {
        let specs = player.options();
        let name = options::own_name(self.convention, name);
        if options::is_passed_over(self.convention, name, specs) {
            return self.whisper(format_args!("option {name} has no effect here"));
        }
        if let Some(spec) = OptionSpec::find(specs, name) {
            // adapters set every option to its default when they start: that asks for nothing
            let is_default = spec.check(value).is_ok_and(|value| value == spec.default_value());
            if is_default && !self.touched.contains(spec.name) {
                return Ok(());
            }
            self.touched.insert(spec.name);
        }
        self.guard("setoption", || player.set_option(name, value))?;
        Ok(())
    }

    /// Calls `act` and remarks on what goes wrong; whether nothing did.
    fn guard<E: ToString>(
        &mut self,
        what: &str,
        act: impl FnOnce() -> Result<(), E>,
    ) -> io::Result<bool> {
        let error = match guarded(act) {
            Ok(Ok(())) => return Ok(true),
            Ok(Err(error)) => error.to_string(),
            Err(reason) => format!("failed, please report it: {reason}"),
        };
        self.remark(format_args!("{what}: {error}"))?;
        Ok(false)
    }
}
