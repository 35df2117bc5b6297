//! Hash values of positions, after A. Zobrist: the exclusive or of a random number for each
//! piece on its square, and of one for the side to move.

use super::{Board, Color, Piece, Square};

/// The seed of the random numbers. Changing it changes every hash.
const SEED: u64 = 0x7869_616e_6771_6921;

const fn next(state: u64) -> (u64, u64) {
    // SplitMix64 (Steele, Lea and Flood, 2014)
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

/// A number for each color, role and square.
static PIECES: [[[u64; 90]; 7]; 2] = {
    let mut table = [[[0; 90]; 7]; 2];
    let mut state = SEED;
    let mut i = 0;
    while i < 2 * 7 * 90 {
        let (next_state, number) = next(state);
        state = next_state;
        table[i / 90 / 7][i / 90 % 7][i % 90] = number;
        i += 1;
    }
    table
};

/// The number for Black to move.
pub(super) const BLACK_TO_MOVE: u64 = next(!SEED).1;

/// The number for a piece on a square.
pub(super) fn piece_on(piece: Piece, square: Square) -> u64 {
    PIECES[piece.color as usize][piece.role as usize][square.index() as usize]
}

/// The hash of a board with a side to move, from scratch.
pub(super) fn hash(board: &Board, turn: Color) -> u64 {
    let turn = if turn.is_black() { BLACK_TO_MOVE } else { 0 };
    board.iter().fold(turn, |hash, (square, piece)| hash ^ piece_on(piece, square))
}
