//! From windows of games to what a network learns from at one step.

use std::sync::Arc;

use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use super::{Plan, TrainingData};
use crate::xqsv::{
    Ahead, Bags, Batch, PADDING, ReplayError, Sample, Told, Windows,
    ahead::{Stretch, look_at},
    mirrored_label, mirrored_man,
    senses::rating_rows,
};

/// The plies that are predicted in a window, and whether each is there and wanted.
pub(super) fn targets<'a>(
    plan: &Plan,
    data: &'a TrainingData,
    window: Sample,
) -> impl Iterator<Item = (Option<Sample>, bool)> + 'a {
    let kept = plan.targets as u32;
    let plies = data.train.game(window.game).len() as u32;
    (0..kept).map(move |rank| {
        let ply = (window.ply + 1 + rank).checked_sub(kept).filter(|&ply| ply < plies);
        let sample = ply.map(|ply| Sample { game: window.game, ply });
        (sample, sample.is_some_and(|sample| data.train.wants(data.selection, sample)))
    })
}

/// The batch of some windows.
///
/// # Errors
/// When the network looks ahead and a game cannot be played again.
pub(super) fn of(
    plan: &Plan,
    data: &TrainingData,
    windows: &[Sample],
    noise: &mut ChaCha8Rng,
) -> Result<Batch, ReplayError> {
    let samples = windows.len();
    let structure = &plan.structure;
    let (steps, kept) = size(plan, windows);
    let plan = &Plan { targets: kept, ..plan.clone() };
    let mut labels = Windows::new(steps, samples);
    let mirrored: Vec<bool> =
        windows.iter().map(|_| plan.mirror && noise.next_u32().is_multiple_of(2)).collect();
    for (rank, (&window, &is_mirrored)) in windows.iter().zip(&mirrored).enumerate() {
        let game = data.train.game(window.game);
        let last = window.ply as usize;
        // a window may reach beyond the end of the game
        let beyond = last.saturating_sub(game.len());
        let from = last.saturating_sub(steps).min(game.len());
        let mut history: Vec<u16> =
            game[from..last.min(game.len())].iter().map(|&l| label(l, is_mirrored)).collect();
        history.extend(std::iter::repeat_n(PADDING, beyond));
        labels.set(rank, &history, structure.recurrence);
    }
    let mut wanted = vec![PADDING; kept * samples];
    let mut chosen = vec![None; kept * samples];
    for (rank, &window) in windows.iter().enumerate() {
        for (step, (sample, is_wanted)) in targets(plan, data, window).enumerate() {
            if let (Some(sample), true) = (sample, is_wanted) {
                let position = step * samples + rank;
                wanted[position] = label(data.train.label(sample), mirrored[rank]);
                chosen[position] = Some(sample);
            }
        }
    }
    let positions = || chosen.iter().enumerate().map(|(p, sample)| (sample, mirrored[p % samples]));
    let (mut men, mut ratings) = (Bags::default(), Bags::default());
    for (sample, is_mirrored) in positions() {
        if structure.sees_board() {
            let seen = sample.map_or(&[][..], |sample| data.train.men(sample));
            men.push(seen.iter().map(|&man| if is_mirrored { mirrored_man(man) } else { man }));
        }
        if structure.rating {
            let known = sample.map(|sample| data.train.ratings(sample));
            ratings.push_shared(known.into_iter().flat_map(rating_rows));
        }
    }
    let legal = (plan.legal_share > 0.0).then(|| {
        let mut bags = Bags::default();
        for (sample, is_mirrored) in positions() {
            let legal = sample.and_then(|sample| data.train.legal(sample));
            let legal = legal.map_or(&[][..], |(labels, _)| labels);
            bags.push(legal.iter().map(|&l| label(l, is_mirrored)));
        }
        (Arc::new(bags), plan.legal_share as f32)
    });
    let (mut ahead, mut played) = (Ahead::default(), Vec::new());
    if structure.ahead {
        ahead = look(data, &chosen, &mirrored)?;
        let place = |sample| data.train.legal(sample).map_or(0, |(_, place)| place as u16);
        played = chosen.iter().map(|sample| sample.map_or(0, place)).collect();
    }
    let (men, ratings, ahead) = (Arc::new(men), Arc::new(ratings), Arc::new(ahead));
    let told = Told { windows: Arc::new(labels), kept, men, ratings, ahead };
    Ok(Batch { told, targets: wanted.into(), legal, played: played.into() })
}

/// The attributes of all legal moves before the moves chosen, one window after the other at each
/// step.
fn look(
    data: &TrainingData,
    chosen: &[Option<Sample>],
    mirrored: &[bool],
) -> Result<Ahead, ReplayError> {
    let windows = mirrored.len();
    let stretch = |(rank, &is_mirrored)| {
        let samples = chosen.iter().skip(rank).step_by(windows).copied().flatten().collect();
        Stretch { samples, is_mirrored }
    };
    let stretches: Vec<Stretch> = mirrored.iter().enumerate().map(stretch).collect();
    let seen = look_at(data.train, &stretches)?;
    let mut seen: Vec<_> = seen.into_iter().map(Vec::into_iter).collect();
    let (mut ahead, nothing) = (Ahead::default(), Bags::default());
    for (position, sample) in chosen.iter().enumerate() {
        match sample {
            Some(_) => {
                let moves = seen[position % windows].next();
                ahead.push(&moves.expect("each that was chosen was looked at"));
            }
            None => ahead.push(&nothing),
        }
    }
    Ok(ahead)
}

/// How many steps are read in these windows, and after how many of the last ones a move is
/// predicted: no more than the longest of them needs, since padding tells nothing.
fn size(plan: &Plan, windows: &[Sample]) -> (usize, usize) {
    let longest = windows.iter().map(|window| window.ply as usize).max().unwrap_or(0);
    let kept = plan.targets.min(longest + 1);
    let steps = (plan.structure.memory + kept - 1).min(longest).max(kept);
    (steps, kept)
}

fn label(label: u16, is_mirrored: bool) -> u16 {
    if is_mirrored { mirrored_label(label) } else { label }
}
