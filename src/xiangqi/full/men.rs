//! The men of a xiangqi position as the full attributes look at them.

use crate::{
    attributes::full::{Facts, Man, Men, Squares},
    game::Side,
    xiangqi::{Bitboard, Board, Color, Role, Square, attacks, movegen::Span},
};

/// A xiangqi board.
#[derive(Debug, Clone)]
pub struct XiangqiMen(pub(super) Board);

impl XiangqiMen {
    /// The board.
    pub fn board(&self) -> &Board {
        &self.0
    }
}

/// The number of a role.
pub(super) fn number(role: Role) -> usize {
    role as usize
}

/// The square of a number less than 90.
pub(super) fn square(number: usize) -> Square {
    Square::new(number as u8)
}

fn squares(bitboard: Bitboard) -> Squares {
    Squares(bitboard.0)
}

/// The part of a set that is on the board.
pub(super) fn bitboard(squares: Squares) -> Bitboard {
    Bitboard(squares.0)
}

/// The men of a color and what they do, as it is counted for the four attributes.
pub(super) fn spans(
    facts: &Facts<XiangqiMen>,
    color: Color,
) -> impl Iterator<Item = (Square, Role, Span)> {
    let side = Side::from(color);
    facts.list().iter().filter(move |man| man.side == side).map(|man| {
        let (from, role) = (square(man.square), Role::ALL[man.role]);
        let (attacks, targets) = (bitboard(man.attacks), bitboard(man.reach));
        let control = match role {
            Role::Cannon => attacks::cannon_control(from, bitboard(facts.occupied)),
            _ => attacks,
        };
        (from, role, Span { attacks, control, targets })
    })
}

impl Men for XiangqiMen {
    const SQUARES: usize = Square::COUNT;
    const WORTH: &'static [i32] = &[300, 4, 4, 8, 18, 9, 3];
    const KING: usize = 0;

    fn of_side(&self, side: Side) -> Squares {
        squares(self.0.by_color(side.into()))
    }

    fn of_role(&self, role: usize) -> Squares {
        squares(self.0.by_role(Role::ALL[role]))
    }

    fn attacks_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares {
        let (from, occupied) = (square(from), bitboard(occupied));
        squares(match Role::ALL[role] {
            Role::General => attacks::general_attacks(from),
            Role::Advisor => attacks::advisor_attacks(from),
            Role::Elephant => attacks::elephant_attacks(from, occupied),
            Role::Horse => attacks::horse_attacks(from, occupied),
            Role::Chariot => attacks::chariot_attacks(from, occupied),
            Role::Cannon => attacks::cannon_attacks(from, occupied),
            Role::Soldier => attacks::soldier_attacks(side.into(), from),
        })
    }

    fn reach_from(&self, role: usize, side: Side, from: usize, occupied: Squares) -> Squares {
        self.spans(role, side, from, occupied).1
    }

    fn is_untouched(man: &Man, changed: Squares) -> bool {
        let from = square(man.square);
        let beyond = match Role::ALL[man.role] {
            Role::Cannon => attacks::lines(from),
            Role::Horse => attacks::horse_attacks(from, Bitboard::EMPTY) | attacks::beside(from),
            Role::Elephant => attacks::around_elephant(from),
            Role::General | Role::Advisor | Role::Soldier | Role::Chariot => Bitboard::EMPTY,
        };
        !((man.attacks | squares(beyond)) & changed).any()
    }

    fn spans(&self, role: usize, side: Side, from: usize, occupied: Squares) -> (Squares, Squares) {
        let attacked = self.attacks_from(role, side, from, occupied);
        let reach = match Role::ALL[role] {
            Role::Cannon => {
                let lines = attacks::chariot_attacks(square(from), bitboard(occupied));
                (squares(lines) & !occupied) | (attacked & self.of_side(!side))
            }
            _ => attacked & !self.of_side(side),
        };
        (attacked, reach)
    }

    fn attackers_to(&self, to: usize, occupied: Squares) -> Squares {
        let (to, occupied) = (square(to), bitboard(occupied));
        let role = |role| self.0.by_role(role);
        let soldiers = |color| attacks::soldiers_to(color, to) & self.0.by_color(color);
        let mut all = attacks::advisor_attacks(to) & role(Role::Advisor)
            | attacks::general_attacks(to) & role(Role::General)
            | (soldiers(Color::Red) | soldiers(Color::Black)) & role(Role::Soldier);
        // what is nowhere near need not be looked at closely
        let (chariots, cannons) = (role(Role::Chariot), role(Role::Cannon));
        let aligned = attacks::lines(to);
        if !chariots.is_disjoint(aligned) {
            all |= attacks::chariot_attacks(to, occupied) & chariots;
        }
        if !cannons.is_disjoint(aligned) {
            all |= attacks::cannon_attacks(to, occupied) & cannons;
        }
        if !attacks::horses_to(to, Bitboard::EMPTY).is_disjoint(role(Role::Horse)) {
            all |= attacks::horses_to(to, occupied) & role(Role::Horse);
        }
        if !attacks::elephant_attacks(to, Bitboard::EMPTY).is_disjoint(role(Role::Elephant)) {
            all |= attacks::elephant_attacks(to, occupied) & role(Role::Elephant);
        }
        squares(all)
    }

    fn attackers_of_role(&self, role: usize, side: Side, to: usize, occupied: Squares) -> Squares {
        match Role::ALL[role] {
            Role::Horse => squares(attacks::horses_to(square(to), bitboard(occupied))),
            // an empty square will do, one behind a screen
            Role::Cannon => squares(attacks::cannon_control(square(to), bitboard(occupied))),
            Role::Soldier => squares(attacks::soldiers_to(side.into(), square(to))),
            _ => self.attacks_from(role, side, to, occupied),
        }
    }

    /// The palace.
    fn zone(&self, side: Side) -> Squares {
        squares(attacks::palace(side.into()))
    }

    fn seen_from(side: Side, at: usize) -> usize {
        match side {
            Side::First => at,
            Side::Second => usize::from(square(at).flipped().index()),
        }
    }

    fn place(square: usize) -> (i32, i32) {
        ((square % 9) as i32, (square / 9) as i32)
    }

    fn role_at(&self, at: usize) -> Option<usize> {
        self.0.role_at(square(at)).map(number)
    }
}
