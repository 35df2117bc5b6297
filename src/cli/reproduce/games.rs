//! Self-play with the games kept as moves that were observed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::{
    attributes::{
        AttributeModel,
        inference::{Observed, Sample},
        play_seen,
    },
    chess::Game,
    game::Game as _,
};

/// Games that come out the same whenever they are played.
#[derive(Debug, Clone, Copy)]
pub struct Games {
    /// Who plays both sides.
    pub player: AttributeModel,
    /// What chance goes by.
    pub seed: u64,
    /// The number of the first game; games of one seed and different numbers differ.
    pub first: u64,
    /// How many games.
    pub count: u32,
    /// A game is broken off after so many plies.
    pub plies: usize,
}

/// Games that were played.
#[derive(Debug)]
pub struct Played {
    /// The moves.
    pub observed: Vec<Observed<Game>>,
    /// The same moves with the look-aheads that they were drawn from.
    pub sample: Sample,
}

impl Games {
    /// Plays the games on all cores. `done` is called after each.
    pub fn play(self, done: impl Fn() + Sync) -> Played {
        let games: Vec<Played> = (0..self.count)
            .into_par_iter()
            .map(|record| {
                let played = self.game(record);
                done();
                played
            })
            .collect();
        games.into_iter().fold(self.none(), |mut all, mut game| {
            all.observed.append(&mut game.observed);
            all.sample.append(game.sample);
            all
        })
    }

    fn none(self) -> Played {
        Played { observed: Vec::new(), sample: Sample::new(self.player.strategy) }
    }

    fn game(self, record: u32) -> Played {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.first + u64::from(record));
        let mut played = self.none();
        let Self { player, plies, .. } = self;
        play_seen(&Game::start(), &player, &player, plies, &mut rng, |game, m, tree| {
            let observed = Observed { game: game.clone(), m: *m, record };
            played.sample.push(&observed, tree);
            played.observed.push(observed);
        });
        played
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{ONE_PLY, Strategy};

    #[test]
    fn the_same_numbers_are_the_same_games() {
        let player = AttributeModel::new(ONE_PLY, Strategy::Min1Max1);
        let moves = |first, count| -> Vec<_> {
            let games = Games { player, seed: 3, first, count, plies: 20 };
            games.play(|| ()).observed.into_iter().map(|observed| observed.m).collect()
        };
        let both = moves(0, 2);
        assert_eq!(both, [moves(0, 1), moves(1, 1)].concat());
        assert_ne!(moves(0, 1), moves(1, 1));
    }
}
