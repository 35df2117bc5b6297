//! The four attributes of a chess position, each defined once and written for reading.
//!
//! All are counts of one color alone; the attribute of a position is the player's count less the
//! opponent's. The search takes them from [`Sight`](super::sight::Sight), which gets the same
//! numbers faster; tests hold the two together.
//!
//! Source: A. Jansen, D. Dowe, G. Farr, "Inductive Inference of Chess Player Strategy", 2000, and
//! R. Wallbrink's thesis of the same year. What they leave open is settled here and marked *ours*.

use shakmaty::{Bitboard, Chess, Color, Position, Role};

/// The sixteen squares in the middle of the board, c3 to f6.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// An attack on a piece that is worth no more than the attacker, in parts of a strong one.
pub(super) const WEAK_ATTACK: f32 = 0.1;

/// What a piece is worth in pawns: queen 9, rook 5, bishop and knight 3.
///
/// A king cannot be lost: it has no worth of its own here.
pub(super) const fn worth(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The worth of all pieces of `color`, in pawns.
pub fn material(position: &Chess, color: Color) -> u32 {
    let board = position.board();
    Role::ALL.iter().map(|&role| count(board.by_piece(role.of(color))) * worth(role)).sum()
}

/// The number of moves of `color`; the four promotions of one pawn step are four moves.
///
/// For the side to move these are its legal moves. For the other side they are the legal moves it
/// would have if the turn were passed to it, en passant excepted; but where the side to move is
/// in check the turn cannot be passed, and then all squares that its pieces can go to are counted,
/// without regard to the safety of its own king and without castling *(ours)*.
pub fn mobility(position: &Chess, color: Color) -> u32 {
    if position.turn() == color {
        return position.legal_moves().len() as u32;
    }
    match position.clone().swap_turn() {
        Ok(passed) => passed.legal_moves().len() as u32,
        Err(_) => pseudo_legal_mobility(position, color),
    }
}

fn pseudo_legal_mobility(position: &Chess, color: Color) -> u32 {
    let board = position.board();
    let (own, other) = (board.by_color(color), board.by_color(!color));
    let mut moves = 0;
    for from in own {
        if !board.pawns().contains(from) {
            moves += count(board.attacks_from(from) & !own);
            continue;
        }
        let step = color.fold_wb(8, -8);
        let mut targets = board.attacks_from(from) & other;
        if let Some(one) = from.offset(step).filter(|&square| !board.occupied().contains(square)) {
            targets.add(one);
            let start = color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
            let two = one.offset(step).filter(|&square| !board.occupied().contains(square));
            if let Some(two) = two.filter(|_| from.rank() == start) {
                targets.add(two);
            }
        }
        moves += count(targets & !Bitboard::BACKRANKS) + 4 * count(targets & Bitboard::BACKRANKS);
    }
    moves
}

/// The squares of the center, c3 to f6, that at least one piece of `color` attacks.
///
/// A square attacked twice counts once *(ours)*. It may hold a piece of either color.
pub fn center(position: &Chess, color: Color) -> u32 {
    let board = position.board();
    let controlled = board
        .by_color(color)
        .into_iter()
        .fold(Bitboard::EMPTY, |squares, from| squares | board.attacks_from(from));
    count(controlled & CENTER)
}

/// The attacks of pieces of `color` on the other side's pieces *(enemy pieces only: ours)*.
///
/// Each counts 1 where the piece attacked is worth more than the attacker and 0.1 elsewhere. A
/// king is worth more than anything: attacks on it count 1, attacks by it 0.1. A pinned piece
/// attacks like any other.
pub fn attacks(position: &Chess, color: Color) -> f32 {
    let board = position.board();
    let (mut strong, mut weak) = (0, 0);
    for from in board.by_color(color) {
        let attacker = board.role_at(from).expect("a square of this color holds a piece");
        for target in board.attacks_from(from) & board.by_color(!color) {
            let target = board.role_at(target).expect("a square of a color holds a piece");
            if is_strong(attacker, target) {
                strong += 1;
            } else {
                weak += 1;
            }
        }
    }
    strong as f32 + WEAK_ATTACK * weak as f32
}

/// Whether an attack by one role on another counts in full.
fn is_strong(attacker: Role, target: Role) -> bool {
    attacker != Role::King && (target == Role::King || worth(target) > worth(attacker))
}

/// How many squares there are in a set.
pub(super) fn count(squares: Bitboard) -> u32 {
    squares.count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::position;

    #[test]
    fn the_start_is_even_in_everything() {
        let start = Chess::default();
        for color in Color::ALL {
            assert_eq!(material(&start, color), 8 + 4 * 3 + 2 * 5 + 9);
            assert_eq!(mobility(&start, color), 20);
            assert_eq!(center(&start, color), 4, "c3 to f3 only, or c6 to f6");
            assert_eq!(attacks(&start, color), 0.0);
        }
    }

    #[test]
    fn golden_values_of_a_kings_gambit() {
        // 1 e4 e5 2 f4
        let gambit = position("rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq f3 0 2");
        for color in Color::ALL {
            assert_eq!(material(&gambit, color), 39);
        }
        // a3 a4 b3 b4 c3 c4 d3 d4 g3 g4 h3 h4 f5
        // fxe5 = 14; Na3 Nc3 Nf3 Nh3 Ne2 = 5; Be2 Bd3 Bc4 Bb5 Ba6 = 5; Qe2 Qf3 Qg4 Qh5 = 4;
        // Ke2 Kf2 = 2
        assert_eq!(mobility(&gambit, Color::White), 30);
        // a6 a5 b6 b5 c6 c5 d6 d5 f6 f5 g6 g5 h6 h5 exf4 = 15; Na6 Nc6 Nf6 Nh6 Ne7 = 5;
        // Be7 Bd6 Bc5 Bb4 Ba3 = 5; Qe7 Qf6 Qg5 Qh4 = 4; Ke7 = 1
        assert_eq!(mobility(&gambit, Color::Black), 30);
        // c3 d3 e3 f3 by the pieces behind; c4 by the bishop; e4's pawn: d5 f5; f4's: e5
        assert_eq!(center(&gambit, Color::White), 8);
        // c6 d6 e6 f6; c5 by the bishop; e5's pawn: d4 f4
        assert_eq!(center(&gambit, Color::Black), 7);
        assert_eq!(attacks(&gambit, Color::White), WEAK_ATTACK, "f4 attacks e5, pawn on pawn");
        assert_eq!(attacks(&gambit, Color::Black), WEAK_ATTACK, "and e5 attacks f4");
    }

    #[test]
    fn an_attack_counts_in_full_on_what_is_worth_more() {
        // Rd1 on Qd8: strong; Qd8 on Rd1: weak; Ng5 on f7 (pawn) weak, on h7 weak
        let both = position("3qk3/5p1p/8/6N1/8/8/8/3RK3 w - - 0 1");
        assert_eq!(attacks(&both, Color::White), 1.0 + 2.0 * WEAK_ATTACK);
        // Qd8 on Rd1 and on Ng5
        assert_eq!(attacks(&both, Color::Black), 2.0 * WEAK_ATTACK);
    }

    #[test]
    fn attacks_by_a_king_are_weak_and_on_a_king_strong() {
        let check = position("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1");
        assert_eq!(attacks(&check, Color::White), WEAK_ATTACK);
        assert_eq!(attacks(&check, Color::Black), 1.0);
    }

    #[test]
    fn a_square_attacked_twice_counts_once() {
        // d5 and f5 by e4, c5 and e5 by d4, both knights on e5 again
        let pawns = position("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1");
        assert_eq!(center(&pawns, Color::White), 4);
        let doubled = position("4k3/8/8/8/2P1P3/8/8/4K3 w - - 0 1");
        assert_eq!(center(&doubled, Color::White), 2, "d5 and f5; b5 is outside");
    }

    #[test]
    fn where_the_side_to_move_is_in_check_the_other_counts_what_its_pieces_reach() {
        // the rook on a1 pins the knight, but Black is in check and the turn cannot be passed
        let check = position("4k3/8/8/8/8/8/4R3/r2NK3 b - - 0 1");
        // Re2: e3 to e8 6, a2 b2 c2 d2 4, f2 g2 h2 3; Nd1: b2 c3 e3 f2; Ke1: d2 f1 f2
        assert_eq!(mobility(&check, Color::White), 13 + 4 + 3);
        // black must leave the e file: Kd7 Kd8 Kf7 Kf8
        assert_eq!(mobility(&check, Color::Black), 4);
    }
}
