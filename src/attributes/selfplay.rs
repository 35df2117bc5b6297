//! Games of the model against itself or another.

use rand::Rng;

use super::{AttributeModel, Positioned, Tree, backup::softmax};
use crate::{
    game::Side,
    model::{Candidate, Prediction, Score},
};

/// Plays a game from `start` and returns its moves: until it ends, or `most_plies` are played.
///
/// Each move is drawn from the prediction of the player whose turn it is; `first` plays the side
/// that moves first in the usual start position. The same generator gives the same game.
pub fn play_game<G: Positioned>(
    start: &G,
    first: &AttributeModel,
    second: &AttributeModel,
    most_plies: usize,
    rng: &mut impl Rng,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    play_seen(start, first, second, most_plies, rng, |_, m, _| moves.push(m.clone()));
    moves
}

/// Plays the same game as [`play_game`], and calls `each` for every move with the game before it
/// and the look-ahead that it was drawn from.
pub fn play_seen<G: Positioned>(
    start: &G,
    first: &AttributeModel,
    second: &AttributeModel,
    most_plies: usize,
    rng: &mut impl Rng,
    mut each: impl FnMut(&G, &G::Move, Tree),
) {
    let mut game = start.clone();
    for _ in 0..most_plies {
        if game.outcome().is_some() {
            break;
        }
        let player = match game.side_to_move() {
            Side::First => first,
            Side::Second => second,
        };
        let is_drawn = |m: &G::Move| game.is_drawn_after(m);
        // a look-ahead that is stored merges what different orders of moves lead to
        let tree = Tree::build(game.position(), player.strategy.horizon(), is_drawn);
        let candidates = game
            .legal_moves()
            .into_iter()
            .zip(softmax(&tree.values(&player.weights)))
            .map(|(m, probability)| Candidate {
                m,
                probability,
                score: Score::EVEN,
                line: Vec::new(),
            })
            .collect();
        let prediction = Prediction::new(candidates, 0, 0);
        let Some(candidate) = prediction.draw(rng) else {
            break;
        };
        each(&game, &candidate.m, tree);
        game.play(&candidate.m);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{
        attributes::{Strategy, people::of_rating, published::ADVANCED},
        chess,
        game::Game as _,
    };

    #[test]
    fn the_moves_played_are_drawn_from_what_the_model_predicts() {
        use crate::model::{Effort, Model as _};
        let player = AttributeModel::new(of_rating(1500.0), Strategy::Min1Max2);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let moves = play_game(&chess::Game::start(), &player, &player, 20, &mut rng);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut game = chess::Game::start();
        for m in moves {
            let prediction = { player }.predict(&game, Effort::default(), &|| false, &mut |_| {});
            assert_eq!(prediction.draw(&mut rng).unwrap().m, m);
            game.play(&m);
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_legal_game() {
        let play = |seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let strong = AttributeModel::new(ADVANCED, Strategy::Min1Max2);
            let weak = AttributeModel::new(of_rating(1100.0), Strategy::Min1Max1);
            play_game(&chess::Game::start(), &strong, &weak, 60, &mut rng)
        };
        let moves = play(1);
        let mut game = chess::Game::start();
        for m in &moves {
            assert!(game.outcome().is_none() && game.legal_moves().contains(m));
            game.play(m);
        }
        assert_eq!(play(1), moves);
        assert_ne!(play(2), moves);
    }
}
