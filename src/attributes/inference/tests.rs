use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    attributes::{AttributeModel, Strategy, Weights, of_rating, play_game, published},
    chess,
    game::Game as _,
};

/// Moves of self-play from the standard start, both sides with these weights and strategy.
fn self_play(weights: Weights, strategy: Strategy, games: u32) -> Vec<Observed<chess::Game>> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let player = AttributeModel::new(weights, strategy);
    let mut observed = Vec::new();
    for record in 0..games {
        let mut game = chess::Game::start();
        for m in play_game(&game.clone(), &player, &player, 80, &mut rng) {
            observed.push(Observed { game: game.clone(), m, record });
            game.play(&m);
        }
    }
    observed
}

fn sample(observed: &[Observed<chess::Game>], strategy: Strategy) -> Sample {
    let mut sample = Sample::new(strategy);
    sample.extend(observed);
    sample
}

fn assert_recovered(fit: &Fit, wanted: &Weights, of: std::ops::Range<usize>) {
    let (got, errors) = (fit.weights.to_array(), fit.standard_errors.to_array());
    for i in of {
        let wanted = wanted.to_array()[i];
        let deviation = (got[i] - wanted) / errors[i];
        assert!(deviation.abs() < 3.5, "{}: {} ± {}", Weights::NAMES[i], got[i], errors[i]);
        assert!(errors[i] < 0.2 * wanted.abs(), "{}: ± {}", Weights::NAMES[i], errors[i]);
    }
}

#[test]
fn one_ply_weights_are_recovered_from_self_play() {
    let observed = self_play(published::ONE_PLY, Strategy::Min1Max1, 30);
    let settings = Settings { free: [true, true, false, false, true], ..Settings::default() };
    let fit = infer(&sample(&observed, Strategy::Min1Max1), &settings);
    assert!(fit.has_converged);
    assert_recovered(&fit, &published::ONE_PLY, 0..2);
    assert_eq!(fit.weights.attributes.center, 0.0);
    assert_eq!(fit.standard_errors.attributes.center, 0.0);
}

#[test]
fn looking_ahead_is_recovered_with_its_weights() {
    let weights = of_rating(1500.0);
    let truth = Weights::from_array(weights.to_array().map(|weight| 2.0 * weight));
    let observed = self_play(truth, Strategy::Min1Max2, 12);
    let fits = [Strategy::Min1Max1, Strategy::Min1Max2]
        .map(|strategy| infer(&sample(&observed, strategy), &Settings::default()));
    assert!(fits[1].has_converged);
    assert_recovered(&fits[1], &truth, 2..4);
    assert!(fits[1].message_bits < fits[0].message_bits - 20.0, "{fits:?}");
    assert!(fits[1].compression() < 1.0);
}

#[test]
fn steps_over_evidence_lead_to_the_likeliest_weights() {
    let observed = self_play(published::ONE_PLY, Strategy::Min1Max1, 30);
    let free = [true, true, false, false, false];
    let settings = Settings { free, held: published::ONE_PLY, ..Settings::default() };
    let part = infer(&sample(&observed[..1000], Strategy::Min1Max1), &settings);
    let whole = infer(&sample(&observed, Strategy::Min1Max1), &settings);
    let (mut at, mut errors) = (part.weights, part.standard_errors);
    for _ in 0..6 {
        let mut evidence = Evidence::default();
        for piece in observed.chunks(500) {
            evidence.merge(&sample(piece, Strategy::Min1Max1).evidence(&at));
        }
        assert_eq!(evidence.moves, whole.moves);
        (at, errors) = evidence.step(&at, &settings);
    }
    for i in 0..2 {
        let (found, wanted) = (at.to_array()[i], whole.weights.to_array()[i]);
        let error = whole.standard_errors.to_array()[i];
        assert!((found - wanted).abs() < 0.05 * error, "{found} ± {error}, wanted {wanted}");
        assert!((errors.to_array()[i] / error - 1.0).abs() < 0.05);
    }
}

#[test]
fn the_gradient_of_the_likelihood_agrees_with_finite_differences() {
    let observed = self_play(of_rating(1500.0), Strategy::Min1Max2, 1);
    let sample = sample(&observed[..20], Strategy::Min1Max2);
    let weights = of_rating(1900.0).to_array();
    let gradient = sample.likelihood(&Weights::from_array(weights)).gradient;
    for i in 0..Weights::COUNT {
        const STEP: f64 = 1e-5;
        let log = |step: f64| {
            let mut weights = weights;
            weights[i] += step;
            sample.likelihood(&Weights::from_array(weights)).log
        };
        let difference = (log(STEP) - log(-STEP)) / (2.0 * STEP);
        assert!((gradient[i] - difference).abs() < 1e-4, "{i}: {} {difference}", gradient[i]);
    }
}

#[test]
fn a_tiny_sample_and_none_at_all_have_finite_answers() {
    let observed = self_play(published::ADVANCED, Strategy::Min1Max1, 1);
    for moves in [0, 1, 3] {
        let fit = infer(&sample(&observed[..moves], Strategy::Min1Max1), &Settings::default());
        let prior = Prior::default().deviations.to_array();
        for (i, error) in fit.standard_errors.to_array().into_iter().enumerate() {
            assert!(fit.weights.to_array()[i].abs() < 3.0 * prior[i], "{fit:?}");
            assert!(error > 0.0 && error <= prior[i] + 1e-9, "{fit:?}");
        }
        assert!(fit.message_bits.is_finite());
    }
}

#[test]
fn a_move_that_is_not_legal_is_left_out() {
    let mut observed = self_play(published::ADVANCED, Strategy::Min1Max1, 1);
    observed.truncate(2);
    observed[1].m = observed[0].m;
    assert_eq!(sample(&observed, Strategy::Min1Max1).len(), 1);
}

#[test]
fn the_tally_of_a_sample_costs_what_the_fit_says() {
    let observed = self_play(of_rating(1500.0), Strategy::Min1Max1, 4);
    let sample = sample(&observed, Strategy::Min1Max1);
    let fit = infer(&sample, &Settings::default());
    let evaluation = sample.tally(&fit.weights).metrics().unwrap();
    assert_eq!((evaluation.plies, evaluation.games), (fit.moves, 4));
    assert!((evaluation.bits.mean - fit.bits_per_move()).abs() < 1e-9);
    assert!((evaluation.compression() - fit.compression()).abs() < 1e-9);
}

#[test]
fn predictions_of_parts_are_those_of_the_whole() {
    let observed = self_play(of_rating(1500.0), Strategy::Min1Max1, 1);
    let sample = sample(&observed, Strategy::Min1Max1);
    let weights = of_rating(1900.0);
    let predictions = sample.predictions(&weights);
    let bits: f64 = predictions.iter().map(Predicted::bits).sum();
    let evaluation = sample.tally(&weights).metrics().unwrap();
    assert!((bits / sample.len() as f64 - evaluation.bits.mean).abs() < 1e-9);
    for (predicted, observed) in predictions.iter().zip(&observed) {
        assert_eq!(observed.game.legal_moves()[predicted.played], observed.m);
        let highest = predicted.probabilities[predicted.likeliest()];
        assert!(predicted.probabilities.iter().all(|&probability| probability <= highest));
    }
    let part = sample.part([5, 2, usize::MAX]);
    let wanted = [predictions[5].clone(), predictions[2].clone()];
    assert_eq!(part.predictions(&weights), wanted);
}
