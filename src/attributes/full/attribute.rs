//! A named attribute of a move, and the catalog of all that a game has.

use std::fmt;

use super::{Beheld, Look, Men, ahead, families};

/// What an attribute is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// What is taken, and what that wins.
    Exchange,
    /// Own men that can be taken, before and after.
    Hanging,
    /// Other men that could be taken next.
    Threats,
    /// Checks and mates, given and allowed.
    Checks,
    /// To how many squares men may go.
    Mobility,
    /// Where the man comes from and goes to.
    Squares,
    /// The surroundings of both kings.
    King,
    /// What was played before.
    History,
    /// Who is ahead.
    Standing,
    /// What positions some plies later are worth.
    Ahead,
    /// Pawns, castling and what else only chess has.
    Chess,
    /// What only xiangqi has.
    Xiangqi,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exchange => "exchange",
            Self::Hanging => "hanging",
            Self::Threats => "threats",
            Self::Checks => "checks",
            Self::Mobility => "mobility",
            Self::Squares => "squares",
            Self::King => "king",
            Self::History => "history",
            Self::Standing => "standing",
            Self::Ahead => "ahead",
            Self::Chess => "chess",
            Self::Xiangqi => "xiangqi",
        })
    }
}

/// A named attribute: a question about a move whose answer is one of a few values.
pub struct Attribute<M: Men> {
    /// Its name in files and reports.
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// How many values it has. Zero means that there is nothing to say, and has no weight.
    pub values: usize,
    /// The value for a move, less than `values`.
    pub of: fn(&Look<'_, M>) -> usize,
}

impl<M: Men> fmt::Debug for Attribute<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}", self.family, self.name, self.values)
    }
}

/// All attributes of a game, with a number for every value of each that is not zero.
#[derive(Debug)]
pub struct Catalog<M: Men> {
    attributes: Vec<Attribute<M>>,
    /// The number of each attribute's value one.
    first: Vec<u16>,
    values: usize,
}

impl<M: Men> Catalog<M> {
    /// The catalog of a game: the attributes that all games share, then its own.
    pub fn of_game<G: Beheld<Men = M>>() -> Self {
        let mut attributes = families::all();
        attributes.extend(ahead::all());
        attributes.extend(G::own_attributes());
        let mut first = Vec::new();
        let mut values = 0;
        for attribute in &attributes {
            first.push(u16::try_from(values).expect("a catalog has less than 65,536 values"));
            values += attribute.values - 1;
        }
        Self { attributes, first, values }
    }

    /// How many values have a number.
    pub fn values(&self) -> usize {
        self.values
    }

    /// The numbers from the first to the last but one of the values that name a man and a square.
    pub fn placed(&self) -> (u16, u16) {
        let of = |name| self.attributes.iter().position(|attribute| attribute.name == name);
        let (to, from) = (of("to"), of("from"));
        let (to, from) = (to.expect("there is `to`"), from.expect("there is `from`"));
        debug_assert_eq!(from, to + 1, "the two follow each other");
        (self.first[to], self.first[from + 1])
    }

    /// The attributes, in the order of their numbers.
    pub fn attributes(&self) -> &[Attribute<M>] {
        &self.attributes
    }

    /// The attribute that has a value of this number.
    pub fn attribute(&self, number: u16) -> &Attribute<M> {
        &self.attributes[self.first.partition_point(|&first| first <= number) - 1]
    }

    /// Which of its attribute's values this number is; see [`attribute`](Self::attribute).
    pub fn value(&self, number: u16) -> usize {
        let place = self.first.partition_point(|&first| first <= number) - 1;
        usize::from(number - self.first[place]) + 1
    }

    /// The name of a numbered value, such as `captured=3`.
    pub fn name(&self, number: usize) -> String {
        let place = self.first.partition_point(|&first| usize::from(first) <= number) - 1;
        let value = number - usize::from(self.first[place]) + 1;
        format!("{}={value}", self.attributes[place].name)
    }

    /// A text that differs between catalogs whose numbers mean different things.
    pub fn fingerprint(&self) -> String {
        let names: Vec<String> =
            self.attributes.iter().map(|attribute| format!("{attribute:?}")).collect();
        names.join(" ")
    }

    /// Adds the numbers of the values that a move has.
    pub(super) fn describe(&self, look: &Look<'_, M>, numbers: &mut Vec<u16>) {
        for (attribute, &first) in self.attributes.iter().zip(&self.first) {
            let value = (attribute.of)(look);
            debug_assert!(value < attribute.values, "{attribute:?} has no value {value}");
            if value > 0 {
                // a value past the last would be the next attribute's
                numbers.push(first + (value.min(attribute.values - 1) - 1) as u16);
            }
        }
    }
}
