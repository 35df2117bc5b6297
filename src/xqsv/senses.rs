//! What a network is told of a position: the moves before it, and, where its structure has the
//! senses for it, the men on the board, the players' ratings and the attributes of its moves.

use super::vocabulary::mirrored_label;
use crate::xiangqi::{Position, Role, Square, Standing, sight};

/// How many things a man can be: a role, on a square, of the mover or not, standing in some way.
pub const MEN: usize = 2 * ROLES * SQUARES * STANDINGS;
/// How many rows there are for ratings: [`KNOTS`] and one for no rating, for either player.
pub const RATINGS: usize = 2 * (KNOTS + 1);

const ROLES: usize = 7;
const SQUARES: usize = Square::COUNT;
const STANDINGS: usize = 3;
/// Ratings that have a row of their own; those between two share theirs.
const KNOTS: usize = 17;
/// The first of these ratings, and how far one is from the next.
const FIRST_KNOT: f32 = 800.0;
const STEP: f32 = 100.0;

/// What a network is told of one position.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct View<'a> {
    /// The labels of the moves before it, oldest first.
    pub history: &'a [u16],
    /// The men on the board as [`men_of`] numbers them; empty where the network has no sight.
    pub men: &'a [u16],
    /// The ratings of the player who moves and of the other.
    pub ratings: [Option<u16>; 2],
    /// The attributes of each legal move, as a [`Looker`](super::Looker) sees them; none where the
    /// network has no look-ahead.
    pub moves: Option<&'a Bags>,
}

/// What a network is told of the mirror of a position, but for the attributes of its moves.
#[derive(Debug, Clone)]
pub struct Mirrored {
    history: Vec<u16>,
    men: Vec<u16>,
    ratings: [Option<u16>; 2],
}

impl Mirrored {
    /// The mirror of what it is told of a position.
    pub fn of(view: &View) -> Self {
        let history = view.history.iter().map(|&label| mirrored_label(label)).collect();
        let men = view.men.iter().map(|&man| mirrored_man(man)).collect();
        Self { history, men, ratings: view.ratings }
    }

    /// As a view, with the attributes of the moves in the mirror.
    pub fn view<'a>(&'a self, moves: Option<&'a Bags>) -> View<'a> {
        View { history: &self.history, men: &self.men, ratings: self.ratings, moves }
    }
}

/// The numbers of all men of a position as the player who moves sees them, each below `MEN`.
///
/// Squares are counted from that player's side, so that the same number means the same for Red and
/// for Black; the order of the numbers means nothing.
///
/// ```
/// use errare::{xiangqi::Position, xqsv::men_of};
///
/// assert_eq!(men_of(&Position::default()).count(), 32);
/// ```
pub fn men_of(position: &Position) -> impl Iterator<Item = u16> {
    sight(position).map(|seen| {
        let piece = seen.role as usize + if seen.own { 0 } else { ROLES };
        let standing = match seen.standing {
            Standing::Safe => 0,
            Standing::Attacked => 1,
            Standing::Hanging => 2,
        };
        ((piece * SQUARES + usize::from(seen.square.index())) * STANDINGS + standing) as u16
    })
}

/// The number of the same man on the mirrored board.
///
/// # Panics
/// When the number is not below `MEN`.
pub fn mirrored_man(man: u16) -> u16 {
    let (place, standing) = (usize::from(man) / STANDINGS, usize::from(man) % STANDINGS);
    let (piece, square) = (place / SQUARES, place % SQUARES);
    let square = usize::from(Square::new(square as u8).mirrored().index());
    ((piece * SQUARES + square) * STANDINGS + standing) as u16
}

/// The plane of a man, one of fourteen, and its square; how it stands is left out.
pub(super) fn plane_of(man: u16) -> (usize, usize) {
    let place = usize::from(man) / STANDINGS;
    (place / SQUARES, place % SQUARES)
}

/// How many planes there are.
pub(super) const PLANES: usize = 2 * ROLES;
const _: () = assert!(Role::ALL.len() == ROLES);

/// The rows that stand for the ratings of the mover and of the other, each with its share: between
/// two knots, both share by distance.
pub(super) fn rating_rows(ratings: [Option<u16>; 2]) -> impl Iterator<Item = (u16, f32)> {
    ratings.into_iter().zip([0, KNOTS + 1]).flat_map(|(rating, first)| {
        let row = |number: usize, share: f32| ((first + number) as u16, share);
        let Some(rating) = rating else { return [row(0, 1.0), row(0, 0.0)] };
        let last = (KNOTS - 1) as f32;
        let place = ((f32::from(rating) - FIRST_KNOT) / STEP).clamp(0.0, last);
        let (low, share) = (place.floor().min(last - 1.0), place - place.floor().min(last - 1.0));
        let low = 1 + low as usize;
        [row(low, 1.0 - share), row(low + 1, share)]
    })
}

/// For each of several rows the rows of a table that are summed up there, each with its share.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bags {
    /// Where the members of each bag end.
    ends: Vec<u32>,
    members: Vec<u16>,
    /// The share of each member; empty where all are one.
    shares: Vec<f32>,
}

impl Bags {
    /// Adds a bag whose members all count fully.
    pub fn push(&mut self, members: impl IntoIterator<Item = u16>) {
        debug_assert!(self.shares.is_empty(), "bags are with shares or without");
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    /// Adds a bag whose members have shares.
    pub fn push_shared(&mut self, members: impl IntoIterator<Item = (u16, f32)>) {
        debug_assert_eq!(self.members.len(), self.shares.len(), "bags are with shares or without");
        for (member, share) in members {
            self.members.push(member);
            self.shares.push(share);
        }
        self.ends.push(self.members.len() as u32);
    }

    /// Adds bags whose members all count fully.
    pub(super) fn extend(&mut self, bags: &Self) {
        debug_assert!(self.shares.is_empty() && bags.shares.is_empty(), "neither has shares");
        let before = self.members.len() as u32;
        self.members.extend_from_slice(&bags.members);
        self.ends.extend(bags.ends.iter().map(|end| before + end));
    }

    /// How many bags there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The members of a bag.
    ///
    /// # Panics
    /// When there is no such bag.
    pub fn members(&self, bag: usize) -> &[u16] {
        &self.members[self.range(bag)]
    }

    /// The members of a bag with their shares.
    pub(super) fn shared(&self, bag: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let range = self.range(bag);
        let share = move |place: usize| self.shares.get(place).copied().unwrap_or(1.0);
        range.map(move |place| (self.members[place], share(place)))
    }

    /// The largest member.
    pub(super) fn largest(&self) -> Option<u16> {
        self.members.iter().copied().max()
    }

    fn range(&self, bag: usize) -> std::ops::Range<usize> {
        let start = bag.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[bag] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_men_are_those_of_the_mirrored_board() {
        let position =
            |fen: &str| fen.parse::<crate::xiangqi::Fen>().unwrap().into_position().unwrap();
        let one = position("2bak4/9/n8/8p/9/9/9/R8/9/3K5 b");
        let other = position("4kab2/9/8n/p8/9/9/9/8R/9/5K3 b");
        let mut mirrored: Vec<u16> = men_of(&one).map(mirrored_man).collect();
        let mut wanted: Vec<u16> = men_of(&other).collect();
        mirrored.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(mirrored, wanted);
        assert!(wanted.iter().all(|&man| usize::from(man) < MEN));
    }

    #[test]
    fn ratings_between_two_knots_share_their_rows() {
        let rows = |ratings| rating_rows(ratings).collect::<Vec<_>>();
        assert_eq!(rows([Some(800), None]), [(1, 1.0), (2, 0.0), (18, 1.0), (18, 0.0)]);
        assert_eq!(rows([Some(1_225), Some(9_000)])[..2], [(5, 0.75), (6, 0.25)]);
        assert_eq!(rows([None, Some(9_000)])[2..], [(34, 0.0), (35, 1.0)]);
        assert!(rows([Some(0), Some(2_400)]).iter().all(|&(row, _)| usize::from(row) < RATINGS));
    }

    #[test]
    fn bags_keep_their_members_apart() {
        let mut bags = Bags::default();
        for members in [&[1, 2][..], &[], &[3]] {
            bags.push(members.iter().copied());
        }
        assert_eq!((bags.len(), bags.members(0), bags.members(1)), (3, &[1, 2][..], &[][..]));
        assert_eq!(bags.shared(2).collect::<Vec<_>>(), [(3, 1.0)]);
        bags.extend(&bags.clone());
        assert_eq!((bags.len(), bags.members(3), bags.members(5)), (6, &[1, 2][..], &[3][..]));
    }
}
