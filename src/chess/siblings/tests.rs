use super::*;
use crate::{
    attributes::{Attribute, Attributed as _},
    chess::{
        samples::{SPECIAL, position, positions},
        sight,
    },
};

/// Holds what is seen after each move of a position to what is defined.
fn assert_seen(before: &Chess, farther: bool) -> usize {
    let mut moves = Vec::new();
    let player = side(before.turn());
    let could = look(before, player, farther, |&m, seen| {
        moves.push(m);
        let after = before.after(&m);
        assert_eq!(seen.ending, after.ending(), "{m:?} in {before:?}");
        if seen.ending.is_some() {
            return;
        }
        let of_white = sight::of_white(&after);
        for attribute in Attribute::ALL {
            let wanted = before.turn().fold_wb(1.0, -1.0) * of_white.get(attribute);
            let got = *seen.attributes.get(attribute);
            assert!((got - wanted).abs() < 1e-4, "{attribute} {got} {wanted}: {m:?} {before:?}");
        }
        if farther {
            assert_eq!(seen.is_quiescent, after.is_quiescent(), "{m:?} in {before:?}");
            assert_eq!(seen.is_forcing, before.is_forcing(&m), "{m:?} in {before:?}");
        }
    });
    if could {
        assert_eq!(moves, before.legal_moves().to_vec());
    }
    moves.len()
}

#[test]
fn what_is_seen_of_many_moves_at_once_is_what_is_defined() {
    let mut seen = 0;
    for before in positions(200) {
        seen += assert_seen(&before, false) + assert_seen(&before, true);
    }
    assert!(seen > 500_000, "{seen} only");
}

#[test]
fn every_width_of_vectors_counts_the_same() {
    for before in SPECIAL.map(position) {
        let Some(castling) = usual_castling(&before) else {
            continue;
        };
        let parent = Parent::new(&before, castling);
        let mut boards = parent.boards;
        for (lane, &m) in before.legal_moves().iter().take(LANES).enumerate() {
            parent.make(m, &mut boards, lane);
        }
        let (mut plain, mut wide) = (Counts::default(), Counts::default());
        count_by::<u64>(&boards, true, &mut plain);
        count(&boards, true, &mut wide);
        assert_eq!(wide, plain);
        #[cfg(target_arch = "x86_64")]
        if widths::is_four_there() {
            let mut four = Counts::default();
            widths::by_four(&boards, true, &mut four);
            assert_eq!(four, plain);
        }
    }
}

#[test]
fn unusual_castling_is_left_to_others() {
    let unusual = position("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/PPP1PPPP/1RK1BR1B w KQkq - 2 10");
    assert!(!look(&unusual, Side::First, true, |_, _| panic!("nothing is seen")));
    assert!(look(&Chess::default(), Side::First, true, |_, _| ()));
}
