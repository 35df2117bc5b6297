//! What goes into a network and what comes out.

use std::sync::Arc;

use candle_core::Tensor;

use crate::xqsv::{Ahead, Bags, Structure, View, Windows, senses::rating_rows};

/// What a network is told of several positions at once.
///
/// Positions are numbered `step * samples + sample`: all samples' first ones before all samples'
/// second ones.
#[derive(Debug, Clone)]
pub struct Told {
    /// The moves before them.
    pub windows: Arc<Windows>,
    /// After how many of the last steps it predicts a move; one is the paper's way.
    pub kept: usize,
    /// The men on the board, for networks with sight.
    pub men: Arc<Bags>,
    /// The rows of the ratings, for networks that know them.
    pub ratings: Arc<Bags>,
    /// The attributes of the legal moves, for networks with look-ahead.
    pub ahead: Arc<Ahead>,
}

/// What a network learns from at one step.
#[derive(Debug, Clone)]
pub struct Batch {
    /// What it is told.
    pub told: Told,
    /// The moves played, one for each position; [`PADDING`](crate::xqsv::PADDING) where there is
    /// none.
    pub targets: Arc<[u16]>,
    /// The legal moves of each position, and the share of the loss that is over these alone; the
    /// rest, or all without them, is over all labels. With look-ahead, which gives logits to legal
    /// moves alone, all of it is over these.
    pub legal: Option<(Arc<Bags>, f32)>,
    /// The place of the move played among the legal moves of each position, any where there is
    /// none; for networks with look-ahead.
    pub played: Arc<[u16]>,
}

/// What a network makes of several positions.
#[derive(Debug, Clone)]
pub struct Logits {
    /// The logit of each label in each position: `[positions, 755]`.
    pub labels: Tensor,
    /// What look-ahead adds to the logit of each legal move, those of one position after those of
    /// another: `[moves]`. None without look-ahead.
    pub ahead: Option<Tensor>,
}

impl Told {
    /// What a network of this structure is told of these positions.
    pub fn of(structure: &Structure, views: &[View]) -> Self {
        let histories: Vec<&[u16]> = views.iter().map(|view| view.history).collect();
        let windows = Windows::of(&histories, structure.memory, structure.recurrence);
        let (mut men, mut ratings) = (Bags::default(), Bags::default());
        let mut ahead = Ahead::default();
        for view in views {
            if structure.sees_board() {
                men.push(view.men.iter().copied());
            }
            if structure.rating {
                ratings.push_shared(rating_rows(view.ratings));
            }
            if let (true, Some(moves)) = (structure.ahead, view.moves) {
                ahead.push(moves);
            }
        }
        let windows = Arc::new(windows);
        let (men, ratings, ahead) = (Arc::new(men), Arc::new(ratings), Arc::new(ahead));
        Self { windows, kept: 1, men, ratings, ahead }
    }

    /// How many positions there are.
    pub(super) fn positions(&self) -> usize {
        self.kept * self.windows.samples()
    }
}
