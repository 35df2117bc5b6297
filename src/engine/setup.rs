//! From a position as a user interface names it to a game of chess or of xiangqi.

use thiserror::Error;

use crate::{
    chess,
    game::Game,
    player::{Setup, abridged},
    xiangqi::{self, notation::iccs::Ranks},
};

/// Why a position was not set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The FEN is not one, or its position cannot be played.
    #[error("got FEN `{fen}`, which cannot be used: {source}")]
    Fen {
        /// The FEN that came.
        fen: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A move is misspelled or not legal where it is played.
    #[error("got `{m}` as move {number} of the list, which cannot be played: {source}")]
    Move {
        /// The move that came.
        m: String,
        /// Its number in the list, from 1.
        number: usize,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// The game of chess that `setup` names.
pub fn chess(setup: &Setup) -> Result<chess::Game, SetupError> {
    let start = start(setup)?;
    let moves = moves(&start, setup, chess::Castling::default())?;
    Ok(played(start, &moves))
}

/// The position that `setup` starts from, in xiangqi.
pub fn xiangqi_start(setup: &Setup) -> Result<xiangqi::Game, SetupError> {
    start(setup)
}

/// The game of xiangqi that `setup` names: the one `remembered`, where the new line continues it.
///
/// User interfaces that speak UCCI name the position after the last capture and only the moves
/// since; a player who lives on the moves played would forget most of the game.
pub fn xiangqi(
    start: xiangqi::Game,
    setup: &Setup,
    ranks: Ranks,
    remembered: &xiangqi::Game,
) -> Result<xiangqi::Game, SetupError> {
    let moves = moves(&start, setup, ranks)?;
    let line = played(start, &moves);
    Ok(remembered.continued_by(&line).unwrap_or(line))
}

fn played<G: Game>(mut game: G, moves: &[G::Move]) -> G {
    for m in moves {
        game.play(m);
    }
    game
}

fn start<G: Game>(setup: &Setup) -> Result<G, SetupError> {
    let Some(fen) = &setup.fen else {
        return Ok(G::start());
    };
    G::from_fen(fen)
        .map_err(|source| SetupError::Fen { fen: abridged(fen), source: Box::new(source) })
}

/// The moves of the list, all legal one after the other.
fn moves<G: Game>(
    start: &G,
    setup: &Setup,
    spelling: G::Spelling,
) -> Result<Vec<G::Move>, SetupError> {
    let mut game = start.clone();
    (1..)
        .zip(&setup.moves)
        .map(|(number, written)| {
            let m = game.parse_move(written, spelling).map_err(|source| SetupError::Move {
                m: abridged(written),
                number,
                source: Box::new(source),
            })?;
            game.play(&m);
            Ok(m)
        })
        .collect()
}
