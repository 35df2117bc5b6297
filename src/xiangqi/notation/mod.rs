//! How moves are written, one spelling a file.

pub mod algebraic;
pub mod chinese;
pub mod iccs;
pub mod relative;
#[cfg(test)]
mod samples;
pub mod spoken;
pub mod written;
pub mod wxf;
