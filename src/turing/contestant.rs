//! Who plays the games that are to be told from people's.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;

use crate::{
    game::{Game, Side},
    model::{Effort, Model},
    turing::EngineError,
};

/// Ratings are told apart in steps of so many points.
const STEP: u16 = 50;

/// One who plays both sides of a game.
pub trait Contestant<G: Game> {
    /// Gets ready for another game, in which the sides have these ratings.
    ///
    /// # Errors
    /// When an engine does not answer.
    fn begin(&mut self, first: u16, second: u16) -> Result<(), EngineError>;

    /// The move of the side to move; `None` where it has none.
    ///
    /// # Errors
    /// When an engine does not answer, or not with a legal move.
    fn choose(&mut self, game: &G, rng: &mut ChaCha8Rng) -> Result<Option<G::Move>, EngineError>;
}

/// A model of people as a contestant: moves are drawn as often as it finds them likely.
pub struct Modelled<G: Game, F> {
    of_rating: F,
    models: BTreeMap<u16, Box<dyn Model<G>>>,
    ratings: [u16; 2],
}

impl<G: Game, F: FnMut(u16) -> Box<dyn Model<G>>> Modelled<G, F> {
    /// The people that `of_rating` makes.
    pub fn new(of_rating: F) -> Self {
        Self { of_rating, models: BTreeMap::new(), ratings: [0; 2] }
    }
}

impl<G: Game, F: FnMut(u16) -> Box<dyn Model<G>>> Contestant<G> for Modelled<G, F> {
    fn begin(&mut self, first: u16, second: u16) -> Result<(), EngineError> {
        self.ratings = [first, second].map(|rating| (rating + STEP / 2) / STEP * STEP);
        Ok(())
    }

    fn choose(&mut self, game: &G, rng: &mut ChaCha8Rng) -> Result<Option<G::Move>, EngineError> {
        let Self { of_rating, models, ratings } = self;
        let rating = ratings[usize::from(game.side_to_move() == Side::Second)];
        let model = models.entry(rating).or_insert_with(|| of_rating(rating));
        let prediction = model.predict(game, Effort::default(), &|| false, &mut |_| {});
        Ok(prediction.draw(rng).map(|candidate| candidate.m.clone()))
    }
}

/// The moves of a game from `start`, which ends by the rules or after so many plies.
///
/// # Errors
/// When the contestant does not play.
pub fn play<G: Game>(
    contestant: &mut dyn Contestant<G>,
    start: &G,
    ratings: [u16; 2],
    most_plies: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<G::Move>, EngineError> {
    contestant.begin(ratings[0], ratings[1])?;
    let mut game = start.clone();
    let mut moves = Vec::new();
    while moves.len() < most_plies && game.outcome().is_none() {
        let Some(m) = contestant.choose(&game, rng)? else {
            break;
        };
        game.play(&m);
        moves.push(m);
    }
    Ok(moves)
}
