//! The attributes that all games share, family by family, one function each.

mod checks;
mod exchange;
mod hanging;
mod history;
mod king;
mod mobility;
mod squares;
mod standing;
mod threats;

use super::{Attribute, Family, Look, Men};

/// The attributes of all families, in the order of their numbers.
pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    [
        exchange::all(),
        hanging::all(),
        threats::all(),
        checks::all(),
        mobility::all(),
        squares::all(),
        king::all(),
        history::all(),
        standing::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The attributes of one family, from their names, numbers of values and functions.
pub(super) fn family<M: Men>(
    family: Family,
    attributes: impl IntoIterator<Item = (&'static str, usize, fn(&Look<'_, M>) -> usize)>,
) -> Vec<Attribute<M>> {
    attributes
        .into_iter()
        .map(|(name, values, of)| Attribute { name, family, values, of })
        .collect()
}
