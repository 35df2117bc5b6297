//! Fitting a network to samples: AdamW over mini-batches, with an average of late parameters.

use std::io::{self, Read, Write};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Chance, Network, Samples, Scratch};

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
    /// The share of the units that see the board which are left out of a sample.
    pub dropout: f32,
    /// How many threads share a batch.
    pub threads: usize,
    /// Decides which small gradients are left out.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { batch: 256, rate: 2e-3, decay: 0.01, dropout: 0.0, threads: 1, seed: 1 }
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
    /// What decay draws parameters to; zero where there is nothing.
    home: Vec<f32>,
    workers: Vec<Worker>,
}

#[derive(Debug)]
struct Worker {
    scratch: Scratch,
    gradient: Vec<f32>,
    rng: ChaCha8Rng,
    loss: f64,
}

/// One step of Adam.
#[derive(Debug, Clone, Copy)]
struct Adam {
    /// What a sum of gradients is multiplied by.
    scale: f32,
    step: f32,
    decay: f32,
}

impl Adam {
    /// Updates some parameters and their two averages by the sum of gradients, which are then
    /// forgotten.
    fn update(
        self,
        parameters: &mut [f32],
        home: &[f32],
        (means, squares): (&mut [f32], &mut [f32]),
        mut gradients: Vec<&mut [f32]>,
    ) {
        let Some((gradient, others)) = gradients.split_first_mut() else {
            return;
        };
        for other in others {
            gradient.iter_mut().zip(other.iter_mut()).for_each(|(sum, more)| {
                *sum += *more;
                *more = 0.0;
            });
        }
        for (parameter, home) in parameters.iter_mut().zip(home) {
            *parameter += self.decay * home;
        }
        let moments = means.iter_mut().zip(squares);
        for ((parameter, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient.iter_mut()).zip(moments)
        {
            let slope = *gradient * self.scale;
            *gradient = 0.0;
            *mean += (1.0 - MOMENTS.0) * (slope - *mean);
            *square += (1.0 - MOMENTS.1) * (slope * slope - *square);
            *parameter -= self.step * *mean / (square.sqrt() + EPSILON) + self.decay * *parameter;
        }
    }
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
            home: Vec::new(),
            workers: (0..settings.threads.max(1) as u64).map(worker).collect(),
            network,
        }
    }

    /// The same with decay that draws parameters to those of its start, not to zero.
    #[must_use]
    pub fn around_start(self) -> Self {
        Self { home: self.network.parameters.clone(), ..self }
    }

    /// Takes one step over the samples of a batch. `rate` is a part of the rate of the settings,
    /// one at the beginning of a fit. Returns the sum of `−ln p`.
    pub fn step(&mut self, samples: &Samples, batch: &[usize], rate: f32) -> f64 {
        let share = batch.len().div_ceil(self.workers.len()).max(1);
        let (network, dropout) = (&self.network, self.settings.dropout);
        std::thread::scope(|scope| {
            let mut work = self.workers.iter_mut().zip(batch.chunks(share));
            let first = work.next();
            for (worker, part) in work {
                scope.spawn(move || worker.learn(network, samples, part, dropout));
            }
            if let Some((worker, part)) = first {
                worker.learn(network, samples, part, dropout);
            }
        });
        let loss = self.workers.iter().map(|worker| worker.loss).sum();
        self.update(batch.len(), rate);
        loss
    }

    fn update(&mut self, samples: usize, rate: f32) {
        self.batches += 1;
        let rate = rate * self.settings.rate;
        let corrections = (1.0 - MOMENTS.0.powi(self.batches), 1.0 - MOMENTS.1.powi(self.batches));
        let adam = Adam {
            scale: 1.0 / samples.max(1) as f32,
            step: rate * corrections.1.sqrt() / corrections.0,
            decay: rate * self.settings.decay,
        };
        let share = self.network.parameters.len().div_ceil(self.workers.len()).max(1);
        let mut gradients: Vec<_> =
            self.workers.iter_mut().map(|worker| worker.gradient.chunks_mut(share)).collect();
        let moments = self.means.chunks_mut(share).zip(self.squares.chunks_mut(share));
        let mut homes = self.home.chunks(share);
        std::thread::scope(|scope| {
            for (parameters, moments) in self.network.parameters.chunks_mut(share).zip(moments) {
                let home = homes.next().unwrap_or_default();
                let gradients: Vec<&mut [f32]> =
                    gradients.iter_mut().filter_map(Iterator::next).collect();
                scope.spawn(move || adam.update(parameters, home, moments, gradients));
            }
        });
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

    /// Goes on where a fit of the same shape and settings was [saved](Self::save), but for what
    /// is drawn; see [`draw_anew`](Self::draw_anew).
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
        Ok(())
    }

    /// Draws from here on what is decided by this number and the settings' seed alone.
    pub fn draw_anew(&mut self, number: u64) {
        for (thread, worker) in self.workers.iter_mut().enumerate() {
            worker.rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
            worker.rng.set_stream(number << 8 | thread as u64);
        }
    }

    /// How many steps were taken.
    pub fn batches(&self) -> usize {
        self.batches as usize
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
    fn learn(&mut self, network: &Network, samples: &Samples, batch: &[usize], dropout: f32) {
        self.loss = 0.0;
        let rng = &mut self.rng;
        let mut chance = Chance { draw: &mut || rng.random(), dropout };
        for &place in batch {
            let sample = samples.get(place);
            self.loss += network.learn(&sample, &mut self.scratch, &mut self.gradient, &mut chance);
        }
    }
}
