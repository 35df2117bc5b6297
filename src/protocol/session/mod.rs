//! The conversation: one queue, one owner, one writer.
//!
//! Everything that happens is an [`Event`] in one queue, and one thread takes them out: it alone
//! decides, and it alone prints. A second thread reads lines; it sits in a blocking read and is
//! never joined. A third thinks.
//!
//! Ownership is the state. While the player is thinking it *is* on the third thread, so that no
//! code can touch it; it comes home inside its answer.
//!
//! | while thinking, or holding an answer back | |
//! |---|---|
//! | `isready`, `stop`, `ponderhit`, `quit`, end of input | at once |
//! | everything else | waits, in order, until the answer is given |
//!
//! `stop` and `ponderhit` are for the search that runs, unless that has been stopped already and
//! another `go` waits: then they wait with it.
//!
//! # How a conversation ends
//! `quit` and the end of the input mean the same. A search that runs then is cut short, at once
//! if it waits to be stopped and after [`GRACE`] otherwise, and its answer is still given.
//! Scripts are piped in faster than moves can be chosen, so that `quit` may arrive while more than
//! one `go` waits. No user interface sends a `go` before the last one is answered, so that this
//! must be a script: what waits is carried out, for [`LONGEST_SCRIPT`] at most, and searches with
//! limits run to their limits. No user interface that died leaves an engine running for longer.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

mod obeying;
mod reader;
mod thinking;

use std::{
    collections::{BTreeSet, VecDeque},
    io::{self, BufRead, Write},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use self::{
    reader::Line,
    thinking::{Errand, Home, think},
};
use super::{
    Dialect, Ucci, Uci,
    command::{Command, CommandError, Go},
    reply::Reply,
};
use crate::{
    game::Side,
    player::{AllowedMoves, Answer, Clocks, Convention, Info, Limits, Player, Setup, Stop},
};

/// How long a search with limits may still run when the conversation ends under it. An adapter in
/// wide use kills the engine 50 ms after `quit`.
const GRACE: Duration = Duration::from_millis(30);
/// How long a script may run after it has been read.
const LONGEST_SCRIPT: Duration = Duration::from_secs(5);
/// How long to wait for the answer of a search that was told to stop when leaving.
const LAST_ANSWER: Duration = Duration::from_millis(500);

/// What happens in a conversation.
enum Event<P> {
    /// A line has been read, or one that is too long.
    Line(Result<Line, CommandError>),
    /// There will be no more lines.
    EndOfInput,
    /// The player says something while it thinks.
    Said(Info),
    /// The player has come home.
    Home(Home<P>),
}

/// Where the player is.
enum State<P> {
    /// Here, with nothing to do.
    Idle(P),
    /// Away, thinking.
    Thinking(Thought),
    /// Here, with an answer that may not be given yet.
    Holding { player: P, answer: Answer, hold: Hold },
    /// The conversation is over.
    Over,
}

/// What is known of a search while the player is away.
struct Thought {
    stop: Stop,
    hold: Hold,
    /// Whether the answer must name no move.
    score_only: bool,
}

/// Until when an answer is held back.
enum Hold {
    No,
    UntilStop,
    /// Until the move pondered on is played; then there is so much time, if that is a limit.
    UntilPonderhit {
        budget: Option<Duration>,
        then_infinite: bool,
    },
}

/// When to leave, once the conversation has ended.
struct Leaving {
    /// When to stop what still runs.
    stop_at: Instant,
    has_stopped: bool,
}

/// A conversation between a user interface and a player.
pub struct Session<P, W> {
    output: W,
    /// Sends the player off to think.
    errands: Sender<Errand<P>>,
    convention: Convention,
    milliseconds: bool,
    debug: bool,
    /// Moves that may not be played in the current position.
    banned: Vec<String>,
    /// The last position set up.
    setup: Option<Setup>,
    /// Options that have been set to something, if only to their default again.
    touched: BTreeSet<&'static str>,
    /// Lines that wait until the player is home.
    deferred: VecDeque<String>,
    leaving: Option<Leaving>,
}

impl<P: Player, W: Write> Session<P, W> {
    /// Holds a conversation to its end: until `quit`, or until `input` is over.
    ///
    /// UCI is understood until a greeting chooses the dialect; the last greeting holds. Each line
    /// of `output` is flushed. The thread that reads `input` is left behind in its blocking read,
    /// so that this is for the last thing a process does. The standard input goes in as
    /// `BufReader::new(io::stdin())`, because its lock cannot go to another thread.
    ///
    /// # Errors
    /// When `output` cannot be written to, which ends the conversation, or a thread cannot be
    /// started.
    pub fn run(player: P, input: impl BufRead + Send + 'static, output: W) -> io::Result<()> {
        let (events, queue) = unbounded();
        let (errands, to_do) = unbounded();
        let lines = events.clone();
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            reader::read_lines(input, |line| lines.send(Event::Line(line)).is_ok());
            // if nobody listens any more, the conversation is over already
            let _ = lines.send(Event::EndOfInput);
        })?;
        thread::Builder::new()
            .name("thinker".to_owned())
            .spawn(move || run_errands(&to_do, &events))?;
        let session = Self {
            output,
            errands,
            convention: Convention::Uci,
            milliseconds: false,
            debug: false,
            banned: Vec::new(),
            setup: None,
            touched: BTreeSet::new(),
            deferred: VecDeque::new(),
            leaving: None,
        };
        session.converse(player, &queue)
    }

    fn converse(mut self, player: P, queue: &Receiver<Event<P>>) -> io::Result<()> {
        let mut state = State::Idle(player);
        while !matches!(state, State::Over) {
            let event = match &self.leaving {
                None => queue.recv().map_err(RecvTimeoutError::from),
                Some(leaving) => queue.recv_deadline(leaving.wake_at()),
            };
            state = match event {
                Ok(event) => self.handle(state, event)?,
                Err(RecvTimeoutError::Timeout) => self.lose_patience(state)?,
                // both other threads are gone, so nothing more can happen
                Err(RecvTimeoutError::Disconnected) => State::Over,
            };
        }
        Ok(())
    }

    fn handle(&mut self, state: State<P>, event: Event<P>) -> io::Result<State<P>> {
        match event {
            Event::Line(_) | Event::EndOfInput if self.leaving.is_some() => Ok(state),
            Event::Line(Ok(line)) => {
                log::debug!("heard: {}", line.text);
                if self.is_for_one_that_waits(&state, &line.text) {
                    self.deferred.push_back(line.text);
                    return Ok(state);
                }
                self.hear(state, &line)
            }
            Event::Line(Err(error)) => {
                self.remark(error)?;
                Ok(state)
            }
            Event::EndOfInput => self.leave(state),
            Event::Said(Info::Line(line)) => {
                self.say(&Reply::Line(line))?;
                Ok(state)
            }
            Event::Said(Info::Message(text)) => {
                self.remark(text)?;
                Ok(state)
            }
            Event::Home(home) => self.welcome(state, home),
        }
    }

    /// Does what a line asks, or has it wait.
    fn hear(&mut self, state: State<P>, line: &Line) -> io::Result<State<P>> {
        match (self.dialect().parse(&line.text), state) {
            (Ok(Command::IsReady), state) => {
                self.say(&Reply::Ready)?;
                Ok(state)
            }
            (Ok(Command::Stop), state) => self.stop(state),
            (Ok(Command::PonderHit { draw_offered }), state) => {
                self.ponderhit(state, line.arrived, draw_offered)
            }
            (Ok(Command::Quit), state) => self.leave(state),
            (Ok(Command::Go(go)), State::Idle(player)) => self.go(player, go, line.arrived),
            (command, State::Idle(mut player)) => {
                match command {
                    Ok(command) => self.obey(&mut player, command)?,
                    Err(error) => self.remark(error)?,
                }
                Ok(State::Idle(player))
            }
            // how it is to be understood may depend on what waits before it
            (_, busy) => {
                self.deferred.push_back(line.text.clone());
                Ok(busy)
            }
        }
    }

    /// Sends the player off to think about what was `asked` for at this moment.
    fn go(&mut self, player: P, go: Go, asked: Instant) -> io::Result<State<P>> {
        let Go { mut search, score_only, unread } = go;
        for error in unread {
            self.remark(error)?;
        }
        if search.allowed == AllowedMoves::All && !self.banned.is_empty() {
            search.allowed = AllowedMoves::AllBut(self.banned.clone());
        }
        let budget = budget(&search.limits, player.side_to_move());
        let stop = Stop::new();
        let hold = match (search.limits.ponder, search.limits.infinite) {
            (true, then_infinite) => Hold::UntilPonderhit { budget, then_infinite },
            (false, true) => Hold::UntilStop,
            (false, false) => Hold::No,
        };
        if matches!(hold, Hold::No) {
            set_deadline(&stop, asked, budget);
        }
        let mut thought = Thought { stop: stop.clone(), hold, score_only };
        if self.leaving.is_some() {
            thought.stop_waiting();
        }
        let errand = Errand { player, search, stop, setup: self.setup.clone() };
        Ok(match self.errands.send(errand) {
            Ok(()) => State::Thinking(thought),
            // the thinker cannot have ended, but a player who is still here can still be asked
            Err(unsent) => State::Idle(unsent.into_inner().player),
        })
    }

    /// The player has come home.
    fn welcome(&mut self, state: State<P>, home: Home<P>) -> io::Result<State<P>> {
        let Home { player, mut answer } = home;
        let State::Thinking(Thought { hold, score_only, .. }) = state else {
            // it comes home once for each time that it was sent off
            return Ok(State::Idle(player));
        };
        if score_only {
            answer = Answer::default();
        }
        match hold {
            Hold::No => self.answer(player, answer),
            hold => Ok(State::Holding { player, answer, hold }),
        }
    }

    /// Gives the answer and goes on with what has waited for it.
    fn answer(&mut self, player: P, answer: Answer) -> io::Result<State<P>> {
        self.say(&Reply::BestMove(answer))?;
        let mut state = State::Idle(player);
        while let Some(text) = self.next_deferred(&state) {
            // its time begins now, when its turn has come
            state = self.hear(state, &Line { text, arrived: Instant::now() })?;
        }
        if self.leaving.is_some() && matches!(state, State::Idle(_)) {
            state = self.part()?;
        }
        Ok(state)
    }

    /// The next line that has waited, if its turn has come: any when the player is here, and what
    /// was said to the search that has just begun.
    fn next_deferred(&mut self, state: &State<P>) -> Option<String> {
        let is_due = match state {
            State::Idle(_) => true,
            State::Thinking(_) => self.deferred.front().is_some_and(|line| self.steers(line)),
            State::Holding { .. } | State::Over => false,
        };
        if is_due { self.deferred.pop_front() } else { None }
    }

    /// Whether a line is not for the search that runs, which has been told to stop already, but
    /// for one that waits for it to end. User interfaces in a hurry do not wait for answers.
    fn is_for_one_that_waits(&self, state: &State<P>, line: &str) -> bool {
        let State::Thinking(thought) = state else {
            return false;
        };
        thought.stop.is_raised() && self.steers(line) && self.a_search_waits()
    }

    /// Whether a line tells a search how to go on.
    fn steers(&self, line: &str) -> bool {
        matches!(self.dialect().parse(line), Ok(Command::Stop | Command::PonderHit { .. }))
    }

    fn a_search_waits(&self) -> bool {
        let is_go = |line: &String| matches!(self.dialect().parse(line), Ok(Command::Go(_)));
        self.deferred.iter().any(is_go)
    }

    fn stop(&mut self, state: State<P>) -> io::Result<State<P>> {
        match state {
            State::Thinking(mut thought) => {
                thought.hold = Hold::No;
                thought.stop.raise();
                Ok(State::Thinking(thought))
            }
            State::Holding { player, answer, .. } => self.answer(player, answer),
            State::Idle(_) | State::Over => {
                self.say(&Reply::NothingToStop)?;
                Ok(state)
            }
        }
    }

    fn ponderhit(
        &mut self,
        state: State<P>,
        arrived: Instant,
        draw_offered: bool,
    ) -> io::Result<State<P>> {
        if draw_offered {
            // the player is away or has made up its mind; an offer that is not answered is declined
            self.whisper(format_args!("an offer that comes with `ponderhit` is not considered"))?;
        }
        match state {
            State::Thinking(mut thought) => {
                if let Hold::UntilPonderhit { budget, then_infinite } = thought.hold {
                    thought.hold = if then_infinite {
                        Hold::UntilStop
                    } else {
                        set_deadline(&thought.stop, arrived, budget);
                        Hold::No
                    };
                }
                Ok(State::Thinking(thought))
            }
            State::Holding { player, answer, hold: Hold::UntilPonderhit { then_infinite, .. } } => {
                if then_infinite {
                    Ok(State::Holding { player, answer, hold: Hold::UntilStop })
                } else {
                    self.answer(player, answer)
                }
            }
            state => {
                self.whisper(format_args!("got `ponderhit`, wanted a search that ponders first"))?;
                Ok(state)
            }
        }
    }

    /// `quit`, or the end of the input.
    fn leave(&mut self, state: State<P>) -> io::Result<State<P>> {
        let rest = if self.a_search_waits() { LONGEST_SCRIPT } else { GRACE };
        self.leaving = Some(Leaving { stop_at: Instant::now() + rest, has_stopped: false });
        match state {
            State::Thinking(mut thought) => {
                thought.stop_waiting();
                Ok(State::Thinking(thought))
            }
            State::Holding { player, answer, .. } => self.answer(player, answer),
            State::Idle(_) | State::Over => self.part(),
        }
    }

    /// The time that was left when the conversation ended is over.
    fn lose_patience(&mut self, state: State<P>) -> io::Result<State<P>> {
        self.deferred.clear();
        match (&state, &mut self.leaving) {
            (State::Thinking(thought), Some(leaving)) if !leaving.has_stopped => {
                leaving.has_stopped = true;
                thought.stop.raise();
                Ok(state)
            }
            _ => self.part(),
        }
    }

    fn part(&mut self) -> io::Result<State<P>> {
        self.say(&Reply::Bye)?;
        Ok(State::Over)
    }

    fn dialect(&self) -> &'static dyn Dialect {
        match (self.convention, self.milliseconds) {
            (Convention::Uci, _) => &Uci { convention: Convention::Uci },
            (Convention::UciCyclone, _) => &Uci { convention: Convention::UciCyclone },
            (Convention::Ucci, false) => &Ucci { milliseconds: false },
            (Convention::Ucci, true) => &Ucci { milliseconds: true },
        }
    }

    /// Says something that only matters to who looks for a mistake.
    fn whisper(&mut self, text: impl ToString) -> io::Result<()> {
        if self.debug { self.remark(text) } else { Ok(()) }
    }

    fn remark(&mut self, text: impl ToString) -> io::Result<()> {
        self.say(&Reply::Message(text.to_string()))
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let Some(line) = self.dialect().format(reply) else {
            return Ok(());
        };
        log::debug!("said: {line}");
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}

impl Thought {
    /// Stops a search that would wait to be told so.
    fn stop_waiting(&mut self) {
        if !matches!(self.hold, Hold::No) {
            self.hold = Hold::No;
            self.stop.raise();
        }
    }
}

impl Leaving {
    fn wake_at(&self) -> Instant {
        if self.has_stopped { self.stop_at + LAST_ANSWER } else { self.stop_at }
    }
}

/// The life of the thread that thinks: one errand after the other.
fn run_errands<P: Player>(to_do: &Receiver<Errand<P>>, events: &Sender<Event<P>>) {
    for errand in to_do {
        // if nobody listens any more, what the player says does not matter
        let home = think(errand, &mut |info| {
            let _ = events.send(Event::Said(info));
        });
        if events.send(Event::Home(home)).is_err() {
            return;
        }
    }
}

/// How long to think. Where only the opponent's clock was told, ours will not be far from it.
fn budget(limits: &Limits, mover: Side) -> Option<Duration> {
    limits.budget(mover).or_else(|| match limits.clocks {
        Clocks::BySide { .. } => limits.budget(!mover),
        Clocks::ByTurn { .. } => None,
    })
}

fn set_deadline(stop: &Stop, from: Instant, budget: Option<Duration>) {
    // a deadline beyond the end of time is none
    if let Some(deadline) = budget.and_then(|budget| from.checked_add(budget)) {
        stop.set_deadline(deadline);
    }
}

#[cfg(test)]
mod tests;
