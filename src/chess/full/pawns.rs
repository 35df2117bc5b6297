//! Attributes of pawn moves and of pieces among pawns.

use shakmaty::{Bitboard, File, Role};

use super::men::{ChessMen, bitboard, color, number, square};
use crate::{
    attributes::full::{Look, Men, pair},
    game::Side,
};

/// Look at a move of chess.
type Seen<'a> = Look<'a, ChessMen>;

/// The files beside a file.
fn beside(file: File) -> Bitboard {
    let files = |offset| file.offset(offset).map_or(Bitboard::EMPTY, Bitboard::from_file);
    files(-1) | files(1)
}

/// The squares of higher ranks, as a side sees them.
fn ahead(side: Side, from: usize) -> Bitboard {
    let rank = from / 8;
    match side {
        Side::First if rank == 7 => Bitboard::EMPTY,
        Side::First => Bitboard(u64::MAX << (8 * (rank + 1))),
        Side::Second => Bitboard((1u64 << (8 * rank)) - 1),
    }
}

/// The pawns of a side.
fn pawns(men: &ChessMen, side: Side) -> Bitboard {
    men.board().pawns() & men.board().by_color(color(side))
}

/// Whether no pawn of the other side can stop or take a pawn of `side` on this square.
pub(super) fn is_passed(men: &ChessMen, side: Side, from: usize) -> bool {
    let file = square(from).file();
    let way = (Bitboard::from_file(file) | beside(file)) & ahead(side, from);
    (way & pawns(men, !side)).is_empty()
}

/// The passed pawns of a side.
pub(super) fn passed(men: &ChessMen, side: Side) -> Bitboard {
    let other = pawns(men, !side);
    let beside = Bitboard((other.0 & !FILE_H) << 1 | (other.0 & !FILE_A) >> 1);
    let mut stopped = other | beside;
    // what an own pawn may not stand before, down to the first rank as its side sees the board
    for ranks in [1, 2, 4] {
        stopped |= match side {
            Side::First => Bitboard(stopped.0 >> (8 * ranks)),
            Side::Second => Bitboard(stopped.0 << (8 * ranks)),
        };
    }
    // beside a pawn or on its square is not yet behind it
    let behind = match side {
        Side::First => Bitboard(stopped.0 >> 8),
        Side::Second => Bitboard(stopped.0 << 8),
    };
    pawns(men, side) & !behind
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

fn is_pawn(look: &Seen<'_>) -> bool {
    look.step.role == number(Role::Pawn)
}

/// A passed pawn that moves or comes into being, by its rank, and whether it is safe.
pub(super) fn passed_pawn(look: &Seen<'_>) -> usize {
    if !is_pawn(look) || !is_passed(&look.after.men, look.side, look.step.to) {
        return 0;
    }
    let rank = look.seen(look.step.to) / 8;
    pair(rank, usize::from(look.is_safe()), 2)
}

/// How a pawn stands among its own: guarded by a pawn, beside one, doubled, isolated.
pub(super) fn pawn_neighbors(look: &Seen<'_>) -> usize {
    if !is_pawn(look) {
        return 0;
    }
    let to = square(look.step.to);
    let own = pawns(&look.after.men, look.side).without(to);
    let guarded = (shakmaty::attacks::pawn_attacks(color(!look.side), to) & own).any();
    let rank = Bitboard::from_rank(to.rank());
    let phalanx = (own & rank & beside(to.file()) & shakmaty::attacks::king_attacks(to)).any();
    let doubled = (own & Bitboard::from_file(to.file())).any();
    let isolated = (own & beside(to.file())).is_empty();
    let bits = [guarded, phalanx, doubled, isolated];
    1 + bits.iter().fold(0, |number, &bit| 2 * number + usize::from(bit))
}

/// How many pawns of the other side a pawn move attacks, whether one of them attacks it back, and
/// whether it locks itself before one.
pub(super) fn pawn_lever(look: &Seen<'_>) -> usize {
    if !is_pawn(look) {
        return 0;
    }
    let other = pawns(&look.after.men, !look.side);
    let attacked = bitboard(look.moved.attacks) & other;
    let front = match look.side {
        Side::First => look.step.to + 8,
        Side::Second => look.step.to.wrapping_sub(8),
    };
    let locked = front < 64 && other.contains(square(front));
    1 + pair(attacked.count().min(2), usize::from(locked), 2)
}

/// A pawn that leaves the front of its own king, by its distance from the king's file.
pub(super) fn pawn_shield(look: &Seen<'_>) -> usize {
    if !is_pawn(look) {
        return 0;
    }
    let king = look.after.king[look.side];
    let is_home = look.seen(king) / 8 <= 1;
    let distance = (look.step.from % 8).abs_diff(king % 8);
    match (is_home, distance) {
        (true, 0..=2) => 1 + distance,
        _ => 0,
    }
}

/// What pawns stand on the file that a rook or queen goes to, and whether it leaves a better one.
pub(super) fn file(look: &Seen<'_>) -> usize {
    let heavy = match Role::ALL[look.step.role] {
        Role::Rook => 0,
        Role::Queen => 1,
        _ => return 0,
    };
    let state = |men: &ChessMen, at: usize| {
        let file = Bitboard::from_file(square(at).file());
        match ((file & pawns(men, look.side)).any(), (file & pawns(men, !look.side)).any()) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        }
    };
    let (from, to) =
        (state(&look.before.men, look.step.from), state(&look.after.men, look.step.to));
    1 + pair(heavy, pair(from, to, 3), 9)
}

/// A piece that no pawn can drive away, and whether a pawn guards it.
pub(super) fn outpost(look: &Seen<'_>) -> usize {
    let minor = match Role::ALL[look.step.role] {
        Role::Knight => 0,
        Role::Bishop => 1,
        _ => return 0,
    };
    let to = square(look.step.to);
    let rank = look.seen(look.step.to) / 8;
    let drivers = beside(to.file()) & ahead(look.side, look.step.to);
    if !(3..=5).contains(&rank) || (drivers & pawns(&look.after.men, !look.side)).any() {
        return 0;
    }
    let guards = shakmaty::attacks::pawn_attacks(color(!look.side), to);
    let guarded = (guards & pawns(&look.after.men, look.side)).any();
    1 + pair(minor, usize::from(guarded), 2)
}

/// Where a piece goes when there is a passed pawn: before one of the other side's, behind or
/// before an own one.
pub(super) fn passed_way(look: &Seen<'_>) -> usize {
    if is_pawn(look) {
        return 0;
    }
    let to = look.step.to;
    let file = Bitboard::from_file(square(to).file());
    let stops = |side: Side| {
        let on_file = passed(&look.before.men, side) & file;
        on_file.into_iter().find_map(|pawn| {
            let (pawn, way) = (usize::from(pawn), ahead(side, usize::from(pawn)));
            let next = look_ahead_square(side, pawn) == Some(to);
            way.contains(square(to)).then_some(if next { 2 } else { 1 })
        })
    };
    if let Some(near) = stops(!look.side) {
        return near;
    }
    match stops(look.side) {
        Some(near) => 2 + near,
        None if (passed(&look.before.men, look.side) & file).any() => 5,
        None if (passed(&look.before.men, !look.side) & file).any() => 6,
        None => 0,
    }
}

fn look_ahead_square(side: Side, from: usize) -> Option<usize> {
    let next = match side {
        Side::First => from + 8,
        Side::Second => from.checked_sub(8)?,
    };
    (next < 64).then_some(next)
}

/// Whether the king comes nearer to the nearest pawn, and to the nearest passed pawn, or goes away
/// from it; late in the game only.
pub(super) fn king_to_pawns(look: &Seen<'_>) -> usize {
    if look.step.role != ChessMen::KING || look.phase < LATE {
        return 0;
    }
    let men = &look.before.men;
    let nearer = |targets: Bitboard| {
        let nearest =
            |at: usize| targets.into_iter().map(|to| ChessMen::distance(at, usize::from(to))).min();
        match (nearest(look.step.from), nearest(look.step.to)) {
            (Some(before), Some(after)) if after < before => 1,
            (Some(before), Some(after)) if after > before => 2,
            _ => 0,
        }
    };
    let passed = passed(men, look.side) | passed(men, !look.side);
    1 + pair(nearer(men.board().pawns()), nearer(passed), 3)
}

/// The phase from which on kings take part.
const LATE: f32 = 2.2;

/// Whether the two kings come nearer late in the game, and whether they then face each other.
pub(super) fn kings(look: &Seen<'_>) -> usize {
    if look.step.role != ChessMen::KING || look.phase < LATE {
        return 0;
    }
    let other = look.after.king[!look.side];
    let before = ChessMen::distance(look.step.from, other);
    let after = ChessMen::distance(look.step.to, other);
    let ((file, rank), (other_file, other_rank)) =
        (ChessMen::place(look.step.to), ChessMen::place(other));
    let (files, ranks) = ((file - other_file).abs(), (rank - other_rank).abs());
    let faces = (files == 0 && ranks == 2) || (files == 2 && ranks == 0);
    let way = match after.cmp(&before) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    };
    1 + pair(way, usize::from(faces), 2)
}

/// How far the foremost passed pawn of the other side has come, and what is done about it: the
/// king comes nearer to its way, another man moves, or a pawn runs.
pub(super) fn race(look: &Seen<'_>) -> usize {
    let foremost = |side: Side| {
        passed(&look.before.men, side)
            .into_iter()
            .map(|pawn| ChessMen::seen_from(side, usize::from(pawn)) / 8)
            .max()
            .map_or(0, |rank| rank.saturating_sub(2).min(4))
    };
    let (own, other) = (foremost(look.side), foremost(!look.side));
    if own == 0 && other == 0 {
        return 0;
    }
    let who = match Role::ALL[look.step.role] {
        Role::Pawn if is_passed(&look.before.men, look.side, look.step.from) => 0,
        Role::Pawn => 1,
        Role::King => 2,
        _ => 3,
    };
    pair(pair(own, other, 5), who, 4)
}
