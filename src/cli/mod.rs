//! The command line: the only place that knows everything. One file a subcommand.
//!
//! Without a subcommand the program speaks UCI or UCCI on standard input and output. Results go
//! to standard output, talk goes to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage.

mod ablate;
mod adapt;
mod book;
mod date;
mod describe;
mod evaluate;
mod explain;
mod flags;
mod games;
mod infer;
mod interruption;
mod manual;
mod observed;
mod output;
mod perft;
mod play;
mod prepare;
mod published;
mod ratings;
mod records;
mod report;
mod reproduce;
mod selfplay;
mod table;
mod threads;
mod train;
mod turing;

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use clap::{FromArgMatches, Subcommand};

/// What the program can do beside playing.
#[derive(Debug, Subcommand)]
enum Task {
    /// Count the positions that legal moves reach, move by move
    Perft(perft::Args),
    /// Say what files of xiangqi games hold, or write the games in another format
    Records(records::Args),
    /// Measure how well models predict the moves of games
    Evaluate(Box<evaluate::Args>),
    /// Print the card of a net or of a file of weights
    Describe(describe::Args),
    /// Search for the structure of network that suits the people of some games best
    Adapt(Box<adapt::Args>),
    /// Measure what each idea of the memory model is worth, by leaving it out
    Ablate(Box<ablate::Args>),
    /// Write games of xiangqi as one compact file that training reads at once
    Prepare(prepare::Args),
    /// Train a network to play xiangqi like the people of some games
    Train(Box<train::Args>),
    /// Infer from games of chess how much players think of what, and how far they look
    Infer(Box<infer::Args>),
    /// Have two look-ahead players play games of chess
    Selfplay(selfplay::Args),
    /// Make published results again and print them beside what was published
    Reproduce(reproduce::Args),
    /// Say what makes the moves of a position likely: memory, sight, look-ahead
    Explain(explain::Args),
    /// Find out how well games of models and engines can be told from people's
    Turing(turing::Args),
    /// Count how often people play each move near the start of their games
    Book(book::Args),
    /// Print the table of options, as the manual shows it
    Options,
}

/// Runs the program with these arguments, the first being its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let matches = match command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // where even this cannot be printed there is nobody to tell
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match dispatch(&matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("errare: {}", sentence(&error));
            ExitCode::FAILURE
        }
    }
}

/// The whole grammar of the command line.
fn command() -> clap::Command {
    let command = clap::Command::new("errare")
        .version(env!("CARGO_PKG_VERSION"))
        .args_conflicts_with_subcommands(true)
        .args(flags::flags());
    Task::augment_subcommands(command)
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .after_help("Without a command, speaks UCI or UCCI on standard input and output.")
}

fn dispatch(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    if matches.subcommand().is_none() {
        return play::run(&flags::values(matches));
    }
    match Task::from_arg_matches(matches)? {
        Task::Perft(arguments) => perft::run(&arguments, &mut io::stdout().lock()),
        Task::Records(arguments) => records::run(&arguments, &mut io::stdout().lock()),
        Task::Evaluate(arguments) => evaluate::run(&arguments, &mut io::stdout().lock()),
        Task::Describe(arguments) => describe::run(&arguments, &mut io::stdout().lock()),
        Task::Adapt(arguments) => adapt::run(&arguments, &mut io::stdout().lock()),
        Task::Ablate(arguments) => ablate::run(&arguments, &mut io::stdout().lock()),
        Task::Prepare(arguments) => prepare::run(&arguments),
        Task::Train(arguments) => train::run(&arguments),
        Task::Infer(arguments) => infer::run(&arguments, &mut io::stdout().lock()),
        Task::Selfplay(arguments) => selfplay::run(&arguments, &mut io::stdout().lock()),
        Task::Reproduce(arguments) => reproduce::run(&arguments, &mut io::stdout().lock()),
        Task::Explain(arguments) => explain::run(&arguments, &mut io::stdout().lock()),
        Task::Turing(arguments) => turing::run(&arguments, &mut io::stdout().lock()),
        Task::Book(arguments) => book::run(&arguments, &mut io::stdout().lock()),
        Task::Options => Ok(io::stdout().lock().write_all(manual::options().as_bytes())?),
    }
}

/// An error with its causes in one sentence, each thing said once: many messages say what their
/// cause says, and of several lines only the first and the last tell something.
fn sentence(error: &anyhow::Error) -> String {
    let mut sentence = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        let mut lines = text.trim().lines();
        let (first, last) = (lines.next().unwrap_or_default(), lines.next_back());
        if sentence.contains(last.unwrap_or(first)) {
            continue;
        }
        for text in [Some(first), last].into_iter().flatten() {
            let separator = if sentence.is_empty() { "" } else { ": " };
            sentence += &format!("{separator}{text}");
        }
    }
    sentence
}

/// Whether the reader of our output has gone, which is no failure of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;
    use crate::engine::Engine;

    #[test]
    fn a_reason_is_told_once() {
        use crate::player::Player;
        let mut engine = Engine::new();
        let error = engine.set_option("WeightsFile", "/no/such").context("setting up").unwrap_err();
        let told = sentence(&error);
        assert!(told.starts_with("setting up: option WeightsFile got `/no/such`"), "{told}");
        assert_eq!(told.matches("No such file").count(), 1, "{told}");
    }

    #[test]
    fn an_error_says_each_thing_once_and_on_one_line() {
        let error =
            anyhow::anyhow!("TOML parse error at line 1\n  |\n1 | x\nmissing field `mate`\n")
                .context("no weights, wanted material and mate: missing field `mate`")
                .context("reading weights.toml");
        let wanted =
            "reading weights.toml: no weights, wanted material and mate: missing field `mate`";
        assert_eq!(sentence(&error), wanted);
        assert_eq!(
            sentence(&anyhow::anyhow!("one\n  |\ntwo\n").context("three")),
            "three: one: two"
        );
    }

    #[test]
    fn the_grammar_is_sound() {
        command().debug_assert();
    }
}
