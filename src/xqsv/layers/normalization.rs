//! Batch normalization over the rows that have a move to predict.

use std::sync::{Arc, Mutex};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};

use super::{composite, lock};
use crate::xqsv::{
    PADDING,
    recurrence::{add, numbers, with_numbers},
};

/// Added to variances before their root is taken.
pub const NORMALIZATION_EPSILON: f32 = 1e-5;

/// The mean and the variance of each unit over a batch, the latter without bias.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// One for each unit.
    pub mean: Vec<f32>,
    /// One for each unit.
    pub variance: Vec<f32>,
}

/// Normalizes each unit of `x`, `[rows, units]`, over the rows, then scales and shifts it
/// (both `[units]`). Also tells the batch's statistics.
///
/// Rows whose target is [`PADDING`] count for nothing and become zero.
pub fn normalize(
    x: &Tensor,
    scale: &Tensor,
    shift: &Tensor,
    targets: Arc<[u16]>,
) -> Result<(Tensor, Statistics)> {
    if !x.device().is_cpu() {
        return composite::normalize(x, scale, shift, &targets);
    }
    let statistics = Arc::new(Mutex::new(Statistics::default()));
    let saved = Mutex::default();
    let operation = Normalize { targets, statistics: Arc::clone(&statistics), saved };
    let normalized = x.contiguous()?.apply_op3(scale, shift, operation)?;
    let statistics = std::mem::take(&mut *lock(&statistics));
    Ok((normalized, statistics))
}

struct Normalize {
    targets: Arc<[u16]>,
    statistics: Arc<Mutex<Statistics>>,
    /// The normalized numbers and one over each unit's deviation.
    saved: Mutex<(Vec<f32>, Vec<f32>)>,
}

impl Normalize {
    /// The rows that count, of numbers with so many units a row.
    fn rows<'a>(&self, numbers: &'a [f32], units: usize) -> impl Iterator<Item = &'a [f32]> {
        let rows = numbers.chunks_exact(units).zip(&*self.targets);
        rows.filter_map(|(row, &target)| (target != PADDING).then_some(row))
    }

    /// The same rows, to be changed; all others become zero.
    fn rows_mut<'a>(
        &self,
        numbers: &'a mut [f32],
        units: usize,
    ) -> impl Iterator<Item = &'a mut [f32]> {
        let rows = numbers.chunks_exact_mut(units).zip(&*self.targets);
        rows.filter_map(|(row, &target)| {
            if target == PADDING {
                row.fill(0.0);
                return None;
            }
            Some(row)
        })
    }

    /// How many rows count.
    fn count(&self) -> usize {
        self.targets.iter().filter(|&&target| target != PADDING).count()
    }
}

impl CustomOp3 for Normalize {
    fn name(&self) -> &'static str {
        "normalize"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        layout: &Layout,
        scale: &CpuStorage,
        scale_layout: &Layout,
        shift: &CpuStorage,
        shift_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (all_rows, units) = layout.shape().dims2()?;
        let rows = self.count();
        if rows < 2 {
            bail!("a batch of {rows} has no variance, wanted two moves to predict or more");
        }
        if self.targets.len() != all_rows {
            bail!("{} moves to predict from {all_rows} rows", self.targets.len());
        }
        let mut normalized = numbers(x, layout)?.to_vec();
        let (scale, shift) = (numbers(scale, scale_layout)?, numbers(shift, shift_layout)?);
        let mut mean = vec![0.0; units];
        for row in self.rows(&normalized, units) {
            add(&mut mean, row);
        }
        mean.iter_mut().for_each(|m| *m /= rows as f32);
        let mut squares = vec![0.0; units];
        for row in self.rows_mut(&mut normalized, units) {
            for ((x, mean), square) in row.iter_mut().zip(&mean).zip(&mut squares) {
                *x -= mean;
                *square += *x * *x;
            }
        }
        let inverse: Vec<f32> = squares
            .iter()
            .map(|square| 1.0 / (square / rows as f32 + NORMALIZATION_EPSILON).sqrt())
            .collect();
        let mut outputs = vec![0.0; normalized.len()];
        let pairs = self.rows_mut(&mut normalized, units).zip(self.rows_mut(&mut outputs, units));
        for (row, out) in pairs {
            for unit in 0..units {
                row[unit] *= inverse[unit];
                out[unit] = row[unit] * scale[unit] + shift[unit];
            }
        }
        let variance = squares.iter().map(|square| square / (rows - 1) as f32).collect();
        *lock(&self.statistics) = Statistics { mean, variance };
        *lock(&self.saved) = (normalized, inverse);
        Ok((CpuStorage::F32(outputs), layout.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        scale: &Tensor,
        shift: &Tensor,
        _outputs: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (_, units) = x.dims2()?;
        let rows = self.count() as f32;
        let (normalized, inverse) = std::mem::take(&mut *lock(&self.saved));
        let mut gradients = with_numbers(gradient, <[f32]>::to_vec)?;
        let (mut d_scale, mut d_shift) = (vec![0.0; units], vec![0.0; units]);
        for (d, row) in self.rows(&gradients, units).zip(self.rows(&normalized, units)) {
            for unit in 0..units {
                d_scale[unit] += d[unit] * row[unit];
                d_shift[unit] += d[unit];
            }
        }
        with_numbers(scale, |scale| {
            let pairs = self.rows_mut(&mut gradients, units).zip(self.rows(&normalized, units));
            for (d, row) in pairs {
                for unit in 0..units {
                    let common = (d_shift[unit] + row[unit] * d_scale[unit]) / rows;
                    d[unit] = scale[unit] * inverse[unit] * (d[unit] - common);
                }
            }
        })?;
        let tensor = |numbers, like: &Tensor| Tensor::from_vec(numbers, like.shape(), x.device());
        Ok((
            Some(tensor(gradients, x)?),
            Some(tensor(d_scale, scale)?),
            Some(tensor(d_shift, shift)?),
        ))
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;

    #[test]
    fn rows_without_a_target_change_nothing() {
        let scale = Var::new(&[1.5_f32, 0.5], &Device::Cpu).unwrap();
        let shift = Var::new(&[0.1_f32, 0.2], &Device::Cpu).unwrap();
        let gradients = |rows: &[[f32; 2]], targets: &[u16]| {
            let x = Tensor::from_slice(rows.as_flattened(), (rows.len(), 2), &Device::Cpu).unwrap();
            let (y, statistics) = normalize(&x, &scale, &shift, targets.into()).unwrap();
            let gradients = y.sqr().unwrap().sum_all().unwrap().backward().unwrap();
            let gradient = gradients.get(&scale).unwrap().to_vec1::<f32>().unwrap();
            (gradient, statistics.mean, statistics.variance)
        };
        let rows = [[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]];
        let padded = [[9.0, 9.0], rows[0], rows[1], [7.0, 7.0], rows[2]];
        assert_eq!(gradients(&rows, &[1, 2, 3]), gradients(&padded, &[PADDING, 1, 2, PADDING, 3]));
    }
}
