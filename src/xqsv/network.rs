//! A network that can be trained: a structure and its parameters as variables.

use std::{collections::BTreeMap, sync::Arc};

use candle_core::{DType, Device, Tensor, Var};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use super::{
    NetworkError, PADDING, Parameters, Precision, Structure, Windows, Workspace,
    layers::{self, NORMALIZATION_EPSILON, Statistics},
    parameters::{Kind, specifications},
    recurrence::{Cell, Reading},
};

/// How much of the running statistics each batch replaces.
const STATISTICS_RATE: f64 = 0.1;

/// A recurrent layer, batch normalization, hidden fully connected layers and an output for each of
/// the 755 labels, as its [`Structure`] says.
#[derive(Debug)]
pub struct Network {
    structure: Structure,
    variables: BTreeMap<String, Var>,
    precision: Precision,
    workspace: Arc<Workspace>,
}

/// What a network learns from at one step.
#[derive(Debug, Clone)]
pub struct Batch {
    /// What it sees.
    pub windows: Arc<Windows>,
    /// After how many of the last steps it predicts a move; one is the paper's way.
    pub kept: usize,
    /// The moves played, `[kept, samples]`; [`PADDING`] where there is none.
    pub targets: Arc<[u16]>,
}

impl Network {
    /// A network with these parameters, in single precision.
    ///
    /// # Errors
    /// When memory for the tensors cannot be had.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        let variables = parameters
            .tensors()
            .iter()
            .map(|(name, tensor)| {
                // A copy, so that training never changes the tensors that came.
                let copy = tensor.to_dtype(DType::F32)?.copy()?;
                Ok((name.clone(), Var::from_tensor(&copy)?))
            })
            .collect::<Result<_, NetworkError>>()?;
        Ok(Self {
            structure: *parameters.structure(),
            variables,
            precision: Precision::Single,
            workspace: Arc::default(),
        })
    }

    /// The same network, its products formed in another precision in training. Parameters, sums
    /// and predictions stay in single precision.
    #[must_use]
    pub fn with_precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The parameters as they are now.
    ///
    /// # Errors
    /// When one of them is not finite: training has diverged.
    pub fn parameters(&self) -> Result<Parameters, NetworkError> {
        let tensors = self
            .variables
            .iter()
            .map(|(name, variable)| Ok((name.clone(), variable.as_detached_tensor().copy()?)))
            .collect::<Result<Vec<_>, NetworkError>>()?;
        Parameters::new(self.structure, tensors)
    }

    /// The variables that follow the gradient, each with its factor of FCR, in a fixed order.
    pub(super) fn trainable(&self) -> Vec<(String, Var, f64)> {
        let specifications = specifications(&self.structure).expect("it was built from them");
        specifications
            .into_iter()
            .filter_map(|specification| {
                let factor = match specification.kind {
                    Kind::Regularized => self.structure.fc_regularization,
                    Kind::Free => 0.0,
                    Kind::Statistic => return None,
                };
                let variable = self.variables.get(&specification.name)?.clone();
                Some((specification.name, variable, factor))
            })
            .collect()
    }

    /// The logit of each label after the last steps of each window: `[kept · samples, 755]`.
    ///
    /// # Errors
    /// When a window holds an unknown label, or there are fewer steps than `kept`.
    pub fn logits(&self, windows: Arc<Windows>, kept: usize) -> Result<Tensor, NetworkError> {
        let mut x = self.memory(windows, kept, Vec::new(), Precision::Single)?.detach();
        if self.structure.batch_norm {
            let (factors, shifts) = self.folded_normalization()?;
            x = x.broadcast_mul(&factors)?.broadcast_add(&shifts)?;
        }
        let x = self.hidden_layers(x)?;
        let sums = x.matmul(&self.variable("output.kernel").t()?)?;
        Ok(sums.broadcast_add(self.variable("output.bias"))?.detach())
    }

    /// The loss of one batch, in nats: the mean cross-entropy over the moves played.
    ///
    /// FCR's share is not in it; the optimizer adds its gradient. `noise` decides what is dropped.
    /// The running statistics of the normalization are brought up to date.
    ///
    /// # Errors
    /// When the batch holds an unknown label, or one sample alone where BN is on.
    pub fn loss(&self, batch: &Batch, noise: &mut ChaCha8Rng) -> Result<Tensor, NetworkError> {
        let scales = dropped_inputs(&batch.windows, self.structure.input_dropout, noise);
        let mut x = self.memory(Arc::clone(&batch.windows), batch.kept, scales, self.precision)?;
        if self.structure.batch_norm {
            let (scale, shift) =
                (self.variable("normalization.scale"), self.variable("normalization.shift"));
            let (normalized, statistics) =
                layers::normalize(&x, scale, shift, Arc::clone(&batch.targets))?;
            self.follow(&statistics)?;
            x = normalized;
        }
        if self.structure.dropout > 0.0 {
            x = (&x * dropped_units(x.dims(), self.structure.dropout, noise)?)?;
        }
        let x = self.hidden_layers(x)?;
        let (kernel, bias) = (self.variable("output.kernel"), self.variable("output.bias"));
        Ok(layers::cross_entropy(&x, kernel, bias, Arc::clone(&batch.targets), self.precision)?)
    }

    /// The memory after the last steps: `[kept · samples, H]`.
    fn memory(
        &self,
        windows: Arc<Windows>,
        kept: usize,
        scales: Vec<f32>,
        precision: Precision,
    ) -> Result<Tensor, NetworkError> {
        let cell = Cell::from(self.structure.recurrence);
        let activation = self.structure.activation;
        let reading = Reading { cell, activation, windows, kept, scales, precision };
        Ok(reading.read(
            self.variable("recurrent.table"),
            self.variable("recurrent.kernel"),
            self.variable("recurrent.bias"),
            &self.workspace,
        )?)
    }

    /// The hidden fully connected layers: `[rows, H]` to `[rows, H]`.
    fn hidden_layers(&self, mut x: Tensor) -> Result<Tensor, NetworkError> {
        for layer in 0..self.structure.fc_layers {
            let kernel = self.variable(&format!("hidden.{layer}.kernel"));
            let bias = self.variable(&format!("hidden.{layer}.bias"));
            let sums = x.matmul(&kernel.t()?)?.broadcast_add(bias)?;
            x = layers::activate(self.structure.fc_activation, &sums)?;
        }
        Ok(x)
    }

    /// The normalization by the running statistics, as factors and shifts: `[H]` each.
    fn folded_normalization(&self) -> Result<(Tensor, Tensor), NetworkError> {
        let variance = self.variable("normalization.variance");
        let deviation = (variance + f64::from(NORMALIZATION_EPSILON))?.sqrt()?;
        let factors = (self.variable("normalization.scale") / deviation)?;
        let moved = (self.variable("normalization.mean") * &factors)?;
        let shifts = (self.variable("normalization.shift") - moved)?;
        Ok((factors, shifts))
    }

    /// Brings the running statistics nearer to those of a batch.
    fn follow(&self, statistics: &Statistics) -> Result<(), NetworkError> {
        let new = [("mean", &statistics.mean), ("variance", &statistics.variance)];
        for (name, new) in new {
            let running = self.variables.get(&format!("normalization.{name}"));
            let running = running.expect("a normalized network has it");
            let new = Tensor::new(new.as_slice(), &Device::Cpu)?;
            let old = (running.as_detached_tensor() * (1.0 - STATISTICS_RATE))?;
            running.set(&(old + (new * STATISTICS_RATE)?)?)?;
        }
        Ok(())
    }

    fn variable(&self, name: &str) -> &Tensor {
        self.variables.get(name).expect("it is one of the structure's").as_tensor()
    }
}

/// What input dropout multiplies the labels' rows by: within one sample, the same label is dropped
/// at all steps or at none, as an input of a one-hot layer would be.
fn dropped_inputs(windows: &Windows, probability: f64, noise: &mut ChaCha8Rng) -> Vec<f32> {
    if probability == 0.0 {
        return Vec::new();
    }
    let kept = (1.0 / (1.0 - probability)) as f32;
    let threshold = (probability * u64::MAX as f64) as u64;
    let keys: Vec<u64> = (0..windows.samples()).map(|_| noise.next_u64()).collect();
    windows
        .labels()
        .iter()
        .zip(keys.iter().cycle())
        .map(|(&label, &key)| {
            if label == PADDING {
                return 0.0;
            }
            if scrambled(key ^ u64::from(label)) < threshold { 0.0 } else { kept }
        })
        .collect()
}

/// A number that looks random: the finalizer of SplitMix64.
fn scrambled(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A mask that drops units, and scales the others up to make good for it.
fn dropped_units(
    shape: &[usize],
    probability: f64,
    noise: &mut ChaCha8Rng,
) -> Result<Tensor, NetworkError> {
    let kept = (1.0 / (1.0 - probability)) as f32;
    let threshold = (probability * f64::from(u32::MAX)) as u32;
    let count = shape.iter().product();
    let mask: Vec<f32> =
        (0..count).map(|_| if noise.next_u32() < threshold { 0.0 } else { kept }).collect();
    Ok(Tensor::from_vec(mask, shape, &Device::Cpu)?)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::xqsv::Recurrence;

    #[test]
    fn a_label_is_dropped_at_all_steps_of_a_sample_or_at_none() {
        let mut noise = ChaCha8Rng::seed_from_u64(3);
        let histories = vec![[7_u16, 8, 7, 9, 7].as_slice(); 2_000];
        let windows = Windows::of(&histories, 6, Recurrence::Gru);
        let scales = dropped_inputs(&windows, 0.2, &mut noise);
        let scale = |step: usize, sample: usize| scales[step * 2_000 + sample];
        let mut dropped = 0;
        for sample in 0..2_000 {
            assert_eq!(scale(1, sample), scale(3, sample));
            assert_eq!(scale(1, sample), scale(5, sample));
            assert!([0.0, 1.25].contains(&scale(2, sample)));
            dropped += usize::from(scale(2, sample) == 0.0);
        }
        assert!((340..460).contains(&dropped), "{dropped} of 2000, wanted about 400");
    }

    #[test]
    fn dropped_units_keep_the_mean() {
        let mut noise = ChaCha8Rng::seed_from_u64(4);
        let mask = dropped_units(&[100, 200], 0.1, &mut noise).unwrap();
        let mean: f32 = mask.mean_all().unwrap().to_scalar().unwrap();
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn the_running_statistics_follow_the_batches() {
        let structure = Structure { hidden: 4, ..Structure::default() };
        let network = Network::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let histories: [&[u16]; 3] = [&[1, 2], &[3], &[4, 5, 6]];
        let windows = Arc::new(Windows::of(&histories, 10, structure.recurrence));
        let batch = Batch { windows, kept: 1, targets: Arc::new([1, 2, 3]) };
        network.loss(&batch, &mut ChaCha8Rng::seed_from_u64(5)).unwrap();
        let after = network.parameters().unwrap();
        let mean: Vec<f32> = after.tensor("normalization.mean").to_vec1().unwrap();
        assert!(mean.iter().any(|&mean| mean != 0.0), "{mean:?}");
    }
}
