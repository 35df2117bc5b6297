//! The look-ahead model as a model of a person at the board.

use super::{
    Positioned, Strategy, Weights,
    backup::softmax,
    search::{Budget, Considered, Forced, look_ahead},
    strategy::Horizon,
};
use crate::{
    attributes::Attributed as _,
    game::{Game, Side},
    model::{Candidate, Effort, Model, Prediction, Score},
};

/// The largest score that is no mate, in hundredths of a pawn.
const LARGEST_SCORE: f64 = 9_999.0;

/// A person who weighs attributes and looks ahead by a strategy.
///
/// Looks one ply ahead first, then farther, so that there is always a finished prediction; left
/// alone, what it predicts depends on the weights and the strategy only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttributeModel {
    /// What the person thinks the attributes are worth.
    pub weights: Weights,
    /// How far the person looks.
    pub strategy: Strategy,
}

impl AttributeModel {
    /// A person with these weights who looks this far.
    pub fn new(weights: Weights, strategy: Strategy) -> Self {
        Self { weights, strategy }
    }

    /// A prediction as far as one horizon, unless the budget ends it.
    fn predict_within<G: Positioned>(
        &self,
        game: &G,
        horizon: Horizon,
        budget: Budget<'_>,
        visited: &mut u64,
    ) -> Option<Prediction<G::Move>> {
        let is_drawn = |m: &G::Move| game.is_drawn_after(m);
        let position = game.position();
        let considered = look_ahead(position, &self.weights, horizon, &is_drawn, budget, visited)?;
        let values: Vec<f64> = considered.iter().map(|considered| considered.value).collect();
        let candidates = considered
            .into_iter()
            .zip(softmax(&values))
            .map(|(considered, probability)| Candidate {
                probability,
                score: self.score(&considered, position.side_to_move()),
                m: considered.m,
                line: considered.line,
            })
            .collect();
        Some(Prediction::new(candidates, horizon.limit, *visited))
    }

    /// A mate that is forced, or the value in hundredths of what a pawn is worth.
    fn score<M>(&self, considered: &Considered<M>, player: Side) -> Score {
        match considered.forced {
            // `plies` counts from the position after the player's move
            Some(Forced { winner, plies }) if winner == player => Score::Mate(plies / 2 + 1),
            Some(Forced { plies, .. }) => Score::Mated(plies.div_ceil(2)),
            None => {
                let pawn = self.weights.attributes.material;
                let pawn = if pawn > 0.0 { pawn } else { 1.0 };
                let centipawns = (100.0 * considered.value / pawn).round();
                // saturating, and zero for NaN
                Score::Centipawns(centipawns.clamp(-LARGEST_SCORE, LARGEST_SCORE) as i32)
            }
        }
    }
}

impl<G: Positioned> Model<G> for AttributeModel {
    fn predict(
        &mut self,
        game: &G,
        effort: Effort,
        interrupted: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(&Prediction<<G as Game>::Move>),
    ) -> Prediction<<G as Game>::Move> {
        let mut visited = 0;
        let most_plies = effort.max_plies.unwrap_or(u32::MAX).max(1);
        let most_nodes = effort.max_nodes.unwrap_or(u64::MAX);
        let mut horizons =
            self.strategy.deepening().take_while(|horizon| horizon.limit <= most_plies);
        let first = horizons.next().expect("every strategy looks one ply ahead");
        let mut prediction = self
            .predict_within(
                game,
                first,
                Budget { nodes: u64::MAX, interrupted: &|| false },
                &mut visited,
            )
            .expect("nothing ends a search without limits");
        if prediction.is_empty() {
            return prediction;
        }
        for horizon in horizons {
            let budget = Budget { nodes: most_nodes.saturating_sub(visited), interrupted };
            if interrupted() {
                break;
            }
            let Some(deeper) = self.predict_within(game, horizon, budget, &mut visited) else {
                break;
            };
            progress(&prediction);
            prediction = deeper;
        }
        prediction.nodes = visited;
        prediction
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{attributes::of_rating, chess};

    fn game(fen: &str) -> chess::Game {
        chess::Game::from_fen(fen).unwrap()
    }

    const MIDDLEGAME: &str =
        "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";

    fn model(strategy: Strategy) -> AttributeModel {
        AttributeModel::new(of_rating(1500.0), strategy)
    }

    fn predict(game: &chess::Game, strategy: Strategy) -> Prediction<shakmaty::Move> {
        model(strategy).predict(game, Effort::default(), &|| false, &mut |_| {})
    }

    #[test]
    fn every_legal_move_is_predicted_once() {
        let game = game(MIDDLEGAME);
        let prediction = predict(&game, Strategy::Min1Max2);
        assert_eq!(prediction.candidates().len(), game.legal_moves().len());
        let total: f64 = prediction.candidates().iter().map(|c| c.probability).sum();
        assert!((total - 1.0).abs() < 1e-9);
        for candidate in prediction.candidates() {
            assert_eq!(candidate.line[0], candidate.m);
            let mut game = game.clone();
            for m in &candidate.line {
                assert!(game.legal_moves().contains(m));
                game.play(m);
            }
        }
        assert!(prediction.candidates()[0].line.len() >= 2, "a reply was looked at");
    }

    #[test]
    fn a_mate_in_one_is_scored_as_such_and_likely() {
        let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        let prediction = predict(&game, Strategy::Min1Max1);
        let first = &prediction.candidates()[0];
        assert_eq!(game.write_move(&first.m, chess::Castling::Standard), "a1a8");
        assert_eq!(first.score, Score::Mate(1));
    }

    #[test]
    fn a_mate_that_cannot_be_avoided_is_seen() {
        // 1 ... Kh8 2 Rf8 mate is all that can happen
        let lost = game("6k1/8/6K1/8/8/8/8/5R2 b - - 0 1");
        let prediction = predict(&lost, Strategy::Min2Max2);
        assert_eq!(prediction.candidates()[0].score, Score::Mated(1));
        // 1 Ra8+ Rb8 is the only answer, and then 2 Rxb8 mates
        let won = game("6k1/1r3ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        let check = won.parse_move("a1a8", chess::Castling::Standard).unwrap();
        let prediction = predict(&won, Strategy::Min1Max3);
        let check = prediction.candidates().iter().find(|c| c.m == check).unwrap();
        assert_eq!((check.score, check.line.len()), (Score::Mate(2), 3));
    }

    #[test]
    fn a_draw_by_repetition_is_worth_nothing() {
        let mut game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        for text in "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1".split(' ') {
            game.play(&game.parse_move(text, chess::Castling::Standard).unwrap());
        }
        let back = game.parse_move("f8g8", chess::Castling::Standard).unwrap();
        let prediction = predict(&game, Strategy::Min1Max2);
        let drawn = prediction.candidates().iter().find(|c| c.m == back).unwrap();
        assert_eq!(drawn.score, Score::EVEN);
        assert_eq!(drawn.m, prediction.candidates()[0].m, "a rook down, a draw is welcome");
    }

    #[test]
    fn an_interruption_leaves_the_last_finished_prediction() {
        let game = game(MIDDLEGAME);
        let at_once =
            model(Strategy::Min1Max4).predict(&game, Effort::default(), &|| true, &mut |_| {
                panic!("nothing was finished before the last")
            });
        assert_eq!(at_once.candidates(), predict(&game, Strategy::Min1Max1).candidates());
        let asked = Cell::new(0);
        let interrupted = || {
            asked.set(asked.get() + 1);
            asked.get() > 20
        };
        let mut depths = Vec::new();
        let later = model(Strategy::Min1Max4).predict(
            &game,
            Effort::default(),
            &interrupted,
            &mut |prediction| depths.push(prediction.depth),
        );
        assert_eq!((depths, later.depth), (vec![1], 2));
        assert_eq!(later.candidates(), predict(&game, Strategy::Min1Max2).candidates());
    }

    #[test]
    fn effort_limits_plies_and_positions() {
        let game = game(MIDDLEGAME);
        let predict = |max_plies, max_nodes| {
            let effort = Effort { max_plies, max_nodes };
            model(Strategy::Min1Max3).predict(&game, effort, &|| false, &mut |_| {})
        };
        assert_eq!(predict(Some(0), None).depth, 1);
        assert_eq!(predict(Some(2), None).depth, 2);
        let few = predict(None, Some(100));
        assert_eq!(few.depth, 1);
        assert!(few.nodes <= 101, "{}", few.nodes);
        assert_eq!(predict(None, Some(0)).candidates().len(), game.legal_moves().len());
    }

    #[test]
    fn a_finished_game_is_predicted_empty() {
        for fen in ["7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"] {
            assert!(predict(&game(fen), Strategy::Min1Max3).is_empty());
        }
    }
}
