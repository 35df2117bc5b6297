//! Fitting a network to a store of samples, so that it can be interrupted and taken up.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Fit, Network, Samples, Scratch, Settings, Store};
use crate::evaluation::{Metrics, Tally};

/// The batches in which the rate rises from zero.
const WARM_UP: f32 = 300.0;
/// The part of a fit over which parameters are averaged, and every how many batches.
const AVERAGED: (f64, usize) = (0.25, 10);
/// How often the state is kept.
const KEEP_EVERY: Duration = Duration::from_secs(60);

/// How a network is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How often each sample is seen; parts of it are allowed.
    pub epochs: f64,
    /// How each step goes.
    pub settings: Settings,
}

impl Default for Plan {
    fn default() -> Self {
        Self { epochs: 2.0, settings: Settings::default() }
    }
}

/// How far a fit has come.
#[derive(Debug, Clone)]
pub struct Progress<'a> {
    /// The samples seen, repeated ones counted again, and how many it will be in all.
    pub seen: usize,
    /// How many it will be in all.
    pub total: usize,
    /// The mean bits of those of the last piece.
    pub bits: f64,
    /// The network of now.
    pub network: &'a Network,
}

/// Why a network was not fitted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The state is of another fit.
    #[error("{} keeps another fit, wanted one of the same samples and settings; use another folder", path.display())]
    AnotherFit {
        /// The file.
        path: PathBuf,
    },
    /// The loss is not a number any more.
    #[error("the fit went astray after {seen} samples; wanted a smaller learning rate")]
    Astray {
        /// The samples seen.
        seen: usize,
    },
}

/// Fits a network to the samples of a store, in an order that the seed decides. The state is kept
/// in the file, and a fit that finds it there goes on from it with the same result. Returns `None`
/// where `report`, called after each piece, broke it off.
///
/// # Errors
/// When a file cannot be read or written, the state is of another fit, or the fit goes astray.
pub fn fit(
    store: &Store,
    start: Network,
    plan: &Plan,
    state: &Path,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Option<Network>, FitError> {
    let file_error = |source| FitError::File { path: state.to_owned(), source };
    let mut run = Run::new(store, start, plan);
    if state.exists() {
        let mut file = BufReader::new(File::open(state).map_err(file_error)?);
        let is_ours = run.resume(&mut file).map_err(file_error)?;
        if !is_ours {
            return Err(FitError::AnotherFit { path: state.to_owned() });
        }
    }
    let mut kept = Instant::now();
    let mut samples = Samples::default();
    while run.seen < run.total {
        let bits = run.learn_piece(&mut samples).map_err(file_error)?;
        if !bits.is_finite() {
            return Err(FitError::Astray { seen: run.seen });
        }
        let network = run.fit.network();
        let is_over =
            report(Progress { seen: run.seen, total: run.total, bits, network }).is_break();
        if is_over || run.seen >= run.total || kept.elapsed() > KEEP_EVERY {
            run.keep(state).map_err(file_error)?;
            kept = Instant::now();
        }
        if is_over {
            return Ok(None);
        }
    }
    Ok(Some(run.fit.finish()))
}

/// What a network's predictions of a store are worth.
///
/// # Errors
/// When the store cannot be read.
pub fn judge(network: &Network, store: &Store) -> io::Result<Option<Metrics>> {
    let mut tally = Tally::default();
    let mut samples = Samples::default();
    let mut scratch = Scratch::default();
    for piece in 0..store.pieces() {
        store.read(piece, &mut samples)?;
        for sample in samples.iter() {
            tally.add(sample.game.into(), &network.observe(&sample, &mut scratch));
        }
    }
    Ok(tally.metrics())
}

struct Run<'a> {
    store: &'a Store,
    plan: &'a Plan,
    fit: Fit,
    /// What tells this fit from others.
    name: [u8; 32],
    seen: usize,
    total: usize,
    /// How many pieces were learnt.
    pieces: usize,
}

impl<'a> Run<'a> {
    fn new(store: &'a Store, start: Network, plan: &'a Plan) -> Self {
        let mut name = Sha256::new();
        name.update(format!("{plan:?} {} {}", store.len(), store.pieces()));
        start.parameters.iter().for_each(|parameter| name.update(parameter.to_le_bytes()));
        let total = (store.len() as f64 * plan.epochs) as usize;
        let fit = Fit::new(start, plan.settings);
        Self { store, plan, fit, name: name.finalize().into(), seen: 0, total, pieces: 0 }
    }

    /// The pieces in the order of an epoch.
    fn order(&self, epoch: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.store.pieces()).collect();
        order.shuffle(&mut self.rng(epoch as u64));
        order
    }

    fn rng(&self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.plan.settings.seed);
        rng.set_stream(stream + 1);
        rng
    }

    /// Learns the next piece, and returns the mean bits of its samples.
    fn learn_piece(&mut self, samples: &mut Samples) -> io::Result<f64> {
        let (epoch, place) = (self.pieces / self.store.pieces(), self.pieces % self.store.pieces());
        self.store.read(self.order(epoch)[place], samples)?;
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.shuffle(&mut self.rng((self.pieces as u64 + 1) << 32));
        // a run that is taken up draws what it would have drawn
        self.fit.draw_anew(self.pieces as u64);
        let mut loss = 0.0;
        for batch in order.chunks(self.plan.settings.batch) {
            let done = self.seen as f64 / self.total.max(1) as f64;
            let warm = (self.fit.batches() as f32 / WARM_UP).min(1.0);
            loss += self.fit.step(samples, batch, warm * (1.0 - done as f32).max(0.0));
            self.seen += batch.len();
            if done > 1.0 - AVERAGED.0 && self.fit.batches().is_multiple_of(AVERAGED.1) {
                self.fit.take_average();
            }
        }
        self.pieces += 1;
        Ok(loss / std::f64::consts::LN_2 / samples.len().max(1) as f64)
    }

    fn keep(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("new");
        let mut to = BufWriter::new(File::create(&new)?);
        to.write_all(&self.name)?;
        to.write_all(&(self.seen as u64).to_le_bytes())?;
        to.write_all(&(self.pieces as u64).to_le_bytes())?;
        self.fit.save(&mut to)?;
        to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(new, path)
    }

    /// Goes on from a state; `false` where it is of another fit.
    fn resume(&mut self, from: &mut impl Read) -> io::Result<bool> {
        let mut name = [0; 32];
        from.read_exact(&mut name)?;
        let mut numbers = [[0; 8]; 2];
        for number in &mut numbers {
            from.read_exact(number)?;
        }
        if name != self.name {
            return Ok(false);
        }
        [self.seen, self.pieces] = numbers.map(|number| u64::from_le_bytes(number) as usize);
        self.fit.resume(from)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::full::{Circumstances, Shape, StoreWriter, View};

    const SHAPE: Shape = Shape { values: 7, placed: (3, 6), situations: 5, net: true };

    /// Forty positions in which the move is played that has the value six.
    fn store(path: &Path) -> Store {
        let mut writer = StoreWriter::create(path).unwrap();
        for game in 0..40 {
            let mut view = View::<usize>::default();
            let chosen = game % 3;
            for m in 0..3 {
                let numbers: &[u16] = if m == chosen { &[1, 6] } else { &[m as u16, 4] };
                view.push(m, numbers);
            }
            view.situation = vec![(game % 5) as u16];
            let circumstances = Circumstances { rating: 1500, other_rating: 1500, phase: 1.0 };
            writer.piece().push(&view, chosen, circumstances, game as u32, 12);
            if game % 7 == 0 {
                writer.write_piece_for_tests();
            }
        }
        writer.finish().unwrap();
        Store::open(path).unwrap()
    }

    fn plan() -> Plan {
        let settings = Settings { batch: 4, rate: 0.01, dropout: 0.1, ..Settings::default() };
        Plan { epochs: 40.0, settings }
    }

    #[test]
    fn a_store_gives_back_what_was_put_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples");
        let store = store(&path);
        assert_eq!((store.len(), store.pieces()), (40, 7));
        let mut samples = Samples::default();
        store.read(6, &mut samples).unwrap();
        assert_eq!(samples.get(0).game, 36);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Store::open(&path).is_err(), "cut short");
    }

    #[test]
    fn a_fit_broken_off_goes_on_to_the_same_end() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder.path().join("samples"));
        let start = Network::new(SHAPE, 1);
        let whole = fit(&store, start.clone(), &plan(), &folder.path().join("whole"), &mut |_| {
            ControlFlow::Continue(())
        });
        let whole = whole.unwrap().unwrap();
        let state = folder.path().join("parts");
        let mut pieces = 0;
        let parts = loop {
            let part = fit(&store, start.clone(), &plan(), &state, &mut |_| {
                pieces += 1;
                if pieces % 50 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if let Some(network) = part.unwrap() {
                break network;
            }
        };
        assert!(pieces > 100);
        assert_eq!(whole, parts);
        let metrics = judge(&whole, &store).unwrap().unwrap();
        assert!(metrics.bits.mean < 0.1, "{:?}", metrics.bits);
    }

    #[test]
    fn the_state_of_another_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder.path().join("samples"));
        let state = folder.path().join("state");
        let once = |seed: u64, epochs: f64| {
            let plan = Plan { epochs, ..plan() };
            fit(&store, Network::new(SHAPE, seed), &plan, &state, &mut |_| ControlFlow::Break(()))
        };
        assert!(once(1, 2.0).unwrap().is_none());
        assert!(matches!(once(2, 2.0), Err(FitError::AnotherFit { .. })));
        assert!(matches!(once(1, 3.0), Err(FitError::AnotherFit { .. })));
    }
}
