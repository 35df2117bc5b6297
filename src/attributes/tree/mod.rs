//! A look-ahead stored: built once, evaluated under many weights.

mod evaluating;
mod interning;
mod leaf;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use self::evaluating::Scratch;
use self::{interning::Interner, leaf::Leaf};
use super::{Attributed, Horizon, weights::mate_share};
use crate::game::Side;

/// The positions looked at from one position, as flat arrays.
///
/// Positions come in groups of siblings, in the order of the moves that lead to them; the root's
/// moves are the first group, and the group that lies beyond a position comes after the group that
/// the position is in. Positions reached by different orders of moves share the group beyond them,
/// and leaves that look the same are stored once.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    groups: Vec<Group>,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// Positions reached by the moves of one position.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Group {
    first: u32,
    size: u16,
    player_chooses: bool,
}

/// A position: a number of a leaf or, with the highest bit set, of the group beyond it. In three
/// bytes, because there are hundreds of millions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node([u8; 3]);

/// What a [`Node`] stands for.
enum Beyond {
    Leaf(usize),
    Group(usize),
}

impl Node {
    const IS_GROUP: u32 = 1 << 23;

    fn leaf(number: u32) -> Self {
        Self::new(number, 0)
    }

    fn group(number: usize) -> Self {
        Self::new(number as u32, Self::IS_GROUP)
    }

    fn new(number: u32, flag: u32) -> Self {
        // a look-ahead of four plies has at most some hundred thousand groups and leaves
        assert!(number < Self::IS_GROUP, "a look-ahead has more than eight million parts");
        let [a, b, c, _] = (number | flag).to_le_bytes();
        Self([a, b, c])
    }

    fn beyond(self) -> Beyond {
        let [a, b, c] = self.0;
        let bits = u32::from_le_bytes([a, b, c, 0]);
        let number = (bits & !Self::IS_GROUP) as usize;
        if bits & Self::IS_GROUP == 0 { Beyond::Leaf(number) } else { Beyond::Group(number) }
    }
}

impl Tree {
    /// Looks ahead from `root` as far as `horizon`. `is_drawn` tells which of its moves the
    /// history of the game makes a draw.
    pub fn build<A: Attributed>(
        root: &A,
        horizon: Horizon,
        is_drawn: impl Fn(&A::Move) -> bool,
    ) -> Self {
        let mut builder = Builder {
            tree: Self { groups: Vec::new(), nodes: Vec::new(), leaves: Vec::new() },
            interner: Interner::default(),
            player: root.side_to_move(),
            horizon,
            numbered: 1,
            new_leaves: Vec::new(),
        };
        let mut front = builder.add_group(root, 1, is_drawn);
        let mut ply = 1;
        while !front.is_empty() {
            ply += 1;
            let mut beyond = Front::default();
            for position in front.positions {
                builder.extend(&position, ply, |_| false, &mut beyond);
            }
            front = beyond;
        }
        let Builder { mut tree, interner, .. } = builder;
        tree.leaves = interner.into_leaves();
        tree.nodes.shrink_to_fit();
        tree
    }

    /// How many moves the root has.
    pub fn moves(&self) -> usize {
        self.groups.first().map_or(0, |root| root.size as usize)
    }

    /// How many positions are stored, the root not counted. Fewer than a search visits, where
    /// orders of moves lead to the same position.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// How many bytes the tree takes up.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.groups[..]) + size_of_val(&self.nodes[..]) + size_of_val(&self.leaves[..])
    }

    fn nodes_of(&self, group: Group) -> &[Node] {
        let first = group.first as usize;
        &self.nodes[first..first + group.size as usize]
    }
}

/// Positions of one ply that are to be looked beyond, in the order of their groups.
struct Front<A> {
    positions: Vec<A>,
    groups: HashMap<u64, usize>,
}

impl<A> Default for Front<A> {
    fn default() -> Self {
        Self { positions: Vec::new(), groups: HashMap::new() }
    }
}

impl<A> Front<A> {
    fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

struct Builder {
    tree: Tree,
    interner: Interner,
    player: Side,
    horizon: Horizon,
    /// How many groups have been given a number.
    numbered: usize,
    /// Leaves of the group that is being added, with the places of their nodes.
    new_leaves: Vec<(usize, Leaf)>,
}

impl Builder {
    fn add_group<A: Attributed>(
        &mut self,
        parent: &A,
        ply: u32,
        is_drawn: impl Fn(&A::Move) -> bool,
    ) -> Front<A> {
        let mut front = Front::default();
        self.extend(parent, ply, is_drawn, &mut front);
        front
    }

    /// Adds the group of the positions after `parent`, `ply` plies from the root, and puts those
    /// that are to be looked beyond into `front`.
    fn extend<A: Attributed>(
        &mut self,
        parent: &A,
        ply: u32,
        is_drawn: impl Fn(&A::Move) -> bool,
        front: &mut Front<A>,
    ) {
        let first = self.tree.nodes.len();
        let farther = ply < self.horizon.limit;
        parent.for_each_seen(self.player, farther, |m, seen| {
            let leaf = if is_drawn(m) {
                Leaf::DRAWN
            } else if let Some(ending) = seen.ending {
                Leaf::ended(mate_share(ending, parent.side_to_move() != self.player, ply))
            } else if self.horizon.goes_beyond(seen, ply) {
                let number = self.number(parent.after(m), front);
                return self.tree.nodes.push(Node::group(number));
            } else {
                Leaf::seen(&seen.attributes)
            };
            self.new_leaves.push((self.tree.nodes.len(), leaf));
            self.tree.nodes.push(Node::leaf(0));
        });
        // all at once, so that the processor can wait for several slots of the table at a time
        for (place, leaf) in self.new_leaves.drain(..) {
            self.tree.nodes[place] = Node::leaf(self.interner.number(leaf));
        }
        self.tree.groups.push(Group {
            first: first as u32,
            size: (self.tree.nodes.len() - first) as u16,
            player_chooses: parent.side_to_move() == self.player,
        });
    }

    /// The number of the group beyond a position, which is put into `front` if it is not there.
    fn number<A: Attributed>(&mut self, position: A, front: &mut Front<A>) -> usize {
        *front.groups.entry(position.fingerprint()).or_insert_with(|| {
            front.positions.push(position);
            self.numbered += 1;
            self.numbered - 1
        })
    }
}
