//! From the attributes of the legal moves to how likely each is: a conditional logit, and on the
//! same attributes a small net.
//!
//! The logit of a move is
//!
//! `Σ w·b + Σ t·h + v·ReLU(A·h + Σ e + B·b)`, with `h = ReLU(Σ s + C·b)`, `v = V·b`,
//!
//! where `b` is the [`Basis`] of rating and phase, the first three sums go over the numbers of the
//! move (for each a row `w` of weights, a row `t` of what it is worth in which situation, and a
//! row `e` of the net), and the last over the numbers of the situation. Without the net only the
//! first sum is left, and its weights can be read.

use super::{
    Basis, Sample,
    kernel::{add_rows, add_to_rows},
};

/// The width of the hidden layer of each move.
pub const HIDDEN: usize = 96;
/// The width of the layer that sees the situation.
pub const CONTEXT: usize = 64;

/// What a network is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many numbers the values of attributes have.
    pub values: usize,
    /// How many numbers situations have.
    pub situations: usize,
    /// Whether there is a net beside the weights.
    pub net: bool,
}

/// Where each kind of parameter begins.
#[derive(Debug, Clone, Copy)]
struct Places {
    weights: usize,
    rows: usize,
    tints: usize,
    situations: usize,
    context_bias: usize,
    between: usize,
    hidden_bias: usize,
    out: usize,
    end: usize,
}

impl Shape {
    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        self.places().end
    }

    /// How many of them, the first ones, are readable weights: [`Basis::COUNT`] for each number.
    pub fn weights(&self) -> usize {
        self.values * Basis::COUNT
    }

    fn places(&self) -> Places {
        let size = |size: usize| if self.net { size } else { 0 };
        let rows = self.weights();
        let tints = rows + size(self.values * HIDDEN);
        let situations = tints + size(self.values * CONTEXT);
        let context_bias = situations + size(self.situations * CONTEXT);
        let between = context_bias + size(Basis::COUNT * CONTEXT);
        let hidden_bias = between + size(CONTEXT * HIDDEN);
        let out = hidden_bias + size(Basis::COUNT * HIDDEN);
        let end = out + size(Basis::COUNT * HIDDEN);
        Places { weights: 0, rows, tints, situations, context_bias, between, hidden_bias, out, end }
    }
}

/// Parameters for a shape, and what is computed with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    /// All parameters, in the order of the formula above.
    pub parameters: Vec<f32>,
}

/// Buffers for one position.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// The hidden layer of each move.
    hidden: Vec<[f32; HIDDEN]>,
    /// What each move takes from the situation.
    tints: Vec<[f32; CONTEXT]>,
    /// The logit of each move, later its probability.
    pub probabilities: Vec<f32>,
}

/// What is left of the way to the logits, for the way back.
struct Passed {
    basis: Basis,
    context: [f32; CONTEXT],
    out: [f32; HIDDEN],
}

/// What comes back from all moves to what they share.
struct Backs {
    out: [f32; HIDDEN],
    shared: [f32; HIDDEN],
    context: [f32; CONTEXT],
}

impl Network {
    /// A network that knows nothing: all moves are equally likely, and the net is drawn small.
    pub fn new(shape: Shape, seed: u64) -> Self {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; shape.parameters()];
        if shape.net {
            let places = shape.places();
            let mut fill = |start: usize, end: usize, scale: f32| {
                parameters[start..end]
                    .iter_mut()
                    .for_each(|parameter| *parameter = scale * rng.random_range(-1.0..1.0));
            };
            fill(places.rows, places.tints, 0.1);
            fill(places.situations, places.context_bias, 0.1);
            fill(places.between, places.hidden_bias, 0.15);
            fill(places.out, places.end, 0.1);
        }
        Self { shape, parameters }
    }

    /// A network with these parameters; `None` where they are not as many as the shape wants.
    pub fn with_parameters(shape: Shape, parameters: Vec<f32>) -> Option<Self> {
        (parameters.len() == shape.parameters()).then_some(Self { shape, parameters })
    }

    /// What it is made for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The probability of each move, left in the scratch.
    pub fn predict<'a>(
        &self,
        basis: Basis,
        situation: &[u16],
        moves: impl Iterator<Item = &'a [u16]>,
        scratch: &mut Scratch,
    ) {
        self.pass(basis, situation, moves, scratch);
        softmax(&mut scratch.probabilities);
    }

    fn pass<'a>(
        &self,
        basis: Basis,
        situation: &[u16],
        moves: impl Iterator<Item = &'a [u16]>,
        scratch: &mut Scratch,
    ) -> Passed {
        let places = self.shape.places();
        scratch.hidden.clear();
        scratch.tints.clear();
        scratch.probabilities.clear();
        let weights = &self.parameters[places.weights..places.rows];
        let linear = |numbers: &[u16]| {
            let mut sum = [0.0; Basis::COUNT];
            add_rows(weights, numbers, &mut sum);
            dot(&sum, &basis.0)
        };
        if !self.shape.net {
            scratch.probabilities.extend(moves.map(linear));
            return Passed { basis, context: [0.0; CONTEXT], out: [0.0; HIDDEN] };
        }
        let mut context = [0.0; CONTEXT];
        add_rows(&self.parameters[places.situations..], situation, &mut context);
        add_products(&self.parameters[places.context_bias..], &basis.0, &mut context);
        context.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut shared = [0.0; HIDDEN];
        add_products(&self.parameters[places.between..], &context, &mut shared);
        add_products(&self.parameters[places.hidden_bias..], &basis.0, &mut shared);
        let mut out = [0.0; HIDDEN];
        add_products(&self.parameters[places.out..], &basis.0, &mut out);
        let rows = &self.parameters[places.rows..places.tints];
        let tints = &self.parameters[places.tints..places.situations];
        for numbers in moves {
            let mut hidden = shared;
            add_rows(rows, numbers, &mut hidden);
            hidden.iter_mut().for_each(|value| *value = value.max(0.0));
            let mut tint = [0.0; CONTEXT];
            add_rows(tints, numbers, &mut tint);
            let logit = linear(numbers) + dot(&tint, &context) + dot(&hidden, &out);
            scratch.tints.push(tint);
            scratch.probabilities.push(logit);
            scratch.hidden.push(hidden);
        }
        Passed { basis, context, out }
    }

    /// Adds the gradient of `−ln p` of the move played to `gradient`, and returns that number.
    ///
    /// Moves whose probability is small are left out at random and count the more where they are
    /// not, so that the gradient is right on average; `draw` gives numbers between zero and one.
    pub fn learn(
        &self,
        sample: &Sample<'_>,
        scratch: &mut Scratch,
        gradient: &mut [f32],
        draw: &mut impl FnMut() -> f32,
    ) -> f64 {
        let basis = Basis::of(&sample.circumstances);
        let passed = self.pass(basis, sample.situation, sample.each_move(), scratch);
        softmax(&mut scratch.probabilities);
        let loss = -f64::from(scratch.probabilities[sample.chosen].max(f32::MIN_POSITIVE)).ln();
        let places = self.shape.places();
        let mut out = [0.0; HIDDEN];
        let mut shared = [0.0; HIDDEN];
        let mut context = [0.0; CONTEXT];
        for (place, numbers) in sample.each_move().enumerate() {
            let probability = scratch.probabilities[place];
            let error = if place == sample.chosen {
                probability - 1.0
            } else if probability >= SMALL {
                probability
            } else if draw() * SMALL < probability {
                SMALL
            } else {
                continue;
            };
            let by_basis = passed.basis.0.map(|value| error * value);
            add_to_rows(&mut gradient[places.weights..places.rows], numbers, &by_basis);
            if !self.shape.net {
                continue;
            }
            let hidden = &scratch.hidden[place];
            let mut back = [0.0; HIDDEN];
            for unit in 0..HIDDEN {
                out[unit] += error * hidden[unit];
                back[unit] = if hidden[unit] > 0.0 { error * passed.out[unit] } else { 0.0 };
                shared[unit] += back[unit];
            }
            add_to_rows(&mut gradient[places.rows..places.tints], numbers, &back);
            let tint = passed.context.map(|value| error * value);
            add_to_rows(&mut gradient[places.tints..places.situations], numbers, &tint);
            let taken = scratch.tints[place].iter();
            context.iter_mut().zip(taken).for_each(|(sum, value)| *sum += error * value);
        }
        if self.shape.net {
            let backs = Backs { out, shared, context };
            self.learn_context(sample, &passed, &backs, gradient);
        }
        loss
    }

    fn learn_context(
        &self,
        sample: &Sample<'_>,
        passed: &Passed,
        backs: &Backs,
        gradient: &mut [f32],
    ) {
        let places = self.shape.places();
        let Backs { out, shared, context } = backs;
        add_outer(&mut gradient[places.out..places.end], &passed.basis.0, out);
        add_outer(&mut gradient[places.hidden_bias..places.out], &passed.basis.0, shared);
        add_outer(&mut gradient[places.between..places.hidden_bias], &passed.context, shared);
        let between = &self.parameters[places.between..places.hidden_bias];
        let mut back = [0.0; CONTEXT];
        for (unit, row) in between.chunks_exact(HIDDEN).enumerate() {
            if passed.context[unit] > 0.0 {
                back[unit] =
                    context[unit] + dot(row.try_into().expect("chunks are as wide"), shared);
            }
        }
        add_outer(&mut gradient[places.context_bias..places.between], &passed.basis.0, &back);
        let situations = &mut gradient[places.situations..places.context_bias];
        add_to_rows(situations, sample.situation, &back);
    }
}

/// Probabilities below this are learnt from at random.
const SMALL: f32 = 0.02;

fn dot<const WIDTH: usize>(one: &[f32; WIDTH], other: &[f32; WIDTH]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Adds the rows of a matrix, each times a factor.
fn add_products<const WIDTH: usize>(matrix: &[f32], factors: &[f32], sum: &mut [f32; WIDTH]) {
    for (&factor, row) in factors.iter().zip(matrix.chunks_exact(WIDTH)) {
        if factor != 0.0 {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
        }
    }
}

/// Adds the outer product of factors and a row to a matrix.
fn add_outer<const WIDTH: usize>(matrix: &mut [f32], factors: &[f32], row: &[f32; WIDTH]) {
    for (&factor, entries) in factors.iter().zip(matrix.chunks_exact_mut(WIDTH)) {
        if factor != 0.0 {
            entries.iter_mut().zip(row).for_each(|(entry, value)| *entry += factor * value);
        }
    }
}

fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - largest).exp());
    let total: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|logit| *logit /= total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::full::{Circumstances, Fit, Samples, Settings, View};

    const SHAPE: Shape = Shape { values: 7, situations: 5, net: true };

    /// Three moves of a small game.
    fn samples(chosen: usize) -> Samples {
        let mut view = View::<usize>::default();
        for (m, numbers) in [&[0, 3][..], &[1, 3, 6], &[2, 4, 5]].into_iter().enumerate() {
            view.push(m, numbers);
        }
        view.situation = vec![1, 4];
        let mut samples = Samples::default();
        let circumstances = Circumstances { rating: 1800, other_rating: 1700, phase: 1.25 };
        samples.push(&view, chosen, circumstances, 70_000, 12);
        samples
    }

    fn loss(network: &Network, samples: &Samples) -> f64 {
        let mut gradient = vec![0.0; network.parameters.len()];
        network.learn(&samples.get(0), &mut Scratch::default(), &mut gradient, &mut || 0.5)
    }

    #[test]
    fn samples_give_back_what_was_put_in() {
        let samples = samples(2);
        let sample = samples.get(0);
        assert_eq!((sample.game, sample.ply, sample.chosen, sample.moves), (70_000, 12, 2, 3));
        assert_eq!(sample.situation, [1, 4]);
        assert_eq!(sample.each_move().collect::<Vec<_>>(), [&[0, 3][..], &[1, 3, 6], &[2, 4, 5]]);
        let mut file = Vec::new();
        samples.write(&mut file).unwrap();
        let mut read = Samples::default();
        assert!(read.read(&mut file.as_slice()).unwrap());
        assert_eq!(read, samples);
        assert!(read.read(&mut &file[..20]).is_err(), "cut short");
    }

    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        for net in [false, true] {
            let network = Network::new(Shape { net, ..SHAPE }, 3);
            let samples = samples(1);
            let mut gradient = vec![0.0; network.parameters.len()];
            network.learn(&samples.get(0), &mut Scratch::default(), &mut gradient, &mut || 0.5);
            let mut checked = 0;
            for place in (0..gradient.len()).step_by(3) {
                let shifted = |by: f32| {
                    let mut network = network.clone();
                    network.parameters[place] += by;
                    loss(&network, &samples)
                };
                let here = loss(&network, &samples);
                let (up, down) = ((shifted(1e-3) - here) / 1e-3, (here - shifted(-1e-3)) / 1e-3);
                if (up - down).abs() > 1e-3 {
                    continue; // a ReLU bends here
                }
                let (slope, found) = ((up + down) / 2.0, f64::from(gradient[place]));
                assert!((slope - found).abs() < 1e-3, "{place}: {slope} and {found}");
                checked += usize::from(slope != 0.0);
            }
            assert!(checked > 3, "{checked} slopes were not zero");
        }
    }

    #[test]
    fn what_is_seen_often_is_learnt_by_heart() {
        for (net, threads) in [(false, 1), (true, 2)] {
            let settings = Settings { rate: 0.02, threads, ..Settings::default() };
            let mut fit = Fit::new(Network::new(Shape { net, ..SHAPE }, 1), settings);
            let samples = samples(2);
            let before = fit.step(&samples, &[0], 1.0);
            (0..300).for_each(|_| {
                fit.step(&samples, &[0], 1.0);
            });
            let after = fit.step(&samples, &[0], 1.0);
            assert!((before - 3f64.ln()).abs() < 0.3 && after < 0.1, "{before} {after}");
        }
    }

    #[test]
    fn a_fit_saved_and_resumed_goes_on_as_if_it_had_not_stopped() {
        let samples = samples(2);
        let steps = |fit: &mut Fit, count: usize| {
            (0..count).for_each(|_| {
                fit.step(&samples, &[0], 1.0);
                fit.take_average();
            });
        };
        let new = || Fit::new(Network::new(SHAPE, 1), Settings::default());
        let mut fit = new();
        steps(&mut fit, 5);
        let mut file = Vec::new();
        fit.save(&mut file).unwrap();
        let mut resumed = new();
        resumed.resume(&mut file.as_slice()).unwrap();
        assert!(new().resume(&mut &file[..file.len() - 1]).is_err());
        // no probability is small here, so that nothing is drawn by chance
        steps(&mut fit, 5);
        steps(&mut resumed, 5);
        assert_eq!(fit.finish(), resumed.finish());
    }

    #[test]
    fn a_strong_prior_holds_the_weights() {
        use crate::attributes::full::fit_person;
        let network = Network::new(SHAPE, 1);
        let moved = |precision| {
            let after = fit_person(&network, &samples(0), precision).parameters;
            let weights = SHAPE.weights();
            assert_eq!(after[weights..], network.parameters[weights..], "the net stays");
            after[..weights].iter().map(|weight| weight.abs()).fold(0.0, f32::max)
        };
        let (free, held) = (moved(0.1), moved(1000.0));
        assert!(free > 0.1 && held < 0.02, "{free} {held}");
    }
}
