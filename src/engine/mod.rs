//! The dispatcher: two games, the person who plays each, and which of them is asked.

mod move_stats;
mod nets;
mod options;
mod people;
mod person;
mod settings;
mod setup;
mod shipped;
mod table;
#[cfg(test)]
mod tests;

pub use nets::{Nets, NetsError, shipped_cards};
pub use options::OPTIONS;
pub use people::{chess_player, xiangqi_player};
pub use person::{OfNetwork, Person, PersonError};
pub use settings::{ModelKind, ParseModelKindError, ParseVariantError, Settings, Variant};
pub use setup::SetupError;
pub use shipped::{chess_book, chess_network, shipped_books, xiangqi_book, xiangqi_network};

use std::{error::Error, path::Path};

use table::Table;

use crate::{
    chess::{self, Castling},
    game::{Game, Side},
    player::{
        Answer, Convention, Info, OptionError, OptionSpec, Player, Search, Setup, Stop, abridged,
    },
    xiangqi::{self, notation::iccs::Ranks},
};

/// Plays both games, each as the model that suits it plays it.
pub struct Engine {
    settings: Settings,
    convention: Convention,
    person: Option<Person>,
    nets: Nets,
    chess: Table<chess::Game>,
    xiangqi: Table<xiangqi::Game>,
    playing: Variant,
}

impl Engine {
    /// An engine with the nets and weights that ship, in the start position of chess.
    pub fn new() -> Self {
        Self {
            settings: Settings::default(),
            convention: Convention::Uci,
            person: None,
            nets: Nets::default(),
            chess: Table::new(Castling::Standard),
            xiangqi: Table::new(Ranks::FromZero),
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

    /// Seats whoever plays the current game, unless they sit there already: when a game or a
    /// position begins, so that a program that starts waits for no net, and no clock does.
    fn seat(&mut self) {
        match self.playing {
            Variant::Chess => {
                let player = || people::chess_player(self.person.as_ref(), &self.settings);
                self.chess.player.get_or_insert_with(player);
            }
            Variant::Xiangqi => {
                let player =
                    || people::xiangqi_player(self.person.as_ref(), &self.nets, &self.settings);
                self.xiangqi.player.get_or_insert_with(player);
            }
        }
    }

    /// Has others play from now on, after what decides who plays has changed.
    fn unseat(&mut self) {
        self.chess.player = None;
        self.xiangqi.player = None;
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
                self.person = file(&value, Person::read).map_err(unusable(option, &value))?;
                self.unseat();
            }
            "NetsPath" => {
                let nets = file(&value, Nets::load).map_err(unusable(option, &value))?;
                self.nets = nets.unwrap_or_default();
                self.unseat();
            }
            name => {
                let variant = self.settings.variant;
                self.settings.set(option, &value)?;
                match name {
                    "UCI_Variant" if self.settings.variant != variant => {
                        self.start(self.convention);
                    }
                    "Model" | "ChessModel" | "XiangqiModel" | "Strategy" | "OwnBook"
                    | "UCI_Elo" | "UCI_LimitStrength" => self.unseat(),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.start(self.convention);
        self.seat();
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
        self.seat();
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        match self.playing {
            Variant::Chess => self.chess.game.side_to_move(),
            Variant::Xiangqi => self.xiangqi.game.side_to_move(),
        }
    }

    fn choose(&mut self, search: &Search, stop: &Stop, say: &mut dyn FnMut(Info)) -> Answer {
        self.seat();
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
    // the reason names the file in full, and must not be cut off behind a long name
    let (name, got) = (option.name, abridged(value));
    move |source| OptionError::Unusable { name, got, source: Box::new(source) }
}
