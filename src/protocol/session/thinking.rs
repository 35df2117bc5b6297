//! One thought: the player chooses, and comes home whatever happens.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::player::{Answer, Info, Player, Search, Setup, Stop};

/// A player sent off to think.
#[derive(Debug)]
pub(super) struct Errand<P> {
    pub(super) player: P,
    pub(super) search: Search,
    pub(super) stop: Stop,
    /// The position the player is in, to set it up again should thinking fail.
    pub(super) setup: Option<Setup>,
}

/// A player come home with its answer.
#[derive(Debug)]
pub(super) struct Home<P> {
    pub(super) player: P,
    pub(super) answer: Answer,
}

/// Lets the player choose.
///
/// A player that panics is a player that owes an answer all the same. The position is set up
/// anew, since nothing that the player remembered can be trusted, and the answer is the move it
/// had in mind when it said its last line; if it had said none, it is asked once more, for its
/// first thought.
pub(super) fn think<P: Player>(errand: Errand<P>, say: &mut dyn FnMut(Info)) -> Home<P> {
    let Errand { mut player, search, stop, setup } = errand;
    let mut in_mind = None;
    let chosen = guarded(|| {
        player.choose(&search, &stop, &mut |info| {
            if let Info::Line(line) = &info {
                in_mind = line.moves.first().cloned();
            }
            say(info);
        })
    });
    let answer = match chosen {
        Ok(answer) => answer,
        Err(reason) => {
            say(Info::Message(format!("thinking failed, going on without it: {reason}")));
            // what fails here fails again below, or does not matter
            let _ = guarded(|| {
                player.new_game();
                setup.map(|setup| player.set_up(&setup))
            });
            in_mind.map_or_else(
                || first_thought(&mut player, &search, say),
                |m| Answer { best: Some(m), ..Answer::default() },
            )
        }
    };
    Home { player, answer }
}

/// Asks again, leaving no time.
fn first_thought<P: Player>(player: &mut P, search: &Search, say: &mut dyn FnMut(Info)) -> Answer {
    let stop = Stop::new();
    stop.raise();
    guarded(|| player.choose(search, &stop, say)).unwrap_or_else(|reason| {
        say(Info::Message(format!("thinking failed again, no move is left to play: {reason}")));
        Answer::default()
    })
}

/// Calls `act`; a panic becomes an error with its message.
pub(super) fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("for no reason that it could tell").to_owned()
}
