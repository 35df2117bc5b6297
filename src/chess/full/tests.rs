use std::collections::HashMap;

use super::*;
use crate::{
    attributes::{
        Positioned as _,
        full::{Eye, Facts, Squares, View, exchange, laws, pair},
    },
    chess::{Castling, samples::positions},
    game::{Game as _, Side},
};

fn played(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen).unwrap();
    for text in moves.split_whitespace() {
        game.play(&game.parse_move(text, Castling::Standard).unwrap());
    }
    game
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn seen(game: &Game, m: &str) -> HashMap<String, usize> {
    laws::seen(game, &game.parse_move(m, Castling::Standard).unwrap())
}

fn value(game: &Game, m: &str, name: &str) -> usize {
    seen(game, m).get(name).copied().unwrap_or(0)
}

#[test]
fn every_number_is_in_the_catalog_and_every_move_is_described() {
    let (mut eye, mut view) = (Eye::new(Game::REACH), View::default());
    laws::walk::<Game>(5, 130, |game| laws::assert_described(game, &mut eye, &mut view));
}

#[test]
fn captures_and_checks_are_found_among_all_moves() {
    let (mut captures, mut checks) = (0, 0);
    for position in positions(60) {
        let (more_captures, more_checks) = laws::assert_forcing(&Game::from_position(position));
        captures += more_captures;
        checks += more_checks;
    }
    assert!(captures > 1000 && checks > 100, "{captures} captures, {checks} checks");
}

#[test]
fn a_second_look_sees_what_a_first_one_sees() {
    for position in positions(4) {
        laws::assert_renewed(&Game::from_position(position));
    }
}

#[test]
fn the_same_position_with_colors_changed_looks_the_same() {
    let white =
        played("r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 8", "");
    let black =
        played("r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2Q1RK1 b - - 0 8", "");
    assert_eq!(seen(&white, "c3d5"), seen(&black, "c6d4"));
    assert_eq!(seen(&white, "g5f6"), seen(&black, "g4f3"));
}

#[test]
fn attacks_and_attackers_are_the_same_relation() {
    laws::walk::<Game>(2, 150, |game| {
        laws::assert_attackers(game, game.position().is_check());
    });
}

#[test]
fn what_shipped_networks_were_fitted_to_has_not_changed() {
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5 e4d5 f6d5 g5f7 e8f7 d1f3 f7e6 b1c3 c6e7 \
                 d2d4 c7c6 c1g5 h7h6 g5e7 f8e7 e1c1 h8f8 f3e4 f8f2 d4e5 e7g5 c1b1 f2d2";
    assert_eq!(laws::digest_of::<Game>(moves, Castling::Standard), 620_304_852_480_370_933);
}

#[test]
fn an_exchange_is_followed_as_long_as_it_pays() {
    let wins = |fen: &str, on: usize| {
        let game = played(fen, "");
        let men = Game::men(game.position());
        let worth = ChessMen::WORTH[men.role_at(on).unwrap()];
        exchange(&men, on, worth, game.side_to_move(), men.occupied())
    };
    // a pawn taken by a rook, guarded by a pawn
    assert_eq!(wins("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", 36), 0);
    // the same without the guard
    assert_eq!(wins("4k3/8/8/4p3/8/8/8/4R1K1 w - - 0 1", 36), 2);
    // two rooks against one guard: the pawn is won, rook for rook
    assert_eq!(wins("4k3/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", 36), 2);
    // the king may not take what is guarded
    assert_eq!(wins("8/8/3p4/4p3/4K3/8/8/7k w - - 0 1", 36), 0);
}

#[test]
fn facts_name_what_hangs() {
    // the knight on e5 is attacked by d6; the rook on a1 by nobody
    let game = played("4k3/8/3p4/4N3/8/8/8/R3K3 w - - 0 1", "");
    let facts = Facts::new(Game::men(game.position()));
    assert_eq!(facts.hanging[Side::First], Squares::of(36));
    assert_eq!((facts.loss[Side::First], facts.second_loss[Side::First]), (6, 0));
    assert_eq!(facts.loss[Side::Second], 0);
}

#[test]
fn recaptures_and_gains_are_seen() {
    let game = played(START, "e2e4 d7d5 e4d5");
    let recapture = seen(&game, "d8d5");
    assert_eq!(recapture["recapture"], 2, "a pawn is won back");
    assert_eq!(recapture["man_takes"], 1 + 4 * 6);
    assert_eq!(value(&game, "g8f6", "recapture"), 0);
    let lost = pair(number(Role::Bishop), 3, 4);
    assert_eq!(value(&game, "c8h3", "gain_of_man"), lost, "the pawn on g2 takes it");
    assert_eq!(value(&game, "e7e6", "gain_of_man"), 0, "a pawn for a pawn");
}

#[test]
fn escapes_and_blunders_are_told_apart() {
    // the knight on f6 is attacked by the pawn on e5
    let game = played(START, "e2e4 g8f6 e4e5");
    assert_eq!(value(&game, "f6d5", "danger_before_after"), pair(2, 0, 7));
    assert_eq!(value(&game, "f6g4", "danger_before_after"), pair(2, 3, 7), "the queen takes g4");
    assert_eq!(value(&game, "a7a6", "left_hanging"), 1 + number(Role::Knight));
    assert_eq!(value(&game, "f6d5", "last_mover_attacks"), 4, "it hung and is safe now");
}

#[test]
fn checks_mates_and_their_kinds_are_seen() {
    let game = played("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "");
    assert_eq!(value(&game, "a1a8", "ends_game"), 1);
    // fool's mate is allowed by g2g4
    let fool = played(START, "f2f3 e7e5");
    assert_eq!(value(&fool, "g2g4", "allows_mate"), 1);
    assert_eq!(value(&fool, "e2e4", "allows_mate"), 0);
    // a discovered check by the rook behind the knight
    let game = played("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "");
    assert_eq!(value(&game, "e4c5", "check"), 1 + pair(1, 1, 2));
    assert_eq!(value(&game, "e4d6", "check"), 1 + pair(2, 1, 2), "by both");
}

#[test]
fn forks_and_new_threats_are_seen() {
    // Nc7+ attacks king and rook
    let game = played("r3k3/8/8/1N6/8/8/8/4K3 w q - 0 1", "");
    let fork = seen(&game, "b5c7");
    assert_eq!(fork["fork"], 2 + 1, "two at once, and safe");
    assert_eq!(fork["man_threatens"], 1 + pair(number(Role::Knight), number(Role::Rook), 6));
}

#[test]
fn history_is_remembered() {
    let game = played(START, "g1f3 g8f6");
    assert_eq!(value(&game, "f3g1", "same_man"), 3, "back to where it came from");
    assert_eq!(value(&game, "f3e5", "same_man"), 4);
    assert_eq!(value(&game, "e2e4", "same_man"), 0);
    let again = played(START, "g1f3 g8f6 f3g1");
    assert_eq!(value(&again, "f6g8", "repetition"), 1);
    let later = played(START, "g1f3 g8f6 e2e4 e7e5 a2a3 a7a6");
    assert_eq!(value(&later, "f3e5", "moved_before"), 3);
}

#[test]
fn what_only_chess_has_is_seen() {
    let game = played("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", "");
    assert_eq!(value(&game, "e1g1", "castling"), 1);
    assert_eq!(value(&game, "a7a8q", "promotion"), 8);
    assert_eq!(value(&game, "h1h2", "leaves_castling"), 0, "an ending");
    let opening = played(START, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    assert_eq!(value(&opening, "e1g1", "castling"), 1);
    assert_eq!(value(&opening, "h1g1", "leaves_castling"), 3);
    assert_eq!(value(&opening, "d2d4", "double_step"), 4);
    assert_eq!(value(&opening, "d2d4", "pawn_kicks"), 1, "the bishop, by a pawn that is lost");
}

#[test]
fn phases_go_from_the_opening_to_bare_kings() {
    assert_eq!(Game::start().phase(), 0.0);
    let middle =
        played("r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 20", "");
    assert_eq!(middle.phase(), 1.0);
    assert_eq!(played("4k3/8/8/8/8/8/4P3/4K3 w - - 0 60", "").phase(), LAST_PHASE);
}
