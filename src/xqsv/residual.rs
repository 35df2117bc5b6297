//! A residual network over the board in place of the recurrent layer: what the paper puts there to
//! find out what a sequence of moves is worth.
//!
//! The paper gives it the history as a sequence of boards and does not say how long; ours sees the
//! board before the move alone. Fourteen planes of men go through a convolution of 3 × 3 squares,
//! blocks of two more each, and one of single squares; a fully connected layer makes of them what
//! the recurrent layer would have made of the moves.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    Activation, Bags, Precision, Structure,
    layers::{activate, composite, dense},
    recurrence::{add, numbers, with_numbers},
    senses::{PLANES, plane_of},
};
use crate::xiangqi::Square;

const SQUARES: usize = Square::COUNT;
const FILES: usize = 9;
const RANKS: usize = SQUARES / FILES;
/// Squares of a neighborhood.
const NEIGHBORS: usize = 9;
/// What is left of the channels of a square before all squares are joined.
const LEFT: usize = 8;

/// A layer: fully connected over all squares, or over each square's neighborhood.
pub struct Layer {
    pub name: String,
    pub inputs: usize,
    pub outputs: usize,
    /// Whether it starts with random numbers; else with none, so that a block changes nothing.
    pub start: bool,
}

/// All layers of a structure.
pub fn layers(structure: &Structure) -> Vec<Layer> {
    let Structure { blocks, channels, hidden, .. } = *structure;
    let layer = |name: String, inputs, outputs, start| Layer { name, inputs, outputs, start };
    let mut all = vec![layer("first".into(), NEIGHBORS * PLANES, channels, true)];
    for block in 0..blocks {
        for (part, start) in [("first", true), ("second", false)] {
            let name = format!("block.{block}.{part}");
            all.push(layer(name, NEIGHBORS * channels, channels, start));
        }
    }
    all.push(layer("squares".into(), channels, LEFT, true));
    all.push(layer("board".into(), SQUARES * LEFT, hidden, true));
    all
}

/// What the network makes of some boards: `[boards, H]`. `parameter` gives a tensor by its name.
pub fn read<'a>(
    structure: &Structure,
    boards: &Bags,
    parameter: impl Fn(&str) -> &'a Tensor,
    precision: Precision,
) -> Result<Tensor> {
    let layer = |name: &str, x: &Tensor| {
        let (kernel, bias) =
            (parameter(&format!("{name}.kernel")), parameter(&format!("{name}.bias")));
        dense(x, kernel, bias, precision)
    };
    let convolution = |name: &str, x: &Tensor| layer(name, &neighborhoods(x)?);
    let relu = |x: &Tensor| activate(Activation::Relu, x);
    let planes = planes(boards)?.to_device(parameter("first.bias").device())?;
    let mut x = relu(&convolution("first", &planes)?)?;
    for block in 0..structure.blocks {
        let y = relu(&convolution(&format!("block.{block}.first"), &x)?)?;
        let y = convolution(&format!("block.{block}.second"), &y)?;
        x = relu(&(x + y)?)?;
    }
    let x = relu(&layer("squares", &x)?)?;
    let x = layer("board", &x.reshape((boards.len(), SQUARES * LEFT))?)?;
    activate(structure.activation, &x)
}

/// The planes of the boards' men: `[boards · 90, 14]`.
fn planes(boards: &Bags) -> Result<Tensor> {
    let mut numbers = vec![0.0_f32; boards.len() * SQUARES * PLANES];
    for (board, numbers) in numbers.chunks_exact_mut(SQUARES * PLANES).enumerate() {
        for &man in boards.members(board) {
            let (plane, square) = plane_of(man);
            numbers[square * PLANES + plane] = 1.0;
        }
    }
    Tensor::from_vec(numbers, (boards.len() * SQUARES, PLANES), &Device::Cpu)
}

/// Of each square's row, `[boards · 90, channels]`, the rows of the nine squares around it, zero
/// beyond the edge: `[boards · 90, 9 · channels]`.
fn neighborhoods(x: &Tensor) -> Result<Tensor> {
    if !x.device().is_cpu() {
        return composite::neighborhoods(x, RANKS, FILES);
    }
    x.contiguous()?.apply_op1(Neighborhoods)
}

struct Neighborhoods;

/// The place in a neighborhood and the square for all that are on the board.
fn around(square: usize) -> impl Iterator<Item = (usize, usize)> {
    let (rank, file) = (square / FILES, square % FILES);
    (0..NEIGHBORS).filter_map(move |place| {
        let rank = (rank + place / 3).checked_sub(1).filter(|&rank| rank < RANKS)?;
        let file = (file + place % 3).checked_sub(1).filter(|&file| file < FILES)?;
        Some((place, rank * FILES + file))
    })
}

impl CustomOp1 for Neighborhoods {
    fn name(&self) -> &'static str {
        "neighborhoods"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, channels) = layout.shape().dims2()?;
        let x = numbers(x, layout)?;
        let mut all = vec![0.0; rows * NEIGHBORS * channels];
        let board = SQUARES * channels;
        all.par_chunks_exact_mut(board * NEIGHBORS).zip(x.par_chunks_exact(board)).for_each(
            |(all, x)| {
                for (square, row) in all.chunks_exact_mut(NEIGHBORS * channels).enumerate() {
                    for (place, from) in around(square) {
                        row[place * channels..][..channels]
                            .copy_from_slice(&x[from * channels..][..channels]);
                    }
                }
            },
        );
        Ok((CpuStorage::F32(all), Shape::from((rows, NEIGHBORS * channels))))
    }

    fn bwd(&self, x: &Tensor, _all: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (rows, channels) = x.dims2()?;
        let mut d_x = vec![0.0; rows * channels];
        let board = SQUARES * channels;
        with_numbers(gradient, |d_all| {
            let boards = d_x.par_chunks_exact_mut(board);
            boards.zip(d_all.par_chunks_exact(board * NEIGHBORS)).for_each(|(d_x, d_all)| {
                for (square, row) in d_all.chunks_exact(NEIGHBORS * channels).enumerate() {
                    for (place, to) in around(square) {
                        add(
                            &mut d_x[to * channels..][..channels],
                            &row[place * channels..][..channels],
                        );
                    }
                }
            });
        })?;
        Ok(Some(Tensor::from_vec(d_x, x.shape(), x.device())?))
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Var;

    use super::*;

    #[test]
    fn a_neighborhood_has_the_squares_around_and_nothing_beyond_the_edge() {
        let numbers: Vec<f32> = (0..90).map(|square| square as f32).collect();
        let x = Var::from_vec(numbers, (90, 1), &Device::Cpu).unwrap();
        let all = neighborhoods(&x).unwrap();
        let rows = all.to_vec2::<f32>().unwrap();
        assert_eq!(rows[0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 9.0, 10.0]);
        assert_eq!(rows[10], [0.0, 1.0, 2.0, 9.0, 10.0, 11.0, 18.0, 19.0, 20.0]);
        assert_eq!(rows[89], [79.0, 80.0, 0.0, 88.0, 89.0, 0.0, 0.0, 0.0, 0.0]);
        let slow = composite::neighborhoods(&x, RANKS, FILES).unwrap().to_vec2::<f32>().unwrap();
        assert_eq!(rows, slow);
        // every square is in as many neighborhoods as it has neighbors
        let gradients = all.sum_all().unwrap().backward().unwrap();
        let gradient = gradients.get(&x).unwrap().flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!((gradient[0], gradient[4], gradient[40]), (4.0, 6.0, 9.0));
    }
}
