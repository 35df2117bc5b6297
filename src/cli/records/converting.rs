//! Writing games in the format asked for.

use std::{
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::ValueEnum;

use crate::{
    cli::output::NewFile,
    xiangqi::{
        notation::{chinese::Script, written::Spelling},
        records::{Record, Writer},
    },
};

/// A format that games can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// One game a line, moves as coordinates
    Csv,
    /// A file of games and a file of moves
    Kaggle,
    /// PGN with moves as coordinates
    PgnIccs,
    /// PGN with moves in WXF
    PgnWxf,
    /// PGN with moves in simplified Chinese
    PgnChinese,
    /// The text that PlayOK gives its players
    Playok,
}

/// Writes games one after another, to a file that takes its place at the end or to what is given.
pub struct Converter<'a> {
    writer: Writer<Box<dyn Write + 'a>>,
    /// The files under way, which the writer writes to through a handle.
    files: Vec<Shared>,
}

/// A file that a writer holds and that is finished when the writer is done.
type Shared = std::rc::Rc<std::cell::RefCell<NewFile>>;

/// One of two handles of a file.
struct Handle(Shared);

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl<'a> Converter<'a> {
    /// Begins to write.
    ///
    /// # Errors
    /// When nothing can be written there, or two files are wanted and none was named.
    pub fn new(
        target: Target,
        output: Option<&Path>,
        out: &'a mut impl Write,
    ) -> anyhow::Result<Self> {
        let paths = match (target, output) {
            (Target::Kaggle, None) => bail!("two files are written, wanted a name by --output"),
            (Target::Kaggle, Some(games)) => vec![games.to_owned(), moves_file(games)],
            (_, Some(path)) => vec![path.to_owned()],
            (_, None) => Vec::new(),
        };
        let mut files = Vec::new();
        for path in &paths {
            files.push(Shared::new(NewFile::create(path)?.into()));
        }
        let mut handles = files.iter().map(|file| Box::new(Handle(file.clone())) as Box<dyn Write>);
        let first = handles.next().unwrap_or_else(|| Box::new(out));
        let pgn = |out, spelling| Ok(Writer::pgn(out, spelling));
        let writer = match (target, handles.next()) {
            (Target::Kaggle, Some(moves)) => Writer::kaggle(first, moves),
            (Target::Csv | Target::Kaggle, _) => Writer::csv(first),
            (Target::PgnIccs, _) => pgn(first, Spelling::Iccs),
            (Target::PgnWxf, _) => pgn(first, Spelling::Wxf),
            (Target::PgnChinese, _) => pgn(first, Spelling::Chinese(Script::Simplified)),
            (Target::Playok, _) => Ok(Writer::playok(first)),
        };
        drop(handles);
        Ok(Self { writer: writer?, files })
    }

    /// Writes a game.
    ///
    /// # Errors
    /// When it cannot be written, or the format has no place for where it starts.
    pub fn write(&mut self, record: &Record) -> anyhow::Result<()> {
        Ok(self.writer.write(record)?)
    }

    /// Writes what is held back and puts the files in their places.
    ///
    /// # Errors
    /// When that fails.
    pub fn finish(self) -> anyhow::Result<()> {
        self.writer.finish().context("writing games")?;
        for file in self.files {
            let file = std::rc::Rc::into_inner(file).expect("the writer with its handle is gone");
            file.into_inner().finish()?;
        }
        Ok(())
    }
}

/// The file of moves beside a file of games: `NAME-moves.csv` beside `NAME.csv`.
fn moves_file(games: &Path) -> PathBuf {
    let name = games.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, "csv"));
    games.with_file_name(OsString::from(format!("{stem}-moves.{ending}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::{Move, Position, Square, records};

    #[test]
    fn games_written_in_every_format_read_back() {
        let moves = vec![Move::new(Square::H2, Square::E2), Move::new(Square::H9, Square::G7)];
        let record = Record::new(records::Header::default(), Position::default(), moves).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for target in Target::value_variants() {
            let path = folder.path().join("games.txt.gz");
            let mut nothing = Vec::new();
            let mut converter = Converter::new(*target, Some(&path), &mut nothing).unwrap();
            converter.write(&record).unwrap();
            converter.finish().unwrap();
            assert!(nothing.is_empty());
            let mut paths = vec![path.clone()];
            if *target == Target::Kaggle {
                paths.push(folder.path().join("games-moves.txt.gz"));
            }
            let read: Vec<Record> = records::read(paths).map(Result::unwrap).collect();
            assert_eq!(read.len(), 1, "{target:?}");
            assert_eq!(read[0].moves(), record.moves(), "{target:?}");
        }
    }

    #[test]
    fn without_a_file_games_go_to_the_output() {
        let mut text = Vec::new();
        Converter::new(Target::Csv, None, &mut text).unwrap().finish().unwrap();
        assert!(text.starts_with(b"id,source"));
        assert!(Converter::new(Target::Kaggle, None, &mut Vec::new()).is_err());
    }
}
