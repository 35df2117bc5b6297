//! The structural variables of a network, their candidate values and their text form.
//!
//! After Table I of the XQSV paper. Which of the candidates are the defaults cannot be read in our
//! copy of it: ours are the values that most of Table II's best structures share.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The shape of one network: a value for each structural variable.
///
/// Any value in range makes a network; the [`candidates`](Self::candidates) are those among which
/// the paper searches. The text form is `m=10 RNN=GRU RDP=0.1 …`, abbreviations as in the paper's
/// Table I; a text may leave variables out, which then have their defaults.
///
/// ```
/// use errare::xqsv::Structure;
///
/// let structure: Structure = "m=20 RHD=256".parse()?;
/// assert_eq!(structure, Structure { memory: 20, hidden: 256, ..Structure::default() });
/// assert_eq!(structure.to_string().parse::<Structure>()?, structure);
/// # Ok::<(), errare::xqsv::StructureError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Structure {
    /// How many of the last moves are seen.
    pub memory: usize,
    /// The recurrent layer.
    pub recurrence: Recurrence,
    /// How likely an input of the recurrent layer is dropped in training; the same inputs are
    /// dropped at all steps of a sample.
    pub input_dropout: f64,
    /// The size of the recurrent layer's memory and of each hidden fully connected layer.
    pub hidden: usize,
    /// The recurrent layer's activation, in place of tanh; its gates are always sigmoid.
    pub activation: Activation,
    /// Whether the recurrent layer's last memory is normalized over the batch.
    pub batch_norm: bool,
    /// How likely a unit is dropped in training, after the normalization.
    pub dropout: f64,
    /// How many hidden fully connected layers stand before the output.
    pub fc_layers: usize,
    /// The factor of the sum of squared kernels of those layers that is added to the loss.
    pub fc_regularization: f64,
    /// The activation of those layers.
    pub fc_activation: Activation,
    /// Whether the board is seen as well. Not a variable of the paper.
    pub sight: bool,
    /// Whether the players' ratings are known. Not a variable of the paper.
    pub rating: bool,
    /// Whether the attributes that a person sees in each legal move are known. Not a variable of
    /// the paper.
    pub ahead: bool,
    /// The size of the hidden layer over these attributes; of no account without them.
    #[serde(skip_serializing_if = "is_default_ahead_hidden")]
    pub ahead_hidden: usize,
    /// How many blocks a residual network has; of no account with any other layer. One of the two
    /// variables that the paper's ablation of its input has.
    #[serde(skip_serializing_if = "is_default_blocks")]
    pub blocks: usize,
    /// How many channels each of its layers has: the other one.
    #[serde(skip_serializing_if = "is_default_channels")]
    pub channels: usize,
}

const AHEAD_HIDDEN: usize = 64;
const BLOCKS: usize = 3;
const CHANNELS: usize = 32;

fn is_default_ahead_hidden(hidden: &usize) -> bool {
    *hidden == AHEAD_HIDDEN
}

fn is_default_blocks(blocks: &usize) -> bool {
    *blocks == BLOCKS
}

fn is_default_channels(channels: &usize) -> bool {
    *channels == CHANNELS
}

impl Default for Structure {
    fn default() -> Self {
        Self {
            memory: 10,
            recurrence: Recurrence::Gru,
            input_dropout: 0.1,
            hidden: 512,
            activation: Activation::Relu,
            batch_norm: true,
            dropout: 0.05,
            fc_layers: 1,
            fc_regularization: 0.002,
            fc_activation: Activation::Softmax,
            sight: false,
            rating: false,
            ahead: false,
            ahead_hidden: AHEAD_HIDDEN,
            blocks: BLOCKS,
            channels: CHANNELS,
        }
    }
}

/// The recurrent layer: its cell and the direction in which the window is read; or what the paper
/// puts in its place to find out what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recurrence {
    /// Long short-term memory, read from the oldest move to the newest.
    Lstm,
    /// Gated recurrent unit, read from the oldest move to the newest.
    Gru,
    /// Long short-term memory, read from the newest move to the oldest.
    BackwardLstm,
    /// Gated recurrent unit, read from the newest move to the oldest.
    BackwardGru,
    /// None: a residual network of convolutions over the board. It sees the board before the move
    /// and remembers nothing. Not among the candidates of Table I.
    ResNet,
}

impl Recurrence {
    /// All that are recurrent, in the order of Table I.
    pub const ALL: [Self; 4] = [Self::Lstm, Self::Gru, Self::BackwardLstm, Self::BackwardGru];

    /// Those, and what stands for none.
    const WITH_NONE: [Self; 5] =
        [Self::Lstm, Self::Gru, Self::BackwardLstm, Self::BackwardGru, Self::ResNet];

    /// Whether the window is read from the newest move to the oldest.
    pub fn is_backward(self) -> bool {
        matches!(self, Self::BackwardLstm | Self::BackwardGru)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Lstm => "LSTM",
            Self::Gru => "GRU",
            Self::BackwardLstm => "backward-LSTM",
            Self::BackwardGru => "backward-GRU",
            Self::ResNet => "ResNet",
        }
    }
}

/// What a layer does to the sums that it has formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The positive part.
    Relu,
    /// The exponentials, scaled to sum to one over the layer.
    Softmax,
    /// Nothing.
    Linear,
    /// The hyperbolic tangent.
    Tanh,
}

impl Activation {
    /// All of them, in the order of Table I.
    pub const ALL: [Self; 4] = [Self::Relu, Self::Softmax, Self::Linear, Self::Tanh];

    fn name(self) -> &'static str {
        match self {
            Self::Relu => "ReLU",
            Self::Softmax => "softmax",
            Self::Linear => "linear",
            Self::Tanh => "tanh",
        }
    }
}

/// A structural variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Variable {
    /// [`Structure::memory`].
    Memory,
    /// [`Structure::recurrence`].
    Recurrence,
    /// [`Structure::input_dropout`].
    InputDropout,
    /// [`Structure::hidden`].
    Hidden,
    /// [`Structure::activation`].
    Activation,
    /// [`Structure::batch_norm`].
    BatchNorm,
    /// [`Structure::dropout`].
    Dropout,
    /// [`Structure::fc_layers`].
    FcLayers,
    /// [`Structure::fc_regularization`].
    FcRegularization,
    /// [`Structure::fc_activation`].
    FcActivation,
    /// [`Structure::sight`].
    Sight,
    /// [`Structure::rating`].
    Rating,
    /// [`Structure::ahead`].
    Ahead,
    /// [`Structure::ahead_hidden`].
    AheadHidden,
    /// [`Structure::blocks`].
    Blocks,
    /// [`Structure::channels`].
    Channels,
}

impl Variable {
    /// All variables: the ten of Table I in its order, our three, the size of the last of these, and
    /// the two of residual networks.
    pub const ALL: [Self; 16] = [
        Self::Memory,
        Self::Recurrence,
        Self::InputDropout,
        Self::Hidden,
        Self::Activation,
        Self::BatchNorm,
        Self::Dropout,
        Self::FcLayers,
        Self::FcRegularization,
        Self::FcActivation,
        Self::Sight,
        Self::Rating,
        Self::Ahead,
        Self::AheadHidden,
        Self::Blocks,
        Self::Channels,
    ];

    /// Its abbreviation: that of Table I, or one like it.
    pub fn abbreviation(self) -> &'static str {
        match self {
            Self::Memory => "m",
            Self::Recurrence => "RNN",
            Self::InputDropout => "RDP",
            Self::Hidden => "RHD",
            Self::Activation => "RA",
            Self::BatchNorm => "BN",
            Self::Dropout => "DP",
            Self::FcLayers => "#FC",
            Self::FcRegularization => "FCR",
            Self::FcActivation => "FCA",
            Self::Sight => "SEE",
            Self::Rating => "RAT",
            Self::Ahead => "LAH",
            Self::AheadHidden => "LHD",
            Self::Blocks => "#BL",
            Self::Channels => "CH",
        }
    }
}

impl FromStr for Variable {
    type Err = StructureError;

    /// The variable that has this abbreviation, in any case.
    fn from_str(text: &str) -> Result<Self, StructureError> {
        named(&Self::ALL, Self::abbreviation, text)
            .ok_or_else(|| StructureError::UnknownVariable { got: text.to_owned() })
    }
}

impl TryFrom<String> for Variable {
    type Error = StructureError;

    fn try_from(text: String) -> Result<Self, StructureError> {
        text.parse()
    }
}

impl From<Variable> for String {
    fn from(variable: Variable) -> Self {
        variable.abbreviation().to_owned()
    }
}

const MEMORIES: [usize; 4] = [5, 10, 15, 20];
const DROPOUTS: [f64; 4] = [0.0, 0.05, 0.1, 0.2];
const HIDDEN: [usize; 3] = [512, 1024, 2048];
const FC_LAYERS: [usize; 5] = [0, 1, 2, 3, 5];
const FC_REGULARIZATIONS: [f64; 4] = [0.0, 0.001, 0.002, 0.005];
const AHEAD_HIDDENS: [usize; 3] = [32, 64, 128];
const ALL_BLOCKS: [usize; 3] = [2, 3, 5];
const ALL_CHANNELS: [usize; 3] = [16, 32, 64];
const YES_NO: [bool; 2] = [true, false];

/// The largest memory capacity: more than any game of the records has plies.
const MAX_MEMORY: usize = 1_000;
const MAX_HIDDEN: usize = 4_096;
const MAX_FC_LAYERS: usize = 10;
/// Above this, what is left after dropping would have to be scaled up more than tenfold.
const MAX_DROPOUT: f64 = 0.9;
const MAX_FC_REGULARIZATION: f64 = 1.0;
const MAX_AHEAD_HIDDEN: usize = 1_024;
const MAX_BLOCKS: usize = 40;
const MAX_CHANNELS: usize = 512;

impl Structure {
    /// This structure with each candidate value of `variable` in turn, in the order of Table I.
    pub fn candidates(&self, variable: Variable) -> Vec<Self> {
        fn each<T: Copy>(values: &[T], with: impl Fn(T) -> Structure) -> Vec<Structure> {
            values.iter().map(|&value| with(value)).collect()
        }
        let base = *self;
        match variable {
            Variable::Memory => each(&MEMORIES, |memory| Self { memory, ..base }),
            Variable::Recurrence => {
                each(&Recurrence::ALL, |recurrence| Self { recurrence, ..base })
            }
            Variable::InputDropout => {
                each(&DROPOUTS, |input_dropout| Self { input_dropout, ..base })
            }
            Variable::Hidden => each(&HIDDEN, |hidden| Self { hidden, ..base }),
            Variable::Activation => {
                each(&Activation::ALL, |activation| Self { activation, ..base })
            }
            Variable::BatchNorm => each(&YES_NO, |batch_norm| Self { batch_norm, ..base }),
            Variable::Dropout => each(&DROPOUTS, |dropout| Self { dropout, ..base }),
            Variable::FcLayers => each(&FC_LAYERS, |fc_layers| Self { fc_layers, ..base }),
            Variable::FcRegularization => {
                each(&FC_REGULARIZATIONS, |fc_regularization| Self { fc_regularization, ..base })
            }
            Variable::FcActivation => {
                each(&Activation::ALL, |fc_activation| Self { fc_activation, ..base })
            }
            Variable::Sight => each(&YES_NO, |sight| Self { sight, ..base }),
            Variable::Rating => each(&YES_NO, |rating| Self { rating, ..base }),
            Variable::Ahead => each(&YES_NO, |ahead| Self { ahead, ..base }),
            Variable::AheadHidden => {
                each(&AHEAD_HIDDENS, |ahead_hidden| Self { ahead_hidden, ..base })
            }
            Variable::Blocks => each(&ALL_BLOCKS, |blocks| Self { blocks, ..base }),
            Variable::Channels => each(&ALL_CHANNELS, |channels| Self { channels, ..base }),
        }
    }

    /// The value of one variable, as the text form writes it.
    pub fn value(&self, variable: Variable) -> String {
        match variable {
            Variable::Memory => self.memory.to_string(),
            Variable::Recurrence => self.recurrence.name().into(),
            Variable::InputDropout => self.input_dropout.to_string(),
            Variable::Hidden => self.hidden.to_string(),
            Variable::Activation => self.activation.name().into(),
            Variable::BatchNorm => yes_no(self.batch_norm).into(),
            Variable::Dropout => self.dropout.to_string(),
            Variable::FcLayers => self.fc_layers.to_string(),
            Variable::FcRegularization => self.fc_regularization.to_string(),
            Variable::FcActivation => self.fc_activation.name().into(),
            Variable::Sight => yes_no(self.sight).into(),
            Variable::Rating => yes_no(self.rating).into(),
            Variable::Ahead => yes_no(self.ahead).into(),
            Variable::AheadHidden => self.ahead_hidden.to_string(),
            Variable::Blocks => self.blocks.to_string(),
            Variable::Channels => self.channels.to_string(),
        }
    }

    /// Gives one variable the value that `text` writes.
    fn set(&mut self, variable: Variable, text: &str) -> Result<(), StructureError> {
        let unknown = |wanted| StructureError::Value { variable, got: text.to_owned(), wanted };
        let count = || text.parse().map_err(|_| unknown("a whole number"));
        let decimal = || text.parse().map_err(|_| unknown("a decimal number"));
        let answer = || named(&YES_NO, yes_no, text).ok_or_else(|| unknown("yes or no"));
        let activation = || {
            named(&Activation::ALL, |a| a.name(), text)
                .ok_or_else(|| unknown("ReLU, softmax, linear or tanh"))
        };
        match variable {
            Variable::Memory => self.memory = count()?,
            Variable::Recurrence => {
                self.recurrence = named(&Recurrence::WITH_NONE, |r| r.name(), text)
                    .ok_or_else(|| unknown("LSTM, GRU, backward-LSTM, backward-GRU or ResNet"))?;
            }
            Variable::InputDropout => self.input_dropout = decimal()?,
            Variable::Hidden => self.hidden = count()?,
            Variable::Activation => self.activation = activation()?,
            Variable::BatchNorm => self.batch_norm = answer()?,
            Variable::Dropout => self.dropout = decimal()?,
            Variable::FcLayers => self.fc_layers = count()?,
            Variable::FcRegularization => self.fc_regularization = decimal()?,
            Variable::FcActivation => self.fc_activation = activation()?,
            Variable::Sight => self.sight = answer()?,
            Variable::Rating => self.rating = answer()?,
            Variable::Ahead => self.ahead = answer()?,
            Variable::AheadHidden => self.ahead_hidden = count()?,
            Variable::Blocks => self.blocks = count()?,
            Variable::Channels => self.channels = count()?,
        }
        Ok(())
    }

    /// Whether every value is in the range of which a network can be built.
    ///
    /// # Errors
    /// With the first variable that is out of range.
    pub fn check(&self) -> Result<(), StructureError> {
        let within = |variable, got: f64, low: f64, high: f64| {
            if (low..=high).contains(&got) {
                Ok(())
            } else {
                Err(StructureError::OutOfRange { variable, got, low, high })
            }
        };
        within(Variable::Memory, self.memory as f64, 1.0, MAX_MEMORY as f64)?;
        within(Variable::InputDropout, self.input_dropout, 0.0, MAX_DROPOUT)?;
        within(Variable::Hidden, self.hidden as f64, 1.0, MAX_HIDDEN as f64)?;
        within(Variable::Dropout, self.dropout, 0.0, MAX_DROPOUT)?;
        within(Variable::FcLayers, self.fc_layers as f64, 0.0, MAX_FC_LAYERS as f64)?;
        within(Variable::FcRegularization, self.fc_regularization, 0.0, MAX_FC_REGULARIZATION)?;
        within(Variable::AheadHidden, self.ahead_hidden as f64, 1.0, MAX_AHEAD_HIDDEN as f64)?;
        within(Variable::Blocks, self.blocks as f64, 0.0, MAX_BLOCKS as f64)?;
        within(Variable::Channels, self.channels as f64, 1.0, MAX_CHANNELS as f64)
    }

    /// Whether a network of this structure must be told of the men on the board.
    pub fn sees_board(&self) -> bool {
        self.sight || self.recurrence == Recurrence::ResNet
    }

    /// Whether a network of this structure is asked about the mirror of each position as well, and
    /// the mean taken. People play both alike; what a network sees of squares it has learnt of each
    /// side on its own. One that remembers moves alone is asked once, as the paper's is.
    pub fn looks_in_mirror(&self) -> bool {
        self.sight || self.ahead
    }

    /// The variables that are of account for this structure.
    fn variables(&self) -> impl Iterator<Item = Variable> {
        let (is_residual, ahead) = (self.recurrence == Recurrence::ResNet, self.ahead);
        let of_account = move |variable: &Variable| match variable {
            Variable::AheadHidden => ahead,
            Variable::Blocks | Variable::Channels => is_residual,
            _ => true,
        };
        Variable::ALL.into_iter().filter(of_account)
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, variable) in self.variables().enumerate() {
            let gap = if rank > 0 { " " } else { "" };
            write!(f, "{gap}{}={}", variable.abbreviation(), self.value(variable))?;
        }
        Ok(())
    }
}

impl FromStr for Structure {
    type Err = StructureError;

    fn from_str(text: &str) -> Result<Self, StructureError> {
        let mut structure = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| StructureError::NoValue { got: word.to_owned() })?;
            structure.set(name.parse()?, value)?;
        }
        structure.check()?;
        Ok(structure)
    }
}

fn yes_no(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, text: &str) -> Option<T> {
    all.iter().copied().find(|&value| name(value).eq_ignore_ascii_case(text))
}

/// Why a text describes no structure.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StructureError {
    /// A word without `=`.
    #[error("`{got}` gives no variable a value, wanted for example `m=10`")]
    NoValue {
        /// The word.
        got: String,
    },
    /// No variable has this abbreviation.
    #[error("`{got}` is no structural variable, wanted one of {}", abbreviations())]
    UnknownVariable {
        /// The abbreviation.
        got: String,
    },
    /// The variable cannot have this value.
    #[error("{} cannot be `{got}`, wanted {wanted}", variable.abbreviation())]
    Value {
        /// The variable.
        variable: Variable,
        /// The value as written.
        got: String,
        /// What it can be.
        wanted: &'static str,
    },
    /// The value is a number, but out of range.
    #[error("{} cannot be {got}, wanted {low} to {high}", variable.abbreviation())]
    OutOfRange {
        /// The variable.
        variable: Variable,
        /// The value.
        got: f64,
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
}

fn abbreviations() -> String {
    Variable::ALL.map(Variable::abbreviation).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_survives_being_written_and_read() {
        for variable in Variable::ALL {
            let candidates = Structure::default().candidates(variable);
            assert!(candidates.contains(&Structure::default()));
            for structure in candidates {
                let structure = match variable {
                    Variable::AheadHidden => Structure { ahead: true, ..structure },
                    Variable::Blocks | Variable::Channels => {
                        Structure { recurrence: Recurrence::ResNet, ..structure }
                    }
                    _ => structure,
                };
                assert_eq!(structure.to_string().parse(), Ok(structure));
                let text = toml::to_string(&structure).unwrap();
                assert_eq!(toml::from_str::<Structure>(&text).unwrap(), structure);
            }
        }
    }

    #[test]
    fn table_1_has_this_many_candidates() {
        let counts = Variable::ALL.map(|v| Structure::default().candidates(v).len());
        assert_eq!(counts, [4, 4, 4, 3, 4, 2, 4, 5, 4, 4, 2, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn the_default_is_written_as_in_table_2() {
        assert_eq!(
            Structure::default().to_string(),
            "m=10 RNN=GRU RDP=0.1 RHD=512 RA=ReLU BN=yes DP=0.05 #FC=1 FCR=0.002 FCA=softmax \
             SEE=no RAT=no LAH=no"
        );
    }

    #[test]
    fn errors_say_what_came_and_what_was_wanted() {
        let message = |text: &str| text.parse::<Structure>().unwrap_err().to_string();
        assert_eq!(message("m"), "`m` gives no variable a value, wanted for example `m=10`");
        assert_eq!(
            message("depth=3"),
            "`depth` is no structural variable, wanted one of m, RNN, RDP, RHD, RA, BN, DP, #FC, \
             FCR, FCA, SEE, RAT, LAH, LHD, #BL, CH"
        );
        assert_eq!(message("RA=sine"), "RA cannot be `sine`, wanted ReLU, softmax, linear or tanh");
        assert_eq!(message("m=0"), "m cannot be 0, wanted 1 to 1000");
        assert_eq!(message("DP=NaN"), "DP cannot be NaN, wanted 0 to 0.9");
    }
}
