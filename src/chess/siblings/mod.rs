//! What a player sees after each move of a position, for many moves at once.
//!
//! The look-ahead spends nearly all its time on the last ply, on positions that differ by one move
//! and are only counted. Here they are never made as positions: their men are put side by side
//! and counted with vector instructions. Tests hold the numbers to the definitions in
//! [`attributes`](super::attributes).

mod counting;
mod lanes;
mod rays;
#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};

use self::{
    counting::{Boards, Counts, Men},
    lanes::Lanes,
};
use super::{attributes::WEAK_ATTACK, attributes::worth, forcing, position::side, sight::Sight};
use crate::{
    attributes::{ByAttribute, Ending, Seen},
    game::Side,
};

/// How many moves are looked at at once.
const LANES: usize = 8;

/// A number for each of them.
type Many = [u64; LANES];

/// Calls `each` for every legal move with what `player` sees after it, and whether it is quiescent
/// and forcing where `farther` asks for that. Says whether it could: it cannot where a king or a
/// rook that may castle does not stand where it stands in the usual start position.
pub(super) fn look(
    position: &Chess,
    player: Side,
    farther: bool,
    mut each: impl FnMut(&Move, &Seen),
) -> bool {
    let Some(castling) = usual_castling(position) else {
        return false;
    };
    let parent = Parent::new(position, castling);
    let sign = if side(position.turn()) == player { -1.0 } else { 1.0 };
    let mut boards = parent.boards;
    let mut counts = Counts::default();
    for moves in position.legal_moves().chunks(LANES) {
        let mut material = [0; LANES];
        for (lane, &m) in moves.iter().enumerate() {
            material[lane] = parent.make(m, &mut boards, lane);
        }
        count(&boards, farther, &mut counts);
        for (lane, m) in moves.iter().enumerate() {
            let seen = parent.seen(*m, &counts, lane, material[lane], sign, farther);
            each(m, &seen);
        }
        boards = parent.boards;
    }
    true
}

/// The rooks that either side may still castle with, if they and their kings stand as usual.
fn usual_castling(position: &Chess) -> Option<Bitboard> {
    let castles = position.castles();
    let rights = castles.castling_rights();
    let is_usual = Color::ALL.into_iter().filter(|&color| castles.has_color(color)).all(|color| {
        position.board().king_of(color) == Some(color.fold_wb(Square::E1, Square::E8))
    });
    (is_usual && rights.is_subset(Bitboard::CORNERS)).then_some(rights)
}

/// A position before the moves, turned so that who moves after them goes up the board.
struct Parent<'a> {
    position: &'a Chess,
    /// Its men in every lane.
    boards: Boards<Many>,
    /// The other side's material less the mover's.
    material: i32,
    is_turned: bool,
}

impl<'a> Parent<'a> {
    fn new(position: &'a Chess, castling: Bitboard) -> Self {
        let is_turned = position.turn() == Color::White;
        let turned = |squares: Bitboard| match is_turned {
            true => squares.0.swap_bytes(),
            false => squares.0,
        };
        let board = position.board();
        let men = |color: Color| {
            let of = |role: Role| [turned(board.by_piece(role.of(color))); LANES];
            Men {
                pawns: of(Role::Pawn),
                knights: of(Role::Knight),
                bishops: of(Role::Bishop),
                rooks: of(Role::Rook),
                queens: of(Role::Queen),
                king: of(Role::King),
            }
        };
        let material = |color| super::attributes::material(position, color) as i32;
        Self {
            position,
            boards: Boards {
                mover: men(!position.turn()),
                waiting: men(position.turn()),
                castling: [turned(castling); LANES],
            },
            material: material(!position.turn()) - material(position.turn()),
            is_turned,
        }
    }

    fn square(&self, square: Square) -> u64 {
        let number = u32::from(square);
        1 << if self.is_turned { number ^ 0o70 } else { number }
    }

    /// Makes a move in a lane, and returns the material of the side to move then, less the
    /// other's.
    fn make(&self, m: Move, boards: &mut Boards<Many>, lane: usize) -> i32 {
        let Boards { mover, waiting, castling } = boards;
        let mut material = self.material;
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let (from, to) = (self.square(from), self.square(to));
                waiting.of(role)[lane] ^= from;
                waiting.of(promotion.unwrap_or(role))[lane] ^= to;
                if let Some(captured) = capture {
                    mover.of(captured)[lane] ^= to;
                    material -= worth(captured) as i32;
                }
                if let Some(promotion) = promotion {
                    material -= worth(promotion) as i32 - worth(Role::Pawn) as i32;
                }
                castling[lane] &= !(from | to);
                if role == Role::King {
                    castling[lane] &= !LAST_RANK;
                }
            }
            Move::EnPassant { from, to } => {
                let captured = Square::from_coords(to.file(), from.rank());
                waiting.pawns[lane] ^= self.square(from) | self.square(to);
                mover.pawns[lane] ^= self.square(captured);
                material -= worth(Role::Pawn) as i32;
            }
            Move::Castle { king, rook } => {
                let side = shakmaty::CastlingSide::from_king_side(king < rook);
                let color = self.position.turn();
                waiting.king[lane] ^= self.square(king) | self.square(side.king_to(color));
                waiting.rooks[lane] ^= self.square(rook) | self.square(side.rook_to(color));
                castling[lane] &= !LAST_RANK;
            }
            // chess has no pockets to put pieces from
            Move::Put { .. } => (),
        }
        material
    }

    /// What is seen after a move that was made and counted.
    fn seen(
        &self,
        m: Move,
        counts: &Counts<Many>,
        lane: usize,
        material: i32,
        sign: f32,
        farther: bool,
    ) -> Seen {
        let number = |lanes: &Many| lanes[lane] as i64 as f32;
        let is = |lanes: &Many| lanes[lane] != 0;
        let en_passant = self.en_passant_moves(m);
        let ending = if counts.moves[lane] == 0 && en_passant == 0 {
            Some(if is(&counts.check) { Ending::Lost } else { Ending::Drawn })
        } else if is(&counts.bare) && self.after(m).is_insufficient_material() {
            Some(Ending::Drawn)
        } else {
            None
        };
        let attributes = ByAttribute {
            material: sign * material as f32,
            mobility: sign * (number(&counts.mobility) + en_passant as f32),
            center: sign * number(&counts.center),
            attacks: sign * (number(&counts.strong) + WEAK_ATTACK * number(&counts.weak)),
        };
        let mut seen = Seen { ending, attributes, is_quiescent: true, is_forcing: false };
        if farther {
            seen.is_quiescent = !is(&counts.forcing)
                && en_passant == 0
                && (!is(&counts.unclear) || forcing::is_quiescent(&self.after(m)));
            seen.is_forcing =
                m.is_capture() || m.is_promotion() || is(&counts.check) || self.position.is_check();
        }
        seen
    }

    /// The legal captures en passant after a move.
    fn en_passant_moves(&self, m: Move) -> u32 {
        let Move::Normal { role: Role::Pawn, from, to, .. } = m else {
            return 0;
        };
        if u32::from(from).abs_diff(u32::from(to)) != 16 {
            return 0;
        }
        let to = self.square(to);
        let beside = rays::step::<u64, 1, 0>(to) | rays::step::<u64, -1, 0>(to);
        if beside & self.boards.mover.pawns[0] == 0 {
            return 0;
        }
        Sight::of_mover(&self.after(m)).en_passant_moves()
    }

    fn after(&self, m: Move) -> Chess {
        let mut after = self.position.clone();
        after.play_unchecked(m);
        after
    }
}

/// The rank of the king who has just moved.
const LAST_RANK: u64 = 0xff << 56;

impl Men<Many> {
    fn of(&mut self, role: Role) -> &mut Many {
        match role {
            Role::Pawn => &mut self.pawns,
            Role::Knight => &mut self.knights,
            Role::Bishop => &mut self.bishops,
            Role::Rook => &mut self.rooks,
            Role::Queen => &mut self.queens,
            Role::King => &mut self.king,
        }
    }
}

/// Counts in all lanes.
fn count(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
    #[cfg(target_arch = "x86_64")]
    {
        if widths::is_eight_there() {
            return widths::by_eight(boards, farther, counts);
        }
        if widths::is_four_there() {
            return widths::by_four(boards, farther, counts);
        }
    }
    count_by::<u64>(boards, farther, counts);
}

/// Counts with registers of one width.
#[inline(always)]
fn count_by<L: Lanes>(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
    for first in (0..LANES).step_by(L::COUNT) {
        let read = |lanes: &Many| L::read(&lanes[first..first + L::COUNT]);
        let men = |men: &Men<Many>| Men {
            pawns: read(&men.pawns),
            knights: read(&men.knights),
            bishops: read(&men.bishops),
            rooks: read(&men.rooks),
            queens: read(&men.queens),
            king: read(&men.king),
        };
        let part = Boards {
            mover: men(&boards.mover),
            waiting: men(&boards.waiting),
            castling: read(&boards.castling),
        };
        let part = counting::count(&part, farther);
        let write = |part: L, lanes: &mut Many| part.write(&mut lanes[first..first + L::COUNT]);
        write(part.mobility, &mut counts.mobility);
        write(part.center, &mut counts.center);
        write(part.strong, &mut counts.strong);
        write(part.weak, &mut counts.weak);
        write(part.moves, &mut counts.moves);
        write(part.check, &mut counts.check);
        write(part.bare, &mut counts.bare);
        write(part.forcing, &mut counts.forcing);
        write(part.unclear, &mut counts.unclear);
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod widths {
    //! The counting compiled for processors with wider registers.

    use super::{
        Boards, Counts, Many, count_by,
        lanes::wide::{Eight, Four},
    };

    /// Whether the processor has 512 bits; asked once, remembered by the standard library.
    pub(super) fn is_eight_there() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq")
    }

    /// Whether it has 256 bits.
    pub(super) fn is_four_there() -> bool {
        is_x86_feature_detected!("avx2")
    }

    pub(super) fn by_eight(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
        #[target_feature(enable = "avx512f,avx512vpopcntdq")]
        fn wide(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
            count_by::<Eight>(boards, farther, counts)
        }
        // SAFETY: only called where the processor has been found to have the features.
        unsafe { wide(boards, farther, counts) }
    }

    pub(super) fn by_four(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
        #[target_feature(enable = "avx2")]
        fn wide(boards: &Boards<Many>, farther: bool, counts: &mut Counts<Many>) {
            count_by::<Four>(boards, farther, counts)
        }
        // SAFETY: as above.
        unsafe { wide(boards, farther, counts) }
    }
}
