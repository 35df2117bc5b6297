//! The moves of a player that were expected most and least.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use crate::{
    attributes::{Positioned, inference::Predicted},
    cli::observed::Moves,
    game::Game as _,
};

/// How many moves of either kind are shown.
const SHOWN: usize = 6;
/// A move is no feat of prediction where there are few others.
const FEWEST_MOVES: usize = 10;

/// Moves that tell much about the player, or that the model cannot tell.
#[derive(Debug, Clone)]
pub struct Telling {
    /// Those that the model told better than chance by the most bits, the most first.
    pub expected: Vec<Told>,
    /// Those that took the most bits, the most first.
    pub unexpected: Vec<Told>,
}

/// A move with what was predicted.
#[derive(Debug, Clone)]
pub struct Told {
    /// The position before the move.
    pub position: Chess,
    /// The move, and how likely it was.
    pub played: (Move, f64),
    /// The likeliest move.
    pub likeliest: (Move, f64),
    /// How many bits the move took.
    pub bits: f64,
    /// Where it was played, in words.
    pub game: String,
}

impl Telling {
    /// Chooses among moves with what was predicted of them, which must be in the same order.
    pub fn new(moves: &Moves, predictions: &[Predicted]) -> Self {
        let saved = |predicted: &Predicted| {
            (predicted.probabilities.len() as f64).log2() - predicted.bits()
        };
        let has_choice = |predicted: &Predicted| predicted.probabilities.len() >= FEWEST_MOVES;
        let first = |value: &dyn Fn(&Predicted) -> f64| -> Vec<Told> {
            let mut numbers: Vec<usize> =
                (0..predictions.len()).filter(|&number| has_choice(&predictions[number])).collect();
            numbers.sort_by(|&a, &b| {
                value(&predictions[b]).total_cmp(&value(&predictions[a])).then(a.cmp(&b))
            });
            // one of a game, so that a single one does not fill the page
            let mut records = Vec::new();
            numbers.retain(|&number| {
                let record = moves.observed[number].record;
                let is_first = !records.contains(&record);
                if is_first && records.len() < SHOWN {
                    records.push(record);
                    return true;
                }
                false
            });
            numbers.iter().map(|&number| Told::new(moves, number, &predictions[number])).collect()
        };
        Self { expected: first(&saved), unexpected: first(&Predicted::bits) }
    }
}

impl Told {
    fn new(moves: &Moves, number: usize, predicted: &Predicted) -> Self {
        let observed = &moves.observed[number];
        let legal = observed.game.legal_moves();
        let of = |number: usize| (legal[number], predicted.probabilities[number]);
        let game = &moves.games[observed.record as usize];
        let name = |color| match game.names.get(color).as_str() {
            "" | "?" => super::color_name(color),
            name => name,
        };
        Self {
            position: observed.game.position().clone(),
            played: of(predicted.played),
            likeliest: of(predicted.likeliest()),
            bits: predicted.bits(),
            game: format!(
                "{} – {}, game {} of {}",
                name(Color::White),
                name(Color::Black),
                game.number,
                game.file
            ),
        }
    }

    /// The move in algebraic notation with its number.
    pub fn numbered(&self) -> String {
        let dots = if self.position.turn().is_white() { "." } else { "…" };
        format!("{}{dots} {}", self.position.fullmoves(), self.written(self.played.0))
    }

    /// A move of the position in algebraic notation.
    pub fn written(&self, m: Move) -> String {
        SanPlus::from_move(self.position.clone(), m).to_string()
    }
}
