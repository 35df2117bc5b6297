//! Another engine as a contestant, spoken to by UCI or UCCI over pipes.

use std::{
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::Contestant;
use crate::game::{Game, Side};

/// Which protocol an engine is spoken to by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

/// Why another engine did not play.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It cannot be started.
    #[error("{} cannot be started: {source}", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It has gone, or its pipes are broken.
    #[error("{} does not answer any more: {source}", path.display())]
    Gone {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It answers with something else than a legal move.
    #[error("{} answered `{got}`, wanted a legal move of `{fen}`", path.display())]
    Move {
        /// The program.
        path: PathBuf,
        /// What it answered.
        got: String,
        /// The position.
        fen: String,
    },
}

/// Another engine, which plays at a rating by `UCI_LimitStrength` and `UCI_Elo`.
///
/// It is ended when this value is dropped.
#[derive(Debug)]
pub struct Engine<S> {
    path: PathBuf,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    dialect: Dialect,
    spelling: S,
    go: String,
    ratings: [u16; 2],
    /// The rating that it was told last.
    told: Option<u16>,
}

impl<S: Copy> Engine<S> {
    /// Starts a program, sets these options, and has it think about each move as `go` says, such
    /// as `nodes 1000`. It writes moves as `spelling` does.
    ///
    /// # Errors
    /// When it cannot be started or does not greet.
    pub fn start(
        path: &Path,
        dialect: Dialect,
        options: &[(String, String)],
        go: &str,
        spelling: S,
    ) -> Result<Self, EngineError> {
        let unusable = |source| EngineError::Start { path: path.to_owned(), source };
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(unusable)?;
        let to = child.stdin.take().expect("its input is a pipe");
        let from = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let mut engine = Self {
            path: path.to_owned(),
            child,
            to,
            from,
            dialect,
            spelling,
            go: go.to_owned(),
            ratings: [0; 2],
            told: None,
        };
        let (greeting, greeted) = match dialect {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Ucci => ("ucci", "ucciok"),
        };
        engine.say(greeting)?;
        engine.hear(&[greeted])?;
        for (name, value) in options {
            engine.set(name, value)?;
        }
        Ok(engine)
    }

    fn gone(&self, source: io::Error) -> EngineError {
        EngineError::Gone { path: self.path.clone(), source }
    }

    fn say(&mut self, line: &str) -> Result<(), EngineError> {
        let said = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        said.map_err(|source| self.gone(source))
    }

    /// The next line that begins with one of these words.
    fn hear(&mut self, words: &[&str]) -> Result<String, EngineError> {
        loop {
            let mut bytes = Vec::new();
            match self.from.read_until(b'\n', &mut bytes) {
                Ok(0) => return Err(self.gone(io::ErrorKind::UnexpectedEof.into())),
                Ok(_) => {}
                Err(source) => return Err(self.gone(source)),
            }
            let line = String::from_utf8_lossy(&bytes);
            if line.split_whitespace().next().is_some_and(|word| words.contains(&word)) {
                return Ok(line.trim().to_owned());
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        match self.dialect {
            Dialect::Uci => self.say(&format!("setoption name {name} value {value}")),
            Dialect::Ucci => self.say(&format!("setoption {name} {value}")),
        }
    }
}

impl<G: Game> Contestant<G> for Engine<G::Spelling> {
    fn begin(&mut self, first: u16, second: u16) -> Result<(), EngineError> {
        self.ratings = [first, second];
        match self.dialect {
            Dialect::Uci => self.say("ucinewgame")?,
            Dialect::Ucci => self.say("setoption newgame")?,
        }
        self.say("isready")?;
        self.hear(&["readyok"]).map(drop)
    }

    fn choose(&mut self, game: &G, _: &mut ChaCha8Rng) -> Result<Option<G::Move>, EngineError> {
        let rating = self.ratings[usize::from(game.side_to_move() == Side::Second)];
        if self.told != Some(rating) {
            self.set("UCI_LimitStrength", "true")?;
            self.set("UCI_Elo", &rating.to_string())?;
            self.told = Some(rating);
        }
        let fen = game.fen();
        self.say(&format!("position fen {fen}"))?;
        let go = format!("go {}", self.go);
        self.say(&go)?;
        let line = self.hear(&["bestmove", "nobestmove"])?;
        let got = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        if matches!(got.as_str(), "" | "(none)" | "0000") {
            return Ok(None);
        }
        let m = game.parse_move(&got, self.spelling);
        m.map(Some).map_err(|_| EngineError::Move { path: self.path.clone(), got, fen })
    }
}

impl<S> Drop for Engine<S> {
    fn drop(&mut self) {
        let _ = writeln!(self.to, "quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
