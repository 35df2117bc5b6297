//! What a network is made for, and where its parameters lie.

use std::ops::Range;

use super::{BOARD, Basis, COMPARED, CONTEXT, HIDDEN};

/// What a network is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many numbers the values of attributes have.
    pub values: usize,
    /// The first and the last but one of those that name a man and a square.
    pub placed: (u16, u16),
    /// How many numbers situations have.
    pub situations: usize,
    /// Whether there is a net beside the weights.
    pub net: bool,
}

/// The kinds of parameters, in the order of the file; the formula is in [the room](super).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// `w`: for each value of an attribute.
    Weights,
    /// `e`: for each value of an attribute.
    Rows,
    /// `t`: for each value of an attribute.
    Tints,
    /// `p`: for each value that names a man and a square.
    Placed,
    /// `s`: for each number of the situation.
    Situations,
    /// `C`.
    BoardBias,
    /// `U`, a row for each unit of the board.
    Between,
    /// What is added to the context, for each function of the basis.
    ContextBias,
    /// `A`, a row for each unit of the context.
    Onto,
    /// `B`.
    HiddenBias,
    /// `V`.
    Out,
    /// `D`, a row for each hidden unit.
    Own,
    /// `E`, a row for each hidden unit.
    Others,
    /// What is added to the comparison.
    ComparedBias,
    /// `z`.
    ComparedOut,
}

impl Part {
    pub(super) const ALL: [Self; 15] = [
        Self::Weights,
        Self::Rows,
        Self::Tints,
        Self::Placed,
        Self::Situations,
        Self::BoardBias,
        Self::Between,
        Self::ContextBias,
        Self::Onto,
        Self::HiddenBias,
        Self::Out,
        Self::Own,
        Self::Others,
        Self::ComparedBias,
        Self::ComparedOut,
    ];
}

impl Shape {
    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        Part::ALL.into_iter().map(|part| self.size(part)).sum()
    }

    /// How many of them, the first ones, are readable weights: [`Basis::COUNT`] for each number.
    pub fn weights(&self) -> usize {
        self.size(Part::Weights)
    }

    /// Those of a move's numbers, which ascend, that name a man and a square, counted from the
    /// first such.
    #[inline(always)]
    pub(super) fn placed<'a>(
        &self,
        numbers: &'a [u16],
    ) -> impl Iterator<Item = usize> + Clone + use<'a> {
        let (start, end) = self.placed;
        let numbers = numbers.iter().filter(move |&&number| (start..end).contains(&number));
        numbers.map(move |&number| usize::from(number - start))
    }

    fn size(&self, part: Part) -> usize {
        let net = match part {
            Part::Weights => return self.values * Basis::COUNT,
            Part::Rows => self.values * HIDDEN,
            Part::Tints => self.values * CONTEXT,
            Part::Placed => usize::from(self.placed.1 - self.placed.0) * BOARD,
            Part::Situations => self.situations * BOARD,
            Part::BoardBias => Basis::COUNT * BOARD,
            Part::Between => BOARD * CONTEXT,
            Part::ContextBias => Basis::COUNT * CONTEXT,
            Part::Onto => CONTEXT * HIDDEN,
            Part::HiddenBias | Part::Out => Basis::COUNT * HIDDEN,
            Part::Own | Part::Others => HIDDEN * COMPARED,
            Part::ComparedBias | Part::ComparedOut => COMPARED,
        };
        if self.net { net } else { 0 }
    }

    pub(super) fn places(&self) -> Places {
        let mut starts = [0; Part::ALL.len() + 1];
        for part in Part::ALL {
            starts[part as usize + 1] = starts[part as usize] + self.size(part);
        }
        Places(starts)
    }
}

/// Where each kind of parameter begins, and where the last one ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places([usize; Part::ALL.len() + 1]);

impl Places {
    #[inline(always)]
    pub(super) fn range(&self, part: Part) -> Range<usize> {
        self.0[part as usize]..self.0[part as usize + 1]
    }
}
