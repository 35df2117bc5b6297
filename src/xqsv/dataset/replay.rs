//! Games of a dataset, played again.

use thiserror::Error;

use super::{Dataset, Sample};
use crate::{
    xiangqi::{Game, Position},
    xqsv::label_of,
};

/// A game of a dataset that is played again, from its start to one ply after another.
#[derive(Debug, Clone)]
pub struct Replay<'a> {
    dataset: &'a Dataset,
    number: u32,
    game: Game,
}

/// A game of a dataset could not be played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "game {game} cannot be played again from ply {ply}, wanted games that were read or prepared \
     with their legal moves by this version"
)]
pub struct ReplayError {
    /// The number of the game.
    pub game: u32,
    /// The ply whose move is not what was kept.
    pub ply: u32,
}

impl Dataset {
    /// A game of the dataset at its start.
    ///
    /// # Panics
    /// When there is no such game.
    pub fn replay(&self, game: u32) -> Replay<'_> {
        let start = self.games[game as usize].start.as_deref().cloned().unwrap_or_default();
        Replay { dataset: self, number: game, game: Game::from_position(start) }
    }

    /// Whether all games begin as they are said to, as far as their first legal moves tell.
    ///
    /// # Errors
    /// With the first game that does not, or when legal moves were not kept.
    pub fn check_starts(&self) -> Result<(), ReplayError> {
        let standard = labels(&Position::default());
        for game in (0..self.games.len() as u32).filter(|&game| !self.game(game).is_empty()) {
            let start = self.games[game as usize].start.as_deref().map(labels);
            let kept = self.legal(Sample { game, ply: 0 }).map(|(labels, _)| labels);
            if kept != Some(start.as_ref().unwrap_or(&standard)) {
                return Err(ReplayError { game, ply: 0 });
            }
        }
        Ok(())
    }
}

fn labels(position: &Position) -> Vec<u16> {
    let label = |&m| label_of(position, m).expect("legal moves have labels");
    position.legal_moves().iter().map(label).collect()
}

impl Replay<'_> {
    /// The game as it was when so many moves had been played.
    ///
    /// # Errors
    /// When what was kept of a move names no legal one.
    pub fn at(&mut self, ply: u32) -> Result<&Game, ReplayError> {
        if self.game.played().len() > ply as usize {
            *self = self.dataset.replay(self.number);
        }
        while self.game.played().len() < ply as usize {
            let sample = Sample { game: self.number, ply: self.game.played().len() as u32 };
            let position = self.game.position();
            let m = self.dataset.legal(sample).and_then(|(_, place)| {
                let m = *position.legal_moves().get(place)?;
                (label_of(position, m)? == self.dataset.label(sample)).then_some(m)
            });
            let m = m.ok_or(ReplayError { game: sample.game, ply: sample.ply })?;
            self.game.play_unchecked(m);
        }
        Ok(&self.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        xiangqi::{
            Fen,
            records::{Header, Record},
        },
        xqsv::Keep,
    };

    fn record(start: Position, moves: &[&str]) -> Record {
        let moves = moves.iter().map(|m| m.parse().unwrap()).collect();
        Record::new(Header::default(), start, moves).unwrap()
    }

    #[test]
    fn a_game_is_played_again_as_it_was() {
        let fen: Fen = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 5 60".parse().unwrap();
        let start = fen.into_position().unwrap();
        let records = [
            record(Position::default(), &["h2e2", "h9g7", "e2e6"]),
            record(start, &["d9d8", "a0a9", "d8d7"]),
        ];
        let mut dataset = Dataset::new(Keep::LEGAL);
        dataset.extend(&records);
        assert_eq!(dataset.check_starts(), Ok(()));
        for (number, record) in records.iter().enumerate() {
            let mut replay = dataset.replay(number as u32);
            for ply in [3, 1, 2] {
                let wanted = record.game().after_first(ply);
                assert_eq!(replay.at(ply as u32).unwrap(), &wanted);
            }
        }
    }

    #[test]
    fn a_game_that_began_elsewhere_than_kept_is_found_out() {
        let mut dataset = Dataset::new(Keep::LEGAL);
        let fen: Fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w".parse().unwrap();
        dataset.push(&record(fen.into_position().unwrap(), &["a0a9", "d9d8"]));
        dataset.games[0].start = None;
        assert_eq!(dataset.check_starts(), Err(ReplayError { game: 0, ply: 0 }));
        assert_eq!(dataset.replay(0).at(2).unwrap_err().ply, 0);
        let without = Dataset::new(Keep::default());
        assert_eq!(without.check_starts(), Ok(()));
    }
}
