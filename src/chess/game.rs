//! A game of chess in progress.

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, uci::UciMove, zobrist::Zobrist64};
use thiserror::Error;

use super::{
    fen::{self, FenError, beginning},
    full, mirror,
    position::side,
};
use crate::{
    attributes::{Positioned, full::Past},
    game::{self, Outcome, Side},
};

/// Plies without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;
/// How often a position occurs when a game is drawn.
const THREEFOLD: usize = 3;

/// A game of chess in progress: a position, and what of its past the rules on draws ask for.
///
/// Every start of Chess960 can be played as well.
///
/// ```
/// use errare::{chess::{Castling, Game}, game::Game as _};
///
/// let mut game = Game::start();
/// let m = game.parse_move("e2e4", Castling::Standard)?;
/// game.play(&m);
/// assert_eq!(game.legal_moves().len(), 20);
/// assert_eq!(game.write_move(&game.parse_move("e7e5", Castling::Standard)?, Castling::Standard), "e7e5");
/// # Ok::<_, errare::chess::MoveError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game {
    position: Chess,
    /// Hashes of all positions since the last move that cannot be undone, the current one last.
    past: Vec<Zobrist64>,
    last_moves: Past,
    plies: usize,
    /// Whether it is seen in a mirror; hashes are those of the positions outside.
    in_mirror: bool,
}

/// How castling is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Castling {
    /// The king goes to its square, `e1g1`.
    #[default]
    Standard,
    /// The king takes its own rook, `e1h1`, as UCI wants it for Chess960.
    Chess960,
}

/// Why a written move was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not spelled as a move.
    #[error("got `{got}`, wanted a move such as e2e4 or a7a8q")]
    Spelling {
        /// The beginning of the text that came.
        got: String,
    },
    /// The text is spelled well, but there is no such legal move.
    #[error("got `{got}`, wanted one of the {legal} legal moves of `{fen}`")]
    Illegal {
        /// The text that came.
        got: String,
        /// How many legal moves there are.
        legal: usize,
        /// The position.
        fen: String,
    },
}

impl Game {
    pub(super) fn from_position(position: Chess) -> Self {
        let past = vec![hash(&position)];
        Self { position, past, last_moves: Past::default(), plies: 0, in_mirror: false }
    }

    /// The same game in a mirror, unless somebody may still castle.
    pub(super) fn in_mirror(&self) -> Option<Self> {
        Some(Self {
            position: mirror::position(&self.position)?,
            past: self.past.clone(),
            last_moves: mirror::past(self.last_moves),
            plies: self.plies,
            in_mirror: !self.in_mirror,
        })
    }

    /// The last moves, the newest first.
    pub(super) fn last_moves(&self) -> Past {
        self.last_moves
    }

    /// How often the position after a legal move has occurred before it.
    pub(super) fn earlier_occurrences(&self, m: &Move) -> usize {
        // a position comes again after four plies at the soonest
        if self.past.len() < 4 || self.position.is_irreversible(*m) {
            return 0;
        }
        let mut after = self.position.clone();
        after.play_unchecked(*m);
        let after = self.hash(&after);
        self.past.iter().filter(|&&earlier| earlier == after).count()
    }

    /// How often the current position has occurred, as far as the game is known.
    fn occurrences(&self) -> usize {
        let current = self.hash(&self.position);
        self.past.iter().filter(|&&earlier| earlier == current).count()
    }

    /// The hash of a position of this game, as it is outside the mirror.
    fn hash(&self, position: &Chess) -> Zobrist64 {
        let outside = if self.in_mirror { mirror::position(position) } else { None };
        hash(outside.as_ref().unwrap_or(position))
    }

    fn castling_to_the_kings_square(&self, text: &str) -> Option<Move> {
        let is_meant = |m: &Move| m.is_castle() && UciMove::from_standard(*m).to_string() == text;
        self.position.legal_moves().into_iter().find(is_meant)
    }
}

fn hash(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

impl game::Game for Game {
    type Move = Move;
    type Spelling = Castling;
    type FenError = FenError;
    type MoveError = MoveError;

    fn start() -> Self {
        Self::from_position(Chess::default())
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        fen::parse(fen).map(Self::from_position)
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    fn side_to_move(&self) -> Side {
        side(self.position.turn())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }

    /// Understands both spellings of castling, whichever is given and whatever the start, and promotions in either case.
    ///
    /// Where a text names both a step of the king and castling, the step is meant.
    fn parse_move(&self, text: &str, _: Castling) -> Result<Move, MoveError> {
        let lower = text.trim().to_ascii_lowercase();
        let written = match UciMove::from_ascii(lower.as_bytes()) {
            Ok(written @ (UciMove::Normal { .. } | UciMove::Null)) => written,
            _ => return Err(MoveError::Spelling { got: beginning(text) }),
        };
        written
            .to_move(&self.position)
            .ok()
            .or_else(|| self.castling_to_the_kings_square(&lower))
            .ok_or_else(|| MoveError::Illegal {
                got: beginning(text),
                legal: self.position.legal_moves().len(),
                fen: self.fen(),
            })
    }

    fn write_move(&self, m: &Move, spelling: Castling) -> String {
        match spelling {
            Castling::Standard => UciMove::from_standard(*m),
            Castling::Chess960 => UciMove::from_chess960(*m),
        }
        .to_string()
    }

    fn play(&mut self, m: &Move) {
        if self.position.is_irreversible(*m) {
            self.past.clear();
        }
        self.last_moves = self.last_moves.then(full::step(m));
        self.position.play_unchecked(*m);
        self.past.push(self.hash(&self.position));
        self.plies += 1;
    }

    /// Mate, stalemate, too little material, fifty moves without capture or pawn move (unless the
    /// last one mates), or the third occurrence of a position.
    fn outcome(&self) -> Option<Outcome> {
        if self.position.legal_moves().is_empty() {
            return Some(match self.position.is_check() {
                true => Outcome::Won(!self.side_to_move()),
                false => Outcome::Drawn,
            });
        }
        (self.position.is_insufficient_material()
            || self.position.halfmoves() >= FIFTY_MOVES
            || self.occurrences() >= THREEFOLD)
            .then_some(Outcome::Drawn)
    }

    fn plies_played(&self) -> usize {
        self.plies
    }
}

impl Positioned for Game {
    type Position = Chess;

    fn position(&self) -> &Chess {
        &self.position
    }

    fn is_drawn_after(&self, m: &Move) -> bool {
        let mut after = self.clone();
        game::Game::play(&mut after, m);
        game::Game::outcome(&after) == Some(Outcome::Drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game as _;

    fn played(start: &str, moves: &str) -> Game {
        let mut game = Game::from_fen(start).unwrap();
        for text in moves.split_whitespace() {
            game.play(&game.parse_move(text, Castling::Standard).unwrap());
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn both_spellings_of_castling_are_understood() {
        let game = Game::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castling = game.parse_move("e1g1", Castling::Standard).unwrap();
        assert_eq!(game.parse_move("e1h1", Castling::Standard).unwrap(), castling);
        assert_eq!(game.write_move(&castling, Castling::Standard), "e1g1");
        assert_eq!(game.write_move(&castling, Castling::Chess960), "e1h1");
        assert_eq!(
            game.parse_move("e1c1", Castling::Standard).unwrap(),
            game.parse_move("e1a1", Castling::Standard).unwrap()
        );
    }

    #[test]
    fn castling_of_chess960_goes_to_the_kings_square_or_takes_the_rook() {
        // the king on f1 goes to g1, where its rook stands
        let beside = Game::from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1").unwrap();
        let castling = beside.parse_move("f1g1", Castling::Standard).unwrap();
        assert!(castling.is_castle());
        // the king on b1 goes to g1 over half the board
        let far = Game::from_fen("4k3/8/8/8/8/8/8/1K5R w H - 0 1").unwrap();
        assert_eq!(
            far.parse_move("b1g1", Castling::Standard).unwrap(),
            far.parse_move("b1h1", Castling::Standard).unwrap()
        );
        // b1c1 is the step here, not castling with the rook on a1
        let step = Game::from_fen("4k3/8/8/8/8/8/8/RK6 w A - 0 1").unwrap();
        assert!(!step.parse_move("b1c1", Castling::Standard).unwrap().is_castle());
        assert!(step.parse_move("b1a1", Castling::Standard).unwrap().is_castle());
    }

    #[test]
    fn promotions_are_understood_in_either_case() {
        let game = Game::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(
            game.parse_move("a7a8N", Castling::Standard).unwrap(),
            game.parse_move("a7a8n", Castling::Standard).unwrap()
        );
        assert!(game.parse_move("a7a8", Castling::Standard).is_err(), "to what?");
        assert!(game.parse_move("a7a8k", Castling::Standard).is_err());
    }

    #[test]
    fn en_passant_is_a_move_only_at_once() {
        let at_once = played(START, "e2e4 a7a6 e4e5 d7d5");
        assert!(at_once.parse_move("e5d6", Castling::Standard).unwrap().is_en_passant());
        let later = played(START, "e2e4 a7a6 e4e5 d7d5 a2a3 a6a5");
        assert!(later.parse_move("e5d6", Castling::Standard).is_err());
    }

    #[test]
    fn a_refused_move_is_named_with_what_was_wanted() {
        let game = Game::start();
        let misspelled = game.parse_move("Nf3", Castling::Standard).unwrap_err();
        assert_eq!(misspelled.to_string(), "got `Nf3`, wanted a move such as e2e4 or a7a8q");
        let illegal = game.parse_move("e2e5", Castling::Standard).unwrap_err().to_string();
        assert_eq!(illegal, format!("got `e2e5`, wanted one of the 20 legal moves of `{START}`"));
        for text in ["0000", "", "e2", "P@e4", "e2e4 ", "ééé"] {
            assert_eq!(
                game.parse_move(text, Castling::Standard).is_ok(),
                text.trim() == "e2e4",
                "{text}"
            );
        }
    }

    #[test]
    fn the_third_occurrence_draws() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        let twice = played(START, there_and_back);
        assert_eq!(twice.outcome(), None);
        let nearly = played(START, &format!("{there_and_back} g1f3 g8f6 f3g1"));
        assert_eq!(nearly.outcome(), None);
        let last = nearly.parse_move("f6g8", Castling::Standard).unwrap();
        assert!(nearly.is_drawn_after(&last));
        assert!(!nearly.is_drawn_after(&nearly.parse_move("f6e4", Castling::Standard).unwrap()));
        let thrice = played(START, &there_and_back.repeat(2));
        assert_eq!(thrice.outcome(), Some(Outcome::Drawn));
        assert_eq!(thrice.legal_moves().len(), 20, "a user interface may go on all the same");
        // the pawn moves in between make it another position
        let interrupted = format!("{there_and_back} e2e4 e7e5 {there_and_back}");
        assert_eq!(played(START, &interrupted).outcome(), None);
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let king_moves = "e1e2 e8e7 e2e1 e7e8 ";
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(played(start, &king_moves.repeat(2)).outcome(), None);
        assert_eq!(played(start, &king_moves.repeat(3)).outcome(), Some(Outcome::Drawn));
    }

    #[test]
    fn fifty_moves_draw_unless_the_last_one_mates() {
        let game = Game::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80").unwrap();
        assert_eq!(game.outcome(), None);
        let (mate, quiet) = (
            game.parse_move("a1a8", Castling::Standard).unwrap(),
            game.parse_move("a1b1", Castling::Standard).unwrap(),
        );
        assert!(!game.is_drawn_after(&mate));
        assert!(game.is_drawn_after(&quiet));
        let mut mated = game.clone();
        mated.play(&mate);
        assert_eq!(mated.outcome(), Some(Outcome::Won(Side::First)));
    }

    #[test]
    fn stalemate_and_bare_kings_draw() {
        for fen in ["7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"] {
            assert_eq!(Game::from_fen(fen).unwrap().outcome(), Some(Outcome::Drawn), "{fen}");
        }
    }

    #[test]
    fn a_fen_written_and_read_is_the_same_game() {
        for fen in [START, "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/PPP1PPPP/1RK1BR1B w KQkq - 2 10"] {
            assert_eq!(Game::from_fen(fen).unwrap().fen(), fen);
        }
        let game = played(START, "e2e4 e7e5");
        assert_eq!(game.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        assert_eq!((game.plies_played(), game.side_to_move()), (2, Side::First));
    }
}
