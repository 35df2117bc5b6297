//! The expectation search: what each move of a position is worth, without storing the tree.
//!
//! The value of a position, `ply` plies from the root:
//!
//! * 0 where the game is drawn, about ±[mate](Weights::mate) where it is won or lost;
//! * the weighted attributes where the [horizon](Horizon) ends;
//! * elsewhere the [expectation](super::backup) of the values of the positions after it, under the
//!   softmax of the side that moves; the opponent is taken to weigh things as the player does.

use super::{Attributed, Horizon, Seen, Weights, backup::Expectation, weights::mate_share};
use crate::game::Side;

/// How often the search asks whether to stop, in positions.
const NODES_BETWEEN_QUESTIONS: u64 = 256;

/// A move looked at.
#[derive(Debug, Clone)]
pub(super) struct Considered<M> {
    /// The move.
    pub m: M,
    /// The value of the position after it, to the player who makes it.
    pub value: f64,
    /// The end that neither side can avoid after it, if the search saw one.
    pub forced: Option<Forced>,
    /// The move and the likeliest play after it, as far as it was looked at.
    pub line: Vec<M>,
}

/// A mate that is forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forced {
    /// Who mates.
    pub winner: Side,
    /// In how many plies, if the winner hurries and the loser delays.
    pub plies: u32,
}

/// What may end a search early.
pub(super) struct Budget<'a> {
    /// Positions that may be visited.
    pub nodes: u64,
    /// Whether to stop now.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// Looks at every move of `root` as far as `horizon`.
///
/// `is_drawn` tells which moves the history of the game makes a draw. Returns `None` where the
/// budget ended the search; `visited` counts positions even then.
pub(super) fn look_ahead<A: Attributed>(
    root: &A,
    weights: &Weights,
    horizon: Horizon,
    is_drawn: &dyn Fn(&A::Move) -> bool,
    budget: Budget<'_>,
    visited: &mut u64,
) -> Option<Vec<Considered<A::Move>>> {
    let mut search = Search {
        weights,
        horizon,
        player: root.side_to_move(),
        budget,
        nodes: 0,
        is_over: false,
        lines: vec![Vec::new(); horizon.limit as usize + 1],
    };
    let mut considered = Vec::new();
    let farther = horizon.limit > 1;
    root.for_each_seen(search.player, farther, |m, seen| {
        if search.is_over {
            return;
        }
        let (value, forced) = if is_drawn(m) {
            search.nodes += 1;
            search.lines[1].clear();
            (0.0, None)
        } else {
            search.value(root, m, seen, 1)
        };
        let mut line = vec![m.clone()];
        line.extend_from_slice(&search.lines[1]);
        considered.push(Considered { m: m.clone(), value, forced, line });
    });
    *visited += search.nodes;
    (!search.is_over).then_some(considered)
}

struct Search<'a, A: Attributed> {
    weights: &'a Weights,
    horizon: Horizon,
    player: Side,
    budget: Budget<'a>,
    nodes: u64,
    is_over: bool,
    /// By ply, the likeliest play from the position last finished there.
    lines: Vec<Vec<A::Move>>,
}

impl<A: Attributed> Search<'_, A> {
    /// The value, to the player, of the position that `m` leads to, `ply` plies from the root,
    /// and the end that is forced there.
    fn value(&mut self, parent: &A, m: &A::Move, seen: &Seen, ply: u32) -> (f64, Option<Forced>) {
        self.visit();
        self.lines[ply as usize].clear();
        if let Some(ending) = seen.ending {
            let mover = !parent.side_to_move();
            let share = mate_share(ending, mover == self.player, ply);
            let forced = (share != 0.0).then_some(Forced { winner: !mover, plies: 0 });
            return (share * self.weights.mate, forced);
        }
        if self.is_over || !self.horizon.goes_beyond(seen, ply) {
            return (self.weights.value(&seen.attributes), None);
        }
        let position = parent.after(m);
        let mover = position.side_to_move();
        let mut expectation = Expectation::new(mover == self.player);
        let mut end = Bound::new(mover);
        let farther = ply + 1 < self.horizon.limit;
        position.for_each_seen(self.player, farther, |reply, seen| {
            if self.is_over {
                return;
            }
            let (value, forced) = self.value(&position, reply, seen, ply + 1);
            if expectation.add(value) {
                let (nearer, farther) = self.lines.split_at_mut(ply as usize + 1);
                let line = &mut nearer[ply as usize];
                line.clear();
                line.push(reply.clone());
                line.extend_from_slice(&farther[0]);
            }
            end.add(forced);
        });
        (expectation.value(), end.forced())
    }

    fn visit(&mut self) {
        self.nodes += 1;
        let is_interrupted = || (self.budget.interrupted)();
        self.is_over |= self.nodes > self.budget.nodes
            || (self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && is_interrupted());
    }
}

/// What the replies of one side say about a forced end.
struct Bound {
    mover: Side,
    /// Plies to the nearest mate by the mover.
    mates: Option<u32>,
    /// Plies to the farthest mate of the mover, as long as every reply loses.
    mated: Option<u32>,
    escapes: bool,
}

impl Bound {
    fn new(mover: Side) -> Self {
        Self { mover, mates: None, mated: None, escapes: false }
    }

    fn add(&mut self, forced: Option<Forced>) {
        match forced {
            Some(Forced { winner, plies }) if winner == self.mover => {
                self.mates = Some(self.mates.map_or(plies, |nearest| nearest.min(plies)));
            }
            Some(Forced { plies, .. }) => self.mated = self.mated.max(Some(plies)),
            None => self.escapes = true,
        }
    }

    fn forced(&self) -> Option<Forced> {
        if let Some(plies) = self.mates {
            return Some(Forced { winner: self.mover, plies: plies + 1 });
        }
        let plies = self.mated.filter(|_| !self.escapes)?;
        Some(Forced { winner: !self.mover, plies: plies + 1 })
    }
}

#[cfg(test)]
mod tests;
