use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    attributes::full::{Eye, Facts, View, exchange, pair, situations},
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

/// The values of all attributes that are not zero, by name, for one move.
fn seen(game: &Game, m: &str) -> HashMap<String, usize> {
    let mut eye = Eye::<Game>::new(Game::REACH);
    let mut view = View::default();
    eye.look(game, &mut view);
    let m = game.parse_move(m, Ranks::FromZero).unwrap();
    let place = view.moves.iter().position(|other| *other == m).unwrap();
    let names = view.numbers(place).iter().map(|&number| eye.catalog().name(number.into()));
    names
        .map(|name| {
            let (name, value) = name.split_once('=').unwrap();
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

fn value(game: &Game, m: &str, name: &str) -> usize {
    seen(game, m).get(name).copied().unwrap_or(0)
}

#[test]
fn every_number_is_in_the_catalog_and_every_move_is_described() {
    let mut eye = Eye::<Game>::new(Game::REACH);
    let mut view = View::default();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..5 {
        let mut game = Game::start();
        for _ in 0..150 {
            eye.look(&game, &mut view);
            assert_eq!(view.moves, game.legal_moves());
            assert!(view.situation.iter().all(|&n| usize::from(n) < situations::<Game>()));
            for place in 0..view.moves.len() {
                let numbers = view.numbers(place);
                assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "each attribute once");
                assert!(numbers.iter().all(|&n| usize::from(n) < eye.catalog().values()));
            }
            if view.moves.is_empty() || game.outcome().is_some() {
                break;
            }
            game.play(&view.moves[rng.random_range(0..view.moves.len())]);
        }
    }
}

#[test]
fn attacks_and_attackers_are_the_same_relation() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut game = Game::start();
    for _ in 0..150 {
        let men = Game::men(game.position());
        let occupied = men.occupied();
        let facts = Facts::new(men.clone());
        for square in occupied {
            let attackers = men.attackers_to(square, occupied);
            for man in facts.list() {
                assert_eq!(man.attacks.contains(square), attackers.contains(man.square));
                let from = men.attackers_of_role(man.role, man.side, square, occupied);
                assert_eq!(man.attacks.contains(square), from.contains(man.square));
            }
        }
        assert_eq!(facts.checkers[game.side_to_move()].any(), game.position().is_check());
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(&moves[rng.random_range(0..moves.len())]);
    }
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
