//! A model of a person with what that person knows by heart.

use std::sync::Arc;

use super::{Book, Indexed};
use crate::model::{Effort, Model, Prediction};

/// A person of some rating who plays as a model does, but for what the book knows better.
pub struct Booked<G: Indexed> {
    book: Arc<Book>,
    rating: u16,
    model: Box<dyn Model<G>>,
}

impl<G: Indexed> Booked<G> {
    /// The person of a model, with a book.
    pub fn new(book: Arc<Book>, rating: u16, model: Box<dyn Model<G>>) -> Self {
        Self { book, rating, model }
    }
}

impl<G: Indexed> Model<G> for Booked<G> {
    fn predict(
        &mut self,
        game: &G,
        effort: Effort,
        interrupted: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(&Prediction<G::Move>),
    ) -> Prediction<G::Move> {
        let Self { book, rating, model } = self;
        let mix = |prediction| book.mixed(game, *rating, prediction);
        let shallow = &mut |shallow: &Prediction<G::Move>| progress(&mix(shallow.clone()));
        mix(model.predict(game, effort, interrupted, shallow))
    }
}
