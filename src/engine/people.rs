//! Who plays with the settings at hand: the person in a file, or one of those that ship.

use std::sync::Arc;

use super::{
    nets::Nets,
    person::{OfNetwork, Person},
    settings::{ModelKind, Settings, Variant},
    shipped,
};
use crate::{
    attributes::{
        AttributeModel, PEOPLES_STRATEGY,
        full::{Beheld, FullModel},
        of_rating,
    },
    book::{Book, Booked, Indexed},
    chess,
    model::Model,
    xiangqi,
};

/// The rating of the strongest people known, in chess.
const STRONGEST_AT_CHESS: u16 = 2200;
/// The rating of the strongest people known, in xiangqi.
const STRONGEST_AT_XIANGQI: u16 = 1700;

/// Who plays chess. The person of a file plays whatever the model is; so does the look-ahead where
/// there is a strategy.
pub fn chess_player(file: Option<&Person>, settings: &Settings) -> Box<dyn Model<chess::Game>> {
    let rating = settings.rating().unwrap_or(STRONGEST_AT_CHESS);
    if let Some(Person::Chess(person)) = file {
        return seated(person, shipped::chess_book, settings, rating);
    }
    let weights = match file {
        Some(Person::LookAhead(weights)) => Some(weights),
        _ => None,
    };
    let is_look_ahead = weights.is_some() || settings.strategy.is_some();
    if settings.model_of(Variant::Chess) == ModelKind::Errare && !is_look_ahead {
        let person = FullModel::new(shipped::chess_network(), rating);
        return by_heart(shipped::chess_book, settings, rating, Box::new(person));
    }
    let (weights, strategy) = match weights {
        Some(file) => (file.weights, file.strategy),
        None => (of_rating(rating.into()), PEOPLES_STRATEGY),
    };
    Box::new(AttributeModel::new(weights, settings.strategy.unwrap_or(strategy)))
}

/// Who plays xiangqi. The person of a file plays whatever the model is, and so does the memory
/// where there are nets for it.
pub fn xiangqi_player(
    file: Option<&Person>,
    nets: &Nets,
    settings: &Settings,
) -> Box<dyn Model<xiangqi::Game>> {
    let rating = settings.rating();
    if let Some(Person::Xiangqi(person)) = file {
        let rating = rating.unwrap_or(STRONGEST_AT_XIANGQI);
        return seated(person, shipped::xiangqi_book, settings, rating);
    }
    if settings.model_of(Variant::Xiangqi) == ModelKind::Errare && nets.ship() {
        let rating = rating.unwrap_or(STRONGEST_AT_XIANGQI);
        let person = FullModel::new(shipped::xiangqi_network(), rating);
        return by_heart(shipped::xiangqi_book, settings, rating, Box::new(person));
    }
    Box::new(nets.person(rating))
}

/// The person of a file with the book of the game and the person's own, unless they are to be left
/// out.
fn seated<G: Beheld + Indexed>(
    person: &OfNetwork,
    book: fn() -> Arc<Book>,
    settings: &Settings,
    rating: u16,
) -> Box<dyn Model<G>> {
    let model = by_heart(book, settings, rating, Box::new(person.model(rating)));
    match person.book().filter(|_| settings.own_book) {
        Some(own) => Box::new(Booked::new(own.clone(), rating, model)),
        None => model,
    }
}

/// A person with the book of the game, unless that is to be left out.
fn by_heart<G: Indexed>(
    book: fn() -> Arc<Book>,
    settings: &Settings,
    rating: u16,
    person: Box<dyn Model<G>>,
) -> Box<dyn Model<G>> {
    match settings.own_book {
        true => Box::new(Booked::new(book(), rating, person)),
        false => person,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Game,
        model::{Effort, Prediction},
    };

    fn predict<G: Game>(mut player: Box<dyn Model<G>>) -> Prediction<G::Move> {
        player.predict(&G::start(), Effort::default(), &|| false, &mut |_| {})
    }

    #[test]
    fn every_model_plays_both_games() {
        for model in [ModelKind::Errare, ModelKind::Lookahead, ModelKind::Memory] {
            let settings = Settings { model, ..Settings::default() };
            assert_eq!(predict(chess_player(None, &settings)).candidates().len(), 20);
            let nets = Nets::default();
            assert_eq!(predict(xiangqi_player(None, &nets, &settings)).candidates().len(), 44);
        }
    }

    #[test]
    fn ratings_play_differently() {
        let of = |rating| predict(chess_player(None, &Settings::at_rating(rating)));
        assert_ne!(of(Some(1000)), of(Some(2000)));
        assert_eq!(of(None), of(Some(STRONGEST_AT_CHESS)));
    }

    #[test]
    fn a_person_with_a_book_plays_otherwise_near_the_start() {
        let with = |own_book| {
            let settings = Settings { own_book, ..Settings::default() };
            let chess = predict(chess_player(None, &settings));
            (chess, predict(xiangqi_player(None, &Nets::default(), &settings)))
        };
        let ((chess, xiangqi), (chess_without, xiangqi_without)) = (with(true), with(false));
        assert_ne!(chess, chess_without);
        assert_ne!(xiangqi, xiangqi_without);
    }

    #[test]
    fn a_game_may_have_a_model_of_its_own() {
        let of = |model, chess_model, xiangqi_model| {
            let settings = Settings { model, chess_model, xiangqi_model, ..Settings::default() };
            let chess = predict(chess_player(None, &settings));
            (chess, predict(xiangqi_player(None, &Nets::default(), &settings)))
        };
        let (errare, lookahead) = (ModelKind::Errare, ModelKind::Lookahead);
        let (both, neither) = (of(errare, None, None), of(lookahead, None, None));
        assert!(both.0 != neither.0 && both.1 != neither.1);
        let mixed = of(errare, Some(lookahead), None);
        assert!(mixed.0 == neither.0 && mixed.1 == both.1);
        let mixed = of(lookahead, None, Some(errare));
        assert!(mixed.0 == neither.0 && mixed.1 == both.1);
    }

    #[test]
    fn a_strategy_makes_the_look_ahead_play() {
        let strategy = Some(PEOPLES_STRATEGY);
        let chosen = Settings { strategy, ..Settings::default() };
        let named = Settings { model: ModelKind::Lookahead, ..Settings::default() };
        assert_eq!(predict(chess_player(None, &chosen)), predict(chess_player(None, &named)));
    }
}
