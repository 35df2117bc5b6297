//! Steps, jumps and rays of whole sets of pieces at once.

use super::lanes::Lanes;

/// Squares by direction: north, south, east, west, northeast, southwest, northwest, southeast.
/// The opposite direction's number differs in the lowest bit; the first four go along files and
/// ranks.
pub(super) type ByDirection<L> = [L; 8];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The squares that steps of so many files towards the h file can lead to.
const fn landing(files: i32) -> u64 {
    match files {
        1 => !FILE_A,
        2 => !(FILE_A | FILE_A << 1),
        -1 => !FILE_H,
        -2 => !(FILE_H | FILE_H >> 1),
        _ => u64::MAX,
    }
}

/// Squares moved by some steps, off the files' ends onto other ranks.
#[inline(always)]
fn moved<L: Lanes, const FILES: i32, const RANKS: i32, const STEPS: i32>(squares: L) -> L {
    match STEPS * (8 * RANKS + FILES) {
        1 => squares.up::<1>(),
        2 => squares.up::<2>(),
        4 => squares.up::<4>(),
        6 => squares.up::<6>(),
        7 => squares.up::<7>(),
        8 => squares.up::<8>(),
        9 => squares.up::<9>(),
        10 => squares.up::<10>(),
        14 => squares.up::<14>(),
        15 => squares.up::<15>(),
        16 => squares.up::<16>(),
        17 => squares.up::<17>(),
        18 => squares.up::<18>(),
        28 => squares.up::<28>(),
        32 => squares.up::<32>(),
        36 => squares.up::<36>(),
        -1 => squares.down::<1>(),
        -2 => squares.down::<2>(),
        -4 => squares.down::<4>(),
        -6 => squares.down::<6>(),
        -7 => squares.down::<7>(),
        -8 => squares.down::<8>(),
        -9 => squares.down::<9>(),
        -10 => squares.down::<10>(),
        -14 => squares.down::<14>(),
        -15 => squares.down::<15>(),
        -16 => squares.down::<16>(),
        -17 => squares.down::<17>(),
        -18 => squares.down::<18>(),
        -28 => squares.down::<28>(),
        -32 => squares.down::<32>(),
        -36 => squares.down::<36>(),
        _ => unreachable!("kings, knights and sliders have no other steps"),
    }
}

/// The squares one step further, `FILES` towards the h file and `RANKS` up. Steps off the board
/// lead nowhere.
#[inline(always)]
pub(super) fn step<L: Lanes, const FILES: i32, const RANKS: i32>(squares: L) -> L {
    let moved = moved::<L, FILES, RANKS, 1>(squares);
    if FILES == 0 { moved } else { moved & L::splat(landing(FILES)) }
}

/// The squares that pieces attack in one direction: over `empty` squares up to the first that is
/// not.
#[inline(always)]
fn ray<L: Lanes, const FILES: i32, const RANKS: i32>(pieces: L, empty: L) -> L {
    let mut reached = pieces;
    let mut open = if FILES == 0 { empty } else { empty & L::splat(landing(FILES)) };
    reached |= open & moved::<L, FILES, RANKS, 1>(reached);
    open = open & moved::<L, FILES, RANKS, 1>(open);
    reached |= open & moved::<L, FILES, RANKS, 2>(reached);
    open = open & moved::<L, FILES, RANKS, 2>(open);
    reached |= open & moved::<L, FILES, RANKS, 4>(reached);
    step::<L, FILES, RANKS>(reached)
}

/// The squares attacked along files and ranks from `straight`, along diagonals from `diagonal`.
#[inline(always)]
pub(super) fn rays<L: Lanes>(straight: L, diagonal: L, empty: L) -> ByDirection<L> {
    [
        ray::<L, 0, 1>(straight, empty),
        ray::<L, 0, -1>(straight, empty),
        ray::<L, 1, 0>(straight, empty),
        ray::<L, -1, 0>(straight, empty),
        ray::<L, 1, 1>(diagonal, empty),
        ray::<L, -1, -1>(diagonal, empty),
        ray::<L, -1, 1>(diagonal, empty),
        ray::<L, 1, -1>(diagonal, empty),
    ]
}

/// The squares that knights attack, by their eight jumps.
#[inline(always)]
pub(super) fn jumps<L: Lanes>(knights: L) -> [L; 8] {
    [
        step::<L, 1, 2>(knights),
        step::<L, 2, 1>(knights),
        step::<L, 2, -1>(knights),
        step::<L, 1, -2>(knights),
        step::<L, -1, -2>(knights),
        step::<L, -2, -1>(knights),
        step::<L, -2, 1>(knights),
        step::<L, -1, 2>(knights),
    ]
}

/// The squares around a king.
#[inline(always)]
pub(super) fn around<L: Lanes>(king: L) -> L {
    let beside = step::<L, 1, 0>(king) | step::<L, -1, 0>(king);
    let row = king | beside;
    beside | step::<L, 0, 1>(row) | step::<L, 0, -1>(row)
}

/// All squares of some sets.
#[inline(always)]
pub(super) fn union<L: Lanes>(sets: &[L]) -> L {
    let mut all = L::splat(0);
    for &set in sets {
        all |= set;
    }
    all
}

/// How many squares of `within` there are in some sets, counted once for each set.
#[inline(always)]
pub(super) fn sum<L: Lanes>(sets: &[L], within: L) -> L {
    let mut sum = L::splat(0);
    for &set in sets {
        sum = sum.plus((set & within).count());
    }
    sum
}
