//! The seven kinds of piece, and a container with one value for each.

use std::fmt;

/// A kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// 帥 將, the piece that must not be lost; never leaves the palace.
    General,
    /// 仕 士, steps diagonally inside the palace.
    Advisor,
    /// 相 象, jumps two diagonally, not across the river and not over a piece.
    Elephant,
    /// 馬, one step straight, then one diagonally outward; a piece on the first square stops it.
    Horse,
    /// 車, any distance in a straight line.
    Chariot,
    /// 炮 砲, moves like a chariot, captures over exactly one piece.
    Cannon,
    /// 兵 卒, one step forward; after the river also sideways.
    Soldier,
}

impl Role {
    /// All roles, the general first.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// The role of a FEN's letter in either case: `k a b n r c p`, also `e` for the elephant and
    /// `h` for the horse.
    pub fn from_char(ch: char) -> Option<Self> {
        match ch.to_ascii_lowercase() {
            'k' => Some(Self::General),
            'a' => Some(Self::Advisor),
            'b' | 'e' => Some(Self::Elephant),
            'n' | 'h' => Some(Self::Horse),
            'r' => Some(Self::Chariot),
            'c' => Some(Self::Cannon),
            'p' => Some(Self::Soldier),
            _ => None,
        }
    }

    /// Its letter in a FEN, in lower case: one of `k a b n r c p`.
    pub const fn char(self) -> char {
        match self {
            Self::General => 'k',
            Self::Advisor => 'a',
            Self::Elephant => 'b',
            Self::Horse => 'n',
            Self::Chariot => 'r',
            Self::Cannon => 'c',
            Self::Soldier => 'p',
        }
    }

    /// How many pieces of this role a side has at the start, which is also the most it can have.
    pub const fn most(self) -> u8 {
        match self {
            Self::General => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// Whether it can take part in an attack on the other side's general: chariots, horses,
    /// cannons and soldiers do.
    pub const fn is_attacker(self) -> bool {
        matches!(self, Self::Horse | Self::Chariot | Self::Cannon | Self::Soldier)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::General => "general",
            Self::Advisor => "advisor",
            Self::Elephant => "elephant",
            Self::Horse => "horse",
            Self::Chariot => "chariot",
            Self::Cannon => "cannon",
            Self::Soldier => "soldier",
        })
    }
}

/// A value for each role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByRole<T>([T; 7]);

impl<T> ByRole<T> {
    /// The value that `of` gives for each role.
    pub fn new_with(of: impl FnMut(Role) -> T) -> Self {
        Self(Role::ALL.map(of))
    }

    /// The value for one role.
    pub const fn get(&self, role: Role) -> &T {
        &self.0[role as usize]
    }

    /// The value for one role, to be changed.
    pub const fn get_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role as usize]
    }

    /// The roles with their values, the general first.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &T)> {
        Role::ALL.into_iter().zip(&self.0)
    }
}
