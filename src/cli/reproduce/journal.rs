//! What is finished, line by line in a file, so that a run that was interrupted goes on.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
};

use anyhow::Context;
use serde::{Serialize, de::DeserializeOwned};

/// A file to which a line is added for everything that is finished; or none.
#[derive(Debug)]
pub struct Journal(Option<File>);

impl Journal {
    /// Opens the file, if one is named, and reads all lines that are spelled as a `T`. Other lines,
    /// and one that was left half-written, stay in the file and are passed over.
    ///
    /// # Errors
    /// When the file cannot be read, or not be written.
    pub fn open<T: DeserializeOwned>(path: Option<&Path>) -> anyhow::Result<(Self, Vec<T>)> {
        let Some(path) = path else {
            return Ok((Self(None), Vec::new()));
        };
        let open = || {
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            if !text.is_empty() && !text.ends_with('\n') {
                // what comes next must not be joined to half a line
                writeln!(file)?;
            }
            std::io::Result::Ok((file, text))
        };
        let (file, text) = open().with_context(|| {
            format!(
                "cannot keep what is finished in {}, wanted a file in a folder that can be \
                 written to",
                path.display()
            )
        })?;
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok((Self(Some(file)), lines))
    }

    /// Adds a line, in one piece, so that an interruption leaves whole lines.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, finished: &impl Serialize) -> anyhow::Result<()> {
        let Some(file) = &mut self.0 else {
            return Ok(());
        };
        let line = serde_json::to_string(finished)? + "\n";
        file.write_all(line.as_bytes()).context("writing down what is finished")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_read_again_but_for_half_ones_and_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("finished.jsonl");
        fs::write(&path, "[1,2]\n\"other\"\n[3,").unwrap();
        let (mut journal, lines) = Journal::open::<[u32; 2]>(Some(&path)).unwrap();
        assert_eq!(lines, [[1, 2]]);
        journal.add(&[4, 5]).unwrap();
        let (_, lines) = Journal::open::<[u32; 2]>(Some(&path)).unwrap();
        assert_eq!(lines, [[1, 2], [4, 5]]);
    }

    #[test]
    fn without_a_file_nothing_is_kept() {
        let (mut journal, lines) = Journal::open::<u32>(None).unwrap();
        journal.add(&1).unwrap();
        assert!(lines.is_empty());
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Journal::open::<u32>(Some(folder.path())).unwrap_err();
        assert!(format!("{error:#}").contains(&folder.path().display().to_string()), "{error:#}");
    }
}
