//! One step of a recurrent cell on one sample, forward and backward. Training and play share it.
//!
//! The GRU is the form in which the reset gate acts after the recurrent product (PyTorch's and
//! cuDNN's; Keras calls it `reset_after`):
//!
//! ```text
//! r = σ(xr + Ur h + br)    n = a(xn + bn + r ∘ (Un h + bh))
//! z = σ(xz + Uz h + bz)    h' = n + z ∘ (h - n)
//! ```
//!
//! The LSTM has no peepholes:
//!
//! ```text
//! i = σ(xi + Ui h + bi)    g = a(xg + Ug h + bg)    c' = f ∘ c + i ∘ g
//! f = σ(xf + Uf h + bf)    o = σ(xo + Uo h + bo)    h' = o ∘ a(c')
//! ```
//!
//! A step keeps what its gradient needs in four *slots* of the hidden size: r, z, Un h + bh and n,
//! or i, f, g and o. The backward step replaces them by the gradients of the sums.

use super::kernels;
use crate::xqsv::{Activation, Recurrence};

/// The kinds of recurrent cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Gated recurrent unit.
    Gru,
    /// Long short-term memory.
    Lstm,
}

impl Cell {
    /// The cell of a recurrent layer; none where there is no such layer.
    pub fn of(recurrence: Recurrence) -> Option<Self> {
        match recurrence {
            Recurrence::Gru | Recurrence::BackwardGru => Some(Self::Gru),
            Recurrence::Lstm | Recurrence::BackwardLstm => Some(Self::Lstm),
            Recurrence::ResNet => None,
        }
    }
}

/// A row of the input table, as one sample sees it.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The row: one number for each gate and unit.
    pub row: &'a [f32],
    /// What input dropout multiplies it by.
    pub scale: f32,
}

/// What a backward step needs room for: three rows of the hidden size.
pub struct Scratch {
    first: Vec<f32>,
    second: Vec<f32>,
    third: Vec<f32>,
}

impl Scratch {
    /// Room for cells of the given hidden size.
    pub fn new(hidden: usize) -> Self {
        let row = || vec![0.0; hidden];
        Self { first: row(), second: row(), third: row() }
    }
}

impl Cell {
    /// How many products of the memory a step needs, in hidden sizes.
    pub fn gates(self) -> usize {
        match self {
            Self::Gru => 3,
            Self::Lstm => 4,
        }
    }

    /// Whether there is a cell beside the memory.
    pub fn has_cell(self) -> bool {
        self == Self::Lstm
    }

    /// One step forward.
    ///
    /// With H the hidden size and G the number of gates: `products` `[G·H]` are those of the
    /// recurrent kernel with `before` `[H]`, `bias` and `slots` are `[4·H]`, `cell_before` and
    /// `cell_after` are `[H]` for an LSTM and empty for a GRU; `after` `[H]` is the new memory.
    #[allow(clippy::too_many_arguments)]
    pub fn step(
        self,
        activation: Activation,
        input: Input,
        products: &[f32],
        bias: &[f32],
        before: &[f32],
        cell_before: &[f32],
        slots: &mut [f32],
        cell_after: &mut [f32],
        after: &mut [f32],
    ) {
        let hidden = after.len();
        match self {
            Self::Gru => {
                kernels::gru_gates(input.row, input.scale, products, bias, slots, hidden);
                activation.apply(&mut slots[3 * hidden..4 * hidden]);
                kernels::gru_blend(slots, before, after, hidden);
            }
            Self::Lstm => {
                kernels::lstm_gates(input.row, input.scale, products, bias, slots, hidden);
                activation.apply(&mut slots[2 * hidden..3 * hidden]);
                kernels::lstm_cell(slots, cell_before, cell_after, after, hidden);
                activation.apply(after);
                kernels::lstm_output(slots, after, hidden);
            }
        }
    }

    /// The gradient of one step, given that of the memory after it in `d_memory`.
    ///
    /// Afterwards the slots hold the gradients of the sums, `d_memory` the part of the gradient of
    /// the memory before that does not come through the recurrent kernel, and `d_cell` (LSTM) the
    /// gradient of the cell before.
    #[allow(clippy::too_many_arguments)]
    pub fn step_backward(
        self,
        activation: Activation,
        slots: &mut [f32],
        before: &[f32],
        cell_before: &[f32],
        cell_after: &[f32],
        d_memory: &mut [f32],
        d_cell: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let hidden = d_memory.len();
        let Scratch { first, second, third } = scratch;
        match self {
            Self::Gru => {
                kernels::gru_blend_backward(slots, before, d_memory, first, hidden);
                activation.apply_backward(&slots[3 * hidden..4 * hidden], first);
                kernels::gru_gates_backward(slots, first, hidden);
            }
            Self::Lstm => {
                first.copy_from_slice(cell_after);
                activation.apply(first);
                kernels::lstm_output_backward(slots, first, d_memory, second, hidden);
                activation.apply_backward(first, second);
                kernels::lstm_cell_backward(slots, cell_before, second, d_cell, third, hidden);
                activation.apply_backward(&slots[2 * hidden..3 * hidden], third);
                slots[2 * hidden..3 * hidden].copy_from_slice(third);
                d_memory.fill(0.0);
            }
        }
    }

    /// Which of the slots, after a backward step, hold the gradient of the input table's row. That
    /// of the products is always in the first slots, one for each gate.
    pub fn input_slots(self) -> &'static [usize] {
        match self {
            Self::Gru => &[0, 1, 3],
            Self::Lstm => &[0, 1, 2, 3],
        }
    }
}
