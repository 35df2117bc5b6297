//! Who plays with the settings at hand: the person in a file, or one of those that ship.

use super::{nets::Nets, settings::Settings};
use crate::{
    attributes::{AttributeModel, PEOPLES_STRATEGY, WeightsFile, of_rating},
    chess,
    model::Model,
    xiangqi,
};

/// The rating of the strongest people known.
const STRONGEST: u16 = 2200;

/// Who plays chess.
pub fn chess_player(
    file: Option<&WeightsFile>,
    settings: &Settings,
) -> Box<dyn Model<chess::Game>> {
    let (weights, strategy) = match file {
        Some(file) => (file.weights, file.strategy),
        None => (of_rating(settings.rating().unwrap_or(STRONGEST).into()), PEOPLES_STRATEGY),
    };
    Box::new(AttributeModel::new(weights, settings.strategy.unwrap_or(strategy)))
}

/// Who plays xiangqi.
pub fn xiangqi_player(nets: &Nets, settings: &Settings) -> Box<dyn Model<xiangqi::Game>> {
    Box::new(nets.person(settings.rating()))
}
