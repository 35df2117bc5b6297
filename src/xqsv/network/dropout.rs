//! What is dropped in training.

use candle_core::{Device, Tensor};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::xqsv::{NetworkError, PADDING, Windows};

/// What input dropout multiplies the labels' rows by: within one sample, the same label is dropped
/// at all steps or at none, as an input of a one-hot layer would be.
pub(super) fn dropped_inputs(
    windows: &Windows,
    probability: f64,
    noise: &mut ChaCha8Rng,
) -> Vec<f32> {
    if probability == 0.0 {
        return Vec::new();
    }
    let kept = (1.0 / (1.0 - probability)) as f32;
    let threshold = (probability * u64::MAX as f64) as u64;
    let keys: Vec<u64> = (0..windows.samples()).map(|_| noise.next_u64()).collect();
    windows
        .labels()
        .iter()
        .zip(keys.iter().cycle())
        .map(|(&label, &key)| {
            if label == PADDING {
                return 0.0;
            }
            if scrambled(key ^ u64::from(label)) < threshold { 0.0 } else { kept }
        })
        .collect()
}

/// A number that looks random: the finalizer of SplitMix64.
fn scrambled(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A mask that drops units, and scales the others up to make good for it.
pub(super) fn dropped_units(
    shape: &[usize],
    probability: f64,
    noise: &mut ChaCha8Rng,
) -> Result<Tensor, NetworkError> {
    let kept = (1.0 / (1.0 - probability)) as f32;
    let threshold = (probability * f64::from(u32::MAX)) as u32;
    let count = shape.iter().product();
    let mask: Vec<f32> =
        (0..count).map(|_| if noise.next_u32() < threshold { 0.0 } else { kept }).collect();
    Ok(Tensor::from_vec(mask, shape, &Device::Cpu)?)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::xqsv::Recurrence;

    #[test]
    fn a_label_is_dropped_at_all_steps_of_a_sample_or_at_none() {
        let mut noise = ChaCha8Rng::seed_from_u64(3);
        let histories = vec![[7_u16, 8, 7, 9, 7].as_slice(); 2_000];
        let windows = Windows::of(&histories, 6, Recurrence::Gru);
        let scales = dropped_inputs(&windows, 0.2, &mut noise);
        let scale = |step: usize, sample: usize| scales[step * 2_000 + sample];
        let mut dropped = 0;
        for sample in 0..2_000 {
            assert_eq!(scale(1, sample), scale(3, sample));
            assert_eq!(scale(1, sample), scale(5, sample));
            assert!([0.0, 1.25].contains(&scale(2, sample)));
            dropped += usize::from(scale(2, sample) == 0.0);
        }
        assert!((340..460).contains(&dropped), "{dropped} of 2000, wanted about 400");
    }

    #[test]
    fn dropped_units_keep_the_mean() {
        let mut noise = ChaCha8Rng::seed_from_u64(4);
        let mask = dropped_units(&[100, 200], 0.1, &mut noise).unwrap();
        let mean: f32 = mask.mean_all().unwrap().to_scalar().unwrap();
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
    }
}
