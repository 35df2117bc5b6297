//! The moves of xiangqi as the [full attributes](crate::attributes::full) describe them.

mod captures;
mod checks;
mod men;
mod own;
pub mod shipped;

pub use men::XiangqiMen;
use men::number;

use super::{Color, Game, Move, Position, Role, counting};
use crate::{
    attributes::{
        Seen,
        full::{Attribute, Beheld, Facts, Family, LAST_PHASE, Look, Men, Past, Reach, Step},
    },
    game::Side,
};

/// What all horses, chariots and cannons are worth at the start, in half pawns.
const PIECES_AT_START: f32 = 140.0;
/// The ply from which on the opening begins to end, and how many plies that takes.
const OPENING: (f32, f32) = (8.0, 16.0);

fn step(position: &Position, m: Move) -> Step {
    let role = |square| position.board().role_at(square).map(number);
    Step {
        from: usize::from(m.from.index()),
        to: usize::from(m.to.index()),
        role: role(m.from).expect("a legal move moves a piece"),
        captured: role(m.to),
        promoted: None,
    }
}

impl Beheld for Game {
    const REACH: Reach = Reach::Captures;

    type Men = XiangqiMen;

    fn men(position: &Position) -> XiangqiMen {
        XiangqiMen(position.board().clone())
    }

    fn step(position: &Position, m: &Move) -> Step {
        step(position, *m)
    }

    fn for_each_capture(position: &Position, mut each: impl FnMut(&Move)) {
        captures::for_each(position, |m| each(&m));
    }

    fn largest_capture(position: &Position) -> i32 {
        captures::largest(position)
    }

    fn can_mate(_: &Position, facts: &Facts<XiangqiMen>, side: Side) -> bool {
        checks::can_mate(facts, side)
    }

    fn for_each_seen(
        position: &Position,
        player: Side,
        after: &[Facts<XiangqiMen>],
        mut each: impl FnMut(&Seen),
    ) {
        for facts in after {
            let board = facts.men.board();
            let spans = |color| men::spans(facts, color);
            each(&counting::see(board, !position.turn(), player.into(), spans));
        }
    }

    fn passed(position: &Position) -> Option<Position> {
        position.passed()
    }

    fn past(&self) -> Past {
        let mut past = Past::default();
        let played = self.played().iter().rev();
        for (known, (before, m)) in past.steps.iter_mut().zip(played) {
            *known = Some(step(before, *m));
        }
        past
    }

    fn occurrences_after(&self, m: &Move) -> usize {
        // a position comes again after four plies without a capture at the soonest
        let quiet = self.position().halfmoves() as usize;
        if quiet < 3 || self.position().is_capture(*m) {
            return 0;
        }
        let after = self.position().after(*m).zobrist_hash();
        let known = self.played().iter().rev().take(quiet);
        known.filter(|(before, _)| before.zobrist_hash() == after).count()
    }

    /// The opening by its plies and pieces, later phases by the pieces that are left.
    fn phase(&self) -> f32 {
        let position = self.position();
        let moves = position.fullmoves().get().saturating_sub(1);
        let plies = 2 * moves + u32::from(position.turn() == Color::Black);
        let opening = ((OPENING.0 + OPENING.1 - plies as f32) / OPENING.1).clamp(0.0, 1.0);
        let pieces: i32 = [Role::Horse, Role::Chariot, Role::Cannon]
            .into_iter()
            .map(|role| {
                position.board().by_role(role).count() as i32 * XiangqiMen::WORTH[number(role)]
            })
            .sum();
        let gone = (1.0 - pieces as f32 / PIECES_AT_START).clamp(0.0, 1.0);
        let late = 1.0 + (LAST_PHASE - 1.0) * gone;
        // a position set up with few pieces is no opening, whatever its counter says
        (1.0 - opening) * late + opening * LAST_PHASE * gone
    }

    fn quiet_plies(&self) -> u32 {
        self.position().halfmoves()
    }

    fn mirrored(&self) -> Option<Self> {
        Some(Self::mirrored(self))
    }

    fn mirrored_move(m: &Move) -> Move {
        m.mirrored()
    }

    fn own_attributes() -> Vec<Attribute<XiangqiMen>> {
        OWN.into_iter()
            .map(|(name, values, of)| Attribute { name, family: Family::Xiangqi, values, of })
            .collect()
    }
}

/// A name, a number of values, and a function.
type Own = (&'static str, usize, fn(&Look<'_, XiangqiMen>) -> usize);

/// The attributes that only xiangqi has.
const OWN: [Own; 6] = [
    ("river", 28, own::river),
    ("line_to_general", 72, own::line_to_general),
    ("file_of_general", 36, own::file_of_general),
    ("guards", 176, own::guards),
    ("open_horses", 9, own::open_horses),
    ("chariots_out", 42, own::chariots_out),
];

#[cfg(test)]
mod tests;
