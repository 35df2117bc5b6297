//! A network for play: the same numbers as [`Network`](super::Network) gives, for one window at a
//! time, without the machinery of training.

use candle_core::{DType, Tensor};
use half::f16;

use super::{
    Activation, Bags, NetworkError, Parameters, Structure, View,
    layers::NORMALIZATION_EPSILON,
    recurrence::{Cell, Input, Kernel, add, add_scaled, scale_and_shift},
    senses::rating_rows,
    vocabulary::LABELS,
};

/// A network that predicts one move at a time.
///
/// Parameters are kept in the precision in which they come; all sums are in single precision.
#[derive(Debug, Clone)]
pub struct Predictor {
    structure: Structure,
    cell: Cell,
    table: Kernel,
    recurrent: Kernel,
    recurrent_bias: Vec<f32>,
    /// Factors and shifts of the normalization, `[H]` each.
    normalization: Option<(Vec<f32>, Vec<f32>)>,
    men: Option<Kernel>,
    ratings: Option<Kernel>,
    hidden: Vec<Layer>,
    output: Layer,
    ahead: Option<LookAhead>,
    room: Room,
}

#[derive(Debug, Clone)]
struct Layer {
    kernel: Kernel,
    bias: Vec<f32>,
}

/// What look-ahead makes of the attributes of moves.
#[derive(Debug, Clone)]
struct LookAhead {
    /// What the state adds to the hidden units of all moves.
    state: Layer,
    rows: Kernel,
    out: Vec<f32>,
    weights: Vec<f32>,
    /// Room for the hidden units: those of all moves, of one, and a row.
    units: [Vec<f32>; 3],
    /// What it adds to each move.
    added: Vec<f32>,
}

/// Room for the numbers of one step, with their lengths in hidden sizes.
#[derive(Debug, Clone)]
struct Room {
    input: Vec<f32>,
    products: Vec<f32>,
    slots: Vec<f32>,
    memory: [Vec<f32>; 2],
    cells: [Vec<f32>; 2],
    logits: Vec<f32>,
}

impl Predictor {
    /// A predictor with these parameters.
    ///
    /// # Errors
    /// When a tensor cannot be read, or the network has no recurrent layer.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        let structure = *parameters.structure();
        let cell = Cell::of(structure.recurrence).ok_or(NetworkError::NotRecurrent)?;
        let hidden = structure.hidden;
        let row = |name: &str| single(parameters.tensor(name));
        let layer = |name: &str| {
            let kernel = kernel(parameters.tensor(&format!("{name}.kernel")))?;
            Ok::<_, NetworkError>(Layer { kernel, bias: row(&format!("{name}.bias"))? })
        };
        let normalization = if structure.batch_norm {
            let (scale, shift) = (row("normalization.scale")?, row("normalization.shift")?);
            let (mean, variance) = (row("normalization.mean")?, row("normalization.variance")?);
            let factors: Vec<f32> = scale
                .iter()
                .zip(&variance)
                .map(|(scale, variance)| scale / (variance + NORMALIZATION_EPSILON).sqrt())
                .collect();
            let shifts =
                shift.iter().zip(&mean).zip(&factors).map(|((s, m), f)| s - m * f).collect();
            Some((factors, shifts))
        } else {
            None
        };
        let zeros = |rows: usize| vec![0.0; rows * hidden];
        let cell_rows = if cell.has_cell() { 1 } else { 0 };
        Ok(Self {
            structure,
            cell,
            table: kernel(parameters.tensor("recurrent.table"))?,
            recurrent: kernel(parameters.tensor("recurrent.kernel"))?,
            recurrent_bias: row("recurrent.bias")?,
            normalization,
            men: structure.sight.then(|| kernel(parameters.tensor("sight.table"))).transpose()?,
            ratings: structure
                .rating
                .then(|| kernel(parameters.tensor("rating.table")))
                .transpose()?,
            hidden: (0..structure.fc_layers)
                .map(|rank| layer(&format!("hidden.{rank}")))
                .collect::<Result<_, _>>()?,
            output: layer("output")?,
            ahead: match structure.ahead {
                true => Some(LookAhead {
                    state: layer("ahead")?,
                    rows: kernel(parameters.tensor("ahead.rows"))?,
                    out: row("ahead.out")?,
                    weights: row("ahead.weights")?,
                    units: [(); 3].map(|()| vec![0.0; structure.ahead_hidden]),
                    added: Vec::new(),
                }),
                false => None,
            },
            room: Room {
                input: zeros(cell.gates()),
                products: zeros(cell.gates()),
                slots: zeros(4),
                memory: [zeros(1), zeros(1)],
                cells: [zeros(cell_rows), zeros(cell_rows)],
                logits: vec![0.0; LABELS],
            },
        })
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The logit of each of the 755 labels in a position; only the last m moves before it count,
    /// and of the rest what the structure has a sense for.
    ///
    /// # Panics
    /// When a label is not below 755, the number of a man not below 3780, or that of an attribute's
    /// value not below [their number](super::attribute_values).
    pub fn logits(&mut self, view: &View) -> &[f32] {
        let history = view.history;
        let Room { input, products, slots, memory, cells, logits } = &mut self.room;
        let [before, after] = memory;
        let [cell_before, cell_after] = cells;
        before.fill(0.0);
        cell_before.fill(0.0);
        products.fill(0.0);
        let recent = &history[history.len().saturating_sub(self.structure.memory)..];
        for step in 0..recent.len() {
            let read = if self.structure.recurrence.is_backward() {
                recent.len() - 1 - step
            } else {
                step
            };
            self.table.copy_row(recent[read].into(), input);
            if step > 0 {
                self.recurrent.multiply(before, products);
            }
            self.cell.step(
                self.structure.activation,
                Input { row: input, scale: 1.0 },
                products,
                &self.recurrent_bias,
                before,
                cell_before,
                slots,
                cell_after,
                after,
            );
            std::mem::swap(before, after);
            std::mem::swap(cell_before, cell_after);
        }
        if let Some((factors, shifts)) = &self.normalization {
            scale_and_shift(before, factors, shifts);
        }
        if let Some(men) = &self.men {
            for &man in view.men {
                men.copy_row(man.into(), after);
                add(before, after);
            }
        }
        if let Some(ratings) = &self.ratings {
            for (row, share) in rating_rows(view.ratings) {
                ratings.copy_row(row.into(), after);
                add_scaled(before, share, after);
            }
        }
        if self.structure.sight {
            Activation::Relu.apply(before);
        }
        for layer in &self.hidden {
            layer.apply(before, after, self.structure.fc_activation);
            if self.structure.sight {
                add(after, before);
            }
            std::mem::swap(before, after);
        }
        self.output.apply(before, logits, Activation::Linear);
        if let Some(ahead) = &mut self.ahead {
            ahead.look(before, view.moves);
        }
        logits
    }

    /// What look-ahead adds to the logit of each legal move of the position whose logits were asked
    /// for last; empty without look-ahead, or where the moves were not told.
    pub fn ahead(&self) -> &[f32] {
        self.ahead.as_ref().map_or(&[], |ahead| &ahead.added)
    }
}

impl LookAhead {
    fn look(&mut self, state: &[f32], moves: Option<&Bags>) {
        let Self { rows, out, weights, units: [shared, units, row], added, .. } = self;
        self.state.apply(state, shared, Activation::Linear);
        added.clear();
        let Some(moves) = moves else { return };
        for place in 0..moves.len() {
            units.copy_from_slice(shared);
            let mut sum = 0.0;
            for &number in moves.members(place) {
                rows.copy_row(number.into(), row);
                add(units, row);
                sum += weights[usize::from(number)];
            }
            Activation::Relu.apply(units);
            sum += units.iter().zip(&*out).map(|(unit, weight)| unit * weight).sum::<f32>();
            added.push(sum);
        }
    }
}

impl Layer {
    fn apply(&self, inputs: &[f32], outputs: &mut [f32], activation: Activation) {
        self.kernel.multiply(inputs, outputs);
        add(outputs, &self.bias);
        activation.apply(outputs);
    }
}

fn single(tensor: &Tensor) -> Result<Vec<f32>, NetworkError> {
    Ok(tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?)
}

fn kernel(tensor: &Tensor) -> Result<Kernel, NetworkError> {
    let columns = tensor.dim(1)?;
    let numbers = tensor.flatten_all()?;
    Ok(if tensor.dtype() == DType::F16 {
        Kernel::half(numbers.to_vec1::<f16>()?, columns)
    } else {
        Kernel::single(numbers.to_vec1()?, columns)
    })
}
