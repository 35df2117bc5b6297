//! Streams of records from one file and from many.

use std::{collections::VecDeque, path::PathBuf};

use super::{
    Format, Input, Record, RecordError, RecordFlaw, csv,
    draft::Draft,
    format::Content,
    kaggle::{self, Games},
    pgn, playok,
};

/// The games of a file, one at a time. The stream ends with [`RecordFlaw::Read`].
pub(super) type Drafts = Box<dyn Iterator<Item = Result<Draft, RecordFlaw>> + Send>;

/// The records of a file, or of a Kaggle pair of files. One game is held at a time.
pub struct Records {
    file: String,
    format: Option<Format>,
    drafts: Drafts,
    /// How many games have been read.
    games: usize,
    is_over: bool,
}

impl Records {
    /// Reads a file in any format but Kaggle's, told by its beginning.
    ///
    /// # Errors
    /// When the file cannot be read, or is in no known format, or is one half of a Kaggle pair.
    pub fn new(mut input: Input) -> Result<Self, RecordError> {
        let file = input.name().to_owned();
        let drafts = content(&mut input).and_then(|content| drafts(content, input));
        drafts
            .map(|(format, drafts)| Self {
                file: file.clone(),
                format,
                drafts,
                games: 0,
                is_over: false,
            })
            .map_err(|flaw| RecordError { file, game: None, ply: None, flaw })
    }

    /// Reads a Kaggle pair: the file of games is read at once, the file of moves streamed. Errors
    /// name the file of moves.
    ///
    /// # Errors
    /// When a file cannot be read, or has not the columns that it should.
    pub fn from_kaggle(games: Input, moves: Input) -> Result<Self, RecordError> {
        let error =
            |file: &str, flaw| RecordError { file: file.to_owned(), game: None, ply: None, flaw };
        let file = games.name().to_owned();
        let games = Games::read(games).map_err(|flaw| error(&file, flaw))?;
        let file = moves.name().to_owned();
        let drafts = kaggle::read(games, moves).map_err(|flaw| error(&file, flaw))?;
        Ok(Self { file, format: Some(Format::Kaggle), drafts, games: 0, is_over: false })
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The format of the file; `None` where it is empty.
    pub fn format(&self) -> Option<Format> {
        self.format
    }
}

impl Iterator for Records {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let draft = self.drafts.next()?;
        self.games += 1;
        let record = draft.map_err(|flaw| (None, flaw)).and_then(Draft::into_record);
        Some(record.map_err(|(ply, flaw)| {
            self.is_over = matches!(flaw, RecordFlaw::Read(_));
            RecordError { file: self.file.clone(), game: Some(self.games), ply, flaw }
        }))
    }
}

/// What a file holds.
fn content(input: &mut Input) -> Result<Content, RecordFlaw> {
    Content::detect(&input.head()?).map_err(|got| RecordFlaw::UnknownFormat { got })
}

/// The games of a file that is complete by itself.
fn drafts(content: Content, input: Input) -> Result<(Option<Format>, Drafts), RecordFlaw> {
    match content {
        Content::Nothing => Ok((None, Box::new(std::iter::empty()))),
        Content::Csv => Ok((Some(Format::Csv), csv::read(input)?)),
        Content::Pgn => Ok((Some(Format::Pgn), pgn::read(input))),
        Content::PlayOk => Ok((Some(Format::PlayOk), playok::read(input))),
        Content::KaggleGames => {
            Err(RecordFlaw::Half { came: "a list", wanted: "the file of their moves" })
        }
        Content::KaggleMoves => {
            Err(RecordFlaw::Half { came: "the moves", wanted: "the list of these games" })
        }
    }
}

/// The records of many files in turn, whatever their formats. The two files of a Kaggle pair may
/// come in either order; they are read when both have come. `-` is standard input.
///
/// Files are opened one after another. What cannot be read is an error in its place, and reading
/// goes on.
pub fn read(
    paths: impl IntoIterator<Item = PathBuf>,
) -> impl Iterator<Item = Result<Record, RecordError>> {
    Files { paths: paths.into_iter().collect(), records: None, games: None, moves: None }
}

struct Files {
    paths: VecDeque<PathBuf>,
    /// The file that is being read.
    records: Option<Records>,
    /// Halves of a Kaggle pair that wait for their other half.
    games: Option<Input>,
    moves: Option<Input>,
}

impl Files {
    /// Opens a file, or puts it aside to wait for its other half.
    fn open(&mut self, path: PathBuf) -> Result<Option<Records>, RecordError> {
        let file = path.display().to_string();
        let error = |flaw| RecordError { file: file.clone(), game: None, ply: None, flaw };
        let mut input = Input::open(&path).map_err(|e| error(e.into()))?;
        let half = match content(&mut input).map_err(error)? {
            Content::KaggleGames => self.games.replace(input),
            Content::KaggleMoves => self.moves.replace(input),
            _ => return Records::new(input).map(Some),
        };
        if let Some(half) = half {
            return Records::new(half).map(Some);
        }
        match (self.games.take(), self.moves.take()) {
            (Some(games), Some(moves)) => Records::from_kaggle(games, moves).map(Some),
            (games, moves) => {
                (self.games, self.moves) = (games, moves);
                Ok(None)
            }
        }
    }
}

impl Iterator for Files {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.records.as_mut().and_then(Iterator::next) {
                return Some(record);
            }
            self.records = None;
            let opened = match self.paths.pop_front() {
                Some(path) => self.open(path),
                // what is still waiting says what it lacks
                None => Records::new(self.games.take().or_else(|| self.moves.take())?).map(Some),
            };
            match opened {
                Ok(records) => self.records = records,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
