//! Values of a stored look-ahead, and how they change with the weights.
//!
//! The value of a group is the expectation `v = Σ q·v_j` with `q_j ∝ exp(σ·v_j)`, so that
//! `dv = Σ q_j (1 + σ (v_j − v)) dv_j`. The gradient of a sum over the root's moves goes from the
//! root outward (reverse accumulation), which takes one number a position whatever the number of
//! weights; the gradients of all the root's moves at once come from the leaves inward.

use super::{Beyond, Group, Node, Tree};
use crate::attributes::Weights;

/// Room for the numbers of one tree, to be used again for the next.
#[derive(Debug, Default)]
pub struct Scratch {
    leaf_values: Vec<f64>,
    group_values: Vec<f64>,
    /// `dv / dv_j` for each position `j` in its group; for the root's moves nothing of use.
    slopes: Vec<f64>,
    root_values: Vec<f64>,
    leaf_shares: Vec<f64>,
    group_shares: Vec<f64>,
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
        scratch.leaf_values.clear();
        scratch.leaf_values.extend(self.leaves.iter().map(|leaf| {
            weights.iter().zip(leaf).map(|(weight, &count)| weight * f64::from(count)).sum::<f64>()
        }));
        scratch.group_values.clear();
        scratch.group_values.resize(self.groups.len(), 0.0);
        scratch.slopes.clear();
        scratch.slopes.resize(self.nodes.len(), 0.0);
        for (number, &group) in self.groups.iter().enumerate().skip(1).rev() {
            scratch.group_values[number] = self.evaluate_group(group, scratch);
        }
        let root = self.groups.first().map_or(&[][..], |&root| self.nodes_of(root));
        scratch.root_values.clear();
        scratch.root_values.extend(root.iter().map(|node| match node.beyond() {
            Beyond::Leaf(number) => scratch.leaf_values[number],
            Beyond::Group(number) => scratch.group_values[number],
        }));
        &scratch.root_values
    }

    /// The value of a group whose positions have values; leaves their slopes.
    fn evaluate_group(&self, group: Group, scratch: &mut Scratch) -> f64 {
        let sign = if group.player_chooses { 1.0 } else { -1.0 };
        let first = group.first as usize;
        let nodes = self.nodes_of(group);
        let Scratch { leaf_values, group_values, slopes, .. } = scratch;
        let value = |node: &Node| match node.beyond() {
            Beyond::Leaf(number) => leaf_values[number],
            Beyond::Group(number) => group_values[number],
        };
        let largest = nodes.iter().map(|node| sign * value(node)).fold(f64::NEG_INFINITY, f64::max);
        let slopes = &mut slopes[first..first + nodes.len()];
        let (mut total, mut weighted) = (0.0, 0.0);
        for (node, slope) in nodes.iter().zip(slopes.iter_mut()) {
            let value = value(node);
            let weight = (sign * value - largest).exp();
            total += weight;
            weighted += weight * value;
            *slope = weight;
        }
        let expected = weighted / total;
        for (node, slope) in nodes.iter().zip(slopes) {
            *slope *= (1.0 + sign * (value(node) - expected)) / total;
        }
        expected
    }

    /// The gradient, by the weights in their order, of `Σ share·value` over the root's moves.
    ///
    /// `scratch` must come from [`evaluate`](Self::evaluate) of this tree, and `shares` hold a
    /// number for each move of the root.
    pub fn gradient(&self, shares: &[f64], scratch: &mut Scratch) -> [f64; Weights::COUNT] {
        scratch.leaf_shares.clear();
        scratch.leaf_shares.resize(self.leaves.len(), 0.0);
        scratch.group_shares.clear();
        scratch.group_shares.resize(self.groups.len(), 0.0);
        for (number, &group) in self.groups.iter().enumerate() {
            let first = group.first as usize;
            for (slot, node) in self.nodes_of(group).iter().enumerate() {
                let share = match number {
                    0 => shares[slot],
                    _ => scratch.group_shares[number] * scratch.slopes[first + slot],
                };
                match node.beyond() {
                    Beyond::Leaf(leaf) => scratch.leaf_shares[leaf] += share,
                    Beyond::Group(beyond) => scratch.group_shares[beyond] += share,
                }
            }
        }
        let mut gradient = [0.0; Weights::COUNT];
        for (leaf, &share) in self.leaves.iter().zip(&scratch.leaf_shares) {
            add_scaled(&mut gradient, leaf, share);
        }
        gradient
    }

    /// The gradient, by the weights in their order, of the value of each of the root's moves.
    ///
    /// `scratch` must come from [`evaluate`](Self::evaluate) of this tree.
    pub fn jacobian(&self, scratch: &Scratch) -> Vec<[f64; Weights::COUNT]> {
        let mut of_groups = vec![[0.0; Weights::COUNT]; self.groups.len()];
        for (number, &group) in self.groups.iter().enumerate().skip(1).rev() {
            let mut gradient = [0.0; Weights::COUNT];
            let first = group.first as usize;
            for (node, &slope) in self.nodes_of(group).iter().zip(&scratch.slopes[first..]) {
                match node.beyond() {
                    Beyond::Leaf(leaf) => add_scaled(&mut gradient, &self.leaves[leaf], slope),
                    Beyond::Group(beyond) => {
                        for (sum, part) in gradient.iter_mut().zip(of_groups[beyond]) {
                            *sum += slope * part;
                        }
                    }
                }
            }
            of_groups[number] = gradient;
        }
        let root = self.groups.first().map_or(&[][..], |&root| self.nodes_of(root));
        root.iter()
            .map(|node| match node.beyond() {
                Beyond::Leaf(leaf) => self.leaves[leaf].map(f64::from),
                Beyond::Group(beyond) => of_groups[beyond],
            })
            .collect()
    }
}

fn add_scaled(sum: &mut [f64; Weights::COUNT], leaf: &[f32; Weights::COUNT], by: f64) {
    for (sum, &count) in sum.iter_mut().zip(leaf) {
        *sum += by * f64::from(count);
    }
}
