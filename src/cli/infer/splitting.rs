//! Which games weights are inferred from, and which are held out to be predicted.

use crate::cli::observed::Moves;

/// Moves to infer from and moves to predict.
#[derive(Debug, Default)]
pub struct Split {
    /// To infer from.
    pub inferred: Moves,
    /// To predict.
    pub held_out: Moves,
}

impl Split {
    /// Holds out each game whose number, from one, `hold_out` divides: none where it is zero, and
    /// none where only one game would be left.
    pub fn of(moves: Moves, hold_out: u32) -> Self {
        let mut split = Self::default();
        split.inferred.broken = moves.broken;
        if moves.games.len() < 2 {
            return Self { inferred: moves, ..split };
        }
        let is_held_out = |record: u32| hold_out > 0 && (record + 1).is_multiple_of(hold_out);
        let mut places = Vec::with_capacity(moves.games.len());
        for (record, game) in (0..).zip(moves.games) {
            let part = split.part(is_held_out(record));
            places.push(part.games.len() as u32);
            part.games.push(game);
        }
        for mut observed in moves.observed {
            let part = split.part(is_held_out(observed.record));
            observed.record = places[observed.record as usize];
            part.observed.push(observed);
        }
        split
    }

    fn part(&mut self, is_held_out: bool) -> &mut Moves {
        if is_held_out { &mut self.held_out } else { &mut self.inferred }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;
    use crate::{attributes::inference::Observed, chess, cli::observed::OfGame, game::Game as _};

    fn moves(games: u32) -> Moves {
        let game = chess::Game::start();
        let m = game.legal_moves()[0];
        Moves {
            observed: (0..games)
                .flat_map(|record| {
                    std::iter::repeat_n(Observed { game: game.clone(), m, record }, 2)
                })
                .collect(),
            games: (0..games)
                .map(|number| OfGame {
                    file: String::new(),
                    number: number.into(),
                    names: ByColor::default(),
                    rating: None,
                })
                .collect(),
            broken: 0,
        }
    }

    #[test]
    fn whole_games_are_held_out() {
        let split = Split::of(moves(7), 3);
        let numbers = |moves: &Moves| -> Vec<u64> {
            let number = |observed: &Observed<_>| moves.games[observed.record as usize].number;
            moves.observed.iter().map(number).collect()
        };
        assert_eq!(numbers(&split.held_out), [2, 2, 5, 5]);
        assert_eq!(numbers(&split.inferred), [0, 0, 1, 1, 3, 3, 4, 4, 6, 6]);
    }

    #[test]
    fn few_games_are_all_inferred_from() {
        for (games, hold_out) in [(7, 0), (1, 1), (4, 5)] {
            assert!(Split::of(moves(games), hold_out).held_out.observed.is_empty());
        }
    }
}
