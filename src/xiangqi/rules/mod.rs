//! How a game ends: by the position, or by what was played before.
//!
//! Checkmate and stalemate lose everywhere, but bodies and programs judge repetition differently.
//! The reading here is a decision of ours. When a position occurs for the third time, the moves
//! since its first occurrence are looked at:
//!
//! 1. A side that checked with every move loses; if both did, the game is drawn.
//! 2. Else, if nobody checked at all: a side that chased the same piece with every move loses; if
//!    both did, the game is drawn.
//! 3. Else the game is drawn.
//!
//! A move chases a piece if after it an attacker threatens to capture that piece without being
//! captured in turn, and did not threaten so before the move. It is no chase where the attacker is a
//! general or a soldier, where the attacked is a soldier that has not crossed the river, or where
//! two pieces of the same kind attack each other.

mod chase;
#[cfg(test)]
mod tests;

use super::{ByColor, Color, Move, Position};

/// How often a position has to occur.
const OCCURRENCES: usize = 3;
/// The plies without a capture after which the game is drawn.
const MOST_QUIET_PLIES: u32 = 120;
/// How many checks of each side count among them.
const COUNTED_CHECKS: u32 = 10;

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// A side is in check and has no move.
    Checkmate {
        /// Who has given mate.
        winner: Color,
    },
    /// A side is not in check and has no move: it has lost, unlike in chess.
    Stalemate {
        /// Who has left the other side no move.
        winner: Color,
    },
    /// A side alone has checked with every move of a repetition.
    PerpetualCheck {
        /// Who has checked.
        loser: Color,
    },
    /// A side alone has chased a piece with every move of a repetition.
    PerpetualChase {
        /// Who has chased.
        loser: Color,
    },
    /// A position has occurred three times, and neither side is to blame.
    Repetition,
    /// 120 plies have been played without a capture, each side's checks beyond ten not counted.
    QuietPlies,
    /// Neither side has a piece left that can attack.
    NoAttackers,
}

impl Conclusion {
    /// Who has won; `None` when the game is drawn.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } | Self::Stalemate { winner } => Some(winner),
            Self::PerpetualCheck { loser } | Self::PerpetualChase { loser } => Some(!loser),
            Self::Repetition | Self::QuietPlies | Self::NoAttackers => None,
        }
    }
}

/// Why the game is over that has come to `now`, if it is.
///
/// `played` are the moves so far, each with the position in which it was made.
pub fn conclusion(played: &[(Position, Move)], now: &Position) -> Option<Conclusion> {
    if let Some(winner) = now.winner() {
        let is_check = now.is_check();
        return Some(match is_check {
            true => Conclusion::Checkmate { winner },
            false => Conclusion::Stalemate { winner },
        });
    }
    if now.has_no_attackers() {
        return Some(Conclusion::NoAttackers);
    }
    let quiet = quiet_moves(played);
    if let Some(cycle) = cycle(quiet, now) {
        return Some(judge_repetition(cycle, now));
    }
    (counted_plies(quiet, now) >= MOST_QUIET_PLIES).then_some(Conclusion::QuietPlies)
}

/// The moves since the last capture.
fn quiet_moves(played: &[(Position, Move)]) -> &[(Position, Move)] {
    let captures = |(before, m): &(Position, Move)| before.is_capture(*m);
    let start = played.iter().rposition(captures).map_or(0, |capture| capture + 1);
    &played[start..]
}

/// The moves since the position occurred for the last time but two, if it did.
fn cycle<'a>(quiet: &'a [(Position, Move)], now: &Position) -> Option<&'a [(Position, Move)]> {
    let mut earlier = quiet.iter().enumerate().rev().filter(|(_, (before, _))| before == now);
    let (start, _) = earlier.nth(OCCURRENCES - 2)?;
    Some(&quiet[start..])
}

/// The position after each move.
fn positions_after<'a>(
    played: &'a [(Position, Move)],
    now: &'a Position,
) -> impl Iterator<Item = &'a Position> {
    played.iter().skip(1).map(|(before, _)| before).chain(Some(now)).take(played.len())
}

fn judge_repetition(cycle: &[(Position, Move)], now: &Position) -> Conclusion {
    let mut checks = ByColor::<bool>::new_with(|_| false);
    let mut checks_always = ByColor::<bool>::new_with(|_| true);
    for after in positions_after(cycle, now) {
        let mover = !after.turn();
        let is_check = after.is_check();
        *checks.get_mut(mover) |= is_check;
        *checks_always.get_mut(mover) &= is_check;
    }
    if checks_always.red || checks_always.black {
        return only(checks_always)
            .map_or(Conclusion::Repetition, |loser| Conclusion::PerpetualCheck { loser });
    }
    if checks.red || checks.black {
        return Conclusion::Repetition;
    }
    only(chase::chases_always(cycle, now))
        .map_or(Conclusion::Repetition, |loser| Conclusion::PerpetualChase { loser })
}

/// The color of which alone something is true.
fn only(does: ByColor<bool>) -> Option<Color> {
    match (does.red, does.black) {
        (true, false) => Some(Color::Red),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// The plies since the last capture, as far as they count towards the limit.
fn counted_plies(quiet: &[(Position, Move)], now: &Position) -> u32 {
    let mut checks = ByColor::<u32>::default();
    for after in positions_after(quiet, now) {
        *checks.get_mut(!after.turn()) += u32::from(after.is_check());
    }
    let beyond = |checks: u32| checks.saturating_sub(COUNTED_CHECKS);
    now.halfmoves().saturating_sub(beyond(checks.red) + beyond(checks.black))
}
