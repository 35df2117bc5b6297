//! The activations on a row of numbers, and their gradients.

use super::kernels;
use crate::xqsv::Activation;

impl Activation {
    /// Replaces the sums in `row` by their activation.
    pub(crate) fn apply(self, row: &mut [f32]) {
        match self {
            Self::Relu => kernels::relu(row),
            Self::Softmax => {
                kernels::softmax(row);
            }
            Self::Linear => {}
            Self::Tanh => kernels::tanh(row),
        }
    }

    /// Replaces the gradients of the activated `outputs` by those of the sums.
    pub(crate) fn apply_backward(self, outputs: &[f32], gradients: &mut [f32]) {
        match self {
            Self::Relu => kernels::relu_backward(outputs, gradients),
            Self::Softmax => kernels::softmax_backward(outputs, gradients),
            Self::Linear => {}
            Self::Tanh => kernels::tanh_backward(outputs, gradients),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_agree_with_small_differences() {
        let sums = [0.3_f32, -0.7, 1.2, 0.1, -0.2];
        let weights = [0.5_f32, -1.0, 2.0, 0.25, 1.5];
        let loss = |activation: Activation, sums: &[f32; 5]| {
            let mut outputs = *sums;
            activation.apply(&mut outputs);
            outputs.iter().zip(weights).map(|(y, w)| f64::from(y * w)).sum::<f64>()
        };
        for activation in Activation::ALL {
            let mut outputs = sums;
            activation.apply(&mut outputs);
            let mut gradients = weights;
            activation.apply_backward(&outputs, &mut gradients);
            for j in 0..sums.len() {
                let (mut more, mut less) = (sums, sums);
                more[j] += 1e-2;
                less[j] -= 1e-2;
                let difference = (loss(activation, &more) - loss(activation, &less)) / 2e-2;
                let error = (difference - f64::from(gradients[j])).abs();
                assert!(error < 1e-3, "{activation:?} {j}: {difference} {}", gradients[j]);
            }
        }
    }
}
