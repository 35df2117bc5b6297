//! The four attributes of a xiangqi position: what the look-ahead model asks of the game.
//!
//! All are counts of one color alone; the attribute of a position is the player's count less the
//! opponent's. The model was made for chess, by A. Jansen, D. Dowe and G. Farr and by R. Wallbrink
//! (2000): that it is asked of xiangqi at all, and how, is ours.

use super::{
    Bitboard, Board, Color, Game, Move, Position, Role, Square,
    attacks::{cannon_control, side_of},
    counting,
    movegen::{Mover, pseudo_legal_targets},
};
use crate::{
    attributes::{Attributed, ByAttribute, Ending, Positioned, Seen},
    game::{self, Outcome, Side},
};

/// The squares in the middle of the board, c3 to g6: the two ranks on either side of the river,
/// without the two files at either edge. They are as large a part of the board as the sixteen
/// squares are in chess.
pub const CENTER: Bitboard = {
    let mut bits = 0;
    let mut rank = 3;
    while rank <= 6 {
        bits |= 0b00_1111100 << (9 * rank);
        rank += 1;
    }
    Bitboard(bits)
};

/// An attack on a piece that is worth no more than the attacker, in parts of a strong one.
pub(super) const WEAK_ATTACK: f32 = 0.1;

/// What a piece of a color is worth on a square, in soldiers that have not crossed the river: a
/// chariot 9, a cannon 4.5, a horse 4, an advisor, an elephant and a soldier beyond the river 2.
///
/// These are the values that beginners are taught. A general cannot be lost: it has no worth here.
pub fn worth(color: Color, role: Role, square: Square) -> f32 {
    match role {
        Role::General => 0.0,
        Role::Advisor | Role::Elephant => 2.0,
        Role::Horse => 4.0,
        Role::Chariot => 9.0,
        Role::Cannon => 4.5,
        Role::Soldier if side_of(color).contains(square) => 1.0,
        Role::Soldier => 2.0,
    }
}

/// The worth of all pieces of a color.
pub fn material(board: &Board, color: Color) -> f32 {
    let pieces = board.iter().filter(|(_, piece)| piece.color == color);
    pieces.map(|(square, piece)| worth(color, piece.role, square)).sum()
}

/// The number of moves of a color.
///
/// For the side to move these are its legal moves; for the other side those that it would have if
/// the turn were passed to it. Where the side to move is in check the turn cannot be passed, and
/// then all squares that the other side's pieces can go to are counted, without regard to the
/// safety of its general.
pub fn mobility(position: &Position, color: Color) -> usize {
    let board = position.board();
    if position.turn() == color || !position.is_check() {
        return Mover::new(board, color).moves();
    }
    let from = board.by_color(color).into_iter();
    from.map(|from| pseudo_legal_targets(board, from).count()).sum()
}

/// The squares of the [`CENTER`] that a color controls: where at least one of its pieces could
/// capture, were an enemy there.
pub fn center(board: &Board, color: Color) -> usize {
    let control = board.by_color(color).into_iter().map(|from| match board.role_at(from) {
        Some(Role::Cannon) => cannon_control(from, board.occupied()),
        _ => board.attacks_from(from),
    });
    (control.fold(Bitboard::EMPTY, |all, squares| all | squares) & CENTER).count()
}

/// The attacks of a color's pieces on the other side's pieces.
///
/// Each counts 1 where the piece attacked is worth more than the attacker and 0.1 elsewhere. A
/// general is worth more than anything: attacks on it count 1, attacks by it 0.1. A pinned piece
/// attacks like any other.
pub fn attacks(board: &Board, color: Color) -> f32 {
    let (mut strong, mut weak) = (0u8, 0u8);
    for (from, attacker) in board.iter().filter(|(_, piece)| piece.color == color) {
        for to in board.attacks_from(from) & board.by_color(!color) {
            let target = board.role_at(to).expect("a square of a color holds a piece");
            let is_worth_more = worth(!color, target, to) > worth(color, attacker.role, from);
            match attacker.role != Role::General && (target == Role::General || is_worth_more) {
                true => strong += 1,
                false => weak += 1,
            }
        }
    }
    f32::from(strong) + WEAK_ATTACK * f32::from(weak)
}

impl Attributed for Position {
    type Move = Move;

    fn side_to_move(&self) -> Side {
        self.turn().into()
    }

    fn attributes(&self, player: Side) -> ByAttribute<f32> {
        let (own, other) = (Color::from(player), Color::from(!player));
        let difference = |count: &dyn Fn(Color) -> f32| count(own) - count(other);
        ByAttribute {
            material: difference(&|color| material(self.board(), color)),
            mobility: difference(&|color| mobility(self, color) as f32),
            center: difference(&|color| center(self.board(), color) as f32),
            attacks: difference(&|color| attacks(self.board(), color)),
        }
    }

    fn for_each_move(&self, mut each: impl FnMut(&Move)) {
        Mover::of(self).for_each_move(|m| each(&m));
    }

    fn see(&self, player: Side, farther: bool, m: &Move) -> Seen {
        let after = self.after(*m);
        let board = after.board();
        let men = |color| counting::men(board, color);
        let seen = counting::see(board, after.turn(), player.into(), men);
        let looks_on = farther && seen.ending.is_none();
        Seen {
            is_quiescent: looks_on && after.is_quiescent(),
            is_forcing: looks_on && self.is_forcing(m),
            ..seen
        }
    }

    fn after(&self, m: &Move) -> Self {
        self.after(*m)
    }

    fn ending(&self) -> Option<Ending> {
        if self.winner().is_some() {
            return Some(Ending::Lost);
        }
        self.has_no_attackers().then_some(Ending::Drawn)
    }

    fn is_quiescent(&self) -> bool {
        let moves = self.legal_moves();
        !self.is_check()
            && !moves.iter().any(|&m| self.is_capture(m))
            && !moves.iter().any(|&m| self.after(m).is_check())
    }

    fn is_forcing(&self, m: &Move) -> bool {
        self.is_check() || self.is_capture(*m) || self.after(*m).is_check()
    }

    fn fingerprint(&self) -> u64 {
        self.zobrist_hash()
    }
}

impl Positioned for Game {
    type Position = Position;

    fn position(&self) -> &Position {
        self.position()
    }

    fn is_drawn_after(&self, m: &Move) -> bool {
        let mut after = self.clone();
        after.play_unchecked(*m);
        game::Game::outcome(&after) == Some(Outcome::Drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Fen;

    fn position(fen: &str) -> Position {
        fen.parse::<Fen>().unwrap().into_position().unwrap()
    }

    #[test]
    fn the_start_is_even_in_everything() {
        let start = Position::default();
        assert_eq!(start.attributes(Side::First), ByAttribute::default());
        for color in Color::ALL {
            assert_eq!(material(start.board(), color), 18.0 + 9.0 + 8.0 + 4.0 + 4.0 + 5.0);
            assert_eq!(mobility(&start, color), 44);
            // each cannon can capture the other side's horse, which is worth less
            assert_eq!(attacks(start.board(), color), 0.2);
        }
    }

    #[test]
    fn the_center_of_the_start_is_held_by_soldiers() {
        // The soldiers of c, e and g attack c4, e4 and g4. The cannons have no screen before the
        // center, the horses go to c2 and g2, the elephants to e2.
        assert_eq!(center(Position::default().board(), Color::Red), 3);
        assert_eq!(CENTER.count(), 20);
        assert!(CENTER.contains(Square::C3) && CENTER.contains(Square::G6));
    }

    #[test]
    fn a_soldier_is_worth_more_beyond_the_river() {
        let board = position("3k5/9/9/9/9/P8/9/9/9/4K4 w").board().clone();
        assert_eq!(material(&board, Color::Red), 1.0);
        let board = position("3k5/9/9/9/P8/9/9/9/9/4K4 w").board().clone();
        assert_eq!(material(&board, Color::Red), 2.0);
    }

    #[test]
    fn attacks_count_by_what_is_attacked() {
        // the horse attacks the chariot; the chariot attacks the general and the cannon
        let board = position("3k5/9/9/9/4r1C2/9/3N5/9/9/4K4 w").board().clone();
        assert_eq!(attacks(&board, Color::Red), 1.0);
        assert_eq!(attacks(&board, Color::Black), 1.1);
    }

    #[test]
    fn mobility_in_check_counts_the_other_sides_squares() {
        let check = position("3k5/9/9/9/9/9/9/9/3R5/4K4 b");
        assert_eq!(mobility(&check, Color::Black), 0);
        assert_eq!(mobility(&check, Color::Red), 17 + 3);
    }

    #[test]
    fn the_attributes_of_one_side_are_the_others_with_the_sign_changed() {
        let position = position("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w");
        let (red, black) = (position.attributes(Side::First), position.attributes(Side::Second));
        assert_ne!(red, ByAttribute::default());
        for attribute in crate::attributes::Attribute::ALL {
            assert_eq!(*red.get(attribute), -*black.get(attribute), "{attribute}");
        }
    }

    #[test]
    fn captures_checks_and_being_in_check_are_not_quiet() {
        // lone generals with a soldier that is far from everything
        assert!(position("3k5/9/9/9/9/P8/9/9/9/5K3 w").is_quiescent());
        // can capture
        assert!(!position("3k5/9/9/p8/9/P8/9/9/R8/5K3 w").is_quiescent());
        // can check
        assert!(!position("3k5/9/9/9/9/9/9/9/R8/5K3 w").is_quiescent());
        // is in check
        assert!(!position("3k5/9/9/9/9/9/9/9/3R5/5K3 b").is_quiescent());
    }

    #[test]
    fn a_side_without_moves_has_lost() {
        assert_eq!(position("R3k4/1R7/9/9/9/9/9/9/9/3K5 b").ending(), Some(Ending::Lost));
        assert_eq!(position("3k5/4P4/9/9/9/9/9/9/9/4K4 b").ending(), Some(Ending::Lost));
        assert_eq!(position("3k5/9/9/9/9/9/9/9/4A4/4K4 w").ending(), Some(Ending::Drawn));
        assert_eq!(Position::default().ending(), None);
    }

    #[test]
    fn a_position_is_quiescent_where_no_move_is_forcing() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "4k4/9/9/9/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/9/9/9/3R5/3K5 w",
            "4k4/4R4/9/9/9/9/9/9/9/3K5 b",
        ] {
            let position = position(fen);
            let is_any_forcing = position.legal_moves().iter().any(|m| position.is_forcing(m));
            assert_eq!(position.is_quiescent(), !is_any_forcing, "{fen}");
        }
    }
}
