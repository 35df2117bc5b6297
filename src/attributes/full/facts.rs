//! What one look at the men tells: who attacks what, what hangs, who can move where.

use super::{BySide, Men, Squares, exchange::exchange};
use crate::game::Side;

/// The most men there can be on a board.
const MOST_MEN: usize = 32;
/// The most roles there can be.
const MOST_ROLES: usize = 8;
/// The number of no man.
const NOBODY: u8 = u8::MAX;

/// A man on the board and what it does there.
#[derive(Debug, Clone, Copy)]
pub struct Man {
    /// Where it stands.
    pub square: usize,
    /// Its role.
    pub role: usize,
    /// Its side.
    pub side: Side,
    /// What it attacks, its own side's men included.
    pub attacks: Squares,
    /// Where it may go, the safety of its king aside.
    pub reach: Squares,
    /// What the other side wins by capturing it, in half pawns; zero where that does not pay.
    pub stake: i32,
}

/// What one look at a board tells. Buffers for one are kept and used again.
#[derive(Debug, Clone)]
pub struct Facts<M> {
    /// The men.
    pub men: M,
    /// All occupied squares.
    pub occupied: Squares,
    list: [Man; MOST_MEN],
    count: usize,
    /// By square, the place in the list.
    at: [u8; 128],
    /// What each side attacks.
    pub attacked: BySide<Squares>,
    /// What each side's men are worth, in half pawns, its king aside.
    pub worth: BySide<i32>,
    /// To how many squares each side's men may go.
    pub mobility: BySide<u32>,
    /// The men of each side that the other side would win something by capturing, its king aside.
    pub hanging: BySide<Squares>,
    /// The most that the *other* side would win by a capture.
    pub loss: BySide<i32>,
    /// The next most, by capturing another man.
    pub second_loss: BySide<i32>,
    /// Where each side's king stands.
    pub king: BySide<usize>,
    /// How many squares of the zone around each side's king the other side's men attack, each
    /// man's counted.
    pub pressure: BySide<u32>,
    /// The men that attack each side's king.
    pub checkers: BySide<Squares>,
    /// From how many squares each side's men could attack the other king next.
    pub checks: BySide<u32>,
    /// How many of those the other side does not attack.
    pub safe_checks: BySide<u32>,
}

/// What was seen before a move, and the squares whose men it changed.
struct Before<'a, M> {
    facts: &'a Facts<M>,
    changed: Squares,
}

impl<M: Men> Before<'_, M> {
    /// The man on a square, if nothing changed for it.
    fn untouched(&self, square: usize) -> Option<&Man> {
        let man = self.facts.at(square)?;
        (!self.changed.contains(square) && M::is_untouched(man, self.changed)).then_some(man)
    }
}

const NO_MAN: Man = Man {
    square: 0,
    role: 0,
    side: Side::First,
    attacks: Squares::EMPTY,
    reach: Squares::EMPTY,
    stake: 0,
};

const BOTH: [Side; 2] = [Side::First, Side::Second];

impl<M: Men> Facts<M> {
    /// Looks at these men.
    pub fn new(men: M) -> Self {
        let mut facts = Self {
            occupied: men.occupied(),
            men,
            list: [NO_MAN; MOST_MEN],
            count: 0,
            at: [NOBODY; 128],
            attacked: BySide::default(),
            worth: BySide::default(),
            mobility: BySide::default(),
            hanging: BySide::default(),
            loss: BySide::default(),
            second_loss: BySide::default(),
            king: BySide::default(),
            pressure: BySide::default(),
            checkers: BySide::default(),
            checks: BySide::default(),
            safe_checks: BySide::default(),
        };
        facts.look(None);
        facts
    }

    /// Looks at other men, in the place of the ones seen before.
    pub fn renew(&mut self, men: M) {
        self.occupied = men.occupied();
        self.men = men;
        self.look(None);
    }

    /// Looks at the men after a move, in the place of the ones seen before. What was seen of them
    /// before the move need not be looked at again where the move touched nothing.
    pub fn renew_after(&mut self, before: &Self, men: M) {
        let differ = |one: Squares, other: Squares| Squares(one.0 ^ other.0);
        let mut changed = Squares::EMPTY;
        for side in BOTH {
            changed |= differ(before.men.of_side(side), men.of_side(side));
        }
        for role in 0..M::roles() {
            changed |= differ(before.men.of_role(role), men.of_role(role));
        }
        self.occupied = men.occupied();
        self.men = men;
        self.look(Some(&Before { facts: before, changed }));
    }

    /// All men.
    pub fn list(&self) -> &[Man] {
        &self.list[..self.count]
    }

    /// The man on a square.
    pub fn at(&self, square: usize) -> Option<&Man> {
        self.list().get(usize::from(self.at[square]))
    }

    /// What the other side wins by capturing the man on a square; zero where there is none.
    pub fn stake(&self, square: usize) -> i32 {
        self.at(square).map_or(0, |man| man.stake)
    }

    /// The largest stake among the men on these squares, with the role of the man.
    pub fn largest_stake(&self, squares: Squares) -> Option<(i32, usize)> {
        squares.filter_map(|square| self.at(square)).map(|man| (man.stake, man.role)).max()
    }

    fn look(&mut self, before: Option<&Before<'_, M>>) {
        self.at.fill(NOBODY);
        self.count = 0;
        self.attacked = BySide::default();
        self.worth = BySide::default();
        self.mobility = BySide::default();
        self.pressure = BySide::default();
        self.checkers = BySide::default();
        for side in BOTH {
            let king = self.men.of_role(M::KING) & self.men.of_side(side);
            self.king[side] = king.first().expect("each side has a king");
        }
        let zones = BySide::new_with(|side| self.men.zone(side));
        for side in BOTH {
            let own = self.men.of_side(side);
            for role in 0..M::roles() {
                let men = own & self.men.of_role(role);
                if role != M::KING {
                    self.worth[side] += M::WORTH[role] * men.count() as i32;
                }
                for square in men {
                    self.add(role, side, square, zones[!side], before);
                }
            }
        }
        self.weigh();
        BOTH.into_iter().for_each(|side| self.count_checks(side));
    }

    fn count_checks(&mut self, side: Side) {
        let king = self.king[!side];
        let mut from = [Squares::EMPTY; MOST_ROLES];
        for (role, from) in from.iter_mut().enumerate().take(M::roles()) {
            if role != M::KING {
                *from = self.men.attackers_of_role(role, side, king, self.occupied);
            }
        }
        let (mut all, mut safe) = (0, 0);
        for man in self.list().iter().filter(|man| man.side == side) {
            let checks = man.reach & from[man.role];
            if checks.any() {
                all += checks.count();
                safe += (checks & !self.attacked[!side]).count();
            }
        }
        self.checks[side] = all;
        self.safe_checks[side] = safe;
    }

    fn add(
        &mut self,
        role: usize,
        side: Side,
        square: usize,
        zone: Squares,
        before: Option<&Before<'_, M>>,
    ) {
        let (attacks, reach) = match before.and_then(|before| before.untouched(square)) {
            Some(man) => (man.attacks, man.reach),
            None => self.men.spans(role, side, square, self.occupied),
        };
        self.attacked[side] |= attacks;
        self.mobility[side] += reach.count();
        self.pressure[!side] += (attacks & zone).count();
        if attacks.contains(self.king[!side]) {
            self.checkers[!side] |= Squares::of(square);
        }
        if let Some(place) = self.list.get_mut(self.count) {
            *place = Man { square, role, side, attacks, reach, stake: 0 };
            self.at[square] = self.count as u8;
            self.count += 1;
        }
    }

    fn weigh(&mut self) {
        self.hanging = BySide::default();
        self.loss = BySide::default();
        self.second_loss = BySide::default();
        for place in 0..self.count {
            let Man { square, role, side, .. } = self.list[place];
            if role == M::KING || !self.attacked[!side].contains(square) {
                continue;
            }
            let worth = M::WORTH[role];
            let stake = match self.attacked[side].contains(square) {
                false => worth,
                true => exchange(&self.men, square, worth, !side, self.occupied),
            };
            if stake <= 0 {
                continue;
            }
            self.list[place].stake = stake;
            self.hanging[side] |= Squares::of(square);
            if stake > self.loss[side] {
                self.second_loss[side] = self.loss[side];
                self.loss[side] = stake;
            } else if stake > self.second_loss[side] {
                self.second_loss[side] = stake;
            }
        }
    }
}
