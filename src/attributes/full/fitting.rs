//! Fitting a network to samples: AdamW over mini-batches, with an average of late parameters.

use std::io::{self, Read, Write};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Network, Samples, network::Scratch};

/// The decay rates of Adam's two averages, and what keeps its quotient finite.
const MOMENTS: (f32, f32) = (0.9, 0.999);
const EPSILON: f32 = 1e-8;

/// How a fit goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Samples in a batch.
    pub batch: usize,
    /// The step at the beginning; it falls linearly to zero.
    pub rate: f32,
    /// How much of every parameter is taken away with each unit of rate.
    pub decay: f32,
    /// How many threads share a batch.
    pub threads: usize,
    /// Decides which small gradients are left out.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { batch: 256, rate: 2e-3, decay: 0.01, threads: 1, seed: 1 }
    }
}

/// A fit under way.
#[derive(Debug)]
pub struct Fit {
    network: Network,
    settings: Settings,
    means: Vec<f32>,
    squares: Vec<f32>,
    average: Vec<f32>,
    averaged: u32,
    batches: i32,
    workers: Vec<Worker>,
}

#[derive(Debug)]
struct Worker {
    scratch: Scratch,
    gradient: Vec<f32>,
    rng: ChaCha8Rng,
    loss: f64,
}

impl Fit {
    /// A fit that starts from a network.
    pub fn new(network: Network, settings: Settings) -> Self {
        let count = network.parameters.len();
        let worker = |thread| Worker {
            scratch: Scratch::default(),
            gradient: vec![0.0; count],
            rng: ChaCha8Rng::seed_from_u64(settings.seed.wrapping_add(thread)),
            loss: 0.0,
        };
        Self {
            settings,
            means: vec![0.0; count],
            squares: vec![0.0; count],
            average: vec![0.0; count],
            averaged: 0,
            batches: 0,
            workers: (0..settings.threads.max(1) as u64).map(worker).collect(),
            network,
        }
    }

    /// Takes one step over the samples of a batch. `rate` is a part of the rate of the settings,
    /// one at the beginning of a fit. Returns the sum of `−ln p`.
    pub fn step(&mut self, samples: &Samples, batch: &[usize], rate: f32) -> f64 {
        let share = batch.len().div_ceil(self.workers.len()).max(1);
        let network = &self.network;
        std::thread::scope(|scope| {
            let mut work = self.workers.iter_mut().zip(batch.chunks(share));
            let first = work.next();
            for (worker, part) in work {
                scope.spawn(move || worker.learn(network, samples, part));
            }
            if let Some((worker, part)) = first {
                worker.learn(network, samples, part);
            }
        });
        let loss = self.workers.iter().map(|worker| worker.loss).sum();
        self.update(batch.len(), rate);
        loss
    }

    fn update(&mut self, samples: usize, rate: f32) {
        self.batches += 1;
        let (first, others) = self.workers.split_at_mut(1);
        let gradient = &mut first[0].gradient;
        for other in others {
            gradient.iter_mut().zip(&mut other.gradient).for_each(|(sum, more)| {
                *sum += *more;
                *more = 0.0;
            });
        }
        let rate = rate * self.settings.rate;
        let corrections = (1.0 - MOMENTS.0.powi(self.batches), 1.0 - MOMENTS.1.powi(self.batches));
        let step = rate * corrections.1.sqrt() / corrections.0;
        let scale = 1.0 / samples.max(1) as f32;
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let parameters = self.network.parameters.iter_mut().zip(gradient.iter_mut());
        for ((parameter, gradient), (mean, square)) in parameters.zip(moments) {
            let slope = *gradient * scale;
            *gradient = 0.0;
            *mean += (1.0 - MOMENTS.0) * (slope - *mean);
            *square += (1.0 - MOMENTS.1) * (slope * slope - *square);
            *parameter -=
                step * *mean / (square.sqrt() + EPSILON) + rate * self.settings.decay * *parameter;
        }
    }

    /// Takes the parameters of now into the average that [`finish`](Self::finish) returns.
    pub fn take_average(&mut self) {
        self.averaged += 1;
        let share = 1.0 / self.averaged as f32;
        let now = self.average.iter_mut().zip(&self.network.parameters);
        now.for_each(|(average, parameter)| *average += share * (parameter - *average));
    }

    /// Writes everything that a fit needs to go on, but for its settings.
    ///
    /// # Errors
    /// When writing fails.
    pub fn save(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.batches.to_le_bytes())?;
        to.write_all(&self.averaged.to_le_bytes())?;
        for numbers in [&self.network.parameters, &self.means, &self.squares, &self.average] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            to.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Goes on where a fit of the same shape and settings was [saved](Self::save).
    ///
    /// # Errors
    /// When reading fails or the file ends too soon.
    pub fn resume(&mut self, from: &mut impl Read) -> io::Result<()> {
        let mut four = [0; 4];
        from.read_exact(&mut four)?;
        self.batches = i32::from_le_bytes(four);
        from.read_exact(&mut four)?;
        self.averaged = u32::from_le_bytes(four);
        let all =
            [&mut self.network.parameters, &mut self.means, &mut self.squares, &mut self.average];
        for numbers in all {
            let mut bytes = vec![0; 4 * numbers.len()];
            from.read_exact(&mut bytes)?;
            for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
                *number = f32::from_le_bytes(bytes.try_into().expect("chunks of four"));
            }
        }
        for (thread, worker) in self.workers.iter_mut().enumerate() {
            // what was drawn before the pause is not drawn again
            let seed = self.settings.seed.wrapping_add(thread as u64);
            worker.rng = ChaCha8Rng::seed_from_u64(seed ^ (self.batches as u64) << 32);
        }
        Ok(())
    }

    /// The network of now.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The network with the average of the parameters taken, or those of now where none was.
    pub fn finish(self) -> Network {
        let mut network = self.network;
        if self.averaged > 0 {
            network.parameters = self.average;
        }
        network
    }
}

impl Worker {
    fn learn(&mut self, network: &Network, samples: &Samples, batch: &[usize]) {
        self.loss = 0.0;
        let rng = &mut self.rng;
        let mut draw = || rng.random::<f32>();
        for &place in batch {
            self.loss += network.learn(
                &samples.get(place),
                &mut self.scratch,
                &mut self.gradient,
                &mut draw,
            );
        }
    }
}
