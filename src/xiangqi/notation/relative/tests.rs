use std::collections::HashSet;

use super::*;
use crate::xiangqi::{
    Board, Color, File, Rank, Setup, attacks,
    notation::samples::{crowded_positions, position, random_games},
};

/// Whether moves of this role may share a name here: only soldiers, and only where four stand on
/// one file or two on each of two.
fn may_be_tied(position: &Position, role: Role) -> bool {
    let soldiers = position.board().by_piece(Piece { color: position.turn(), role });
    let counts: Vec<usize> =
        File::all().map(|file| (soldiers & Bitboard::from_file(file)).count()).collect();
    role == Role::Soldier
        && (counts.iter().any(|&count| count > 3)
            || counts.iter().filter(|&&count| count > 1).count() > 1)
}

/// Checks that names and legal moves fit together in a position; says how many moves were tied.
fn check_names(position: &Position) -> usize {
    let mut tied = 0;
    let mut named = 0;
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let relative = Relative::of(position, m).expect("a legal move has a name");
        assert_eq!(Relative::from_index(relative.index()), Some(relative), "{m}");
        let moves = relative.moves(position);
        assert!(moves.contains(&m), "{m} {relative:?}");
        if moves.len() > 1 {
            assert!(may_be_tied(position, relative.role()), "{m} {relative:?}");
            assert!(moves.len() <= 3);
            tied += 1;
        }
        if seen.insert(relative) {
            named += moves.len();
        }
    }
    assert_eq!(named, position.legal_moves().len());
    tied
}

#[test]
fn there_are_755_names_each_once() {
    let all: Vec<Relative> = Relative::all().collect();
    assert_eq!(all.len(), 755);
    assert_eq!(all.len(), Relative::COUNT);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    for (index, &relative) in all.iter().enumerate() {
        assert_eq!(relative.index(), index);
        assert_eq!(Relative::from_index(index), Some(relative));
    }
    assert_eq!(Relative::from_index(755), None);
}

#[test]
fn each_role_has_its_share_of_the_names() {
    let count = |role, is_plain| {
        let is_meant = |relative: &Relative| {
            relative.role() == role && matches!(relative.which(), Which::File(_)) == is_plain
        };
        Relative::all().filter(is_meant).count()
    };
    assert_eq!(Role::ALL.map(|role| count(role, true)), [10, 8, 16, 60, 234, 234, 25]);
    assert_eq!(Role::ALL.map(|role| count(role, false)), [0, 0, 0, 36, 50, 52, 30]);
}

#[test]
fn in_random_games_every_legal_move_has_one_name() {
    random_games(1, 100).for_each(|position| {
        check_names(&position);
    });
}

#[test]
fn in_crowded_positions_only_soldiers_share_a_name() {
    let tied: usize = crowded_positions(2, 5000).map(|position| check_names(&position)).sum();
    assert!(tied > 0, "the positions were not crowded enough to test ties");
}

/// Whether a legal move has this name in some position with the generals anywhere in their
/// palaces, one or two alike on the file, and perhaps something to capture at its end.
fn names_something(relative: Relative) -> bool {
    let role = relative.role();
    let (alike, files) = match relative.which() {
        Which::File(number) => (1, vec![File::new(9 - number)]),
        Which::Front | Which::Rear => (2, File::all().collect()),
        Which::Middle => (3, File::all().collect()),
    };
    let stage = |red, black, file, ranks: u32, captured: Option<u8>| {
        let mut setup = Setup { board: Board::empty(), ..Setup::default() };
        let mut put = |color, role, square| {
            setup.board.set_piece_at(square, Piece { color, role });
        };
        for rank in (0..10).filter(|rank| ranks >> rank & 1 == 1) {
            if role != Role::General {
                put(Color::Red, role, Square::from_coords(file, Rank::new(rank)));
            }
        }
        if let Some(rank) = captured {
            put(Color::Black, Role::Horse, Square::from_coords(file, Rank::new(rank)));
        }
        put(Color::Red, Role::General, red);
        put(Color::Black, Role::General, black);
        setup.position().ok()
    };
    for file in files {
        for ranks in (0..1024u32).filter(|ranks| ranks.count_ones() == alike) {
            for red in attacks::palace(Color::Red) {
                for black in attacks::palace(Color::Black) {
                    for captured in [None, Some(0), Some(9)] {
                        if stage(red, black, file, ranks, captured)
                            .is_some_and(|position| !relative.moves(&position).is_empty())
                        {
                            return true;
                        }
                    }
                }
            }
        }
    }
    false
}

#[test]
fn every_name_names_a_legal_move_somewhere() {
    for relative in Relative::all() {
        assert!(names_something(relative), "{relative:?}");
    }
}

#[test]
fn red_and_black_use_the_same_words() {
    let start = Position::default();
    let reply = start.after(Move::new(Square::A3, Square::A4));
    for m in start.legal_moves() {
        let relative = Relative::of(&start, m);
        if m.from != Square::A3 {
            assert_eq!(relative, Relative::of(&reply, m.rotated()), "{m}");
        }
    }
}

#[test]
fn a_mirrored_move_has_the_mirrored_name() {
    let original = position("3k5/9/9/9/9/2N6/9/2R3C2/9/2R1K4 w");
    let mirrored = position("5k3/9/9/9/9/6N2/9/2C3R2/9/4K1R2 w");
    for m in original.legal_moves() {
        let name = Relative::of(&original, m).unwrap();
        assert_eq!(Relative::of(&mirrored, m.mirrored()), Some(name.mirrored()), "{m}");
        assert_eq!(name.mirrored().mirrored(), name);
    }
}

#[test]
fn three_soldiers_on_a_file_are_front_middle_and_rear() {
    let position = position("4k4/9/4r4/4P4/4P4/4P4/9/9/9/3K5 w");
    let which =
        |from: Square, to: Square| Relative::of(&position, Move::new(from, to)).unwrap().which();
    assert_eq!(which(Square::E6, Square::E7), Which::Front);
    assert_eq!(which(Square::E5, Square::D5), Which::Middle);
    assert_eq!(which(Square::E5, Square::F5), Which::Middle);
}

#[test]
fn black_counts_from_the_other_side() {
    let position = position("3rk4/9/9/9/9/3r5/9/9/9/5K3 b");
    let m = Move::new(Square::D4, Square::D2);
    let front = Relative::new(Role::Chariot, Which::Front, Direction::Forward, 2);
    assert_eq!(Relative::of(&position, m), front);
    let m = Move::new(Square::D9, Square::A9);
    let rear = Relative::new(Role::Chariot, Which::Rear, Direction::Sideways, 1);
    assert_eq!(Relative::of(&position, m), rear);
}

#[test]
fn advisors_and_elephants_on_one_file_go_by_their_file() {
    let position = position("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w");
    let name = |from, to| Relative::of(&position, Move::new(from, to));
    let plain =
        |role, file, direction, number| Relative::new(role, Which::File(file), direction, number);
    assert_eq!(name(Square::D0, Square::E1), plain(Role::Advisor, 6, Direction::Forward, 5));
    assert_eq!(name(Square::D2, Square::E1), plain(Role::Advisor, 6, Direction::Backward, 5));
    assert_eq!(name(Square::C4, Square::E2), plain(Role::Elephant, 7, Direction::Backward, 5));
}

#[test]
fn a_move_that_is_not_legal_has_no_name() {
    let start = Position::default();
    for m in ["a0a3", "a1a2", "a9a8", "e0e0", "h2h9"] {
        assert_eq!(Relative::of(&start, m.parse().unwrap()).is_some(), m == "h2h9", "{m}");
    }
}
