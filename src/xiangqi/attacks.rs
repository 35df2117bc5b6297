//! Where pieces go and what they attack on a board with given squares occupied.
//!
//! All tables are computed at compile time. Lines are walked with rays: the first piece on a ray
//! is its lowest or highest bit, and what lies behind that piece is cut off with the ray that
//! starts there.

use super::{Bitboard, Color, File, Rank, Square};

/// The directions of the rays: towards Black, to Red's right, towards Red, to Red's left. Along
/// the first two the indices grow, along the others they fall.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// For each direction and square the squares beyond it. The table has an entry for each bit of
/// an `u128`, so that a bit number needs no check; those past the board are empty.
static RAYS: [[u128; 128]; 4] = {
    let mut rays = [[0; 128]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut from = 0;
        while from < 90 {
            let mut square = Square::new(from).offset(files, ranks);
            while let Some(next) = square {
                rays[direction][from as usize] |= Bitboard::from_square(next).0;
                square = next.offset(files, ranks);
            }
            from += 1;
        }
        direction += 1;
    }
    rays
};

/// The bit of a square, or no bit for none.
const fn bit(square: Option<Square>) -> u128 {
    match square {
        Some(square) => Bitboard::from_square(square).0,
        None => 0,
    }
}

/// For each square and direction the square that must be free, and where a horse then goes.
static HORSE: [[(u128, u128); 4]; 90] = {
    let mut table = [[(0, 0); 4]; 90];
    let mut from = 0;
    while from < 90 {
        let square = Square::new(from);
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = DIRECTIONS[direction];
            // two ahead and one to either side
            let one = bit(square.offset(2 * files + ranks, 2 * ranks + files));
            let other = bit(square.offset(2 * files - ranks, 2 * ranks - files));
            table[from as usize][direction] = (bit(square.offset(files, ranks)), one | other);
            direction += 1;
        }
        from += 1;
    }
    table
};

/// For each square and diagonal the square that must be free, and where the horses that then
/// attack the square stand.
static HORSES_TO: [[(u128, u128); 4]; 90] = {
    let mut table = [[(0, 0); 4]; 90];
    let mut to = 0;
    while to < 90 {
        let square = Square::new(to);
        let mut diagonal = 0;
        while diagonal < 4 {
            let (files, ranks) = DIAGONALS[diagonal];
            let one = bit(square.offset(2 * files, ranks));
            let other = bit(square.offset(files, 2 * ranks));
            table[to as usize][diagonal] = (bit(square.offset(files, ranks)), one | other);
            diagonal += 1;
        }
        to += 1;
    }
    table
};

/// For each square and diagonal the elephant's eye, and where the elephant then goes.
static ELEPHANT: [[(u128, u128); 4]; 90] = {
    let mut table = [[(0, 0); 4]; 90];
    let mut from = 0;
    while from < 90 {
        let square = Square::new(from);
        let side = (square.rank().index() / 5) as usize;
        let mut diagonal = 0;
        while diagonal < 4 {
            let (files, ranks) = DIAGONALS[diagonal];
            let to = bit(square.offset(2 * files, 2 * ranks)) & SIDES[side];
            table[from as usize][diagonal] = (bit(square.offset(files, ranks)), to);
            diagonal += 1;
        }
        from += 1;
    }
    table
};

/// Red's half of the board and Black's.
const SIDES: [u128; 2] = [(1 << 45) - 1, Bitboard::ALL.0 ^ ((1 << 45) - 1)];

/// The two palaces.
const PALACES: [u128; 2] = {
    let files = Bitboard::from_file(File::new(3)).0
        | Bitboard::from_file(File::new(4)).0
        | Bitboard::from_file(File::new(5)).0;
    [files & ((1 << 27) - 1), files & (Bitboard::ALL.0 ^ ((1 << 63) - 1))]
};

/// One step in each of the given directions, from and to squares of the palaces.
const fn palace_steps(directions: [(i8, i8); 4]) -> [u128; 90] {
    let mut table = [0; 90];
    let palaces = PALACES[0] | PALACES[1];
    let mut from = 0;
    while from < 90 {
        let square = Square::new(from);
        if palaces >> from & 1 != 0 {
            let mut i = 0;
            while i < 4 {
                table[from as usize] |=
                    bit(square.offset(directions[i].0, directions[i].1)) & palaces;
                i += 1;
            }
        }
        from += 1;
    }
    table
}

static GENERAL: [u128; 90] = palace_steps(DIRECTIONS);
static ADVISOR: [u128; 90] = palace_steps(DIAGONALS);

/// For each color and square where a soldier goes, and from where one attacks the square.
static SOLDIER: [[u128; 90]; 2] = soldiers(false);
static SOLDIERS_TO: [[u128; 90]; 2] = soldiers(true);

const fn soldiers(backwards: bool) -> [[u128; 90]; 2] {
    let mut table = [[0; 90]; 2];
    let mut color = 0;
    while color < 2 {
        let ahead: i8 = if color == 0 { 1 } else { -1 };
        let mut from = 0;
        while from < 90 {
            let square = Square::new(from);
            let mut targets = bit(square.offset(0, ahead));
            if SIDES[color] >> from & 1 == 0 {
                targets |= bit(square.offset(1, 0)) | bit(square.offset(-1, 0));
            }
            if backwards {
                let mut to = 0;
                while to < 90 {
                    if targets >> to & 1 != 0 {
                        table[color][to as usize] |= 1 << from;
                    }
                    to += 1;
                }
            } else {
                table[color][from as usize] = targets;
            }
            from += 1;
        }
        color += 1;
    }
    table
}

/// The half of the board on a color's side of the river.
pub const fn side_of(color: Color) -> Bitboard {
    Bitboard(SIDES[color as usize])
}

/// A color's palace.
pub const fn palace(color: Color) -> Bitboard {
    Bitboard(PALACES[color as usize])
}

/// The squares on which a color's advisors can ever stand.
pub const fn advisor_squares(color: Color) -> Bitboard {
    let center = match color {
        Color::Red => Square::E1,
        Color::Black => Square::E8,
    };
    Bitboard(ADVISOR[center.index() as usize] | Bitboard::from_square(center).0)
}

/// The squares on which a color's elephants can ever stand.
pub const fn elephant_squares(color: Color) -> Bitboard {
    const RED: u128 = bit(Some(Square::C0))
        | bit(Some(Square::G0))
        | bit(Some(Square::A2))
        | bit(Some(Square::E2))
        | bit(Some(Square::I2))
        | bit(Some(Square::C4))
        | bit(Some(Square::G4));
    const BLACK: u128 = bit(Some(Square::C9))
        | bit(Some(Square::G9))
        | bit(Some(Square::A7))
        | bit(Some(Square::E7))
        | bit(Some(Square::I7))
        | bit(Some(Square::C5))
        | bit(Some(Square::G5));
    Bitboard(match color {
        Color::Red => RED,
        Color::Black => BLACK,
    })
}

/// The squares on which a color's soldiers can ever stand: the river's far side, and on the near
/// side the squares on which they start and the ones before these.
pub const fn soldier_squares(color: Color) -> Bitboard {
    let mut files = 0;
    let mut file = 0;
    while file < 9 {
        files |= Bitboard::from_file(File::new(file)).0;
        file += 2;
    }
    let (start, next) = match color {
        Color::Red => (Rank::new(3), Rank::new(4)),
        Color::Black => (Rank::new(6), Rank::new(5)),
    };
    let ranks = Bitboard::from_rank(start).0 | Bitboard::from_rank(next).0;
    Bitboard(SIDES[1 - color as usize] | files & ranks)
}

/// The nearest piece on a ray along which indices grow, as a bit number; 127 for none.
#[inline]
fn first_up(ray: u128, occupied: u128) -> usize {
    ((ray & occupied | 1 << 127).trailing_zeros() & 127) as usize
}

/// The nearest piece on a ray along which indices fall, as a bit number; 0 for none, which does
/// no harm: no such ray goes on beyond square 0.
#[inline]
fn first_down(ray: u128, occupied: u128) -> usize {
    ((127 - (ray & occupied | 1).leading_zeros()) & 127) as usize
}

/// The squares to which a chariot goes, up to and with the first piece in each direction.
#[inline]
pub fn chariot_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let from = from.index() as usize;
    let mut attacks = 0;
    for rays in &RAYS[..2] {
        attacks |= rays[from] ^ rays[first_up(rays[from], occupied.0)];
    }
    for rays in &RAYS[2..] {
        attacks |= rays[from] ^ rays[first_down(rays[from], occupied.0)];
    }
    Bitboard(attacks)
}

/// The pieces that a cannon attacks: the second one in each direction.
///
/// Where a cannon goes without capturing, it goes as a chariot does.
#[inline]
pub fn cannon_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    let from = from.index() as usize;
    let mut attacks = 0;
    for rays in &RAYS[..2] {
        let beyond = rays[first_up(rays[from], occupied.0)] & occupied.0;
        attacks |= beyond & beyond.wrapping_neg();
    }
    for rays in &RAYS[2..] {
        let beyond = rays[first_down(rays[from], occupied.0)] & occupied.0;
        if beyond != 0 {
            attacks |= 1 << (127 - beyond.leading_zeros());
        }
    }
    Bitboard(attacks)
}

/// The squares that a cannon controls: where it could capture, were a piece there. These are the
/// squares beyond the first piece in each direction, up to and with the second one.
#[inline]
pub fn cannon_control(from: Square, occupied: Bitboard) -> Bitboard {
    let from = from.index() as usize;
    let mut control = 0;
    for rays in &RAYS[..2] {
        let beyond = rays[first_up(rays[from], occupied.0)];
        control |= beyond ^ rays[first_up(beyond, occupied.0)];
    }
    for rays in &RAYS[2..] {
        let beyond = rays[first_down(rays[from], occupied.0)];
        control |= beyond ^ rays[first_down(beyond, occupied.0)];
    }
    Bitboard(control)
}

/// The squares between two squares of one line; none if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let direction = if low.file() == high.file() {
        0
    } else if low.rank() == high.rank() {
        1
    } else {
        return Bitboard::EMPTY;
    };
    let rays = &RAYS[direction];
    let beyond = rays[high.index() as usize] | 1 << high.index();
    Bitboard(rays[low.index() as usize] & !beyond)
}

/// The file and the rank of a square, without the square itself.
#[inline]
pub fn lines(square: Square) -> Bitboard {
    let index = square.index() as usize;
    Bitboard(RAYS[0][index] | RAYS[1][index] | RAYS[2][index] | RAYS[3][index])
}

#[inline]
fn past_free_squares(moves: &[(u128, u128); 4], occupied: Bitboard) -> Bitboard {
    // without a branch, because which legs are free cannot be foretold
    let free = |leg: u128| u128::from(leg & occupied.0 == 0).wrapping_neg();
    Bitboard(moves.iter().fold(0, |to, &(leg, targets)| to | targets & free(leg)))
}

/// The squares to which a horse goes.
#[inline]
pub fn horse_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    past_free_squares(&HORSE[from.index() as usize], occupied)
}

/// The squares from which a horse would attack a square.
///
/// This is not [`horse_attacks`]: the piece that stops a horse stands beside the horse.
#[inline]
pub fn horses_to(to: Square, occupied: Bitboard) -> Bitboard {
    past_free_squares(&HORSES_TO[to.index() as usize], occupied)
}

/// The squares one of which must be free for a horse to attack a square.
pub(super) fn legs(to: Square) -> Bitboard {
    Bitboard(HORSES_TO[to.index() as usize].iter().fold(0, |all, (leg, _)| all | leg))
}

/// The squares beside a square, one of which must be free for a horse to leave it.
pub(super) fn beside(from: Square) -> Bitboard {
    Bitboard(HORSE[from.index() as usize].iter().fold(0, |all, (leg, _)| all | leg))
}

/// An elephant's eyes and targets.
pub(super) fn around_elephant(from: Square) -> Bitboard {
    Bitboard(ELEPHANT[from.index() as usize].iter().fold(0, |all, (eye, to)| all | eye | to))
}

/// The square that must be free for a horse to attack a square; none where it never does.
pub(super) fn horse_leg(horse: Square, to: Square) -> Bitboard {
    let legs = HORSES_TO[to.index() as usize].iter();
    let of_horse = legs.filter(|(_, from)| from >> horse.index() & 1 != 0);
    Bitboard(of_horse.fold(0, |all, (leg, _)| all | leg))
}

/// The squares to which an elephant goes. It stays on the side of the river where it stands.
#[inline]
pub fn elephant_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    past_free_squares(&ELEPHANT[from.index() as usize], occupied)
}

/// The squares to which an advisor goes; none from outside the palaces.
pub fn advisor_attacks(from: Square) -> Bitboard {
    Bitboard(ADVISOR[from.index() as usize])
}

/// The squares to which a general goes; none from outside the palaces.
///
/// The look along an open file that keeps the generals apart is not among them.
pub fn general_attacks(from: Square) -> Bitboard {
    Bitboard(GENERAL[from.index() as usize])
}

/// The squares to which a color's soldier goes.
pub fn soldier_attacks(color: Color, from: Square) -> Bitboard {
    Bitboard(SOLDIER[color as usize][from.index() as usize])
}

/// The squares from which a color's soldier would attack a square.
pub fn soldiers_to(color: Color, to: Square) -> Bitboard {
    Bitboard(SOLDIERS_TO[color as usize][to.index() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &str) -> Bitboard {
        squares.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn a_chariot_stops_at_the_first_piece_each_way() {
        let occupied = set("e7 g4 e4");
        assert_eq!(
            chariot_attacks(Square::E4, occupied),
            set("e5 e6 e7 f4 g4 d4 c4 b4 a4 e3 e2 e1 e0")
        );
        assert_eq!(chariot_attacks(Square::A0, Bitboard::EMPTY).count(), 17);
        assert_eq!(chariot_attacks(Square::I9, set("a0 i0 a9")).count(), 17);
    }

    #[test]
    fn a_cannon_attacks_the_second_piece_each_way() {
        assert_eq!(cannon_attacks(Square::E4, set("e4 e6 e8 e9 d4 e0 e1 a0")), set("e8 e0"));
        assert_eq!(cannon_attacks(Square::I9, set("i9 h9 a9 i1 i0")), set("a9 i0"));
        assert_eq!(cannon_attacks(Square::A9, set("a1")), Bitboard::EMPTY);
    }

    #[test]
    fn a_cannon_controls_the_squares_where_it_could_capture() {
        assert_eq!(cannon_control(Square::E4, set("e4 e6 e8 e9 d4")), set("e7 e8 c4 b4 a4"));
        for occupied in [Bitboard::EMPTY, set("e5 d4 f3 b1 h8 c6"), set("a1 b0 i8 e1 e8")] {
            for from in Square::all() {
                let control: Bitboard = Square::all()
                    .filter(|&to| cannon_attacks(from, occupied.with(to)).contains(to))
                    .collect();
                assert_eq!(cannon_control(from, occupied), control, "{from}");
            }
        }
    }

    #[test]
    fn a_piece_beside_it_stops_a_horse_one_way() {
        assert_eq!(horse_attacks(Square::B0, Bitboard::EMPTY), set("a2 c2 d1"));
        assert_eq!(horse_attacks(Square::B0, set("c0")), set("a2 c2"));
        assert_eq!(horse_attacks(Square::E4, set("e5")).count(), 6);
    }

    #[test]
    fn horses_attack_a_square_if_it_is_among_their_attacks() {
        for occupied in [Bitboard::EMPTY, set("e5 d4 f3 b1 h8 c6"), set("a1 b0 i8 e1")] {
            for to in Square::all() {
                let from: Bitboard = Square::all()
                    .filter(|&from| horse_attacks(from, occupied).contains(to))
                    .collect();
                assert_eq!(horses_to(to, occupied), from, "{to}");
            }
        }
    }

    #[test]
    fn an_elephant_stays_on_its_side_and_jumps_over_no_piece() {
        assert_eq!(elephant_attacks(Square::C4, Bitboard::EMPTY), set("a2 e2"));
        assert_eq!(elephant_attacks(Square::E7, set("d8 f6")), set("g9 c5"));
    }

    #[test]
    fn the_palace_holds_general_and_advisors() {
        assert_eq!(general_attacks(Square::D0), set("d1 e0"));
        assert_eq!(general_attacks(Square::E8), set("e7 e9 d8 f8"));
        assert_eq!(general_attacks(Square::D3), Bitboard::EMPTY);
        assert_eq!(advisor_attacks(Square::F2), set("e1"));
        assert_eq!(advisor_squares(Color::Black), set("d7 f7 e8 d9 f9"));
    }

    #[test]
    fn a_soldier_goes_sideways_only_beyond_the_river() {
        assert_eq!(soldier_attacks(Color::Red, Square::A4), set("a5"));
        assert_eq!(soldier_attacks(Color::Red, Square::A5), set("a6 b5"));
        assert_eq!(soldier_attacks(Color::Black, Square::E4), set("e3 d4 f4"));
        assert_eq!(soldier_attacks(Color::Black, Square::E0), set("d0 f0"));
        assert_eq!(soldiers_to(Color::Red, Square::E5), set("e4 d5 f5"));
    }

    #[test]
    fn between_is_empty_off_the_lines() {
        assert_eq!(between(Square::E0, Square::E4), set("e1 e2 e3"));
        assert_eq!(between(Square::I4, Square::F4), set("g4 h4"));
        assert_eq!(between(Square::A0, Square::B2), Bitboard::EMPTY);
        assert_eq!(between(Square::A0, Square::A1), Bitboard::EMPTY);
    }

    #[test]
    fn elephants_reach_the_squares_they_can_stand_on() {
        for color in Color::ALL {
            let squares = elephant_squares(color);
            for from in squares {
                assert!(
                    elephant_attacks(from, Bitboard::EMPTY)
                        .into_iter()
                        .all(|to| squares.contains(to))
                );
            }
        }
    }
}
