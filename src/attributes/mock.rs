//! A game that is nothing but a written tree, to show what the model does with any game.

use std::hash::{Hash, Hasher};

use super::{Attributed, ByAttribute, Ending};
use crate::game::Side;

/// A position of a written tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mock {
    side: Side,
    material: f32,
    ending: Option<Ending>,
    quiescent: bool,
    /// Whether the move that leads here is not forcing.
    quietly: bool,
    after: Vec<Mock>,
}

/// Reads a tree: a number is a position of that material to the first side (the player), `x` the
/// side to move has lost, `=` a draw, `( … )` a position with moves, `!( … )` one that is not
/// quiescent, `~` before it one that a move which is not forcing leads to; the material of a position with moves may follow it after a colon. The first side
/// moves at the root.
pub(super) fn tree(text: &str) -> Mock {
    let spaced = ["(", ")", "!", "~"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, &format!(" {sign} ")));
    let mut words = spaced.split_whitespace().peekable();
    let root = parse(&mut words, Side::First);
    assert_eq!(words.next(), None, "one tree only");
    root
}

fn parse<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>, side: Side) -> Mock {
    let mut position = Mock {
        side,
        material: 0.0,
        ending: None,
        quiescent: true,
        quietly: false,
        after: Vec::new(),
    };
    let mut word = words.next().unwrap();
    if word == "~" {
        position.quietly = true;
        word = words.next().unwrap();
    }
    if word == "!" {
        position.quiescent = false;
        word = words.next().unwrap();
    }
    match word {
        "x" => position.ending = Some(Ending::Lost),
        "=" => position.ending = Some(Ending::Drawn),
        "(" => {
            while *words.peek().unwrap() != ")" {
                position.after.push(parse(words, !side));
            }
            words.next();
            if let Some(material) = words.peek().and_then(|word| word.strip_prefix(':')) {
                position.material = material.parse().unwrap();
                words.next();
            }
        }
        number => position.material = number.parse().unwrap(),
    }
    position
}

impl Attributed for Mock {
    type Move = usize;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn attributes(&self, player: Side) -> ByAttribute<f32> {
        let material = if player == Side::First { self.material } else { -self.material };
        ByAttribute { material, ..ByAttribute::default() }
    }

    fn for_each_move(&self, each: impl FnMut(&usize)) {
        (0..self.after.len()).collect::<Vec<_>>().iter().for_each(each);
    }

    fn after(&self, &m: &usize) -> Self {
        self.after[m].clone()
    }

    fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn is_quiescent(&self) -> bool {
        self.quiescent
    }

    fn is_forcing(&self, &m: &usize) -> bool {
        !self.after[m].quietly
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        format!("{self:?}").hash(&mut hasher);
        hasher.finish()
    }
}
