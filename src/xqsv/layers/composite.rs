//! The same layers from candle's own operations: slower, but they run on every device and have
//! candle's gradients. The fast ones are checked against them.

use candle_core::{D, DType, Result, Tensor, bail};
use candle_nn::ops;

use super::{Choice, NEVER, NORMALIZATION_EPSILON, Statistics};
use crate::xqsv::{Activation, Bags, PADDING};

/// As [`super::activate`].
pub fn activate(activation: Activation, sums: &Tensor) -> Result<Tensor> {
    match activation {
        Activation::Linear => Ok(sums.clone()),
        Activation::Relu => sums.relu(),
        Activation::Tanh => sums.tanh(),
        Activation::Softmax => ops::softmax(sums, D::Minus1),
    }
}

/// As [`super::dense`].
pub fn dense(x: &Tensor, kernel: &Tensor, bias: &Tensor) -> Result<Tensor> {
    x.matmul(&kernel.t()?)?.broadcast_add(bias)
}

/// As [`super::sum_of_bags`].
pub fn sum_of_bags(table: &Tensor, bags: &Bags) -> Result<Tensor> {
    let rows = table.dim(0)?;
    let mut counts = vec![0.0_f32; bags.len() * rows];
    for (bag, counts) in counts.chunks_exact_mut(rows).enumerate() {
        for (member, share) in bags.shared(bag) {
            counts[usize::from(member)] += share;
        }
    }
    Tensor::from_vec(counts, (bags.len(), rows), table.device())?.matmul(table)
}

/// One where a row has a target, else zero: `[rows, 1]`.
pub(super) fn present(targets: &[u16], like: &Tensor) -> Result<Tensor> {
    let present: Vec<f32> =
        targets.iter().map(|&target| if target == PADDING { 0.0 } else { 1.0 }).collect();
    Tensor::from_vec(present, (targets.len(), 1), like.device())
}

/// As [`super::normalize`].
pub fn normalize(
    x: &Tensor,
    scale: &Tensor,
    shift: &Tensor,
    targets: &[u16],
) -> Result<(Tensor, Statistics)> {
    let rows = targets.iter().filter(|&&target| target != PADDING).count();
    if rows < 2 {
        bail!("a batch of {rows} has no variance, wanted two moves to predict or more");
    }
    let (mask, count) = (present(targets, x)?, rows as f64);
    let mean = (x.broadcast_mul(&mask)?.sum_keepdim(0)? / count)?;
    let centered = x.broadcast_sub(&mean)?.broadcast_mul(&mask)?;
    let variance = (centered.sqr()?.sum_keepdim(0)? / count)?;
    let deviation = (&variance + f64::from(NORMALIZATION_EPSILON))?.sqrt()?;
    let normalized = centered.broadcast_div(&deviation)?;
    let outputs = normalized.broadcast_mul(scale)?.broadcast_add(shift)?.broadcast_mul(&mask)?;
    let numbers = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
    let unbiased = (variance * (count / (count - 1.0)))?;
    Ok((outputs, Statistics { mean: numbers(&mean)?, variance: numbers(&unbiased)? }))
}

/// As [`super::cross_entropy`].
pub fn cross_entropy(
    x: &Tensor,
    kernel: &Tensor,
    bias: &Tensor,
    choice: &Choice,
) -> Result<Tensor> {
    let Choice { targets, legal } = choice;
    let logits = dense(x, kernel, bias)?;
    let labels = bias.dim(0)?;
    let known = |&target: &u16| if target == PADDING { 0 } else { u32::from(target) };
    let places: Vec<u32> = targets.iter().map(known).collect();
    let places = Tensor::from_vec(places, (targets.len(), 1), x.device())?;
    let mask = present(targets, x)?;
    let count = mask.sum_all()?.to_scalar::<f32>()?.max(1.0);
    let loss = |logits: &Tensor| {
        let chosen = ops::log_softmax(logits, D::Minus1)?.gather(&places, 1)?;
        (chosen * &mask)?.sum_all()? / -f64::from(count)
    };
    let Some((legal, share)) = legal else { return loss(&logits) };
    let mut away = vec![NEVER; targets.len() * labels];
    for (row, away) in away.chunks_exact_mut(labels).enumerate() {
        for &label in legal.members(row) {
            away[usize::from(label)] = 0.0;
        }
        if targets[row] == PADDING {
            away.fill(0.0);
        }
    }
    let away = Tensor::from_vec(away, (targets.len(), labels), x.device())?;
    let share = f64::from(*share);
    let over_legal = (loss(&(&logits + away)?)? * share)?;
    over_legal + (loss(&logits)? * (1.0 - share))?
}

/// The rows of the nine squares around each of a board's, as the residual network's own does.
pub fn neighborhoods(x: &Tensor, ranks: usize, files: usize) -> Result<Tensor> {
    let (rows, channels) = x.dims2()?;
    let boards = x.reshape((rows / (ranks * files), ranks, files, channels))?;
    let wide = boards.pad_with_zeros(1, 1, 1)?.pad_with_zeros(2, 1, 1)?;
    let mut around = Vec::new();
    for rank in 0..3 {
        for file in 0..3 {
            around.push(wide.narrow(1, rank, ranks)?.narrow(2, file, files)?);
        }
    }
    Tensor::cat(&around, 3)?.reshape((rows, 9 * channels))?.to_dtype(DType::F32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use candle_core::{Device, Var};

    use super::*;
    use crate::xqsv::{Precision, layers};

    fn numbers(shape: &[usize], seed: usize) -> Var {
        let count: usize = shape.iter().product();
        let numbers: Vec<f32> =
            (0..count).map(|i| ((i * 7919 + seed * 31) % 997) as f32 / 997.0 - 0.5).collect();
        Var::from_vec(numbers, shape, &Device::Cpu).unwrap()
    }

    /// Whether two tensors, and the gradients of their sums of squares, are the same.
    fn agree(one: &Tensor, other: &Tensor, variables: &[&Var]) {
        let close = |one: &Tensor, other: &Tensor| {
            let apart = (one - other).unwrap().abs().unwrap().flatten_all().unwrap();
            let apart = apart.max(0).unwrap().to_scalar::<f32>().unwrap();
            assert!(apart < 2e-5, "{apart} apart: {one} {other}");
        };
        close(one, other);
        let gradients =
            [one, other].map(|t| t.sqr().unwrap().sum_all().unwrap().backward().unwrap());
        for variable in variables {
            let [one, other] = [0, 1].map(|which| gradients[which].get(variable).unwrap());
            close(one, other);
        }
    }

    #[test]
    fn every_layer_agrees_with_the_fast_one_forward_and_backward() {
        let (x, kernel, bias) = (numbers(&[4, 6], 1), numbers(&[9, 6], 2), numbers(&[9], 3));
        for activation in Activation::ALL {
            let fast = layers::activate(activation, &x).unwrap();
            agree(&fast, &activate(activation, &x).unwrap(), &[&x]);
        }
        let fast = layers::dense(&x, &kernel, &bias, Precision::Single).unwrap();
        agree(&fast, &dense(&x, &kernel, &bias).unwrap(), &[&x, &kernel, &bias]);

        let mut bags = Bags::default();
        for bag in [&[(0, 1.0), (8, 0.5)][..], &[], &[(3, 1.0), (3, 1.0)]] {
            bags.push_shared(bag.iter().copied());
        }
        let fast = layers::sum_of_bags(&kernel, Arc::new(bags.clone())).unwrap();
        agree(&fast, &sum_of_bags(&kernel, &bags).unwrap(), &[&kernel]);

        let targets: Arc<[u16]> = Arc::new([3, PADDING, 8, 0]);
        let (scale, shift) = (numbers(&[6], 4), numbers(&[6], 5));
        let (fast, statistics) =
            layers::normalize(&x, &scale, &shift, Arc::clone(&targets)).unwrap();
        let (slow, others) = normalize(&x, &scale, &shift, &targets).unwrap();
        agree(&fast, &slow, &[&x, &scale, &shift]);
        for (one, other) in statistics.variance.iter().zip(&others.variance) {
            assert!((one - other).abs() < 1e-6, "{statistics:?} {others:?}");
        }

        let mut legal = Bags::default();
        for labels in [&[3, 1][..], &[], &[8], &[0, 1, 2]] {
            legal.push(labels.iter().copied());
        }
        for legal in [None, Some((Arc::new(legal), 0.75))] {
            let choice = Choice { targets: Arc::clone(&targets), legal };
            let slow = cross_entropy(&x, &kernel, &bias, &choice).unwrap();
            let fast =
                layers::cross_entropy(&x, &kernel, &bias, choice, Precision::Single).unwrap();
            agree(&fast, &slow, &[&x, &kernel, &bias]);
        }
    }
}
