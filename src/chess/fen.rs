//! Reading a FEN the way user interfaces write it.

use shakmaty::{
    CastlingMode, Chess, PositionError, PositionErrorKinds,
    fen::{Fen, ParseFenError},
};
use thiserror::Error;

/// Why a FEN was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not spelled as a FEN.
    #[error(
        "got `{got}`, which is no chess FEN ({source}); wanted eight ranks of pieces, w or b, \
         castling rights or -, an en passant square or -, and the two move counters"
    )]
    Spelling {
        /// The beginning of the text that came.
        got: String,
        /// Which part is wrong.
        source: ParseFenError,
    },
    /// The text holds fields of another variant of chess: a pocket, or checks that remain.
    #[error("got `{got}`, which is a FEN of another variant ({field}); wanted one of plain chess")]
    Variant {
        /// The beginning of the text that came.
        got: String,
        /// What plain chess does not have.
        field: &'static str,
    },
    /// The position cannot be played.
    #[error(
        "got `{got}`, which cannot be played ({problems}); wanted one king on each side, no pawn \
         on the first or last rank, and a side to move that cannot take the other king"
    )]
    Impossible {
        /// The beginning of the text that came.
        got: String,
        /// All that is wrong with it.
        problems: String,
    },
}

/// The position that a FEN describes.
///
/// Understands what is left out at the end, runs of white space, castling rights as `KQkq` or as
/// the letters of the rooks' files (Shredder-FEN), and forgives castling rights and en passant
/// squares that do not fit the board, too many pieces, and checks that no game could lead to.
///
/// # Errors
/// When the text is misspelled or its position cannot be played.
pub(super) fn parse(fen: &str) -> Result<Chess, FenError> {
    let fields = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    let setup = Fen::from_ascii(fields.as_bytes())
        .map_err(|source| FenError::Spelling { got: beginning(fen), source })?
        .into_setup();
    let foreign = match (&setup.pockets, &setup.remaining_checks) {
        (Some(_), _) => Some("a pocket"),
        (_, Some(_)) => Some("a count of remaining checks"),
        _ => None,
    };
    if let Some(field) = foreign {
        return Err(FenError::Variant { got: beginning(fen), field });
    }
    setup
        .position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| FenError::Impossible {
            got: beginning(fen),
            problems: problems(error.kinds()),
        })
}

fn problems(kinds: PositionErrorKinds) -> String {
    let all = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has several kings"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
    ];
    let found: Vec<&str> =
        all.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, words)| *words).collect();
    found.join(", ")
}

/// The beginning of what came, short enough for a message.
pub(super) fn beginning(text: &str) -> String {
    const LONGEST: usize = 90;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;

    #[test]
    fn what_user_interfaces_leave_out_or_get_wrong_is_forgiven() {
        let counters_missing = parse("4k3/8/8/8/8/8/8/4K2R w K").unwrap();
        assert_eq!((counters_missing.halfmoves(), counters_missing.fullmoves().get()), (0, 1));
        for fen in [
            "  4k3/8/8/8/8/8/8/4K2R   w  K \t- 0 1\r\n",
            "4k3/8/8/8/8/8/8/4K2R w H - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 0",
        ] {
            assert_eq!(parse(fen).unwrap(), counters_missing, "{fen}");
        }
        parse("NNNNNNNN/NNN5/8/8/8/8/8/K6k w - - 0 1").unwrap();
        parse("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1").unwrap();
    }

    #[test]
    fn a_refusal_says_what_came_and_what_was_wanted() {
        for (fen, came) in [
            ("", "no chess FEN"),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "no chess FEN"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "no chess FEN"),
            ("4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1", "a pocket"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
            ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn stands"),
            ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "not to move is in check"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "several kings"),
        ] {
            let message = parse(fen).unwrap_err().to_string();
            assert!(message.contains(came) && message.contains("wanted"), "{fen}: {message}");
        }
        let long = parse(&"é".repeat(100_000)).unwrap_err().to_string();
        assert!(long.len() < 500);
    }
}
