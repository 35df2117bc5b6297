//! The values that the options have.

use std::str::FromStr;

use thiserror::Error;

use super::options::{MODELS, OPTIONS, VARIANTS};
use crate::{
    attributes::Strategy,
    player::{OptionError, OptionSpec, abridged},
    xiangqi::notation::iccs::Ranks,
};

/// One of the two games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Chess.
    Chess,
    /// Xiangqi.
    Xiangqi,
}

impl Variant {
    /// The game that a FEN belongs to, by its number of ranks; `None` where it has neither game's.
    pub fn of_fen(fen: &str) -> Option<Self> {
        match fen.split_whitespace().next()?.split('/').count() {
            8 => Some(Self::Chess),
            10 => Some(Self::Xiangqi),
            _ => None,
        }
    }
}

/// The text names neither game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted one of {}", VARIANTS.join(", "))]
pub struct ParseVariantError {
    got: String,
}

impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, ParseVariantError> {
        match text {
            "chess" => Ok(Self::Chess),
            "xiangqi" => Ok(Self::Xiangqi),
            _ => Err(ParseVariantError { got: abridged(text) }),
        }
    }
}

/// Which model of a person plays.
///
/// The two published ones have each a game of their own; told to play the other, each leaves it
/// to the one that knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// All that is known of people together: memory, sight and look-ahead.
    Errare,
    /// The weighted look-ahead; the memory in xiangqi.
    Lookahead,
    /// The memory of moves; the look-ahead in chess.
    Memory,
}

/// The text names no model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got `{got}`, wanted one of {}", MODELS.join(", "))]
pub struct ParseModelKindError {
    got: String,
}

impl FromStr for ModelKind {
    type Err = ParseModelKindError;

    fn from_str(text: &str) -> Result<Self, ParseModelKindError> {
        match text {
            "errare" => Ok(Self::Errare),
            "lookahead" => Ok(Self::Lookahead),
            "memory" => Ok(Self::Memory),
            _ => Err(ParseModelKindError { got: abridged(text) }),
        }
    }
}

/// The values that the options have, as the table in [`OPTIONS`] describes them.
///
/// What names a file is not kept here: it is read when it is set, and only what was read stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `UCI_Variant`; `None` until it was set.
    pub variant: Option<Variant>,
    /// `UCI_Chess960`.
    pub chess960: bool,
    /// `Model`.
    pub model: ModelKind,
    /// `ChessModel`; `None` where `Model` decides.
    pub chess_model: Option<ModelKind>,
    /// `XiangqiModel`; `None` where `Model` decides.
    pub xiangqi_model: Option<ModelKind>,
    /// `OwnBook`.
    pub own_book: bool,
    /// `UCI_LimitStrength`.
    pub limit_strength: bool,
    /// `UCI_Elo`.
    pub elo: u16,
    /// `MultiPV`.
    pub multi_pv: usize,
    /// `Temperature`.
    pub temperature: f64,
    /// `TopP`.
    pub top_p: f64,
    /// `Seed`.
    pub seed: u64,
    /// `Strategy`; `None` for the one that the weights were inferred with.
    pub strategy: Option<Strategy>,
    /// `VerboseMoveStats`.
    pub verbose_move_stats: bool,
    /// `XiangqiCoords`; `None` where it is to be found out.
    pub ranks: Option<Ranks>,
}

impl Settings {
    /// The settings at the start, but for playing at this rating; `None` for the strongest.
    pub fn at_rating(rating: Option<u16>) -> Self {
        Self::default().with_rating(rating)
    }

    /// The same at this rating; `None` for the strongest.
    #[must_use]
    pub fn with_rating(self, rating: Option<u16>) -> Self {
        Self { limit_strength: rating.is_some(), elo: rating.unwrap_or(self.elo), ..self }
    }

    /// The rating to play at; `None` for the strongest people known.
    pub fn rating(&self) -> Option<u16> {
        self.limit_strength.then_some(self.elo)
    }

    /// Who plays a game: its own model, or that of both.
    pub fn model_of(&self, variant: Variant) -> ModelKind {
        let own = match variant {
            Variant::Chess => self.chess_model,
            Variant::Xiangqi => self.xiangqi_model,
        };
        own.unwrap_or(self.model)
    }

    /// Sets one option to a value that [`OptionSpec::check`] has passed.
    ///
    /// # Errors
    /// When the option has no such value; nothing has changed then.
    pub fn set(&mut self, option: &'static OptionSpec, value: &str) -> Result<(), OptionError> {
        let wanted = || OptionError::Value {
            name: option.name,
            got: value.to_owned(),
            wanted: option.kind.to_string(),
        };
        match option.name {
            "UCI_Variant" => self.variant = Some(parse(value).ok_or_else(wanted)?),
            "UCI_Chess960" => self.chess960 = parse(value).ok_or_else(wanted)?,
            "Model" => self.model = parse(value).ok_or_else(wanted)?,
            "ChessModel" => self.chess_model = parse(value),
            "XiangqiModel" => self.xiangqi_model = parse(value),
            "OwnBook" => self.own_book = parse(value).ok_or_else(wanted)?,
            "UCI_LimitStrength" => self.limit_strength = parse(value).ok_or_else(wanted)?,
            "UCI_Elo" => self.elo = parse(value).ok_or_else(wanted)?,
            "MultiPV" => self.multi_pv = parse(value).ok_or_else(wanted)?,
            "Temperature" => self.temperature = parse(value).ok_or_else(wanted)?,
            "TopP" => self.top_p = parse(value).ok_or_else(wanted)?,
            "Seed" => self.seed = parse(value).ok_or_else(wanted)?,
            "Strategy" => self.strategy = parse(value),
            "VerboseMoveStats" => self.verbose_move_stats = parse(value).ok_or_else(wanted)?,
            "XiangqiCoords" => self.ranks = ranks(value),
            _ => return Err(OptionError::Unknown { name: option.name.to_owned() }),
        }
        Ok(())
    }
}

impl Default for Settings {
    /// The values of the table, with the game left open.
    fn default() -> Self {
        let mut settings = Self {
            variant: None,
            chess960: false,
            model: ModelKind::Errare,
            chess_model: None,
            xiangqi_model: None,
            own_book: false,
            limit_strength: false,
            elo: 0,
            multi_pv: 0,
            temperature: 0.0,
            top_p: 0.0,
            seed: 0,
            strategy: None,
            verbose_move_stats: false,
            ranks: None,
        };
        for option in OPTIONS {
            // options that name files are unknown here and have no value to set
            let _ = settings.set(option, &option.default_value());
        }
        settings.variant = None;
        settings
    }
}

fn parse<T: FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

fn ranks(value: &str) -> Option<Ranks> {
    match value {
        "0-9" => Some(Ranks::FromZero),
        "1-10" => Some(Ranks::FromOne),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_table() {
        let settings = Settings::default();
        assert_eq!((settings.multi_pv, settings.elo), (1, 1500));
        assert_eq!((settings.temperature, settings.top_p), (1.0, 1.0));
        assert_eq!((settings.strategy, settings.ranks), (None, None));
        assert_eq!((settings.chess_model, settings.xiangqi_model), (None, None));
        assert!(settings.own_book);
        assert_eq!(settings.rating(), None);
    }

    #[test]
    fn every_value_that_an_option_takes_can_be_set() {
        use crate::player::OptionKind;
        for option in OPTIONS.iter().filter(|option| option.kind != OptionKind::Text) {
            let values = match option.kind {
                OptionKind::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
                OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionKind::Decimal { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionKind::Combo { values, .. } => {
                    values.iter().map(|value| (*value).to_owned()).collect()
                }
                OptionKind::Text => Vec::new(),
            };
            for value in values {
                let checked = option.check(&value).unwrap();
                Settings::default().set(option, &checked).unwrap();
            }
        }
    }

    #[test]
    fn every_strategy_of_the_table_is_one() {
        use crate::engine::options::STRATEGIES;
        for word in &STRATEGIES[1..] {
            assert_eq!(word.parse::<Strategy>().unwrap().to_string(), *word);
        }
        assert_eq!(STRATEGIES.len(), Strategy::ALL.len() + 1);
    }
}
