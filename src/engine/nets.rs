//! The nets at hand: those that ship inside the program, or those of a file or folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use thiserror::Error;

use crate::xqsv::{Card, Checkpoint, CheckpointError, NetworkError, XqsvModel};

/// A net inside the program.
struct Shipped {
    name: &'static str,
    card: &'static [u8],
    tensors: &'static [u8],
    /// What was read of it, once somebody asked.
    person: OnceLock<XqsvModel>,
}

/// The net called `nets/xiangqi/memory/NAME`, card and tensors.
macro_rules! shipped {
    ($name:literal) => {
        Shipped {
            name: $name,
            card: include_bytes!(concat!("../../nets/xiangqi/memory/", $name, ".toml")),
            tensors: include_bytes!(concat!("../../nets/xiangqi/memory/", $name, ".safetensors")),
            person: OnceLock::new(),
        }
    };
}

/// All nets inside the program, one for each range of a hundred points.
static SHIPPED: [Shipped; 7] = [
    shipped!("1000"),
    shipped!("1100"),
    shipped!("1200"),
    shipped!("1300"),
    shipped!("1400"),
    shipped!("1500"),
    shipped!("1600"),
];

/// Nets to choose from by rating.
///
/// Those that ship are read when they are chosen, so that a program that starts need not wait for
/// nets that nobody plays with.
#[derive(Debug, Default)]
pub struct Nets(Option<Vec<Net>>);

/// Why nets cannot be used.
#[derive(Debug, Error)]
pub enum NetsError {
    /// The file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no net in the folder.
    #[error("{}: no net in this folder, wanted files NAME.safetensors with NAME.toml", path.display())]
    None {
        /// The folder.
        path: PathBuf,
    },
    /// A net cannot be used.
    #[error(transparent)]
    Net(#[from] CheckpointError),
    /// The tensors of a net cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Nets {
    /// The net of a file, or all nets of a folder.
    ///
    /// # Errors
    /// When there is none, or one cannot be used.
    pub fn load(path: &Path) -> Result<Self, NetsError> {
        let unreadable = |source| NetsError::Unreadable { path: path.to_owned(), source };
        if !fs::metadata(path).map_err(unreadable)?.is_dir() {
            return Ok(Self(Some(vec![Checkpoint::load(path)?.try_into()?])));
        }
        let mut files = fs::read_dir(path)
            .and_then(|entries| {
                entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()
            })
            .map_err(unreadable)?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "safetensors"));
        files.sort();
        if files.is_empty() {
            return Err(NetsError::None { path: path.to_owned() });
        }
        let nets: Result<_, NetsError> =
            files.iter().map(|file| Checkpoint::load(file)?.try_into()).collect();
        Ok(Self(Some(nets?)))
    }

    /// Whether these are the nets that ship.
    pub fn ship(&self) -> bool {
        self.0.is_none()
    }

    /// The person of that rating, or of the highest where none is given.
    pub fn person(&self, rating: Option<u16>) -> XqsvModel {
        let person = match &self.0 {
            Some(nets) => nearest(nets, rating, |net| net.ratings).person.clone(),
            None => nearest(&SHIPPED, rating, |net| net.card().ratings).person().clone(),
        };
        person.at_rating(rating)
    }
}

/// The names and the cards of all nets inside the program.
pub fn shipped_cards() -> impl Iterator<Item = (&'static str, Card)> {
    SHIPPED.iter().map(|net| (net.name, net.card()))
}

/// A net read from its files.
#[derive(Debug)]
struct Net {
    /// The range of ratings that it is for; none for all.
    ratings: Option<[u16; 2]>,
    person: XqsvModel,
}

impl TryFrom<Checkpoint> for Net {
    type Error = NetsError;

    fn try_from(checkpoint: Checkpoint) -> Result<Self, NetsError> {
        let person = XqsvModel::new(&checkpoint.parameters)?;
        Ok(Self { ratings: checkpoint.card.ratings, person })
    }
}

impl Shipped {
    fn card(&self) -> Card {
        toml::from_slice(self.card).expect("a test reads every card that ships")
    }

    fn person(&self) -> &XqsvModel {
        self.person.get_or_init(|| self.read().expect("a test reads every net that ships").person)
    }

    fn read(&self) -> Result<Net, NetsError> {
        Checkpoint::from_bytes(self.name, self.card, self.tensors)?.try_into()
    }
}

/// The net whose range of ratings is nearest, or the one with the highest range where no rating
/// is given. A net for all ratings is never far, but any range that holds the rating is nearer.
fn nearest<N>(nets: &[N], rating: Option<u16>, ratings: impl Fn(&N) -> Option<[u16; 2]>) -> &N {
    let distance = |net: &N| match (ratings(net), rating) {
        (Some([low, _]), None) => (u16::MAX - low, 0),
        (None, None) => (u16::MAX, 0),
        (None, Some(_)) => (0, 1),
        (Some([low, high]), Some(rating)) => {
            let below = low.saturating_sub(rating);
            let above = (rating + 1).saturating_sub(high);
            (below.max(above), 0)
        }
    };
    nets.iter().min_by_key(|net| distance(net)).expect("there is at least one net")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::RANGE_WIDTH;

    /// What the nets that ship may take up, in bytes.
    const ROOM: usize = 48 << 20;

    #[test]
    fn every_net_that_ships_can_be_used_and_is_of_the_range_in_its_name() {
        for net in &SHIPPED {
            let lowest: u16 = net.name.parse().unwrap();
            assert_eq!(net.read().unwrap().ratings, Some([lowest, lowest + RANGE_WIDTH]));
        }
        assert!(SHIPPED.iter().map(|net| net.tensors.len()).sum::<usize>() < ROOM);
    }

    #[test]
    fn a_rating_chooses_the_net_of_its_range_and_beyond_all_ranges_the_nearest() {
        let chosen = |rating| nearest(&SHIPPED, rating, |net| net.card().ratings).name;
        let ratings = [Some(600), Some(1000), Some(1199), Some(1200), Some(1700), Some(2200), None];
        let names = ["1000", "1000", "1100", "1200", "1600", "1600", "1600"];
        assert_eq!(ratings.map(chosen), names);
    }

    #[test]
    fn the_nearest_range_is_chosen() {
        let nets = [None, Some([1000, 1100]), Some([1100, 1200]), Some([1400, 1500])];
        let chosen = |rating| *nearest(&nets, rating, |&ratings| ratings);
        assert_eq!(chosen(Some(1150)), Some([1100, 1200]));
        assert_eq!(chosen(Some(1250)), None, "a net for all ratings has learnt from these too");
        assert_eq!(chosen(None), Some([1400, 1500]));
        let ranges = &nets[1..];
        let chosen = |rating| *nearest(ranges, Some(rating), |&ratings| ratings);
        assert_eq!((chosen(800), chosen(2000)), (Some([1000, 1100]), Some([1400, 1500])));
        assert_eq!((chosen(1200), chosen(1390)), (Some([1100, 1200]), Some([1400, 1500])));
    }
}
