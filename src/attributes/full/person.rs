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

/// How often someone plays moves of some kind, and how often a network expects it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habit {
    /// The place of the kind among those that were asked about.
    pub kind: usize,
    /// How often such moves were played.
    pub played: u32,
    /// How often they were to be expected.
    pub expected: f32,
    /// The standard deviation of how often they would be played by those of whom that is expected.
    pub deviation: f32,
}

impl Habit {
    /// By how many standard deviations such moves were played more often than expected.
    pub fn deviations(&self) -> f32 {
        (self.played as f32 - self.expected) / self.deviation
    }
}

/// What the person of these samples does more and less often than the people of a network: how
/// often moves are played that have one of the values of a kind, of all kinds that were played or
/// to be expected a few times; the most surprising first.
pub fn habits<'a>(
    network: &Network,
    samples: &Samples,
    kinds: impl IntoIterator<Item = &'a [u16]>,
) -> Vec<Habit> {
    /// Kinds played and expected less often are too rare to say anything.
    const FEWEST: f32 = 8.0;
    /// What happens to be played now and then has no smaller deviation than this.
    const LEAST_DEVIATION: f32 = 1.0;
    let mut of_value: Vec<Vec<usize>> = vec![Vec::new(); network.shape().values];
    let mut count = 0;
    for (kind, values) in kinds.into_iter().enumerate() {
        values.iter().for_each(|&value| of_value[usize::from(value)].push(kind));
        count += 1;
    }
    let (mut played, mut expected) = (vec![0; count], vec![0.0f32; count]);
    let mut variance = vec![0.0f32; count];
    let mut likely = vec![0.0f32; count];
    let mut met: Vec<usize> = Vec::new();
    let mut scratch = Scratch::default();
    for sample in samples.iter() {
        let moves: Vec<&[u16]> = sample.each_move().collect();
        let basis = Basis::of(&sample.circumstances);
        network.predict(basis, sample.situation, &moves, &mut scratch);
        let numbers = moves.iter().zip(&scratch.probabilities).enumerate();
        for (place, (numbers, probability)) in numbers {
            met.clear();
            met.extend(numbers.iter().flat_map(|&number| &of_value[usize::from(number)]));
            met.sort_unstable();
            met.dedup();
            for &kind in &met {
                likely[kind] += probability;
                played[kind] += u32::from(place == sample.chosen);
            }
        }
        for kind in 0..count {
            let share = std::mem::take(&mut likely[kind]).min(1.0);
            expected[kind] += share;
            variance[kind] += share * (1.0 - share);
        }
    }
    let mut habits: Vec<Habit> = (0..count)
        .filter(|&kind| expected[kind].max(played[kind] as f32) >= FEWEST)
        .map(|kind| Habit {
            kind,
            played: played[kind],
            expected: expected[kind],
            deviation: variance[kind].sqrt().max(LEAST_DEVIATION),
        })
        .collect();
    habits.sort_by(|a, b| b.deviations().abs().total_cmp(&a.deviations().abs()));
    habits
}
