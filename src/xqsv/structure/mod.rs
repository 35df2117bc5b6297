//! The structural variables of a network, their candidate values and their text form.
//!
//! After Table I of the XQSV paper. Which of the candidates are the defaults cannot be read in our
//! copy of it: ours are the values that most of Table II's best structures share.

mod candidates;
mod text;
mod variable;

pub use text::StructureError;
pub use variable::{Activation, Recurrence, Variable};

use serde::{Deserialize, Serialize};

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

    /// Whether both mean the same network: variables that are of no account may differ.
    pub fn is_same_network(&self, other: &Self) -> bool {
        let mut of_account = Variable::ALL.into_iter().filter(|&v| self.is_of_account(v));
        // what decides whether others are of account always is itself
        of_account.all(|variable| self.value(variable) == other.value(variable))
    }

    /// Whether a variable changes anything about this network.
    fn is_of_account(&self, variable: Variable) -> bool {
        match variable {
            Variable::FcRegularization | Variable::FcActivation => self.fc_layers > 0,
            Variable::AheadHidden => self.ahead,
            Variable::Blocks | Variable::Channels => self.recurrence == Recurrence::ResNet,
            _ => true,
        }
    }

    /// The variables that the text form writes: the paper's, and of ours those that are of account.
    fn written(&self) -> impl Iterator<Item = Variable> {
        let (papers, ours) = Variable::ALL.split_at(Variable::OF_TABLE_1);
        let ours = ours.iter().filter(|&&variable| self.is_of_account(variable));
        papers.iter().chain(ours).copied()
    }
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
