//! The rules of xiangqi against numbers on which other programs agree.

use errare::xiangqi::{Fen, Position, perft};

const SUITE: &str = include_str!("data/xiangqi.perft");

/// Checks every row of the suite with the given depths and says how many there were.
fn check_suite(depths: std::ops::RangeInclusive<u32>) -> usize {
    let mut id = "";
    let mut position = Position::default();
    let mut checked = 0;
    for line in SUITE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.split_once(' ').expect("a line is a word and what it is about") {
            ("id", name) => id = name,
            ("fen", fen) => {
                let fen: Fen = fen.parse().expect("the suite has FENs");
                position = fen.into_position().expect("the suite has positions");
            }
            ("perft", numbers) => {
                let (depth, nodes) = numbers.split_once(' ').expect("a depth and a number");
                let depth = depth.parse().expect("a depth");
                if depths.contains(&depth) {
                    let nodes: u64 = nodes.parse().expect("a number of lines");
                    assert_eq!(perft(&position, depth), nodes, "{id} {depth}");
                    checked += 1;
                }
            }
            (word, _) => panic!("the suite has a line `{word}`"),
        }
    }
    checked
}

#[test]
fn legal_lines_are_as_many_as_other_programs_count_to_depth_four() {
    assert_eq!(check_suite(1..=4), 15 * 4);
}

#[test]
#[ignore = "takes a minute"]
fn legal_lines_are_as_many_as_other_programs_count_at_depth_five() {
    assert_eq!(check_suite(5..=5), 15);
}

/// How many of the moves at the end of the lines give check, and how many capture.
fn checks_and_captures(position: &Position, depth: u32) -> (u64, u64) {
    let mut sum = (0, 0);
    for m in position.legal_moves() {
        let after = position.after(m);
        let (checks, captures) = match depth {
            1 => (after.is_check().into(), position.is_capture(m).into()),
            _ => checks_and_captures(&after, depth - 1),
        };
        sum = (sum.0 + checks, sum.1 + captures);
    }
    sum
}

#[test]
fn checks_and_captures_from_the_start_are_as_many_as_published() {
    let published = [(0, 2), (6, 72), (384, 3_159), (19_380, 115_365)];
    for (depth, numbers) in (1..).zip(published) {
        assert_eq!(checks_and_captures(&Position::default(), depth), numbers, "depth {depth}");
    }
}

#[test]
#[ignore = "takes half a minute"]
fn checks_and_captures_from_the_start_are_as_many_as_published_at_depth_five() {
    assert_eq!(checks_and_captures(&Position::default(), 5), (953_251, 4_917_734));
}

#[test]
fn legal_moves_in_positions_from_peoples_games_are_those_of_another_program() {
    let lines =
        include_str!("data/xiangqi-legal.txt").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let [fen, count, moves] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("`{line}` is not a FEN, a number and moves");
        };
        let fen: Fen = fen.parse().expect("a FEN");
        let position = fen.into_position().expect("a position");
        let mut legal: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
        legal.sort_unstable();
        assert_eq!(legal.join(" "), moves, "{line}");
        assert_eq!(legal.len().to_string(), count, "{line}");
        checked += 1;
    }
    assert_eq!(checked, 300);
}
