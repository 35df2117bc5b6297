//! Reading games from the files that were named on the command line.

use std::path::PathBuf;

use anyhow::bail;

use crate::xiangqi::records::{self, Record, RecordFlaw};

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

/// The names of files in a sentence.
pub fn names(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}
