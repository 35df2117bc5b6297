//! A game as it was recorded, and one that is being read.

use shakmaty::{ByColor, Color, Move};

use super::{
    GamesError,
    filter::{Filter, Tags},
};
use crate::{
    chess::Game,
    game::{Game as _, Side},
};

/// A game of which at least one side's moves may count.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its number in its source, from 1, games that do not count included.
    pub number: u64,
    /// The players' names.
    pub names: ByColor<String>,
    /// The players' ratings, where they are given.
    pub ratings: ByColor<Option<u16>>,
    /// The game before its first move.
    pub start: Game,
    /// The moves played.
    pub moves: Vec<Move>,
    /// Whose moves count.
    pub counts: ByColor<bool>,
    /// Which plies count.
    filter_plies: (usize, Option<usize>),
}

impl Record {
    /// Calls `each` with every move that counts, the game before it and the color that made it.
    pub fn for_each_counted(&self, mut each: impl FnMut(&Game, &Move, Color)) {
        let (first, end) = self.filter_plies;
        let end = end.unwrap_or(self.moves.len()).min(self.moves.len());
        let mut game = self.start.clone();
        for (ply, m) in self.moves[..end].iter().enumerate() {
            let color = color(game.side_to_move());
            if ply >= first && *self.counts.get(color) {
                each(&game, m, color);
            }
            game.play(m);
        }
    }
}

fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// A record that is being read, with the game as far as it has come.
pub(super) struct Growing {
    record: Record,
    game: Game,
}

impl Growing {
    /// The game of this number before its first move.
    ///
    /// # Errors
    /// When it is of another variant of chess or starts from a position that cannot be played.
    pub fn new(
        number: u64,
        tags: Tags,
        counts: ByColor<bool>,
        filter: &Filter,
    ) -> Result<Self, GamesError> {
        let ByColor { white, black } = tags.names.clone();
        if let Some(got) = tags.variant.filter(|variant| !is_chess(variant)) {
            return Err(GamesError::Variant { number, white, black, got });
        }
        let start = match tags.fen {
            Some(fen) => Game::from_fen(&fen).map_err(|source| GamesError::Start {
                number,
                white,
                black,
                source,
            })?,
            None => Game::start(),
        };
        let record = Record {
            number,
            names: tags.names,
            ratings: tags.ratings,
            start: start.clone(),
            moves: Vec::new(),
            counts,
            filter_plies: (filter.first_ply, filter.end_ply),
        };
        Ok(Self { record, game: start })
    }

    /// The game as far as it has come.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Adds a legal move.
    pub fn push(&mut self, m: Move) {
        self.record.moves.push(m);
        self.game.play(&m);
    }

    /// What is wrong with a next move that is written like this.
    pub fn illegal_move(&self, got: &str) -> GamesError {
        GamesError::IllegalMove {
            number: self.record.number,
            white: self.record.names.white.clone(),
            black: self.record.names.black.clone(),
            got: got.to_owned(),
            ply: self.record.moves.len() + 1,
            fen: self.game.fen(),
        }
    }

    /// The record, once the game is over.
    pub fn finish(self) -> Record {
        self.record
    }
}

/// Whether a `Variant` tag names a game by the rules of chess.
fn is_chess(variant: &str) -> bool {
    let variant = variant.to_ascii_lowercase().replace([' ', '-', '_'], "");
    matches!(
        variant.as_str(),
        "" | "standard"
            | "chess"
            | "normal"
            | "fromposition"
            | "chess960"
            | "fischerandom"
            | "fischerrandom"
            | "960"
    )
}
