//! A look-ahead stored: built once, evaluated under many weights.

use super::{Attributed, Horizon, Weights, backup::Expectation, weights::mate_share};

/// The positions looked at from one position, as flat arrays.
///
/// Positions are numbered from the root outward: the children of one position lie together, in
/// the order of its moves, and after the children of every position that comes before it. The
/// root's children, one for each of its moves, come first. The value of a position that is not
/// looked beyond is a product of the weights with numbers that do not depend on them, its leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The four attributes of each position that is not looked beyond; zero for the others, and
    /// for those where the game has ended.
    attributes: Vec<[f32; 4]>,
    /// Positions won or lost, with the share of the weight of mate that they are worth.
    mates: Vec<(u32, f32)>,
    /// Positions looked beyond, in the order of their children.
    expanded: Vec<Expanded>,
    /// How many moves the root has.
    moves: u32,
}

/// A position looked beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Expanded {
    position: u32,
    first_child: u32,
    children: u32,
    player_chooses: bool,
}

impl Tree {
    /// Looks ahead from `root` as far as `horizon`. `is_drawn` tells which of its moves the
    /// history of the game makes a draw.
    pub fn build<A: Attributed>(
        root: &A,
        horizon: Horizon,
        is_drawn: impl Fn(&A::Move) -> bool,
    ) -> Self {
        let mut tree =
            Self { attributes: Vec::new(), mates: Vec::new(), expanded: Vec::new(), moves: 0 };
        let player = root.side_to_move();
        let mut front = Vec::new();
        root.for_each_move(|m| {
            if is_drawn(m) {
                tree.attributes.push([0.0; 4]);
            } else {
                front.extend(tree.add(root, m, horizon, 1, player));
            }
        });
        tree.moves = tree.attributes.len() as u32;
        let mut ply = 1;
        while !front.is_empty() {
            ply += 1;
            let mut next = Vec::new();
            for (position, looked_at) in front {
                let first_child = tree.attributes.len() as u32;
                A::for_each_move(&looked_at, |m| {
                    next.extend(tree.add(&looked_at, m, horizon, ply, player));
                });
                tree.expanded.push(Expanded {
                    position,
                    first_child,
                    children: tree.attributes.len() as u32 - first_child,
                    player_chooses: looked_at.side_to_move() == player,
                });
            }
            front = next;
        }
        tree
    }

    /// Adds the position after `m`; returns it with its number if it is to be looked beyond.
    fn add<A: Attributed>(
        &mut self,
        parent: &A,
        m: &A::Move,
        horizon: Horizon,
        ply: u32,
        player: crate::game::Side,
    ) -> Option<(u32, A)> {
        let number = self.attributes.len() as u32;
        let position = parent.after(m);
        let mut leaf = [0.0; 4];
        let mut beyond = None;
        if let Some(ending) = position.ending() {
            let share = mate_share(ending, position.side_to_move() == player, ply);
            if share != 0.0 {
                self.mates.push((number, share as f32));
            }
        } else if horizon.goes_beyond(parent, m, &position, ply) {
            beyond = Some((number, position));
        } else {
            let seen = position.attributes(player);
            leaf = [seen.material, seen.mobility, seen.center, seen.attacks];
        }
        self.attributes.push(leaf);
        beyond
    }

    /// How many moves the root has.
    pub fn moves(&self) -> usize {
        self.moves as usize
    }

    /// How many positions are stored, the root not counted.
    pub fn positions(&self) -> usize {
        self.attributes.len()
    }

    /// The value of the position after each move of the root, to the player, in the order of
    /// [`Attributed::for_each_move`].
    pub fn values(&self, weights: &Weights) -> Vec<f64> {
        let mut values = self.leaf_values(weights);
        for expanded in self.expanded.iter().rev() {
            let mut expectation = Expectation::new(expanded.player_chooses);
            let first = expanded.first_child as usize;
            for &value in &values[first..first + expanded.children as usize] {
                expectation.add(value);
            }
            values[expanded.position as usize] = expectation.value();
        }
        values.truncate(self.moves());
        values
    }

    fn leaf_values(&self, weights: &Weights) -> Vec<f64> {
        let [material, mobility, center, attacks, mate] = weights.to_array();
        let value = |leaf: &[f32; 4]| {
            material * f64::from(leaf[0])
                + mobility * f64::from(leaf[1])
                + center * f64::from(leaf[2])
                + attacks * f64::from(leaf[3])
        };
        let mut values: Vec<f64> = self.attributes.iter().map(value).collect();
        for &(position, share) in &self.mates {
            values[position as usize] = mate * f64::from(share);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{
        Strategy,
        mock::{Mock, tree as mock},
        published::{ADVANCED, of_rating},
        search::{Budget, look_ahead},
    };

    fn agree<A: Attributed>(root: &A, weights: &Weights, strategy: Strategy) {
        let stored = Tree::build(root, strategy.horizon(), |_| false);
        let budget = Budget { nodes: u64::MAX, interrupted: &|| false };
        let mut visited = 0;
        let considered =
            look_ahead(root, weights, strategy.horizon(), &|_| false, budget, &mut visited)
                .unwrap();
        assert_eq!(visited as usize, stored.positions());
        let values = stored.values(weights);
        assert_eq!(values.len(), considered.len());
        for (stored, considered) in values.iter().zip(&considered) {
            // shares of mate are stored in single precision
            assert!((stored - considered.value).abs() < 1e-5, "{strategy}: {stored}");
        }
    }

    #[test]
    fn the_stored_tree_and_the_search_agree() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position: shakmaty::Chess = fen
                .parse::<shakmaty::fen::Fen>()
                .unwrap()
                .into_position(shakmaty::CastlingMode::Standard)
                .unwrap();
            for strategy in [
                Strategy::Min1Max1,
                Strategy::Min1Max2,
                Strategy::Min2Max2,
                Strategy::Min1Max3,
                Strategy::Forcing4,
            ] {
                agree(&position, &of_rating(1500.0), strategy);
                agree(&position, &ADVANCED, strategy);
            }
        }
    }

    #[test]
    fn a_draw_by_history_is_worth_nothing() {
        let root: Mock = mock("(1 2)");
        let weights = Weights::from_array([1.0, 0.0, 0.0, 0.0, 9.0]);
        let drawn = Tree::build(&root, Strategy::Min1Max1.horizon(), |&m| m == 1);
        assert_eq!(drawn.values(&weights), [1.0, 0.0]);
    }
}
