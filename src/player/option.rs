//! What can be set about a player: each option declared once, as data.

use std::fmt;

use thiserror::Error;

/// One option of a player. Protocol lines, command line and documentation are made from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// Its name in UCI; no spaces, so that one name serves everywhere.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: OptionKind,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// Which values an option takes, and which it has at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// A decimal number. The protocols have no such type and show it as text.
    Decimal {
        /// The value at the start.
        default: f64,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// One of several words; matched without regard to case.
    Combo {
        /// The value at the start, one of `values`.
        default: &'static str,
        /// All values.
        values: &'static [&'static str],
    },
    /// Any text; empty at the start.
    Text,
}

/// Why an option was not set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no such option.
    #[error("no option is called `{name}`")]
    Unknown {
        /// The name that came.
        name: String,
    },
    /// The value is not one that the option takes.
    #[error("option {name} got `{got}`, wanted {wanted}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value that came.
        got: String,
        /// What it takes, in words.
        wanted: String,
    },
    /// The value is well-formed but what it names cannot be used.
    #[error("option {name} got `{got}`, which cannot be used: {source}")]
    Unusable {
        /// The option.
        name: &'static str,
        /// The value that came.
        got: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl OptionSpec {
    /// The option called `name` without regard to case, if there is one.
    pub fn find<'a>(options: &'a [Self], name: &str) -> Option<&'a Self> {
        options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Checks `value` and writes it in the one way the player understands: booleans as
    /// `true` or `false`, words as the table spells them, numbers without surrounding space.
    ///
    /// # Errors
    /// [`OptionError::Value`] when the option does not take this value.
    pub fn check(&self, value: &str) -> Result<String, OptionError> {
        let got = value.trim();
        let checked = match self.kind {
            OptionKind::Check { .. } => match got.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Some("true".to_owned()),
                "false" | "off" | "0" => Some("false".to_owned()),
                _ => None,
            },
            OptionKind::Spin { min, max, .. } => got
                .parse::<i64>()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(|number| number.to_string()),
            OptionKind::Decimal { min, max, .. } => got
                .parse::<f64>()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(|number| number.to_string()),
            OptionKind::Combo { values, .. } => values
                .iter()
                .find(|word| word.eq_ignore_ascii_case(got))
                .map(|word| (*word).to_owned()),
            OptionKind::Text if got == "<empty>" => Some(String::new()),
            OptionKind::Text => Some(got.to_owned()),
        };
        checked.ok_or_else(|| OptionError::Value {
            name: self.name,
            got: abridged(got),
            wanted: self.kind.to_string(),
        })
    }

    /// The value at the start, written as [`check`](Self::check) writes it.
    pub fn default_value(&self) -> String {
        match self.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Decimal { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.to_owned(),
            OptionKind::Text => String::new(),
        }
    }
}

impl fmt::Display for OptionKind {
    /// What the option takes, in words: `a whole number from 1 to 500`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { .. } => f.write_str("true or false"),
            Self::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Decimal { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Combo { values, .. } => write!(f, "one of {}", values.join(", ")),
            Self::Text => f.write_str("text"),
        }
    }
}

/// The text itself, or its beginning where it is long: a message must stay readable.
pub fn abridged(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(LONGEST).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[OptionSpec] = &[
        OptionSpec {
            name: "Temperature",
            kind: OptionKind::Decimal { default: 1.0, min: 0.0, max: 10.0 },
            help: "how freely moves are drawn",
        },
        OptionSpec {
            name: "Strategy",
            kind: OptionKind::Combo { default: "min1max3", values: &["min1max1", "min1max3"] },
            help: "how far to look",
        },
        OptionSpec {
            name: "MultiPV",
            kind: OptionKind::Spin { default: 1, min: 1, max: 500 },
            help: "how many lines to show",
        },
    ];

    #[test]
    fn names_are_found_without_regard_to_case() {
        assert_eq!(OptionSpec::find(OPTIONS, "multipv").unwrap().name, "MultiPV");
        assert!(OptionSpec::find(OPTIONS, "Hash").is_none());
    }

    #[test]
    fn a_default_is_a_value_that_the_option_takes() {
        for option in OPTIONS {
            let default = option.default_value();
            assert_eq!(option.check(&default).unwrap(), default);
        }
    }

    #[test]
    fn an_error_says_what_came_and_what_was_wanted() {
        let error = OPTIONS[2].check("1000").unwrap_err();
        assert_eq!(
            error.to_string(),
            "option MultiPV got `1000`, wanted a whole number from 1 to 500"
        );
        assert_eq!(
            OPTIONS[1].check("MIN1MAX1 ").unwrap(),
            "min1max1",
            "words are written as the table spells them"
        );
        assert!(OPTIONS[0].check("NaN").is_err());
    }

    #[test]
    fn long_text_is_abridged() {
        assert!(abridged(&"x".repeat(1_000)).chars().count() < 70);
    }
}
