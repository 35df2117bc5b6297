//! The whole-sequence operation: a recurrent layer over all steps of many samples as one operation
//! of candle's, with its own gradient.
//!
//! Samples are divided among rayon's threads, each of which runs all steps of its part and forms
//! its own gradients; those are added in a fixed order, so the same number of threads gives the
//! same result to the bit.

use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use super::{
    cell::{Cell, Input, Scratch},
    kernels,
    matrix::{Into, Matrix, MatrixMut, Precision, Right, transpose},
    storage::{numbers, with_numbers},
    windows::{PADDING, Windows},
    workspace::Workspace,
};
use crate::xqsv::Activation;

/// Rows begin this many numbers later than they must: strides that are powers of two would put
/// all rows into the same few lines of the cache.
const GAP: usize = 16;
/// Fewer samples than this are not worth a thread.
const MIN_SAMPLES: usize = 16;

/// Reads windows with a recurrent layer; see [`Reading`](super::Reading) for the arguments.
pub struct Sequence {
    pub cell: Cell,
    pub activation: Activation,
    pub windows: Arc<Windows>,
    /// Of how many of the last steps the memory is wanted.
    pub kept: usize,
    /// What input dropout multiplies each label's row by; empty for nothing.
    pub scales: Vec<f32>,
    pub precision: Precision,
    pub workspace: Arc<Workspace>,
    /// What the forward pass leaves for the backward one, part by part.
    pub traces: Mutex<Vec<Trace>>,
}

/// What one part of the samples leaves behind.
pub struct Trace {
    first: usize,
    samples: usize,
    /// `[steps, samples, 4·H]`, with gaps.
    slots: Vec<f32>,
    /// `[1 + steps, samples, H]`, with gaps.
    memory: Vec<f32>,
    /// The same for an LSTM's cells; empty for a GRU.
    cells: Vec<f32>,
}

/// The gradients that one part of the samples adds to the parameters'.
struct Gradients {
    table: Vec<f32>,
    recurrent: Vec<f32>,
    bias: Vec<f32>,
}

/// The numbers of the three arguments.
#[derive(Clone, Copy)]
struct Parameters<'a> {
    table: &'a [f32],
    bias: &'a [f32],
    hidden: usize,
    gates: usize,
}

impl Parameters<'_> {
    fn slots_stride(self) -> usize {
        4 * self.hidden + GAP
    }

    fn memory_stride(self) -> usize {
        self.hidden + GAP
    }

    fn row(&self, label: u16) -> &[f32] {
        let width = self.gates * self.hidden;
        &self.table[usize::from(label) * width..][..width]
    }
}

impl Sequence {
    /// The samples of each part: first and number.
    fn parts(&self) -> Vec<(usize, usize)> {
        let samples = self.windows.samples();
        let parts = rayon::current_num_threads().min(samples.div_ceil(MIN_SAMPLES)).max(1);
        (0..parts)
            .map(|part| {
                let (from, to) = (part * samples / parts, (part + 1) * samples / parts);
                (from, to - from)
            })
            .collect()
    }

    fn scale(&self, step: usize, sample: usize) -> f32 {
        match self.scales.get(step * self.windows.samples() + sample) {
            Some(&scale) => scale,
            None => 1.0,
        }
    }

    /// Reads one part's windows; `kernel` is the recurrent one transposed, `[H, G·H]`.
    fn read(&self, first: usize, samples: usize, of: Parameters, kernel: &Right) -> Trace {
        let (steps, hidden, width) = (self.windows.steps(), of.hidden, of.gates * of.hidden);
        let (slots_stride, memory_stride) = (of.slots_stride(), of.memory_stride());
        let mut slots = self.workspace.take(steps * samples * slots_stride);
        let length = (1 + steps) * samples * memory_stride;
        let mut memory = self.workspace.take(length);
        memory[..samples * memory_stride].fill(0.0);
        let mut cells = Vec::new();
        if self.cell.has_cell() {
            cells = self.workspace.take(length);
            cells[..samples * memory_stride].fill(0.0);
        }
        let mut products = self.workspace.take_zeros(samples * width);
        let mut nothing: [f32; 0] = [];
        for step in 0..steps {
            let (old, new) = memory.split_at_mut((step + 1) * samples * memory_stride);
            let before = &old[step * samples * memory_stride..];
            if step > 0 {
                kernel.multiply(
                    MatrixMut::new(&mut products, samples, width, width),
                    Into::Replace,
                    Matrix::new(before, samples, hidden, memory_stride),
                );
            }
            for sample in 0..samples {
                let row = sample * memory_stride..sample * memory_stride + hidden;
                let slots = &mut slots[(step * samples + sample) * slots_stride..][..4 * hidden];
                let after = &mut new[row.clone()];
                let (cell_before, cell_after): (&[f32], &mut [f32]) = if cells.is_empty() {
                    (&[], &mut nothing)
                } else {
                    let (old, new) = cells.split_at_mut((step + 1) * samples * memory_stride);
                    (&old[step * samples * memory_stride..][row.clone()], &mut new[row.clone()])
                };
                let label = self.windows.label(step, first + sample);
                if label == PADDING {
                    slots.fill(0.0);
                    after.fill(0.0);
                    cell_after.fill(0.0);
                    continue;
                }
                let input = Input { row: of.row(label), scale: self.scale(step, first + sample) };
                self.cell.step(
                    self.activation,
                    input,
                    &products[sample * width..][..width],
                    of.bias,
                    &before[row],
                    cell_before,
                    slots,
                    cell_after,
                    after,
                );
            }
        }
        self.workspace.give(products);
        Trace { first, samples, slots, memory, cells }
    }

    /// Goes back through one part's steps; `kernel` is the recurrent one, `[G·H, H]`, `d_kept` the gradient of
    /// the memories that were wanted, `[kept, all samples, H]`.
    fn unread(
        &self,
        trace: &mut Trace,
        of: Parameters,
        kernel: &Right,
        d_kept: &[f32],
    ) -> Gradients {
        let Trace { first, samples, slots, memory, cells } = trace;
        let (first, samples) = (*first, *samples);
        let (steps, hidden, width) = (self.windows.steps(), of.hidden, of.gates * of.hidden);
        let (slots_stride, memory_stride) = (of.slots_stride(), of.memory_stride());
        let input_slots = self.cell.input_slots();
        let mut gradients = Gradients {
            table: self.workspace.take_zeros(of.table.len()),
            recurrent: self.workspace.take_zeros(width * hidden),
            bias: vec![0.0; of.bias.len()],
        };
        let mut d_memory = vec![0.0; samples * hidden];
        let mut d_cell = vec![0.0; if self.cell.has_cell() { samples * hidden } else { 0 }];
        let mut scratch = Scratch::new(hidden);
        for step in (0..steps).rev() {
            if let Some(kept) = (step + self.kept).checked_sub(steps) {
                let from = (kept * self.windows.samples() + first) * hidden;
                kernels::add(&mut d_memory, &d_kept[from..from + samples * hidden]);
            }
            for sample in 0..samples {
                let label = self.windows.label(step, first + sample);
                let slots = &mut slots[(step * samples + sample) * slots_stride..][..4 * hidden];
                if label == PADDING {
                    // The slots are zero from the forward pass, and so are their gradients.
                    continue;
                }
                let before = (step * samples + sample) * memory_stride;
                let after = before + samples * memory_stride;
                let (cell_before, cell_after, d_cell): (&[f32], &[f32], &mut [f32]) =
                    if cells.is_empty() {
                        (&[], &[], &mut [])
                    } else {
                        (
                            &cells[before..before + hidden],
                            &cells[after..after + hidden],
                            &mut d_cell[sample * hidden..][..hidden],
                        )
                    };
                self.cell.step_backward(
                    self.activation,
                    slots,
                    &memory[before..before + hidden],
                    cell_before,
                    cell_after,
                    &mut d_memory[sample * hidden..][..hidden],
                    d_cell,
                    &mut scratch,
                );
                kernels::add(&mut gradients.bias, slots);
                let scale = self.scale(step, first + sample);
                if scale != 0.0 {
                    let row = &mut gradients.table[usize::from(label) * width..][..width];
                    for (gate, &slot) in input_slots.iter().enumerate() {
                        kernels::add_scaled(
                            &mut row[gate * hidden..][..hidden],
                            scale,
                            &slots[slot * hidden..][..hidden],
                        );
                    }
                }
            }
            if step > 0 {
                let sums = &slots[step * samples * slots_stride..];
                kernel.multiply(
                    MatrixMut::new(&mut d_memory, samples, hidden, hidden),
                    Into::Add,
                    Matrix::new(sums, samples, width, slots_stride),
                );
            }
        }
        if steps > 1 {
            let rows = (steps - 1) * samples;
            let sums = &slots[samples * slots_stride..];
            let before = &memory[samples * memory_stride..];
            Right::new(Matrix::new(before, rows, hidden, memory_stride), self.precision).multiply(
                MatrixMut::new(&mut gradients.recurrent, width, hidden, hidden),
                Into::Replace,
                Matrix::new(sums, rows, width, slots_stride).transposed(),
            );
        }
        gradients
    }

    fn give_back(&self, traces: Vec<Trace>) {
        for trace in traces {
            self.workspace.give(trace.slots);
            self.workspace.give(trace.memory);
            self.workspace.give(trace.cells);
        }
    }

    fn take_traces(&self) -> Vec<Trace> {
        std::mem::take(&mut *self.traces.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        let traces = self.take_traces();
        self.give_back(traces);
    }
}

impl CustomOp3 for Sequence {
    fn name(&self) -> &'static str {
        "read-sequence"
    }

    fn cpu_fwd(
        &self,
        table: &CpuStorage,
        table_layout: &Layout,
        recurrent: &CpuStorage,
        recurrent_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let gates = self.cell.gates();
        let (width, hidden) = recurrent_layout.shape().dims2()?;
        let (labels, table_width) = table_layout.shape().dims2()?;
        if width != gates * hidden || table_width != width || bias_layout.dims() != [4 * hidden] {
            bail!(
                "a {:?} of hidden size {hidden} with a table {:?}, a kernel {:?} and a bias {:?}",
                self.cell,
                table_layout.shape(),
                recurrent_layout.shape(),
                bias_layout.shape()
            );
        }
        let unknown = |&label: &u16| label != PADDING && usize::from(label) >= labels;
        if let Some(label) = self.windows.labels().iter().copied().find(unknown) {
            bail!("label {label} in a window, wanted below {labels}");
        }
        let of = Parameters {
            table: numbers(table, table_layout)?,
            bias: numbers(bias, bias_layout)?,
            hidden,
            gates,
        };
        let stride = width + GAP;
        let mut turned = self.workspace.take(hidden * stride);
        transpose(numbers(recurrent, recurrent_layout)?, width, hidden, &mut turned, stride);
        let kernel = Right::new(Matrix::new(&turned, hidden, width, stride), self.precision);
        let traces: Vec<Trace> = self
            .parts()
            .into_par_iter()
            .map(|(first, samples)| self.read(first, samples, of, &kernel))
            .collect();
        drop(kernel);
        self.workspace.give(turned);

        let (steps, samples) = (self.windows.steps(), self.windows.samples());
        let mut kept = vec![0.0; self.kept * samples * hidden];
        for (row, out) in kept.chunks_exact_mut(hidden).enumerate() {
            let (step, sample) = (steps - self.kept + row / samples, row % samples);
            let trace = traces
                .iter()
                .find(|trace| (trace.first..trace.first + trace.samples).contains(&sample))
                .expect("the parts hold all samples");
            let from = ((step + 1) * trace.samples + sample - trace.first) * of.memory_stride();
            out.copy_from_slice(&trace.memory[from..from + hidden]);
        }
        *self.traces.lock().unwrap_or_else(PoisonError::into_inner) = traces;
        Ok((CpuStorage::F32(kept), Shape::from((self.kept * samples, hidden))))
    }

    fn bwd(
        &self,
        table: &Tensor,
        recurrent: &Tensor,
        bias: &Tensor,
        _kept: &Tensor,
        d_kept: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let mut traces = self.take_traces();
        if traces.is_empty() {
            bail!("the gradient of a sequence was asked for twice");
        }
        let hidden = recurrent.dim(1)?;
        let parts: Vec<Gradients> = with_numbers(table, |table| {
            with_numbers(bias, |bias| {
                with_numbers(recurrent, |kernel| {
                    with_numbers(d_kept, |d_kept| {
                        let gates = self.cell.gates();
                        let of = Parameters { table, bias, hidden, gates };
                        let kernel = Matrix::new(kernel, gates * hidden, hidden, hidden);
                        let kernel = Right::new(kernel, self.precision);
                        traces
                            .par_iter_mut()
                            .map(|trace| self.unread(trace, of, &kernel, d_kept))
                            .collect()
                    })
                })
            })
        })????;
        self.give_back(traces);
        let mut parts = parts.into_iter();
        let mut total = parts.next().expect("there is at least one part");
        for part in parts {
            kernels::add(&mut total.table, &part.table);
            kernels::add(&mut total.recurrent, &part.recurrent);
            kernels::add(&mut total.bias, &part.bias);
            self.workspace.give(part.table);
            self.workspace.give(part.recurrent);
        }
        let device = table.device();
        Ok((
            Some(Tensor::from_vec(total.table, table.shape(), device)?),
            Some(Tensor::from_vec(total.recurrent, recurrent.shape(), device)?),
            Some(Tensor::from_vec(total.bias, bias.shape(), device)?),
        ))
    }
}
