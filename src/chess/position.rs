//! A chess position as the look-ahead model sees it.

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::{forcing, siblings, sight};
use crate::{
    attributes::{Attributed, ByAttribute, Ending, Seen},
    game::Side,
};

/// The side that plays a color.
pub(super) fn side(color: Color) -> Side {
    color.fold_wb(Side::First, Side::Second)
}

impl Attributed for Chess {
    type Move = Move;

    fn side_to_move(&self) -> Side {
        side(self.turn())
    }

    fn attributes(&self, player: Side) -> ByAttribute<f32> {
        let of_white = sight::of_white(self);
        match player {
            Side::First => of_white,
            Side::Second => ByAttribute::new_with(|attribute| -of_white.get(attribute)),
        }
    }

    fn for_each_move(&self, each: impl FnMut(&Move)) {
        self.legal_moves().iter().for_each(each);
    }

    fn for_each_seen(&self, player: Side, farther: bool, mut each: impl FnMut(&Move, &Seen)) {
        if !siblings::look(self, player, farther, &mut each) {
            self.for_each_move(|m| each(m, &self.see(player, farther, m)));
        }
    }

    fn after(&self, m: &Move) -> Self {
        let mut after = self.clone();
        after.play_unchecked(*m);
        after
    }

    fn ending(&self) -> Option<Ending> {
        if has_obvious_move(self) || !self.legal_moves().is_empty() {
            return self.is_insufficient_material().then_some(Ending::Drawn);
        }
        Some(if self.is_check() { Ending::Lost } else { Ending::Drawn })
    }

    fn is_quiescent(&self) -> bool {
        forcing::is_quiescent(self)
    }

    fn is_forcing(&self, m: &Move) -> bool {
        forcing::is_forcing(self, *m)
    }

    fn fingerprint(&self) -> u64 {
        self.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
    }
}

/// Whether there plainly is a legal move. Where there is not, there may be one all the same.
fn has_obvious_move(position: &Chess) -> bool {
    let sight = sight::Sight::of_mover(position);
    let pawns = sight.board.pawns() & sight.own & !sight.pinned;
    let steps = sight.pawn_steps(pawns).0 & sight.targets;
    steps.any()
        || (sight.own & !sight.board.pawns() & !sight.board.kings()).into_iter().any(|from| {
            let reach = sight.board.attacks_from(from);
            sight.allowed(from, reach) != Bitboard::EMPTY
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::samples::{position, positions};

    #[test]
    fn attributes_of_one_side_are_the_others_negated() {
        for position in positions(4) {
            let (white, black) =
                (position.attributes(Side::First), position.attributes(Side::Second));
            assert_eq!(white, ByAttribute::new_with(|attribute| -black.get(attribute)));
        }
    }

    #[test]
    fn an_ending_is_seen_where_there_is_one() {
        for (fen, ending) in [
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Some(Ending::Lost)),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", Some(Ending::Drawn)),
            ("7k/8/8/8/8/8/8/KB6 b - - 0 1", Some(Ending::Drawn)),
            ("7k/7p/8/8/8/8/8/KB6 b - - 0 1", None),
        ] {
            assert_eq!(position(fen).ending(), ending, "{fen}");
        }
        for position in positions(60) {
            let over = position.is_checkmate()
                || position.is_stalemate()
                || position.is_insufficient_material();
            assert_eq!(position.ending().is_some(), over, "{position:?}");
        }
    }
}
