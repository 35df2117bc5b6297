//! What positions some plies later are worth, by the four attributes of the
//! [look-ahead model](crate::attributes).

use super::{Attribute, Beheld, Family, Look, Men, families::family, look::pair};
use crate::attributes::{Attributed, ByAttribute, Ending, Weights, backup::Expectation};

/// What positions are valued by: people's weights at 1500, rounded. The values only rank moves and
/// measure differences, so one person serves for all; they are part of what shipped networks were
/// fitted to and must stay.
const WEIGHTS: Weights = Weights {
    attributes: ByAttribute { material: 0.68, mobility: 0.013, center: 0.24, attacks: 1.46 },
    mate: 9.2,
};
/// How many captures deep an exchange is followed.
const CAPTURES: u32 = 4;

/// How a move compares with the others of its position by one kind of value.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    /// How much the value is below that of the best move; zero for the best.
    pub behind: f32,
    /// How many moves are better.
    pub rank: usize,
    /// How much the value is above that of the position before the move.
    pub change: f32,
}

/// What positions some plies later are worth, where that was computed. Values are in nats of the
/// people's weights: a pawn is about 0.7.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prospect {
    /// The position after the move as it stands.
    pub one: Option<Standing>,
    /// The position after the move once all captures that pay are made.
    pub quiet: Option<Standing>,
    /// What is expected after the reply, when it is drawn as people of the weights would.
    pub two: Option<Standing>,
    /// What is left after the worst reply.
    pub worst: Option<Standing>,
}

/// The attributes of the family.
pub(super) fn all<M: Men>() -> Vec<Attribute<M>> {
    let roles = M::roles();
    family(
        Family::Ahead,
        [
            (
                "one_behind",
                BEHIND,
                (|look| look.prospect.one.map_or(0, behind)) as fn(&Look<'_, M>) -> usize,
            ),
            ("one_rank", RANKS, |look| look.prospect.one.map_or(0, rank)),
            ("one_change", CHANGES, |look| look.prospect.one.map_or(0, change)),
            ("quiet_behind", BEHIND, |look| look.prospect.quiet.map_or(0, behind)),
            ("quiet_rank", RANKS, |look| look.prospect.quiet.map_or(0, rank)),
            ("quiet_change", CHANGES, |look| look.prospect.quiet.map_or(0, change)),
            ("two_behind", BEHIND, |look| look.prospect.two.map_or(0, behind)),
            ("two_rank", RANKS, |look| look.prospect.two.map_or(0, rank)),
            ("two_change", CHANGES, |look| look.prospect.two.map_or(0, change)),
            ("worst_behind", BEHIND, |look| look.prospect.worst.map_or(0, behind)),
            ("worst_rank", RANKS, |look| look.prospect.worst.map_or(0, rank)),
            ("worst_change", CHANGES, |look| look.prospect.worst.map_or(0, change)),
            ("two_behind_of_man", BEHIND * roles, |look| {
                look.prospect.two.map_or(0, |two| pair(look.step.role, behind(two), BEHIND))
            }),
        ],
    )
}

const BEHIND: usize = 18;

/// How far the move is behind the best.
fn behind(standing: Standing) -> usize {
    const STEPS: [f32; BEHIND - 1] = [
        0.001, 0.05, 0.1, 0.16, 0.23, 0.31, 0.4, 0.5, 0.65, 0.85, 1.1, 1.5, 2.0, 2.7, 3.7, 5.0, 8.0,
    ];
    STEPS.partition_point(|&step| step < standing.behind)
}

const RANKS: usize = 12;

/// How many moves are better.
fn rank(standing: Standing) -> usize {
    match standing.rank {
        0..=5 => standing.rank + 1,
        6..=7 => 7,
        8..=10 => 8,
        11..=15 => 9,
        16..=22 => 10,
        _ => 11,
    }
}

const CHANGES: usize = 18;

/// What the move gains or loses.
fn change(standing: Standing) -> usize {
    const STEPS: [f32; CHANGES - 1] = [
        -6.0, -3.7, -2.4, -1.6, -1.0, -0.6, -0.35, -0.15, 0.0, 0.15, 0.35, 0.6, 1.0, 1.6, 2.4, 3.7,
        6.0,
    ];
    STEPS.partition_point(|&step| step < standing.change)
}

/// Looks some plies ahead with buffers of its own.
#[derive(Debug)]
pub(super) struct Search<M> {
    weights: Weights,
    nodes: u64,
    /// The captures that are being tried, those of each position after those of its parent.
    tries: Vec<Try<M>>,
}

/// A capture or promotion.
#[derive(Debug)]
struct Try<M> {
    /// The least is tried first.
    order: i32,
    m: M,
    /// What it wins if nothing is won back.
    worth: i32,
}

/// Half pawns in a unit of the attribute *material*.
const HALF_PAWNS: f64 = 2.0;

impl<M: Clone> Search<M> {
    pub(super) fn new() -> Self {
        Self { weights: WEIGHTS, nodes: 0, tries: Vec::new() }
    }

    /// How many positions were looked at so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What mate is worth.
    pub(super) fn mate(&self) -> f64 {
        self.weights.mate
    }

    /// A value in hundredths of a pawn.
    pub(super) fn centipawns(&self, value: f64) -> i32 {
        (100.0 * value / self.weights.attributes.material).round() as i32
    }

    /// What a position is worth to the side to move, as it stands.
    pub(super) fn standing<A: Attributed>(&mut self, position: &A) -> f64 {
        self.nodes += 1;
        self.weights.value(&position.attributes(position.side_to_move()))
    }

    /// What a position with these attributes is worth.
    pub(super) fn value(&mut self, attributes: &ByAttribute<f32>) -> f64 {
        self.nodes += 1;
        self.weights.value(attributes)
    }

    /// What a position is worth to the side to move once captures that pay are made. What they
    /// change besides material is left out of account.
    pub(super) fn quiet<G: Beheld<Move = M>>(
        &mut self,
        position: &G::Position,
        standing: f64,
    ) -> f64 {
        let won = self.captures::<G>(position, i32::MAX, CAPTURES);
        standing + f64::from(won) * self.weights.attributes.material / HALF_PAWNS
    }

    /// What the side to move wins by captures, in half pawns: exact where it is less than `most`.
    fn captures<G: Beheld<Move = M>>(
        &mut self,
        position: &G::Position,
        most: i32,
        left: u32,
    ) -> i32 {
        self.nodes += 1;
        if left <= 1 {
            return self.last_capture::<G>(position);
        }
        let first = self.tries.len();
        G::for_each_capture(position, |m| {
            if self.tries.len() < first + MOST_CAPTURES {
                self.tries.push(Try::new::<G>(position, m));
            }
        });
        let won = self.best_capture::<G>(position, first, most, left);
        self.tries.truncate(first);
        won
    }

    /// What the side to move wins by a capture that nobody replies to.
    fn last_capture<G: Beheld<Move = M>>(&mut self, position: &G::Position) -> i32 {
        let largest = G::largest_capture(position);
        self.nodes += u64::from(largest > 0);
        largest
    }

    /// The most that one of the captures from the `first` on wins once the other side has replied.
    fn best_capture<G: Beheld<Move = M>>(
        &mut self,
        position: &G::Position,
        first: usize,
        most: i32,
        left: u32,
    ) -> i32 {
        let mut best = 0;
        self.tries[first..].sort_unstable_by_key(|tried| tried.order);
        for place in first..self.tries.len() {
            let Try { worth, ref m, .. } = self.tries[place];
            if worth <= best {
                continue;
            }
            let after = position.after(m);
            // the other side need not capture, so that no more than `worth` can be won
            let answer = self.captures::<G>(&after, worth - best, left - 1);
            best = best.max(worth - answer);
            if best >= most {
                break;
            }
        }
        best
    }

    /// What the side that has just moved may expect once the other side has replied, and what it
    /// has after the worst reply.
    pub(super) fn after_reply<A: Attributed>(&mut self, position: &A) -> (f64, f64) {
        let mut expectation = Expectation::new(false);
        let mut worst = f64::INFINITY;
        let player = !position.side_to_move();
        let mut replies = 0;
        position.for_each_seen(player, false, |_, seen| {
            replies += 1;
            self.nodes += 1;
            let value = match seen.ending {
                Some(Ending::Lost) => -self.weights.mate,
                Some(Ending::Drawn) => 0.0,
                None => self.weights.value(&seen.attributes),
            };
            expectation.add(value);
            worst = worst.min(value);
        });
        if replies == 0 { (0.0, 0.0) } else { (expectation.value(), worst) }
    }
}

impl<M: Clone> Try<M> {
    fn new<G: Beheld<Move = M>>(position: &G::Position, m: &M) -> Self {
        let step = G::step(position, m);
        let worth = step.takes::<G::Men>();
        Self { order: G::Men::WORTH[step.role] - 32 * worth, m: m.clone(), worth }
    }
}

/// The most captures of a position that are looked at.
const MOST_CAPTURES: usize = 24;

/// Compares the values of all moves of a position; `now` is its own.
pub(super) fn compare(values: &[f64], now: f64, mut set: impl FnMut(usize, Standing)) {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (place, &value) in values.iter().enumerate() {
        let rank = values.iter().filter(|&&other| other > value).count();
        let behind = (best - value) as f32;
        set(place, Standing { behind, rank, change: (value - now) as f32 });
    }
}
