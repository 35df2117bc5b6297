//! A visitor of PGN, which looks at the moves of games that count and of no others.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, SanPlus, Visitor};

use super::{
    Seen,
    filter::{Filter, Tags},
    reading::{Visited, begin},
    record::Growing,
};
use crate::attributes::Positioned;

/// One who looks at a game of PGN.
pub(super) struct Visiting<'a> {
    /// Which games count.
    pub filter: &'a Filter,
    /// What has gone by, this game included.
    pub seen: &'a mut Seen,
}

impl Visitor for Visiting<'_> {
    type Tags = Tags;
    type Movetext = Growing;
    type Output = Visited;

    fn begin_tags(&mut self) -> ControlFlow<Visited, Tags> {
        self.seen.games += 1;
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Visited> {
        let text = || value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => tags.names.white = text(),
            b"Black" => tags.names.black = text(),
            b"WhiteElo" => tags.ratings.white = text().trim().parse().ok(),
            b"BlackElo" => tags.ratings.black = text().trim().parse().ok(),
            // as Lichess writes it: "Rated Blitz game", "Casual Rapid game"
            b"Event" => tags.is_rated = is_rated(&text()),
            b"TimeControl" => tags.time_control = text(),
            b"UTCDate" => tags.date = text(),
            b"Date" if tags.date.is_empty() => tags.date = text(),
            b"FEN" => tags.fen = Some(text()),
            b"Variant" => tags.variant = Some(text()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Visited, Growing> {
        match begin(tags, self.filter, self.seen) {
            Ok(growing) => ControlFlow::Continue(growing),
            Err(visited) => ControlFlow::Break(visited),
        }
    }

    fn san(&mut self, growing: &mut Growing, san: SanPlus) -> ControlFlow<Visited> {
        match san.san.to_move(growing.game().position()) {
            Ok(m) => {
                growing.push(m);
                ControlFlow::Continue(())
            }
            Err(_) => {
                let error = growing.illegal_move(&san.to_string());
                ControlFlow::Break(Visited::Broken(Box::new(error)))
            }
        }
    }

    fn end_game(&mut self, growing: Growing) -> Visited {
        Visited::Counted(Box::new(growing.finish()))
    }
}

fn is_rated(event: &str) -> Option<bool> {
    match event.split_whitespace().next()?.to_ascii_lowercase().as_str() {
        "rated" => Some(true),
        "casual" => Some(false),
        _ => None,
    }
}
