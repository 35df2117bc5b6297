//! One who learns to tell people's games from others: a small net.
//!
//! One hidden layer, trained by AdamW on candle's gradients. Statistics are scaled to mean zero and
//! deviation one over the games that it learns from, those that are hardly ever anything but zero
//! are left out, and several nets that begin differently vote. Boosted trees were the alternative:
//! the crates that have them are little used or bring a compiler for C++, while candle is here
//! already, and what there is to find is mostly a sum of small differences.

use candle_core::{DType, Device, Result, Tensor, Var};
use candle_nn::{AdamW, Optimizer, ParamsAdamW, ops};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// The width of the hidden layer.
const HIDDEN: usize = 16;
/// How many nets vote.
const NETS: u64 = 3;
/// How many steps are made, each with so many cases.
const STEPS: usize = 150;
const BATCH: usize = 64;
const RATE: f64 = 1e-2;
/// Weight decay; there are hardly more cases than statistics.
const DECAY: f64 = 1.0;
/// The share of statistics that is left out at random in each step.
const DROPOUT: f64 = 0.3;
/// A statistic must differ from zero in this share of the cases.
const SELDOM: f32 = 0.02;
/// Scaled statistics are held within this.
const FARTHEST: f32 = 4.0;

/// One who has learnt to tell people's games from others.
#[derive(Debug)]
pub struct Discriminator {
    scales: Vec<Scale>,
    nets: Vec<Net>,
}

/// How a statistic is scaled.
#[derive(Debug, Clone, Copy)]
struct Scale {
    place: usize,
    mean: f32,
    deviation: f32,
}

#[derive(Debug)]
struct Net {
    /// Weights and biases of the two layers.
    layers: [(Var, Var); 2],
}

impl Discriminator {
    /// Learns from cases, each with whether it is people's. The same cases and seed make the same
    /// discriminator.
    ///
    /// # Errors
    /// When there is no case, or candle fails.
    pub fn learn(cases: &[Vec<f32>], are_human: &[bool], seed: u64) -> Result<Self> {
        let scales = scales(cases);
        let inputs = scaled(&scales, cases);
        let nets = (0..NETS)
            .map(|net| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(net);
                Net::learn(&inputs, scales.len(), are_human, &mut rng)
            })
            .collect::<Result<_>>()?;
        Ok(Self { scales, nets })
    }

    /// How much each case looks like people's: the higher, the more.
    ///
    /// # Errors
    /// When candle fails.
    pub fn scores(&self, cases: &[Vec<f32>]) -> Result<Vec<f32>> {
        let inputs = scaled(&self.scales, cases);
        let x = Tensor::from_vec(inputs, (cases.len(), self.scales.len()), &Device::Cpu)?;
        let mut sums = vec![0.0; cases.len()];
        for net in &self.nets {
            let scores: Vec<f32> = net.forward(&x)?.to_vec1()?;
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
        Ok(sums)
    }
}

fn scales(cases: &[Vec<f32>]) -> Vec<Scale> {
    let count = cases.len() as f32;
    let width = cases.first().map_or(0, Vec::len);
    (0..width)
        .filter_map(|place| {
            let of = || cases.iter().map(|case| case[place]);
            let present = of().filter(|&value| value != 0.0).count() as f32;
            let mean = of().sum::<f32>() / count;
            let deviation = (of().map(|value| (value - mean).powi(2)).sum::<f32>() / count).sqrt();
            (present >= SELDOM * count && deviation > 0.0).then_some(Scale {
                place,
                mean,
                deviation,
            })
        })
        .collect()
}

fn scaled(scales: &[Scale], cases: &[Vec<f32>]) -> Vec<f32> {
    cases
        .iter()
        .flat_map(|case| {
            scales.iter().map(|scale| {
                let value = (case[scale.place] - scale.mean) / scale.deviation;
                value.clamp(-FARTHEST, FARTHEST)
            })
        })
        .collect()
}

impl Net {
    fn learn(
        inputs: &[f32],
        width: usize,
        are_human: &[bool],
        rng: &mut ChaCha8Rng,
    ) -> Result<Self> {
        let mut layer = |inputs: usize, outputs: usize| {
            let scale = (1.0 / inputs.max(1) as f32).sqrt();
            let weights: Vec<f32> =
                (0..inputs * outputs).map(|_| scale * rng.random_range(-1.0..1.0)).collect();
            let weights = Tensor::from_vec(weights, (inputs, outputs), &Device::Cpu)?;
            let biases = Tensor::zeros(outputs, DType::F32, &Device::Cpu)?;
            Ok::<_, candle_core::Error>((Var::from_tensor(&weights)?, Var::from_tensor(&biases)?))
        };
        let net = Self { layers: [layer(width, HIDDEN)?, layer(HIDDEN, 1)?] };
        let variables =
            net.layers.iter().flat_map(|(weights, biases)| [weights.clone(), biases.clone()]);
        let settings = ParamsAdamW { lr: RATE, weight_decay: DECAY, ..ParamsAdamW::default() };
        let mut optimizer = AdamW::new(variables.collect(), settings)?;
        let mut order: Vec<usize> = (0..are_human.len()).collect();
        for step in 0..STEPS {
            // steps shrink to nothing, so that the end does not depend on the last batches
            optimizer.set_learning_rate(RATE * (1.0 - step as f64 / STEPS as f64));
            let (batch, _) = order.partial_shuffle(rng, BATCH);
            let kept = 1.0 / (1.0 - DROPOUT) as f32;
            let factors: Vec<f32> =
                (0..width).map(|_| if rng.random_bool(DROPOUT) { 0.0 } else { kept }).collect();
            let x: Vec<f32> = batch
                .iter()
                .flat_map(|&case| inputs[case * width..(case + 1) * width].iter().zip(&factors))
                .map(|(value, factor)| value * factor)
                .collect();
            let x = Tensor::from_vec(x, (batch.len(), width), &Device::Cpu)?;
            let wanted: Vec<f32> =
                batch.iter().map(|&case| f32::from(u8::from(are_human[case]))).collect();
            let wanted = Tensor::new(wanted, &Device::Cpu)?;
            optimizer.backward_step(&net.loss(&x, &wanted)?)?;
        }
        Ok(net)
    }

    /// The logit of each case.
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let [first, second] = &self.layers;
        let hidden = x.matmul(&first.0)?.broadcast_add(&first.1)?.relu()?;
        hidden.matmul(&second.0)?.broadcast_add(&second.1)?.squeeze(1)
    }

    fn loss(&self, x: &Tensor, wanted: &Tensor) -> Result<Tensor> {
        let likely = ops::sigmoid(&self.forward(x)?)?.clamp(1e-6f32, 1.0 - 1e-6f32)?;
        let other = (1.0 - &likely)?.log()?.mul(&(1.0 - wanted)?)?;
        (likely.log()?.mul(wanted)? + other)?.mean_all()?.neg()
    }
}
