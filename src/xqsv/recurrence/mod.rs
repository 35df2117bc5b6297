//! The recurrent layer: one operation over whole sequences, with its own gradient.
//!
//! candle's own layers read step by step, know tanh alone, and are several times slower on a
//! processor; hence this one. Its input is one-hot, so the input kernel is a table of which each
//! move's label picks a row.

mod activation;
mod bfloat;
mod cell;
mod composite;
mod instructions;
mod kernel;
mod kernels;
mod matrix;
mod sequence;
mod storage;
#[cfg(test)]
mod tests;
mod windows;
mod workspace;

use std::sync::{Arc, Mutex};

use candle_core::{Result, Tensor};

pub(super) use self::{
    cell::{Cell, Input},
    kernel::Kernel,
    kernels::{
        AdamStep, adam, add, add_scaled, follow_mean, scale, scale_and_shift, softmax, square_sum,
    },
    matrix::{Into, Matrix, MatrixMut, Right},
    storage::{numbers, with_numbers},
};
pub use self::{
    matrix::Precision,
    windows::{PADDING, Windows},
    workspace::Workspace,
};
use super::Activation;

/// How to read windows with a recurrent layer.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// The kind of cell.
    pub cell: Cell,
    /// Its activation.
    pub activation: Activation,
    /// What is read.
    pub windows: Arc<Windows>,
    /// Of how many of the last steps the memory is wanted; one, unless every move of a longer
    /// sequence is to be predicted.
    pub kept: usize,
    /// What each label's row is multiplied by, as [`Windows::labels`] are numbered; empty where
    /// nothing is dropped.
    pub scales: Vec<f32>,
    /// In which precision products are formed.
    pub precision: Precision,
}

impl Reading {
    /// The memory after each of the last `kept` steps: `[kept · samples, H]`, all samples of a step
    /// together.
    ///
    /// With H the hidden size and G the number of gates, `table` is `[labels, G·H]`, `recurrent`
    /// `[G·H, H]` and `bias` `[4·H]` in the order of the [slots](cell). Gates are in the order reset,
    /// update, candidate, or input, forget, cell input, output.
    ///
    /// # Errors
    /// When the shapes do not fit, or a window holds a label that the table does not.
    pub fn read(
        self,
        table: &Tensor,
        recurrent: &Tensor,
        bias: &Tensor,
        workspace: &Arc<Workspace>,
    ) -> Result<Tensor> {
        if !table.device().is_cpu() {
            return composite::read(&self, table, recurrent, bias);
        }
        let Self { cell, activation, windows, kept, scales, precision } = self;
        let workspace = Arc::clone(workspace);
        let traces = Mutex::default();
        let sequence = sequence::Sequence {
            cell,
            activation,
            windows,
            kept,
            scales,
            precision,
            workspace,
            traces,
        };
        table.apply_op3(recurrent, bias, sequence)
    }
}
