//! The structural variables and what those that are no numbers can be.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{StructureError, text::named};

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
    pub(super) const WITH_NONE: [Self; 5] =
        [Self::Lstm, Self::Gru, Self::BackwardLstm, Self::BackwardGru, Self::ResNet];

    /// Whether the window is read from the newest move to the oldest.
    pub fn is_backward(self) -> bool {
        matches!(self, Self::BackwardLstm | Self::BackwardGru)
    }

    pub(super) fn name(self) -> &'static str {
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

    pub(super) fn name(self) -> &'static str {
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
    /// [`Structure::memory`](super::Structure::memory).
    Memory,
    /// [`Structure::recurrence`](super::Structure::recurrence).
    Recurrence,
    /// [`Structure::input_dropout`](super::Structure::input_dropout).
    InputDropout,
    /// [`Structure::hidden`](super::Structure::hidden).
    Hidden,
    /// [`Structure::activation`](super::Structure::activation).
    Activation,
    /// [`Structure::batch_norm`](super::Structure::batch_norm).
    BatchNorm,
    /// [`Structure::dropout`](super::Structure::dropout).
    Dropout,
    /// [`Structure::fc_layers`](super::Structure::fc_layers).
    FcLayers,
    /// [`Structure::fc_regularization`](super::Structure::fc_regularization).
    FcRegularization,
    /// [`Structure::fc_activation`](super::Structure::fc_activation).
    FcActivation,
    /// [`Structure::sight`](super::Structure::sight).
    Sight,
    /// [`Structure::rating`](super::Structure::rating).
    Rating,
    /// [`Structure::ahead`](super::Structure::ahead).
    Ahead,
    /// [`Structure::ahead_hidden`](super::Structure::ahead_hidden).
    AheadHidden,
    /// [`Structure::blocks`](super::Structure::blocks).
    Blocks,
    /// [`Structure::channels`](super::Structure::channels).
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

    /// How many of them, the first ones, are those of Table I.
    pub(super) const OF_TABLE_1: usize = 10;

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
