//! The legal moves of a position.
//!
//! A move of the general, or any move while in check, is tried out. The others are legal unless
//! they touch a *risky* square: one whose emptying or filling could let an enemy piece at the
//! general. Only those are tried out, which are few.

use super::{
    Bitboard, Move, MoveList, Piece, Position, Role, Square,
    attacks::{
        advisor_attacks, between, cannon_attacks, chariot_attacks, elephant_attacks,
        general_attacks, horse_attacks, horse_legs, horses_to, lines, soldier_attacks, soldiers_to,
    },
};

/// All legal moves.
pub(super) fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    let risk = Risk::of(position);
    for from in position.us() {
        let targets = pseudo_legal_targets(position, from);
        let (tried, free) = risk.split(from, targets);
        for to in free {
            moves.push(Move::new(from, to));
        }
        for to in tried {
            let m = Move::new(from, to);
            if leaves_general_safe(position, m) {
                moves.push(m);
            }
        }
    }
    moves
}

/// Whether a piece of the side to move goes from the one square to the other, leaving its
/// general's safety aside.
pub(super) fn is_pseudo_legal(position: &Position, m: Move) -> bool {
    position.us().contains(m.from) && pseudo_legal_targets(position, m.from).contains(m.to)
}

/// Where the piece on a square goes, leaving its general's safety aside.
pub(super) fn pseudo_legal_targets(position: &Position, from: Square) -> Bitboard {
    let board = position.board();
    let Some(piece) = board.piece_at(from) else {
        return Bitboard::EMPTY;
    };
    let occupied = board.occupied();
    let targets = match piece.role {
        Role::General => general_attacks(from),
        Role::Advisor => advisor_attacks(from),
        Role::Elephant => elephant_attacks(from, occupied),
        Role::Horse => horse_attacks(from, occupied),
        Role::Chariot => chariot_attacks(from, occupied),
        Role::Cannon => {
            chariot_attacks(from, occupied) & !occupied | cannon_attacks(from, occupied)
        }
        Role::Soldier => soldier_attacks(piece.color, from),
    };
    targets & !board.by_color(piece.color)
}

/// Whether after a pseudo-legal move the mover's general cannot be captured and does not face
/// the other one.
pub(super) fn leaves_general_safe(position: &Position, m: Move) -> bool {
    let board = position.board();
    let occupied = board.occupied().without(m.from).with(m.to);
    let them = position.them().without(m.to);
    let general = position.general_of(position.turn());
    let general = if general == m.from { m.to } else { general };
    let attackers = |role| board.by_role(role) & them;

    let facing = attackers(Role::General) & Bitboard::from_file(general.file());
    let chariots = attackers(Role::Chariot) | facing;
    let cannons = attackers(Role::Cannon);
    let aligned = lines(general);
    soldiers_to(!position.turn(), general).is_disjoint(attackers(Role::Soldier))
        && horses_to(general, occupied).is_disjoint(attackers(Role::Horse))
        && (chariots.is_disjoint(aligned)
            || chariot_attacks(general, occupied).is_disjoint(chariots))
        && (cannons.is_disjoint(aligned) || cannon_attacks(general, occupied).is_disjoint(cannons))
}

/// Which moves have to be tried out.
struct Risk {
    /// Squares which a piece may not leave untried.
    from: Bitboard,
    /// Squares which a piece may not enter untried.
    to: Bitboard,
}

impl Risk {
    fn of(position: &Position) -> Self {
        let board = position.board();
        let occupied = board.occupied();
        let color = position.turn();
        let general = position.general_of(color);
        if position.is_check() {
            return Self { from: Bitboard::ALL, to: Bitboard::ALL };
        }
        let enemy = |role| board.by_piece(Piece { color: !color, role });
        let mut from = Bitboard::from_square(general);
        let mut to = Bitboard::EMPTY;

        let aligned = lines(general);
        let facing = enemy(Role::General) & Bitboard::from_file(general.file());
        for chariot in (enemy(Role::Chariot) | facing) & aligned {
            let screens = between(general, chariot) & occupied;
            if screens.count() == 1 {
                from |= screens;
            }
        }
        for cannon in enemy(Role::Cannon) & aligned {
            let line = between(general, cannon);
            let screens = line & occupied;
            match screens.count() {
                // a piece that enters the line becomes the cannon's screen
                0 => to |= line,
                2 => from |= screens,
                _ => {}
            }
        }
        from |= horse_legs(general, enemy(Role::Horse), occupied);
        Self { from, to }
    }

    /// Splits the targets of a piece into those to be tried out and those free of risk.
    fn split(&self, from: Square, targets: Bitboard) -> (Bitboard, Bitboard) {
        if self.from.contains(from) {
            (targets, Bitboard::EMPTY)
        } else {
            (targets & self.to, targets & !self.to)
        }
    }
}
