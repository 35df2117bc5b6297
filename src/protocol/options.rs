//! Options: how each dialect writes them, and those that belong to the conversation itself.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::todo
)]

use super::reply::Reply;
use crate::player::{Convention, OptionKind, OptionSpec};

/// Options of UCI that the conversation keeps for itself.
const OF_UCI: &[OptionSpec] = &[PONDER];

/// Options of UCCI that the conversation keeps for itself.
const OF_UCCI: &[OptionSpec] = &[
    OptionSpec {
        name: "usemillisec",
        kind: OptionKind::Check { default: false },
        help: "times come in milliseconds instead of seconds",
    },
    OptionSpec {
        name: "batch",
        kind: OptionKind::Check { default: false },
        help: "commands wait while a move is thought about, which they always do here",
    },
    OptionSpec {
        name: "debug",
        kind: OptionKind::Check { default: false },
        help: "also tell what is passed over in silence otherwise",
    },
    PONDER,
];

/// Announces that we can ponder. Whether we do is said with each `go`.
const PONDER: OptionSpec = OptionSpec {
    name: "Ponder",
    kind: OptionKind::Check { default: false },
    help: "the user interface may let the player think on the opponent's time",
};

/// Options that only make sense in UCI: in UCCI the game and its coordinates are settled.
const NOT_IN_UCCI: &[&str] =
    &["UCI_Variant", "UCI_Chess960", "ChessModel", "XiangqiModel", "XiangqiCoords"];

/// Options that both dialects know by names of their own: that of UCI, then that of UCCI.
const NAMES_IN_UCCI: &[(&str, &str)] = &[("OwnBook", "usebook")];

/// The name by which the player knows an option of a conversation by `convention`.
pub(super) fn own_name(convention: Convention, name: &str) -> &str {
    let is_meant = |(_, ucci): &&(&str, &str)| ucci.eq_ignore_ascii_case(name);
    match NAMES_IN_UCCI.iter().find(is_meant) {
        Some((own, _)) if convention == Convention::Ucci => own,
        _ => name,
    }
}

/// What introduces every option of a conversation by `convention` with a player that has `specs`.
pub(super) fn offered(convention: Convention, specs: &[OptionSpec]) -> Vec<Reply> {
    let is_ucci = convention == Convention::Ucci;
    let own = if is_ucci { OF_UCCI } else { OF_UCI };
    let of_player = specs.iter().filter(|spec| !(is_ucci && is_among(spec.name, NOT_IN_UCCI)));
    let mut offered: Vec<_> = own.iter().chain(of_player).copied().map(Reply::Option).collect();
    if is_ucci {
        offered.push(Reply::Button("newgame"));
    }
    offered
}

/// Whether setting this option asks nothing of the player, and is no mistake either.
///
/// Besides our own options without effect these are, in UCCI, all that no player has: its
/// specification says that unknown options are no errors.
pub(super) fn is_passed_over(convention: Convention, name: &str, specs: &[OptionSpec]) -> bool {
    if convention == Convention::Ucci {
        OptionSpec::find(OF_UCCI, name).is_some()
            || is_among(name, NOT_IN_UCCI)
            || OptionSpec::find(specs, name).is_none()
    } else {
        OptionSpec::find(OF_UCI, name).is_some()
    }
}

fn is_among(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| other.eq_ignore_ascii_case(name))
}

/// An option as UCI announces it.
pub(super) fn uci_line(spec: &OptionSpec) -> String {
    let name = spec.name;
    let default = spec.default_value();
    match spec.kind {
        OptionKind::Check { .. } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { min, max, .. } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Decimal { .. } => format!("option name {name} type string default {default}"),
        OptionKind::Combo { values, .. } => {
            format!("option name {name} type combo default {default}{}", variants(values))
        }
        OptionKind::Text => format!("option name {name} type string default <empty>"),
    }
}

/// An option as UCCI announces it: the name in lower case, the default last.
pub(super) fn ucci_line(spec: &OptionSpec) -> String {
    let of_ucci = NAMES_IN_UCCI.iter().find(|(own, _)| *own == spec.name);
    let name = of_ucci.map_or(spec.name, |(_, ucci)| ucci).to_ascii_lowercase();
    let default = spec.default_value();
    match spec.kind {
        OptionKind::Check { .. } => format!("option {name} type check default {default}"),
        OptionKind::Spin { min, max, .. } => {
            format!("option {name} type spin min {min} max {max} default {default}")
        }
        OptionKind::Decimal { .. } => format!("option {name} type string default {default}"),
        OptionKind::Combo { values, .. } => {
            format!("option {name} type combo{} default {default}", variants(values))
        }
        OptionKind::Text => format!("option {name} type string"),
    }
}

fn variants(values: &[&str]) -> String {
    values.iter().map(|value| format!(" var {value}")).collect()
}
