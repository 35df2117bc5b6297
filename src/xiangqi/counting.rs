//! The four attributes of a position, counted in one pass over its pieces: the fast twin of the
//! definitions in [`attributes`](super::attributes). Tests hold the two together.

use super::{
    Bitboard, Board, Color, Piece, Role, Square,
    attacks::side_of,
    attributes::{CENTER, WEAK_ATTACK, worth},
    movegen::{Mover, Span, span},
};
use crate::attributes::{ByAttribute, Ending, Seen};

/// What is counted of one color.
#[derive(Default)]
struct Counts {
    material: f32,
    moves: usize,
    control: Bitboard,
    strong: u8,
    weak: u8,
}

/// What `player` sees of a board where `turn` is to move; `men` gives the men of a color, and what
/// they do.
pub(super) fn see<M>(board: &Board, turn: Color, player: Color, men: impl Fn(Color) -> M) -> Seen
where
    M: Iterator<Item = (Square, Role, Span)>,
{
    let (moves, of_mover) = of_mover(board, turn, men);
    let ending = match moves {
        0 => Some(Ending::Lost),
        _ => board.has_no_attackers().then_some(Ending::Drawn),
    };
    let sign = if player == turn { 1.0 } else { -1.0 };
    let attributes = match ending {
        None => ByAttribute::new_with(|attribute| sign * of_mover.get(attribute)),
        Some(_) => ByAttribute::default(),
    };
    Seen { ending, attributes, is_quiescent: false, is_forcing: false }
}

/// The men of a color and what they do.
pub(super) fn men(board: &Board, color: Color) -> impl Iterator<Item = (Square, Role, Span)> {
    board.by_color(color).into_iter().map(move |from| {
        let role = board.role_at(from).expect("a square of a color holds a piece");
        (from, role, span(board, from, Piece { color, role }))
    })
}

/// How many legal moves the side to move has, and its attributes less the other side's.
fn of_mover<M>(board: &Board, turn: Color, men: impl Fn(Color) -> M) -> (usize, ByAttribute<f32>)
where
    M: Iterator<Item = (Square, Role, Span)>,
{
    let mover = Mover::new(board, turn);
    // in check the turn cannot be passed, and the other side's moves are counted as they are
    let waiting = (!mover.is_check()).then(|| Mover::new(board, !turn));
    let own = count(board, turn, Some(&mover), men(turn));
    let other = count(board, !turn, waiting.as_ref(), men(!turn));
    let attributes = ByAttribute {
        material: own.material - other.material,
        mobility: own.moves as f32 - other.moves as f32,
        center: own.center() - other.center(),
        attacks: own.attacks() - other.attacks(),
    };
    (own.moves, attributes)
}

/// Counts the men of a color, whose general's safety counts where there is a mover.
fn count(
    board: &Board,
    color: Color,
    mover: Option<&Mover<'_>>,
    men: impl Iterator<Item = (Square, Role, Span)>,
) -> Counts {
    let mut counts = Counts::default();
    let other = board.by_color(!color);
    let above = Above::new(board, !color);
    let home = side_of(color);
    for (from, role, span) in men {
        counts.material += worth(color, role, from);
        counts.control |= span.control;
        counts.moves += match mover {
            Some(mover) => mover.safe(from, span.targets).map(Bitboard::count).iter().sum(),
            None => span.targets.count(),
        };
        let attacked = span.attacks & other;
        let strong = (attacked & above.those(role, home.contains(from))).count();
        counts.strong += strong as u8;
        counts.weak += (attacked.count() - strong) as u8;
    }
    counts
}

impl Counts {
    fn center(&self) -> f32 {
        (self.control & CENTER).count() as f32
    }

    fn attacks(&self) -> f32 {
        f32::from(self.strong) + WEAK_ATTACK * f32::from(self.weak)
    }
}

/// The pieces of a color that are worth more than others; its general is among all of them.
struct Above {
    /// More than a soldier at home.
    soldier: Bitboard,
    /// More than an advisor, an elephant or a soldier beyond the river.
    guard: Bitboard,
    horse: Bitboard,
    cannon: Bitboard,
    chariot: Bitboard,
}

impl Above {
    fn new(board: &Board, color: Color) -> Self {
        let role = |role| board.by_piece(Piece { color, role });
        let chariot = role(Role::General);
        let cannon = chariot | role(Role::Chariot);
        let horse = cannon | role(Role::Cannon);
        let guard = horse | role(Role::Horse);
        let at_home = role(Role::Soldier) & side_of(color);
        Self { soldier: board.by_color(color) & !at_home, guard, horse, cannon, chariot }
    }

    /// Those that are worth more than a piece, which stands on its own side of the river or not.
    fn those(&self, role: Role, is_at_home: bool) -> Bitboard {
        match role {
            Role::General => Bitboard::EMPTY,
            Role::Soldier if is_at_home => self.soldier,
            Role::Soldier | Role::Advisor | Role::Elephant => self.guard,
            Role::Horse => self.horse,
            Role::Cannon => self.cannon,
            Role::Chariot => self.chariot,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, seq::IndexedRandom};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{attributes::Attributed as _, xiangqi::Position};

    #[test]
    fn one_pass_counts_what_the_definitions_count() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let mut seen = 0;
        for _ in 0..20 {
            let mut position = Position::default();
            for _ in 0..120 {
                let moves = position.legal_moves();
                let defined = position.attributes(position.turn().into());
                let board = position.board();
                let counted = of_mover(board, position.turn(), |color| men(board, color));
                assert_eq!(counted, (moves.len(), defined), "{position:?}");
                seen += 1;
                let Some(&m) = moves.choose(&mut rng) else {
                    break;
                };
                position.play_unchecked(m);
            }
        }
        assert!(seen > 1000, "{seen} positions only");
    }
}
