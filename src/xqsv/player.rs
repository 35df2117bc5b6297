//! A network as a model of a person who plays xiangqi.

use std::sync::Arc;

use super::{
    Logits, Looker, Network, NetworkError, Parameters, Predictor, Recurrence, Structure, Told,
    View,
    filter::{average, filtered_ahead},
    mirrored_label,
    senses::{Mirrored, men_of},
    vocabulary::label_of,
};
use crate::{
    model::{Candidate, Effort, Model, Prediction, Score},
    xiangqi::{Color, Game, Move, Position, Role},
};

/// A person as an XQSV network: what is likely next after the last few moves of the game.
///
/// It remembers moves and, unless its structure has sight, sees no board but for the filter, which
/// leaves the legal moves only. Where its structure has look-ahead, it sees in each of them what a
/// person would, with all that the game knows of the moves before; [`Effort`] changes nothing. A
/// candidate's score is the balance of material after the move, or a mate where the move mates (or
/// stalemates, which wins too).
#[derive(Debug, Clone)]
pub struct XqsvModel {
    net: Net,
    /// Who looks at the moves, where the network has look-ahead.
    looker: Option<Looker>,
    rating: Option<u16>,
}

/// The network, in the form that is fastest for it.
#[derive(Debug, Clone)]
enum Net {
    Recurrent(Box<Predictor>),
    Residual(Arc<Network>),
}

impl XqsvModel {
    /// A model with these parameters.
    ///
    /// # Errors
    /// When a tensor cannot be read.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        let looker = parameters.structure().ahead.then(Looker::default);
        let net = match parameters.structure().recurrence {
            Recurrence::ResNet => Net::Residual(Arc::new(Network::new(parameters)?)),
            _ => Net::Recurrent(Box::new(Predictor::new(parameters)?)),
        };
        Ok(Self { net, looker, rating: None })
    }

    /// The same model playing like people of this rating against their like, where its network
    /// knows ratings; like people without a rating, who were professionals for the most part, where
    /// none is given.
    #[must_use]
    pub fn at_rating(self, rating: Option<u16>) -> Self {
        Self { rating, ..self }
    }

    /// The structure of its network.
    pub fn structure(&self) -> &Structure {
        match &self.net {
            Net::Recurrent(predictor) => predictor.structure(),
            Net::Residual(network) => network.structure(),
        }
    }

    /// How likely each of the legal moves is of which these are the labels.
    fn probabilities(&mut self, view: &View, legal: &[u16]) -> Vec<f64> {
        match &mut self.net {
            Net::Recurrent(predictor) => {
                let labels = predictor.logits(view).to_vec();
                filtered_ahead(&labels, legal, predictor.ahead())
            }
            Net::Residual(network) => {
                let told = Told::of(network.structure(), &[*view]);
                let logits = network.logits(&told).and_then(|Logits { labels, ahead }| {
                    let ahead = ahead.map(|ahead| ahead.to_vec1::<f32>()).transpose()?;
                    Ok((labels.to_vec2::<f32>()?, ahead.unwrap_or_default()))
                });
                let (labels, ahead) =
                    logits.expect("the network is whole and is told of what it sees");
                filtered_ahead(&labels[0], legal, &ahead)
            }
        }
    }
}

impl Model<Game> for XqsvModel {
    fn predict(
        &mut self,
        game: &Game,
        _effort: Effort,
        _interrupted: &dyn Fn() -> bool,
        _progress: &mut dyn FnMut(&Prediction<Move>),
    ) -> Prediction<Move> {
        let label = |position, m| label_of(position, m).expect("legal moves have labels");
        let played = game.played();
        let recent = &played[played.len().saturating_sub(self.structure().memory)..];
        let window: Vec<u16> = recent.iter().map(|(before, m)| label(before, *m)).collect();
        let position = game.position();
        let moves = position.legal_moves();
        let legal: Vec<u16> = moves.iter().map(|&m| label(position, m)).collect();
        let men: Vec<u16> =
            if self.structure().sees_board() { men_of(position).collect() } else { Vec::new() };
        let moves_seen = self.looker.as_mut().map(|looker| looker.look(game));
        let (ratings, seen) = ([self.rating; 2], moves_seen.as_ref());
        let view = View { history: &window, men: &men, ratings, moves: seen };
        let mut probabilities = self.probabilities(&view, &legal);
        if self.structure().looks_in_mirror() {
            let seen = self.looker.as_mut().map(|looker| looker.look_in_mirror(game));
            let (mirrored, legal) = (Mirrored::of(&view), legal.iter().map(|&l| mirrored_label(l)));
            let legal: Vec<u16> = legal.collect();
            average(&mut probabilities, &self.probabilities(&mirrored.view(seen.as_ref()), &legal));
        }
        let candidates: Vec<Candidate<Move>> = moves
            .iter()
            .zip(probabilities)
            .map(|(&m, probability)| {
                let score = score_after(position, m);
                Candidate { m, probability, score, line: vec![m] }
            })
            .collect();
        let nodes = candidates.len() as u64;
        Prediction::new(candidates, 1, nodes)
    }
}

/// What the position after a move is worth to the player who makes it.
fn score_after(position: &Position, m: Move) -> Score {
    let after = position.after(m);
    if after.legal_moves().is_empty() {
        return Score::Mate(1);
    }
    let material = after.board().material();
    let total = |color: Color| -> i32 {
        let count = match color {
            Color::Red => &material.red,
            Color::Black => &material.black,
        };
        Role::ALL.into_iter().map(|role| worth(role) * i32::from(*count.get(role))).sum()
    };
    let mover = position.turn();
    Score::Centipawns(total(mover) - total(!mover))
}

/// What a piece is worth in hundredths of a soldier, as beginners' books have it: an advisor or an
/// elephant two soldiers, a horse four, a cannon four and a half, a chariot nine.
const fn worth(role: Role) -> i32 {
    match role {
        Role::General => 0,
        Role::Soldier => 100,
        Role::Advisor | Role::Elephant => 200,
        Role::Horse => 400,
        Role::Cannon => 450,
        Role::Chariot => 900,
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Tensor};

    use super::*;
    use crate::{
        game::Game as _,
        xiangqi::records::{Header, Record},
        xqsv::{Dataset, Keep, Selection, observe},
    };

    fn model() -> XqsvModel {
        let structure = Structure { hidden: 8, memory: 2, ..Structure::default() };
        XqsvModel::new(&Parameters::random(structure, 1).unwrap()).unwrap()
    }

    fn predict(game: &Game) -> Prediction<Move> {
        model().predict(game, Effort::default(), &|| false, &mut |_| {})
    }

    #[test]
    fn a_model_that_sees_and_knows_ratings_takes_notice_of_both() {
        let structure =
            Structure { hidden: 8, memory: 1, sight: true, rating: true, ..Structure::default() };
        let model = XqsvModel::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let likeliest = |game: &Game, rating: Option<u16>| -> Vec<f64> {
            let mut model = model.clone().at_rating(rating);
            let prediction = model.predict(game, Effort::default(), &|| false, &mut |_| {});
            prediction.candidates().iter().map(|candidate| candidate.probability).collect()
        };
        // the same last move on two boards
        let one = after(&["h2e2", "h9g7", "h0g2"]);
        let other = after(&["b2e2", "h9g7", "h0g2"]);
        assert_ne!(likeliest(&one, None), likeliest(&other, None));
        assert_ne!(likeliest(&one, Some(1_000)), likeliest(&one, Some(1_600)));
    }

    #[test]
    fn play_and_evaluation_see_the_same_ahead() {
        let structure = Structure {
            hidden: 8,
            sight: true,
            ahead: true,
            ahead_hidden: 4,
            batch_norm: false,
            ..Structure::default()
        };
        // look-ahead starts with nothing to say
        let mut tensors = Parameters::random(structure, 1).unwrap().tensors().clone();
        for name in ["ahead.out", "ahead.weights"] {
            let count = tensors[name].elem_count();
            let numbers: Vec<f32> = (0..count).map(|i| (i * 7919 % 97) as f32 / 97.0).collect();
            let numbers = Tensor::from_vec(numbers, (count, 1), &Device::Cpu).unwrap();
            tensors.insert(name.to_owned(), numbers);
        }
        let parameters = Parameters::new(structure, tensors).unwrap();
        let texts = ["h2e2", "h9g7", "h0g2", "i9h9", "g2h0", "h9i9", "h0g2", "i9h9"];
        let moves = texts.iter().map(|m| m.parse().unwrap()).collect();
        let mut dataset = Dataset::new(Keep::ALL);
        dataset.push(&Record::new(Header::default(), Position::default(), moves).unwrap());
        let samples = dataset.select(&Selection::default());
        let network = Network::new(&parameters).unwrap();
        let mut model = XqsvModel::new(&parameters).unwrap();
        let mut observed = 0;
        observe(&network, &dataset, &samples, &mut |sample, observation| {
            let game = after(&texts[..sample.ply as usize]);
            let prediction = model.predict(&game, Effort::default(), &|| false, &mut |_| {});
            let played: Move = texts[sample.ply as usize].parse().unwrap();
            let candidate = prediction.candidates().iter().find(|candidate| candidate.m == played);
            let bits = -candidate.unwrap().probability.log2();
            assert!((bits - observation.bits).abs() < 1e-4, "{bits}, {observation:?}");
            observed += 1;
        })
        .unwrap();
        assert_eq!(observed, texts.len());
        // without what the moves look like, another player
        let plain = Structure { ahead: false, ..structure };
        let mut plain = XqsvModel::new(&Parameters::random(plain, 1).unwrap()).unwrap();
        let both = [&mut plain, &mut model].map(|model| {
            let prediction =
                model.predict(&Game::start(), Effort::default(), &|| false, &mut |_| {});
            prediction.candidates()[0].probability
        });
        assert_ne!(both[0], both[1]);
    }

    #[test]
    fn a_model_that_sees_plays_a_game_in_the_mirror_alike() {
        let structure = Structure { hidden: 8, sight: true, ahead: true, ..Structure::default() };
        let mut model = XqsvModel::new(&Parameters::random(structure, 1).unwrap()).unwrap();
        let game = after(&["h2e2", "h9g7", "h0g2", "i9h9"]);
        let mut likely = |game: &Game| -> Vec<(Move, f64)> {
            let prediction = model.predict(game, Effort::default(), &|| false, &mut |_| {});
            prediction.candidates().iter().map(|c| (c.m, c.probability)).collect()
        };
        let (here, there) = (likely(&game), likely(&game.mirrored()));
        for (m, probability) in here {
            let (_, other) = there.iter().find(|(other, _)| *other == m.mirrored()).unwrap();
            assert!((probability - other).abs() < 1e-6, "{m}: {probability}, {other}");
        }
    }

    fn after(moves: &[&str]) -> Game {
        let mut game = Game::start();
        for m in moves {
            game.play(&m.parse().unwrap());
        }
        game
    }

    #[test]
    fn every_legal_move_is_a_candidate_with_a_line_of_itself() {
        let prediction = predict(&Game::start());
        assert_eq!(
            (prediction.candidates().len(), prediction.depth, prediction.nodes),
            (44, 1, 44)
        );
        let total: f64 =
            prediction.candidates().iter().map(|candidate| candidate.probability).sum();
        assert!((total - 1.0).abs() < 1e-9);
        assert!(prediction.candidates().iter().all(|candidate| candidate.line == [candidate.m]));
    }

    fn probabilities(game: &Game) -> Vec<(Move, f64)> {
        predict(game).candidates().iter().map(|c| (c.m, c.probability)).collect()
    }

    #[test]
    fn only_the_last_m_moves_count() {
        // The horses go out and home again: the same board, and the same last two moves.
        let longer = after(&["b0c2", "b9c7", "c2b0", "c7b9", "h2e2", "h9g7"]);
        let shorter = after(&["h2e2", "h9g7"]);
        assert_eq!(probabilities(&longer), probabilities(&shorter));
        // The same board again, but not the same last moves.
        let other = after(&["h0g2", "h9g7", "g2h0", "b9c7", "h2e2", "c7b9"]);
        assert_ne!(probabilities(&other), probabilities(&shorter));
    }

    #[test]
    fn scores_are_material_after_the_move_or_mate() {
        let score = |game: &Game, text: &str| {
            let m: Move = text.parse().unwrap();
            predict(game).candidates().iter().find(|candidate| candidate.m == m).unwrap().score
        };
        let game = after(&["h2e2", "h9g7"]);
        assert_eq!(score(&game, "e2e6"), Score::Centipawns(100));
        assert_eq!(score(&game, "h0g2"), Score::Centipawns(0));
        let game = Game::from_fen("3k5/R8/9/9/9/9/9/9/9/4K3R w").unwrap();
        assert_eq!(score(&game, "i0i9"), Score::Mate(1));
    }

    #[test]
    fn without_a_legal_move_the_prediction_is_empty() {
        let mated = Game::from_fen("3k4R/R8/9/9/9/9/9/9/9/4K4 b").unwrap();
        assert!(predict(&mated).is_empty());
    }
}
