//! Command-line flags made from the table of options: `UCI_Elo` is `--elo`, `TopP` is `--top-p`.

use clap::{
    Arg, ArgMatches,
    builder::{NonEmptyStringValueParser, TypedValueParser},
};

use crate::{
    engine::OPTIONS,
    player::{OptionKind, OptionSpec},
};

/// A flag for each option.
pub fn flags() -> impl Iterator<Item = Arg> {
    OPTIONS.iter().map(|option| {
        let help = format!("{} [{}; default {}]", option.help, option.kind, shown_default(option));
        let arg =
            Arg::new(option.name).long(flag(option)).help(help).value_name("VALUE").value_parser(
                NonEmptyStringValueParser::new().try_map(|value| option.check(&value)),
            );
        match option.kind {
            OptionKind::Check { .. } => arg.num_args(0..=1).default_missing_value("true"),
            // that -1 is too little should be said as of any other number
            OptionKind::Spin { .. } | OptionKind::Decimal { .. } => {
                arg.allow_negative_numbers(true)
            }
            OptionKind::Combo { .. } | OptionKind::Text => arg,
        }
    })
}

/// The options that were given, each with its value, in the order of the table.
pub fn values(matches: &ArgMatches) -> Vec<(&'static str, String)> {
    OPTIONS
        .iter()
        .filter_map(|option| {
            let value = matches.get_one::<String>(option.name)?;
            Some((option.name, value.clone()))
        })
        .collect()
}

/// The flag of an option: its name in small letters with hyphens, without the prefix `UCI_`. The
/// game has the word that everybody looks for.
pub fn flag(option: &OptionSpec) -> String {
    if option.name == "UCI_Variant" {
        return "game".to_owned();
    }
    let name = option.name.strip_prefix("UCI_").unwrap_or(option.name);
    let mut flag = String::with_capacity(name.len() + 2);
    let mut after_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_small {
            flag.push('-');
        }
        after_small = letter.is_ascii_lowercase();
        flag.push(letter.to_ascii_lowercase());
    }
    flag
}

/// The value at the start, with a word for the empty one.
pub fn shown_default(option: &OptionSpec) -> String {
    let default = option.default_value();
    if default.is_empty() { "empty".to_owned() } else { default }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_an_option_does_not_take_is_wrong_usage() {
        let command = clap::Command::new("errare").args(flags());
        let parse =
            |value| command.clone().try_get_matches_from(["errare", "--temperature", value]);
        assert_eq!(values(&parse(" 0.50").unwrap()), [("Temperature", "0.5".to_owned())]);
        for value in ["-1", "much", ""] {
            let error = parse(value).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{error}");
        }
        let message = parse("-1").unwrap_err().to_string();
        assert!(message.contains("got `-1`, wanted a number from 0 to 10"), "{message}");
    }

    #[test]
    fn flags_are_spelled_as_people_expect() {
        let flags: Vec<_> = OPTIONS.iter().map(flag).collect();
        for wanted in ["game", "elo", "limit-strength", "multi-pv", "top-p", "seed", "nets-path"] {
            assert!(flags.iter().any(|flag| flag == wanted), "{wanted} is not among {flags:?}");
        }
    }
}
