use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    xiangqi::{
        Position,
        records::{Header, Record},
    },
    xqsv::{Dataset, Selection, Variable},
};

fn games() -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut dataset = Dataset::new(crate::xqsv::Keep::ALL);
    for _ in 0..6 {
        let mut position = Position::default();
        let mut moves = Vec::new();
        for _ in 0..20 {
            let legal = position.legal_moves();
            moves.push(legal[rng.random_range(0..legal.len())]);
            position.play_unchecked(moves[moves.len() - 1]);
        }
        dataset.push(&Record::new(Header::default(), Position::default(), moves).unwrap());
    }
    dataset
}

/// Two phases of four trials each, of nets so small that they take no time.
fn plan() -> SearchPlan {
    let structure = "RHD=6 RA=tanh BN=no #FC=0".parse().unwrap();
    let training = Plan { epochs: 2, batch: 16, rate: 0.01, structure, ..Plan::default() };
    let choice = |variable, values: [&str; 2]| Choice {
        variable,
        values: values.map(str::to_owned).to_vec(),
    };
    let phases = vec![
        vec![
            choice(Variable::Memory, ["1", "3"]),
            choice(Variable::Recurrence, ["LSTM", "backward-GRU"]),
        ],
        vec![choice(Variable::InputDropout, ["0", "0.5"]), choice(Variable::Hidden, ["4", "16"])],
    ];
    SearchPlan { minutes: None, phases, training }
}

/// What a worker does: its share of the phase under way, until it has made so many steps.
fn work(folder: &Path, worker: usize, workers: usize, mut steps: usize) {
    let games = games();
    let selection = Selection::default();
    let valid_samples = games.select(&selection);
    let data = TrainingData {
        train: &games,
        selection: &selection,
        valid: &games,
        valid_samples: &valid_samples,
    };
    let search = Search::open(folder, &plan()).unwrap();
    let Some(phase) = search.phase().unwrap() else { return };
    for trial in phase.share(worker, workers) {
        search
            .run(trial, None, &data, Some(2), &mut |_| {
                assert!(steps > 0, "killed");
                steps -= 1;
                ControlFlow::Continue(())
            })
            .unwrap();
    }
}

/// A worker that dies on the way. A panic is the nearest that a test comes to being killed.
fn work_and_die(folder: &Path, worker: usize, workers: usize, steps: usize) {
    let died = std::panic::catch_unwind(|| work(folder, worker, workers, steps));
    assert!(died.is_err());
}

#[test]
fn two_workers_of_whom_one_is_killed_find_what_one_alone_finds() {
    const ALL: usize = usize::MAX;
    let alone = tempfile::tempdir().unwrap();
    let shared = tempfile::tempdir().unwrap();
    let collect = |folder: &Path| Search::find(folder).unwrap().unwrap().collect().unwrap();
    for number in 1..=2 {
        work(alone.path(), 1, 1, ALL);
        let folder = shared.path();
        std::thread::scope(|scope| {
            scope.spawn(|| work(folder, 1, 2, ALL));
            scope.spawn(|| work_and_die(folder, 2, 2, 11));
        });
        assert_eq!(collect(folder), None, "a trial of the dead one is not done");
        let search = Search::find(folder).unwrap().unwrap();
        let phase = search.phase().unwrap().unwrap();
        assert_eq!(phase.number, number);
        assert!(!phase.undone().unwrap().is_empty());
        work(folder, 2, 2, ALL);
        let winner = collect(folder).unwrap();
        assert_eq!(winner.trials, 4);
        assert_eq!(Some(winner), collect(alone.path()));
    }
    let search = Search::find(shared.path()).unwrap().unwrap();
    assert_eq!(search.phase().unwrap(), None);
    let winners = search.winners().unwrap();
    let structure = search.structure().unwrap();
    assert_eq!(winners.len(), 2);
    assert_eq!(winners[1].outcome.structure, structure);
    // the second phase keeps what the first has found
    assert_eq!(structure.memory, winners[0].outcome.structure.memory);
    assert_eq!(structure.recurrence, winners[0].outcome.structure.recurrence);
    let bulk = |name: &str| name.starts_with("optimizer") || name.starts_with("network");
    for entry in shared.path().join("phase-1").read_dir().unwrap() {
        for file in entry.unwrap().path().read_dir().unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(!bulk(&name), "{name} is not needed any more");
        }
    }
}

#[test]
fn a_trial_ends_when_its_time_is_over_but_not_before_its_first_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let training = Plan { epochs: 1_000, patience: 0, ..plan().training };
    let plan = SearchPlan { minutes: Some(0.0), training, ..plan() };
    let games = games();
    let selection = Selection::default();
    let valid_samples = games.select(&selection);
    let data = TrainingData {
        train: &games,
        selection: &selection,
        valid: &games,
        valid_samples: &valid_samples,
    };
    let search = Search::open(folder.path(), &plan).unwrap();
    let trial = &search.phase().unwrap().unwrap().trials[0];
    let go_on = &mut |_: &Report| ControlFlow::Continue(());
    let outcome = search.run(trial, None, &data, None, go_on).unwrap().unwrap();
    assert_eq!(outcome.epochs, 1);
    assert_eq!(trial.outcome().unwrap(), Some(outcome));
}

#[test]
fn a_folder_of_another_search_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Search::find(folder.path()).unwrap().is_none());
    Search::open(folder.path(), &plan()).unwrap();
    Search::open(folder.path(), &plan()).unwrap();
    let mut other = plan();
    other.phases.pop();
    let error = Search::open(folder.path(), &other).unwrap_err().to_string();
    assert!(error.contains("another plan of its search"), "{error}");
}

#[test]
fn values_that_make_no_structure_are_refused_before_anything_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = plan();
    wrong.phases[1][1].values.push("0".to_owned());
    let error = Search::open(folder.path(), &wrong).unwrap_err().to_string();
    assert_eq!(error, "RHD cannot be 0, wanted 1 to 4096");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
