//! What a conversation asks of a player: to set up a position and to choose a move.
//!
//! Everything here is text on the outside, because a player may know several games; the
//! [`engine`](crate::engine) is the one implementation, and protocol tests have another.

mod limits;
mod option;
mod stop;

pub use limits::{Clock, Clocks, Limits};
pub use option::{OptionError, OptionKind, OptionSpec, abridged};
pub use stop::Stop;

use std::error::Error;

use crate::{game::Side, model::Score};

/// By what convention a user interface writes positions and moves.
///
/// It decides what the start position is where none is named, and how ranks are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Convention {
    /// UCI: the game is what `UCI_Variant` says.
    Uci,
    /// UCI as Cyclone speaks it, with a bare `fen` or `startpos`: xiangqi, ranks from zero.
    UciCyclone,
    /// UCCI: xiangqi, ranks from zero.
    Ucci,
}

/// A position as a user interface names it: where to start and the moves from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// How it is written.
    pub convention: Convention,
    /// The FEN to start from; `None` is the standard start position.
    pub fen: Option<String>,
    /// The moves played from there, as written.
    pub moves: Vec<String>,
}

/// What is asked with one `go`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Search {
    /// How long and how far to think.
    pub limits: Limits,
    /// Which moves may be played.
    pub allowed: AllowedMoves,
    /// Whether the opponent has offered a draw.
    pub draw_offered: bool,
}

/// Which of the legal moves may be played, as written by the user interface.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AllowedMoves {
    /// All of them.
    #[default]
    All,
    /// Only these (`searchmoves`). Words that name no legal move are passed over.
    Only(Vec<String>),
    /// All but these (`banmoves`). Words that name no legal move are passed over.
    AllBut(Vec<String>),
}

/// What a player says while it thinks.
#[derive(Debug, Clone, PartialEq)]
pub enum Info {
    /// A line of play with its score.
    Line(Line),
    /// A remark in words.
    Message(String),
}

/// A line of play with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Plies looked ahead.
    pub depth: u32,
    /// The rank of this line among several, from 1; `None` where only one is shown.
    pub rank: Option<u32>,
    /// What the position is worth to the side to move if this line is played.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds since the search was asked for.
    pub time_ms: u64,
    /// The moves; empty only where there is no legal move.
    pub moves: Vec<String>,
}

/// The answer to one `go`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The move chosen; `None` where there is no move to choose.
    pub best: Option<String>,
    /// The reply that is expected, for the user interface to let the player ponder on.
    pub ponder: Option<String>,
    /// What the player says beside its move. Only UCCI has words for it.
    pub gesture: Option<Gesture>,
}

/// What a player may say beside its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// It offers a draw, or accepts one that was offered.
    Draw,
    /// It gives the game up.
    Resign,
}

/// A player at the board, as a conversation sees it.
///
/// Calls never print and never block, but for [`choose`](Self::choose), which runs on a thread of
/// its own: the player is moved there and comes home with its answer.
pub trait Player: Send + 'static {
    /// Every option that can be set.
    fn options(&self) -> &'static [OptionSpec];

    /// The other side has greeted by this convention, which holds until the next greeting.
    fn greet(&mut self, convention: Convention);

    /// Sets the option called `name` (as [`OptionSpec::find`] finds it) to `value`.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one it can take, or a file it names
    /// cannot be used. The old value then stays in force.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// A new game begins: whatever is remembered of the last one is forgotten.
    fn new_game(&mut self);

    /// Sets up a position.
    ///
    /// # Errors
    /// When the FEN or one of the moves cannot be used. Nothing has changed then.
    fn set_up(&mut self, setup: &Setup) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Who is to move.
    fn side_to_move(&self) -> Side;

    /// Chooses a move in the position set up.
    ///
    /// Says at least one [`Info::Line`] first, and the last one begins with the move chosen.
    /// Returns soon after `stop` is raised or its deadline passes.
    fn choose(&mut self, search: &Search, stop: &Stop, say: &mut dyn FnMut(Info)) -> Answer;
}
