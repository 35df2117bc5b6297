//! Sums of a table's rows: what a network makes of many things that are there or not.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

use super::composite;
use crate::xqsv::{
    Bags,
    recurrence::{add_scaled, numbers, with_numbers},
};

/// For each bag the sum of the rows of `table`, `[rows, units]`, that its members name, each times
/// its share: `[bags, units]`.
pub fn sum_of_bags(table: &Tensor, bags: Arc<Bags>) -> Result<Tensor> {
    if !table.device().is_cpu() {
        return composite::sum_of_bags(table, &bags);
    }
    table.apply_op1(SumOfBags(bags))
}

struct SumOfBags(Arc<Bags>);

impl CustomOp1 for SumOfBags {
    fn name(&self) -> &'static str {
        "sum-of-bags"
    }

    fn cpu_fwd(&self, table: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, units) = layout.shape().dims2()?;
        if let Some(member) = self.0.largest().filter(|&member| usize::from(member) >= rows) {
            bail!("row {member} of a table, wanted below {rows}");
        }
        let table = numbers(table, layout)?;
        let mut sums = vec![0.0; self.0.len() * units];
        sums.par_chunks_exact_mut(units).enumerate().for_each(|(bag, sum)| {
            for (member, share) in self.0.shared(bag) {
                add_scaled(sum, share, &table[usize::from(member) * units..][..units]);
            }
        });
        Ok((CpuStorage::F32(sums), Shape::from((self.0.len(), units))))
    }

    fn bwd(&self, table: &Tensor, _sums: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let (rows, units) = table.dims2()?;
        let bags = &self.0;
        // each thread adds up the gradients of its own rows, so that none wait for another and
        // every sum is formed in the order of the bags
        let part = rows.div_ceil(rayon::current_num_threads());
        let mut d_table = vec![0.0; rows * units];
        with_numbers(gradient, |gradient| {
            d_table.par_chunks_mut(part * units).enumerate().for_each(|(rank, d_rows)| {
                let first = rank * part;
                let own = first..first + d_rows.len() / units;
                for (bag, d_sum) in gradient.chunks_exact(units).enumerate() {
                    for (member, share) in bags.shared(bag) {
                        let member = usize::from(member);
                        if own.contains(&member) {
                            let d_row = &mut d_rows[(member - first) * units..][..units];
                            add_scaled(d_row, share, d_sum);
                        }
                    }
                }
            });
        })?;
        Ok(Some(Tensor::from_vec(d_table, table.shape(), table.device())?))
    }
}
