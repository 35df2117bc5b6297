//! Where games come from: files and standard input, compressed or not.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a file of games, or standard input where the path is `-`.
///
/// What is compressed with gzip or Zstandard is decompressed as it is read; its first bytes tell,
/// not its name.
///
/// # Errors
/// When the file cannot be opened or its first bytes cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        decompressed(BufReader::new(io::stdin()))
    } else {
        decompressed(BufReader::with_capacity(1 << 16, File::open(path)?))
    }
}

fn decompressed(mut bytes: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let beginning = bytes.fill_buf()?;
    Ok(if beginning.starts_with(&GZIP) {
        Box::new(flate2::bufread::MultiGzDecoder::new(bytes))
    } else if beginning.starts_with(&ZSTD) {
        Box::new(zstd::stream::read::Decoder::with_buffer(bytes)?)
    } else {
        Box::new(bytes)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &str = "[White \"Anna\"]\n\n1. e4 *\n";

    fn read_back(bytes: Vec<u8>) -> String {
        let mut text = String::new();
        decompressed(io::Cursor::new(bytes)).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn compressed_games_are_read_like_plain_ones() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TEXT.as_bytes()).unwrap();
        assert_eq!(read_back(gzip.finish().unwrap()), TEXT);
        assert_eq!(read_back(zstd::encode_all(TEXT.as_bytes(), 1).unwrap()), TEXT);
        assert_eq!(read_back(TEXT.as_bytes().to_vec()), TEXT);
        assert_eq!(read_back(Vec::new()), "");
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(open(Path::new("/nonexistent/games.pgn")).is_err());
    }
}
