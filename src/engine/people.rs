//! Who plays with the settings at hand: the person in a file, or one of those that ship.

use std::sync::Arc;

use super::{
    nets::Nets,
    settings::{ModelKind, Settings},
};
use crate::{
    attributes::{
        AttributeModel, PEOPLES_STRATEGY, WeightsFile,
        full::{Beheld, FullModel, Network},
        of_rating,
    },
    chess,
    model::Model,
    xiangqi,
};

/// The rating of the strongest people known, in chess.
const STRONGEST_AT_CHESS: u16 = 2200;
/// The rating of the strongest people known, in xiangqi.
const STRONGEST_AT_XIANGQI: u16 = 1700;

/// Who plays chess. Weights of a file, and a strategy, are for the look-ahead, which then plays
/// whatever the model is.
pub fn chess_player(
    file: Option<&WeightsFile>,
    settings: &Settings,
) -> Box<dyn Model<chess::Game>> {
    let rating = settings.rating().unwrap_or(STRONGEST_AT_CHESS);
    let is_look_ahead = file.is_some() || settings.strategy.is_some();
    if settings.model == ModelKind::Errare && !is_look_ahead {
        use chess::full::shipped::{CARD, PARAMETERS};
        return full(CARD, PARAMETERS, rating);
    }
    let (weights, strategy) = match file {
        Some(file) => (file.weights, file.strategy),
        None => (of_rating(rating.into()), PEOPLES_STRATEGY),
    };
    Box::new(AttributeModel::new(weights, settings.strategy.unwrap_or(strategy)))
}

/// Who plays xiangqi. Nets of a file are for the memory, which then plays whatever the model is.
pub fn xiangqi_player(nets: &Nets, settings: &Settings) -> Box<dyn Model<xiangqi::Game>> {
    let rating = settings.rating();
    if settings.model == ModelKind::Errare && nets.ship() {
        use xiangqi::full::shipped::{CARD, PARAMETERS};
        return full(CARD, PARAMETERS, rating.unwrap_or(STRONGEST_AT_XIANGQI));
    }
    Box::new(nets.person(rating))
}

/// The person of a network that ships.
fn full<G: Beheld>(card: &str, parameters: &[u8], rating: u16) -> Box<dyn Model<G>>
where
    FullModel<G>: Model<G>,
{
    let network = Network::load::<G>(card, parameters);
    let (_, network) = network.expect("a test reads every network that ships");
    Box::new(FullModel::new(Arc::new(network), rating))
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
            assert_eq!(predict(xiangqi_player(&nets, &settings)).candidates().len(), 44);
        }
    }

    #[test]
    fn ratings_play_differently() {
        let of = |rating| predict(chess_player(None, &Settings::at_rating(rating)));
        assert_ne!(of(Some(1000)), of(Some(2000)));
        assert_eq!(of(None), of(Some(STRONGEST_AT_CHESS)));
    }

    #[test]
    fn a_strategy_makes_the_look_ahead_play() {
        let strategy = Some(PEOPLES_STRATEGY);
        let chosen = Settings { strategy, ..Settings::default() };
        let named = Settings { model: ModelKind::Lookahead, ..Settings::default() };
        assert_eq!(predict(chess_player(None, &chosen)), predict(chess_player(None, &named)));
    }
}
