//! Writing PGN.

use shakmaty::{Move, Position, san::SanPlus};

use crate::{
    attributes::Positioned,
    chess::Game,
    game::{Game as _, Outcome, Side},
};

/// The widest line of moves that the PGN standard wants exported.
const WIDEST: usize = 79;

/// A game as PGN: the tags in the order given, `Result` last, then the moves.
///
/// A start position other than the usual one gets its `FEN` tag. The game counts as unfinished
/// where neither rules nor history have ended it.
pub fn write_pgn(tags: &[(&str, &str)], start: &Game, moves: &[Move]) -> String {
    let mut game = start.clone();
    let mut words = Vec::new();
    for m in moves {
        let position = game.position();
        let number = position.fullmoves();
        match game.side_to_move() {
            Side::First => words.push(format!("{number}.")),
            Side::Second if words.is_empty() => words.push(format!("{number}...")),
            Side::Second => {}
        }
        words.push(SanPlus::from_move(position.clone(), *m).to_string());
        game.play(m);
    }
    let result = match game.outcome() {
        Some(Outcome::Won(Side::First)) => "1-0",
        Some(Outcome::Won(Side::Second)) => "0-1",
        Some(Outcome::Drawn) => "1/2-1/2",
        None => "*",
    };
    words.push(result.to_owned());
    let mut text = String::new();
    for (name, value) in tags.iter().copied().chain([("Result", result)]) {
        push_tag(&mut text, name, value);
    }
    if start.fen() != Game::start().fen() {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &start.fen());
    }
    text.push('\n');
    push_lines(&mut text, &words);
    text.push('\n');
    text
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    text.push_str(&format!("[{name} \"{escaped}\"]\n"));
}

fn push_lines(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDEST {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Filter, Games},
        *,
    };

    #[test]
    fn a_game_written_and_read_is_the_same() {
        let start = Game::from_fen("4k3/8/8/8/8/8/4P3/4K2R b K - 3 7").unwrap();
        let mut game = start.clone();
        let mut moves = Vec::new();
        for ply in 0..60 {
            let legal = game.legal_moves();
            moves.push(legal[(ply * 7) % legal.len()]);
            game.play(&moves[ply]);
        }
        let text = write_pgn(&[("White", "A \"quoted\" \\ name")], &start, &moves);
        assert!(text.lines().all(|line| line.len() <= WIDEST));
        let record = Games::new(text.as_bytes(), Filter::default()).next().unwrap().unwrap();
        assert_eq!(record.moves, moves);
        assert_eq!(record.start.fen(), start.fen());
        assert_eq!(record.names.white, "A \"quoted\" \\ name");
    }

    #[test]
    fn the_moves_are_numbered_and_the_result_is_told() {
        let mut game = Game::start();
        let moves: Vec<Move> = ["f2f3", "e7e5", "g2g4", "d8h4"]
            .iter()
            .map(|text| {
                let m = game.parse_move(text, crate::chess::Castling::Standard).unwrap();
                game.play(&m);
                m
            })
            .collect();
        let text = write_pgn(&[("White", "a"), ("Black", "b")], &Game::start(), &moves);
        assert_eq!(
            text,
            "[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
    }
}
