//! The locally-illegal-move filter: labels that name no legal move of the position are removed,
//! and what is left is scaled to sum to one.

/// How likely each legal move is, in the order of their labels in `legal`.
///
/// Where several moves share a label (soldiers may), its probability is divided evenly among them.
/// The paper does not say what it does there.
///
/// # Panics
/// When a label has no logit.
pub fn filtered(logits: &[f32], legal: &[u16]) -> Vec<f64> {
    filtered_ahead(logits, legal, &[])
}

/// The same with what look-ahead adds to the logit of each legal move; nothing where `ahead` is
/// empty. It tells moves apart that share a label.
///
/// # Panics
/// When a label has no logit.
pub fn filtered_ahead(logits: &[f32], legal: &[u16], ahead: &[f32]) -> Vec<f64> {
    debug_assert!(ahead.is_empty() || ahead.len() == legal.len(), "one for each move, or none");
    let ahead = ahead.iter().copied().chain(std::iter::repeat(0.0));
    let logits: Vec<f64> = legal
        .iter()
        .zip(ahead)
        .map(|(&label, ahead)| f64::from(logits[usize::from(label)]) + f64::from(ahead))
        .collect();
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut probabilities: Vec<f64> = legal
        .iter()
        .zip(logits)
        .map(|(label, logit)| {
            let sharing = legal.iter().filter(|&other| other == label).count();
            (logit - highest).exp() / sharing as f64
        })
        .collect();
    let total: f64 = probabilities.iter().sum();
    for probability in &mut probabilities {
        *probability /= total;
    }
    probabilities
}

/// Takes the mean of how likely moves are and of how likely they are in the mirror.
pub(super) fn average(here: &mut [f64], there: &[f64]) {
    for (here, there) in here.iter_mut().zip(there) {
        *here = 0.5 * (*here + there);
    }
}

/// How likely each label is when nothing is removed.
pub fn unfiltered(logits: &[f32]) -> Vec<f64> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut probabilities: Vec<f64> =
        logits.iter().map(|logit| f64::from(logit - highest).exp()).collect();
    let total: f64 = probabilities.iter().sum();
    for probability in &mut probabilities {
        *probability /= total;
    }
    probabilities
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_sums_to_one_and_sharers_share() {
        let logits = [0.0, 2.0_f32.ln(), 9.0, 1.0_f32.ln()];
        let probabilities = filtered(&logits, &[1, 0, 1, 3]);
        let wanted = [0.25, 0.25, 0.25, 0.25];
        for (got, wanted) in probabilities.iter().zip(wanted) {
            assert!((got - wanted).abs() < 1e-6, "{probabilities:?}");
        }
    }

    #[test]
    fn look_ahead_tells_sharers_apart() {
        let probabilities =
            filtered_ahead(&[0.0, 2.0_f32.ln()], &[1, 0, 1], &[3.0_f32.ln(), 0.0, 0.0]);
        for (got, wanted) in probabilities.iter().zip([0.6, 0.2, 0.2]) {
            assert!((got - wanted).abs() < 1e-6, "{probabilities:?}");
        }
    }

    #[test]
    fn without_a_legal_move_nothing_is_likely() {
        assert!(filtered(&[0.0; 4], &[]).is_empty());
    }

    #[test]
    fn unfiltered_labels_sum_to_one() {
        let probabilities = unfiltered(&[0.0, 3.0_f32.ln()]);
        assert!((probabilities[1] - 0.75).abs() < 1e-6);
    }
}
