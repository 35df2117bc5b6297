//! Which pieces a move chases.

use super::positions_after;
use crate::xiangqi::{Bitboard, ByColor, Move, Position, Role, Square, attacks::side_of};

/// Whether a side has chased one and the same piece with every move. Without captures or checks
/// among the moves.
pub(super) fn chases_always(cycle: &[(Position, Move)], now: &Position) -> ByColor<bool> {
    // Pieces are told apart by the square on which they stood first.
    let mut origins: [Square; Square::COUNT] = std::array::from_fn(|i| Square::new(i as u8));
    let mut chased = ByColor::new_with(|_| Bitboard::ALL);
    for ((before, m), after) in cycle.iter().zip(positions_after(cycle, now)) {
        let chased = chased.get_mut(before.turn());
        let origin = |square: Square, origins: &[Square]| origins[square.index() as usize];
        let pair = |m: Move, origins: &[Square]| (origin(m.from, origins), origin(m.to, origins));
        let old: Vec<_> = threats(before).map(|m| pair(m, &origins)).collect();
        origins[m.to.index() as usize] = origin(m.from, &origins);
        let Some(threatening) = after.passed() else {
            return ByColor::default();
        };
        let new =
            threats(&threatening).map(|m| pair(m, &origins)).filter(|pair| !old.contains(pair));
        *chased &= new.map(|(_, target)| target).collect();
    }
    ByColor::new_with(|color| chased.get(color).any())
}

/// The captures by which the side to move would profit from a chase, were it its move.
fn threats(position: &Position) -> impl Iterator<Item = Move> {
    let captures = position.legal_moves().into_iter().filter(|&m| position.is_capture(m));
    captures.filter(|&m| is_threat(position, m))
}

/// Whether a legal capture is one that must not be threatened for ever.
fn is_threat(position: &Position, m: Move) -> bool {
    let board = position.board();
    let (Some(attacker), Some(target)) = (board.piece_at(m.from), board.piece_at(m.to)) else {
        return false;
    };
    if matches!(attacker.role, Role::General | Role::Soldier) {
        return false;
    }
    if target.role == Role::Soldier && side_of(target.color).contains(m.to) {
        return false;
    }
    let answer = Move::new(m.to, m.from);
    if attacker.role == target.role
        && position.passed().is_some_and(|theirs| theirs.is_legal(answer))
    {
        return false;
    }
    let is_protected = position.after(m).legal_moves().iter().any(|recapture| recapture.to == m.to);
    !is_protected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Fen;

    fn position(fen: &str) -> Position {
        fen.parse::<Fen>().unwrap().into_position().unwrap()
    }

    /// The threats of the side to move.
    fn threats_in(fen: &str) -> Vec<String> {
        threats(&position(fen)).map(|m| m.to_string()).collect()
    }

    #[test]
    fn an_attack_by_a_soldier_is_no_chase() {
        assert_eq!(threats_in("3k5/9/9/nPn6/9/9/9/9/9/4K4 w"), Vec::<String>::new());
        assert_eq!(threats_in("3k5/9/9/nRn6/9/9/9/9/9/4K4 w"), ["b6a6", "b6c6"]);
    }

    #[test]
    fn a_soldier_is_chased_only_beyond_the_river() {
        assert_eq!(threats_in("3k5/9/9/p8/9/9/9/R7p/9/4K4 w"), ["a2i2"]);
    }

    #[test]
    fn like_pieces_that_attack_each_other_do_not_chase() {
        assert_eq!(threats_in("3k5/9/9/9/9/9/9/R7r/9/4K4 w"), Vec::<String>::new());
        assert_eq!(threats_in("3k5/9/9/9/9/1n7/9/N8/9/4K4 w"), Vec::<String>::new());
        // the cannon beside the one horse stops it
        assert_eq!(threats_in("3k5/9/9/9/9/1n7/1C7/N8/9/4K4 w"), ["a2b4"]);
    }

    #[test]
    fn a_protector_that_is_pinned_does_not_protect() {
        let free = "3k5/9/9/9/9/4n4/2c6/R8/9/4K4 w";
        assert_eq!(threats_in(&free.replace("R8", "2R6")), Vec::<String>::new());
        let pinned = "4k4/9/9/9/9/4n4/2c6/2R6/4R4/3K5 w";
        assert!(threats_in(pinned).contains(&"c2c3".to_owned()));
    }
}
