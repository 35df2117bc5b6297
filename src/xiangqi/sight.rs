//! What a player sees on the board: the men, and whether each is safe, attacked or hanging.

use super::{Game, Position, Role, Square};
use crate::{
    attributes::full::{Beheld, Facts},
    game::Side,
};

/// A man as the side to move sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seen {
    /// Whether it is the own one of the side to move.
    pub own: bool,
    /// Its role.
    pub role: Role,
    /// Where it stands, as Red would see it if Red were to move: Black's squares are
    /// [rotated](Square::rotated), as relative notation does.
    pub square: Square,
    /// How it stands there.
    pub standing: Standing,
}

/// How a man stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Nothing of the other side attacks it.
    Safe,
    /// Something attacks it, but capturing it wins nothing; or it is a general in check.
    Attacked,
    /// The other side would win something by capturing it, if it were its turn and both sides
    /// captured on that square for as long as it pays.
    Hanging,
}

/// All men of a position as the side to move sees them.
///
/// ```
/// use errare::xiangqi::{Position, Standing, sight};
///
/// let start = Position::default();
/// // both sides' cannons attack the other side's horses, which chariots defend
/// let attacked = sight(&start).filter(|seen| seen.standing == Standing::Attacked).count();
/// assert_eq!((sight(&start).count(), attacked), (32, 4));
/// ```
pub fn sight(position: &Position) -> impl Iterator<Item = Seen> {
    let turn: Side = position.turn().into();
    let facts = Facts::new(Game::men(position));
    let men: Vec<Seen> = facts
        .list()
        .iter()
        .map(|man| {
            let standing = match (man.stake > 0, facts.attacked[!man.side].contains(man.square)) {
                (true, _) => Standing::Hanging,
                (false, true) => Standing::Attacked,
                (false, false) => Standing::Safe,
            };
            let square = Square::new(man.square as u8);
            let square = if turn == Side::First { square } else { square.rotated() };
            Seen { own: man.side == turn, role: Role::ALL[man.role], square, standing }
        })
        .collect();
    men.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Fen;

    fn seen(fen: &str) -> Vec<Seen> {
        let fen: Fen = fen.parse().unwrap();
        sight(&fen.into_position().unwrap()).collect()
    }

    fn at(fen: &str, square: Square) -> Seen {
        seen(fen).into_iter().find(|seen| seen.square == square).unwrap()
    }

    #[test]
    fn a_man_hangs_where_capturing_it_wins_something() {
        // the chariot attacks a lone horse and a soldier that another one defends
        let fen = "3k5/9/9/4p4/4p4/9/1n2R4/9/9/4K4 b";
        assert_eq!(at(fen, Square::E3.rotated()).standing, Standing::Safe);
        assert_eq!(at(fen, Square::B3.rotated()).standing, Standing::Hanging);
        assert_eq!(at(fen, Square::E5.rotated()).standing, Standing::Attacked);
        let fen = "4k4/9/9/9/4p4/9/4R4/9/9/3K5 w";
        assert_eq!(at(fen, Square::E5).standing, Standing::Hanging);
    }

    #[test]
    fn either_side_sees_its_own_men_at_its_own_end() {
        let red = seen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        let black = seen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b");
        let sorted = |mut men: Vec<Seen>| {
            men.sort_by_key(|seen| seen.square.index());
            men
        };
        assert_eq!(sorted(red), sorted(black));
        let lone = at("4k4/9/9/9/9/9/9/9/9/R2K5 b", Square::I9);
        assert!(!lone.own && lone.role == Role::Chariot);
    }
}
