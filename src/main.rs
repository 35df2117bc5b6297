//! The program: its arguments go to [`errare::cli`], which says how it ends.

use std::process::ExitCode;

fn main() -> ExitCode {
    errare::cli::run(std::env::args_os())
}
