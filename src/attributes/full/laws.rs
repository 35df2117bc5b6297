//! What must hold of every game whose moves are described. The tests of each game ask for it.

use std::collections::HashMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Beheld, Eye, Facts, Man, Men, View, situations};
use crate::{
    attributes::{Attributed as _, Ending},
    game::Side,
};

/// Calls `each` with the games that random moves lead through from the start.
pub(crate) fn walk<G: Beheld>(games: usize, plies: usize, mut each: impl FnMut(&G)) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..games {
        let mut game = G::start();
        for _ in 0..plies {
            each(&game);
            let moves = game.legal_moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            game.play(&moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// The values of all attributes that are not zero, by name, for one move.
pub(crate) fn seen<G: Beheld>(game: &G, m: &G::Move) -> HashMap<String, usize> {
    let mut eye = Eye::<G>::new(G::REACH);
    let mut view = View::default();
    eye.look(game, &mut view);
    let place = view.moves.iter().position(|other| other == m).unwrap();
    let names = view.numbers(place).iter().map(|&number| eye.catalog().name(number.into()));
    names
        .map(|name| {
            let (name, value) = name.split_once('=').unwrap();
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

/// A number that changes with any of those that are seen of the moves of some games, or their
/// order.
fn digest<G: Beheld>(games: &[G]) -> u64 {
    let mut eye = Eye::<G>::new(G::REACH);
    let mut view = View::default();
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    for game in games {
        eye.look(game, &mut view);
        for &number in view.all_numbers().iter().chain(&view.situation) {
            digest = (digest ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    digest
}

/// The digest of a game from its start through these moves.
pub(crate) fn digest_of<G: Beheld>(moves: &str, spelling: G::Spelling) -> u64 {
    let mut game = G::start();
    let mut games = vec![game.clone()];
    for text in moves.split_whitespace() {
        game.play(&game.parse_move(text, spelling).unwrap());
        games.push(game.clone());
    }
    digest(&games)
}

/// Every number is in the catalog, and every move is described by each attribute once at most.
pub(crate) fn assert_described<G: Beheld>(game: &G, eye: &mut Eye<G>, view: &mut View<G::Move>) {
    eye.look(game, view);
    assert_eq!(view.moves, game.legal_moves());
    assert!(view.situation.iter().all(|&n| usize::from(n) < situations::<G>()));
    for place in 0..view.moves.len() {
        let numbers = view.numbers(place);
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "each attribute once");
        assert!(numbers.iter().all(|&n| usize::from(n) < eye.catalog().values()));
    }
}

/// A man attacks a square where it is among the attackers of the square; whoever is in check has
/// men who give it.
pub(crate) fn assert_attackers<G: Beheld>(game: &G, is_check: bool) {
    let men = G::men(game.position());
    let occupied = men.occupied();
    let facts = Facts::new(men.clone());
    assert_eq!(facts.checkers[game.side_to_move()].any(), is_check);
    for square in occupied {
        let attackers = men.attackers_to(square, occupied);
        for man in facts.list() {
            assert_eq!(man.attacks.contains(square), attackers.contains(man.square));
            let from = men.attackers_of_role(man.role, man.side, square, occupied);
            assert_eq!(man.attacks.contains(square), from.contains(man.square));
        }
    }
}

/// Captures, promotions, checks and mates are those among all moves.
pub(crate) fn assert_forcing<G: Beheld>(game: &G) -> (usize, usize) {
    let position = game.position();
    let (mut all, mut captures, mut checks) = (Vec::new(), Vec::new(), Vec::new());
    position.for_each_move(|m| all.push(m.clone()));
    G::for_each_capture(position, |m| captures.push(m.clone()));
    G::for_each_check(position, |m| checks.push(m.clone()));
    let takes = |m: &G::Move| G::step(position, m).takes::<G::Men>();
    let (mut largest, mut mates) = (0, false);
    for m in &all {
        assert_eq!(takes(m) > 0, captures.contains(m), "{m:?} in {game:?}");
        largest = largest.max(takes(m));
        let after = position.after(m);
        let facts = Facts::new(G::men(&after));
        let is_check = facts.checkers[!position.side_to_move()].any();
        assert!(!is_check || checks.contains(m), "{m:?} checks in {game:?}");
        mates |= is_check && after.ending() == Some(Ending::Lost);
    }
    let facts = Facts::new(G::men(position));
    assert_eq!(mates, G::can_mate(position, &facts, position.side_to_move()), "{game:?}");
    assert_eq!(largest, G::largest_capture(position), "{game:?}");
    assert!(captures.iter().chain(&checks).all(|m| all.contains(m)), "{game:?}");
    (captures.len(), checks.len())
}

/// What is seen after each move, where only what it touched is looked at again, is what would be
/// seen at first sight.
pub(crate) fn assert_renewed<G: Beheld>(game: &G) {
    let position = game.position();
    let before = Facts::new(G::men(position));
    let mut renewed = before.clone();
    position.for_each_move(|m| {
        let men = G::men(&position.after(m));
        renewed.renew_after(&before, men.clone());
        assert_eq!(told(&renewed), told(&Facts::new(men)), "{m:?} in {game:?}");
    });
}

/// All that facts tell, as numbers.
fn told<M: Men>(facts: &Facts<M>) -> Vec<u128> {
    let of_man = |man: &Man| [man.square as u128, man.attacks.0, man.reach.0, man.stake as u128];
    let of_side = |side: Side| {
        [
            facts.attacked[side].0,
            facts.hanging[side].0,
            facts.checkers[side].0,
            facts.worth[side] as u128,
            facts.mobility[side].into(),
            facts.loss[side] as u128,
            facts.second_loss[side] as u128,
            facts.pressure[side].into(),
            facts.checks[side].into(),
            facts.safe_checks[side].into(),
        ]
    };
    let men = facts.list().iter().flat_map(of_man);
    men.chain([Side::First, Side::Second].into_iter().flat_map(of_side)).collect()
}
