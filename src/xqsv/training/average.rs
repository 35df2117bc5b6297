//! The mean of the parameters over the end of a run, which predicts better than any of them alone.

use std::collections::BTreeMap;

use candle_core::{Device, Tensor};

use crate::xqsv::{
    Network, NetworkError, Parameters, Structure,
    recurrence::{follow_mean, with_numbers},
};

/// A mean of parameters, step by step.
#[derive(Debug, Default)]
pub(super) struct Average {
    /// How many steps it is of.
    count: u64,
    /// Shapes and numbers by name.
    means: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Average {
    /// Goes on from a mean of so many steps; from none where it is not there.
    pub fn going_on(count: u64, mean: Option<Parameters>) -> Self {
        let Some(mean) = mean else { return Self::default() };
        let numbers = |tensor: &Tensor| with_numbers(tensor, <[f32]>::to_vec);
        let means = mean.tensors().iter().map(|(name, tensor)| {
            let numbers = numbers(tensor).expect("it was saved in single precision");
            (name.clone(), (tensor.dims().to_vec(), numbers))
        });
        Self { count, means: means.collect() }
    }

    /// How many steps it is of.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes in the parameters as they are now.
    ///
    /// # Errors
    /// When a tensor cannot be read.
    pub fn follow(&mut self, network: &Network) -> Result<(), NetworkError> {
        self.count += 1;
        let share = 1.0 / self.count as f32;
        for (name, variable) in network.variables() {
            let (_, mean) = self
                .means
                .entry(name.clone())
                .or_insert_with(|| (variable.dims().to_vec(), vec![0.0; variable.elem_count()]));
            with_numbers(variable.as_tensor(), |numbers| follow_mean(mean, numbers, share))?;
        }
        Ok(())
    }

    /// The mean; none where nothing was taken in.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn parameters(&self, structure: Structure) -> Result<Option<Parameters>, NetworkError> {
        if self.count == 0 {
            return Ok(None);
        }
        let tensors = self.means.iter().map(|(name, (shape, mean))| {
            Ok((name.clone(), Tensor::from_slice(mean, shape.as_slice(), &Device::Cpu)?))
        });
        let tensors = tensors.collect::<Result<Vec<_>, NetworkError>>()?;
        Parameters::new(structure, tensors).map(Some)
    }
}
