//! The board in a mirror, left for right.
//!
//! Where nobody may castle any more, a mirrored game is a game by the same rules.

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, Square};

use crate::attributes::full::{Past, Step};

/// The position in a mirror, unless somebody may still castle.
pub(super) fn position(position: &Chess) -> Option<Chess> {
    if !position.castles().is_empty() {
        return None;
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    Some(
        Chess::from_setup(setup, CastlingMode::Standard)
            .expect("a mirrored position is as legal as the position"),
    )
}

/// A move in the mirror; castling has none and stays as it is.
pub(super) fn m(m: Move) -> Move {
    match m {
        Move::Normal { role, from, capture, to, promotion } => Move::Normal {
            role,
            from: from.flip_horizontal(),
            capture,
            to: to.flip_horizontal(),
            promotion,
        },
        Move::EnPassant { from, to } => {
            Move::EnPassant { from: from.flip_horizontal(), to: to.flip_horizontal() }
        }
        Move::Castle { .. } | Move::Put { .. } => m,
    }
}

/// The last moves in the mirror.
pub(super) fn past(past: Past) -> Past {
    let square = |number: usize| usize::from(Square::new(number as u32).flip_horizontal());
    let step = |step: Step| Step { from: square(step.from), to: square(step.to), ..step };
    Past { steps: past.steps.map(|known| known.map(step)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attributes::{Positioned, full::Beheld},
        chess::{Castling, Game},
        game::Game as _,
    };

    fn played(fen: &str, moves: &str) -> Game {
        let mut game = Game::from_fen(fen).unwrap();
        for text in moves.split_whitespace() {
            game.play(&game.parse_move(text, Castling::Standard).unwrap());
        }
        game
    }

    #[test]
    fn a_mirrored_game_has_the_mirrored_moves() {
        let game = played("4k3/1p6/8/2P5/8/8/6p1/R3K3 b - - 3 20", "b7b5");
        let mirrored = game.mirrored().unwrap();
        assert_eq!(mirrored.fen(), "3k4/8/8/5Pp1/8/8/1p6/3K3R w - g6 0 21");
        let mut here: Vec<Move> = game.legal_moves().into_iter().map(m).collect();
        let mut there = mirrored.legal_moves();
        let spelled = |m: &Move| m.to_string();
        here.sort_by_key(spelled);
        there.sort_by_key(spelled);
        assert_eq!(here, there);
        assert!(here.iter().any(|m| m.is_en_passant()));
        assert_eq!(mirrored.past().last().unwrap().from, usize::from(Square::G7));
        assert_eq!(mirrored.mirrored().unwrap().fen(), game.fen());
    }

    #[test]
    fn who_may_castle_has_no_mirror() {
        assert!(Game::start().mirrored().is_none());
        assert!(played("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", "").mirrored().is_none());
        assert!(played("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", "e8e7 e1c1").mirrored().is_some());
    }

    #[test]
    fn what_came_before_is_known_in_the_mirror_as_well() {
        let there_and_back = "a1b1 e8e7 b1a1 e7e8";
        let game = played("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", there_and_back);
        let mirrored = game.mirrored().unwrap();
        for m in game.legal_moves() {
            let (here, there) = (game.occurrences_after(&m), super::m(m));
            assert_eq!(here, mirrored.occurrences_after(&there), "{m}");
            assert_eq!(game.is_drawn_after(&m), mirrored.is_drawn_after(&there), "{m}");
        }
        assert!(game.legal_moves().iter().any(|m| game.occurrences_after(m) > 0));
    }
}
