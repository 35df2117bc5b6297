//! What is counted in several positions at once, by whole sets of squares.
//!
//! The same numbers as in [`sight`](crate::chess::sight), without a loop over pieces: two sliders
//! of one color never attack a square from the same side, so the squares that all of them attack
//! in one direction, counted, are their moves in it. All positions are turned so that the side to
//! move goes up the board.

use super::{
    lanes::Lanes,
    rays::{ByDirection, around, jumps, rays, sum, union},
};
use crate::chess::attributes::CENTER;

/// The men of one color in each position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Men<L> {
    pub pawns: L,
    pub knights: L,
    pub bishops: L,
    pub rooks: L,
    pub queens: L,
    pub king: L,
}

/// Several positions with the same side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boards<L> {
    /// The men of the side to move.
    pub mover: Men<L>,
    /// Those of the other side.
    pub waiting: Men<L>,
    /// The rooks in the corners that either king may still castle with.
    pub castling: L,
}

/// What was counted, the side to move less the other, in two's complement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts<L> {
    pub mobility: L,
    pub center: L,
    pub strong: L,
    pub weak: L,
    /// The legal moves of the side to move, en passant excepted.
    pub moves: L,
    /// Whether the side to move is in check.
    pub check: L,
    /// Whether neither side has anything but king, knights and bishops.
    pub bare: L,
    /// Whether the side to move is in check or has a capture, a promotion or a plain check, en
    /// passant excepted. Only where it was asked for.
    pub forcing: L,
    /// Whether it may have a check that is not plain: by castling, by uncovering, by a queen.
    pub unclear: L,
}

const UP: i32 = 1;
const DOWN: i32 = -1;
const RANK_3: u64 = 0xff_0000;
const RANK_6: u64 = RANK_3.swap_bytes();
const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

impl<L: Lanes> Men<L> {
    #[inline(always)]
    fn all(&self) -> L {
        self.pawns | self.knights | self.bishops | self.rooks | self.queens | self.king
    }

    #[inline(always)]
    fn straight(&self) -> L {
        self.rooks | self.queens
    }

    #[inline(always)]
    fn diagonal(&self) -> L {
        self.bishops | self.queens
    }
}

/// The squares one step forward and `FILES` aside, for the side that goes `FORWARD`.
#[inline(always)]
fn forward<L: Lanes, const FORWARD: i32>(pawns: L, aside: i32) -> L {
    use super::rays::step;
    match (FORWARD == UP, aside) {
        (true, 0) => step::<L, 0, 1>(pawns),
        (true, 1) => step::<L, 1, 1>(pawns),
        (true, _) => step::<L, -1, 1>(pawns),
        (false, 0) => step::<L, 0, -1>(pawns),
        (false, 1) => step::<L, 1, -1>(pawns),
        (false, _) => step::<L, -1, -1>(pawns),
    }
}

/// What one color attacks.
struct Attacked<L> {
    rays: ByDirection<L>,
    jumps: [L; 8],
    king: L,
    squares: L,
    /// Strong attacks, those on a king excepted.
    strong: L,
    /// All attacks.
    all: L,
}

impl<L: Lanes> Attacked<L> {
    #[inline(always)]
    fn new<const FORWARD: i32>(own: &Men<L>, other: &Men<L>, empty: L) -> Self {
        let none = L::splat(0);
        let rays = rays(own.straight(), own.diagonal(), empty);
        let jumps = jumps(own.knights);
        let pawns = [forward::<L, FORWARD>(own.pawns, -1), forward::<L, FORWARD>(own.pawns, 1)];
        let king = around(own.king);
        let targets = other.all();
        let all = sum(&rays, targets)
            .plus(sum(&jumps, targets))
            .plus(sum(&pawns, targets))
            .plus((king & targets).count());
        // attacks on a king are the checks, and are counted as such
        let mut strong = sum(&pawns, targets & !other.pawns & !other.king);
        let above_minor = other.queens | other.rooks;
        if (union(&jumps) & above_minor).any() {
            strong = strong.plus(sum(&jumps, above_minor));
        }
        // queens attack along the same lines, but nothing else that is worth more than they are
        if (union(&rays[..4]) & other.queens).any() {
            let of_rooks = self::rays(own.rooks, none, empty);
            strong = strong.plus(sum(&of_rooks[..4], other.queens));
        }
        if (union(&rays[4..]) & above_minor).any() {
            let of_bishops = self::rays(none, own.bishops, empty);
            strong = strong.plus(sum(&of_bishops[4..], above_minor));
        }
        let squares = union(&rays) | union(&jumps) | union(&pawns) | king;
        Self { rays, jumps, king, squares, strong, all }
    }
}

/// Own men that may move along one line only, by line: file, rank, and the two diagonals.
struct Pinned<L> {
    by_line: [L; 4],
    all: L,
}

impl<L: Lanes> Pinned<L> {
    /// The men of `own` that alone stand between a king, who sees `sight` around him, and sliders;
    /// none where `never` says so.
    #[inline(always)]
    fn new(sight: &ByDirection<L>, sliders: &ByDirection<L>, own: L, never: L) -> Self {
        let own = own & !never;
        let by_line = [
            ((sight[0] & sliders[1]) | (sight[1] & sliders[0])) & own,
            ((sight[2] & sliders[3]) | (sight[3] & sliders[2])) & own,
            ((sight[4] & sliders[5]) | (sight[5] & sliders[4])) & own,
            ((sight[6] & sliders[7]) | (sight[7] & sliders[6])) & own,
        ];
        Self { by_line, all: union(&by_line) }
    }

    /// Those of `men` that may move along a line.
    #[inline(always)]
    fn free(&self, men: L, line: usize) -> L {
        men & (!self.all | self.by_line[line])
    }
}

/// Where all men of one color but the king may go.
struct Moves<L> {
    rays: ByDirection<L>,
    jumps: [L; 8],
    steps: [L; 2],
    captures: [L; 2],
}

impl<L: Lanes> Moves<L> {
    #[inline(always)]
    fn new<const FORWARD: i32>(
        own: &Men<L>,
        attacked: &Attacked<L>,
        pinned: &Pinned<L>,
        empty: L,
        targets: L,
        other: L,
    ) -> Self {
        let (mut rays, mut jumps) = (attacked.rays, attacked.jumps);
        if pinned.all.any() {
            let (straight, diagonal) = (own.straight(), own.diagonal());
            let along = self::rays(pinned.free(straight, 0), pinned.free(diagonal, 2), empty);
            let across = self::rays(pinned.free(straight, 1), pinned.free(diagonal, 3), empty);
            rays = [
                along[0], along[1], across[2], across[3], along[4], along[5], across[6], across[7],
            ];
            jumps = self::jumps(own.knights & !pinned.all);
        }
        for ray in &mut rays {
            *ray = *ray & targets;
        }
        for jump in &mut jumps {
            *jump = *jump & targets;
        }
        let third = L::splat(if FORWARD == UP { RANK_3 } else { RANK_6 });
        let one = forward::<L, FORWARD>(pinned.free(own.pawns, 0), 0) & empty;
        let two = forward::<L, FORWARD>(one & third, 0) & empty;
        // northeast for the side that goes up and southwest for the other are one line
        let (east, west) = if FORWARD == UP { (2, 3) } else { (3, 2) };
        let captures = [
            forward::<L, FORWARD>(pinned.free(own.pawns, east), 1) & other & targets,
            forward::<L, FORWARD>(pinned.free(own.pawns, west), -1) & other & targets,
        ];
        Self { rays, jumps, steps: [one & targets, two & targets], captures }
    }

    /// How many moves they are; a promotion is four.
    #[inline(always)]
    fn count(&self) -> L {
        let all = L::splat(u64::MAX);
        let [one, _] = self.steps;
        let promotions = sum(&[one, self.captures[0], self.captures[1]], L::splat(BACK_RANKS));
        sum(&self.rays, all)
            .plus(sum(&self.jumps, all))
            .plus(sum(&self.steps, all))
            .plus(sum(&self.captures, all))
            .plus(promotions.plus(promotions).plus(promotions))
    }
}

/// How many ways a king on his first square has to castle; `home` is the number of its rank's
/// first square.
#[inline(always)]
fn castling<L: Lanes>(castling: L, occupied: L, attacked: L, home: u32) -> L {
    let (short, long) = (L::splat(0x80 << home), L::splat(1 << home));
    let (short_path, long_path) = (L::splat(0x60 << home), L::splat(0x0e << home));
    let long_way = L::splat(0x0c << home);
    let is_short = (!(castling & short).is_zero()) & ((occupied | attacked) & short_path).is_zero();
    let is_long =
        (!(castling & long).is_zero()) & ((occupied & long_path) | (attacked & long_way)).is_zero();
    let one = L::splat(1);
    (is_short & one).plus(is_long & one)
}

/// Check to the side to move.
struct Check<L> {
    /// Whether there is none.
    is_none: L,
    /// Where men other than the king may go.
    targets: L,
    /// Squares behind the king where a slider still attacks him.
    behind: L,
    /// How many men give check.
    count: L,
}

impl<L: Lanes> Check<L> {
    #[inline(always)]
    fn new(mover: &Men<L>, waiting: &Men<L>, theirs: &Attacked<L>, sight: &ByDirection<L>) -> Self {
        use super::rays::step;
        let mut checkers = union(&jumps(mover.king)) & waiting.knights;
        let pawns = forward::<L, UP>(mover.king, 1) | forward::<L, UP>(mover.king, -1);
        checkers |= pawns & waiting.pawns;
        let mut meeting = checkers;
        for (direction, &seen) in sight.iter().enumerate() {
            let sliders = if direction < 4 { waiting.straight() } else { waiting.diagonal() };
            let checker = seen & sliders;
            checkers |= checker;
            meeting |= seen & !checker.is_zero();
        }
        let king = mover.king;
        let rays = &theirs.rays;
        let behind = step::<L, 0, 1>(rays[0] & king)
            | step::<L, 0, -1>(rays[1] & king)
            | step::<L, 1, 0>(rays[2] & king)
            | step::<L, -1, 0>(rays[3] & king)
            | step::<L, 1, 1>(rays[4] & king)
            | step::<L, -1, -1>(rays[5] & king)
            | step::<L, -1, 1>(rays[6] & king)
            | step::<L, 1, -1>(rays[7] & king);
        let is_none = checkers.is_zero();
        let is_single = (checkers & checkers.minus(L::splat(1))).is_zero();
        let targets = !mover.all() & (is_none | meeting) & is_single;
        Self { is_none, targets, behind, count: checkers.count() }
    }
}

/// Counts everything, and where `farther` is true also what the side to move can force.
#[inline(always)]
pub(super) fn count<L: Lanes>(boards: &Boards<L>, farther: bool) -> Counts<L> {
    let Boards { mover, waiting, .. } = boards;
    let (own, other) = (mover.all(), waiting.all());
    let occupied = own | other;
    let empty = !occupied;
    let none = L::splat(0);
    let ours = Attacked::new::<UP>(mover, waiting, empty);
    let theirs = Attacked::new::<DOWN>(waiting, mover, empty);
    let sight = rays(mover.king, mover.king, empty);
    let other_sight = rays(waiting.king, waiting.king, empty);
    let check = Check::new(mover, waiting, &theirs, &sight);

    let pinned = Pinned::new(&sight, &theirs.rays, own, none);
    let moves = Moves::new::<UP>(mover, &ours, &pinned, empty, check.targets, other);
    let king_moves = ours.king & !own & !theirs.squares & !check.behind;
    let our_castling = castling(boards.castling, occupied, theirs.squares, 0) & check.is_none;
    let our_moves = moves.count().plus(king_moves.count()).plus(our_castling);

    // where there is check the turn cannot be passed, and kings are left out of account
    let other_pinned = Pinned::new(&other_sight, &ours.rays, other, !check.is_none);
    let other_moves = Moves::new::<DOWN>(waiting, &theirs, &other_pinned, empty, !other, own);
    let other_king_moves = theirs.king & !other & !(ours.squares & check.is_none);
    let their_castling = castling(boards.castling, occupied, ours.squares, 56) & check.is_none;
    let their_moves = other_moves.count().plus(other_king_moves.count()).plus(their_castling);

    // the side that has just moved is not in check
    let their_strong = theirs.strong.plus(check.count);
    let strong = ours.strong.minus(their_strong);
    let center = L::splat(CENTER.0);
    let mut counts = Counts {
        mobility: our_moves.minus(their_moves),
        center: (ours.squares & center).count().minus((theirs.squares & center).count()),
        strong,
        weak: ours.all.minus(theirs.all).minus(strong),
        moves: our_moves,
        check: !check.is_none,
        bare: (mover.pawns | waiting.pawns | mover.straight() | waiting.straight()).is_zero(),
        forcing: none,
        unclear: none,
    };
    if farther {
        let [one, two] = moves.steps;
        let (lines, diagonals) = (union(&other_sight[..4]), union(&other_sight[4..]));
        let (straight, diagonal) = (union(&moves.rays[..4]), union(&moves.rays[4..]));
        let jumping = union(&moves.jumps);
        let pawn_checks =
            forward::<L, DOWN>(waiting.king, 1) | forward::<L, DOWN>(waiting.king, -1);
        let forcing = ((straight | diagonal | jumping | king_moves) & other)
            | union(&moves.captures)
            | (one & L::splat(BACK_RANKS))
            | (straight & lines)
            | (diagonal & diagonals)
            | (jumping & union(&jumps(waiting.king)))
            | ((one | two) & pawn_checks);
        counts.forcing = !(forcing.is_zero() & check.is_none);
        let uncovering = Pinned::new(&other_sight, &ours.rays, own, none).all;
        let unclear = (straight & diagonals) | (diagonal & lines) | uncovering | our_castling;
        counts.unclear = !unclear.is_zero();
    }
    counts
}
