//! Self-play with the games kept as moves that were observed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::{
    attributes::{
        AttributeModel, Tree, Weights,
        inference::{Evidence, Observed, Sample},
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

    /// What the moves of the game of this number, from zero, say of weights as seen from `at`. No
    /// look-ahead is kept.
    pub fn evidence(self, number: u32, at: &Weights) -> Evidence {
        let mut evidence = Evidence::default();
        self.play_one(number, |observed, tree| {
            let mut move_alone = Sample::new(self.player.strategy);
            move_alone.push(&observed, tree);
            evidence.merge(&move_alone.evidence(at));
        });
        evidence
    }

    fn none(self) -> Played {
        Played { observed: Vec::new(), sample: Sample::new(self.player.strategy) }
    }

    fn game(self, record: u32) -> Played {
        let mut played = self.none();
        self.play_one(record, |observed, tree| {
            played.sample.push(&observed, tree);
            played.observed.push(observed);
        });
        played
    }

    fn play_one(self, record: u32, mut each: impl FnMut(Observed<Game>, Tree)) {
        let Self { player, plies, .. } = self;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(self.first + u64::from(record));
        play_seen(&Game::start(), &player, &player, plies, &mut rng, |game, m, tree| {
            each(Observed { game: game.clone(), m: *m, record }, tree);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{
        ONE_PLY, Strategy,
        inference::{Settings, infer},
    };

    #[test]
    fn games_weighed_one_by_one_say_what_they_say_together() {
        let player = AttributeModel::new(ONE_PLY, Strategy::Min1Max1);
        let games = Games { player, seed: 3, first: 0, count: 12, plies: 60 };
        let settings = Settings { free: [true, true, false, false, true], ..Settings::default() };
        let all = infer(&games.play(|| ()).sample, &settings);
        let first = infer(&Games { count: 3, ..games }.play(|| ()).sample, &settings);
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("games.jsonl");
        let fit = || super::super::many::fit(games, &first, &settings, Some(&kept)).unwrap();
        let many = fit();
        assert_eq!(many.moves, all.moves);
        for i in 0..2 {
            let (one, wanted) = (many.weights.to_array()[i], all.weights.to_array()[i]);
            assert!((one - wanted).abs() < all.standard_errors.to_array()[i], "{one} {wanted}");
        }
        // what is kept is all that is needed
        let lines = std::fs::read_to_string(&kept).unwrap();
        assert!(lines.lines().count() >= 12);
        assert_eq!(fit(), many);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), lines);
    }

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
