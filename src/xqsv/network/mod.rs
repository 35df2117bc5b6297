//! A network that can be trained: a structure and its parameters as variables.

mod dropout;
mod told;

pub use told::{Batch, Logits, Told};

use std::{collections::BTreeMap, sync::Arc};

use candle_core::{DType, Device, Tensor, Var};
use rand_chacha::ChaCha8Rng;

use super::{
    Activation, NetworkError, Parameters, Precision, Structure, Variable, Workspace,
    layers::{self, Choice, MoveChoice, NORMALIZATION_EPSILON, Statistics},
    parameters::{Kind, specifications},
    recurrence::{Cell, Reading},
    residual,
};
use dropout::{dropped_inputs, dropped_units};

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

impl Network {
    /// A network with these parameters, in single precision.
    ///
    /// # Errors
    /// When memory for the tensors cannot be had.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        let device = device()?;
        let variables = parameters
            .tensors()
            .iter()
            .map(|(name, tensor)| {
                // A copy, so that training never changes the tensors that came.
                let copy = tensor.to_dtype(DType::F32)?.to_device(&device)?.copy()?;
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
            .map(|(name, variable)| {
                let tensor = variable.as_detached_tensor().to_device(&Device::Cpu)?;
                Ok((name.clone(), tensor.copy()?))
            })
            .collect::<Result<Vec<_>, NetworkError>>()?;
        Parameters::new(self.structure, tensors)
    }

    /// All variables by name.
    pub(super) fn variables(&self) -> &BTreeMap<String, Var> {
        &self.variables
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

    /// The logits of labels and moves in each position.
    ///
    /// # Errors
    /// When a window holds an unknown label, there are fewer steps than are kept, or the network
    /// has a sense for what it was not told.
    pub fn logits(&self, told: &Told) -> Result<Logits, NetworkError> {
        let mut x = self.memory(told, Vec::new(), Precision::Single)?.detach();
        if self.structure.batch_norm {
            let (factors, shifts) = self.folded_normalization()?;
            x = x.broadcast_mul(&factors)?.broadcast_add(&shifts)?;
        }
        let x = self.joined(x, told)?;
        let x = self.hidden_layers(x, Precision::Single)?;
        let (kernel, bias) = (self.variable("output.kernel"), self.variable("output.bias"));
        let labels = layers::dense(&x, kernel, bias, Precision::Single)?.detach();
        let ahead = match self.structure.ahead {
            true => Some(self.ahead(&x, told, Precision::Single)?.detach()),
            false => None,
        };
        Ok(Logits { labels, ahead })
    }

    /// The loss of one batch, in nats: the mean cross-entropy over the moves played.
    ///
    /// FCR's share is not in it; the optimizer adds its gradient. `noise` decides what is dropped.
    /// The running statistics of the normalization are brought up to date.
    ///
    /// # Errors
    /// When the batch holds an unknown label, one sample alone where BN is on, or nothing of what
    /// the network has a sense for.
    pub fn loss(&self, batch: &Batch, noise: &mut ChaCha8Rng) -> Result<Tensor, NetworkError> {
        let Batch { told, targets, legal, played } = batch;
        let scales = dropped_inputs(&told.windows, self.structure.input_dropout, noise);
        let mut x = self.memory(told, scales, self.precision)?;
        if self.structure.batch_norm {
            let (scale, shift) =
                (self.variable("normalization.scale"), self.variable("normalization.shift"));
            let (normalized, statistics) =
                layers::normalize(&x, scale, shift, Arc::clone(targets))?;
            self.follow(&statistics)?;
            x = normalized;
        }
        let mut x = self.joined(x, told)?;
        if self.structure.dropout > 0.0 {
            let mask = dropped_units(x.dims(), self.structure.dropout, noise)?;
            x = (&x * mask.to_device(x.device())?)?;
        }
        let x = self.hidden_layers(x, self.precision)?;
        let (kernel, bias) = (self.variable("output.kernel"), self.variable("output.bias"));
        if self.structure.ahead {
            let Some((legal, _)) = legal else { return Err(self.untold(Variable::Ahead, 0, told)) };
            let labels = layers::dense(&x, kernel, bias, self.precision)?;
            let ahead = self.ahead(&x, told, self.precision)?;
            let choice = MoveChoice { targets, legal, played };
            return Ok(layers::move_cross_entropy(&labels, &ahead, &choice)?);
        }
        let choice = Choice { targets: Arc::clone(targets), legal: legal.clone() };
        Ok(layers::cross_entropy(&x, kernel, bias, choice, self.precision)?)
    }

    /// The memory after the last steps: `[kept · samples, H]`.
    fn memory(
        &self,
        told: &Told,
        scales: Vec<f32>,
        precision: Precision,
    ) -> Result<Tensor, NetworkError> {
        let Some(cell) = Cell::of(self.structure.recurrence) else {
            self.check_told(Variable::Recurrence, told.men.len(), told)?;
            let parameter = |name: &str| self.variable(name);
            return Ok(residual::read(&self.structure, &told.men, parameter, precision)?);
        };
        let activation = self.structure.activation;
        let (windows, kept) = (Arc::clone(&told.windows), told.kept);
        let reading = Reading { cell, activation, windows, kept, scales, precision };
        Ok(reading.read(
            self.variable("recurrent.table"),
            self.variable("recurrent.kernel"),
            self.variable("recurrent.bias"),
            &self.workspace,
        )?)
    }

    /// The memory joined with what is seen and known: `[positions, H]`.
    ///
    /// To be joined is to be added, which is what a layer over both side by side would make of
    /// them; where something is seen, the sum is rectified as such a layer's would be.
    fn joined(&self, mut x: Tensor, told: &Told) -> Result<Tensor, NetworkError> {
        let Structure { sight, rating, .. } = self.structure;
        let senses = [
            (sight, Variable::Sight, "sight.table", &told.men),
            (rating, Variable::Rating, "rating.table", &told.ratings),
        ];
        for (_, variable, table, bags) in senses.into_iter().filter(|&(is_there, ..)| is_there) {
            self.check_told(variable, bags.len(), told)?;
            x = (x + layers::sum_of_bags(self.variable(table), Arc::clone(bags))?)?;
        }
        if sight {
            x = layers::activate(Activation::Relu, &x)?;
        }
        Ok(x)
    }

    /// Whether the network was told what it has a sense for, of so many positions.
    fn check_told(&self, variable: Variable, got: usize, told: &Told) -> Result<(), NetworkError> {
        match got == told.positions() {
            true => Ok(()),
            false => Err(self.untold(variable, got, told)),
        }
    }

    fn untold(&self, variable: Variable, got: usize, told: &Told) -> NetworkError {
        let (value, wanted) = (self.structure.value(variable), told.positions());
        NetworkError::Untold { variable, value, got, wanted }
    }

    /// What look-ahead adds to the logit of each legal move, from the state that the output layer
    /// reads.
    fn ahead(&self, x: &Tensor, told: &Told, precision: Precision) -> Result<Tensor, NetworkError> {
        self.check_told(Variable::Ahead, told.ahead.positions(), told)?;
        let (kernel, bias) = (self.variable("ahead.kernel"), self.variable("ahead.bias"));
        let state = layers::dense(x, kernel, bias, precision)?;
        let tables = ["ahead.rows", "ahead.out", "ahead.weights"].map(|name| self.variable(name));
        Ok(layers::look_ahead(&state, &told.ahead, tables)?)
    }

    /// The hidden fully connected layers: `[positions, H]` to `[positions, H]`.
    ///
    /// Where something is seen, each adds to what comes in rather than take its place.
    fn hidden_layers(&self, mut x: Tensor, precision: Precision) -> Result<Tensor, NetworkError> {
        for layer in 0..self.structure.fc_layers {
            let kernel = self.variable(&format!("hidden.{layer}.kernel"));
            let bias = self.variable(&format!("hidden.{layer}.bias"));
            let sums = layers::dense(&x, kernel, bias, precision)?;
            let y = layers::activate(self.structure.fc_activation, &sums)?;
            x = if self.structure.sight { (x + y)? } else { y };
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
            let new = Tensor::new(new.as_slice(), running.device())?;
            let old = (running.as_detached_tensor() * (1.0 - STATISTICS_RATE))?;
            running.set(&(old + (new * STATISTICS_RATE)?)?)?;
        }
        Ok(())
    }

    fn variable(&self, name: &str) -> &Tensor {
        self.variables.get(name).expect("it is one of the structure's").as_tensor()
    }
}

/// Where networks are: on the first graphics card, where the program was built for one and there
/// is one, else on the processor.
fn device() -> candle_core::Result<Device> {
    if cfg!(feature = "cuda") { Device::cuda_if_available(0) } else { Ok(Device::Cpu) }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::xqsv::{Bags, View};

    #[test]
    fn the_running_statistics_follow_the_batches() {
        let structure = Structure { hidden: 4, ..Structure::default() };
        let network = Network::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let histories: [&[u16]; 3] = [&[1, 2], &[3], &[4, 5, 6]];
        let views = histories.map(|history| View { history, ..View::default() });
        let told = Told::of(&structure, &views);
        let batch = Batch { told, targets: Arc::new([1, 2, 3]), legal: None, played: Arc::new([]) };
        network.loss(&batch, &mut ChaCha8Rng::seed_from_u64(5)).unwrap();
        let after = network.parameters().unwrap();
        let mean: Vec<f32> = after.tensor("normalization.mean").to_vec1().unwrap();
        assert!(mean.iter().any(|&mean| mean != 0.0), "{mean:?}");
    }

    #[test]
    fn a_network_without_our_senses_takes_no_notice_of_what_it_is_told() {
        let structure = Structure { hidden: 8, ..Structure::default() };
        let network = Network::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let history: &[u16] = &[1, 2, 3];
        let blind = View { history, ..View::default() };
        let ratings = [Some(1_200), Some(1_300)];
        let mut moves = Bags::default();
        moves.push([1, 2, 3]);
        let told = View { history, men: &[5, 6, 7], ratings, moves: Some(&moves) };
        let seeing = Structure { sight: true, rating: true, ahead: true, ..structure };
        let bits = |told: &Told| -> (Vec<u32>, u32) {
            let Logits { labels, ahead } = network.logits(told).unwrap();
            assert!(ahead.is_none());
            let logits = labels.flatten_all().unwrap();
            let batch = Batch {
                told: told.clone(),
                targets: Arc::new([4, 5]),
                legal: None,
                played: Arc::new([]),
            };
            let loss = network.loss(&batch, &mut ChaCha8Rng::seed_from_u64(5)).unwrap();
            let logits = logits.to_vec1::<f32>().unwrap();
            let logits = logits.into_iter().map(f32::to_bits).collect();
            (logits, loss.to_scalar::<f32>().unwrap().to_bits())
        };
        let first = Told::of(&structure, &[blind; 2]);
        let second = Told::of(&seeing, &[told; 2]);
        let fresh = network.parameters().unwrap();
        let one = bits(&first);
        // the running statistics have moved
        for (name, variable) in &network.variables {
            variable.set(fresh.tensor(name)).unwrap();
        }
        assert_eq!(one, bits(&second));
    }

    #[test]
    fn a_network_that_sees_must_be_told_of_the_board() {
        let structure = Structure { hidden: 8, sight: true, ..Structure::default() };
        let network = Network::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let blind = Structure { sight: false, ..structure };
        let error = network.logits(&Told::of(&blind, &[View::default()])).unwrap_err();
        assert_eq!(error.to_string(), "a network with SEE=yes was told of 0 positions, wanted 1");
    }

    #[test]
    fn look_ahead_begins_with_nothing_to_add() {
        let structure = Structure { hidden: 8, ..Structure::default() };
        let plain = Parameters::random(structure, 1).unwrap();
        let looking = Structure { ahead: true, ..structure };
        let parameters = Parameters::going_on(looking, &plain, 2).unwrap();
        let mut moves = Bags::default();
        [&[0, 5][..], &[7]].iter().for_each(|numbers| moves.push(numbers.iter().copied()));
        let view = View { history: &[1, 2], moves: Some(&moves), ..View::default() };
        let logits = |parameters: &Parameters| {
            let network = Network::new(parameters).unwrap();
            network.logits(&Told::of(network.structure(), &[view])).unwrap()
        };
        let (before, after) = (logits(&plain), logits(&parameters));
        let numbers = |t: &Tensor| t.to_vec2::<f32>().unwrap();
        assert_eq!(numbers(&before.labels), numbers(&after.labels));
        assert_eq!(after.ahead.unwrap().to_vec1::<f32>().unwrap(), [0.0, 0.0]);
    }
}
