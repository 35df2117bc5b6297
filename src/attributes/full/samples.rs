//! Positions with the move that was played, as views of them: what the models are fitted to.

use std::{
    io::{self, Read, Write},
    ops::Range,
};

use super::View;

/// How many numbers a sample has before those of the situation and the moves.
const HEAD: usize = 9;
/// The unit in which phases are stored.
const PHASES: f32 = 10_000.0;

/// What is known of a position beside its view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Circumstances {
    /// The rating of the player who moves.
    pub rating: u16,
    /// The rating of the other player.
    pub other_rating: u16,
    /// How far the game has come.
    pub phase: f32,
}

/// Many positions, packed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    numbers: Vec<u16>,
    starts: Vec<usize>,
}

/// A position and the move played.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// Ratings and phase.
    pub circumstances: Circumstances,
    /// The number of the game, for errors that are clustered by game.
    pub game: u32,
    /// Plies played before.
    pub ply: u16,
    /// The place of the move played.
    pub chosen: usize,
    /// How many legal moves there are.
    pub moves: usize,
    /// What the position is like; see [`View::situation`].
    pub situation: &'a [u16],
    rest: &'a [u16],
    /// All its numbers.
    all: &'a [u16],
}

impl<'a> Sample<'a> {
    /// The numbers of each move, in order.
    pub fn each_move(&self) -> impl Iterator<Item = &'a [u16]> + use<'a> {
        let mut rest = self.rest;
        std::iter::from_fn(move || {
            let (&length, after) = rest.split_first()?;
            let (numbers, after) = after.split_at(usize::from(length));
            rest = after;
            Some(numbers)
        })
    }
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.starts.clear();
    }

    /// Adds a position in which the move at a place of the view was played.
    pub fn push<M>(
        &mut self,
        view: &View<M>,
        chosen: usize,
        circumstances: Circumstances,
        game: u32,
        ply: usize,
    ) {
        self.starts.push(self.numbers.len());
        self.numbers.extend([
            view.moves.len() as u16,
            chosen as u16,
            circumstances.rating,
            circumstances.other_rating,
            (circumstances.phase * PHASES) as u16,
            ply.min(usize::from(u16::MAX)) as u16,
            game as u16,
            (game >> 16) as u16,
            view.situation.len() as u16,
        ]);
        self.numbers.extend_from_slice(&view.situation);
        for place in 0..view.moves.len() {
            let numbers = view.numbers(place);
            self.numbers.push(numbers.len() as u16);
            self.numbers.extend_from_slice(numbers);
        }
    }

    /// Adds one of other samples.
    pub fn push_sample(&mut self, sample: &Sample<'_>) {
        self.starts.push(self.numbers.len());
        self.numbers.extend_from_slice(sample.all);
    }

    /// One of them.
    pub fn get(&self, place: usize) -> Sample<'_> {
        let Range { start, end } =
            self.starts[place]..self.starts.get(place + 1).copied().unwrap_or(self.numbers.len());
        let all = &self.numbers[start..end];
        let (head, rest) = all.split_at(HEAD);
        let (situation, rest) = rest.split_at(usize::from(head[8]));
        Sample {
            circumstances: Circumstances {
                rating: head[2],
                other_rating: head[3],
                phase: f32::from(head[4]) / PHASES,
            },
            game: u32::from(head[6]) | u32::from(head[7]) << 16,
            ply: head[5],
            chosen: usize::from(head[1]),
            moves: usize::from(head[0]),
            situation,
            rest,
            all,
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|place| self.get(place))
    }

    /// Writes all of them, after any written before.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&(self.starts.len() as u64).to_le_bytes())?;
        to.write_all(&(self.numbers.len() as u64).to_le_bytes())?;
        let mut bytes = Vec::with_capacity(8 * self.starts.len() + 2 * self.numbers.len());
        self.starts.iter().for_each(|&start| bytes.extend((start as u64).to_le_bytes()));
        self.numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        to.write_all(&bytes)
    }

    /// Reads what one call of [`write`](Self::write) wrote; `false` at the end of the file.
    ///
    /// # Errors
    /// When reading fails or the file ends within.
    pub fn read(&mut self, from: &mut impl Read) -> io::Result<bool> {
        self.clear();
        let mut head = [0; 16];
        match from.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            result => result?,
        }
        let number = |bytes: &[u8]| {
            u64::from_le_bytes(bytes.try_into().expect("eight bytes are asked for")) as usize
        };
        let (starts, numbers) = (number(&head[..8]), number(&head[8..]));
        let mut bytes = Vec::new();
        from.take((8 * starts + 2 * numbers) as u64).read_to_end(&mut bytes)?;
        if bytes.len() != 8 * starts + 2 * numbers {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (first, rest) = bytes.split_at(8 * starts);
        self.starts.extend(first.chunks_exact(8).map(number));
        self.numbers
            .extend(rest.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]])));
        Ok(true)
    }
}
