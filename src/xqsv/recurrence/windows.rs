//! What a recurrent layer reads: for each of several samples the labels of the last moves.

use crate::xqsv::Recurrence;

/// Stands in a window where there is no move yet.
pub const PADDING: u16 = u16::MAX;

/// Several samples of labels, all of one length, shorter histories being padded on the left.
///
/// Labels are kept in the order in which the layer reads them, and all samples' first labels come
/// before all samples' second ones: number `step * samples + sample`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windows {
    labels: Vec<u16>,
    steps: usize,
    samples: usize,
}

impl Windows {
    /// Windows of `steps` labels for `samples` samples, all padding as yet.
    pub fn new(steps: usize, samples: usize) -> Self {
        Self { labels: vec![PADDING; steps * samples], steps, samples }
    }

    /// The windows of `histories`, each with the last `memory` labels of its history, read in the
    /// direction of `recurrence`.
    pub fn of(histories: &[&[u16]], memory: usize, recurrence: Recurrence) -> Self {
        let mut windows = Self::new(memory, histories.len());
        for (sample, history) in histories.iter().enumerate() {
            windows.set(sample, history, recurrence);
        }
        windows
    }

    /// Sets one sample's window to the last labels of `history`, oldest first as it comes.
    ///
    /// A padded step leaves the memory at zero, so padding is always read first, whatever the
    /// direction.
    pub fn set(&mut self, sample: usize, history: &[u16], recurrence: Recurrence) {
        let length = history.len().min(self.steps);
        let recent = &history[history.len() - length..];
        for step in 0..self.steps {
            let label = match step.checked_sub(self.steps - length) {
                None => PADDING,
                Some(read) if recurrence.is_backward() => recent[length - 1 - read],
                Some(read) => recent[read],
            };
            self.labels[step * self.samples + sample] = label;
        }
    }

    /// How many labels each sample has, padding included.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// How many samples there are.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The label that one sample reads at one step; [`PADDING`] where there is none.
    pub fn label(&self, step: usize, sample: usize) -> u16 {
        self.labels[step * self.samples + sample]
    }

    /// All labels, [`PADDING`] included: number `step * samples + sample`.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_histories_are_padded_and_long_ones_cut() {
        let windows = Windows::of(&[&[1, 2, 3, 4], &[5]], 3, Recurrence::Gru);
        assert_eq!(windows.labels(), [2, PADDING, 3, PADDING, 4, 5]);
    }

    #[test]
    fn backward_windows_are_read_from_the_newest_move_after_the_padding() {
        let windows = Windows::of(&[&[1, 2, 3, 4], &[5, 6]], 3, Recurrence::BackwardLstm);
        assert_eq!(windows.labels(), [4, PADDING, 3, 6, 2, 5]);
    }
}
