//! The weights under which the moves of a sample are likeliest.
//!
//! The likelihood of one ply is that of a conditional logit and has one optimum; look-ahead makes
//! it smooth but no longer concave. So the optimiser (L-BFGS) starts from several weights on a part
//! of the sample and goes on from the best on the whole. Its coordinates are scaled by the Fisher
//! information, without which mobility and mate would differ by a factor of a thousand.

use std::{
    f64::consts::LN_2,
    sync::{Mutex, PoisonError},
};

use argmin::{
    core::{CostFunction, Error, Executor, Gradient},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use serde::{Deserialize, Serialize};

use super::{Prior, Sample, likelihood::Likelihood};
use crate::attributes::{Strategy, Weights, of_rating, published};

const N: usize = Weights::COUNT;

/// Moves on which the starts are tried, and positions of their look-aheads, whichever is less.
const TRIAL_MOVES: usize = 500;
const TRIAL_POSITIONS: usize = 10_000_000;
/// Steps of one run of the optimiser.
const MOST_STEPS: u64 = 60;
/// Runs of the optimiser, each scaled anew where the last one stopped.
const MOST_RUNS: usize = 6;
/// The optimum is found when a step of this many standard errors leads there.
const PRECISION: f64 = 1e-3;
/// Steps that the optimiser remembers.
const MEMORY: usize = 7;

/// What is inferred, and what is taken as given.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What is believed of the weights before any move is seen.
    pub prior: Prior,
    /// Which weights are inferred, in the order of [`Weights::to_array`].
    pub free: [bool; N],
    /// The values of the others.
    pub held: Weights,
    /// Weights to start from, beside those that are always tried.
    pub starts: Vec<Weights>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            prior: Prior::default(),
            free: [true; N],
            held: Weights::from_array([0.0; N]),
            starts: Vec::new(),
        }
    }
}

/// Weights inferred, and how certain they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// How far the player was taken to look.
    pub strategy: Strategy,
    /// The weights under which the moves, and the prior, are likeliest.
    pub weights: Weights,
    /// The standard error of each weight, from the Fisher information and the prior; zero for a
    /// weight that was held.
    pub standard_errors: Weights,
    /// How many moves the weights were inferred from.
    pub moves: usize,
    /// The moves' share of the message: `−Σ log2 Pr(move)`.
    pub bits: f64,
    /// `Σ log2 m`, m the number of legal moves.
    pub uniform_bits: f64,
    /// The length of the whole message, weights and moves, by Wallace and Freeman's MML87.
    pub message_bits: f64,
    /// Whether the optimum was found to within a thousandth of the standard errors.
    pub has_converged: bool,
}

impl Fit {
    /// The message's moves in parts of what they would take knowing the rules alone: `Comp %` of
    /// the source, as a fraction.
    pub fn compression(&self) -> f64 {
        self.bits / self.uniform_bits
    }

    /// Mean bits of a move.
    pub fn bits_per_move(&self) -> f64 {
        self.bits / self.moves as f64
    }
}

/// Finds the weights under which the moves of `sample` are likeliest.
///
/// Finite whatever the sample, even an empty one: what the moves leave open the prior settles,
/// and the standard errors say so. Uses all cores; the same on every run.
pub fn infer(sample: &Sample, settings: &Settings) -> Fit {
    let trial = sample.thinned(TRIAL_MOVES, TRIAL_POSITIONS);
    let start = starts(sample.strategy(), settings)
        .into_iter()
        .map(|start| optimum(&trial, settings, start))
        .max_by(|a, b| a.posterior.total_cmp(&b.posterior))
        .expect("there is always a start")
        .weights;
    let found = optimum(sample, settings, start);
    fit(sample, settings, &found)
}

/// Weights to try, those held put in.
fn starts(strategy: Strategy, settings: &Settings) -> Vec<Weights> {
    let mut starts = settings.starts.clone();
    let people = of_rating(1500.0);
    starts.push(people);
    // one ply has one optimum, wherever one starts
    if strategy.horizon().limit > 1 {
        let scaled =
            |weights: Weights, by: f64| Weights::from_array(weights.to_array().map(|w| w * by));
        starts.extend([scaled(people, 4.0), published::ADVANCED, scaled(published::ADVANCED, 0.4)]);
    }
    starts.into_iter().map(|start| hold(&start, settings)).collect()
}

fn hold(weights: &Weights, settings: &Settings) -> Weights {
    let (weights, held) = (weights.to_array(), settings.held.to_array());
    Weights::from_array(std::array::from_fn(
        |i| if settings.free[i] { weights[i] } else { held[i] },
    ))
}

/// Weights, with the logarithm of likelihood times prior and its gradient.
#[derive(Debug, Clone, Copy)]
struct Found {
    weights: Weights,
    posterior: f64,
    gradient: [f64; N],
    has_converged: bool,
}

fn posterior(sample: &Sample, settings: &Settings, weights: Weights) -> Found {
    let Likelihood { log, mut gradient } = sample.likelihood(&weights);
    for (sum, part) in gradient.iter_mut().zip(settings.prior.gradient(&weights)) {
        *sum += part;
    }
    let posterior = log + settings.prior.log_density(&weights, &settings.free);
    Found { weights, posterior, gradient, has_converged: false }
}

fn optimum(sample: &Sample, settings: &Settings, start: Weights) -> Found {
    let mut found = posterior(sample, settings, start);
    for _ in 0..MOST_RUNS {
        let scale = Scale::new(sample, settings, &found);
        found.has_converged = scale.scaled(&found.gradient).norm() < PRECISION;
        if found.has_converged {
            break;
        }
        let objective = Objective { sample, settings, scale: &scale, best: Mutex::new(found) };
        let before = found.posterior;
        objective.climb();
        found = objective.best.into_inner().unwrap_or_else(PoisonError::into_inner);
        if found.posterior <= before {
            break;
        }
    }
    found
}

/// Coordinates in which the posterior curves alike in all directions: `λ = λ0 + L⁻ᵀ u` with
/// `L Lᵀ` the information at `λ0`.
struct Scale {
    origin: Weights,
    free: Vec<usize>,
    cholesky: Cholesky<f64, Dyn>,
}

impl Scale {
    fn new(sample: &Sample, settings: &Settings, at: &Found) -> Self {
        let free: Vec<usize> = (0..N).filter(|&i| settings.free[i]).collect();
        let information = sample.information(&at.weights);
        let precisions = settings.prior.precisions();
        let matrix = DMatrix::from_fn(free.len(), free.len(), |row, column| {
            let (i, j) = (free[row], free[column]);
            information[i][j] + if i == j { precisions[i] } else { 0.0 }
        });
        let cholesky = Cholesky::new(matrix).unwrap_or_else(|| {
            // rounding alone can do this to a sum of squares and a positive diagonal
            let diagonal = free.iter().map(|&i| information[i][i] + precisions[i]);
            let diagonal = DVector::from_iterator(free.len(), diagonal);
            Cholesky::new(DMatrix::from_diagonal(&diagonal))
                .expect("a positive diagonal has a root")
        });
        Self { origin: at.weights, free, cholesky }
    }

    /// The weights at these coordinates.
    fn weights(&self, coordinates: &[f64]) -> Weights {
        let coordinates = DVector::from_column_slice(coordinates);
        let step = self
            .cholesky
            .l_dirty()
            .tr_solve_lower_triangular(&coordinates)
            .expect("the root of a positive matrix has no zero on its diagonal");
        let mut weights = self.origin.to_array();
        for (&i, step) in self.free.iter().zip(step.iter()) {
            weights[i] += step;
        }
        Weights::from_array(weights)
    }

    /// A gradient by the weights as one by the coordinates; its length is how many standard
    /// errors away the optimum is.
    fn scaled(&self, gradient: &[f64; N]) -> DVector<f64> {
        let gradient =
            DVector::from_iterator(self.free.len(), self.free.iter().map(|&i| gradient[i]));
        self.cholesky
            .l_dirty()
            .solve_lower_triangular(&gradient)
            .expect("the root of a positive matrix has no zero on its diagonal")
    }
}

/// What the optimiser climbs; keeps the best that it has seen.
struct Objective<'a> {
    sample: &'a Sample,
    settings: &'a Settings,
    scale: &'a Scale,
    best: Mutex<Found>,
}

impl Objective<'_> {
    fn climb(&self) {
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
            .with_tolerance_grad(PRECISION / 2.0)
            .and_then(|solver| solver.with_tolerance_cost(1e-9))
            .expect("both tolerances are positive");
        let problem = Problem { objective: self, last: Mutex::new(None) };
        let start = vec![0.0; self.scale.free.len()];
        let run = Executor::new(problem, solver)
            .configure(|state| state.param(start).max_iters(MOST_STEPS))
            .run();
        if let Err(error) = run {
            // a line search gives up where rounding hides the slope; what it found is kept
            log::debug!("the optimiser stopped: {error}");
        }
    }

    fn at(&self, coordinates: &[f64]) -> Found {
        let found = posterior(self.sample, self.settings, self.scale.weights(coordinates));
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if found.posterior > best.posterior {
            *best = found;
        }
        found
    }
}

/// The objective as the optimiser wants it: cost and gradient of the same point come from one
/// evaluation.
struct Problem<'a> {
    objective: &'a Objective<'a>,
    last: Mutex<Option<(Vec<f64>, Found)>>,
}

impl Problem<'_> {
    fn at(&self, coordinates: &[f64]) -> Found {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = last.as_ref().filter(|(at, _)| at == coordinates) {
            return *found;
        }
        let found = self.objective.at(coordinates);
        *last = Some((coordinates.to_vec(), found));
        found
    }
}

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, coordinates: &Vec<f64>) -> Result<f64, Error> {
        Ok(-self.at(coordinates).posterior)
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, coordinates: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let gradient = self.objective.scale.scaled(&self.at(coordinates).gradient);
        Ok(gradient.iter().map(|slope| -slope).collect())
    }
}

fn fit(sample: &Sample, settings: &Settings, found: &Found) -> Fit {
    let scale = Scale::new(sample, settings, found);
    let covariance = scale.cholesky.inverse();
    let mut standard_errors = [0.0; N];
    for (place, &i) in scale.free.iter().enumerate() {
        standard_errors[i] = covariance[(place, place)].sqrt();
    }
    let log_density = settings.prior.log_density(&found.weights, &settings.free);
    let log_likelihood = found.posterior - log_density;
    let log_determinant =
        2.0 * scale.cholesky.l_dirty().diagonal().iter().map(|root| root.ln()).sum::<f64>();
    let message = message_length(scale.free.len(), log_density, log_determinant, log_likelihood);
    Fit {
        strategy: sample.strategy(),
        weights: found.weights,
        standard_errors: Weights::from_array(standard_errors),
        moves: sample.len(),
        bits: -log_likelihood / LN_2,
        uniform_bits: sample.uniform_bits(),
        message_bits: message / LN_2,
        has_converged: found.has_converged,
    }
}

/// The length of a message, in nats: `−log h(λ) + ½ log |F| + n/2 (1 + log κ_n) − log Pr(data | λ)`
/// (C. Wallace and P. Freeman, "Estimation and inference by compact coding", 1987). The
/// information of the prior is counted in `F`, which keeps it positive where moves tell nothing.
fn message_length(
    weights: usize,
    log_density: f64,
    log_determinant: f64,
    log_likelihood: f64,
) -> f64 {
    /// Second moments of optimal quantising lattices in 1 to 5 dimensions (J. Conway and
    /// N. Sloane, "Sphere Packings, Lattices and Groups", table 2.3).
    const LATTICES: [f64; N] = [1.0 / 12.0, 0.080_188, 0.078_543, 0.076_603, 0.075_625];
    let lattice = match weights {
        0 => 0.0,
        n => 0.5 * n as f64 * (1.0 + LATTICES[n - 1].ln()),
    };
    -log_density + 0.5 * log_determinant + lattice - log_likelihood
}
