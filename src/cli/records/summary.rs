//! What games are there: how many, of whom, and how they ended.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use crate::{
    cli::table::Table,
    game::{Outcome, Side},
    xiangqi::records::Record,
};

/// How wide a range of ratings is.
const RANGE: u16 = 100;

/// Counts over games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Games that were read.
    pub games: u64,
    /// Games that could not be read.
    pub rejects: u64,
    /// Moves of the games read.
    pub moves: u64,
    /// Games by how they ended.
    results: Results,
    /// Games by where they were played.
    sources: BTreeMap<String, u64>,
    /// By the lower end of the mover's range of ratings, in points; `None` where it is unknown.
    ratings: BTreeMap<Rating, Moves>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct Results {
    #[serde(rename = "1-0")]
    red_won: u64,
    #[serde(rename = "1/2-1/2")]
    drawn: u64,
    #[serde(rename = "0-1")]
    black_won: u64,
    #[serde(rename = "*")]
    unknown: u64,
}

/// A range of ratings by its lower end, or the players without a rating, who come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rating {
    From(u16),
    Unknown,
}

/// What the players of a range did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Moves {
    /// How many players of games they were; who played twice counts twice.
    players: u64,
    moves: u64,
}

impl Summary {
    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        let plies = record.moves().len() as u64;
        self.moves += plies;
        let results = &mut self.results;
        *match record.header.outcome {
            Some(Outcome::Won(Side::First)) => &mut results.red_won,
            Some(Outcome::Won(Side::Second)) => &mut results.black_won,
            Some(Outcome::Drawn) => &mut results.drawn,
            None => &mut results.unknown,
        } += 1;
        *self.sources.entry(record.header.source.clone()).or_default() += 1;
        let elo = record.header.elo;
        let [first, second] = match record.start().turn().is_red() {
            true => [elo.red, elo.black],
            false => [elo.black, elo.red],
        };
        for (rating, moves) in [(first, plies.div_ceil(2)), (second, plies / 2)] {
            let range = rating.map_or(Rating::Unknown, |elo| Rating::From(elo / RANGE * RANGE));
            let sum = self.ratings.entry(range).or_default();
            sum.players += 1;
            sum.moves += moves;
        }
    }
}

impl Serialize for Rating {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(low) => write!(f, "{low}"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, rejects, moves, results, sources, ratings } = self;
        let mut table = Table::new(["", "games", "moves"]);
        table.push(["read".into(), games.to_string(), moves.to_string()]);
        table.push(["rejected".into(), rejects.to_string(), String::new()]);
        writeln!(f, "{table}")?;

        let mut table = Table::new(["result", "games"]);
        for (result, games) in [
            ("1-0", results.red_won),
            ("1/2-1/2", results.drawn),
            ("0-1", results.black_won),
            ("*", results.unknown),
        ] {
            table.push([result.into(), games.to_string()]);
        }
        writeln!(f, "{table}")?;

        let mut table = Table::new(["source", "games"]);
        for (source, games) in sources {
            let source = if source.is_empty() { "unknown" } else { source };
            table.push([source.into(), games.to_string()]);
        }
        writeln!(f, "{table}")?;

        let mut table = Table::new(["mover's Elo", "players", "moves", "share", ""]);
        let most = ratings.values().map(|sum| sum.moves).max().unwrap_or(0).max(1);
        for (rating, sum) in ratings {
            const WIDEST: u64 = 40;
            let share = 100.0 * sum.moves as f64 / (*moves).max(1) as f64;
            let bar = "#".repeat((sum.moves * WIDEST).div_ceil(most) as usize);
            let range = match rating {
                Rating::From(low) => format!("{low}..{}", low + (RANGE - 1)),
                Rating::Unknown => rating.to_string(),
            };
            let (players, moves) = (sum.players.to_string(), sum.moves.to_string());
            table.push([range, players, moves, format!("{share:.1} %"), bar]);
        }
        write!(f, "{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::{ByColor, Color, Fen, Move, Position, Square, records::Header};

    fn summary() -> Summary {
        let moves = [(Square::H2, Square::E2), (Square::H9, Square::G7), (Square::H0, Square::G2)];
        let moves: Vec<Move> = moves.iter().map(|&(from, to)| Move::new(from, to)).collect();
        let elo = ByColor { red: Some(1_199), black: Some(1_200) };
        let outcome = Some(Outcome::Won(Side::First));
        let header = Header { elo, outcome, source: "club".to_owned(), ..Header::default() };
        let mut summary = Summary::default();
        summary.add(&Record::new(header.clone(), Position::default(), moves).unwrap());
        let start: Fen = "3k5/9/9/9/9/9/9/9/9/4K4 b".parse().unwrap();
        let start = start.into_position().unwrap();
        assert_eq!(start.turn(), Color::Black);
        let m = start.legal_moves()[0];
        let elo = ByColor { red: None, black: Some(1_250) };
        let header = Header { elo, outcome: None, ..header };
        summary.add(&Record::new(header, start, vec![m]).unwrap());
        summary
    }

    #[test]
    fn moves_count_for_who_made_them() {
        let summary = summary();
        assert_eq!((summary.games, summary.moves), (2, 4));
        let moves = |rating| summary.ratings[&rating].moves;
        assert_eq!(moves(Rating::From(1_100)), 2);
        assert_eq!(moves(Rating::From(1_200)), 2);
        assert_eq!(moves(Rating::Unknown), 0);
    }

    #[test]
    fn the_table_and_the_object_say_the_same() {
        let summary = summary();
        let object = serde_json::to_value(&summary).unwrap();
        assert_eq!(object["ratings"]["1200"]["moves"], 2);
        assert_eq!(object["results"]["1-0"], 1);
        assert_eq!(object["results"]["*"], 1);
        let text = summary.to_string();
        assert!(text.contains("1200..1299"), "{text}");
        assert!(text.contains("club"), "{text}");
    }
}
