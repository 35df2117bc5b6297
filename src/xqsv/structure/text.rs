//! The text form of structures: `m=10 RNN=GRU …`.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Activation, Recurrence, Structure, Variable};

/// What a variable that is a question can be.
pub(super) const YES_NO: [bool; 2] = [true, false];

impl Structure {
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
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, variable) in self.written().enumerate() {
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

pub(super) fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, text: &str) -> Option<T> {
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
