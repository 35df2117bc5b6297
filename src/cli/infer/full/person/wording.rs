//! Values of attributes in words.

use crate::attributes::full::{Catalog, Men};

/// Something that a player does, and the values of attributes that moves have which do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// What the player does, such as `gives check`.
    pub text: String,
    /// The numbers of the values, any of which will do.
    pub numbers: Vec<u16>,
}

/// Everything that can be said of moves, given the names of the roles in the order of their
/// numbers. Values that only a program could tell apart are left out.
pub fn phrases<M: Men>(catalog: &Catalog<M>, roles: &[&str]) -> Vec<Phrase> {
    let mut phrases: Vec<Phrase> = Vec::new();
    for number in 0..catalog.values() as u16 {
        let (name, value) = (catalog.attribute(number).name, catalog.value(number));
        for text in texts(name, value, roles, M::KING) {
            match phrases.iter_mut().find(|phrase| phrase.text == text) {
                Some(phrase) => phrase.numbers.push(number),
                None => phrases.push(Phrase { text, numbers: vec![number] }),
            }
        }
    }
    phrases
}

/// What a move does that has this value of an attribute. The functions in the families say what
/// the values mean.
fn texts(name: &str, value: usize, roles: &[&str], king: usize) -> Vec<String> {
    let count = roles.len();
    let role = |number: usize| {
        let role = roles[number % count];
        let article = if number % count == king {
            "the"
        } else if role.starts_with(['a', 'e']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {role}")
    };
    // values that join a man with a yes or no begin at one
    let (half, is_yes) = ((value - 1) / 2, (value - 1) % 2 == 1);
    let plain = match name {
        "man" => return vec![format!("moves {}", role(value - 1))],
        "man_takes" => {
            let (taker, taken) = ((value - 1) / count, (value - 1) % count);
            return vec![
                "takes something".to_owned(),
                format!("takes {}", role(taken)),
                format!("takes with {}", role(taker)),
            ];
        }
        "captured_is_guarded" if is_yes => "takes a man that is guarded",
        "captured_is_guarded" => "takes a man that nothing guards",
        "gain" if value > 6 => "puts a man where it can be taken with profit",
        "best_gain" => match value {
            1 => "makes the largest gain there is",
            2 => "makes a smaller gain than the largest",
            _ => "lets a gain go by",
        },
        "recapture" => "takes back",
        "takes_last_mover" => "takes the man that has just moved",
        "man_in_danger" if value % 3 == 1 => "moves an attacked man to safety",
        "man_in_danger" => "moves an attacked man to where it can be taken as well",
        "left_hanging" => {
            let hanging = format!("leaves {} hanging", role(value - 1));
            return vec!["leaves a man hanging".to_owned(), hanging];
        }
        "saved" => "guards a man that hung, or gets it out of an attack",
        "exposed" => "exposes a man by moving another",
        "answers_threat" => match value % 3 {
            0 => "moves the man that has just been threatened",
            1 => "meets a threat by moving another man",
            _ => "ignores a threat",
        },
        "new_threat" => "makes a new threat",
        // which is a check, told elsewhere
        "man_attacks" if half % count == king => return Vec::new(),
        "man_attacks" => return vec![format!("attacks {}", role(half))],
        "fork" if value > 1 => "attacks two men at once that could be taken",
        "uncovers" => "uncovers an attack of another man",
        "attacks_last_mover" => "attacks the man that has just moved",
        "threat_given_up" => "gives up a threat",
        "ends_game" if value == 1 => "mates",
        "check" if is_yes => return vec!["gives check".to_owned()],
        "check" => {
            let unsafely = "gives check with a man that can be taken".to_owned();
            return vec!["gives check".to_owned(), unsafely];
        }
        "man_checks" => return vec![format!("gives check with {}", role(half))],
        "answers_check" => match half {
            0 => "answers a check with the king",
            1 => "answers a check by taking",
            _ => "answers a check by putting a man in between",
        },
        "allows_mate" => "allows mate in one",
        "threatens_mate" => "threatens mate in one",
        "two_rank" if value == 1 => "plays what two plies of look-ahead like best",
        "two_behind" if value > 11 => "plays what two plies of look-ahead find two pawns worse",
        "other_zone" => "aims at the squares around the other king",
        "leaves_king" if value == 1 => "brings a man near the own king",
        "leaves_king" if value == 2 => "takes a man away from the own king",
        "direction" => {
            let way = match value % 27 / 9 {
                0 => "backwards",
                1 => "sideways",
                _ => "forwards",
            };
            return vec![format!("moves {} {way}", role(value / 27))];
        }
        "same_man" => match value {
            1 => "takes with the man that moved last",
            2 | 3 => "moves the last man back to where it came from",
            _ => "moves the same man again",
        },
        "near_last_target" => match value / 2 {
            0..=2 => "plays near where the other has just moved",
            3..=4 => return Vec::new(),
            _ => "plays far from where the other has just moved",
        },
        "repetition" => "repeats a position",
        "trade" => {
            let ahead = match (value - 1) / 6 {
                0 => "when nobody is ahead",
                1..=6 => "when ahead",
                _ => "when behind",
            };
            return match (value - 1) % 6 / 2 {
                0 => Vec::new(),
                1 => vec![format!("exchanges evenly {ahead}")],
                _ => vec![format!("takes at a loss {ahead}")],
            };
        }
        _ => return own(name, value, &role).into_iter().collect(),
    };
    vec![plain.to_owned()]
}

/// The same for attributes that only one game has.
fn own(name: &str, value: usize, role: &dyn Fn(usize) -> String) -> Option<String> {
    let plain = match name {
        "castling" if value == 1 => "castles on the king's side",
        "castling" => "castles on the queen's side",
        "promotion" => return Some(format!("promotes to {}", role(value.div_ceil(2)))),
        "double_step" if value == 9 => "takes in passing",
        "double_step" => {
            let file = char::from(b'a' + value as u8 - 1);
            return Some(format!("pushes the {file}-pawn two squares"));
        }
        "leaves_castling" if value == 1 => "moves the king before castling",
        "leaves_castling" => "moves a rook from where it could castle",
        "development" => match value % 4 {
            0 => "develops a knight or bishop",
            1 => "moves a developed piece again while others wait at home",
            2 => "moves a pawn while pieces wait at home",
            _ => "moves king, queen or rook while pieces wait at home",
        },
        "blocks_center" => "puts a piece before a center pawn at home",
        "pawn_kicks" => "attacks a piece with a pawn",
        "passed_pawn" => "advances a passed pawn",
        "pawn_neighbors" if (value - 1) & 2 > 0 => "doubles pawns",
        "pawn_neighbors" if (value - 1) & 1 > 0 => "moves an isolated pawn",
        "pawn_lever" if value > 2 => "offers pawns to be exchanged",
        "pawn_lever" if value == 2 => "locks pawns",
        "pawn_shield" => "moves a pawn before the own king",
        "file" if value < 10 && value % 3 == 1 => "puts a rook on an open file",
        "outpost" => "puts a piece where no pawn can drive it away",
        "river" => match value % 4 {
            1 => return Some(format!("crosses the river with {}", role(value / 4))),
            3 => return Some(format!("brings {} back over the river", role(value / 4))),
            _ => return None,
        },
        _ => return None,
    };
    Some(plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        attributes::full::{Beheld, Eye, View},
        chess::{self, Castling},
        game::Game as _,
        xiangqi,
    };

    const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

    /// What is said of a move.
    fn said(fen: &str, before: &[&str], m: &str) -> Vec<String> {
        let mut game = chess::Game::from_fen(fen).unwrap();
        let parse = |game: &chess::Game, text| game.parse_move(text, Castling::Standard).unwrap();
        for text in before {
            game.play(&parse(&game, text));
        }
        let (mut eye, mut view) = (Eye::<chess::Game>::new(chess::Game::REACH), View::default());
        eye.look(&game, &mut view);
        let m = parse(&game, m);
        let place = view.moves.iter().position(|other| *other == m).unwrap();
        let numbers = view.numbers(place);
        let does = |phrase: &Phrase| phrase.numbers.iter().any(|number| numbers.contains(number));
        let phrases = phrases(eye.catalog(), &ROLES);
        phrases.into_iter().filter(does).map(|phrase| phrase.text).collect()
    }

    #[test]
    fn moves_are_told_in_words() {
        let start = chess::Game::start().fen();
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for (fen, before, m, does) in [
            (promotion, &[][..], "a7a8r", &["promotes to a rook", "moves a pawn"][..]),
            (promotion, &[], "a7a8n", &["promotes to a knight"]),
            (&start, &["e2e4", "d7d5", "e4d5"], "d8d5", &["takes back", "takes with a queen"]),
            (&start, &["f2f3", "e7e5", "g2g4"], "d8h4", &["mates", "gives check with a queen"]),
            (&start, &["g1f3", "e7e5"], "f3e5", &["takes a pawn", "takes with a knight"]),
            (&start, &["g1f3", "e7e5"], "f3g1", &["moves the last man back to where it came from"]),
            (&start, &[], "e2e4", &["pushes the e-pawn two squares"]),
            (&start, &[], "b1c3", &["develops a knight or bishop", "moves a knight forwards"]),
            (&start, &["b1c3", "e7e5"], "c3b1", &["moves a knight backwards"]),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[], "e1g1", &["castles on the king's side"]),
            ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", &[], "e8c8", &["castles on the queen's side"]),
            ("4k3/8/8/2n5/8/8/1P6/4K3 w - - 0 1", &[], "b2b4", &["attacks a piece with a pawn"]),
        ] {
            let said = said(fen, before, m);
            for does in does {
                assert!(said.iter().any(|text| text == does), "{m}: no {does} in {said:?}");
            }
        }
        let quiet = said(&start, &[], "g1f3");
        for not in ["gives check", "takes something", "leaves a man hanging", "takes back"] {
            assert!(!quiet.iter().any(|text| text == not), "{quiet:?}");
        }
    }

    #[test]
    fn every_number_of_a_phrase_is_of_the_game() {
        let chess = Catalog::of_game::<chess::Game>();
        let xiangqi = Catalog::of_game::<xiangqi::Game>();
        let roles = ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"];
        for (phrases, values) in [
            (phrases(&chess, &ROLES), chess.values()),
            (phrases(&xiangqi, &roles), xiangqi.values()),
        ] {
            assert!(phrases.len() > 80, "{}", phrases.len());
            let largest = phrases.iter().flat_map(|phrase| &phrase.numbers).max();
            assert!(usize::from(*largest.unwrap()) < values);
        }
        let crosses = "crosses the river with a horse";
        assert!(phrases(&xiangqi, &roles).iter().any(|phrase| phrase.text == crosses));
    }
}
