//! A fully connected layer's sums.

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};

use super::composite;
use crate::xqsv::{
    Precision,
    recurrence::{Into, Matrix, MatrixMut, Right, add, numbers, with_numbers},
};

/// `x · kernelᵀ + bias` for `x` `[rows, inputs]`, `kernel` `[outputs, inputs]`, `bias` `[outputs]`.
pub fn dense(x: &Tensor, kernel: &Tensor, bias: &Tensor, precision: Precision) -> Result<Tensor> {
    if !x.device().is_cpu() {
        return composite::dense(x, kernel, bias);
    }
    x.contiguous()?.apply_op3(kernel, bias, Dense { precision })
}

struct Dense {
    precision: Precision,
}

impl CustomOp3 for Dense {
    fn name(&self) -> &'static str {
        "dense"
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
        let (rows, inputs) = layout.shape().dims2()?;
        let outputs = bias_layout.shape().dims1()?;
        if kernel_layout.dims() != [outputs, inputs] {
            bail!("a kernel {:?}, wanted {outputs} by {inputs}", kernel_layout.shape());
        }
        let (x, kernel) = (numbers(x, layout)?, numbers(kernel, kernel_layout)?);
        let mut sums = products(x, kernel, (rows, inputs, outputs), self.precision);
        let bias = numbers(bias, bias_layout)?;
        sums.chunks_exact_mut(outputs).for_each(|row| add(row, bias));
        Ok((CpuStorage::F32(sums), Shape::from((rows, outputs))))
    }

    fn bwd(
        &self,
        x: &Tensor,
        kernel: &Tensor,
        bias: &Tensor,
        _sums: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        with_numbers(gradient, |d_sums| back(x, kernel, bias, d_sums, self.precision))?
    }
}

/// `x · kernelᵀ`, of so many rows, inputs and outputs.
pub(super) fn products(
    x: &[f32],
    kernel: &[f32],
    (rows, inputs, outputs): (usize, usize, usize),
    precision: Precision,
) -> Vec<f32> {
    let mut sums = vec![0.0; rows * outputs];
    let kernel = Matrix::new(kernel, outputs, inputs, inputs);
    Right::new(kernel.transposed(), precision).multiply_on_all_threads(
        MatrixMut::new(&mut sums, rows, outputs, outputs),
        Into::Replace,
        Matrix::new(x, rows, inputs, inputs),
    );
    sums
}

/// The gradients by `x`, `kernel` and `bias` of a layer, from those by its sums.
pub(super) fn back(
    x: &Tensor,
    kernel: &Tensor,
    bias: &Tensor,
    d_sums: &[f32],
    precision: Precision,
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    let (rows, inputs) = x.dims2()?;
    let outputs = bias.dim(0)?;
    let mut d_x = vec![0.0; rows * inputs];
    let mut d_kernel = vec![0.0; outputs * inputs];
    let mut d_bias = vec![0.0; outputs];
    d_sums.chunks_exact(outputs).for_each(|row| add(&mut d_bias, row));
    let d_sums = Matrix::new(d_sums, rows, outputs, outputs);
    with_numbers(kernel, |kernel| {
        let d_x = MatrixMut::new(&mut d_x, rows, inputs, inputs);
        let kernel = Right::new(Matrix::new(kernel, outputs, inputs, inputs), precision);
        kernel.multiply_on_all_threads(d_x, Into::Replace, d_sums);
    })?;
    with_numbers(x, |x| {
        let d_kernel = MatrixMut::new(&mut d_kernel, outputs, inputs, inputs);
        let x = Right::new(Matrix::new(x, rows, inputs, inputs), precision);
        x.multiply_on_all_threads(d_kernel, Into::Replace, d_sums.transposed());
    })?;
    let tensor = |numbers, like: &Tensor| Tensor::from_vec(numbers, like.shape(), x.device());
    Ok((Some(tensor(d_x, x)?), Some(tensor(d_kernel, kernel)?), Some(tensor(d_bias, bias)?)))
}
