//! Every option of the engine, declared once, and the values they have.

use crate::player::{OptionKind, OptionSpec};

/// The ratings that can be asked for: those of the records that people were learnt from.
pub const ELO: std::ops::RangeInclusive<i64> = 1000..=2200;

/// The words of `UCI_Variant`.
pub const VARIANTS: &[&str] = &["chess", "xiangqi"];

/// The words of `Model`.
pub const MODELS: &[&str] = &["errare", "lookahead", "memory"];

/// The words of `Strategy`: one for each strategy, and `auto`.
pub const STRATEGIES: &[&str] =
    &[AUTO, "min1max1", "min1max2", "min1max3", "min1max4", "min2max2", "forcing4"];

/// The word by which the engine chooses for itself.
const AUTO: &str = "auto";

/// All options. Protocol lines, command-line flags and the manual are made from this table.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "UCI_Variant",
        kind: OptionKind::Combo { default: "chess", values: VARIANTS },
        help: "the game to play where the position does not tell",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OptionKind::Check { default: false },
        help: "write castling as the king taking its own rook; both spellings are always read",
    },
    OptionSpec {
        name: "Model",
        kind: OptionKind::Combo { default: MODELS[0], values: MODELS },
        help: "who plays: errare, which knows all we know of people, or one of the two published \
               models, lookahead for chess and memory for xiangqi",
    },
    OptionSpec {
        name: "ChessModel",
        kind: OptionKind::Combo { default: AUTO, values: &[AUTO, "errare", "lookahead"] },
        help: "who plays chess, where that is to be somebody else than who plays xiangqi; auto is \
               as Model says",
    },
    OptionSpec {
        name: "XiangqiModel",
        kind: OptionKind::Combo { default: AUTO, values: &[AUTO, "errare", "memory"] },
        help: "who plays xiangqi, likewise",
    },
    OptionSpec {
        name: "OwnBook",
        kind: OptionKind::Check { default: true },
        help: "let errare play openings as people know them by heart; off plays them by what is \
               on the board alone",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: OptionKind::Check { default: false },
        help: "play like people rated UCI_Elo; off plays like the strongest people known",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: OptionKind::Spin { default: 1500, min: *ELO.start(), max: *ELO.end() },
        help: "the rating to play at while UCI_LimitStrength is on",
    },
    OptionSpec {
        name: "MultiPV",
        kind: OptionKind::Spin { default: 1, min: 1, max: 500 },
        help: "how many moves to show, likeliest first, each with its probability",
    },
    OptionSpec {
        name: "Temperature",
        kind: OptionKind::Decimal { default: 1.0, min: 0.0, max: 10.0 },
        help: "1 draws moves as often as people play them, less is steadier, 0 is the likeliest move",
    },
    OptionSpec {
        name: "TopP",
        kind: OptionKind::Decimal { default: 1.0, min: 0.0, max: 1.0 },
        help: "draw only among the fewest moves that together are this likely",
    },
    OptionSpec {
        name: "Seed",
        kind: OptionKind::Spin { default: 0, min: 0, max: i32::MAX as i64 },
        help: "repeat the same draws in the same game; 0 draws afresh each time",
    },
    OptionSpec {
        name: "Strategy",
        kind: OptionKind::Combo { default: AUTO, values: STRATEGIES },
        help: "how far the look-ahead looks; auto is what its weights were inferred with",
    },
    OptionSpec {
        name: "WeightsFile",
        kind: OptionKind::Text,
        help: "a file by errare infer: weights for the look-ahead, which then plays chess, or a network; \
               empty for what ships",
    },
    OptionSpec {
        name: "NetsPath",
        kind: OptionKind::Text,
        help: "a net, or a folder of nets, for the memory, which then plays xiangqi; empty for what \
               ships",
    },
    OptionSpec {
        name: "VerboseMoveStats",
        kind: OptionKind::Check { default: false },
        help: "print the probability of every legal move, in the form of lc0",
    },
    OptionSpec {
        name: "XiangqiCoords",
        kind: OptionKind::Combo { default: AUTO, values: &[AUTO, "0-9", "1-10"] },
        help: "how the ranks of the xiangqi board are counted; auto finds out",
    },
];
