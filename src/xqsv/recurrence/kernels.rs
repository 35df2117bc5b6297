//! Arithmetic on rows of numbers, compiled for several instruction sets and chosen at run time.
//!
//! The functions are written as plain loops that the compiler can turn into vector instructions;
//! each is compiled three times, for AVX-512, for AVX2 with FMA and for any processor.

#![allow(unsafe_code)]

/// Defines a function that runs the version of its body for the best instruction set at hand.
macro_rules! vectorized {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)?
        $body:block
    )*) => {$(
        $(#[$attribute])*
        #[allow(clippy::too_many_arguments)]
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn portable($($argument: $kind),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")]
            #[allow(clippy::too_many_arguments)]
            fn avx512($($argument: $kind),*) $(-> $result)? {
                portable($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c")]
            #[allow(clippy::too_many_arguments)]
            fn avx2($($argument: $kind),*) $(-> $result)? {
                portable($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            {
                use $crate::xqsv::recurrence::instructions::{InstructionSet, instruction_set};
                match instruction_set() {
                    // SAFETY: the processor has just been found to have these instructions.
                    InstructionSet::Avx512 => return unsafe { avx512($($argument),*) },
                    // SAFETY: the same.
                    InstructionSet::Avx2 => return unsafe { avx2($($argument),*) },
                    InstructionSet::Portable => {}
                }
            }
            portable($($argument),*)
        }
    )*};
}

pub(super) use vectorized;

/// `e^x` with a relative error of about 1e-7, and without branches.
///
/// The argument is brought into ±ln 2 / 2 by taking out a power of two, where a polynomial of
/// degree six (its coefficients are Cephes' for `expf`) serves.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Adding and taking away 1.5 · 2^23 rounds to the nearest whole number.
    const ROUND: f32 = 12_582_912.0;
    /// ln 2 in two parts, so that taking away its multiples loses nothing.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let power = shifted - ROUND;
    let r = x - power * LN_2_HIGH - power * LN_2_LOW;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let mantissa = p * r * r + r + 1.0;
    let exponent = (shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127)) << 23;
    mantissa * f32::from_bits(exponent)
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

vectorized! {
    /// `row[j] = tanh(row[j])`.
    pub fn tanh(row: &mut [f32]) {
        for x in row {
            *x = 2.0 * sigmoid(2.0 * *x) - 1.0;
        }
    }

    /// `gradients[j] *= 1 - outputs[j]²`: the derivative of tanh by its outputs.
    pub fn tanh_backward(outputs: &[f32], gradients: &mut [f32]) {
        for (gradient, y) in gradients.iter_mut().zip(outputs) {
            *gradient *= 1.0 - y * y;
        }
    }

    /// `row[j] = max(row[j], 0)`.
    pub fn relu(row: &mut [f32]) {
        for x in row {
            *x = if *x > 0.0 { *x } else { 0.0 };
        }
    }

    /// Sets the gradients to zero where the outputs are.
    pub fn relu_backward(outputs: &[f32], gradients: &mut [f32]) {
        for (gradient, y) in gradients.iter_mut().zip(outputs) {
            *gradient = if *y > 0.0 { *gradient } else { 0.0 };
        }
    }

    /// Exponentials less the largest, scaled to sum to one.
    ///
    /// Returns the logarithm of the sum of the exponentials of the numbers that came.
    pub fn softmax(row: &mut [f32]) -> f32 {
        let highest = greatest(row);
        for x in row.iter_mut() {
            *x = exp(*x - highest);
        }
        let total = sum(row);
        let factor = 1.0 / total;
        for x in row.iter_mut() {
            *x *= factor;
        }
        highest + total.ln()
    }

    /// `gradients[j] = outputs[j] (gradients[j] - Σ outputs · gradients)`: softmax backward.
    pub fn softmax_backward(outputs: &[f32], gradients: &mut [f32]) {
        let mut lanes = [0.0; LANES];
        for (y, g) in outputs.chunks(LANES).zip(gradients.chunks(LANES)) {
            for ((lane, y), g) in lanes.iter_mut().zip(y).zip(g) {
                *lane += y * g;
            }
        }
        let mean: f32 = lanes.iter().sum();
        for (gradient, y) in gradients.iter_mut().zip(outputs) {
            *gradient = y * (*gradient - mean);
        }
    }

    /// `sums[j] += addends[j]`.
    pub fn add(sums: &mut [f32], addends: &[f32]) {
        for (sum, addend) in sums.iter_mut().zip(addends) {
            *sum += addend;
        }
    }

    /// `sums[j] += factor * addends[j]`.
    pub fn add_scaled(sums: &mut [f32], factor: f32, addends: &[f32]) {
        for (sum, addend) in sums.iter_mut().zip(addends) {
            *sum += factor * addend;
        }
    }

    /// `means[j] += share * (numbers[j] - means[j])`.
    pub fn follow_mean(means: &mut [f32], numbers: &[f32], share: f32) {
        for (mean, number) in means.iter_mut().zip(numbers) {
            *mean += share * (number - *mean);
        }
    }

    /// The sum of the squares.
    pub fn square_sum(row: &[f32]) -> f64 {
        let mut total = 0.0;
        // In short runs single precision is enough.
        for run in row.chunks(1 << 12) {
            let mut lanes = [0.0_f32; LANES];
            for chunk in run.chunks(LANES) {
                for (lane, x) in lanes.iter_mut().zip(chunk) {
                    *lane += x * x;
                }
            }
            total += f64::from(lanes.into_iter().sum::<f32>());
        }
        total
    }

    /// `row[j] *= factor`.
    pub fn scale(row: &mut [f32], factor: f32) {
        for x in row {
            *x *= factor;
        }
    }

    /// `row[j] = factors[j] * row[j] + shifts[j]`.
    pub fn scale_and_shift(row: &mut [f32], factors: &[f32], shifts: &[f32]) {
        for ((x, factor), shift) in row.iter_mut().zip(factors).zip(shifts) {
            *x = factor * *x + shift;
        }
    }

    /// The gates of a GRU, before the activation of the candidate.
    ///
    /// `input` and `products` hold reset, update and candidate; `bias` and `slots` hold reset,
    /// update, the recurrent part of the candidate and the candidate.
    pub fn gru_gates(
        input: &[f32],
        scale: f32,
        products: &[f32],
        bias: &[f32],
        slots: &mut [f32],
        hidden: usize,
    ) {
        let (xr, xz, xn) = thirds(input, hidden);
        let (pr, pz, pn) = thirds(products, hidden);
        let (br, bz, bh) = thirds(bias, hidden);
        let bn = &bias[3 * hidden..4 * hidden];
        let (r, z, h, n) = quarters(slots, hidden);
        for j in 0..hidden {
            r[j] = sigmoid(scale * xr[j] + pr[j] + br[j]);
            z[j] = sigmoid(scale * xz[j] + pz[j] + bz[j]);
            h[j] = pn[j] + bh[j];
            n[j] = scale * xn[j] + bn[j] + r[j] * h[j];
        }
    }

    /// `after = candidate + update (before - candidate)`.
    pub fn gru_blend(slots: &[f32], before: &[f32], after: &mut [f32], hidden: usize) {
        let (z, n) = (&slots[hidden..2 * hidden], &slots[3 * hidden..4 * hidden]);
        let (before, after) = (&before[..hidden], &mut after[..hidden]);
        for j in 0..hidden {
            after[j] = n[j] + z[j] * (before[j] - n[j]);
        }
    }

    /// The gradient of [`gru_blend`]: of the memory before into `d_memory`, of the candidate into
    /// `d_candidate`, of the update gate's sum into its slot.
    pub fn gru_blend_backward(
        slots: &mut [f32],
        before: &[f32],
        d_memory: &mut [f32],
        d_candidate: &mut [f32],
        hidden: usize,
    ) {
        let (_, z, _, n) = quarters(slots, hidden);
        let before = &before[..hidden];
        let (d_memory, d_candidate) = (&mut d_memory[..hidden], &mut d_candidate[..hidden]);
        for j in 0..hidden {
            let (d, update) = (d_memory[j], z[j]);
            d_candidate[j] = d * (1.0 - update);
            z[j] = d * (before[j] - n[j]) * update * (1.0 - update);
            d_memory[j] = d * update;
        }
    }

    /// The gradient of [`gru_gates`], given that of the candidate's sum; into the slots.
    pub fn gru_gates_backward(slots: &mut [f32], d_sum: &[f32], hidden: usize) {
        let (r, _, h, n) = quarters(slots, hidden);
        let d_sum = &d_sum[..hidden];
        for j in 0..hidden {
            let (reset, d) = (r[j], d_sum[j]);
            r[j] = d * h[j] * reset * (1.0 - reset);
            h[j] = d * reset;
            n[j] = d;
        }
    }

    /// The gates of an LSTM, before the activation of the cell's input.
    ///
    /// All hold input gate, forget gate, cell input and output gate.
    pub fn lstm_gates(
        input: &[f32],
        scale: f32,
        products: &[f32],
        bias: &[f32],
        slots: &mut [f32],
        hidden: usize,
    ) {
        let (xi, xf, xg) = thirds(input, hidden);
        let (pi, pf, pg) = thirds(products, hidden);
        let (bi, bf, bg) = thirds(bias, hidden);
        let last = 3 * hidden..4 * hidden;
        let (xo, po, bo) = (&input[last.clone()], &products[last.clone()], &bias[last]);
        let (i, f, g, o) = quarters(slots, hidden);
        for j in 0..hidden {
            i[j] = sigmoid(scale * xi[j] + pi[j] + bi[j]);
            f[j] = sigmoid(scale * xf[j] + pf[j] + bf[j]);
            g[j] = scale * xg[j] + pg[j] + bg[j];
            o[j] = sigmoid(scale * xo[j] + po[j] + bo[j]);
        }
    }

    /// `after = forget * before + input * cell input`, written twice.
    pub fn lstm_cell(
        slots: &[f32],
        before: &[f32],
        after: &mut [f32],
        copy: &mut [f32],
        hidden: usize,
    ) {
        let (i, f, g) = thirds(slots, hidden);
        let (before, after, copy) = (&before[..hidden], &mut after[..hidden], &mut copy[..hidden]);
        for j in 0..hidden {
            let cell = f[j] * before[j] + i[j] * g[j];
            after[j] = cell;
            copy[j] = cell;
        }
    }

    /// `activated *= output gate`.
    pub fn lstm_output(slots: &[f32], activated: &mut [f32], hidden: usize) {
        let (o, activated) = (&slots[3 * hidden..4 * hidden], &mut activated[..hidden]);
        for j in 0..hidden {
            activated[j] *= o[j];
        }
    }

    /// The gradient of [`lstm_output`]: of the activated cell into `d_activated`, of the output
    /// gate's sum into its slot.
    pub fn lstm_output_backward(
        slots: &mut [f32],
        activated: &[f32],
        d_memory: &[f32],
        d_activated: &mut [f32],
        hidden: usize,
    ) {
        let o = &mut slots[3 * hidden..4 * hidden];
        let (activated, d_memory) = (&activated[..hidden], &d_memory[..hidden]);
        let d_activated = &mut d_activated[..hidden];
        for j in 0..hidden {
            let output = o[j];
            d_activated[j] = d_memory[j] * output;
            o[j] = d_memory[j] * activated[j] * output * (1.0 - output);
        }
    }

    /// The gradient of [`lstm_cell`]: of the cell before into `d_cell`, of the cell's input into
    /// `d_input`, of the input and forget gates' sums into their slots.
    pub fn lstm_cell_backward(
        slots: &mut [f32],
        before: &[f32],
        d_after: &[f32],
        d_cell: &mut [f32],
        d_input: &mut [f32],
        hidden: usize,
    ) {
        let (i, f, g, _) = quarters(slots, hidden);
        let (before, d_after) = (&before[..hidden], &d_after[..hidden]);
        let (d_cell, d_input) = (&mut d_cell[..hidden], &mut d_input[..hidden]);
        for j in 0..hidden {
            let (input, forget, d) = (i[j], f[j], d_cell[j] + d_after[j]);
            d_input[j] = d * input;
            i[j] = d * g[j] * input * (1.0 - input);
            f[j] = d * before[j] * forget * (1.0 - forget);
            d_cell[j] = d * forget;
        }
    }

    /// One step of Adam with decoupled weight decay.
    ///
    /// `first` and `second` are the running means of the gradient and of its square.
    pub fn adam(
        parameters: &mut [f32],
        gradients: &[f32],
        first: &mut [f32],
        second: &mut [f32],
        step: AdamStep,
    ) {
        let AdamStep { rate, clip, beta1, beta2, epsilon, decay, l2, correction1, correction2 } = step;
        let moments = first.iter_mut().zip(second);
        for ((p, g), (m, v)) in parameters.iter_mut().zip(gradients).zip(moments) {
            let g = clip * g + l2 * *p;
            *m = beta1 * *m + (1.0 - beta1) * g;
            *v = beta2 * *v + (1.0 - beta2) * g * g;
            *p -= rate * (*m * correction1 / ((*v * correction2).sqrt() + epsilon) + decay * *p);
        }
    }
}

/// The numbers of one step of [`adam`].
#[derive(Debug, Clone, Copy)]
pub struct AdamStep {
    /// The learning rate.
    pub rate: f32,
    /// What the gradient is multiplied by before anything else.
    pub clip: f32,
    /// How much of the mean gradient is kept.
    pub beta1: f32,
    /// How much of the mean square is kept.
    pub beta2: f32,
    /// Added to the root of the mean square.
    pub epsilon: f32,
    /// Weight decay, apart from the gradient.
    pub decay: f32,
    /// Weight decay as a part of the gradient: twice the factor of the sum of squares.
    pub l2: f32,
    /// `1 / (1 - beta1^steps)`.
    pub correction1: f32,
    /// `1 / (1 - beta2^steps)`.
    pub correction2: f32,
}

/// Sums are formed in this many parts, so that they can be formed at once.
const LANES: usize = 16;

#[inline(always)]
fn greatest(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in row.chunks(LANES) {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

#[inline(always)]
fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in row.chunks(LANES) {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.into_iter().sum()
}

#[inline(always)]
fn thirds(row: &[f32], hidden: usize) -> (&[f32], &[f32], &[f32]) {
    (&row[..hidden], &row[hidden..2 * hidden], &row[2 * hidden..3 * hidden])
}

#[inline(always)]
fn quarters(row: &mut [f32], hidden: usize) -> (&mut [f32], &mut [f32], &mut [f32], &mut [f32]) {
    let (first, rest) = row[..4 * hidden].split_at_mut(hidden);
    let (second, rest) = rest.split_at_mut(hidden);
    let (third, fourth) = rest.split_at_mut(hidden);
    (first, second, third, fourth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_exponential_is_right_to_seven_digits() {
        for step in -8_000..8_000 {
            let x = step as f32 / 100.0;
            let error = f64::from(exp(x)) / f64::from(x).exp() - 1.0;
            assert!(error.abs() < 3e-7, "e^{x} is off by {error:e}");
        }
    }

    #[test]
    fn the_fast_tanh_is_right_to_six_digits_and_saturates() {
        let mut row: Vec<f32> = (-2_000..2_000).map(|step| step as f32 / 100.0).collect();
        let exact: Vec<f64> = row.iter().map(|&x| f64::from(x).tanh()).collect();
        tanh(&mut row);
        for (fast, exact) in row.iter().zip(exact) {
            assert!((f64::from(*fast) - exact).abs() < 5e-7, "{fast} {exact}");
        }
        let mut extremes = [f32::MAX, f32::MIN, 0.0];
        tanh(&mut extremes);
        assert_eq!(extremes, [1.0, -1.0, 0.0]);
    }

    #[test]
    fn a_softmax_sums_to_one_whatever_comes() {
        let mut row: Vec<f32> = (0..100).map(|j| j as f32 * 30.0 - 1_000.0).collect();
        softmax(&mut row);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(row[99] > 0.99);
    }
}
