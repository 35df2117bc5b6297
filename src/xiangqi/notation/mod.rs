//! How moves are written, one spelling a file.

pub mod iccs;
pub mod relative;
