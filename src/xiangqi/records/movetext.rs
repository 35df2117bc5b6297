//! What stands between the moves of a record: their numbers.

/// A word of a record without the number of a move before it: nothing where there is no more.
///
/// `12.` and `12...` are numbers, `12.C2.5` has one, and the WXF moves `33.4` and `3+.4`, which
/// begin with digits too, have none: what follows a number is no shorter than three characters.
pub(super) fn strip_number(word: &str) -> &str {
    const SHORTEST_MOVE: usize = 3;
    let rest = word.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let is_numbered = rest.len() < word.len();
    let unnumbered = rest.trim_start_matches(['.', '．', '、', '…']);
    let has_dots = unnumbered.len() < rest.len();
    let length = unnumbered.chars().count();
    match (is_numbered, has_dots) {
        _ if length == 0 => "",
        (_, true) if length >= SHORTEST_MOVE => unnumbered,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_moves_that_begin_with_digits() {
        for word in ["1.", "12", "3...", "...", "…", "7．"] {
            assert_eq!(strip_number(word), "", "{word}");
        }
        let numbered = [("1.C2.5", "C2.5"), ("1.3+.4", "3+.4"), ("2...h8+7", "h8+7")];
        for (word, text) in numbered {
            assert_eq!(strip_number(word), text);
        }
        assert_eq!(strip_number("10.炮二平五"), "炮二平五");
        for word in ["33.4", "3+.4", "3-+1", "33+1", "3..4", "h2e2", "炮二平五", "++.4"] {
            assert_eq!(strip_number(word), word);
        }
    }
}
