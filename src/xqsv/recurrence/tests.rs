use std::sync::Arc;

use candle_core::{Device, Tensor, Var};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{cell::Cell, *};
use crate::xqsv::Recurrence;

const HIDDEN: usize = 12;
const LABELS: usize = 9;
const STEPS: usize = 5;
/// Enough for several parts, and not a multiple of anything.
const SAMPLES: usize = 53;

fn random(rng: &mut ChaCha8Rng, shape: &[usize]) -> Var {
    let length = shape.iter().product();
    let numbers: Vec<f32> = (0..length).map(|_| rng.random_range(-0.5..0.5)).collect();
    Var::from_vec(numbers, shape, &Device::Cpu).unwrap()
}

fn readings(rng: &mut ChaCha8Rng) -> Vec<Reading> {
    let histories: Vec<Vec<u16>> = (0..SAMPLES)
        .map(|sample| (0..sample % 8).map(|_| rng.random_range(0..LABELS as u16)).collect())
        .collect();
    let histories: Vec<&[u16]> = histories.iter().map(Vec::as_slice).collect();
    let windows = Arc::new(Windows::of(&histories, STEPS, Recurrence::Gru));
    let mut readings = Vec::new();
    for cell in [Cell::Gru, Cell::Lstm] {
        for activation in Activation::ALL {
            for kept in [1, 3] {
                let scales = match kept {
                    1 => Vec::new(),
                    _ => (0..STEPS * SAMPLES).map(|_| rng.random_range(0.0..1.5)).collect(),
                };
                let windows = Arc::clone(&windows);
                let precision = Precision::Single;
                readings.push(Reading { cell, activation, windows, kept, scales, precision });
            }
        }
    }
    readings
}

fn difference(a: &Tensor, b: &Tensor) -> f32 {
    let largest = |t: Tensor| t.flatten_all().unwrap().max(0).unwrap().to_scalar::<f32>().unwrap();
    let scale = largest(b.abs().unwrap()).max(1e-3);
    largest((a - b).unwrap().abs().unwrap()) / scale
}

#[test]
fn outputs_and_gradients_are_those_of_the_layer_made_of_candle_operations() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for reading in readings(&mut rng) {
        let gates = reading.cell.gates();
        let name = format!("{:?} {:?} {}", reading.cell, reading.activation, reading.kept);
        let table = random(&mut rng, &[LABELS, gates * HIDDEN]);
        let recurrent = random(&mut rng, &[gates * HIDDEN, HIDDEN]);
        let bias = random(&mut rng, &[4 * HIDDEN]);
        let weights = random(&mut rng, &[reading.kept * SAMPLES, HIDDEN]);
        let slow = composite::read(&reading, &table, &recurrent, &bias).unwrap();
        let fast = reading.read(&table, &recurrent, &bias, &Arc::default()).unwrap();
        assert!(difference(&fast, &slow) < 1e-5, "{name}: {}", difference(&fast, &slow));
        let gradients = |memory: &Tensor| {
            (memory * weights.as_tensor()).unwrap().sum_all().unwrap().backward().unwrap()
        };
        let (fast, slow) = (gradients(&fast), gradients(&slow));
        for (parameter, name) in [(&table, "table"), (&recurrent, "kernel"), (&bias, "bias")] {
            let error = difference(fast.get(parameter).unwrap(), slow.get(parameter).unwrap());
            assert!(error < 2e-5, "{name} of {name}: {error}");
        }
    }
}

#[test]
fn the_same_reading_twice_gives_the_same_bits() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let reading = readings(&mut rng).remove(0);
    let table = random(&mut rng, &[LABELS, 3 * HIDDEN]);
    let recurrent = random(&mut rng, &[3 * HIDDEN, HIDDEN]);
    let bias = random(&mut rng, &[4 * HIDDEN]);
    let workspace = Arc::default();
    let gradient = || {
        let memory = reading.clone().read(&table, &recurrent, &bias, &workspace).unwrap();
        let gradients = memory.sqr().unwrap().sum_all().unwrap().backward().unwrap();
        gradients.get(&table).unwrap().to_vec2::<f32>().unwrap()
    };
    assert_eq!(gradient(), gradient());
}

#[test]
fn a_label_outside_the_table_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let table = random(&mut rng, &[LABELS, 3 * HIDDEN]);
    let recurrent = random(&mut rng, &[3 * HIDDEN, HIDDEN]);
    let bias = random(&mut rng, &[4 * HIDDEN]);
    let windows = Arc::new(Windows::of(&[&[LABELS as u16]], 2, Recurrence::Gru));
    let reading = Reading {
        cell: Cell::Gru,
        activation: Activation::Tanh,
        windows,
        kept: 1,
        scales: Vec::new(),
        precision: Precision::Single,
    };
    let error = reading.read(&table, &recurrent, &bias, &Arc::default()).unwrap_err();
    assert!(error.to_string().contains("label 9 in a window, wanted below 9"), "{error}");
}

#[test]
fn in_bfloat16_outputs_and_gradients_are_nearly_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for reading in readings(&mut rng) {
        let gates = reading.cell.gates();
        let table = random(&mut rng, &[LABELS, gates * HIDDEN]);
        let recurrent = random(&mut rng, &[gates * HIDDEN, HIDDEN]);
        let bias = random(&mut rng, &[4 * HIDDEN]);
        let result = |precision| {
            let reading = Reading { precision, ..reading.clone() };
            let memory = reading.read(&table, &recurrent, &bias, &Arc::default()).unwrap();
            let gradients = memory.sqr().unwrap().sum_all().unwrap().backward().unwrap();
            (memory, gradients.get(&recurrent).unwrap().clone())
        };
        let (single, bfloat) = (result(Precision::Single), result(Precision::Bfloat));
        assert!(difference(&bfloat.0, &single.0) < 2e-2);
        assert!(difference(&bfloat.1, &single.1) < 4e-2);
    }
}
