//! Lines of text in the encodings that records come in.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read},
};

use encoding_rs::{BIG5, GBK};

/// A longer line than this, in bytes, is none: something else than text is being read.
const LONGEST_LINE: u64 = 1 << 20;

/// How text is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// UTF-8 where it is valid. Else GBK or Big5, whichever makes more words of xiangqi of it.
    #[default]
    Detected,
    /// UTF-8.
    Utf8,
    /// GBK, of mainland China.
    Gbk,
    /// Big5, of Taiwan and Hong Kong.
    Big5,
}

/// Turns bytes into text, remembering what the last ones were encoded in.
#[derive(Debug)]
pub(super) struct Decoder {
    encoding: Encoding,
    guess: &'static encoding_rs::Encoding,
}

impl Decoder {
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, guess: GBK }
    }

    /// The text of some bytes that end where a character ends. What cannot be decoded becomes
    /// U+FFFD.
    pub fn decode<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        let encoding = match self.encoding {
            Encoding::Utf8 => return String::from_utf8_lossy(bytes),
            Encoding::Gbk => GBK,
            Encoding::Big5 => BIG5,
            Encoding::Detected => {
                if let Ok(text) = std::str::from_utf8(bytes) {
                    return Cow::Borrowed(text);
                }
                self.guess = guess(bytes, self.guess);
                self.guess
            }
        };
        encoding.decode_without_bom_handling(bytes).0
    }
}

/// The encoding that makes more sense of bytes; the former one where both make as much.
fn guess(bytes: &[u8], former: &'static encoding_rs::Encoding) -> &'static encoding_rs::Encoding {
    let sense = |encoding: &'static encoding_rs::Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        text.map(|text| text.chars().filter(|&ch| is_of_xiangqi(ch)).count())
    };
    match sense(GBK).cmp(&sense(BIG5)) {
        std::cmp::Ordering::Less => BIG5,
        std::cmp::Ordering::Equal => former,
        std::cmp::Ordering::Greater => GBK,
    }
}

/// Whether a character is one that moves and results are written with.
fn is_of_xiangqi(ch: char) -> bool {
    "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前中后後进進退平一二三四五六七八九红紅黑和胜勝"
        .contains(ch)
}

/// The lines of a text, without their ends.
pub(super) struct Lines<R> {
    reader: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    is_first: bool,
    /// A line that was read too early.
    put_back: Option<String>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R, encoding: Encoding) -> Self {
        let decoder = Decoder::new(encoding);
        Self { reader, decoder, bytes: Vec::new(), is_first: true, put_back: None }
    }

    /// The next line, or `None` at the end.
    ///
    /// # Errors
    /// When reading fails, or the line is too long to be one.
    pub fn next(&mut self) -> io::Result<Option<Cow<'_, str>>> {
        if let Some(line) = self.put_back.take() {
            return Ok(Some(Cow::Owned(line)));
        }
        self.bytes.clear();
        let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut self.bytes)?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == LONGEST_LINE && !self.bytes.ends_with(b"\n") {
            let message = format!("a line is longer than the {LONGEST_LINE} bytes allowed");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let line = self.bytes.as_slice();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = match std::mem::take(&mut self.is_first) {
            true => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            false => line,
        };
        Ok(Some(self.decoder.decode(line)))
    }

    /// Has `line` be the next one: it belongs to the game to come.
    pub fn put_back(&mut self, line: String) {
        self.put_back = Some(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], encoding: Encoding) -> Vec<String> {
        let mut lines = Lines::new(bytes, encoding);
        let mut texts = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            texts.push(line.into_owned());
        }
        texts
    }

    #[test]
    fn lines_end_in_any_way() {
        let bytes = b"\xef\xbb\xbfone\r\ntwo\n\nfour";
        assert_eq!(lines(bytes, Encoding::Detected), ["one", "two", "", "four"]);
    }

    #[test]
    fn moves_are_read_in_every_encoding() {
        let text = "1. 炮二平五 馬８進７";
        let simplified = "1. 炮二平五 马８进７";
        let detected = |bytes: &[u8]| lines(bytes, Encoding::Detected);
        assert_eq!(detected(text.as_bytes()), [text]);
        assert_eq!(detected(&GBK.encode(simplified).0), [simplified]);
        assert_eq!(detected(&GBK.encode(text).0), [text]);
        assert_eq!(detected(&BIG5.encode(text).0), [text]);
        assert_eq!(lines(&BIG5.encode(text).0, Encoding::Big5), [text]);
        assert_eq!(lines(&GBK.encode(simplified).0, Encoding::Gbk), [simplified]);
    }

    #[test]
    fn a_line_without_an_end_in_sight_is_refused() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        assert!(Lines::new(endless, Encoding::Detected).next().is_err());
    }
}
