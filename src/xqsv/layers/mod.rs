//! The layers above the recurrent one, as operations of candle's with their own gradients.
//!
//! candle can compose all of them, and does so on any device but the processor; these do in one
//! pass what would take it ten.

mod ahead;
mod bag;
pub(super) mod composite;
mod cross_entropy;
mod dense;
mod normalization;

use std::sync::{Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};

pub use self::{
    ahead::{MoveChoice, look_ahead, move_cross_entropy},
    bag::sum_of_bags,
    cross_entropy::{Choice, cross_entropy},
    dense::dense,
    normalization::{NORMALIZATION_EPSILON, Statistics, normalize},
};
use super::{
    Activation,
    recurrence::{numbers, with_numbers},
};

/// Stands for a logit that is not to be chosen.
const NEVER: f32 = -1e30;

/// The activation of a layer's sums, `[rows, units]`.
pub fn activate(activation: Activation, sums: &Tensor) -> Result<Tensor> {
    match activation {
        Activation::Linear => Ok(sums.clone()),
        _ if !sums.device().is_cpu() => composite::activate(activation, sums),
        _ => sums.contiguous()?.apply_op1(Activate(activation)),
    }
}

struct Activate(Activation);

impl CustomOp1 for Activate {
    fn name(&self) -> &'static str {
        "activate"
    }

    fn cpu_fwd(&self, sums: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, units) = layout.shape().dims2()?;
        let mut outputs = numbers(sums, layout)?.to_vec();
        for row in outputs.chunks_exact_mut(units) {
            self.0.apply(row);
        }
        Ok((CpuStorage::F32(outputs), layout.shape().clone()))
    }

    fn bwd(&self, sums: &Tensor, outputs: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (_, units) = sums.dims2()?;
        let mut gradients = with_numbers(gradient, <[f32]>::to_vec)?;
        with_numbers(outputs, |outputs| {
            let rows = outputs.chunks_exact(units).zip(gradients.chunks_exact_mut(units));
            for (outputs, gradients) in rows {
                self.0.apply_backward(outputs, gradients);
            }
        })?;
        Ok(Some(Tensor::from_vec(gradients, sums.shape(), sums.device())?))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
