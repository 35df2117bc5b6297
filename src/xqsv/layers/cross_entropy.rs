//! The output layer with the loss: cross-entropy over all labels, over the legal ones, or both.

use std::sync::{Arc, Mutex};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};

use super::{
    composite,
    dense::{back, products},
    lock,
};
use crate::xqsv::{
    Bags, PADDING, Precision,
    recurrence::{add, numbers, scale, softmax},
};

/// What is to be chosen, and among what.
#[derive(Debug, Clone)]
pub struct Choice {
    /// One label for each row, or [`PADDING`] where there is none, which counts for nothing.
    pub targets: Arc<[u16]>,
    /// The labels of the legal moves of each row, in which its target is one, and the share of
    /// the loss that is over these alone.
    pub legal: Option<(Arc<Bags>, f32)>,
}

impl From<Arc<[u16]>> for Choice {
    fn from(targets: Arc<[u16]>) -> Self {
        Self { targets, legal: None }
    }
}

/// The mean over the samples of −ln of the probability of the move played, after the output layer.
///
/// `x` is `[rows, units]`, `kernel` `[labels, units]`, `bias` `[labels]`.
pub fn cross_entropy(
    x: &Tensor,
    kernel: &Tensor,
    bias: &Tensor,
    choice: impl std::convert::Into<Choice>,
    precision: Precision,
) -> Result<Tensor> {
    let choice = choice.into();
    if !x.device().is_cpu() {
        return composite::cross_entropy(x, kernel, bias, &choice);
    }
    let operation = CrossEntropy { choice, precision, saved: Mutex::default() };
    x.contiguous()?.apply_op3(kernel, bias, operation)
}

struct CrossEntropy {
    choice: Choice,
    precision: Precision,
    /// The gradient of the loss by each logit.
    saved: Mutex<Vec<f32>>,
}

impl CrossEntropy {
    /// Turns the logits of a row into their gradients; returns the loss.
    fn choose(&self, row: usize, logits: &mut [f32], target: usize) -> f64 {
        let logit = logits[target];
        let Some((legal, share)) = &self.choice.legal else {
            let loss = f64::from(softmax(logits) - logit);
            logits[target] -= 1.0;
            return loss;
        };
        // a label counts once, however many moves share it
        let mut labels = legal.members(row).to_vec();
        labels.sort_unstable();
        labels.dedup();
        let mut chosen: Vec<f32> = labels.iter().map(|&label| logits[usize::from(label)]).collect();
        let mut loss = f64::from(share * (softmax(&mut chosen) - logit));
        if *share < 1.0 {
            loss += f64::from((1.0 - share) * (softmax(logits) - logit));
            scale(logits, 1.0 - share);
        } else {
            logits.fill(0.0);
        }
        for (label, probability) in labels.into_iter().zip(chosen) {
            logits[usize::from(label)] += share * probability;
        }
        logits[target] -= 1.0;
        loss
    }

    /// Whether the choice fits the rows.
    fn check(&self, rows: usize, labels: usize) -> Result<()> {
        let Choice { targets, legal } = &self.choice;
        if targets.len() != rows {
            bail!("{} moves to predict from {rows} rows", targets.len());
        }
        let unknown = |&&target: &&u16| target != PADDING && usize::from(target) >= labels;
        if let Some(target) = targets.iter().find(unknown) {
            bail!("the move to predict has label {target}, wanted below {labels}");
        }
        let Some((legal, _)) = legal else { return Ok(()) };
        if legal.len() != rows {
            bail!("the legal moves of {} rows, wanted those of {rows}", legal.len());
        }
        if let Some(label) = legal.largest().filter(|&label| usize::from(label) >= labels) {
            bail!("a legal move has label {label}, wanted below {labels}");
        }
        let mut rows = targets.iter().enumerate();
        match rows.find(|&(row, &t)| t != PADDING && !legal.members(row).contains(&t)) {
            Some((row, target)) => {
                bail!("the move {target} of row {row} is none of the legal ones")
            }
            None => Ok(()),
        }
    }
}

impl CustomOp3 for CrossEntropy {
    fn name(&self) -> &'static str {
        "cross-entropy"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        layout: &Layout,
        kernel: &CpuStorage,
        kernel_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (rows, units) = layout.shape().dims2()?;
        let labels = bias_layout.shape().dims1()?;
        self.check(rows, labels)?;
        let bias = numbers(bias, bias_layout)?;
        let (x, kernel) = (numbers(x, layout)?, numbers(kernel, kernel_layout)?);
        let mut logits = products(x, kernel, (rows, units, labels), self.precision);
        let targets = &self.choice.targets;
        let present = targets.iter().filter(|&&target| target != PADDING).count().max(1);
        let weight = 1.0 / present as f32;
        let mut loss = 0.0;
        let rows = logits.chunks_exact_mut(labels).zip(&**targets).enumerate();
        for (number, (row, &target)) in rows {
            if target == PADDING {
                row.fill(0.0);
                continue;
            }
            add(row, bias);
            loss += self.choose(number, row, target.into());
            scale(row, weight);
        }
        *lock(&self.saved) = logits;
        Ok((CpuStorage::F32(vec![(loss / present as f64) as f32]), Shape::from(())))
    }

    fn bwd(
        &self,
        x: &Tensor,
        kernel: &Tensor,
        bias: &Tensor,
        _loss: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let mut d_logits = std::mem::take(&mut *lock(&self.saved));
        let gradient = gradient.to_scalar::<f32>()?;
        if gradient != 1.0 {
            scale(&mut d_logits, gradient);
        }
        back(x, kernel, bias, &d_logits, self.precision)
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;

    // import torch
    // z = torch.tensor([[0.2, -0.4, 0.3, 0.6]], requires_grad=True)
    // loss = 0.75 * -torch.log_softmax(z[:, [0, 3]], 1)[0, 1] + 0.25 * -torch.log_softmax(z, 1)[0, 3]
    // loss.backward(); print(loss, z.grad)
    #[test]
    fn losses_over_legal_labels_and_over_all_are_mixed_as_in_pytorch() {
        let bias = Var::new(&[0.2_f32, -0.4, 0.3, 0.6], &Device::Cpu).unwrap();
        let kernel = Tensor::zeros((4, 1), candle_core::DType::F32, &Device::Cpu).unwrap();
        let x = Tensor::zeros((2, 1), candle_core::DType::F32, &Device::Cpu).unwrap();
        let mut legal = Bags::default();
        legal.push([3, 0, 3]);
        legal.push([]);
        let targets: Arc<[u16]> = Arc::new([3, PADDING]);
        let choice = Choice { targets, legal: Some((Arc::new(legal), 0.75)) };
        let loss = cross_entropy(&x, &kernel, &bias, choice, Precision::Single).unwrap();
        let gradient = loss.backward().unwrap().get(&bias).unwrap().to_vec1::<f32>().unwrap();
        let loss: f32 = loss.to_scalar().unwrap();
        assert!((loss - WANTED.0).abs() < 1e-5, "{loss}");
        for (got, wanted) in gradient.iter().zip(WANTED.1) {
            assert!((got - wanted).abs() < 1e-5, "{gradient:?}");
        }
    }

    const WANTED: (f32, [f32; 4]) = (0.640_286, [0.361_286, 0.033_094, 0.066_644, -0.461_024]);

    #[test]
    fn a_move_that_is_not_legal_cannot_be_learnt_as_legal() {
        let zeros =
            |shape: &[usize]| Tensor::zeros(shape, candle_core::DType::F32, &Device::Cpu).unwrap();
        let mut legal = Bags::default();
        legal.push([1]);
        let targets: Arc<[u16]> = Arc::new([3]);
        let choice = Choice { targets, legal: Some((Arc::new(legal), 1.0)) };
        let (x, kernel, bias) = (zeros(&[1, 1]), zeros(&[4, 1]), zeros(&[4]));
        let error = cross_entropy(&x, &kernel, &bias, choice, Precision::Single).unwrap_err();
        assert!(error.to_string().contains("the move 3 of row 0 is none of the legal ones"));
    }
}
