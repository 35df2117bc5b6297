//! Reading games from the files that were named on the command line.

use std::{
    io::Read as _,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};

use crate::{
    chess::{
        self,
        records::{Filter, Games, GamesError},
    },
    engine::Variant,
    xiangqi::records::{self, Record, RecordFlaw},
};

/// How much of a file is looked at to tell its game, in bytes.
const HEAD_LEN: u64 = 4096;

/// How many games came and how many of them could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Games that were read.
    pub games: u64,
    /// Games that were not, each of which was named on standard error.
    pub rejects: u64,
}

/// Calls `each` with every game of these files. A game that cannot be read is named with its file,
/// number and ply by `complain` and counted, and reading goes on.
///
/// # Errors
/// When a file cannot be read at all, when there is no game in any of them, or `each` fails.
pub fn for_each_xiangqi(
    files: &[PathBuf],
    complain: impl Fn(String),
    mut each: impl FnMut(Record) -> anyhow::Result<()>,
) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for record in records::read(files.iter().cloned()) {
        match record {
            Ok(record) => {
                count.games += 1;
                each(record)?;
            }
            Err(error) if error.game.is_none() || matches!(error.flaw, RecordFlaw::Read(_)) => {
                return Err(error.into());
            }
            Err(error) => {
                count.rejects += 1;
                complain(error.to_string());
            }
        }
    }
    match (count.games, count.rejects) {
        (0, 0) => bail!("there is no game in {}, wanted one at least", names(files)),
        (0, rejects) => bail!("none of the {rejects} games in {} can be read", names(files)),
        _ => Ok(count),
    }
}

/// Calls `each` with every game of chess of these files that counts, until it breaks off. A game
/// that cannot be read is named with its file by `complain` and counted, and reading goes on.
///
/// # Errors
/// When a file cannot be read at all, or `each` fails.
pub fn for_each_chess(
    files: &[PathBuf],
    filter: &Filter,
    complain: impl Fn(String),
    mut each: impl FnMut(chess::records::Record) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for file in files {
        let reading = || format!("reading {}", file.display());
        let source = chess::records::open(file).with_context(reading)?;
        for record in Games::new(source, filter.clone()) {
            match record {
                Ok(record) => {
                    count.games += 1;
                    if each(record)?.is_break() {
                        return Ok(count);
                    }
                }
                Err(error @ GamesError::Read { .. }) => return Err(error).with_context(reading),
                Err(error) => {
                    count.rejects += 1;
                    complain(format!("{}: {error}", file.display()));
                }
            }
        }
    }
    Ok(count)
}

/// The names of files in a sentence.
pub fn names(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

/// Says on standard error how many games could not be read, if any.
pub fn tell_rejects(rejects: u64) {
    if rejects > 0 {
        eprintln!("{rejects} games rejected");
    }
}

/// The game that files hold: the one that is wanted, or that the beginning of the first tells.
///
/// # Errors
/// When a file cannot be read, or it does not tell.
pub fn variant(files: &[PathBuf], wanted: Option<Variant>) -> anyhow::Result<Variant> {
    if let Some(wanted) = wanted {
        return Ok(wanted);
    }
    let Some(file) = files.iter().find(|file| *file != Path::new("-")) else {
        bail!("standard input may hold either game, wanted --game chess or --game xiangqi");
    };
    let mut head = Vec::new();
    chess::records::open(file)
        .and_then(|bytes| bytes.take(HEAD_LEN).read_to_end(&mut head))
        .with_context(|| format!("reading {}", file.display()))?;
    if head.iter().all(u8::is_ascii_whitespace) {
        bail!("{} is empty, wanted games", file.display());
    }
    Ok(variant_of(&String::from_utf8_lossy(&head)))
}

/// The game of records that begin like this. PGN is of chess unless something says otherwise, and
/// so are tables with columns apart by tabs; all other formats are of xiangqi.
fn variant_of(head: &str) -> Variant {
    if head.lines().next().is_some_and(|line| line.contains('\t')) {
        return Variant::Chess;
    }
    let mut tags = head.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let has_tag = |name: &str| {
        head.contains(&format!("\n[{name} \"")) || head.starts_with(&format!("[{name} \""))
    };
    let is_pgn = tags.any(|line| line.starts_with('['));
    let says_xiangqi = ["Game", "Red", "RedElo", "Format"].into_iter().any(has_tag)
        || head.to_ascii_lowercase().contains("[variant \"xiangqi");
    if is_pgn && !says_xiangqi { Variant::Chess } else { Variant::Xiangqi }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells_its_game() {
        for head in
            ["[Event \"?\"]\n[White \"a\"]\n\n1. e4 *\n", "\u{feff}[White \"a\"]", "speed\tmoves\n"]
        {
            assert_eq!(variant_of(head), Variant::Chess, "{head}");
        }
        for head in [
            "[Game \"Chinese Chess\"]\n[Event \"?\"]\n",
            "[Event \"?\"]\n[Red \"a\"]\n",
            "[Event \"?\"]\n[Variant \"xiangqi\"]\n",
            "FORMAT  WXF\n",
            "id,source,moves\n",
        ] {
            assert_eq!(variant_of(head), Variant::Xiangqi, "{head}");
        }
    }
}
