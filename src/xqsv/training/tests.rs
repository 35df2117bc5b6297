use std::fs;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{batch::targets, *};
use crate::{
    xiangqi::{
        Position,
        records::{Header, Record},
    },
    xqsv::{Activation, Keep, Looker, Structure, Variable, mirrored_label},
};

/// Ten games of random moves, always the same ones.
fn games() -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut dataset = Dataset::new(Keep::ALL);
    for _ in 0..10 {
        let mut position = Position::default();
        let mut played = Vec::new();
        for _ in 0..rng.random_range(20..30) {
            let moves = position.legal_moves();
            let m = moves[rng.random_range(0..moves.len())];
            played.push(m);
            position = position.after(m);
        }
        dataset.push(&Record::new(Header::default(), Position::default(), played).unwrap());
    }
    dataset
}

fn plan() -> Plan {
    let structure = Structure {
        hidden: 64,
        activation: Activation::Tanh,
        fc_layers: 0,
        input_dropout: 0.0,
        dropout: 0.0,
        ..Structure::default()
    };
    Plan { epochs: 4, patience: 0, batch: 32, rate: 1e-2, structure, ..Plan::default() }
}

/// A run on `games`, of which `report` sees each step.
fn run(
    plan: &Plan,
    folder: Option<&Path>,
    report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
) -> Result<Trained, TrainingError> {
    let games = games();
    let valid_samples = games.select(&Selection::default());
    let selection = Selection::default();
    let data = TrainingData {
        train: &games,
        selection: &selection,
        valid: &games,
        valid_samples: &valid_samples,
    };
    train(plan, None, &data, folder, Some(3), report)
}

fn numbers(trained: &Trained) -> Vec<f32> {
    trained.parameters.tensor("recurrent.kernel").flatten_all().unwrap().to_vec1().unwrap()
}

#[test]
fn ten_games_are_learnt_by_heart() {
    for (targets, epochs) in [(1, 20), (8, 100)] {
        let plan = Plan { targets, epochs, ..plan() };
        let trained = run(&plan, None, &mut |_| ControlFlow::Continue(())).unwrap();
        let last = trained.epochs.last().unwrap().valid.as_ref().unwrap();
        // The first moves are random: what no memory can tell apart stays unknown.
        assert!(last.top_1().mean > 0.93, "{targets}: {last:?}");
        assert!(trained.is_finished);
    }
}

#[test]
fn the_same_seed_gives_the_same_net_and_another_gives_another() {
    let trained = |seed| {
        let plan = Plan { seed, epochs: 1, mirror: true, ..plan() };
        numbers(&run(&plan, None, &mut |_| ControlFlow::Continue(())).unwrap())
    };
    assert_eq!(trained(1), trained(1));
    assert_ne!(trained(1), trained(2));
}

#[test]
fn a_run_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    let structure = Structure { input_dropout: 0.1, dropout: 0.1, ..plan().structure };
    let plan = Plan { epochs: 3, structure, ..plan() };
    let whole = run(&plan, None, &mut |_| ControlFlow::Continue(())).unwrap();
    for stop_after in [1, 7, 11] {
        let folder = tempfile::tempdir().unwrap();
        let mut left = stop_after;
        let mut stop = |report: &Report| {
            left -= usize::from(matches!(report, Report::Step { .. }));
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = run(&plan, Some(folder.path()), &mut stop).unwrap();
        assert!(!stopped.is_finished);
        let finished = run(&plan, Some(folder.path()), &mut |_| ControlFlow::Continue(())).unwrap();
        assert!(finished.is_finished);
        assert_eq!(numbers(&finished), numbers(&whole), "stopped after {stop_after}");
        assert_eq!(finished.epochs, whole.epochs);
    }
}

#[test]
fn a_run_killed_without_a_word_goes_on_from_what_was_kept() {
    let plan = Plan { epochs: 2, ..plan() };
    let whole = run(&plan, None, &mut |_| ControlFlow::Continue(())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut steps = 0;
    // A panic is the nearest that a test comes to being killed: nothing is kept on the way out.
    let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&plan, Some(folder.path()), &mut |_| {
            steps += 1;
            assert!(steps < 8, "killed");
            ControlFlow::Continue(())
        })
    }));
    assert!(killed.is_err());
    let finished = run(&plan, Some(folder.path()), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(numbers(&finished), numbers(&whole));
    let files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 6, "manifest, progress, start, network, optimizer and best");
}

#[test]
fn a_folder_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let go_on = &mut |_: &Report| ControlFlow::Continue(());
    let plan = Plan { epochs: 1, ..plan() };
    run(&plan, Some(folder.path()), go_on).unwrap();
    let error = run(&Plan { seed: 2, ..plan }, Some(folder.path()), go_on).unwrap_err();
    assert!(error.to_string().contains("belongs to a run with another plan"), "{error}");
}

#[test]
fn the_rate_rises_and_falls() {
    let plan = Plan { rate: 1.0, warm_up: 0.1, ..Plan::default() };
    assert_eq!(plan.rate_at(0.05), 0.5);
    assert_eq!(plan.rate_at(0.1), 1.0);
    assert!((plan.rate_at(0.55) - 0.5).abs() < 1e-12);
    assert!(plan.rate_at(1.0).abs() < 1e-12);
}

#[test]
fn windows_with_several_targets_predict_every_wanted_move_once() {
    let games = games();
    let selection = Selection { after_ply: 2, ..Selection::default() };
    let data =
        TrainingData { train: &games, selection: &selection, valid: &games, valid_samples: &[] };
    let plan = Plan { targets: 7, ..plan() };
    let mut predicted: Vec<Sample> = plan
        .windows(&data, 0)
        .into_iter()
        .flat_map(|window| targets(&plan, &data, window).collect::<Vec<_>>())
        .filter_map(|(sample, wanted)| sample.filter(|_| wanted))
        .collect();
    predicted.sort_unstable();
    assert_eq!(predicted, games.select(&selection));
}

#[test]
fn a_move_is_predicted_from_the_moves_before_it() {
    let games = games();
    let selection = Selection::default();
    let data =
        TrainingData { train: &games, selection: &selection, valid: &games, valid_samples: &[] };
    let plan = Plan { targets: 4, ..plan() };
    let mut noise = ChaCha8Rng::seed_from_u64(1);
    let game = games.game(0);
    for last in [1, 3, 12, game.len(), game.len() + 2] {
        let window = Sample { game: 0, ply: last as u32 };
        let batch = batch::of(&plan, &data, &[window], &mut noise).unwrap();
        let (steps, kept) = (batch.told.windows.steps(), batch.told.kept);
        assert_eq!((steps, kept), (13.min(last).max(kept), 4.min(last + 1)));
        for (rank, &target) in batch.targets.iter().enumerate() {
            let ply = (last + 1 + rank).checked_sub(kept).filter(|&ply| ply < game.len());
            assert_eq!(target, ply.map_or(PADDING, |ply| game[ply]));
            let Some(ply) = ply else { continue };
            // The step after which it is predicted has just read the move before.
            let read = batch.told.windows.label(steps - kept + rank, 0);
            assert_eq!(read, ply.checked_sub(1).map_or(PADDING, |before| game[before]));
        }
    }
}

/// A plan with everything that is ours.
fn our_plan() -> Plan {
    let structure = Structure {
        hidden: 32,
        sight: true,
        rating: true,
        fc_layers: 1,
        fc_activation: Activation::Relu,
        batch_norm: false,
        ..plan().structure
    };
    let targets = 4;
    let ours = Plan { structure, targets, mirror: true, legal_share: 0.5, ..plan() };
    Plan { average: 0.5, batch: 8, ..ours }
}

/// The same with look-ahead.
fn looking_plan() -> Plan {
    let structure = Structure { ahead: true, ahead_hidden: 8, ..our_plan().structure };
    Plan { structure, legal_share: 1.0, ..our_plan() }
}

#[test]
fn a_run_with_our_senses_that_was_stopped_goes_on_to_the_same_numbers() {
    goes_on_to_the_same_numbers(&our_plan(), "sight.table");
}

#[test]
fn a_run_with_look_ahead_that_was_stopped_goes_on_to_the_same_numbers() {
    goes_on_to_the_same_numbers(&looking_plan(), "ahead.rows");
}

fn goes_on_to_the_same_numbers(plan: &Plan, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(plan, None, &mut |_| ControlFlow::Continue(())).unwrap();
    for stop_after in [2, 3, 4] {
        let mut steps = 0;
        let stopped = run(plan, Some(folder.path()), &mut |report| {
            if let Report::Step { .. } = report {
                steps += 1;
            }
            if steps == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(!stopped.unwrap().is_finished);
    }
    let finished = run(plan, Some(folder.path()), &mut |_| ControlFlow::Continue(())).unwrap();
    assert!(finished.is_finished);
    assert_eq!(finished.moves, whole.moves);
    let bits = |trained: &Trained| -> Vec<f64> {
        trained.epochs.iter().map(|epoch| epoch.valid.as_ref().unwrap().bits.mean).collect()
    };
    assert_eq!(bits(&finished), bits(&whole));
    let table = |trained: &Trained| trained.parameters.tensors()[name].to_vec2::<f32>().unwrap();
    assert_eq!(table(&finished), table(&whole));
}

#[test]
fn look_ahead_wants_all_of_the_loss_over_legal_moves() {
    let error = Plan { legal_share: 0.5, ..looking_plan() }.check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "legal_share cannot be 0.5, wanted 1 with LAH=yes, which tells of legal moves alone"
    );
    let abbreviations = Variable::ALL.map(Variable::abbreviation);
    assert!(abbreviations.contains(&"LAH") && abbreviations.contains(&"LHD"));
}

#[test]
fn a_batch_holds_the_attributes_of_its_legal_moves_mirrored_or_not() {
    let games = games();
    let selection = Selection::default();
    let data =
        TrainingData { train: &games, selection: &selection, valid: &games, valid_samples: &[] };
    let (plan, mut looker) = (looking_plan(), Looker::default());
    let mut noise = ChaCha8Rng::seed_from_u64(1);
    let windows: Vec<Sample> = (0..8).map(|game| Sample { game, ply: 2 + 2 * game }).collect();
    let batch = batch::of(&plan, &data, &windows, &mut noise).unwrap();
    let (legal, _) = batch.legal.unwrap();
    let mut mirrored_windows = 0;
    for (rank, window) in windows.iter().enumerate() {
        for (step, (sample, _)) in targets(&plan, &data, *window).enumerate() {
            let position = step * windows.len() + rank;
            let moves = batch.told.ahead.of_position(position);
            let Some(sample) = sample else {
                assert!(moves.is_empty());
                continue;
            };
            let (labels, place) = games.legal(sample).unwrap();
            let is_mirrored = legal.members(position) != labels;
            mirrored_windows += usize::from(is_mirrored);
            let mut replay = games.replay(sample.game);
            let game = replay.at(sample.ply).unwrap();
            let (wanted, target) = if is_mirrored {
                (looker.look_in_mirror(game), mirrored_label(labels[place]))
            } else {
                (looker.look(game), labels[place])
            };
            assert_eq!(usize::from(batch.played[position]), place);
            assert_eq!(batch.targets[position], target);
            assert_eq!(legal.members(position)[place], target);
            let seen = batch.told.ahead.moves();
            for (move_, place) in moves.zip(0..) {
                assert_eq!(seen.members(move_), wanted.members(place));
            }
        }
    }
    assert!((4..28).contains(&mirrored_windows), "some of 32: {mirrored_windows}");
}

#[test]
fn so_many_updates_are_made_and_no_more() {
    let plan = Plan { updates: Some(9), epochs: 100, ..plan() };
    let mut steps = 0;
    let trained = run(&plan, None, &mut |report| {
        steps += usize::from(matches!(report, Report::Step { .. }));
        ControlFlow::Continue(())
    });
    assert_eq!((steps, trained.unwrap().moves), (9, 9 * plan.batch));
}

#[test]
fn a_window_of_the_whole_game_predicts_each_of_its_moves_once() {
    let games = games();
    let structure = Structure { memory: 40, ..plan().structure };
    let plan = Plan { targets: 40, batch: 2, structure, epochs: 1, ..plan() };
    let trained = run(&plan, None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(trained.moves, games.plies());
}

#[test]
fn games_that_lack_what_the_plan_needs_are_refused() {
    let games = Dataset::new(Keep::LEGAL);
    let selection = Selection::default();
    let (train, valid) = (&games, &games);
    let data = TrainingData { train, selection: &selection, valid, valid_samples: &[] };
    let error =
        super::train(&our_plan(), None, &data, None, None, &mut |_| ControlFlow::Continue(()));
    assert_eq!(
        error.unwrap_err().to_string(),
        "the games to learn from were read without men, wanted them for a network that sees the \
         board"
    );
}
