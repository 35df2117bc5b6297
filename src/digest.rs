//! SHA-256, in hexadecimal.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").expect("a string can be written to");
    }
    text
}
