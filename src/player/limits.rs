//! How long and how far to think, and what that means in time.

use std::time::Duration;

use crate::game::Side;

/// The limits of one `go`; the first one reached ends the thinking.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Think this long.
    pub movetime: Option<Duration>,
    /// The clocks of the game.
    pub clocks: Clocks,
    /// Look at most this many plies ahead.
    pub depth: Option<u32>,
    /// Visit at most this many positions.
    pub nodes: Option<u64>,
    /// Hold the answer until told to stop.
    pub infinite: bool,
    /// Think on the opponent's time, and hold the answer until the opponent has moved.
    pub ponder: bool,
}

/// The clocks of a game. User interfaces may send only one of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clocks {
    /// The clock of each side, as UCI tells them.
    BySide {
        /// White's, or Red's.
        first: Option<Clock>,
        /// Black's.
        second: Option<Clock>,
    },
    /// The clock of who is to move and that of the opponent, as UCCI tells them.
    ByTurn {
        /// Of the side to move.
        mover: Option<Clock>,
        /// Of the other side.
        opponent: Option<Clock>,
    },
}

impl Default for Clocks {
    fn default() -> Self {
        Self::BySide { first: None, second: None }
    }
}

/// The time that one side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left; zero also where the user interface sent less.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to be made before time is added; `None` where time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Moves for which the time left must last when nobody says how many there are.
const MOVES_LEFT: u32 = 30;
/// The part of the remaining time that one move may use at most, as a divisor.
const LARGEST_SHARE: u32 = 4;
/// Time kept back for the way to the user interface.
const OVERHEAD: Duration = Duration::from_millis(15);

impl Limits {
    /// How long to think, counted from the moment the request arrived, when `mover` is to move.
    ///
    /// `None` where time is no limit: with `infinite`, or where neither a time nor the mover's
    /// clock was told. `movetime` wins over clocks. What `ponder` says is not considered: the
    /// caller starts counting when the opponent has moved.
    pub fn budget(&self, mover: Side) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        if let Some(movetime) = self.movetime {
            return Some(movetime.saturating_sub(OVERHEAD.min(movetime / 2)));
        }
        let clock = match (&self.clocks, mover) {
            (Clocks::BySide { first: clock, .. }, Side::First)
            | (Clocks::BySide { second: clock, .. }, Side::Second)
            | (Clocks::ByTurn { mover: clock, .. }, _) => *clock,
        }?;
        // interfaces that have nothing to say here send zero
        let told = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = told.map_or(MOVES_LEFT, |moves| moves.min(MOVES_LEFT));
        let share = clock.remaining / moves + clock.increment / 2;
        let most = if moves == 1 { clock.remaining / 2 } else { clock.remaining / LARGEST_SHARE };
        Some(share.min(most).saturating_sub(OVERHEAD.min(most / 2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn one_clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        Limits { clocks: Clocks::BySide { first: Some(clock), second: None }, ..Limits::default() }
    }

    #[test]
    fn movetime_wins_over_clocks_and_is_never_used_up() {
        let limits = Limits { movetime: Some(ms(100)), ..one_clock(5, 0, None) };
        assert_eq!(limits.budget(Side::First), Some(ms(85)));
        let short = Limits { movetime: Some(ms(2)), ..Limits::default() };
        assert!(short.budget(Side::Second).unwrap() < ms(2));
    }

    #[test]
    fn only_the_movers_clock_counts() {
        let limits = one_clock(60_000, 0, None);
        assert_eq!(limits.budget(Side::First), Some(ms(1_985)));
        assert_eq!(limits.budget(Side::Second), None);
        let clock = Some(Clock { remaining: ms(60_000), ..Clock::default() });
        let by_turn =
            Limits { clocks: Clocks::ByTurn { mover: clock, opponent: None }, ..Limits::default() };
        assert_eq!(by_turn.budget(Side::Second), Some(ms(1_985)));
    }

    #[test]
    fn no_clock_is_ever_overrun() {
        for remaining in [0, 1, 10, 100, 1_000, 100_000] {
            for increment in [0, 1_000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let budget =
                        one_clock(remaining, increment, moves_to_go).budget(Side::First).unwrap();
                    assert!(budget <= ms(remaining) / 2, "{remaining} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn infinite_has_no_budget() {
        let limits = Limits { infinite: true, ..one_clock(1_000, 0, None) };
        assert_eq!(limits.budget(Side::First), None);
    }
}
