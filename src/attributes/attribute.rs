//! The four attributes of a position, and containers with one value for each.

use std::fmt;

/// What a person looks at in a position; always the player's count less the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// The worth of the pieces.
    Material,
    /// The number of moves.
    Mobility,
    /// The number of squares of the center that are controlled.
    Center,
    /// Attacks on the other side's pieces, strong ones counting more.
    Attacks,
}

impl Attribute {
    /// All attributes, in the order in which they are written.
    pub const ALL: [Self; 4] = [Self::Material, Self::Mobility, Self::Center, Self::Attacks];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Mobility => "mobility",
            Self::Center => "center",
            Self::Attacks => "attacks",
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value for each attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByAttribute<T> {
    /// For [`Attribute::Material`].
    pub material: T,
    /// For [`Attribute::Mobility`].
    pub mobility: T,
    /// For [`Attribute::Center`].
    pub center: T,
    /// For [`Attribute::Attacks`].
    pub attacks: T,
}

impl<T> ByAttribute<T> {
    /// The value that `of` gives for each attribute.
    pub fn new_with(mut of: impl FnMut(Attribute) -> T) -> Self {
        Self {
            material: of(Attribute::Material),
            mobility: of(Attribute::Mobility),
            center: of(Attribute::Center),
            attacks: of(Attribute::Attacks),
        }
    }

    /// The value for one attribute.
    pub fn get(&self, attribute: Attribute) -> &T {
        match attribute {
            Attribute::Material => &self.material,
            Attribute::Mobility => &self.mobility,
            Attribute::Center => &self.center,
            Attribute::Attacks => &self.attacks,
        }
    }

    /// The value for one attribute, to be changed.
    pub fn get_mut(&mut self, attribute: Attribute) -> &mut T {
        match attribute {
            Attribute::Material => &mut self.material,
            Attribute::Mobility => &mut self.mobility,
            Attribute::Center => &mut self.center,
            Attribute::Attacks => &mut self.attacks,
        }
    }
}
