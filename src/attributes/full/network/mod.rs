//! From the attributes of the legal moves to how likely each is: a conditional logit, and on the
//! same attributes a net.
//!
//! The logit of a move is a first impression
//!
//! `i = Σ w·b + Σ t·c + Σ p·s + v·h`, with `s = ReLU(Σ s + C·b)`, `c = ReLU(U·s + …·b)`,
//! `h = ReLU(A·c + Σ e + B·b)`, `v = V·b`,
//!
//! and what comparing it with the others adds: `z·ReLU(D·h + E·H + …)`, where `H` is the sum of
//! the `h` of all moves, each as likely as its first impression makes it.
//!
//! `b` is the [`Basis`] of rating and phase. The sums of `w`, `t` and `e` go over the numbers of
//! the move, that of `p` over those which name a man and a square, that of `s` over the numbers of
//! the situation. Without the net only the first sum is left, and its weights can be read.
//!
//! A network may have several members, each with parameters of its own that were drawn and learnt on
//! their own. What it predicts is the mean of their probabilities, since each errs in its own way.

mod backward;
mod forward;
mod shape;
#[cfg(test)]
mod tests;

use super::{Basis, Sample, kernel};
pub use forward::Scratch;
pub use shape::Shape;
use shape::{Part, Places};

/// The width of the layer that sees the board.
pub const BOARD: usize = 256;
/// The width of what is made of it for all attributes.
pub const CONTEXT: usize = 64;
/// The width of the hidden layer of each move.
pub const HIDDEN: usize = 128;
/// The width of the layer that compares a move with the others.
pub const COMPARED: usize = 32;

/// Parameters for a shape, and what is computed with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    /// All parameters, member by member and of each kind by kind.
    pub parameters: Vec<f32>,
}

/// One of those who make up a network.
#[derive(Debug, Clone, Copy)]
struct Member<'a> {
    shape: Shape,
    /// Its parameters, kind by kind.
    parameters: &'a [f32],
}

/// What is left to chance while learning.
pub struct Chance<'a> {
    /// Gives numbers between zero and one.
    pub draw: &'a mut dyn FnMut() -> f32,
    /// The share of the units that see the board which are left out, anew for every sample.
    pub dropout: f32,
}

impl Network {
    /// A network that knows nothing: all moves are about equally likely, and the net is drawn
    /// small.
    pub fn new(shape: Shape, seed: u64) -> Self {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; shape.parameters()];
        let places = shape.places();
        for part in Part::ALL {
            let scale = match part {
                Part::Rows | Part::Situations | Part::Out => 0.1,
                Part::Between => 0.1,
                Part::Onto | Part::Own | Part::Others => 0.12,
                Part::ComparedOut => 0.05,
                _ => continue,
            };
            parameters[places.range(part)]
                .iter_mut()
                .for_each(|parameter| *parameter = scale * rng.random_range(-1.0..1.0));
        }
        Self { shape, parameters }
    }

    /// The same for a network of several members, each drawn by a seed of its own, `seed` and those
    /// that follow.
    pub fn of_members(shape: Shape, members: u64, seed: u64) -> Self {
        let each = (0..members).map(|member| Self::new(shape, seed.wrapping_add(member)));
        Self { shape, parameters: each.flat_map(|network| network.parameters).collect() }
    }

    /// A network with these parameters; `None` where they are not as many as the shape wants for
    /// one member or several.
    pub fn with_parameters(shape: Shape, parameters: Vec<f32>) -> Option<Self> {
        let is_whole = parameters.len().is_multiple_of(shape.parameters());
        (is_whole && !parameters.is_empty()).then_some(Self { shape, parameters })
    }

    /// What it is made for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many members it has.
    pub fn member_count(&self) -> usize {
        self.members().len()
    }

    /// Its members.
    fn members(&self) -> impl ExactSizeIterator<Item = Member<'_>> {
        let each = self.parameters.chunks_exact(self.shape.parameters());
        each.map(|parameters| Member { shape: self.shape, parameters })
    }
}

impl Member<'_> {
    #[inline(always)]
    fn part(&self, places: &Places, part: Part) -> &[f32] {
        &self.parameters[places.range(part)]
    }
}
