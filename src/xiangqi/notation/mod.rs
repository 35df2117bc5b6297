
pub mod chinese;
pub mod iccs;
pub mod relative;
#[cfg(test)]
mod samples;
pub mod spoken;
pub mod wxf;
