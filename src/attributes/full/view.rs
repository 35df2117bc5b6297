//! All legal moves of a position with the values of their attributes.

use super::{
    Beheld, Catalog, Facts, Look, Men, Past, Step,
    ahead::{Prospect, Search, compare},
    situation::situate,
};
use crate::{
    attributes::{Attributed, Ending, Seen},
    game::Side,
    model::Score,
};

/// How far the values of the family *ahead* are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// The position after the move, and the captures after it.
    Captures,
    /// Every reply as well.
    Replies,
}

/// The legal moves of a position, as a person sees them.
///
/// Its buffers are kept from one position to the next.
#[derive(Debug, Clone)]
pub struct View<M> {
    /// The legal moves, in the order of the game.
    pub moves: Vec<M>,
    /// Where the numbers of each move begin, and at the end how many there are.
    starts: Vec<u32>,
    numbers: Vec<u16>,
    /// What the position is like, by numbers less than [`situations`](super::situations).
    pub situation: Vec<u16>,
    /// What the position after each move is worth to the mover once the captures that pay are
    /// made.
    pub scores: Vec<Score>,
    /// How far the game has come.
    pub phase: f32,
}

impl<M> Default for View<M> {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            starts: vec![0],
            numbers: Vec::new(),
            situation: Vec::new(),
            scores: Vec::new(),
            phase: 0.0,
        }
    }
}

impl<M> View<M> {
    /// The numbers of the attributes' values of one move.
    pub fn numbers(&self, place: usize) -> &[u16] {
        &self.numbers[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The numbers of all moves, one after the other.
    pub fn all_numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// Adds a move with the numbers of its attributes' values.
    pub fn push(&mut self, m: M, numbers: &[u16]) {
        self.moves.push(m);
        self.numbers.extend_from_slice(numbers);
        self.starts.push(self.numbers.len() as u32);
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.starts.clear();
        self.starts.push(0);
        self.numbers.clear();
        self.situation.clear();
        self.scores.clear();
    }
}

/// One who looks at positions of a game: its catalog and the buffers of the work.
#[derive(Debug)]
pub struct Eye<G: Beheld> {
    catalog: Catalog<G::Men>,
    reach: Reach,
    search: Search<G::Move>,
    before: Option<Facts<G::Men>>,
    positions: Vec<G::Position>,
    after: Vec<Facts<G::Men>>,
    seen: Vec<Seen>,
    glances: Vec<Glance>,
    one: Vec<f64>,
    quiet: Vec<f64>,
    two: Vec<f64>,
    worst: Vec<f64>,
}

/// What is found out about each move before any attribute is asked for.
#[derive(Debug, Clone, Copy)]
struct Glance {
    step: Step,
    gain: i32,
    evasions: usize,
    ending: Option<Ending>,
    allows_mate: bool,
    threatens_mate: bool,
    occurrences: usize,
    prospect: Prospect,
}

/// Few enough squares for a king to be mated.
const FEW_FLIGHTS: u32 = 3;

impl<G: Beheld> Eye<G> {
    /// An eye that has seen nothing yet.
    pub fn new(reach: Reach) -> Self {
        Self {
            catalog: Catalog::of_game::<G>(),
            reach,
            search: Search::new(),
            before: None,
            positions: Vec::new(),
            after: Vec::new(),
            seen: Vec::new(),
            glances: Vec::new(),
            one: Vec::new(),
            quiet: Vec::new(),
            two: Vec::new(),
            worst: Vec::new(),
        }
    }

    /// The attributes that it looks for.
    pub fn catalog(&self) -> &Catalog<G::Men> {
        &self.catalog
    }

    /// How many positions it has looked at so far.
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Looks at the current position of a game; what the view held before is gone.
    pub fn look(&mut self, game: &G, view: &mut View<G::Move>) {
        view.clear();
        view.phase = game.phase();
        let position = game.position();
        position.for_each_move(|m| view.moves.push(m.clone()));
        renew(&mut self.before, G::men(position));
        self.glance(game, &view.moves);
        self.score(&mut view.scores);
        let past = game.past();
        let side = position.side_to_move();
        self.describe(side, &past, view);
        let before = self.before.as_ref().expect("the men were looked at above");
        situate(game, before, &past, view.moves.len(), &mut view.situation);
    }

    fn glance(&mut self, game: &G, moves: &[G::Move]) {
        self.glances.clear();
        self.one.clear();
        self.quiet.clear();
        self.two.clear();
        self.worst.clear();
        let position = game.position();
        let side = position.side_to_move();
        self.look_after(position, moves);
        self.seen.clear();
        let after = &self.after[..moves.len()];
        G::for_each_seen(position, side, after, |seen| self.seen.push(*seen));
        for (place, m) in moves.iter().enumerate() {
            let glance = self.glance_at(game, m, place, side);
            self.glances.push(glance);
        }
        let now = self.search.standing(position);
        let glances = &mut self.glances;
        compare(&self.one, now, |place, standing| glances[place].prospect.one = Some(standing));
        compare(&self.quiet, now, |place, standing| glances[place].prospect.quiet = Some(standing));
        compare(&self.worst, now, |place, standing| glances[place].prospect.worst = Some(standing));
        compare(&self.two, now, |place, standing| glances[place].prospect.two = Some(standing));
    }

    /// Makes the moves and looks at the men after each.
    fn look_after(&mut self, position: &G::Position, moves: &[G::Move]) {
        let before = self.before.as_ref().expect("the men were looked at before the moves");
        self.positions.clear();
        for (place, m) in moves.iter().enumerate() {
            let after = position.after(m);
            let men = G::men(&after);
            match self.after.get_mut(place) {
                Some(facts) => facts.renew_after(before, men),
                None => self.after.push(Facts::new(men)),
            }
            self.positions.push(after);
        }
    }

    fn glance_at(&mut self, game: &G, m: &G::Move, place: usize, side: Side) -> Glance {
        let (facts, after) = (&self.after[place], &self.positions[place]);
        let step = G::step(game.position(), m);
        let is_check = facts.checkers[!side].any();
        let Seen { ending, attributes, .. } = self.seen[place];
        let mut evasions = 0;
        if is_check && ending.is_none() {
            after.for_each_move(|_| evasions += 1);
        }
        let occurrences = game.occurrences_after(m);
        let over = match ending {
            Some(Ending::Lost) => Some(self.search.mate()),
            Some(Ending::Drawn) => Some(0.0),
            None if occurrences >= 2 => Some(0.0),
            None => None,
        };
        let allows_mate = over.is_none() && can_mate::<G>(after, facts, !side);
        let threatens_mate = over.is_none() && !is_check && can_mate::<G>(after, facts, side);
        let standing = -over.unwrap_or_else(|| self.search.value(&attributes));
        self.one.push(-standing);
        self.quiet.push(match over {
            Some(value) => value,
            None if allows_mate => -self.search.mate(),
            None => -self.search.quiet::<G>(after, standing),
        });
        if self.reach >= Reach::Replies {
            let (two, worst) =
                over.map_or_else(|| self.search.after_reply(after), |value| (value, value));
            self.two.push(two);
            self.worst.push(worst);
        }
        let worth = |role: Option<usize>| role.map_or(0, |role| G::Men::WORTH[role]);
        let promotion = step.promoted.map_or(0, |role| worth(Some(role)) - worth(Some(step.role)));
        let gain = worth(step.captured) + promotion - self.after[place].stake(step.to);
        Glance {
            step,
            gain,
            evasions,
            ending,
            allows_mate,
            threatens_mate,
            occurrences,
            prospect: Prospect::default(),
        }
    }

    fn score(&self, scores: &mut Vec<Score>) {
        let mated = |glance: &Glance| match (glance.ending, glance.allows_mate) {
            (Some(Ending::Lost), _) => Some(Score::Mate(1)),
            (None, true) => Some(Score::Mated(1)),
            _ => None,
        };
        scores.extend(self.glances.iter().zip(&self.quiet).map(|(glance, &value)| {
            mated(glance).unwrap_or_else(|| Score::Centipawns(self.search.centipawns(value)))
        }));
    }

    fn describe(&mut self, side: Side, past: &Past, view: &mut View<G::Move>) {
        let before = self.before.as_ref().expect("the men were looked at before the moves");
        let best_gain = self.glances.iter().map(|glance| glance.gain).max().unwrap_or(0);
        for (glance, after) in self.glances.iter().zip(&self.after) {
            let step = glance.step;
            let look = Look {
                side,
                step,
                before,
                after,
                mover: before.at(step.from).expect("the man to move stands where it comes from"),
                moved: after.at(step.to).expect("the moved man stands where it went"),
                attackers: after.men.attackers_to(step.to, after.occupied),
                past,
                gain: glance.gain,
                best_gain,
                evasions: glance.evasions,
                ending: glance.ending,
                allows_mate: glance.allows_mate,
                threatens_mate: glance.threatens_mate,
                occurrences: glance.occurrences,
                moves: self.glances.len(),
                phase: view.phase,
                prospect: glance.prospect,
            };
            self.catalog.describe(&look, &mut view.numbers);
            view.starts.push(view.numbers.len() as u32);
        }
    }
}

fn renew<M: Men>(facts: &mut Option<Facts<M>>, men: M) {
    match facts {
        Some(facts) => facts.renew(men),
        None => *facts = Some(Facts::new(men)),
    }
}

/// Whether `side` could mate at once if it were to move. Only looked for where the other king has
/// few squares to go to and a check is possible.
fn can_mate<G: Beheld>(position: &G::Position, facts: &Facts<G::Men>, side: Side) -> bool {
    let king = facts.king[!side];
    let flights = facts.at(king).map_or(0, |king| (king.reach & !facts.attacked[side]).count());
    flights <= FEW_FLIGHTS && facts.checks[side] > 0 && G::can_mate(position, facts, side)
}
