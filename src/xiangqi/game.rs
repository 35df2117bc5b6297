//! A game in progress: a position with the moves that led to it.

use std::{error::Error, fmt, mem};

use super::{
    Color, Fen, IllegalMoveError, Move, ParseFenError, Position, PositionError,
    fen::quote,
    notation::iccs::{self, Iccs, ParseIccsError, Ranks},
    rules::{self, Conclusion},
};
use crate::game::{self, Outcome, Side};

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Red => Self::First,
            Color::Black => Self::Second,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::Red,
            Side::Second => Self::Black,
        }
    }
}

/// A position with the moves that led to it, each with the position in which it was made.
///
/// ```
/// use errare::{game::Game as _, xiangqi::{Game, notation::iccs::Ranks}};
///
/// let mut game = Game::start();
/// let m = game.parse_move("h2e2", Ranks::FromZero)?;
/// game.play(&m);
/// let [(before, last)] = game.played() else { panic!("one move was played") };
/// assert_eq!((before, last), (game.initial(), &m));
/// # Ok::<_, errare::xiangqi::ParseMoveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    played: Vec<(Position, Move)>,
    position: Position,
}

impl Game {
    /// A game that begins with a position.
    pub fn from_position(position: Position) -> Self {
        Self { played: Vec::new(), position }
    }

    /// The position in which it began.
    pub fn initial(&self) -> &Position {
        self.played.first().map_or(&self.position, |(before, _)| before)
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far, the oldest first, each with the position in which it was made.
    pub fn played(&self) -> &[(Position, Move)] {
        &self.played
    }

    /// The moves so far, the oldest first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.played.iter().map(|&(_, m)| m)
    }

    /// All positions of the game, the oldest first: one more than there are moves.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.played.iter().map(|(before, _)| before).chain([&self.position])
    }

    /// The game as it was after its first moves, or all of it if it has no more.
    #[must_use]
    pub fn after_first(&self, plies: usize) -> Self {
        match self.played.get(plies) {
            None => self.clone(),
            Some((position, _)) => {
                Self { played: self.played[..plies].to_vec(), position: position.clone() }
            }
        }
    }

    /// The game mirrored on the middle file.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let played = self.played.iter();
        Self {
            played: played.map(|(before, m)| (before.mirrored(), m.mirrored())).collect(),
            position: self.position.mirrored(),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When the move is not legal; the game then stays as it was.
    pub fn try_play(&mut self, m: Move) -> Result<(), IllegalMoveError> {
        if !self.position.is_legal(m) {
            return Err(IllegalMoveError { m });
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal. What any other does is not specified.
    pub fn play_unchecked(&mut self, m: Move) {
        let after = self.position.after(m);
        self.played.push((mem::replace(&mut self.position, after), m));
    }

    /// Why the game is over, if it is: by the position or by the moves so far.
    pub fn conclusion(&self) -> Option<Conclusion> {
        rules::conclusion(&self.played, &self.position)
    }
    /// How the ranks are named in moves that are to be played from here, if that can be told.
    ///
    /// A rank 0 or 10 in any of them decides. Otherwise all are tried both ways, and decide if
    /// they are legal in one way only. `None` when they are legal both ways or neither.
    ///
    /// ```
    /// use errare::{game::Game as _, xiangqi::{Game, notation::iccs::Ranks}};
    ///
    /// let game = Game::start();
    /// assert_eq!(game.detect_ranks(&["h2e2"]), Some(Ranks::FromZero));
    /// assert_eq!(game.detect_ranks(&["h3e3", "h10g8"]), Some(Ranks::FromOne));
    /// assert_eq!(game.detect_ranks(&[]), None);
    /// ```
    pub fn detect_ranks(&self, moves: &[&str]) -> Option<Ranks> {
        if let Some(ranks) = moves.iter().find_map(|text| iccs::betrayed_ranks(text)) {
            return Some(ranks);
        }
        let are_legal = |ranks| {
            let mut position = self.position.clone();
            moves
                .iter()
                .all(|text| iccs::parse(text, ranks).is_ok_and(|m| position.play(m).is_ok()))
        };
        match (are_legal(Ranks::FromZero), are_legal(Ranks::FromOne)) {
            (true, false) => Some(Ranks::FromZero),
            (false, true) => Some(Ranks::FromOne),
            _ => None,
        }
    }
}

impl game::Game for Game {
    type Move = Move;
    type Spelling = Ranks;
    type FenError = FenError;
    type MoveError = ParseMoveError;

    fn start() -> Self {
        Self::default()
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fen: Fen = fen.parse().map_err(FenError::Misspelled)?;
        fen.into_position().map(Self::from_position).map_err(FenError::Unplayable)
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.position).to_string()
    }

    fn side_to_move(&self) -> Side {
        self.position.turn().into()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }

    /// Reads coordinates with the ranks counted as given.
    ///
    /// ```
    /// use errare::{game::Game as _, xiangqi::{Game, notation::iccs::Ranks}};
    ///
    /// let game = Game::start();
    /// // h2 is a cannon's square when ranks begin with 0, and an empty one when they begin with 1
    /// assert!(game.parse_move("h2e2", Ranks::FromZero).is_ok());
    /// assert!(game.parse_move("h2e2", Ranks::FromOne).is_err());
    /// ```
    fn parse_move(&self, text: &str, ranks: Ranks) -> Result<Move, ParseMoveError> {
        let error = |reason| ParseMoveError { text: quote(text), reason };
        let m = iccs::parse(text, ranks).map_err(|e| error(MoveFlaw::Misspelled(e)))?;
        match self.position.is_legal(m) {
            true => Ok(m),
            false => Err(error(MoveFlaw::Illegal)),
        }
    }

    fn write_move(&self, m: &Move, ranks: Ranks) -> String {
        Iccs::new(*m, ranks).to_string()
    }

    fn play(&mut self, m: &Move) {
        self.play_unchecked(*m);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.conclusion().map(|conclusion| match conclusion.winner() {
            Some(winner) => Outcome::Won(winner.into()),
            None => Outcome::Drawn,
        })
    }

    fn plies_played(&self) -> usize {
        self.played.len()
    }
}

/// Why a game cannot begin with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FenError {
    /// The text is not a FEN.
    Misspelled(ParseFenError),
    /// The FEN's position cannot be played.
    Unplayable(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misspelled(error) => error.fmt(f),
            Self::Unplayable(error) => error.fmt(f),
        }
    }
}

impl Error for FenError {}

/// Why a text is not a move here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseMoveError {
    /// The text; its beginning, if it is long.
    pub text: String,
    /// What is wrong with it.
    pub reason: MoveFlaw,
}

/// What is wrong with a written move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveFlaw {
    /// It is not spelled as a move.
    Misspelled(ParseIccsError),
    /// It is not legal in the position.
    Illegal,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, reason } = self;
        match reason {
            MoveFlaw::Misspelled(error) => write!(f, "`{text}` is {error}"),
            MoveFlaw::Illegal => write!(f, "`{text}` is not one of the legal moves"),
        }
    }
}

impl Error for ParseMoveError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game as _;

    fn game(moves: &str) -> Game {
        let mut game = Game::start();
        for text in moves.split_whitespace() {
            let m = game.parse_move(text, Ranks::default()).unwrap();
            game.play(&m);
        }
        game
    }

    #[test]
    fn the_position_before_each_move_is_kept() {
        let game = game("h2e2 h9g7 h0g2");
        let mut position = game.initial().clone();
        for (before, m) in game.played() {
            assert_eq!(&position, before);
            position.play(*m).unwrap();
        }
        assert_eq!(&position, game.position());
        assert_eq!(game.positions().count(), 4);
        assert_eq!(game.after_first(2), self::game("h2e2 h9g7"));
        assert_eq!(game.after_first(9), game);
    }

    #[test]
    fn a_bare_move_has_ranks_from_zero_unless_it_has_a_rank_ten() {
        let game = game("h2e2");
        assert_eq!(
            game.parse_move("h9g7", Ranks::default()),
            game.parse_move("h10g8", Ranks::FromOne)
        );
        assert_eq!(
            game.parse_move("H9-G7", Ranks::default()),
            game.parse_move("h9g7", Ranks::default())
        );
        assert!(game.parse_move("h7h0", Ranks::default()).is_err());
    }

    #[test]
    fn a_move_list_tells_its_ranks_by_what_is_legal() {
        let game = Game::start();
        assert_eq!(game.detect_ranks(&["h2e2", "h7e7"]), Some(Ranks::FromZero));
        assert_eq!(game.detect_ranks(&["h3e3", "h8e8"]), Some(Ranks::FromOne));
        assert_eq!(game.detect_ranks(&["a3a4"]), Some(Ranks::FromZero));
        assert_eq!(game.detect_ranks(&["g3g4", "g6g5"]), Some(Ranks::FromZero));
        assert_eq!(game.detect_ranks(&["h4e4"]), None);
    }

    #[test]
    fn moves_legal_either_way_tell_no_ranks() {
        let game = Game::from_fen("4k4/9/9/9/9/R8/R8/9/9/3K5 w").unwrap();
        assert_eq!(game.detect_ranks(&["a4b4"]), None);
        assert_eq!(game.detect_ranks(&["a4b4", "e9e8"]), Some(Ranks::FromZero));
        assert_eq!(game.detect_ranks(&["a4b4", "e10e9"]), Some(Ranks::FromOne));
    }

    #[test]
    fn errors_say_what_came_and_what_was_wanted() {
        let game = Game::start();
        assert_eq!(
            game.parse_move("e2e4q", Ranks::default()).unwrap_err().to_string(),
            "`e2e4q` is not two squares a0 to i9: a move like h2e2 or H2-E2 was wanted",
        );
        assert_eq!(
            game.parse_move("e2e4", Ranks::default()).unwrap_err().to_string(),
            "`e2e4` is not one of the legal moves",
        );
        assert_eq!(
            Game::from_fen("9/9 w").unwrap_err().to_string(),
            "the FEN's board has 2 ranks where 10 were wanted",
        );
        assert_eq!(
            Game::from_fen("4k4/9/9/9/9/9/9/9/9/4K4 w").unwrap_err().to_string(),
            "the position cannot be played: the generals face each other on an open file",
        );
    }

    #[test]
    fn a_mated_side_has_lost() {
        let game = Game::from_fen("R3k4/1R7/9/9/9/9/9/9/9/3K5 b").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Won(Side::First)));
    }
}
