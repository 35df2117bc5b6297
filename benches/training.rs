//! How many samples a second training learns from: the two networks of `benches/pytorch.py`, on
//! two threads. `cargo bench --bench training`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use errare::xqsv::{
    Batch, LABELS, Network, Optimizer, Parameters, Precision, Structure, Told, View,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Processor threads, as in `benches/pytorch.py`.
const THREADS: usize = 2;
/// Samples of a step.
const BATCH: usize = 256;
/// How long each measurement goes on at least.
const AT_LEAST: Duration = Duration::from_secs(4);

const NETWORKS: [(&str, &str); 2] = [
    ("GRU-512, m=10", "m=10 RNN=GRU RHD=512 RA=tanh RDP=0 BN=no DP=0 #FC=0"),
    ("LSTM-1024, m=20", "m=20 RNN=LSTM RHD=1024 RA=tanh RDP=0 BN=no DP=0 #FC=0"),
];

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(THREADS)
        .build_global()
        .expect("no thread was started before");
    for (name, text) in NETWORKS {
        let structure: Structure = text.parse().expect("a constant that is a structure");
        for precision in [Precision::Single, Precision::Bfloat] {
            let median = samples_per_second(structure, precision);
            println!("{name:16} {precision:?}: {median:.0} samples/s");
        }
    }
}

/// The median of steps on random labels.
fn samples_per_second(structure: Structure, precision: Precision) -> f64 {
    let parameters = Parameters::random(structure, 1).expect("the structure is in range");
    let network = Network::new(&parameters).expect("there is memory").with_precision(precision);
    let mut optimizer = Optimizer::new(&network, 0.01);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut label = || rng.random_range(0..LABELS as u16);
    let histories: Vec<Vec<u16>> =
        (0..BATCH).map(|_| (0..structure.memory).map(|_| label()).collect()).collect();
    let views: Vec<View> =
        histories.iter().map(|history| View { history, ..View::default() }).collect();
    let told = Told::of(&structure, &views);
    let targets: Arc<[u16]> = (0..BATCH).map(|_| label()).collect();
    let batch = Batch { told, targets, legal: None, played: Arc::new([]) };
    let mut noise = ChaCha8Rng::seed_from_u64(2);
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 5 || start.elapsed() < AT_LEAST {
        let began = Instant::now();
        let loss = network.loss(&batch, &mut noise).expect("the batch is of the structure");
        let gradients = loss.backward().expect("the loss has a gradient");
        optimizer.step(&gradients, 1e-3).expect("the gradient is finite");
        times.push(began.elapsed().as_secs_f64());
    }
    // the first step fills the caches
    times.remove(0);
    times.sort_by(f64::total_cmp);
    BATCH as f64 / times[times.len() / 2]
}
