//! A game that was played: where it began and its moves, all of them legal.

use super::Header;
use crate::xiangqi::{Fen, Game, IllegalMoveError, Move, Position};

/// A game that was played. All its moves are legal, one after another, from its start.
///
/// Rules about repetition and counting are not asked: people played on, and so does the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What is known about it beside the moves.
    pub header: Header,
    start: Position,
    moves: Vec<Move>,
}

impl Record {
    /// A game from a start position.
    ///
    /// # Errors
    /// When a move is not legal where it is to be played.
    pub fn new(
        header: Header,
        start: Position,
        moves: Vec<Move>,
    ) -> Result<Self, IllegalMoveError> {
        let mut position = start.clone();
        moves.iter().try_for_each(|&m| position.play(m))?;
        Ok(Self { header, start, moves })
    }

    /// A game whose moves are known to be legal.
    pub(super) fn new_unchecked(header: Header, start: Position, moves: Vec<Move>) -> Self {
        Self { header, start, moves }
    }

    /// The position that it began from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves, of both sides in turn.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Each move with the position that it was played in.
    ///
    /// ```
    /// use errare::xiangqi::{Move, Position, Square, records::{Header, Record}};
    ///
    /// let moves = vec![Move::new(Square::H2, Square::E2), Move::new(Square::H9, Square::G7)];
    /// let record = Record::new(Header::default(), Position::default(), moves)?;
    /// let turns: Vec<_> = record.plies().map(|(position, _)| position.turn()).collect();
    /// assert!(turns[0].is_red() && turns[1].is_black());
    /// # Ok::<_, errare::xiangqi::IllegalMoveError>(())
    /// ```
    pub fn plies(&self) -> impl ExactSizeIterator<Item = (Position, Move)> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&m| {
            let after = position.after(m);
            (std::mem::replace(&mut position, after), m)
        })
    }

    /// The game at its end, with all that was played.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start.clone());
        for &m in &self.moves {
            game.try_play(m).expect("a record's moves are legal");
        }
        game
    }

    /// The FEN of the start, where it is not the standard one.
    pub(super) fn fen(&self) -> Option<String> {
        (self.start != Position::default()).then(|| Fen::from_position(&self.start).to_string())
    }
}

/// A name for a game that has none: 16 hexadecimal digits that depend on the start and the moves
/// alone, by FNV-1a, whose values do not change between versions of the program.
pub(super) fn id_of(start: &Position, moves: &[Move]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    let board = start.board().to_string();
    let squares = moves.iter().flat_map(|m| [m.from.index(), m.to.index()]);
    format!("{:016x}", board.bytes().chain(squares).fold(OFFSET, step))
}
