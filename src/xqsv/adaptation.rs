//! The search for a range's structure: variables in small groups, one phase after another.
//!
//! The paper searches its ten variables in five phases, two at a time in the order of Table I.
//! Each phase tries all pairs of values; variables of earlier phases have the values that were
//! best there, variables of later ones their defaults. What is best is told by accuracy (top-1) on
//! held-out games.
//!
//! A search lives in a folder: a manifest, and a folder for each trial, which is a training run
//! like any other. Whoever shares the folder may run trials, at the same time and on any machine,
//! as long as no two run the same one; nothing here starts or watches anybody. When all trials of
//! a phase are done, [`Search::collect`] names the winner and the next phase begins.

use std::{
    collections::BTreeSet,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, Parameters, Plan, Report, Structure, TrainingData, TrainingError, Variable,
    checkpoint::{read_toml, write_toml},
    train,
};
use crate::evaluation::Metrics;

/// How many phases the paper's search has, and how many variables each.
const PHASES: usize = 5;
const TOGETHER: usize = 2;

const MANIFEST: &str = "manifest.toml";
const OUTCOME: &str = "outcome.toml";
const SPENT: &str = "spent.toml";

/// What a search tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPlan {
    /// How many minutes each trial trains, validation included; none for all epochs of its plan.
    /// At least one epoch is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// The variables of each phase, with the values to try.
    pub phases: Vec<Vec<Choice>>,
    /// How each trial is trained. Its structure has the values of variables that no phase has
    /// reached.
    pub training: Plan,
}

/// A variable and the values to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The variable.
    pub variable: Variable,
    /// Its values, as [`Structure`]'s text form writes them.
    pub values: Vec<String>,
}

/// A search in its folder.
#[derive(Debug)]
pub struct Search {
    folder: PathBuf,
    plan: SearchPlan,
}

/// A structure that is tried in a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What distinguishes it from the others of its phase, as `m=10 RNN=GRU`.
    pub name: String,
    /// Its structure.
    pub structure: Structure,
    /// The folder of its run.
    pub folder: PathBuf,
}

/// What has come of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The structure.
    pub structure: Structure,
    /// How many epochs were made.
    pub epochs: usize,
    /// How well the net predicted after its best epoch.
    pub metrics: Metrics,
}

/// The best trial of a phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Winner {
    /// What distinguishes it from the others of its phase.
    pub name: String,
    /// How many trials it was the best of.
    pub trials: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// A phase that is not decided yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// Its number, from one.
    pub number: usize,
    /// All its trials, always in the same order.
    pub trials: Vec<Trial>,
}

impl SearchPlan {
    /// The paper's search: the ten variables of Table I in its order, two a phase, with all their
    /// candidate values.
    ///
    /// ```
    /// use errare::xqsv::{Plan, SearchPlan};
    ///
    /// let plan = SearchPlan::five_phases(Plan::default());
    /// let trials = |phase: usize| plan.phases[phase].iter().map(|c| c.values.len()).product::<usize>();
    /// assert_eq!([0, 1, 2, 3, 4].map(trials), [16, 12, 8, 20, 16]);
    /// ```
    pub fn five_phases(training: Plan) -> Self {
        let choice = |&variable: &Variable| Choice {
            variable,
            values: training
                .structure
                .candidates(variable)
                .iter()
                .map(|structure| structure.value(variable))
                .collect(),
        };
        let phases = Variable::ALL
            .chunks(TOGETHER)
            .take(PHASES)
            .map(|variables| variables.iter().map(choice).collect())
            .collect();
        Self { minutes: None, phases, training }
    }

    /// The trials of a phase, given what is known of the variables of all others.
    fn trials(
        &self,
        number: usize,
        base: Structure,
    ) -> Result<Vec<(String, Structure)>, TrainingError> {
        let mut names = vec![String::new()];
        for Choice { variable, values } in &self.phases[number - 1] {
            names = names
                .iter()
                .flat_map(|name| {
                    let gap = if name.is_empty() { "" } else { " " };
                    let abbreviation = variable.abbreviation();
                    values.iter().map(move |value| format!("{name}{gap}{abbreviation}={value}"))
                })
                .collect();
        }
        names
            .into_iter()
            .map(|name| {
                let structure = format!("{base} {name}").parse();
                let structure = structure.map_err(super::NetworkError::from)?;
                Ok((name, structure))
            })
            .collect()
    }
}

impl Search {
    /// Begins a search in a folder, or finds the one that was begun there with the same plan.
    ///
    /// # Errors
    /// When the folder belongs to another search or cannot be written to, or a value of the plan
    /// makes no structure that can be trained.
    pub fn open(folder: &Path, plan: &SearchPlan) -> Result<Self, TrainingError> {
        for number in 1..=plan.phases.len() {
            for (_, structure) in plan.trials(number, plan.training.structure)? {
                Plan { structure, ..plan.training.clone() }.check()?;
            }
        }
        let manifest = folder.join(MANIFEST);
        match read_toml::<SearchPlan>(&manifest)? {
            None => {
                make_folder(folder)?;
                write_toml(&manifest, plan)?;
            }
            Some(found) if found != *plan => {
                let what = "plan of its search";
                return Err(TrainingError::AnotherRun { folder: folder.to_owned(), what });
            }
            Some(_) => {}
        }
        Ok(Self { folder: folder.to_owned(), plan: plan.clone() })
    }

    /// The search that was begun in a folder; `None` where there is none.
    ///
    /// # Errors
    /// When its manifest cannot be read.
    pub fn find(folder: &Path) -> Result<Option<Self>, CheckpointError> {
        let plan = read_toml(&folder.join(MANIFEST))?;
        Ok(plan.map(|plan| Self { folder: folder.to_owned(), plan }))
    }

    /// The winners of all phases that are decided, in order.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn winners(&self) -> Result<Vec<Winner>, CheckpointError> {
        let mut winners = Vec::new();
        while let Some(winner) = read_toml(&self.winner_file(winners.len() + 1))? {
            winners.push(winner);
        }
        Ok(winners)
    }

    /// The best structure known: that of the last winner, or of the plan.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn structure(&self) -> Result<Structure, CheckpointError> {
        let winners = self.winners()?;
        let last = winners.last().map(|winner| winner.outcome.structure);
        Ok(last.unwrap_or(self.plan.training.structure))
    }

    /// The phase whose trials are to be run; `None` when all are decided.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn phase(&self) -> Result<Option<Phase>, TrainingError> {
        let number = self.winners()?.len() + 1;
        if number > self.plan.phases.len() {
            return Ok(None);
        }
        let folder = self.folder.join(format!("phase-{number}"));
        let trials = self.plan.trials(number, self.structure()?)?;
        let trial = |(name, structure): (String, Structure)| {
            // names of folders that no shell and no system has trouble with
            let folder = folder.join(name.replace(' ', "_").replace('#', ""));
            Trial { name, structure, folder }
        };
        Ok(Some(Phase { number, trials: trials.into_iter().map(trial).collect() }))
    }

    /// Runs a trial to its end, or on from where it was stopped; `None` when `report` stops it.
    ///
    /// No two may run the same trial at a time. A trial that is done is not run again.
    ///
    /// # Errors
    /// As [`train`]. Also when there is nothing to validate on, without which no trial is better
    /// than another.
    pub fn run(
        &self,
        trial: &Trial,
        start: Option<&Parameters>,
        data: &TrainingData,
        save_every: Option<usize>,
        report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, TrainingError> {
        if let Some(outcome) = trial.outcome()? {
            return Ok(Some(outcome));
        }
        let plan = Plan { structure: trial.structure, ..self.plan.training.clone() };
        let mut clock = Clock::of(trial, self.plan.minutes)?;
        let folder = Some(trial.folder.as_path());
        let trained = train(&plan, start, data, folder, save_every, &mut |said| {
            if report(said).is_break() {
                return ControlFlow::Break(());
            }
            clock.look(said)
        })?;
        clock.keep()?;
        if !trained.is_finished && !clock.is_over {
            return Ok(None);
        }
        let best = trained
            .epochs
            .iter()
            .filter_map(|epoch| epoch.valid.as_ref())
            .min_by(|a, b| a.bits.mean.total_cmp(&b.bits.mean));
        let metrics = best.cloned().ok_or(super::EvaluationError::Empty)?;
        let epochs = trained.epochs.len();
        let outcome = Outcome { structure: trial.structure, epochs, metrics };
        write_toml(&trial.folder.join(OUTCOME), &outcome)?;
        trial.tidy();
        Ok(Some(outcome))
    }

    /// Decides the phase under way if all its trials are done; `None` if some are not, or no phase
    /// is left.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn collect(&self) -> Result<Option<Winner>, TrainingError> {
        let Some(Phase { number, trials }) = self.phase()? else { return Ok(None) };
        let mut best: Option<(&Trial, Outcome)> = None;
        for trial in &trials {
            let Some(outcome) = trial.outcome()? else { return Ok(None) };
            let is_better = best.as_ref().is_none_or(|(_, best)| outcome.is_better_than(best));
            if is_better {
                best = Some((trial, outcome));
            }
        }
        let Some((trial, outcome)) = best else { return Ok(None) };
        let winner = Winner { name: trial.name.clone(), trials: trials.len(), outcome };
        write_toml(&self.winner_file(number), &winner)?;
        Ok(Some(winner))
    }

    fn winner_file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("phase-{number}.toml"))
    }
}

impl Phase {
    /// The trials that one of several workers runs: every `workers`-th, beginning with number
    /// `worker`, from one. Together the workers run all, and no two the same.
    pub fn share(&self, worker: usize, workers: usize) -> impl Iterator<Item = &Trial> {
        self.trials.iter().skip(worker - 1).step_by(workers)
    }

    /// The trials that are not done.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn undone(&self) -> Result<Vec<&Trial>, CheckpointError> {
        let mut undone = Vec::new();
        for trial in &self.trials {
            if trial.outcome()?.is_none() {
                undone.push(trial);
            }
        }
        Ok(undone)
    }
}

impl Trial {
    /// What has come of it; `None` while it is not done.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn outcome(&self) -> Result<Option<Outcome>, CheckpointError> {
        read_toml(&self.folder.join(OUTCOME))
    }

    /// Removes what it took to go on with the run, which is much; the best net stays.
    fn tidy(&self) {
        let needless: BTreeSet<&str> = ["network", "optimizer", "start"].into();
        for entry in self.folder.read_dir().into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = name.split(['-', '.']).next().unwrap_or_default();
            if name.ends_with(".safetensors")
                && needless.contains(kind)
                && let Err(error) = fs::remove_file(entry.path())
            {
                log::warn!("{}: {error}", entry.path().display());
            }
        }
    }
}

/// How much of a trial's time is spent, kept with the trial from one start to the next.
struct Clock {
    file: PathBuf,
    minutes: Option<f64>,
    /// Minutes spent before this start.
    before: f64,
    started: Instant,
    /// Whether the time was over.
    is_over: bool,
}

/// The file of a clock.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spent {
    minutes: f64,
}

impl Clock {
    fn of(trial: &Trial, minutes: Option<f64>) -> Result<Self, CheckpointError> {
        let file = trial.folder.join(SPENT);
        let before = read_toml::<Spent>(&file)?.unwrap_or_default().minutes;
        Ok(Self { file, minutes, before, started: Instant::now(), is_over: false })
    }

    fn spent(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64() / 60.0
    }

    /// Breaks when the time is over and one epoch at least was made.
    fn look(&mut self, said: &Report) -> ControlFlow<()> {
        let has_epoch = match said {
            Report::Step { epoch, .. } => *epoch > 0,
            Report::Epoch(_) => true,
        };
        self.is_over = has_epoch && self.minutes.is_some_and(|minutes| self.spent() >= minutes);
        if let Report::Epoch(_) = said
            && let Err(error) = self.keep()
        {
            log::warn!("{error}");
        }
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn keep(&self) -> Result<(), CheckpointError> {
        match self.minutes {
            None => Ok(()),
            Some(_) => write_toml(&self.file, &Spent { minutes: self.spent() }),
        }
    }
}

impl Outcome {
    /// Whether it predicts the likeliest move better, or else as well with fewer bits.
    fn is_better_than(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|outcome| outcome.metrics.top_1().mean);
        own > others || own == others && self.metrics.bits.mean < other.metrics.bits.mean
    }
}

fn make_folder(folder: &Path) -> Result<(), CheckpointError> {
    fs::create_dir_all(folder).map_err(|error| super::CheckpointFlaw::from(error).of(folder))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{
        xiangqi::{
            Position,
            records::{Header, Record},
        },
        xqsv::{Dataset, Selection},
    };

    fn games() -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut dataset = Dataset::new(true);
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
            vec![
                choice(Variable::InputDropout, ["0", "0.5"]),
                choice(Variable::Hidden, ["4", "16"]),
            ],
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
}
