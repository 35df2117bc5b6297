//! The dispatcher: two games, the person who plays each, and which of them is asked.

mod move_stats;
mod options;
mod settings;
mod setup;
mod shipped;
mod table;
#[cfg(test)]
mod tests;

pub use options::OPTIONS;
pub use settings::{ParseVariantError, Settings, Variant};
pub use setup::SetupError;
pub use shipped::{chess_model, xiangqi_model};

use std::{error::Error, path::Path};

use table::Table;

use crate::{
    attributes::WeightsFile,
    chess::{self, Castling},
    game::{Game, Side},
    player::{Answer, Convention, Info, OptionError, OptionSpec, Player, Search, Setup, Stop},
    xiangqi::{self, notation::iccs::Ranks},
};

/// Plays both games, each as the model that suits it plays it.
pub struct Engine {
    settings: Settings,
    convention: Convention,
    weights: Option<WeightsFile>,
    chess: Table<chess::Game>,
    xiangqi: Table<xiangqi::Game>,
    playing: Variant,
}

impl Engine {
    /// An engine with the nets and weights that ship, in the start position of chess.
    pub fn new() -> Self {
        let settings = Settings::default();
        let weights = None;
        Self {
            chess: Table {
                game: chess::Game::start(),
                model: shipped::chess_model(weights.as_ref(), &settings),
                spelling: Castling::Standard,
            },
            xiangqi: Table {
                game: xiangqi::Game::start(),
                model: shipped::xiangqi_model(),
                spelling: Ranks::FromZero,
            },
            settings,
            convention: Convention::Uci,
            weights,
            playing: Variant::Chess,
        }
    }

    /// The game whose start position is meant where no FEN is given.
    fn variant_at_start(&self, convention: Convention) -> Variant {
        match convention {
            Convention::Ucci | Convention::UciCyclone => Variant::Xiangqi,
            Convention::Uci => self.settings.variant.unwrap_or(Variant::Chess),
        }
    }

    /// Whether the game was chosen by `UCI_Variant`, which makes ranks count from one.
    fn chosen_by_variant(&self, convention: Convention) -> bool {
        convention == Convention::Uci && self.settings.variant == Some(Variant::Xiangqi)
    }

    fn seat_chess(&mut self) {
        self.chess.model = shipped::chess_model(self.weights.as_ref(), &self.settings);
    }

    fn seat_xiangqi(&mut self) {
        self.xiangqi.model = shipped::xiangqi_model();
    }

    /// Starts the game that is meant where no position was set up yet.
    fn start(&mut self, convention: Convention) {
        self.chess.game = chess::Game::start();
        self.xiangqi.game = xiangqi::Game::start();
        self.playing = self.variant_at_start(convention);
        self.xiangqi.spelling = self.ranks(convention, None);
    }

    /// How ranks of the xiangqi board are written: as set, as seen, or as the convention has it.
    fn ranks(&self, convention: Convention, seen: Option<Ranks>) -> Ranks {
        let usual =
            if self.chosen_by_variant(convention) { Ranks::FromOne } else { Ranks::FromZero };
        self.settings.ranks.or(seen).unwrap_or(usual)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Player for Engine {
    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
    }

    fn greet(&mut self, convention: Convention) {
        self.convention = convention;
        self.start(convention);
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let option = OptionSpec::find(OPTIONS, name)
            .ok_or_else(|| OptionError::Unknown { name: name.to_owned() })?;
        let value = option.check(value)?;
        match option.name {
            "WeightsFile" => {
                self.weights = file(&value, WeightsFile::read).map_err(unusable(option, &value))?;
                self.seat_chess();
            }
            "NetsPath" if !value.is_empty() => {
                return Err(unusable(option, &value)(std::io::Error::from(
                    std::io::ErrorKind::NotFound,
                )));
            }
            "NetsPath" => {}
            name => {
                let variant = self.settings.variant;
                self.settings.set(option, &value)?;
                match name {
                    "UCI_Variant" if self.settings.variant != variant => {
                        self.start(self.convention);
                    }
                    "Strategy" => self.seat_chess(),
                    "UCI_Elo" | "UCI_LimitStrength" => {
                        self.seat_chess();
                        self.seat_xiangqi();
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.start(self.convention);
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), Box<dyn Error + Send + Sync>> {
        let variant = setup
            .fen
            .as_deref()
            .and_then(Variant::of_fen)
            .unwrap_or(self.variant_at_start(setup.convention));
        match variant {
            Variant::Chess => {
                self.chess.game = setup::chess(setup)?;
                self.chess.spelling =
                    if self.settings.chess960 { Castling::Chess960 } else { Castling::Standard };
            }
            Variant::Xiangqi => {
                let start = setup::xiangqi_start(setup)?;
                let words: Vec<_> = setup.moves.iter().map(String::as_str).collect();
                let seen = start.detect_ranks(&words);
                let ranks = self.ranks(setup.convention, seen);
                self.xiangqi.game = setup::xiangqi(start, setup, ranks, &self.xiangqi.game)?;
                self.xiangqi.spelling = ranks;
            }
        }
        self.playing = variant;
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        match self.playing {
            Variant::Chess => self.chess.game.side_to_move(),
            Variant::Xiangqi => self.xiangqi.game.side_to_move(),
        }
    }

    fn choose(&mut self, search: &Search, stop: &Stop, say: &mut dyn FnMut(Info)) -> Answer {
        match self.playing {
            Variant::Chess => self.chess.choose(search, &self.settings, stop, say),
            Variant::Xiangqi => self.xiangqi.choose(search, &self.settings, stop, say),
        }
    }
}

/// What `load` reads from the file called `value`; nothing where no file is named.
fn file<T, E>(value: &str, load: impl FnOnce(&Path) -> Result<T, E>) -> Result<Option<T>, E> {
    if value.is_empty() { Ok(None) } else { load(Path::new(value)).map(Some) }
}

fn unusable<E: Error + Send + Sync + 'static>(
    option: &OptionSpec,
    value: &str,
) -> impl FnOnce(E) -> OptionError {
    let (name, got) = (option.name, value.to_owned());
    move |source| OptionError::Unusable { name, got, source: Box::new(source) }
}
