//! A game under way and the person who plays it: from a position to a move chosen.

use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{move_stats, settings::Settings};
use crate::{
    game::{Game, Outcome},
    model::{Candidate, Effort, Model, Prediction, Score},
    player::{AllowedMoves, Answer, Gesture, Info, Line, Search, Stop},
};

/// A game under way, the person who plays it, and how moves are written.
pub struct Table<G: Game> {
    /// The game.
    pub game: G,
    /// Who plays it; nobody until the game is played.
    pub player: Option<Box<dyn Model<G>>>,
    /// How moves are written.
    pub spelling: G::Spelling,
}

impl<G: Game> Table<G> {
    /// A game that begins, with nobody to play it yet.
    pub fn new(spelling: G::Spelling) -> Self {
        Self { game: G::start(), player: None, spelling }
    }

    /// Chooses a move as that person would, and says what there is to say about it.
    pub fn choose(
        &mut self,
        search: &Search,
        settings: &Settings,
        stop: &Stop,
        say: &mut dyn FnMut(Info),
    ) -> Answer {
        let started = Instant::now();
        let allowed = Allowed::new(&self.game, &search.allowed, self.spelling);
        let effort = Effort { max_plies: search.limits.depth, max_nodes: search.limits.nodes };
        let writer = Writer { game: &self.game, spelling: self.spelling, started };

        let mut rng = self.rng(settings.seed);
        let player = self.player.as_mut().expect("the engine seats whoever plays before it asks");
        let prediction = player.predict(&self.game, effort, &|| stop.is_raised(), &mut |shallow| {
            let shallow = allowed.of(shallow.clone());
            for (rank, candidate) in shown(&shallow, settings.multi_pv, None) {
                say(writer.line(&shallow, candidate, rank, settings.multi_pv));
            }
        });
        let prediction = allowed.of(prediction);
        let drawn = prediction.clone().tempered(settings.temperature).cut(settings.top_p);
        let Some(chosen) = drawn.draw(&mut rng) else {
            say(writer.no_line());
            return Answer::default();
        };

        let chosen = &answered(player.as_mut(), &self.game, chosen, effort, stop);
        if settings.verbose_move_stats {
            move_stats::of(&prediction, |m| writer.write(m))
                .into_iter()
                .for_each(|stats| say(Info::Message(stats)));
        }
        for (rank, candidate) in shown(&prediction, settings.multi_pv, Some(chosen)) {
            if settings.multi_pv > 1 {
                say(Info::Message(writer.probability(candidate, rank)));
            }
            let candidate = if candidate.m == chosen.m { chosen } else { candidate };
            say(writer.line(&prediction, candidate, rank, settings.multi_pv));
        }
        let line = writer.moves(chosen);
        let accepts = search.draw_offered && accepts_draw(chosen.score, self.game.plies_played());
        Answer {
            best: line.first().cloned(),
            ponder: line.get(1).cloned(),
            gesture: accepts.then_some(Gesture::Draw),
        }
    }

    /// Where draws come from: with a seed, from the seed and the number of plies played, so that
    /// the same game is drawn again whatever else was asked in between.
    fn rng(&self, seed: u64) -> ChaCha8Rng {
        if seed == 0 {
            return ChaCha8Rng::from_rng(&mut rand::rng());
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(self.game.plies_played() as u64);
        rng
    }
}

/// A candidate whose line goes on with the likeliest reply, where the model did not look as far.
fn answered<G: Game>(
    player: &mut dyn Model<G>,
    game: &G,
    candidate: &Candidate<G::Move>,
    effort: Effort,
    stop: &Stop,
) -> Candidate<G::Move> {
    let mut candidate = candidate.clone();
    let mut after = game.clone();
    after.play(&candidate.m);
    if candidate.line.len() == 1 && after.outcome().is_none() && !stop.is_raised() {
        let replies = player.predict(&after, effort, &|| stop.is_raised(), &mut |_| {});
        candidate.line.extend(replies.candidates().first().map(|reply| reply.m.clone()));
    }
    candidate
}

/// Which moves may be played.
enum Allowed<M> {
    All,
    Only(Vec<M>),
    AllBut(Vec<M>),
}

impl<M: Clone + PartialEq> Allowed<M> {
    fn new<G: Game<Move = M>>(game: &G, words: &AllowedMoves, spelling: G::Spelling) -> Self {
        let legal = |words: &[String]| {
            words.iter().filter_map(|word| game.parse_move(word, spelling).ok()).collect()
        };
        match words {
            AllowedMoves::All => Self::All,
            AllowedMoves::Only(words) => Self::Only(legal(words)),
            AllowedMoves::AllBut(words) => Self::AllBut(legal(words)),
        }
    }

    fn of(&self, prediction: Prediction<M>) -> Prediction<M> {
        match self {
            Self::All => prediction,
            Self::Only(moves) => prediction.restricted(|m| moves.contains(m)),
            Self::AllBut(moves) => prediction.restricted(|m| !moves.contains(m)),
        }
    }
}

/// The candidates to show, each with its rank: the likeliest `count`, with the one chosen always
/// among them and always last, since user interfaces take the last line for the move played.
fn shown<'a, M: PartialEq>(
    prediction: &'a Prediction<M>,
    count: usize,
    chosen: Option<&Candidate<M>>,
) -> Vec<(usize, &'a Candidate<M>)> {
    let candidates = prediction.candidates();
    let count = count.min(candidates.len());
    let mut shown: Vec<_> = (1..).zip(&candidates[..count]).collect();
    let Some(chosen) = chosen else {
        return shown;
    };
    let place = candidates.iter().position(|candidate| candidate.m == chosen.m);
    match place {
        Some(place) if place < count => {
            let chosen = shown.remove(place);
            shown.push(chosen);
        }
        Some(place) => {
            shown.pop();
            shown.push((count, &candidates[place]));
        }
        None => {}
    }
    shown
}

/// People take a draw when they stand worse, or when nothing has happened for long.
fn accepts_draw(score: Score, plies_played: usize) -> bool {
    /// Clearly worse, in centipawns.
    const WORSE: i32 = -100;
    /// Not better, in centipawns.
    const EVEN: i32 = 30;
    /// A long game, in plies.
    const LONG: usize = 80;
    match score {
        Score::Centipawns(score) => score <= WORSE || score <= EVEN && plies_played >= LONG,
        Score::Mate(_) => false,
        Score::Mated(_) => true,
    }
}

/// Writes what is said of a position.
struct Writer<'a, G: Game> {
    game: &'a G,
    spelling: G::Spelling,
    started: Instant,
}

impl<G: Game> Writer<'_, G> {
    fn write(&self, m: &G::Move) -> String {
        self.game.write_move(m, self.spelling)
    }

    /// The moves of a candidate's line, each written in the position where it is played.
    fn moves(&self, candidate: &Candidate<G::Move>) -> Vec<String> {
        let mut game = self.game.clone();
        let mut moves = Vec::with_capacity(candidate.line.len());
        for m in &candidate.line {
            moves.push(game.write_move(m, self.spelling));
            game.play(m);
        }
        moves
    }

    fn line(
        &self,
        prediction: &Prediction<G::Move>,
        candidate: &Candidate<G::Move>,
        rank: usize,
        multi_pv: usize,
    ) -> Info {
        Info::Line(Line {
            depth: prediction.depth,
            rank: (multi_pv > 1).then_some(rank as u32),
            score: candidate.score,
            nodes: prediction.nodes,
            time_ms: self.started.elapsed().as_millis() as u64,
            moves: self.moves(candidate),
        })
    }

    fn probability(&self, candidate: &Candidate<G::Move>, rank: usize) -> String {
        let percent = 100.0 * candidate.probability;
        format!("{rank}. {} {percent:.2} %", self.write(&candidate.m))
    }

    /// What is said where there is no move to choose: the side to move is mated, or the game is
    /// even for want of a better word.
    fn no_line(&self) -> Info {
        let lost = self.game.legal_moves().is_empty()
            && matches!(self.game.outcome(), Some(Outcome::Won(_)));
        Info::Line(Line {
            depth: 0,
            rank: None,
            score: if lost { Score::Mated(0) } else { Score::EVEN },
            nodes: 0,
            time_ms: self.started.elapsed().as_millis() as u64,
            moves: Vec::new(),
        })
    }
}
