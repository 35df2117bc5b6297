//! Games of the model against itself or another.

use rand::Rng;

use super::{AttributeModel, Positioned};
use crate::{
    game::Side,
    model::{Effort, Model},
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
    let mut game = start.clone();
    let mut moves = Vec::new();
    while moves.len() < most_plies && game.outcome().is_none() {
        let mut player = match game.side_to_move() {
            Side::First => *first,
            Side::Second => *second,
        };
        let prediction = player.predict(&game, Effort::default(), &|| false, &mut |_| {});
        let Some(candidate) = prediction.draw(rng) else {
            break;
        };
        game.play(&candidate.m);
        moves.push(candidate.m.clone());
    }
    moves
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
