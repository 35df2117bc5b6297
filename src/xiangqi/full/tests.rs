use std::collections::HashMap;

use super::*;
use crate::{
    attributes::full::{Eye, View, exchange, laws, pair},
    game::{Game as _, Side},
    xiangqi::notation::iccs::Ranks,
};

fn played(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen).unwrap();
    for text in moves.split_whitespace() {
        game.play(&game.parse_move(text, Ranks::FromZero).unwrap());
    }
    game
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn seen(game: &Game, m: &str) -> HashMap<String, usize> {
    laws::seen(game, &game.parse_move(m, Ranks::FromZero).unwrap())
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
    laws::walk::<Game>(12, 200, |game| {
        let (more_captures, more_checks) = laws::assert_forcing(game);
        captures += more_captures;
        checks += more_checks;
    });
    assert!(captures > 1000 && checks > 100, "{captures} captures, {checks} checks");
}

#[test]
fn a_second_look_sees_what_a_first_one_sees() {
    laws::walk::<Game>(2, 120, laws::assert_renewed);
}

#[test]
fn attacks_and_attackers_are_the_same_relation() {
    laws::walk::<Game>(2, 150, |game| {
        laws::assert_attackers(game, game.position().is_check());
    });
}

#[test]
fn what_shipped_networks_were_fitted_to_has_not_changed() {
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0c2 b7a7 h0h6 h7i7 h6g6 a9b9 g2f4 i7i3 \
                 e2e6 g7e6 f4e6 a7a3";
    assert_eq!(laws::digest_of::<Game>(moves, Ranks::FromZero), 1_274_152_030_217_969_699);
}

#[test]
fn a_screen_that_captures_takes_its_cannon_out_of_the_exchange() {
    // the chariot on e3 takes the soldier on e6, guarded by a horse; the cannon behind it on e1
    // has no screen left once the chariot has gone
    let men = Game::men(played("3k5/9/3n5/4p4/9/9/4R4/9/4C4/5K3 w", "").position());
    let soldier = XiangqiMen::WORTH[number(Role::Soldier)];
    assert_eq!(men.role_at(58), Some(number(Role::Soldier)));
    assert_eq!(exchange(&men, 58, soldier, Side::First, men.occupied()), soldier);
}

#[test]
fn captures_checks_and_history_are_seen() {
    let opening = played(START, "h2e2 h9g7");
    let capture = seen(&opening, "e2e6");
    assert_eq!(capture["man_takes"], 1 + pair(number(Role::Cannon), number(Role::Soldier), 7));
    assert!(!capture.contains_key("check"), "nothing stands before the general");
    assert_eq!(capture["same_man"], 1);
    let again = played(START, "h0g2 h9g7 g2h0");
    assert_eq!(value(&again, "g7h9", "repetition"), 1);
}

#[test]
fn what_only_xiangqi_has_is_seen() {
    let game = played(START, "c3c4 c6c5 c4c5 h9g7");
    let crosses = seen(&game, "c5c6");
    assert_eq!(crosses["river"], pair(number(Role::Soldier), 2, 4), "it was over the river");
    let central = played(START, "");
    assert_eq!(value(&central, "h2e2", "line_to_general"), pair(1, pair(3, 0, 6), 36));
    assert_eq!(value(&central, "h2e2", "file_of_general"), 1 + pair(number(Role::Cannon), 0, 5));
    let chariot = pair(pair(number(Role::Chariot), 2, 3), 1, 2);
    assert_eq!(value(&central, "a0a1", "chariots_out"), chariot);
}

#[test]
fn phases_go_from_the_opening_to_bare_generals() {
    assert_eq!(Game::start().phase(), 0.0);
    assert_eq!(played("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 60", "").phase(), LAST_PHASE);
}

#[test]
fn a_game_in_the_mirror_has_the_moves_of_the_game_mirrored() {
    let mut game = Game::start();
    for text in ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "c6c5", "h0h6"] {
        game.play(&game.parse_move(text, Ranks::FromZero).unwrap());
    }
    let mirrored = Beheld::mirrored(&game).unwrap();
    let sorted = |moves: Vec<crate::xiangqi::Move>| {
        let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        moves.sort();
        moves
    };
    let expected = game.legal_moves().iter().map(Game::mirrored_move).collect();
    assert_eq!(sorted(mirrored.legal_moves()), sorted(expected));
    assert_eq!(
        mirrored.position().zobrist_hash(),
        mirrored.position().mirrored().mirrored().zobrist_hash()
    );
    assert_eq!(Game::mirrored(&mirrored), game);
    // what is seen in the one is seen in the other
    let mut eye = Eye::<Game>::new(Game::REACH);
    let (mut here, mut there) = (View::default(), View::default());
    eye.look(&game, &mut here);
    eye.look(&mirrored, &mut there);
    assert_eq!(here.all_numbers().len(), there.all_numbers().len());
}
