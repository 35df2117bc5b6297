use super::*;
use crate::attributes::full::{Circumstances, Fit, Samples, Settings, View};

const SHAPE: Shape = Shape { values: 7, placed: (3, 6), situations: 5, net: true };

/// Three moves of a small game.
fn samples(chosen: usize) -> Samples {
    let mut view = View::<usize>::default();
    for (m, numbers) in [&[0, 3][..], &[1, 3, 6], &[2, 4, 5]].into_iter().enumerate() {
        view.push(m, numbers);
    }
    view.situation = vec![1, 4];
    let mut samples = Samples::default();
    let circumstances = Circumstances { rating: 1800, other_rating: 1700, phase: 1.25 };
    samples.push(&view, chosen, circumstances, 70_000, 12);
    samples
}

/// Every move counts as much as it does on average, and nothing is dropped.
fn steadily(draw: &mut dyn FnMut() -> f32) -> Chance<'_> {
    Chance { draw, dropout: 0.0 }
}

/// The loss of the first sample and its gradient.
fn learnt(network: &Network, samples: &Samples) -> (f64, Vec<f32>) {
    let mut gradient = vec![0.0; network.parameters.len()];
    let loss = network.learn(
        &samples.get(0),
        &mut Scratch::default(),
        &mut gradient,
        &mut steadily(&mut || 0.5),
    );
    (loss, gradient)
}

fn loss(network: &Network, samples: &Samples) -> f64 {
    learnt(network, samples).0
}

#[test]
fn samples_give_back_what_was_put_in() {
    let samples = samples(2);
    let sample = samples.get(0);
    assert_eq!((sample.game, sample.ply, sample.chosen, sample.moves), (70_000, 12, 2, 3));
    assert_eq!(sample.situation, [1, 4]);
    assert_eq!(sample.each_move().collect::<Vec<_>>(), [&[0, 3][..], &[1, 3, 6], &[2, 4, 5]]);
    let mut file = Vec::new();
    samples.write(&mut file).unwrap();
    let mut read = Samples::default();
    assert!(read.read(&mut file.as_slice()).unwrap());
    assert_eq!(read, samples);
    assert!(read.read(&mut &file[..20]).is_err(), "cut short");
}

#[test]
fn the_gradient_agrees_with_finite_differences() {
    for net in [false, true] {
        let network = Network::new(Shape { net, ..SHAPE }, 3);
        let samples = samples(1);
        let (_, gradient) = learnt(&network, &samples);
        let mut checked = 0;
        for place in (0..gradient.len()).step_by(3) {
            let shifted = |by: f32| {
                let mut network = network.clone();
                network.parameters[place] += by;
                loss(&network, &samples)
            };
            let here = loss(&network, &samples);
            let (up, down) = ((shifted(1e-3) - here) / 1e-3, (here - shifted(-1e-3)) / 1e-3);
            if (up - down).abs() > 1e-3 {
                continue; // a ReLU bends here
            }
            let (slope, found) = ((up + down) / 2.0, f64::from(gradient[place]));
            assert!((slope - found).abs() < 1e-3, "{place}: {slope} and {found}");
            checked += usize::from(slope != 0.0);
        }
        assert!(checked > 3, "{checked} slopes were not zero");
    }
}

#[test]
fn what_is_seen_often_is_learnt_by_heart() {
    for (net, threads) in [(false, 1), (true, 2)] {
        let settings = Settings { rate: 0.02, threads, ..Settings::default() };
        let mut fit = Fit::new(Network::new(Shape { net, ..SHAPE }, 1), settings);
        let samples = samples(2);
        let before = fit.step(&samples, &[0], 1.0);
        (0..300).for_each(|_| {
            fit.step(&samples, &[0], 1.0);
        });
        let after = fit.step(&samples, &[0], 1.0);
        assert!((before - 3f64.ln()).abs() < 0.3 && after < 0.1, "{before} {after}");
    }
}

#[test]
fn a_fit_saved_and_resumed_goes_on_as_if_it_had_not_stopped() {
    let samples = samples(2);
    let steps = |fit: &mut Fit, count: usize| {
        (0..count).for_each(|_| {
            fit.step(&samples, &[0], 1.0);
            fit.take_average();
        });
    };
    let new = || Fit::new(Network::new(SHAPE, 1), Settings::default());
    let mut fit = new();
    steps(&mut fit, 5);
    let mut file = Vec::new();
    fit.save(&mut file).unwrap();
    let mut resumed = new();
    resumed.resume(&mut file.as_slice()).unwrap();
    assert!(new().resume(&mut &file[..file.len() - 1]).is_err());
    // no probability is small here, so that nothing is drawn by chance
    steps(&mut fit, 5);
    steps(&mut resumed, 5);
    assert_eq!(fit.finish(), resumed.finish());
}

#[test]
fn what_someone_does_more_often_than_expected_is_a_habit() {
    use crate::attributes::full::habits;
    let network = Network::new(Shape { net: false, ..SHAPE }, 1);
    let once = samples(1);
    let mut often = Samples::default();
    (0..60).for_each(|_| often.push_sample(&once.get(0)));
    let kinds: Vec<Vec<u16>> = (0..7).map(|number| vec![number]).chain([vec![0, 6]]).collect();
    let habits = habits(&network, &often, kinds.iter().map(Vec::as_slice));
    // the value six belongs to the move always played, one of three that are equally likely; so
    // does one, and three to it and another
    let of = |kind| habits.iter().find(|habit| habit.kind == kind).unwrap();
    assert_eq!((of(6).played, of(6).expected.round()), (60, 20.0));
    assert!((of(6).deviations() - 40.0 / (60.0f32 * 2.0 / 9.0).sqrt()).abs() < 1e-3);
    assert_eq!((of(3).played, of(3).expected.round()), (60, 40.0));
    assert!(of(0).deviations() < 0.0 && of(0).played == 0);
    // a kind of two values is met by moves that have either
    assert_eq!(of(7).played, 60);
    assert!((of(7).expected - of(0).expected - of(6).expected).abs() < 1e-2);
}

#[test]
fn several_members_predict_the_mean_and_learn_on_their_own() {
    let both = Network::of_members(SHAPE, 2, 5);
    let each = [5, 6].map(|seed| Network::new(SHAPE, seed));
    let samples = samples(1);
    let predict = |network: &Network| {
        let (sample, mut scratch) = (samples.get(0), Scratch::default());
        let moves: Vec<&[u16]> = sample.each_move().collect();
        network.predict(Basis::of(&sample.circumstances), sample.situation, &moves, &mut scratch);
        scratch.probabilities
    };
    let [one, other] = [predict(&each[0]), predict(&each[1])];
    for ((mean, one), other) in predict(&both).iter().zip(one).zip(other) {
        assert!((mean - 0.5 * (one + other)).abs() < 1e-7);
    }
    let ((loss, gradient), alone) = (learnt(&both, &samples), each.map(|n| learnt(&n, &samples)));
    assert_eq!(loss, 0.5 * (alone[0].0 + alone[1].0));
    assert_eq!(gradient, [alone[0].1.clone(), alone[1].1.clone()].concat());
    let parameters = both.parameters;
    assert!(Network::with_parameters(SHAPE, parameters[1..].to_vec()).is_none());
    assert!(Network::with_parameters(SHAPE, Vec::new()).is_none());
    assert!(Network::with_parameters(SHAPE, parameters).is_some());
}
