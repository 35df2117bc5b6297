//! Reading lines from a stranger: any length, any encoding, each with the time it arrived.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use std::{
    io::{self, BufRead},
    time::Instant,
};

use crate::protocol::CommandError;

/// The longest line that is read, in bytes: room for a game of some hundred thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// A line as it arrived.
#[derive(Debug)]
pub(super) struct Line {
    /// The text; what is no UTF-8 in it has been replaced.
    pub(super) text: String,
    /// When its last byte was read.
    pub(super) arrived: Instant,
}

/// Reads to the end of `input` and delivers each line, until `deliver` says `false`.
///
/// A longer line than any that makes sense is delivered as an error. A failing input has ended.
pub(super) fn read_lines(
    mut input: impl BufRead,
    mut deliver: impl FnMut(Result<Line, CommandError>) -> bool,
) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let ending = match read_line(&mut input, &mut bytes) {
            Ok(ending) => ending,
            Err(error) => {
                log::warn!("reading commands: {error}");
                return;
            }
        };
        let line = match ending {
            Ending::InputOver if bytes.is_empty() => return,
            Ending::TooLong => Err(CommandError::LineTooLong { limit: LONGEST_LINE }),
            Ending::LineFeed | Ending::InputOver => Ok(Line {
                text: String::from_utf8_lossy(&bytes).into_owned(),
                arrived: Instant::now(),
            }),
        };
        if !deliver(line) {
            return;
        }
    }
}

/// How a line ended.
enum Ending {
    LineFeed,
    InputOver,
    /// By a line feed or with the input, but after more bytes than were kept.
    TooLong,
}

/// Reads up to and past the next line feed into `bytes`, but no more than fits.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Ending> {
    let mut is_too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let over = available.is_empty();
        let line_feed = available.iter().position(|&byte| byte == b'\n');
        let length = line_feed.unwrap_or(available.len());
        let room = LONGEST_LINE - bytes.len();
        bytes.extend(available.iter().take(length.min(room)));
        is_too_long |= length > room;
        let read = length + usize::from(line_feed.is_some());
        input.consume(read);
        if line_feed.is_some() || over {
            return Ok(if is_too_long {
                Ending::TooLong
            } else if over {
                Ending::InputOver
            } else {
                Ending::LineFeed
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(input: &[u8]) -> Vec<Result<String, CommandError>> {
        let mut lines = Vec::new();
        read_lines(BufReader::with_capacity(7, input), |line| {
            lines.push(line.map(|line| line.text));
            true
        });
        lines
    }

    #[test]
    fn the_last_line_needs_no_line_feed() {
        assert_eq!(
            lines(b"uci\r\n\nquit"),
            [Ok("uci\r".into()), Ok(String::new()), Ok("quit".into())]
        );
        assert_eq!(lines(b"uci\n"), [Ok("uci".into())]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn what_is_no_utf8_is_replaced() {
        assert_eq!(lines(b"go \xff\n"), [Ok("go \u{fffd}".into())]);
    }

    #[test]
    fn a_line_without_end_is_refused_and_the_next_one_read() {
        let mut input = vec![b'x'; LONGEST_LINE + 1];
        input.extend(b"\nisready\n");
        let lines = lines(&input);
        assert_eq!(
            lines,
            [Err(CommandError::LineTooLong { limit: LONGEST_LINE }), Ok("isready".into())]
        );
    }
}
