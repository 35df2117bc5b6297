//! What holds in every position, tried in positions of random games.

use proptest::{collection::vec, prelude::*};

use super::{Board, Fen, Game, Move, Piece, Position, Setup, Square};
use crate::game::Game as _;

/// Games of random moves, of up to 200 plies.
fn games() -> impl Strategy<Value = Game> {
    vec(any::<prop::sample::Index>(), 0..200).prop_map(|choices| {
        let mut game = Game::start();
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(choice.get(&moves));
        }
        game
    })
}

/// A position with the board seen from the other side of the table and the colors exchanged.
fn turned(position: &Position) -> Position {
    let Setup { board, turn, halfmoves, fullmoves } = position.to_setup();
    let mut turned = Board::empty();
    for (square, Piece { color, role }) in board.iter() {
        turned.set_piece_at(square.rotated(), Piece { color: !color, role });
    }
    Setup { board: turned, turn: !turn, halfmoves, fullmoves }.position().unwrap()
}

/// The game as UCCI interfaces send it: the position after the last capture, and what followed.
fn from_last_capture(game: &Game) -> Game {
    let captures = game.played().iter().rposition(|(before, m)| before.is_capture(*m));
    let plies = captures.map_or(0, |capture| capture + 1);
    let mut line = Game::from_position(game.after_first(plies).position().clone());
    for m in game.moves().skip(plies) {
        line.play(&m);
    }
    line
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_fen_reads_back_as_the_position_it_was_written_from(game in games()) {
        let fen = Fen::from_position(game.position());
        let read: Fen = fen.to_string().parse().unwrap();
        prop_assert_eq!(&read, &fen);
        prop_assert_eq!(&read.into_position().unwrap(), game.position());
    }

    #[test]
    fn the_hash_after_moves_is_the_hash_from_scratch(game in games()) {
        let from_scratch = game.position().to_setup().position().unwrap();
        prop_assert_eq!(from_scratch.zobrist_hash(), game.position().zobrist_hash());
    }

    #[test]
    fn a_move_is_legal_if_it_is_among_the_legal_moves(game in games()) {
        let moves = game.position().legal_moves();
        for from in Square::all() {
            for to in Square::all() {
                let m = Move::new(from, to);
                prop_assert_eq!(game.position().is_legal(m), moves.contains(&m), "{}", m);
            }
        }
    }

    #[test]
    fn a_legal_move_leads_to_a_position_that_can_be_played(game in games()) {
        for m in game.legal_moves() {
            let after = game.position().after(m);
            prop_assert!(after.to_setup().position().is_ok(), "{}", m);
        }
    }

    #[test]
    fn both_colors_play_by_the_same_rules(game in games()) {
        let turned_moves = turned(game.position()).legal_moves().into_iter().map(Move::rotated);
        prop_assert_eq!(sorted(turned_moves), sorted(game.legal_moves()));
    }

    #[test]
    fn any_text_is_read_as_a_fen_or_refused(text in "[rnbakcpRNBAKCPhe0-9/ w-]{0,80}|.{0,20}") {
        if let Ok(position) = text.parse::<Fen>().map_err(drop).and_then(|fen| fen.into_position().map_err(drop)) {
            prop_assert!(position.legal_moves().len() < 128);
        }
    }

    #[test]
    fn a_game_sent_from_its_last_capture_on_is_remembered_whole(game in games(), is_black: bool) {
        let mut remembered = Game::start();
        for plies in (usize::from(is_black)..=game.plies_played()).step_by(2) {
            let line = from_last_capture(&game.after_first(plies));
            remembered = remembered.continued_by(&line).unwrap_or(line);
            prop_assert_eq!(&remembered, &game.after_first(plies));
        }
    }

    #[test]
    fn a_prefix_of_a_game_and_what_follows_are_the_game(game in games(), cut in any::<prop::sample::Index>()) {
        let plies = cut.index(game.plies_played() + 1);
        let mut line = Game::from_position(game.after_first(plies).position().clone());
        for m in game.moves().skip(plies) {
            line.play(&m);
        }
        prop_assert_eq!(game.continued_by(&line), Some(game));
    }
}
