//! The same layer from candle's own operations, step by step: slow, but it runs on every device
//! and has candle's gradients. The fast one is checked against it.

use candle_core::{DType, Result, Tensor};

use super::{Reading, cell::Cell, windows::PADDING};
use crate::xqsv::Activation;

/// Reads windows as [`Reading::read`] does.
pub fn read(
    reading: &Reading,
    table: &Tensor,
    recurrent: &Tensor,
    bias: &Tensor,
) -> Result<Tensor> {
    let (device, hidden) = (table.device(), recurrent.dim(1)?);
    let (steps, samples) = (reading.windows.steps(), reading.windows.samples());
    let kernel = recurrent.t()?.contiguous()?;
    let bias = bias.reshape((1, 4 * hidden))?;
    let mut memory = Tensor::zeros((samples, hidden), DType::F32, device)?;
    let mut cell = memory.clone();
    let mut kept = Vec::new();
    for step in 0..steps {
        let labels = &reading.windows.labels()[step * samples..][..samples];
        let known = |&label: &u16| if label == PADDING { 0 } else { u32::from(label) };
        let rows: Vec<u32> = labels.iter().map(known).collect();
        let there = |&label: &u16| if label == PADDING { 0.0_f32 } else { 1.0 };
        let present: Vec<f32> = labels.iter().map(there).collect();
        let present = Tensor::from_vec(present, (samples, 1), device)?;
        let mut input = table.index_select(&Tensor::from_vec(rows, samples, device)?, 0)?;
        if !reading.scales.is_empty() {
            let scales = reading.scales[step * samples..][..samples].to_vec();
            input = input.broadcast_mul(&Tensor::from_vec(scales, (samples, 1), device)?)?;
        }
        let products = memory.matmul(&kernel)?;
        let part = |of: &Tensor, gate: usize| of.narrow(1, gate * hidden, hidden);
        let biased = |of: Tensor, slot: usize| of.broadcast_add(&part(&bias, slot)?);
        let sum = |gate: usize| biased((part(&input, gate)? + part(&products, gate)?)?, gate);
        let after = match reading.cell {
            Cell::Gru => {
                let reset = sigmoid(&sum(0)?)?;
                let update = sigmoid(&sum(1)?)?;
                let recurrent = biased(part(&products, 2)?, 2)?;
                let candidate = (biased(part(&input, 2)?, 3)? + (reset * recurrent)?)?;
                let candidate = activate(reading.activation, &candidate)?;
                (&candidate + (update * (&memory - &candidate)?)?)?
            }
            Cell::Lstm => {
                let kept = (sigmoid(&sum(1)?)? * &cell)?;
                let new = (sigmoid(&sum(0)?)? * activate(reading.activation, &sum(2)?)?)?;
                cell = (kept + new)?.broadcast_mul(&present)?;
                (sigmoid(&sum(3)?)? * activate(reading.activation, &cell)?)?
            }
        };
        memory = after.broadcast_mul(&present)?;
        if step + reading.kept >= steps {
            kept.push(memory.clone());
        }
    }
    Tensor::cat(&kept, 0)
}

fn sigmoid(sums: &Tensor) -> Result<Tensor> {
    candle_nn::ops::sigmoid(sums)
}

/// The activation of each row of `sums`.
pub fn activate(activation: Activation, sums: &Tensor) -> Result<Tensor> {
    match activation {
        Activation::Relu => sums.relu(),
        Activation::Softmax => candle_nn::ops::softmax(sums, 1),
        Activation::Linear => Ok(sums.clone()),
        Activation::Tanh => sums.tanh(),
    }
}
