//! What look-ahead adds to the logit of each legal move, and the loss over these moves.
//!
//! Positions have different numbers of legal moves; all moves stand one after the other, and rows
//! are picked for them and padded where they are compared. candle's own operations do for that on
//! every device: most of the work is in sums of rows.

use std::sync::Arc;

use candle_core::{D, DType, Result, Tensor, bail};
use candle_nn::ops;

use super::{NEVER, activate, composite::present, sum_of_bags};
use crate::xqsv::{Activation, Ahead, Bags, PADDING};

/// `w·f + v·ReLU(s + B·f)` for each legal move of each position: `[moves]`.
///
/// `f` are the move's attributes, `s` is what the state adds to the hidden units, `[positions,
/// units]`; the tables are `B`, `[values, units]`, `v`, `[units, 1]`, and `w`, `[values, 1]`.
pub fn look_ahead(
    state: &Tensor,
    ahead: &Ahead,
    [rows, out, weights]: [&Tensor; 3],
) -> Result<Tensor> {
    let moves = ahead.moves();
    if moves.is_empty() {
        return Tensor::zeros(0, DType::F32, state.device());
    }
    let position = |position| ahead.of_position(position).map(move |_| position as u32);
    let positions: Vec<u32> = (0..ahead.positions()).flat_map(position).collect();
    let positions = Tensor::from_vec(positions, moves.len(), state.device())?;
    let sums = (state.index_select(&positions, 0)? + sum_of_bags(rows, Arc::clone(moves))?)?;
    let hidden = activate(Activation::Relu, &sums)?;
    (hidden.matmul(out)? + sum_of_bags(weights, Arc::clone(moves))?)?.squeeze(1)
}

/// Which of the legal moves of each position was played.
#[derive(Debug, Clone, Copy)]
pub struct MoveChoice<'a> {
    /// The label of the move played, or [`PADDING`] where there is none, which counts for nothing.
    pub targets: &'a [u16],
    /// The labels of the legal moves.
    pub legal: &'a Bags,
    /// The place among them of the move played.
    pub played: &'a [u16],
}

impl MoveChoice<'_> {
    /// Whether the choice fits the logits, of so many labels and so many moves.
    fn check(&self, rows: usize, labels: usize, moves: usize) -> Result<()> {
        let Self { targets, legal, played } = self;
        if [targets.len(), legal.len(), played.len()] != [rows; 3] {
            let (targets, legal, played) = (targets.len(), legal.len(), played.len());
            bail!("{targets} targets, {legal} sets of legal moves, {played} moves for {rows} rows");
        }
        let all: usize = (0..rows).map(|row| legal.members(row).len()).sum();
        if all != moves {
            bail!("the attributes of {moves} moves, wanted those of the {all} legal ones");
        }
        if let Some(label) = legal.largest().filter(|&label| usize::from(label) >= labels) {
            bail!("a legal move has label {label}, wanted below {labels}");
        }
        let is_other = |&row: &usize| {
            let label = legal.members(row).get(usize::from(played[row]));
            targets[row] != PADDING && label != Some(&targets[row])
        };
        match (0..rows).find(is_other) {
            Some(row) => bail!("the move played of row {row} is not that of its target"),
            None => Ok(()),
        }
    }
}

/// The mean over the positions of −ln of the probability of the move played among the legal ones.
///
/// A move's logit is that of its label, `labels` `[rows, labels]`, and what look-ahead adds,
/// `ahead` `[moves]`. Moves that share a label share its part alike, as the filter has it.
pub fn move_cross_entropy(labels: &Tensor, ahead: &Tensor, choice: &MoveChoice) -> Result<Tensor> {
    let (rows, width) = labels.dims2()?;
    let moves = ahead.dim(0)?;
    choice.check(rows, width, moves)?;
    let MoveChoice { targets, legal, played } = *choice;
    let device = labels.device();
    let most = (0..rows).map(|row| legal.members(row).len()).max().unwrap_or(0).max(1);
    let (mut places, mut shares) = (Vec::with_capacity(moves), Vec::with_capacity(moves));
    // what is beyond a position's moves has the logit that stands last
    let mut padded = vec![moves as u32; rows * most];
    for row in 0..rows {
        let legal = legal.members(row);
        for (place, label) in legal.iter().enumerate() {
            padded[row * most + place] = places.len() as u32;
            places.push((row * width + usize::from(*label)) as u32);
            let sharing = legal.iter().filter(|&other| other == label).count();
            shares.push(-(sharing as f32).ln());
        }
    }
    let never = Tensor::full(NEVER, 1, device)?;
    let logits = if moves == 0 {
        never
    } else {
        let places = Tensor::from_vec(places, moves, device)?;
        let of_labels = labels.flatten_all()?.index_select(&places, 0)?;
        let logits = ((of_labels + ahead)? + Tensor::from_vec(shares, moves, device)?)?;
        Tensor::cat(&[logits, never], 0)?
    };
    let padded = Tensor::from_vec(padded, rows * most, device)?;
    let logits = logits.index_select(&padded, 0)?.reshape((rows, most))?;
    let played: Vec<u32> = played.iter().map(|&place| place.into()).collect();
    let played = Tensor::from_vec(played, (rows, 1), device)?;
    let chosen = ops::log_softmax(&logits, D::Minus1)?.gather(&played, 1)?;
    let mask = present(targets, labels)?;
    let count = mask.sum_all()?.to_scalar::<f32>()?.max(1.0);
    (chosen * mask)?.sum_all()? / -f64::from(count)
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;

    /// Two positions, of three legal moves and of two, with their attributes.
    fn ahead() -> Ahead {
        let mut ahead = Ahead::default();
        for moves in [&[&[0, 2][..], &[1], &[]][..], &[], &[&[2, 1, 0], &[0]]] {
            let mut bags = Bags::default();
            moves.iter().for_each(|numbers| bags.push(numbers.iter().copied()));
            ahead.push(&bags);
        }
        ahead
    }

    fn legal() -> Bags {
        let mut legal = Bags::default();
        [&[3, 1, 3][..], &[], &[0, 2]].iter().for_each(|moves| legal.push(moves.iter().copied()));
        legal
    }

    fn variable(shape: &[usize], seed: usize) -> Var {
        let count: usize = shape.iter().product();
        let numbers: Vec<f32> =
            (0..count).map(|i| ((i * 7919 + seed * 131) % 997) as f32 / 997.0 - 0.5).collect();
        Var::from_vec(numbers, shape, &Device::Cpu).unwrap()
    }

    /// Labels, state, rows, out, weights.
    fn variables() -> [Var; 5] {
        let shapes: [&[usize]; 5] = [&[3, 4], &[3, 2], &[3, 2], &[2, 1], &[3, 1]];
        std::array::from_fn(|rank| variable(shapes[rank], rank + 1))
    }

    fn loss([labels, state, rows, out, weights]: &[Var; 5]) -> Tensor {
        let added = look_ahead(state, &ahead(), [rows, out, weights].map(Var::as_tensor)).unwrap();
        let legal = legal();
        let targets = [3, PADDING, 2];
        let choice = MoveChoice { targets: &targets, legal: &legal, played: &[2, 0, 1] };
        move_cross_entropy(labels, &added, &choice).unwrap()
    }

    #[test]
    fn the_loss_is_what_the_filter_makes_of_the_logits() {
        let variables = variables();
        let [labels, state, rows, out, weights] = &variables;
        let tables = [rows, out, weights].map(Var::as_tensor);
        let added = look_ahead(state, &ahead(), tables).unwrap().to_vec1::<f32>().unwrap();
        let labels = labels.to_vec2::<f32>().unwrap();
        let legal = legal();
        let likely = |row: usize, moves: std::ops::Range<usize>, played: usize| {
            let added = &added[moves];
            crate::xqsv::filtered_ahead(&labels[row], legal.members(row), added)[played]
        };
        let wanted = -(likely(0, 0..3, 2).ln() + likely(2, 3..5, 1).ln()) / 2.0;
        let got = loss(&variables).to_scalar::<f32>().unwrap();
        assert!((f64::from(got) - wanted).abs() < 1e-6, "{got}, wanted {wanted}");
    }

    #[test]
    fn gradients_are_the_finite_differences() {
        const STEP: f32 = 1e-2;
        let variables = variables();
        let gradients = loss(&variables).backward().unwrap();
        for (rank, variable) in variables.iter().enumerate() {
            let gradient = gradients.get(variable).unwrap().flatten_all().unwrap();
            let gradient = gradient.to_vec1::<f32>().unwrap();
            let numbers = variable.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            for place in 0..numbers.len() {
                let moved = |by: f32| {
                    let mut numbers = numbers.clone();
                    numbers[place] += by;
                    let mut all = variables.clone();
                    all[rank] = Var::from_vec(numbers, variable.shape(), &Device::Cpu).unwrap();
                    loss(&all).to_scalar::<f32>().unwrap()
                };
                let wanted = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                let got = gradient[place];
                assert!((got - wanted).abs() < 2e-3, "{rank}, {place}: {got}, wanted {wanted}");
            }
        }
    }

    #[test]
    fn a_choice_that_does_not_fit_is_refused() {
        let [labels, state, rows, out, weights] = &variables();
        let tables = [rows, out, weights].map(Var::as_tensor);
        let added = look_ahead(state, &ahead(), tables).unwrap();
        let legal = legal();
        let refused = |targets: &[u16], played: &[u16], added: &Tensor| {
            let choice = MoveChoice { targets, legal: &legal, played };
            move_cross_entropy(labels, added, &choice).unwrap_err().to_string()
        };
        let got = refused(&[3, PADDING, 2], &[1, 0, 1], &added);
        assert!(got.contains("the move played of row 0 is not that of its target"), "{got}");
        let got = refused(&[3, PADDING, 2], &[2, 0, 1], &added.narrow(0, 0, 4).unwrap());
        assert!(got.contains("the attributes of 4 moves, wanted those of the 5"), "{got}");
        let got = refused(&[3, PADDING, 2], &[2, 0, 9], &added);
        assert!(got.contains("row 2"), "{got}");
    }
}
