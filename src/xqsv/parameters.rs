//! The tensors of a network: what they are called, their shapes, and how they start.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Tensor};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::{
    Structure, StructureError, Variable,
    ahead::attribute_values,
    recurrence::Cell,
    residual::{self, Layer},
    senses::{MEN, RATINGS},
    vocabulary::LABELS,
};

/// The numbers of one network: for a [`Structure`] exactly the tensors that it needs.
///
/// With H the hidden size, G the number of gates (3 for a GRU, 4 for an LSTM), L = 755 labels and
/// n counting the hidden fully connected layers from zero, K the size of look-ahead's hidden layer
/// and V the number of values of attributes:
///
/// | tensor | shape | what |
/// |--|--|--|
/// | `recurrent.table` | `[L, G·H]` | the row that each label adds to the gates' sums |
/// | `recurrent.kernel` | `[G·H, H]` | multiplies the memory |
/// | `recurrent.bias` | `[4·H]` | GRU: reset, update, recurrent part of the candidate, candidate; LSTM: input, forget, cell input, output |
/// | `first`, `block.n.first`, `block.n.second`, `squares`, `board`: `.kernel`, `.bias` | | of a residual network in place of these: outputs by inputs, 3 × 3 squares of channels |
/// | `normalization.scale`, `.shift`, `.mean`, `.variance` | `[H]` | where BN is on |
/// | `hidden.n.kernel`, `.bias` | `[H, H]`, `[H]` | outputs by inputs |
/// | `output.kernel`, `.bias` | `[L, H]`, `[L]` | outputs by inputs |
/// | `sight.table` | `[3780, H]` | where SEE is on: the row that each [man](super::men_of) adds |
/// | `rating.table` | `[36, H]` | where RAT is on: for the mover and then for the other no rating, and ratings from 800 to 2400 by hundreds, between which rows are mixed |
///
/// | `ahead.rows` | `[V, K]` | where LAH is on: the row that each value of an attribute adds to a move's hidden units |
/// | `ahead.kernel`, `.bias` | `[K, H]`, `[K]` | what the state adds to them |
/// | `ahead.out` | `[K, 1]` | the weight of each unit in the move's logit |
/// | `ahead.weights` | `[V, 1]` | the weight of each value of an attribute in it |
///
/// Gates stand in the order reset, update, candidate, or input, forget, cell input, output: those
/// of PyTorch.
#[derive(Debug, Clone)]
pub struct Parameters {
    structure: Structure,
    tensors: BTreeMap<String, Tensor>,
}

/// A tensor that a structure needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Specification {
    pub name: String,
    pub shape: Vec<usize>,
    pub start: Start,
    pub kind: Kind,
}

/// The numbers with which a tensor starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Start {
    /// All the same.
    All(f32),
    /// Uniformly random between minus and plus this.
    Within(f32),
    /// The bias of an LSTM: one for the forget gate, so that cells last, else zero.
    LstmBias,
}

impl Start {
    /// Uniformly random within a range, or zero where there is none.
    fn within(range: f32) -> Self {
        if range > 0.0 { Self::Within(range) } else { Self::All(0.0) }
    }
}

/// What training does with a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A kernel of the hidden fully connected layers, to which FCR applies.
    Regularized,
    /// Any other that follows the gradient.
    Free,
    /// Statistics of the data: no gradient.
    Statistic,
}

/// The tables' rows start within this: the only input of a step is one row, so it must carry
/// more than the many small products of the memory.
const TABLE_RANGE: f32 = 0.5;
/// The rows of men start within this: thirty of them are summed up.
const MEN_RANGE: f32 = 0.2;
/// The rows of ratings start within this: what is there without them should come first.
const RATING_RANGE: f32 = 0.05;
/// The rows of attributes start within this: some thirty of them are summed up.
const AHEAD_RANGE: f32 = 0.1;

/// Why tensors make no network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The structure itself is out of range.
    #[error(transparent)]
    Structure(#[from] StructureError),
    /// The structure has a sense for something that the network was not told.
    #[error("a network with {}={} was told of {got} positions, wanted {wanted}", .variable.abbreviation(), .value)]
    Untold {
        /// The variable.
        variable: Variable,
        /// Its value.
        value: String,
        /// Of how many positions it was told.
        got: usize,
        /// How many were wanted.
        wanted: usize,
    },
    /// There is no recurrent layer.
    #[error("RNN=ResNet has no recurrent layer, wanted one to predict a move at a time")]
    NotRecurrent,
    /// A tensor is not there.
    #[error("tensor `{name}` is missing, wanted {wanted:?}")]
    Missing {
        /// Its name.
        name: String,
        /// The shape that was wanted.
        wanted: Vec<usize>,
    },
    /// A tensor has another shape than the structure says.
    #[error("tensor `{name}` has shape {got:?}, wanted {wanted:?}")]
    Shape {
        /// Its name.
        name: String,
        /// Its shape.
        got: Vec<usize>,
        /// The shape that was wanted.
        wanted: Vec<usize>,
    },
    /// A tensor holds something else than numbers of single or half precision.
    #[error("tensor `{name}` is of type {got:?}, wanted F16 or F32")]
    Type {
        /// Its name.
        name: String,
        /// Its type.
        got: DType,
    },
    /// A tensor that the structure does not have.
    #[error("tensor `{name}` does not belong to the structure {structure}")]
    Unknown {
        /// Its name.
        name: String,
        /// The structure.
        structure: Box<Structure>,
    },
    /// A number is not finite.
    #[error("tensor `{name}` holds a number that is not finite")]
    NotFinite {
        /// Its name.
        name: String,
    },
    /// The gradient is not finite: the learning rate is too high for this structure.
    #[error("the gradient is not finite after {steps} steps, wanted a lower learning rate")]
    Diverged {
        /// How many steps had been made.
        steps: u64,
    },
    /// An operation on tensors failed.
    #[error(transparent)]
    Tensor(#[from] candle_core::Error),
}

/// The tensors of a structure, in the order in which they are started.
///
/// # Errors
/// When the structure is out of range.
pub(super) fn specifications(structure: &Structure) -> Result<Vec<Specification>, NetworkError> {
    structure.check()?;
    let hidden = structure.hidden;
    let mut all = Vec::new();
    let mut add = |name: &str, shape: &[usize], start, kind| {
        all.push(Specification { name: name.to_owned(), shape: shape.to_vec(), start, kind });
    };
    match Cell::of(structure.recurrence) {
        Some(cell) => {
            let bias = if cell.has_cell() { Start::LstmBias } else { Start::All(0.0) };
            let width = cell.gates() * hidden;
            let memory_range = (hidden as f32).powf(-0.5);
            add("recurrent.table", &[LABELS, width], Start::Within(TABLE_RANGE), Kind::Free);
            add("recurrent.kernel", &[width, hidden], Start::Within(memory_range), Kind::Free);
            add("recurrent.bias", &[4 * hidden], bias, Kind::Free);
        }
        None => {
            for Layer { name, inputs, outputs, start } in residual::layers(structure) {
                let start = if start { even_range(inputs, outputs) } else { 0.0 };
                let kernel = format!("{name}.kernel");
                add(&kernel, &[outputs, inputs], Start::within(start), Kind::Free);
                add(&format!("{name}.bias"), &[outputs], Start::All(0.0), Kind::Free);
            }
        }
    }
    if structure.batch_norm {
        add("normalization.scale", &[hidden], Start::All(1.0), Kind::Free);
        add("normalization.shift", &[hidden], Start::All(0.0), Kind::Free);
        add("normalization.mean", &[hidden], Start::All(0.0), Kind::Statistic);
        add("normalization.variance", &[hidden], Start::All(1.0), Kind::Statistic);
    }
    for layer in 0..structure.fc_layers {
        let start = Start::Within(even_range(hidden, hidden));
        add(&format!("hidden.{layer}.kernel"), &[hidden, hidden], start, Kind::Regularized);
        add(&format!("hidden.{layer}.bias"), &[hidden], Start::All(0.0), Kind::Free);
    }
    let start = Start::Within(even_range(hidden, LABELS));
    add("output.kernel", &[LABELS, hidden], start, Kind::Free);
    add("output.bias", &[LABELS], Start::All(0.0), Kind::Free);
    // ours come last, so that the paper's start with the same numbers with or without them
    if structure.sight {
        add("sight.table", &[MEN, hidden], Start::Within(MEN_RANGE), Kind::Free);
    }
    if structure.rating {
        add("rating.table", &[RATINGS, hidden], Start::Within(RATING_RANGE), Kind::Free);
    }
    if structure.ahead {
        let (values, units) = (attribute_values(), structure.ahead_hidden);
        let start = Start::Within(even_range(hidden, units));
        add("ahead.rows", &[values, units], Start::Within(AHEAD_RANGE), Kind::Free);
        add("ahead.kernel", &[units, hidden], start, Kind::Free);
        add("ahead.bias", &[units], Start::All(0.0), Kind::Free);
        // nothing is added at first, so that a net that goes on with look-ahead begins as it was
        add("ahead.out", &[units, 1], Start::All(0.0), Kind::Free);
        add("ahead.weights", &[values, 1], Start::All(0.0), Kind::Free);
    }
    Ok(all)
}

/// Glorot's and Bengio's range, within which signals keep their size both ways.
fn even_range(inputs: usize, outputs: usize) -> f32 {
    (6.0 / (inputs + outputs) as f32).sqrt()
}

impl Specification {
    fn start(&self, rng: &mut ChaCha8Rng) -> Vec<f32> {
        let count: usize = self.shape.iter().product();
        match self.start {
            Start::All(number) => vec![number; count],
            Start::Within(range) => (0..count).map(|_| rng.random_range(-range..range)).collect(),
            Start::LstmBias => {
                let forget = count / 4..count / 2;
                (0..count).map(|unit| if forget.contains(&unit) { 1.0 } else { 0.0 }).collect()
            }
        }
    }
}

impl Parameters {
    /// The numbers with which training starts; the same seed gives the same numbers.
    ///
    /// # Errors
    /// When the structure is out of range.
    pub fn random(structure: Structure, seed: u64) -> Result<Self, NetworkError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let tensors = specifications(&structure)?
            .into_iter()
            .map(|specification| {
                let numbers = specification.start(&mut rng);
                let tensor = Tensor::from_vec(numbers, specification.shape, &Device::Cpu)?;
                Ok((specification.name, tensor))
            })
            .collect::<Result<_, NetworkError>>()?;
        Ok(Self { structure, tensors })
    }

    /// The numbers with which training starts that goes on from those of another structure: what
    /// SEE, RAT or LAH adds to that one starts anew.
    ///
    /// # Errors
    /// With the first tensor that is missing, unknown, or not as it should be.
    pub fn going_on(structure: Structure, from: &Self, seed: u64) -> Result<Self, NetworkError> {
        let mut tensors = from.tensors.clone();
        let ours = [
            (structure.sight && !from.structure.sight, "sight."),
            (structure.rating && !from.structure.rating, "rating."),
            (structure.ahead && !from.structure.ahead, "ahead."),
        ];
        if ours.iter().any(|&(is_new, _)| is_new) {
            let fresh = Self::random(structure, seed)?.tensors;
            let is_new = |name: &str| {
                ours.into_iter().any(|(is_new, prefix)| is_new && name.starts_with(prefix))
            };
            tensors.extend(fresh.into_iter().filter(|(name, _)| is_new(name)));
        }
        Self::new(structure, tensors)
    }

    /// Checks that `tensors` are exactly those of the structure, and finite.
    ///
    /// # Errors
    /// With the first tensor that is missing, unknown, or not as it should be.
    pub fn new(
        structure: Structure,
        tensors: impl IntoIterator<Item = (String, Tensor)>,
    ) -> Result<Self, NetworkError> {
        let mut given: BTreeMap<String, Tensor> = tensors.into_iter().collect();
        let mut tensors = BTreeMap::new();
        for Specification { name, shape, .. } in specifications(&structure)? {
            let Some(tensor) = given.remove(&name) else {
                return Err(NetworkError::Missing { name, wanted: shape });
            };
            if tensor.dims() != shape {
                let got = tensor.dims().to_vec();
                return Err(NetworkError::Shape { name, got, wanted: shape });
            }
            if !matches!(tensor.dtype(), DType::F16 | DType::F32) {
                return Err(NetworkError::Type { name, got: tensor.dtype() });
            }
            if !is_finite(&tensor)? {
                return Err(NetworkError::NotFinite { name });
            }
            tensors.insert(name, tensor);
        }
        match given.into_keys().next() {
            Some(name) => Err(NetworkError::Unknown { name, structure: Box::new(structure) }),
            None => Ok(Self { structure, tensors }),
        }
    }

    /// The structure whose tensors these are.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// All tensors by name.
    pub fn tensors(&self) -> &BTreeMap<String, Tensor> {
        &self.tensors
    }

    /// One tensor of the structure.
    pub(super) fn tensor(&self, name: &str) -> &Tensor {
        self.tensors.get(name).expect("it is one of the structure's")
    }

    /// The same numbers in half precision, for shipping.
    ///
    /// # Errors
    /// When a number is too large for half precision.
    pub fn halved(&self) -> Result<Self, NetworkError> {
        let halved = self
            .tensors
            .iter()
            .map(|(name, tensor)| Ok((name.clone(), tensor.to_dtype(DType::F16)?)))
            .collect::<Result<Vec<_>, NetworkError>>()?;
        Self::new(self.structure, halved)
    }
}

/// Whether all numbers are finite. Taken times zero, every number that is not becomes NaN.
fn is_finite(tensor: &Tensor) -> Result<bool, candle_core::Error> {
    let zeros = (tensor.to_dtype(DType::F32)? * 0.0)?;
    Ok(zeros.sum_all()?.to_scalar::<f32>()? == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Structure {
        Structure { hidden: 4, ..Structure::default() }
    }

    fn rejected(change: impl FnOnce(&mut BTreeMap<String, Tensor>)) -> String {
        let mut tensors = Parameters::random(small(), 1).unwrap().tensors;
        change(&mut tensors);
        Parameters::new(small(), tensors).unwrap_err().to_string()
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_gives_others() {
        let numbers = |seed| {
            let parameters = Parameters::random(small(), seed).unwrap();
            parameters.tensor("recurrent.kernel").to_vec2::<f32>().unwrap()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn what_does_not_fit_the_structure_is_named() {
        let tensor = |shape: &[usize]| Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap();
        assert_eq!(
            rejected(|t| drop(t.remove("output.bias"))),
            "tensor `output.bias` is missing, wanted [755]"
        );
        assert_eq!(
            rejected(|t| drop(t.insert("output.bias".into(), tensor(&[754])))),
            "tensor `output.bias` has shape [754], wanted [755]"
        );
        assert!(
            rejected(|t| drop(t.insert("hidden.1.bias".into(), tensor(&[4])))).starts_with(
                "tensor `hidden.1.bias` does not belong to the structure m=10 RNN=GRU"
            )
        );
        let not_a_number = (tensor(&[755]) / 0.0).unwrap();
        assert_eq!(
            rejected(|t| drop(t.insert("output.bias".into(), not_a_number))),
            "tensor `output.bias` holds a number that is not finite"
        );
    }

    #[test]
    fn without_our_variables_the_tensors_are_the_papers_with_or_without_them() {
        let with = Structure { sight: true, rating: true, ahead: true, ..small() };
        let (plain, with) =
            (Parameters::random(small(), 1).unwrap(), Parameters::random(with, 1).unwrap());
        let names = |parameters: &Parameters| -> Vec<String> {
            parameters.tensors.keys().cloned().collect()
        };
        let ours = [
            "ahead.bias",
            "ahead.kernel",
            "ahead.out",
            "ahead.rows",
            "ahead.weights",
            "rating.table",
            "sight.table",
        ];
        let mut wanted = names(&plain);
        assert!(wanted.iter().all(|name| !ours.contains(&name.as_str())), "{wanted:?}");
        wanted.extend(ours.map(str::to_owned));
        wanted.sort();
        assert_eq!(names(&with), wanted);
        for (name, tensor) in &plain.tensors {
            let numbers = |t: &Tensor| t.flatten_all().unwrap().to_vec1::<f32>().unwrap();
            assert_eq!(numbers(tensor), numbers(with.tensor(name)), "{name}");
        }
    }

    #[test]
    fn a_net_goes_on_with_a_new_sense_and_not_with_another_shape() {
        let plain = Parameters::random(small(), 1).unwrap();
        let seeing = Structure { sight: true, ..small() };
        let seeing = Parameters::going_on(seeing, &plain, 2).unwrap();
        let numbers = |p: &Parameters| p.tensor("output.kernel").to_vec2::<f32>().unwrap();
        assert_eq!(numbers(&seeing), numbers(&plain));
        let looking = Structure { ahead: true, ..*seeing.structure() };
        let looking = Parameters::going_on(looking, &seeing, 3).unwrap();
        assert_eq!(looking.tensor("sight.table").id(), seeing.tensor("sight.table").id());
        assert_eq!(looking.tensor("ahead.rows").dims(), [attribute_values(), 64]);
        let error = Parameters::going_on(small(), &seeing, 2).unwrap_err().to_string();
        assert!(error.starts_with("tensor `sight.table` does not belong to"), "{error}");
        let wider = Structure { hidden: 5, ..small() };
        let error = Parameters::going_on(wider, &plain, 2).unwrap_err().to_string();
        assert!(error.starts_with("tensor `recurrent.table` has shape [755, 12]"), "{error}");
    }

    #[test]
    fn the_sizes_are_those_of_table_2s_nets() {
        let millions = |text: &str| {
            let structure: Structure = text.parse().unwrap();
            let count: usize = specifications(&structure)
                .unwrap()
                .iter()
                .map(|specification| specification.shape.iter().product::<usize>())
                .sum();
            count as f64 / 1e6
        };
        assert!((millions("RHD=1024") - 7.3).abs() < 0.1, "{}", millions("RHD=1024"));
        assert!((millions("RNN=LSTM RHD=512") - 3.2).abs() < 0.1);
    }
}
