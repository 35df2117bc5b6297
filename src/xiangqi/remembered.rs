//! Joining a new line to the game remembered.
//!
//! A user interface that speaks UCCI does not send the whole game but the position after the last
//! capture and the moves since. A player that lives on the last moves would lose its memory with
//! every capture, and so the game remembered is kept as long as the new line belongs to it.

use super::{Game, Move, Position};

/// Through how many moves that we were not told of a new line may begin: our own and the
/// opponent's, and one more for an interface that has us play the other side next.
const MOST_UNTOLD_PLIES: usize = 3;

impl Game {
    /// The game that `line` is the latest of, if it belongs to this one: this game's beginning,
    /// then the moves of `line`.
    ///
    /// It belongs to this game when it begins with one of its positions, whatever the counters
    /// say, or with one that can be reached from its latest position by at most three moves;
    /// these are then filled in. So moves taken back are taken back here as well. Where several
    /// of this game's positions would do, it is the one from where the line repeats most of this
    /// game's moves, and of those the latest.
    ///
    /// `None` when the line does not belong to this game, and stands for itself. The standard
    /// start position is never filled in for: a line that begins there is a game of its own.
    ///
    /// ```
    /// use errare::{game::Game as _, xiangqi::{Game, notation::iccs::Ranks}};
    ///
    /// let mut game = Game::start();
    /// for text in ["h2e2", "h9g7"] {
    ///     let m = game.parse_move(text, Ranks::FromZero)?;
    ///     game.play(&m);
    /// }
    /// // Our own move e2e6 has captured, so the interface starts from there.
    /// let mut line = Game::from_fen(
    ///     "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 1",
    /// )?;
    /// line.play(&line.parse_move("i9h9", Ranks::FromZero)?);
    ///
    /// let game = game.continued_by(&line).expect("the line belongs to the game");
    /// let moves: Vec<_> = game.moves().map(|m| m.to_string()).collect();
    /// assert_eq!(moves, ["h2e2", "h9g7", "e2e6", "i9h9"]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn continued_by(&self, line: &Self) -> Option<Self> {
        let mut game = match self.beginning_of(line) {
            Some(plies) => self.after_first(plies),
            None if line.initial() == &Position::default() => return None,
            None => {
                let mut game = self.clone();
                for m in untold_moves(self.position(), line.initial())? {
                    game.play_unchecked(m);
                }
                game
            }
        };
        for m in line.moves() {
            game.play_unchecked(m);
        }
        Some(game)
    }

    /// After how many plies of this game the line begins.
    fn beginning_of(&self, line: &Self) -> Option<usize> {
        let repeats = |plies: usize| {
            self.moves().skip(plies).zip(line.moves()).take_while(|(ours, theirs)| ours == theirs)
        };
        let beginnings =
            self.positions().enumerate().filter(|(_, position)| *position == line.initial());
        // the last of equals, which is what we want
        beginnings.map(|(plies, _)| plies).max_by_key(|&plies| repeats(plies).count())
    }
}

/// The fewest moves that lead from one position to another, if few do.
fn untold_moves(from: &Position, to: &Position) -> Option<Vec<Move>> {
    (1..=MOST_UNTOLD_PLIES).find_map(|plies| moves_to(from, to, plies))
}

/// Moves, in this number, that lead from one position to another.
fn moves_to(from: &Position, to: &Position, plies: usize) -> Option<Vec<Move>> {
    // Each move changes two squares, and parity tells whose move it is: most moves need no look.
    let differing = (from.board().by_color(from.turn()) ^ to.board().by_color(from.turn()))
        | (from.board().by_color(!from.turn()) ^ to.board().by_color(!from.turn()));
    let wrong_turn = (from.turn() == to.turn()) != plies.is_multiple_of(2);
    if wrong_turn || differing.count() > 2 * plies {
        return None;
    }
    if plies == 0 {
        return (from == to).then(Vec::new);
    }
    from.legal_moves().into_iter().find_map(|m| {
        let mut moves = moves_to(&from.after(m), to, plies - 1)?;
        moves.insert(0, m);
        Some(moves)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Game as _,
        xiangqi::{Fen, notation::iccs::Ranks},
    };

    fn play(mut game: Game, moves: &str) -> Game {
        for text in moves.split_whitespace() {
            let m = game.parse_move(text, Ranks::FromZero).unwrap();
            game.play(&m);
        }
        game
    }

    fn game(moves: &str) -> Game {
        play(Game::start(), moves)
    }

    /// The line that begins with the position after these moves, with other counters.
    fn line_after(before: &str, moves: &str) -> Game {
        let mut setup = game(before).position().to_setup();
        setup.halfmoves = 0;
        setup.fullmoves = std::num::NonZeroU32::MIN;
        play(Game::from_fen(&Fen(setup).to_string()).unwrap(), moves)
    }

    fn moves_of(game: &Game) -> String {
        game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// The moves of the game remembered once it is continued by a line.
    #[track_caller]
    fn check(remembered: &str, before: &str, line: &str, wanted: &str) {
        let continued = game(remembered).continued_by(&line_after(before, line));
        assert_eq!(continued.as_ref().map(moves_of).as_deref(), Some(wanted));
        assert_eq!(continued, Some(game(wanted)));
    }

    #[test]
    fn the_whole_game_sent_again_is_the_game() {
        check("h2e2 h9g7", "", "h2e2 h9g7 h0g2 i9h9", "h2e2 h9g7 h0g2 i9h9");
        check("", "", "h2e2", "h2e2");
    }

    #[test]
    fn a_line_from_the_last_capture_keeps_what_came_before() {
        let remembered = "h2e2 h9g7 e2e6 a9a8 h0g2 i9h9";
        check(
            remembered,
            "h2e2 h9g7 e2e6",
            "a9a8 h0g2 i9h9 i0h0 h7h3",
            &format!("{remembered} i0h0 h7h3"),
        );
    }

    #[test]
    fn a_line_that_begins_after_our_own_capture_is_joined() {
        check("h2e2 h9g7", "h2e2 h9g7 e2e6", "i9h9", "h2e2 h9g7 e2e6 i9h9");
    }

    #[test]
    fn a_line_that_begins_with_a_capture_in_answer_to_our_move_is_joined() {
        check("h2e2 h9g7 h0g2", "h2e2 h9g7 h0g2 b7b0", "", "h2e2 h9g7 h0g2 b7b0");
        check("h2e2 h9g7", "h2e2 h9g7 h0g2 b7b0", "", "h2e2 h9g7 h0g2 b7b0");
    }

    #[test]
    fn a_capture_in_answer_to_our_capture_is_joined() {
        check("h2e2 b9c7", "h2e2 b9c7 e2e6 c7e6", "", "h2e2 b9c7 e2e6 c7e6");
        check("h2e2 b9c7", "h2e2 b9c7 e2e6 c7e6", "h0g2", "h2e2 b9c7 e2e6 c7e6 h0g2");
    }

    #[test]
    fn three_moves_that_we_were_not_told_of_are_filled_in() {
        check("h2e2", "h2e2 b9c7 e2e6 c7e6", "", "h2e2 b9c7 e2e6 c7e6");
    }

    #[test]
    fn moves_taken_back_are_taken_back_here() {
        check("h2e2 h9g7 h0g2 i9h9", "", "h2e2 h9g7", "h2e2 h9g7");
        check("h2e2 h9g7 e2e6 i9h9 h0g2", "h2e2 h9g7 e2e6", "i9h9", "h2e2 h9g7 e2e6 i9h9");
        check("h2e2 h9g7 e2e6 i9h9 h0g2", "h2e2", "", "h2e2");
    }

    #[test]
    fn another_move_instead_of_one_taken_back_is_joined() {
        check("h2e2 h9g7 e2e6 i9h9 h0g2", "h2e2 h9g7 e2e6", "a9a8", "h2e2 h9g7 e2e6 a9a8");
    }

    #[test]
    fn a_position_alone_is_joined_where_it_occurred_last() {
        let shuffle = "h0g2 h9g7 g2h0 g7h9";
        check(&format!("{shuffle} h2e2"), "", "", shuffle);
    }

    #[test]
    fn moves_repeated_since_the_last_capture_are_not_counted_twice() {
        let capture = "h2e2 h9g7 e2e6 i9h9";
        let shuffle = "b0c2 b9c7 c2b0 c7b9";
        let all = format!("{capture} {shuffle}");
        check(&all, capture, &format!("{shuffle} b0c2"), &format!("{all} b0c2"));
    }

    #[test]
    fn a_position_that_cannot_be_reached_starts_afresh() {
        let line = line_after("h2e2 b9c7 e2e6 c7e6", "h0g2");
        assert_eq!(game("").continued_by(&line), None);
        assert_eq!(game("b2e2 b9c7 b0c2 a9b9 a0b0 b7b3").continued_by(&line), None);
        assert_eq!(line_after("h2e2", "h9g7").continued_by(&game("")), None);
    }
}
