//! Positions for tests: written ones, and many from random play.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// Positions in which something is special: pins, checks, castling, en passant, promotion.
pub(crate) const SPECIAL: [&str; 20] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // en passant that would uncover a check along the rank, along the diagonal, and a legal one
    "8/8/8/KPp4r/8/8/8/7k w - c6 0 2",
    "8/8/8/b3k3/1Pp5/8/8/4K3 b - b3 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    // pinned along file, rank and diagonal
    "4r1k1/8/8/8/8/4N3/4P3/4K3 w - - 0 1",
    "k3r3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "k7/8/8/8/7b/6P1/8/4K3 w - - 0 1",
    "k7/8/8/8/5b2/6P1/7K/8 w - - 0 1",
    // double check, promotion under a pin, castling that gives check
    "4k3/8/5N2/8/8/8/8/K3R3 b - - 0 1",
    "1n2k3/P7/8/8/8/8/8/K7 w - - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    // Chess960 castling: rook beside king, king that does not move, pinned castling rook
    "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/PPP1PPPP/1RK1BR1B w KQkq - 2 10",
    "1r4k1/8/8/8/8/8/8/rRK5 w B - 0 1",
    "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9",
    "2k5/8/8/8/8/8/1PPPPPP1/R2K3R w HA - 0 1",
];

/// The position that a FEN describes.
pub(crate) fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
}

/// The special positions and `games` random games played on from them, at most 80 plies each.
pub(crate) fn positions(games: usize) -> Vec<Chess> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut all: Vec<Chess> = SPECIAL.iter().map(|fen| position(fen)).collect();
    for game in 0..games {
        let mut position = match game % 2 {
            0 => Chess::default(),
            _ => position(SPECIAL[rng.random_range(0..SPECIAL.len())]),
        };
        for _ in 0..80 {
            all.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
    all
}
