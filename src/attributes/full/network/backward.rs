//! The way back: the gradient of the loss by every parameter.

use super::{
    BOARD, Basis, COMPARED, CONTEXT, Chance, HIDDEN, Member, Network, Part, Sample, Scratch,
    forward::Passed,
    kernel::{
        add_outer, add_rows, add_scaled, add_to_rows, dot, each_dot, multiversioned, pass_back,
        softmax,
    },
};

/// Moves less likely than this are learnt from at random.
const SMALL: f32 = 0.02;

/// What comes back from all moves to what they share.
struct Backs {
    out: [f32; HIDDEN],
    shared: [f32; HIDDEN],
    context: [f32; CONTEXT],
    board: [f32; BOARD],
}

/// What comes back from the comparison of moves.
struct Compared {
    /// To the mean of the hidden layers.
    mean: [f32; HIDDEN],
    /// That times the mean.
    offset: f32,
}

impl Chance<'_> {
    /// Leaves out some of the units and makes up for it with the others.
    #[inline(always)]
    pub(super) fn drop_some(&mut self, units: &mut [f32; BOARD]) {
        if self.dropout == 0.0 {
            return;
        }
        let scale = 1.0 / (1.0 - self.dropout);
        for unit in units.iter_mut() {
            *unit *= if (self.draw)() < self.dropout { 0.0 } else { scale };
        }
    }

    /// By how much a move of this weight counts: `None` where it is left out.
    #[inline(always)]
    fn keep(&mut self, weight: f32) -> Option<f32> {
        if weight >= SMALL {
            return Some(1.0);
        }
        ((self.draw)() * SMALL < weight).then(|| SMALL / weight)
    }
}

multiversioned! {
    fn learn(
        member: Member<'_>,
        sample: &Sample<'_>,
        scratch: &mut Scratch,
        gradient: &mut [f32],
        chance: &mut Chance<'_>,
    ) -> f64 = learn_plainly
}

#[inline(always)]
fn learn_plainly(
    member: Member<'_>,
    sample: &Sample<'_>,
    scratch: &mut Scratch,
    gradient: &mut [f32],
    chance: &mut Chance<'_>,
) -> f64 {
    let basis = Basis::of(&sample.circumstances);
    let moves: Vec<&[u16]> = sample.each_move().collect();
    let passed = member.pass(basis, sample.situation, &moves, scratch, Some(chance));
    softmax(&mut scratch.probabilities);
    let loss = -f64::from(scratch.probabilities[sample.chosen].max(f32::MIN_POSITIVE)).ln();
    // from here on these are the slopes by the logits
    scratch.probabilities[sample.chosen] -= 1.0;
    member.learn_moves(sample, &moves, &passed, scratch, gradient, chance);
    loss
}

impl Network {
    /// Adds the gradient of `−ln p` of the move played to `gradient`, and returns that number. Of
    /// several members each learns as if it were alone, and the number is the mean of theirs.
    ///
    /// Moves whose probability is small are left out at random and count the more where they are
    /// not, so that the gradient is right on average.
    pub fn learn(
        &self,
        sample: &Sample<'_>,
        scratch: &mut Scratch,
        gradient: &mut [f32],
        chance: &mut Chance<'_>,
    ) -> f64 {
        let members = self.members();
        let count = members.len() as f64;
        let gradients = gradient.chunks_exact_mut(self.shape.parameters());
        let learn = |(member, gradient)| learn(member, sample, scratch, gradient, chance);
        members.zip(gradients).map(learn).sum::<f64>() / count
    }
}

impl Member<'_> {
    #[inline(always)]
    fn learn_moves(
        &self,
        sample: &Sample<'_>,
        moves: &[&[u16]],
        passed: &Passed,
        scratch: &Scratch,
        gradient: &mut [f32],
        chance: &mut Chance<'_>,
    ) {
        let places = self.shape.places();
        let net = self.shape.net;
        let mut backs = Backs::default();
        let compared = net.then(|| self.learn_comparison(passed, scratch, gradient));
        for (place, numbers) in moves.iter().enumerate() {
            let error = scratch.probabilities[place];
            let likely = if net { scratch.impressions[place] } else { 0.0 };
            let weight = if place == sample.chosen { 1.0 } else { error.max(likely) };
            let Some(times) = chance.keep(weight) else {
                continue;
            };
            let mut slope = times * error;
            let mut back = [0.0; HIDDEN];
            if let Some(compared) = &compared {
                let hidden = &scratch.hidden[place];
                let own = self.learn_own(place, times * error, scratch, gradient);
                back = own;
                add_scaled(&mut back, times * likely, &compared.mean);
                slope += times * likely * (dot(&compared.mean, hidden) - compared.offset);
            }
            let by_basis = passed.basis.0.map(|value| slope * value);
            add_to_rows(&mut gradient[places.range(Part::Weights)], numbers, &by_basis);
            if net {
                self.learn_move(numbers, slope, back, place, passed, scratch, gradient, &mut backs);
            }
        }
        if net {
            self.learn_shared(sample, passed, &mut backs, gradient, chance.dropout);
        }
    }

    /// The gradient by what all moves share of the comparison.
    #[inline(always)]
    fn learn_comparison(
        &self,
        passed: &Passed,
        scratch: &Scratch,
        gradient: &mut [f32],
    ) -> Compared {
        let places = self.shape.places();
        let out = self.part(&places, Part::ComparedOut);
        let mut sum = [0.0; COMPARED];
        let mut by_out = [0.0; COMPARED];
        for (compared, &error) in scratch.compared.iter().zip(&scratch.probabilities) {
            for unit in 0..COMPARED {
                by_out[unit] += error * compared[unit];
                sum[unit] += if compared[unit] > 0.0 { error * out[unit] } else { 0.0 };
            }
        }
        add_to_rows(&mut gradient[places.range(Part::ComparedOut)], &[0], &by_out);
        add_to_rows(&mut gradient[places.range(Part::ComparedBias)], &[0], &sum);
        add_outer(&mut gradient[places.range(Part::Others)], &passed.mean, &sum);
        let mean = each_dot(self.part(&places, Part::Others), &sum);
        Compared { mean, offset: dot(&mean, &passed.mean) }
    }

    /// The gradient by one move's own part of the comparison; returns what comes back to its
    /// hidden layer.
    #[inline(always)]
    fn learn_own(
        &self,
        place: usize,
        error: f32,
        scratch: &Scratch,
        gradient: &mut [f32],
    ) -> [f32; HIDDEN] {
        let places = self.shape.places();
        let out = self.part(&places, Part::ComparedOut);
        let mut back: [f32; COMPARED] = std::array::from_fn(|unit| error * out[unit]);
        pass_back(&mut back, &scratch.compared[place]);
        add_outer(&mut gradient[places.range(Part::Own)], &scratch.hidden[place], &back);
        each_dot(self.part(&places, Part::Own), &back)
    }

    /// The gradient by what belongs to one move; adds what it shares with the others to `backs`.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the parts of one long sum")]
    fn learn_move(
        &self,
        numbers: &[u16],
        slope: f32,
        mut back: [f32; HIDDEN],
        place: usize,
        passed: &Passed,
        scratch: &Scratch,
        gradient: &mut [f32],
        backs: &mut Backs,
    ) {
        let places = self.shape.places();
        let hidden = &scratch.hidden[place];
        add_scaled(&mut backs.out, slope, hidden);
        add_scaled(&mut back, slope, &passed.out);
        pass_back(&mut back, hidden);
        add_scaled(&mut backs.shared, 1.0, &back);
        add_to_rows(&mut gradient[places.range(Part::Rows)], numbers, &back);
        let tint = passed.context.map(|value| slope * value);
        add_to_rows(&mut gradient[places.range(Part::Tints)], numbers, &tint);
        add_scaled(&mut backs.context, slope, &scratch.tints[place]);
        let board = passed.board.map(|value| slope * value);
        let placed = places.range(Part::Placed);
        let mut taken = [0.0; BOARD];
        for number in self.shape.placed(numbers) {
            let start = placed.start + number * BOARD;
            add_rows(&self.parameters[start..], &[0], &mut taken);
            add_to_rows(&mut gradient[start..], &[0], &board);
        }
        add_scaled(&mut backs.board, slope, &taken);
    }

    /// The gradient by what all moves share.
    #[inline(always)]
    fn learn_shared(
        &self,
        sample: &Sample<'_>,
        passed: &Passed,
        backs: &mut Backs,
        gradient: &mut [f32],
        dropout: f32,
    ) {
        let places = self.shape.places();
        let part = |part| self.part(&places, part);
        let basis = &passed.basis.0;
        let Backs { out, shared, context, board } = backs;
        add_outer(&mut gradient[places.range(Part::Out)], basis, out);
        add_outer(&mut gradient[places.range(Part::HiddenBias)], basis, shared);
        add_outer(&mut gradient[places.range(Part::Onto)], &passed.context, shared);
        let more: [f32; CONTEXT] = each_dot(part(Part::Onto), shared);
        add_scaled(context, 1.0, &more);
        pass_back(context, &passed.context);
        add_outer(&mut gradient[places.range(Part::ContextBias)], basis, context);
        add_outer(&mut gradient[places.range(Part::Between)], &passed.board, context);
        let more: [f32; BOARD] = each_dot(part(Part::Between), context);
        add_scaled(board, 1.0, &more);
        pass_back(board, &passed.board);
        board.iter_mut().for_each(|slope| *slope /= 1.0 - dropout);
        add_outer(&mut gradient[places.range(Part::BoardBias)], basis, board);
        add_to_rows(&mut gradient[places.range(Part::Situations)], sample.situation, board);
    }
}

impl Default for Backs {
    fn default() -> Self {
        Self {
            out: [0.0; HIDDEN],
            shared: [0.0; HIDDEN],
            context: [0.0; CONTEXT],
            board: [0.0; BOARD],
        }
    }
}
