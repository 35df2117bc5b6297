//! The legal moves of a position.
//!
//! A move of the general is tried out. The others are legal unless they touch a *risky* square:
//! one whose emptying or filling could let an enemy piece at the general. Whether they do is
//! counted on the line between the two; no move is made.

use super::{
    Bitboard, Board, Color, Move, MoveList, Piece, Position, Role, Square,
    attacks::{
        advisor_attacks, between, cannon_attacks, cannon_control, chariot_attacks,
        elephant_attacks, general_attacks, horse_attacks, horse_leg, horses_to, lines,
        soldier_attacks, soldiers_to,
    },
};

/// All legal moves.
pub(super) fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    Mover::of(position).for_each_move(|m| moves.push(m));
    moves
}

/// Whether a piece of the side to move goes from the one square to the other, leaving its
/// general's safety aside.
pub(super) fn is_pseudo_legal(position: &Position, m: Move) -> bool {
    position.us().contains(m.from) && pseudo_legal_targets(position.board(), m.from).contains(m.to)
}

/// Where the piece on a square goes, leaving its general's safety aside.
pub(super) fn pseudo_legal_targets(board: &Board, from: Square) -> Bitboard {
    board.piece_at(from).map_or(Bitboard::EMPTY, |piece| span(board, from, piece).targets)
}

/// What the piece on a square does there, the safety of its general aside.
pub(super) struct Span {
    /// What it attacks; see [`Board::attacks_from`].
    pub attacks: Bitboard,
    /// Where it could capture, were a piece there.
    pub control: Bitboard,
    /// Where it goes.
    pub targets: Bitboard,
}

/// What this piece, which stands on `from`, does there.
#[inline]
pub(super) fn span(board: &Board, from: Square, piece: Piece) -> Span {
    let occupied = board.occupied();
    let own = board.by_color(piece.color);
    let attacks = match piece.role {
        Role::General => general_attacks(from),
        Role::Advisor => advisor_attacks(from),
        Role::Elephant => elephant_attacks(from, occupied),
        Role::Horse => horse_attacks(from, occupied),
        Role::Chariot => chariot_attacks(from, occupied),
        Role::Cannon => {
            let control = cannon_control(from, occupied);
            // of what is beyond the screen only the last square can hold a piece
            let attacks = control & occupied;
            let targets = chariot_attacks(from, occupied) & !occupied | attacks & !own;
            return Span { attacks, control, targets };
        }
        Role::Soldier => soldier_attacks(piece.color, from),
    };
    Span { attacks, control: attacks, targets: attacks & !own }
}

/// Whether after a pseudo-legal move the mover's general cannot be captured and does not face
/// the other one.
pub(super) fn leaves_general_safe(position: &Position, m: Move) -> bool {
    Mover::of(position).is_safe(m)
}

/// Whether a piece on `from` attacks `to`, the safety of its general aside.
fn attacks_along(piece: Piece, from: Square, to: Square, occupied: Bitboard) -> bool {
    let screens = match piece.role {
        Role::Chariot => 0,
        Role::Cannon => 1,
        Role::Horse => return horses_to(to, occupied).contains(from),
        Role::Soldier => return soldiers_to(piece.color, to).contains(from),
        Role::General | Role::Advisor | Role::Elephant => return false,
    };
    lines(to).contains(from) && (between(from, to) & occupied).count() == screens
}

/// The `targets` that the piece on a square attacks.
pub(super) fn attacks_on(board: &Board, from: Square, targets: Bitboard) -> Bitboard {
    let Some(piece) = board.piece_at(from) else {
        return Bitboard::EMPTY;
    };
    let occupied = board.occupied();
    match piece.role {
        Role::General => general_attacks(from) & targets,
        Role::Advisor => advisor_attacks(from) & targets,
        Role::Soldier => soldier_attacks(piece.color, from) & targets,
        Role::Elephant if elephant_attacks(from, Bitboard::EMPTY).is_disjoint(targets) => {
            Bitboard::EMPTY
        }
        Role::Elephant => elephant_attacks(from, occupied) & targets,
        Role::Horse if horse_attacks(from, Bitboard::EMPTY).is_disjoint(targets) => Bitboard::EMPTY,
        Role::Horse => horse_attacks(from, occupied) & targets,
        Role::Chariot => chariot_attacks(from, occupied) & targets,
        Role::Cannon => cannon_attacks(from, occupied) & targets,
    }
}

/// An enemy piece that gets at the general when so many pieces stand on a line.
#[derive(Clone, Copy)]
struct Threat {
    piece: Square,
    line: Bitboard,
    screens: u8,
}

impl Threat {
    fn is_check(&self, occupied: Bitboard) -> bool {
        (self.line & occupied).count() == usize::from(self.screens)
    }
}

/// The most threats that a general can be under: two chariots and the other general, two cannons,
/// two horses, three soldiers.
const MOST_THREATS: usize = 10;

/// A color that is to move, and what could get at its general. Whose turn it is does not matter.
pub(super) struct Mover<'a> {
    board: &'a Board,
    color: Color,
    occupied: Bitboard,
    general: Square,
    threats: [Threat; MOST_THREATS],
    count: usize,
    /// A threat that is carried out.
    check: Option<Threat>,
    /// Squares which a piece may not leave untried.
    from: Bitboard,
    /// Squares which a piece may not enter untried.
    to: Bitboard,
}

impl<'a> Mover<'a> {
    /// The side to move of a position.
    pub(super) fn of(position: &'a Position) -> Self {
        Self::new(position.board(), position.turn())
    }

    /// A color of a position's board.
    pub(super) fn new(board: &'a Board, color: Color) -> Self {
        let general = board.general_of(color).expect("a position has both generals");
        let none = Threat { piece: general, line: Bitboard::EMPTY, screens: 1 };
        let mut mover = Self {
            board,
            color,
            occupied: board.occupied(),
            general,
            threats: [none; MOST_THREATS],
            count: 0,
            check: None,
            from: Bitboard::from_square(general),
            to: Bitboard::EMPTY,
        };
        mover.look_along_lines();
        mover.look_for_horses_and_soldiers();
        mover
    }

    /// Whether its general could be captured now, or faces the other one.
    pub(super) fn is_check(&self) -> bool {
        self.check.is_some()
    }

    fn enemy(&self, role: Role) -> Bitboard {
        self.board.by_piece(Piece { color: !self.color, role })
    }

    fn look_along_lines(&mut self) {
        let aligned = lines(self.general);
        let facing = self.enemy(Role::General) & Bitboard::from_file(self.general.file());
        for chariot in (self.enemy(Role::Chariot) | facing) & aligned {
            let line = between(self.general, chariot);
            let screens = line & self.occupied;
            if screens.count() <= 1 {
                self.from |= screens;
                self.add(chariot, line, 0);
            }
        }
        for cannon in self.enemy(Role::Cannon) & aligned {
            let line = between(self.general, cannon);
            let screens = line & self.occupied;
            match screens.count() {
                // a piece that enters the line becomes the cannon's screen
                0 => self.to |= line,
                1 => {}
                2 => self.from |= screens,
                _ => continue,
            }
            self.add(cannon, line, 1);
        }
    }

    fn look_for_horses_and_soldiers(&mut self) {
        for horse in horses_to(self.general, Bitboard::EMPTY) & self.enemy(Role::Horse) {
            let leg = horse_leg(horse, self.general);
            self.from |= leg & self.occupied;
            self.add(horse, leg, 0);
        }
        for soldier in soldiers_to(!self.color, self.general) & self.enemy(Role::Soldier) {
            self.add(soldier, Bitboard::EMPTY, 0);
        }
    }

    fn add(&mut self, piece: Square, line: Bitboard, screens: u8) {
        let threat = Threat { piece, line, screens };
        if threat.is_check(self.occupied) {
            self.check = self.check.or(Some(threat));
        }
        if let Some(place) = self.threats.get_mut(self.count) {
            *place = threat;
            self.count += 1;
        }
    }

    /// Whether a pseudo-legal move leaves the general safe.
    fn is_safe(&self, m: Move) -> bool {
        if m.from == self.general {
            return self.is_safe_for_general(m.to);
        }
        let occupied = self.occupied.without(m.from).with(m.to);
        let threats = &self.threats[..self.count];
        threats.iter().all(|threat| threat.piece == m.to || !threat.is_check(occupied))
    }

    fn is_safe_for_general(&self, to: Square) -> bool {
        let occupied = self.occupied.without(self.general).with(to);
        let enemy = |role| self.enemy(role).without(to);
        let facing = enemy(Role::General) & Bitboard::from_file(to.file());
        let (chariots, cannons) = (enemy(Role::Chariot) | facing, enemy(Role::Cannon));
        let aligned = lines(to);
        soldiers_to(!self.color, to).is_disjoint(enemy(Role::Soldier))
            && horses_to(to, occupied).is_disjoint(enemy(Role::Horse))
            && (chariots.is_disjoint(aligned)
                || chariot_attacks(to, occupied).is_disjoint(chariots))
            && (cannons.is_disjoint(aligned) || cannon_attacks(to, occupied).is_disjoint(cannons))
    }

    /// The legal targets of an own piece within some squares, in two parts as in
    /// [`safe`](Self::safe).
    fn targets(&self, from: Square, within: Bitboard) -> [Bitboard; 2] {
        match within.any() {
            true => self.safe(from, pseudo_legal_targets(self.board, from) & within),
            false => [Bitboard::EMPTY; 2],
        }
    }

    /// The legal ones of some targets of an own piece: first those free of risk, then those of
    /// the others that turned out legal.
    #[inline]
    pub(super) fn safe(&self, from: Square, targets: Bitboard) -> [Bitboard; 2] {
        let targets = targets & self.ending_check(from);
        let tried = match self.check.is_some() || self.from.contains(from) {
            true => targets,
            false => targets & self.to,
        };
        let safe = tried
            .into_iter()
            .filter(|&to| self.is_safe(Move::new(from, to)))
            .fold(Bitboard::EMPTY, Bitboard::with);
        [targets & !tried, safe]
    }

    /// Where a piece may go to end the first check, if there is one: onto the piece that gives it
    /// and in between; the general and a cannon's screen may end it anywhere.
    fn ending_check(&self, from: Square) -> Bitboard {
        match self.check {
            Some(Threat { piece, line, .. }) if from != self.general && !line.contains(from) => {
                line.with(piece)
            }
            _ => Bitboard::ALL,
        }
    }

    /// Calls `each` for every legal move, in an order that depends on the position alone.
    pub(super) fn for_each_move(&self, each: impl FnMut(Move)) {
        self.for_each_within(|_| Bitboard::ALL, each);
    }

    /// Calls `each` for every legal move onto the squares that `within` gives for where the piece
    /// stands, in the order of all moves.
    pub(super) fn for_each_within(
        &self,
        within: impl Fn(Square) -> Bitboard,
        mut each: impl FnMut(Move),
    ) {
        for from in self.board.by_color(self.color) {
            for targets in self.targets(from, within(from)) {
                targets.into_iter().for_each(|to| each(Move::new(from, to)));
            }
        }
    }

    /// Whether a legal move of the other side gives check to this one.
    ///
    /// Only moves that touch a risky square can uncover a check.
    pub(super) fn is_checked_by(&self, m: Move) -> bool {
        let occupied = self.occupied.without(m.from).with(m.to);
        let threats = &self.threats[..self.count];
        threats.iter().any(|threat| threat.piece != m.from && threat.is_check(occupied))
            || self
                .board
                .piece_at(m.from)
                .is_some_and(|piece| attacks_along(piece, m.to, self.general, occupied))
    }

    /// How many legal moves there are.
    pub(super) fn moves(&self) -> usize {
        let of = |from| self.targets(from, Bitboard::ALL).map(Bitboard::count);
        self.board.by_color(self.color).into_iter().map(|from| of(from).iter().sum::<usize>()).sum()
    }

    /// Whether there is a legal move.
    pub(super) fn has_move(&self) -> bool {
        let of = |from| self.targets(from, Bitboard::ALL).into_iter().any(Bitboard::any);
        self.board.by_color(self.color).into_iter().any(of)
    }
}
