//! The words that a network reads and says: the 755 relative moves of xiangqi, as numbers.
//!
//! Their order is that of [`Relative::all`]; it is a part of the file format, and every net names
//! the [`vocabulary_hash`] of the words that it was trained on.

use std::{fmt::Write as _, sync::LazyLock};

use crate::{
    digest::sha256,
    xiangqi::{
        Game, Move, Position,
        notation::relative::{Direction, Relative, Which},
    },
};

/// How many labels there are.
pub const LABELS: usize = Relative::COUNT;

/// The label of a move; `None` where the move is not legal.
///
/// ```
/// use errare::{xiangqi::{Move, Position, Square}, xqsv::{label_of, label_text}};
///
/// let label = label_of(&Position::default(), Move::new(Square::H2, Square::E2));
/// assert_eq!(label.map(label_text).as_deref(), Some("c2=5"));
/// ```
pub fn label_of(position: &Position, m: Move) -> Option<u16> {
    Relative::of(position, m).map(number)
}

/// The labels of all moves of a game so far, oldest first.
pub fn labels_of(game: &Game) -> Vec<u16> {
    game.played()
        .iter()
        .map(|(before, m)| label_of(before, *m).expect("a game holds legal moves only"))
        .collect()
}

/// The label of the same move on the mirrored board.
///
/// # Panics
/// When there is no such label.
pub fn mirrored_label(label: u16) -> u16 {
    static MIRRORED: LazyLock<Vec<u16>> =
        LazyLock::new(|| Relative::all().map(|relative| number(relative.mirrored())).collect());
    MIRRORED[usize::from(label)]
}

/// A label in words of four letters: piece, file (or `f`, `m`, `r` for the front, middle and rear
/// one of several), `+` forward, `-` backward or `=` sideways, steps or file of arrival.
///
/// # Panics
/// When there is no such label.
pub fn label_text(label: u16) -> String {
    let relative = Relative::from_index(label.into()).expect("labels are below 755");
    let which = match relative.which() {
        Which::File(file) => char::from(b'0' + file),
        Which::Front => 'f',
        Which::Middle => 'm',
        Which::Rear => 'r',
    };
    let direction = match relative.direction() {
        Direction::Forward => '+',
        Direction::Backward => '-',
        Direction::Sideways => '=',
    };
    format!("{}{which}{direction}{}", relative.role().char(), relative.number())
}

/// The SHA-256 of all labels' texts, in their order, a line each.
pub fn vocabulary_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| {
        let mut text = String::new();
        for label in 0..LABELS as u16 {
            writeln!(text, "{}", label_text(label)).expect("a string can be written to");
        }
        sha256(text.as_bytes())
    });
    &HASH
}

fn number(relative: Relative) -> u16 {
    relative.index() as u16
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, path::Path};

    use super::*;
    use crate::xiangqi::{Role, records};

    #[test]
    fn there_are_587_plain_and_168_tandem_labels_all_different() {
        let texts: HashSet<String> = (0..LABELS as u16).map(label_text).collect();
        assert_eq!(texts.len(), 755);
        let tandem = |text: &&String| text.chars().nth(1).is_some_and(char::is_alphabetic);
        assert_eq!(texts.iter().filter(tandem).count(), 168);
        assert_eq!(label_text(0), "k4+1");
        assert_eq!(label_text(754), "pr=9");
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        for label in 0..LABELS as u16 {
            assert_eq!(mirrored_label(mirrored_label(label)), label);
        }
    }

    /// Looks at a few hundred games; `XQSV_ALL_GAMES=1` looks at all.
    #[test]
    fn every_legal_move_of_real_games_has_one_label_but_for_ties_of_soldiers() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xiangqi");
        if !folder.is_dir() {
            println!("skipped: there is no {}", folder.display());
            return;
        }
        let step = if std::env::var_os("XQSV_ALL_GAMES").is_some() { 1 } else { 400 };
        let (mut moves, mut ties) = (0_u64, 0_u64);
        for source in ["playok", "elephantchess", "ccpd", "tournament"] {
            let files =
                ["train", "valid"].map(|part| folder.join(format!("{source}.{part}.csv.gz")));
            for record in records::read(files).step_by(step) {
                for (position, _) in record.unwrap().plies() {
                    let (all, tied) = count_labels(&position);
                    (moves, ties) = (moves + all, ties + tied);
                }
            }
        }
        println!("{moves} legal moves, {ties} of them with a label that a soldier shares");
        assert!(moves > 100_000, "{moves}");
    }

    /// How many legal moves a position has, and how many share their label.
    fn count_labels(position: &Position) -> (u64, u64) {
        let moves = position.legal_moves();
        let labels: Vec<u16> = moves.iter().map(|&m| label_of(position, m).unwrap()).collect();
        let mut tied = 0;
        for (m, label) in moves.iter().zip(&labels) {
            if labels.iter().filter(|&other| other == label).count() > 1 {
                assert_eq!(position.board().role_at(m.from), Some(Role::Soldier), "{m}");
                tied += 1;
            }
        }
        (moves.len() as u64, tied)
    }

    /// Nets that have been shipped depend on it.
    #[test]
    fn the_order_of_the_labels_has_not_changed() {
        assert_eq!(
            vocabulary_hash(),
            "3f266f0e8cb1e18c561df477746405a572a53e2828ed9ad235a5c0f53ff20966"
        );
    }
}
