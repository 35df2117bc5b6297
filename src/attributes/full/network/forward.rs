//! The way from attributes to probabilities.

use super::{
    BOARD, Basis, COMPARED, CONTEXT, Chance, HIDDEN, Member, Network, Part,
    kernel::{add_products, add_rows, add_scaled, dot, multiversioned, rectify, softmax},
};

/// Buffers for one position.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// The hidden layer of each move.
    pub(super) hidden: Vec<[f32; HIDDEN]>,
    /// What each move takes from the context.
    pub(super) tints: Vec<[f32; CONTEXT]>,
    /// What comparing each move with the others says.
    pub(super) compared: Vec<[f32; COMPARED]>,
    /// How likely the first impression makes each move.
    pub(super) impressions: Vec<f32>,
    /// The probability of each move.
    pub probabilities: Vec<f32>,
    /// What the members before have made of them.
    sums: Vec<f32>,
}

/// What is left of the way to the logits, for the way back.
pub(super) struct Passed {
    pub(super) basis: Basis,
    pub(super) board: [f32; BOARD],
    pub(super) context: [f32; CONTEXT],
    pub(super) out: [f32; HIDDEN],
    pub(super) mean: [f32; HIDDEN],
}

impl Network {
    /// The probability of each move, left in the scratch; `moves` are the numbers of each.
    pub fn predict(
        &self,
        basis: Basis,
        situation: &[u16],
        moves: &[&[u16]],
        scratch: &mut Scratch,
    ) {
        let members = self.members();
        let count = members.len();
        scratch.sums.clear();
        scratch.sums.resize(moves.len(), 0.0);
        for member in members {
            predict(member, basis, situation, moves, scratch);
            scratch.sums.iter_mut().zip(&scratch.probabilities).for_each(|(sum, p)| *sum += p);
        }
        scratch.sums.iter_mut().for_each(|sum| *sum /= count as f32);
        std::mem::swap(&mut scratch.sums, &mut scratch.probabilities);
    }
}

multiversioned! {
    fn predict(
        member: Member<'_>,
        basis: Basis,
        situation: &[u16],
        moves: &[&[u16]],
        scratch: &mut Scratch,
    ) -> () = predict_plainly
}

#[inline(always)]
fn predict_plainly(
    member: Member<'_>,
    basis: Basis,
    situation: &[u16],
    moves: &[&[u16]],
    scratch: &mut Scratch,
) {
    member.pass(basis, situation, moves, scratch, None);
    softmax(&mut scratch.probabilities);
}

impl Member<'_> {
    /// Leaves the logits where the probabilities will be.
    #[inline(always)]
    pub(super) fn pass(
        &self,
        basis: Basis,
        situation: &[u16],
        moves: &[&[u16]],
        scratch: &mut Scratch,
        chance: Option<&mut Chance<'_>>,
    ) -> Passed {
        let places = self.shape.places();
        let part = |part| self.part(&places, part);
        scratch.clear();
        let mut passed = Passed::new(basis);
        if self.shape.net {
            add_rows(part(Part::Situations), situation, &mut passed.board);
            add_products(part(Part::BoardBias), &basis.0, &mut passed.board);
            rectify(&mut passed.board);
            if let Some(chance) = chance {
                chance.drop_some(&mut passed.board);
            }
            add_products(part(Part::Between), &passed.board, &mut passed.context);
            add_products(part(Part::ContextBias), &basis.0, &mut passed.context);
            rectify(&mut passed.context);
            add_products(part(Part::Out), &basis.0, &mut passed.out);
        }
        self.glance(moves, &passed, scratch);
        if self.shape.net {
            self.compare(&mut passed, scratch);
        }
        passed
    }

    /// The first impression of each move.
    #[inline(always)]
    fn glance(&self, moves: &[&[u16]], passed: &Passed, scratch: &mut Scratch) {
        let places = self.shape.places();
        let part = |part| self.part(&places, part);
        let (weights, rows, tints) = (part(Part::Weights), part(Part::Rows), part(Part::Tints));
        let placed = part(Part::Placed);
        let mut shared = [0.0; HIDDEN];
        if self.shape.net {
            add_products(part(Part::Onto), &passed.context, &mut shared);
            add_products(part(Part::HiddenBias), &passed.basis.0, &mut shared);
        }
        for numbers in moves {
            let mut sum = [0.0; Basis::COUNT];
            add_rows(weights, numbers, &mut sum);
            let mut logit = dot(&sum, &passed.basis.0);
            if self.shape.net {
                let mut hidden = shared;
                add_rows(rows, numbers, &mut hidden);
                rectify(&mut hidden);
                let mut tint = [0.0; CONTEXT];
                add_rows(tints, numbers, &mut tint);
                let mut board = [0.0; BOARD];
                for number in self.shape.placed(numbers) {
                    add_rows(&placed[number * BOARD..], &[0], &mut board);
                }
                logit += dot(&tint, &passed.context)
                    + dot(&board, &passed.board)
                    + dot(&hidden, &passed.out);
                scratch.hidden.push(hidden);
                scratch.tints.push(tint);
            }
            scratch.probabilities.push(logit);
        }
    }

    /// Adds what comparing the moves says.
    #[inline(always)]
    fn compare(&self, passed: &mut Passed, scratch: &mut Scratch) {
        let places = self.shape.places();
        let part = |part| self.part(&places, part);
        scratch.impressions.extend_from_slice(&scratch.probabilities);
        softmax(&mut scratch.impressions);
        for (hidden, &likely) in scratch.hidden.iter().zip(&scratch.impressions) {
            add_scaled(&mut passed.mean, likely, hidden);
        }
        let mut shared: [f32; COMPARED] =
            part(Part::ComparedBias).try_into().expect("the part is as wide");
        add_products(part(Part::Others), &passed.mean, &mut shared);
        let out: &[f32; COMPARED] =
            part(Part::ComparedOut).try_into().expect("the part is as wide");
        let own = part(Part::Own);
        for (hidden, logit) in scratch.hidden.iter().zip(&mut scratch.probabilities) {
            let mut compared = shared;
            add_products(own, hidden, &mut compared);
            rectify(&mut compared);
            *logit += dot(&compared, out);
            scratch.compared.push(compared);
        }
    }
}

impl Scratch {
    fn clear(&mut self) {
        self.hidden.clear();
        self.tints.clear();
        self.compared.clear();
        self.impressions.clear();
        self.probabilities.clear();
    }
}

impl Passed {
    fn new(basis: Basis) -> Self {
        Self {
            basis,
            board: [0.0; BOARD],
            context: [0.0; CONTEXT],
            out: [0.0; HIDDEN],
            mean: [0.0; HIDDEN],
        }
    }
}
