//! What a position is like before any move is looked at: the men on their squares, the last moves,
//! what could be lost and won.

use super::{Beheld, Facts, Men, Past, SIZES, Step, size};

/// How many numbers the situations of a game have.
pub fn situations<G: Beheld>() -> usize {
    Places::of::<G>().end
}

/// Whether a number of a situation tells of the moves before it.
pub fn is_of_the_past<M: Men>(number: u16) -> bool {
    let men = M::roles() * M::SQUARES;
    let start = STATUSES * 2 * men;
    (start..start + (2 + 1 + EARLIER) * men).contains(&usize::from(number))
}

/// Safe, attacked, hanging.
const STATUSES: usize = 3;
/// How many numbers tell how many legal moves there are.
const CHOICES: usize = 8;
/// How many numbers tell how long nothing was taken and no pawn moved.
const PATIENCE: usize = 5;

/// Where the numbers of each kind begin.
struct Places {
    /// The other side's last move: the man and its target, and whether it took.
    last: usize,
    /// Where that man came from.
    last_origin: usize,
    /// The own last move, and the one of the other side before it, and the own before that.
    earlier: [usize; EARLIER],
    checked: usize,
    loss: usize,
    gain: usize,
    choices: usize,
    patience: usize,
    own: usize,
    end: usize,
}

/// How many moves before the last one are told.
const EARLIER: usize = 3;

impl Places {
    fn of<G: Beheld>() -> Self {
        let men = <G::Men as Men>::roles() * <G::Men as Men>::SQUARES;
        let last = STATUSES * 2 * men;
        let last_origin = last + 2 * men;
        let earlier = std::array::from_fn(|place| last_origin + (1 + place) * men);
        let checked = last_origin + (1 + EARLIER) * men;
        let loss = checked + 1;
        let gain = loss + SIZES;
        let choices = gain + SIZES;
        let patience = choices + CHOICES;
        let own = patience + PATIENCE;
        let end = own + G::OWN_SITUATIONS;
        Self { last, last_origin, earlier, checked, loss, gain, choices, patience, own, end }
    }
}

/// Adds the numbers of the men on their squares, each with its status; of the last moves; of what
/// could be lost and won; of how many moves there are and how long play has been quiet; and of
/// what only the game knows.
pub(super) fn situate<G: Beheld>(
    game: &G,
    facts: &Facts<G::Men>,
    past: &Past,
    moves: usize,
    situation: &mut Vec<u16>,
) {
    let side = crate::game::Game::side_to_move(game);
    let places = Places::of::<G>();
    let (roles, squares) = (<G::Men as Men>::roles(), <G::Men as Men>::SQUARES);
    let seen = |square| <G::Men as Men>::seen_from(side, square);
    let mut add = |number: usize| situation.push(number as u16);
    for man in facts.list() {
        let status = match (man.stake > 0, facts.attacked[!man.side].contains(man.square)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        let owner = usize::from(man.side != side);
        add(((owner * roles + man.role) * STATUSES + status) * squares + seen(man.square));
    }
    let target = |step: &Step| step.role * squares + seen(step.to);
    if let Some(last) = past.last() {
        let taken = usize::from(last.captured.is_some());
        add(places.last + taken * roles * squares + target(last));
        add(places.last_origin + last.role * squares + seen(last.from));
    }
    for (step, start) in past.steps[1..].iter().zip(places.earlier) {
        if let Some(step) = step {
            add(start + target(step));
        }
    }
    if facts.checkers[side].any() {
        add(places.checked);
    }
    add(places.loss + size(facts.loss[side]));
    add(places.gain + size(facts.loss[!side]));
    add(places.choices + (moves / 6).min(CHOICES - 1));
    add(places.patience + patience(game.quiet_plies()));
    game.for_each_own_situation(|number| add(places.own + number));
}

/// How long nothing was taken and no pawn moved.
fn patience(plies: u32) -> usize {
    match plies {
        0..=1 => 0,
        2..=5 => 1,
        6..=11 => 2,
        12..=23 => 3,
        _ => 4,
    }
}
