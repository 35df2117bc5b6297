//! AdamW in place, with L2 on the kernels to which FCR applies, and gradients clipped by norm.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use candle_core::{CpuStorage, Device, InplaceOp2, Layout, Tensor, Var, backprop::GradStore, bail};
use rayon::prelude::*;

use super::{
    Network, NetworkError,
    recurrence::{AdamStep, adam, numbers, square_sum, with_numbers},
};

/// How much of the mean gradient is kept at each step.
const BETA_1: f32 = 0.9;
/// How much of the mean squared gradient is kept at each step.
const BETA_2: f32 = 0.999;
/// Added to the root of the mean squared gradient.
const EPSILON: f32 = 1e-8;
/// Longer gradients are shortened to this.
const MAX_NORM: f64 = 1.0;
/// Numbers that one thread updates at a time.
const CHUNK: usize = 1 << 15;

/// Follows the gradients of one network.
pub struct Optimizer {
    variables: Vec<Followed>,
    /// Weight decay on everything, apart from the gradient.
    decay: f64,
    steps: u64,
}

struct Followed {
    name: String,
    variable: Var,
    /// The factor of the sum of squares in the loss.
    regularization: f64,
    /// The running means of the gradient and of its square.
    moments: Mutex<[Vec<f32>; 2]>,
}

impl Optimizer {
    /// An optimizer of the network's parameters that has made no step yet.
    pub fn new(network: &Network, decay: f64) -> Self {
        let variables = network
            .trainable()
            .into_iter()
            .map(|(name, variable, regularization)| {
                let zeros = vec![0.0; variable.elem_count()];
                let moments = Mutex::new([zeros.clone(), zeros]);
                Followed { name, variable, regularization, moments }
            })
            .collect();
        Self { variables, decay, steps: 0 }
    }

    /// How many steps have been made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Makes one step at the learning rate given; returns the length of the gradient.
    ///
    /// # Errors
    /// When the gradient is not finite: the parameters are left as they are then.
    pub fn step(&mut self, gradients: &GradStore, rate: f64) -> Result<f64, NetworkError> {
        let mut squares = 0.0;
        for Followed { variable, .. } in &self.variables {
            if let Some(gradient) = gradients.get(variable) {
                squares += with_numbers(gradient, square_sum)?;
            }
        }
        let norm = squares.sqrt();
        if !norm.is_finite() {
            return Err(NetworkError::Diverged { steps: self.steps });
        }
        self.steps += 1;
        let correction = |beta: f32| {
            let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
            (1.0 / (1.0 - f64::from(beta).powi(steps))) as f32
        };
        for followed in &self.variables {
            let Some(gradient) = gradients.get(&followed.variable) else { continue };
            let update = Update {
                moments: &followed.moments,
                step: AdamStep {
                    rate: rate as f32,
                    clip: (MAX_NORM / norm.max(MAX_NORM)) as f32,
                    beta1: BETA_1,
                    beta2: BETA_2,
                    epsilon: EPSILON,
                    decay: self.decay as f32,
                    l2: 2.0 * followed.regularization as f32,
                    correction1: correction(BETA_1),
                    correction2: correction(BETA_2),
                },
            };
            if followed.variable.device().is_cpu() {
                followed.variable.as_tensor().inplace_op2(&gradient.contiguous()?, &update)?;
            } else {
                update.make_elsewhere(&followed.variable, gradient)?;
            }
        }
        Ok(norm)
    }

    /// What it remembers, to be saved: two tensors for each variable.
    ///
    /// # Errors
    /// When memory for the tensors cannot be had.
    pub fn memory(&self) -> Result<BTreeMap<String, Tensor>, NetworkError> {
        let mut tensors = BTreeMap::new();
        for Followed { name, variable, moments, .. } in &self.variables {
            let moments = moments.lock().unwrap_or_else(PoisonError::into_inner);
            for (numbers, moment) in moments.iter().zip(MOMENTS) {
                let tensor = Tensor::from_slice(numbers, variable.shape(), &Device::Cpu)?;
                tensors.insert(format!("{moment}.{name}"), tensor);
            }
        }
        Ok(tensors)
    }

    /// Goes on from what another optimizer of the same structure remembered.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape.
    pub fn remember(
        &mut self,
        steps: u64,
        tensors: &BTreeMap<String, Tensor>,
    ) -> Result<(), NetworkError> {
        for Followed { name, variable, moments, .. } in &mut self.variables {
            let moments = moments.get_mut().unwrap_or_else(PoisonError::into_inner);
            for (numbers, moment) in moments.iter_mut().zip(MOMENTS) {
                let name = format!("{moment}.{name}");
                let wanted = variable.dims().to_vec();
                let Some(tensor) = tensors.get(&name) else {
                    return Err(NetworkError::Missing { name, wanted });
                };
                if tensor.dims() != wanted {
                    let got = tensor.dims().to_vec();
                    return Err(NetworkError::Shape { name, got, wanted });
                }
                *numbers = with_numbers(tensor, <[f32]>::to_vec)?;
            }
        }
        self.steps = steps;
        Ok(())
    }
}

/// What the two running means are called in files.
const MOMENTS: [&str; 2] = ["first", "second"];

struct Update<'a> {
    moments: &'a Mutex<[Vec<f32>; 2]>,
    step: AdamStep,
}

impl Update<'_> {
    /// The step of a variable on another device, made on the processor.
    fn make_elsewhere(&self, variable: &Var, gradient: &Tensor) -> candle_core::Result<()> {
        let here = Var::from_tensor(&variable.to_device(&Device::Cpu)?)?;
        let gradient = gradient.to_device(&Device::Cpu)?.contiguous()?;
        here.as_tensor().inplace_op2(&gradient, self)?;
        variable.set(&here.to_device(variable.device())?)
    }
}

impl InplaceOp2 for Update<'_> {
    fn name(&self) -> &'static str {
        "adam"
    }

    fn cpu_fwd(
        &self,
        parameters: &mut CpuStorage,
        parameters_layout: &Layout,
        gradients: &CpuStorage,
        gradients_layout: &Layout,
    ) -> candle_core::Result<()> {
        let gradients = numbers(gradients, gradients_layout)?;
        let (CpuStorage::F32(parameters), Some((from, to))) =
            (parameters, parameters_layout.contiguous_offsets())
        else {
            bail!("parameters are not contiguous numbers of single precision");
        };
        let mut moments = self.moments.lock().unwrap_or_else(PoisonError::into_inner);
        let [first, second] = &mut *moments;
        parameters[from..to]
            .par_chunks_mut(CHUNK)
            .zip(gradients.par_chunks(CHUNK))
            .zip(first.par_chunks_mut(CHUNK).zip(second.par_chunks_mut(CHUNK)))
            .for_each(|((parameters, gradients), (first, second))| {
                adam(parameters, gradients, first, second, self.step);
            });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::xqsv::{Batch, Parameters, Structure, Told, View};

    // import torch
    // w = torch.tensor([0.5, -0.25], requires_grad=True)
    // adam = torch.optim.AdamW([w], lr=0.1, weight_decay=0.01)
    // for step in range(3):
    //     adam.zero_grad()
    //     ((w - torch.tensor([0.2, 0.3])) ** 2).sum().backward()
    //     w.grad += 2 * 0.002 * w.detach()   # L2
    //     adam.step()
    // print(w)
    #[test]
    fn three_steps_agree_with_pytorch() {
        let mut parameters = [0.5_f32, -0.25];
        let (mut first, mut second) = ([0.0; 2], [0.0; 2]);
        for step in 1..=3 {
            let gradients = [2.0 * (parameters[0] - 0.2), 2.0 * (parameters[1] - 0.3)];
            let step = AdamStep {
                rate: 0.1,
                clip: 1.0,
                beta1: BETA_1,
                beta2: BETA_2,
                epsilon: EPSILON,
                decay: 0.01,
                l2: 2.0 * 0.002,
                correction1: 1.0 / (1.0 - BETA_1.powi(step)),
                correction2: 1.0 / (1.0 - BETA_2.powi(step)),
            };
            adam(&mut parameters, &gradients, &mut first, &mut second, step);
        }
        for (got, wanted) in parameters.iter().zip(WANTED) {
            assert!((got - wanted).abs() < 1e-6, "{got} {wanted}");
        }
    }

    const WANTED: [f32; 2] = [0.212_182_49, 0.046_313_316];

    #[test]
    fn a_remembered_optimizer_goes_on_as_the_first_would_have() {
        let structure = Structure { hidden: 4, batch_norm: false, ..Structure::default() };
        let start = Parameters::random(structure, 1).unwrap();
        let histories: [&[u16]; 3] = [&[1, 2], &[3], &[4, 5, 6]];
        let views = histories.map(|history| View { history, ..View::default() });
        let told = Told::of(&structure, &views);
        let played = std::sync::Arc::new([]);
        let targets = std::sync::Arc::new([1, 2, 3]);
        let batch = Batch { told, targets, legal: None, played };
        let step = |network: &Network, optimizer: &mut Optimizer| {
            let mut noise = ChaCha8Rng::seed_from_u64(optimizer.steps());
            let gradients = network.loss(&batch, &mut noise).unwrap().backward().unwrap();
            optimizer.step(&gradients, 0.01).unwrap();
        };
        let network = Network::new(&start).unwrap();
        let mut optimizer = Optimizer::new(&network, 0.01);
        step(&network, &mut optimizer);
        let copy = Network::new(&network.parameters().unwrap()).unwrap();
        let mut second = Optimizer::new(&copy, 0.01);
        second.remember(optimizer.steps(), &optimizer.memory().unwrap()).unwrap();
        step(&network, &mut optimizer);
        step(&copy, &mut second);
        let table = |network: &Network| {
            network.parameters().unwrap().tensor("recurrent.table").to_vec2::<f32>().unwrap()
        };
        assert_eq!(table(&network), table(&copy));
    }
}
