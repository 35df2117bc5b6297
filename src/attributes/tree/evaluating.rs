//! Values of a stored look-ahead, and how they change with the weights.
//!
//! The value of a group is the expectation `v = Σ q·v_j` with `q_j ∝ exp(σ·v_j)`, so that
//! `dv = Σ q_j (1 + σ (v_j − v)) dv_j`. The gradient of a sum over the root's moves goes from the
//! root outward (reverse accumulation), which takes one number a position whatever the number of
//! weights; the gradients of all the root's moves at once come from the leaves inward.
//!
//! Leaves are few and the positions that look like them many, so `exp(v)` and `exp(−v)` are
//! computed once a leaf, relative to the middle of all values. They are finite where values lie
//! within [`FARTHEST`] of it. Those farther away count as though they were that far: beside any
//! other they are chosen never or always all the same.

use super::{Beyond, Group, Node, Tree};
use crate::attributes::Weights;

/// How far from the middle values are told apart, in nats; sums of `v·exp(v)` stay finite.
const FARTHEST: f64 = 650.0;

/// Room for the numbers of one tree, to be used again for the next.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Values of the leaves, then of the groups.
    values: Vec<f64>,
    /// Their parts in sums over a group where the player chooses, and where the opponent does.
    parts: BySign<Vec<Part>>,
    /// `Σ exp(σ·v)` of each group.
    totals: Vec<f64>,
    root_values: Vec<f64>,
    /// How much of the sum whose gradient is wanted falls to the exponential of a leaf, and to its
    /// product with the value, from either kind of group.
    leaf_shares: BySign<Vec<Part>>,
    group_shares: Vec<f64>,
}

/// One for groups where the player chooses (σ = 1), one for those where the opponent does.
#[derive(Debug, Default)]
struct BySign<T> {
    player: T,
    opponent: T,
}

impl<T> BySign<T> {
    fn get(&self, group: Group) -> &T {
        if group.player_chooses { &self.player } else { &self.opponent }
    }

    fn get_mut(&mut self, group: Group) -> &mut T {
        if group.player_chooses { &mut self.player } else { &mut self.opponent }
    }
}

/// `exp(σ·v)` and `v·exp(σ·v)`, but for a factor that is the same in the whole tree; or what falls
/// to them.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(16))]
struct Part {
    weight: f64,
    weighted: f64,
}

impl Part {
    fn add(&mut self, weight: f64, weighted: f64) {
        self.weight += weight;
        self.weighted += weighted;
    }
}

impl Scratch {
    /// Takes the value of a leaf or group up, in its place.
    fn set(&mut self, place: usize, value: f64, middle: f64) {
        let weight = (value - middle).clamp(-FARTHEST, FARTHEST).exp();
        let inverse = weight.recip();
        self.values[place] = value;
        self.parts.player[place] = Part { weight, weighted: weight * value };
        self.parts.opponent[place] = Part { weight: inverse, weighted: inverse * value };
    }
}

impl Tree {
    /// The value of the position after each move of the root, to the player, in the order of
    /// [`for_each_move`](crate::attributes::Attributed::for_each_move).
    pub fn values(&self, weights: &Weights) -> Vec<f64> {
        let mut scratch = Scratch::default();
        self.evaluate(weights, &mut scratch).to_vec()
    }

    /// As [`values`](Self::values), and makes `scratch` ready for [`gradient`](Self::gradient) and
    /// [`jacobian`](Self::jacobian) of this tree.
    pub fn evaluate<'a>(&self, weights: &Weights, scratch: &'a mut Scratch) -> &'a [f64] {
        let weights = weights.to_array();
        let count = self.leaves.len() + self.groups.len();
        scratch.values.clear();
        for parts in [&mut scratch.parts.player, &mut scratch.parts.opponent] {
            parts.clear();
            parts.resize(count, Part::default());
        }
        scratch.values.extend(self.leaves.iter().map(|leaf| {
            weights.iter().zip(leaf.counts()).map(|(weight, count)| weight * count).sum::<f64>()
        }));
        let (lowest, highest) = scratch
            .values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
        let middle = 0.5 * (lowest + highest);
        scratch.values.resize(count, 0.0);
        scratch.totals.clear();
        scratch.totals.resize(self.groups.len(), 0.0);
        // the root's own moves are chosen from elsewhere
        if self.groups.len() > 1 {
            for number in 0..self.leaves.len() {
                scratch.set(number, scratch.values[number], middle);
            }
        }
        for (number, &group) in self.groups.iter().enumerate().skip(1).rev() {
            let (mut total, mut weighted) = (0.0, 0.0);
            let parts = scratch.parts.get(group);
            for &node in self.nodes_of(group) {
                let part = parts[self.place(node)];
                total += part.weight;
                weighted += part.weighted;
            }
            scratch.totals[number] = total;
            scratch.set(self.leaves.len() + number, weighted / total, middle);
        }
        let root = self.groups.first().map_or(&[][..], |&root| self.nodes_of(root));
        scratch.root_values.clear();
        scratch.root_values.extend(root.iter().map(|&node| scratch.values[self.place(node)]));
        &scratch.root_values
    }

    /// Where a node's numbers are among those of all leaves and then all groups.
    fn place(&self, node: Node) -> usize {
        match node.beyond() {
            Beyond::Leaf(leaf) => leaf,
            Beyond::Group(group) => self.leaves.len() + group,
        }
    }

    /// The gradient, by the weights in their order, of `Σ share·value` over the root's moves.
    ///
    /// `scratch` must come from [`evaluate`](Self::evaluate) of this tree, and `shares` hold a
    /// number for each move of the root.
    pub fn gradient(&self, shares: &[f64], scratch: &mut Scratch) -> [f64; Weights::COUNT] {
        let leaves = self.leaves.len();
        for leaf_shares in [&mut scratch.leaf_shares.player, &mut scratch.leaf_shares.opponent] {
            leaf_shares.clear();
            leaf_shares.resize(leaves, Part::default());
        }
        let Scratch { values, parts, totals, leaf_shares, group_shares, .. } = scratch;
        group_shares.clear();
        group_shares.resize(self.groups.len(), 0.0);
        let mut gradient = [0.0; Weights::COUNT];
        let root = self.groups.first().map_or(&[][..], |&root| self.nodes_of(root));
        for (node, &share) in root.iter().zip(shares) {
            match node.beyond() {
                Beyond::Leaf(leaf) => add_scaled(&mut gradient, self.leaves[leaf].counts(), share),
                Beyond::Group(beyond) => group_shares[beyond] += share,
            }
        }
        if self.groups.len() <= 1 {
            return gradient;
        }
        for (number, &group) in self.groups.iter().enumerate().skip(1) {
            // q (1 + σ (v_j − v)) = exp(σ v_j) (slope + v_j·by_value), both over the total
            let share = group_shares[number] / totals[number];
            let by_value = if group.player_chooses { share } else { -share };
            let slope = share - by_value * values[leaves + number];
            let parts = parts.get(group);
            let leaf_shares = leaf_shares.get_mut(group);
            for node in self.nodes_of(group) {
                match node.beyond() {
                    Beyond::Leaf(leaf) => leaf_shares[leaf].add(slope, by_value),
                    Beyond::Group(beyond) => {
                        let part = parts[leaves + beyond];
                        group_shares[beyond] += part.weight * slope + part.weighted * by_value;
                    }
                }
            }
        }
        for (number, leaf) in self.leaves.iter().enumerate() {
            let share = |parts: &[Part], shares: &[Part]| {
                let (part, share) = (parts[number], shares[number]);
                part.weight * share.weight + part.weighted * share.weighted
            };
            let share = share(&parts.player, &leaf_shares.player)
                + share(&parts.opponent, &leaf_shares.opponent);
            add_scaled(&mut gradient, leaf.counts(), share);
        }
        gradient
    }

    /// The gradient, by the weights in their order, of the value of each of the root's moves.
    ///
    /// `scratch` must come from [`evaluate`](Self::evaluate) of this tree.
    pub fn jacobian(&self, scratch: &Scratch) -> Vec<[f64; Weights::COUNT]> {
        let leaves = self.leaves.len();
        let mut gradients: Vec<_> = self.leaves.iter().map(|leaf| leaf.counts()).collect();
        gradients.resize(leaves + self.groups.len(), [0.0; Weights::COUNT]);
        for (number, &group) in self.groups.iter().enumerate().skip(1).rev() {
            let share = scratch.totals[number].recip();
            let by_value = if group.player_chooses { share } else { -share };
            let slope = share - by_value * scratch.values[leaves + number];
            let parts = scratch.parts.get(group);
            let mut gradient = [0.0; Weights::COUNT];
            for &node in self.nodes_of(group) {
                let place = self.place(node);
                let part = parts[place];
                let share = part.weight * slope + part.weighted * by_value;
                add_scaled(&mut gradient, gradients[place], share);
            }
            gradients[leaves + number] = gradient;
        }
        let root = self.groups.first().map_or(&[][..], |&root| self.nodes_of(root));
        root.iter().map(|&node| gradients[self.place(node)]).collect()
    }
}

fn add_scaled(sum: &mut [f64; Weights::COUNT], of: [f64; Weights::COUNT], by: f64) {
    for (sum, part) in sum.iter_mut().zip(of) {
        *sum += by * part;
    }
}
