//! Errare plays chess and xiangqi the way people of a given strength play them.
//!
//! The house has two games, two models of a person and one conversation:
//!
//! ```text
//!             text                                              text
//!              │                                                 ▲
//!   ┌──────────▼─────────────────────────────────────────────────┴──┐
//!   │ protocol   one session, two dialects: UCI and UCCI            │
//!   └──────────┬─────────────────────────────────────────────────▲──┘
//!        Setup, Search            player                    Info, Answer
//!   ┌──────────▼─────────────────────────────────────────────────┴──┐
//!   │ engine     which game is played, and who plays it             │
//!   └─────┬──────────────────────┬─────────────────────▲────────────┘
//!      position                  │     model     Prediction: a distribution over the moves
//!   ┌─────▼─────┐ ┌──────────────▼──┐ ┌────────────────┴───┐
//!   │ chess     │ │ attributes      │ │ xqsv               │
//!   │ xiangqi   │ │ a person as a   │ │ a person as a      │
//!   │ two games │ │ look-ahead      │ │ memory of moves    │
//!   └───────────┘ └────────┬────────┘ └────────┬───────────┘
//!                 ┌────────▼───────────────────▼───────────┐
//!                 │ evaluation   what Predictions are worth│
//!                 └────────────────────────────────────────┘
//! ```
//!
//! * [`game`] says what is asked of a game, [`model`] what a model of a person answers, and
//!   [`player`] what a conversation asks of whoever plays.
//! * [`chess`] and [`xiangqi`] are the games. They know neither models nor protocols.
//! * [`attributes`] is the weighted look-ahead of Jansen, Dowe & Farr and of Wallbrink; it knows a
//!   game only as [`attributes::Attributed`]. [`xqsv`] is the network of Zhou over the last moves, which
//!   may be told what else a person sees as well: the board, and the attributes of each move.
//! * [`book`] is what people know by heart: counts of opening moves, which any model can be mixed
//!   with.
//! * [`evaluation`] measures any model on what people played: the same numbers for both games.
//! * [`explanation`] divides a move's probability among memory, sight and look-ahead.
//! * [`turing`] asks whether games can be told from people's.
//! * [`digest`] is how files are recognized.
//! * [`engine`] puts them together, [`protocol`] speaks with user interfaces, and [`cli`] is the
//!   only place that knows everything.
//!
//! Who may name whom is a table in `tests/layers.rs`, which fails where the picture does not hold.
//!
//! # From a position to a move
//!
//! ```
//! use errare::{
//!     engine::Engine,
//!     player::{Convention, Info, Player, Search, Setup, Stop},
//! };
//!
//! let mut engine = Engine::new();
//! engine.set_up(&Setup {
//!     convention: Convention::Uci,
//!     fen: None,
//!     moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
//! })?;
//! let mut lines = 0;
//! let answer = engine.choose(&Search::default(), &Stop::new(), &mut |info| {
//!     lines += usize::from(matches!(info, Info::Line(_)));
//! });
//! assert!(answer.best.is_some() && lines > 0);
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

pub mod attributes;
pub mod book;
pub mod chess;
pub mod cli;
pub mod digest;
pub mod engine;
pub mod evaluation;
pub mod explanation;
pub mod game;
pub mod model;
pub mod player;
pub mod protocol;
pub mod turing;
pub mod xiangqi;
pub mod xqsv;
