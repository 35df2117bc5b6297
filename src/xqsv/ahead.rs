//! What a network with look-ahead is told of the legal moves: the attributes that a person sees in
//! each of them.
//!
//! They are the full set of xiangqi, up to what is worth taking after the move. Nothing of them is
//! kept with the games: a game is played again up to a move, and looked at with all that was
//! played before, as it is when the network plays.

use std::{ops::Range, sync::Arc, sync::LazyLock};

use rayon::prelude::*;

use super::{Bags, Dataset, ReplayError, Sample};
use crate::{
    attributes::full::{Beheld, Catalog, Eye, View, catalog_hash, places_in_mirror},
    game::Game as _,
    xiangqi::{Game, Move},
};

/// How many values the attributes of a move have in all; each is a row of a network's tables.
pub fn attribute_values() -> usize {
    static VALUES: LazyLock<usize> = LazyLock::new(|| Catalog::of_game::<Game>().values());
    *VALUES
}

/// The SHA-256 of the attributes' names, families and numbers of values: a network with look-ahead
/// is of use only with those on which it was trained.
pub fn attributes_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(catalog_hash::<Game>);
    &HASH
}

/// The attributes of all legal moves of several positions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ahead {
    /// Where the moves of each position end.
    ends: Vec<u32>,
    /// A bag for each move.
    moves: Arc<Bags>,
}

impl Ahead {
    /// Adds a position with a bag for each of its legal moves.
    pub fn push(&mut self, moves: &Bags) {
        Arc::make_mut(&mut self.moves).extend(moves);
        self.ends.push(self.moves.len() as u32);
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.ends.len()
    }

    /// The moves of all positions.
    pub(super) fn moves(&self) -> &Arc<Bags> {
        &self.moves
    }

    /// Which of them are those of a position.
    pub(super) fn of_position(&self, position: usize) -> Range<usize> {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[position] as usize
    }
}

/// One who looks at the legal moves of games. What is seen depends on the game alone.
#[derive(Debug)]
pub struct Looker {
    eye: Eye<Game>,
    view: View<Move>,
}

impl Default for Looker {
    fn default() -> Self {
        Self { eye: Eye::new(Game::REACH), view: View::default() }
    }
}

/// There is nothing to copy but buffers.
impl Clone for Looker {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Looker {
    /// The numbers of the attributes' values of each legal move, in the order of the game's moves.
    ///
    /// ```
    /// use errare::{game::Game as _, xiangqi::Game, xqsv::Looker};
    ///
    /// let moves = Looker::default().look(&Game::start());
    /// assert_eq!(moves.len(), 44);
    /// assert!(!moves.members(0).is_empty());
    /// ```
    pub fn look(&mut self, game: &Game) -> Bags {
        let Self { eye, view } = self;
        eye.look(game, view);
        let mut moves = Bags::default();
        (0..view.moves.len()).for_each(|place| moves.push(view.numbers(place).iter().copied()));
        moves
    }

    /// The same of the game in the mirror, still in the order of the game's own moves.
    pub fn look_in_mirror(&mut self, game: &Game) -> Bags {
        let Self { eye, view } = self;
        eye.look(&game.mirrored(), view);
        let mut moves = Bags::default();
        for place in places_in_mirror::<Game>(&game.legal_moves(), &view.moves) {
            let place = place.expect("what is legal in a position is so in its mirror");
            moves.push(view.numbers(place).iter().copied());
        }
        moves
    }
}

/// Moves of one game whose positions are to be looked at.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    /// The moves, in their order.
    pub samples: Vec<Sample>,
    /// Whether they are looked at in the mirror.
    pub is_mirrored: bool,
}

impl Stretch {
    /// Samples game by game, in the mirror or not.
    pub fn all_of(samples: &[Sample], is_mirrored: bool) -> Vec<Self> {
        let games = samples.chunk_by(|one, other| one.game == other.game && one.ply < other.ply);
        games.map(|samples| Self { samples: samples.to_vec(), is_mirrored }).collect()
    }

    fn look(&self, looker: &mut Looker, dataset: &Dataset) -> Result<Vec<Bags>, ReplayError> {
        let Some(first) = self.samples.first() else { return Ok(Vec::new()) };
        let mut replay = dataset.replay(first.game);
        let look = |sample: &Sample| {
            let game = replay.at(sample.ply)?;
            Ok(if self.is_mirrored { looker.look_in_mirror(game) } else { looker.look(game) })
        };
        self.samples.iter().map(look).collect()
    }
}

/// The attributes of the legal moves before each move of some stretches, on all of rayon's threads.
///
/// # Errors
/// When the dataset's moves cannot be played again.
pub(super) fn look_at(
    dataset: &Dataset,
    stretches: &[Stretch],
) -> Result<Vec<Vec<Bags>>, ReplayError> {
    let look = |looker: &mut Looker, stretch: &Stretch| stretch.look(looker, dataset);
    stretches.par_iter().map_init(Looker::default, look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        xiangqi::{
            Position,
            records::{Header, Record},
        },
        xqsv::{Keep, Selection},
    };

    const MOVES: [&str; 9] =
        ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "c6c5", "h0h6", "b9c7", "h6g6"];

    fn sorted(bags: &Bags) -> Vec<Vec<u16>> {
        let mut all: Vec<_> = (0..bags.len()).map(|bag| bags.members(bag).to_vec()).collect();
        all.sort();
        all
    }

    #[test]
    fn every_value_is_below_their_number_and_moves_differ() {
        let mut game = Game::start();
        let mut looker = Looker::default();
        for m in MOVES {
            let moves = looker.look(&game);
            assert_eq!(moves.len(), game.legal_moves().len());
            assert!(usize::from(moves.largest().unwrap()) < attribute_values());
            assert_ne!(moves.members(0), moves.members(1));
            game.play(&m.parse().unwrap());
        }
    }

    #[test]
    fn in_the_mirror_moves_have_the_attributes_that_they_have_there() {
        let mut game = Game::start();
        MOVES.iter().for_each(|m| game.play(&m.parse().unwrap()));
        let mut looker = Looker::default();
        let there = looker.look_in_mirror(&game);
        assert_eq!(sorted(&there), sorted(&looker.look(&game.mirrored())));
        // each move has those of its own mirror
        let mirrored = game.mirrored();
        let moves = game.legal_moves();
        let direct = looker.look(&mirrored);
        let places = mirrored.legal_moves();
        for (place, m) in moves.iter().enumerate() {
            let other = places.iter().position(|&other| other == m.mirrored()).unwrap();
            assert_eq!(there.members(place), direct.members(other), "{m}");
        }
    }

    #[test]
    fn what_is_seen_in_a_dataset_is_what_is_seen_in_the_game() {
        let moves = MOVES.iter().map(|m| m.parse().unwrap()).collect();
        let record = Record::new(Header::default(), Position::default(), moves).unwrap();
        let mut dataset = Dataset::new(Keep::LEGAL);
        dataset.push(&record);
        let samples = dataset.select(&Selection::default());
        let seen = look_at(&dataset, &Stretch::all_of(&samples, false)).unwrap();
        let mut game = Game::start();
        let mut looker = Looker::default();
        for (seen, m) in seen[0].iter().zip(MOVES) {
            assert_eq!(*seen, looker.look(&game));
            game.play(&m.parse().unwrap());
        }
    }
}
