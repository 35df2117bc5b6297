//! Which attributes speak for a move, and which against it.

use super::{Part, Told};
use crate::attributes::full::{Catalog, Men, Scratch, View};

/// What a count in the book is called among reasons.
const BY_HEART: &str = "by_heart";

/// An attribute's value that a move has, and what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The name, such as `captured=3`; `by_heart` for what the book says.
    pub name: String,
    /// The part that it belongs to.
    pub part: Part,
    /// By how much the logarithm of the move's odds would fall without it, in bits. Negative where
    /// it speaks against the move.
    pub bits: f64,
}

/// What each attribute of the move at a place does, the largest first.
pub(super) fn reasons<M: Men, Move>(
    told: &Told<'_>,
    catalog: &Catalog<M>,
    view: &View<Move>,
    place: usize,
    scratch: &mut Scratch,
) -> Vec<Reason> {
    let numbers = view.numbers(place);
    let mut odds_with = |numbers: &[u16], by_heart: bool| {
        let moves: Vec<&[u16]> = (0..view.moves.len())
            .map(|other| if other == place { numbers } else { view.numbers(other) })
            .collect();
        let mut probabilities = told.predict(told.situation, &moves, scratch);
        if by_heart {
            told.mix_by_heart(&mut probabilities);
        }
        odds(probabilities[place])
    };
    // where the book knows much it leaves little to the attributes, which are asked without it
    let before = odds_with(numbers, false);
    let mut reasons = Vec::new();
    if told.counted.is_some() {
        let bits = odds_with(numbers, true) - before;
        reasons.push(Reason { name: BY_HEART.to_owned(), part: Part::Memory, bits });
    }
    for &number in numbers {
        let rest: Vec<u16> = numbers.iter().copied().filter(|&other| other != number).collect();
        reasons.push(Reason {
            name: catalog.name(number.into()),
            part: Part::of(catalog.attribute(number).family),
            bits: before - odds_with(&rest, false),
        });
    }
    reasons.sort_by(|a, b| b.bits.abs().total_cmp(&a.bits.abs()));
    reasons
}

/// The logarithm of the odds, in bits.
fn odds(probability: f64) -> f64 {
    let clear_of = |end: f64| end.max(f64::MIN_POSITIVE);
    clear_of(probability).log2() - clear_of(1.0 - probability).log2()
}
