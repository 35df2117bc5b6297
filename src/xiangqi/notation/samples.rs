//! Positions for the tests of notations.

use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::xiangqi::{Board, Color, Fen, Piece, Position, Role, Setup, Square, attacks};

/// The position of a FEN.
pub fn position(fen: &str) -> Position {
    fen.parse::<Fen>().unwrap().into_position().unwrap()
}

/// The positions of random games of at most 100 plies.
pub fn random_games(seed: u64, games: usize) -> impl Iterator<Item = Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..games).flat_map(move |_| {
        let mut positions = vec![Position::default()];
        while positions.len() < 100 {
            let position = &positions[positions.len() - 1];
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            positions.push(position.after(m));
        }
        positions
    })
}

/// Positions in which soldiers and others often share their files.
pub fn crowded_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(move |_| crowded_position(&mut rng))
}

/// An arrangement of random pieces that can be played, with many alike close together.
fn crowded_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut setup = Setup { board: Board::empty(), ..Setup::default() };
        setup.turn = *Color::ALL.choose(rng).unwrap();
        for color in Color::ALL {
            let files = [rng.random_range(0..9u8), rng.random_range(0..9u8)];
            for role in Role::ALL {
                let squares: Vec<Square> = match role {
                    Role::General => attacks::palace(color).into_iter().collect(),
                    Role::Advisor => attacks::advisor_squares(color).into_iter().collect(),
                    Role::Elephant => attacks::elephant_squares(color).into_iter().collect(),
                    Role::Soldier => attacks::soldier_squares(color).into_iter().collect(),
                    _ => Square::all().collect(),
                };
                let count =
                    if role == Role::General { 1 } else { rng.random_range(0..=role.most()) };
                let crowded: Vec<Square> = squares
                    .iter()
                    .copied()
                    .filter(|square| files.contains(&square.file().index()))
                    .collect();
                for _ in 0..count {
                    let is_crowding = role.is_attacker() && rng.random_bool(0.7);
                    let square =
                        *if is_crowding { &crowded } else { &squares }.choose(rng).unwrap();
                    if setup.board.piece_at(square).is_none() {
                        setup.board.set_piece_at(square, Piece { color, role });
                    }
                }
            }
        }
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}
