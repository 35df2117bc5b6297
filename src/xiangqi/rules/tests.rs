//! One test for each rule, with positions.

use super::*;
use crate::xiangqi::{Fen, Game};

fn position(fen: &str) -> Position {
    fen.parse::<Fen>().unwrap().into_position().unwrap()
}

/// The game from a position with a line of moves played so many times.
fn repeated(fen: &str, moves: &str, times: usize) -> Game {
    let mut game = Game::from_position(position(fen));
    for _ in 0..times {
        for text in moves.split_whitespace() {
            game.try_play(text.parse().unwrap()).unwrap();
        }
    }
    game
}

/// What is concluded when a position occurs for the third time; nothing before that.
fn after_repetition(fen: &str, moves: &str) -> Option<Conclusion> {
    let game = repeated(fen, moves, 2);
    for plies in 0..game.played().len() {
        assert_eq!(game.after_first(plies).conclusion(), None, "after {plies} plies");
    }
    game.conclusion()
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

#[test]
fn checkmate_wins() {
    let game = repeated("4k4/1R7/9/9/9/9/9/9/9/R2K5 w", "a0a9", 1);
    assert_eq!(game.conclusion(), Some(Conclusion::Checkmate { winner: Color::Red }));
}

#[test]
fn stalemate_wins_as_well() {
    let game = repeated("3k5/9/4P4/9/9/9/9/9/9/4K4 w", "e7e8", 1);
    assert_eq!(game.conclusion(), Some(Conclusion::Stalemate { winner: Color::Red }));
}

#[test]
fn a_position_that_occurs_for_the_third_time_is_a_draw() {
    assert_eq!(after_repetition(START, "h0g2 h9g7 g2h0 g7h9"), Some(Conclusion::Repetition),);
}

#[test]
fn a_position_from_before_the_last_capture_cannot_occur_again() {
    let game = repeated("4k4/9/9/9/9/p8/9/9/R8/3K5 w", "a1a4", 1);
    assert!(quiet_moves(game.played()).is_empty());
}

#[test]
fn a_side_that_checks_with_every_move_loses() {
    assert_eq!(
        after_repetition("3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e1d1 d9e9 d1e1 e9d9"),
        Some(Conclusion::PerpetualCheck { loser: Color::Red }),
    );
    assert_eq!(
        after_repetition("5k3/4r4/9/9/9/9/9/9/9/3K5 b", "e8d8 d0e0 d8e8 e0d0"),
        Some(Conclusion::PerpetualCheck { loser: Color::Black }),
    );
}

#[test]
fn checks_with_only_some_of_the_moves_are_a_draw() {
    assert_eq!(
        after_repetition("3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e1d1 d9e9 d1d2 e9e8 d2e2 e8d8 e2e1 d8d9"),
        Some(Conclusion::Repetition),
    );
}

#[test]
fn both_sides_checking_with_every_move_are_a_draw() {
    assert_eq!(
        after_repetition("c3c4/9/5k3/4r4/9/9/8r/5C3/9/4KR3 w", "f2e2 e6f6 e2f2 f6e6"),
        Some(Conclusion::Repetition),
    );
}

#[test]
fn a_side_that_chases_a_piece_with_every_move_loses() {
    assert_eq!(
        after_repetition("4k4/9/9/9/c7R/9/9/9/9/3K5 b", "a5a6 i5i6 a6a5 i6i5"),
        Some(Conclusion::PerpetualChase { loser: Color::Red }),
    );
}

#[test]
fn a_protected_piece_may_be_chased() {
    assert_eq!(
        after_repetition("r3k4/9/9/9/c7R/9/9/9/9/3K5 b", "a5a6 i5i6 a6a5 i6i5"),
        Some(Conclusion::Repetition),
    );
}

#[test]
fn pieces_chased_in_turn_are_a_draw() {
    // the chariot attacks one cannon with one move and the other cannon with the next
    assert_eq!(
        after_repetition("4k4/9/9/c8/8R/8c/9/9/9/3K5 b", "e9e8 i5i6 e8e9 i6i5"),
        Some(Conclusion::Repetition),
    );
}

#[test]
fn both_sides_chasing_are_a_draw() {
    let (fen, moves) = ("4k4/4C4/9/9/9/9/2r3N2/4r4/3K5/9 w", "g3e4 c3c4 e4g3 c4c3");
    let game = repeated(fen, moves, 2);
    let chases = chase::chases_always(game.played(), game.position());
    assert_eq!(chases, ByColor { red: true, black: true });
    assert_eq!(after_repetition(fen, moves), Some(Conclusion::Repetition));
}

#[test]
fn a_check_by_either_side_excuses_a_chase() {
    // the cannon that is chased checks with every other move
    let (fen, moves) = ("4k4/9/9/9/9/9/9/9/cR7/2BK5 b", "a1a0 b1b0 a0a1 b0b1");
    assert_eq!(after_repetition(fen, moves), Some(Conclusion::Repetition));
    let without_check = fen.replace("2BK5", "3K5");
    assert_eq!(
        after_repetition(&without_check, "a1a2 b1b2 a2a1 b2b1"),
        Some(Conclusion::PerpetualChase { loser: Color::Red }),
    );
}

#[test]
fn an_attack_by_a_general_is_no_chase() {
    assert_eq!(
        after_repetition("5k3/9/9/9/9/9/9/9/3Kc4/9 b", "e1e0 d1d0 e0e1 d0d1"),
        Some(Conclusion::Repetition),
    );
}

#[test]
fn after_120_plies_without_a_capture_the_game_is_drawn() {
    let fen = "4k4/9/9/9/9/9/9/R8/9/3K5 w - - 118 80";
    assert_eq!(repeated(fen, "a2a3", 1).conclusion(), None);
    assert_eq!(repeated(fen, "a2a3 e9e8", 1).conclusion(), Some(Conclusion::QuietPlies));
}

#[test]
fn mate_with_the_last_quiet_ply_wins() {
    let game = repeated("4k4/1R7/9/9/9/9/9/9/9/R2K5 w - - 119 80", "a0a9", 1);
    assert_eq!(game.conclusion(), Some(Conclusion::Checkmate { winner: Color::Red }));
}

#[test]
fn each_sides_checks_beyond_ten_do_not_count_among_the_quiet_plies() {
    let counted = |times| {
        let game = repeated("3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e1d1 d9e9 d1e1 e9d9", times);
        counted_plies(quiet_moves(game.played()), game.position())
    };
    assert_eq!(counted(5), 20);
    assert_eq!(counted(6), 24 - 2);
    let both = repeated("c3c4/9/5k3/4r4/9/9/8r/5C3/9/4KR3 w", "f2e2 e6f6 e2f2 f6e6", 10);
    assert_eq!(counted_plies(quiet_moves(both.played()), both.position()), 20);
}

#[test]
fn without_attackers_the_game_is_drawn() {
    let game = repeated("2bk5/9/9/9/9/9/9/4p4/4K4/9 w", "e1e2", 1);
    assert_eq!(game.conclusion(), Some(Conclusion::NoAttackers));
}
