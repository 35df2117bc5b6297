//! One person's network, made of everybody's.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{Basis, Fit, Network, Samples, Scratch, Settings};

/// How a person's moves are learnt. Tuned on the games of three people, with 50 games of each and
/// with thousands.
const SETTINGS: Settings =
    Settings { batch: 64, rate: 5e-4, decay: 0.0, dropout: 0.0, threads: 1, seed: 1 };
/// How many moves everybody's network counts for, so to speak: the more moves a person has, the
/// less they are drawn to it.
const BELIEF: f32 = 150_000.0;
/// The least and the most that they are drawn.
const DECAY: (f32, f32) = (2.0, 100.0);

/// How often so many moves are gone through.
fn epochs(moves: usize) -> usize {
    const MANY: usize = 10_000;
    if moves < MANY { 6 } else { 3 }
}

/// A network that plays as one person: all parameters of `start`, which knows people of all
/// ratings, fitted to the person's moves in small steps and drawn towards those of `start`.
///
/// What the games do not show stays as it was, so that a few dozen games do no harm.
pub fn fit_person(start: &Network, samples: &Samples, threads: usize) -> Network {
    let decay = (BELIEF / samples.len().max(1) as f32).clamp(DECAY.0, DECAY.1);
    let settings = Settings { threads, decay, ..SETTINGS };
    let epochs = epochs(samples.len());
    let mut fit = Fit::new(start.clone(), settings).around_start();
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let total = (epochs * samples.len()).max(1);
    let mut seen = 0;
    for _ in 0..epochs {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.shuffle(&mut rng);
        for batch in order.chunks(settings.batch) {
            fit.step(samples, batch, 1.0 - seen as f32 / total as f32);
            seen += batch.len();
        }
    }
    fit.finish()
}

/// How often someone plays moves of which an attribute has some value, and how often a network
/// expects it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habit {
    /// The number of the attribute's value; see [`Catalog::name`](super::Catalog::name).
    pub number: u16,
    /// How often such moves were played.
    pub played: u32,
    /// How often they were to be expected.
    pub expected: f32,
    /// By how many standard deviations the first exceeds the second.
    pub deviations: f32,
}

/// What the person of these samples does more and less often than the people of a network, every
/// value of every attribute that was to be expected a few times; the most surprising first.
pub fn habits(network: &Network, samples: &Samples) -> Vec<Habit> {
    /// Values expected less often are too rare to say anything.
    const EXPECTED: f32 = 8.0;
    let values = network.shape().values;
    let (mut played, mut expected) = (vec![0; values], vec![0.0f32; values]);
    let mut variance = vec![0.0f32; values];
    let mut likely = vec![0.0f32; values];
    let mut scratch = Scratch::default();
    for sample in samples.iter() {
        let moves: Vec<&[u16]> = sample.each_move().collect();
        let basis = Basis::of(&sample.circumstances);
        network.predict(basis, sample.situation, &moves, &mut scratch);
        for (numbers, probability) in moves.iter().zip(&scratch.probabilities) {
            numbers.iter().for_each(|&number| likely[usize::from(number)] += probability);
        }
        moves[sample.chosen].iter().for_each(|&number| played[usize::from(number)] += 1);
        for number in moves.iter().copied().flatten().map(|&number| usize::from(number)) {
            let share = std::mem::take(&mut likely[number]).min(1.0);
            expected[number] += share;
            variance[number] += share * (1.0 - share);
        }
    }
    let mut habits: Vec<Habit> = (0..values)
        .filter(|&number| expected[number] >= EXPECTED && variance[number] > 0.0)
        .map(|number| Habit {
            number: number as u16,
            played: played[number],
            expected: expected[number],
            deviations: (played[number] as f32 - expected[number]) / variance[number].sqrt(),
        })
        .collect();
    habits.sort_by(|a, b| b.deviations.abs().total_cmp(&a.deviations.abs()));
    habits
}
