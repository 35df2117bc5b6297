//! Who may name whom: the layers of the program, kept by reading its source.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What a model asks of a game, which is all that a game may name of a model.
const GAME: &[&str] = &[
    "game",
    "attributes::Attribute",
    "attributes::Attributed",
    "attributes::ByAttribute",
    "attributes::Ending",
    "attributes::Positioned",
    "attributes::Seen",
    "attributes::full::Attribute",
    "attributes::full::Beheld",
    "attributes::full::Facts",
    "attributes::full::Family",
    "attributes::full::LAST_PHASE",
    "attributes::full::Look",
    "attributes::full::Man",
    "attributes::full::Men",
    "attributes::full::Past",
    "attributes::full::Reach",
    "attributes::full::Squares",
    "attributes::full::Step",
    "attributes::full::pair",
    "book::Entry",
    "book::Indexed",
    "book::Key",
];

/// Each layer and the layers it may name. A name with `::` stands for just those items.
const LAYERS: &[(&str, &[&str])] = &[
    ("digest", &[]),
    ("game", &[]),
    ("model", &["game"]),
    ("player", &["game", "model"]),
    ("chess", GAME),
    ("xiangqi", GAME),
    ("evaluation", &["game", "model"]),
    ("attributes", &["digest", "game", "model", "evaluation"]),
    ("book", &["digest", "game", "model"]),
    ("turing", &["game", "model", "attributes"]),
    ("explanation", &["game", "model", "attributes", "book"]),
    // networks with look-ahead are told what a person sees in a move
    ("xqsv", &["digest", "game", "model", "evaluation", "xiangqi", "attributes::full"]),
    ("protocol", &["game", "model", "player"]),
    ("engine", &["game", "model", "player", "chess", "xiangqi", "attributes", "book", "xqsv"]),
    (
        "cli",
        &[
            "game",
            "model",
            "evaluation",
            "player",
            "chess",
            "xiangqi",
            "attributes",
            "book",
            "explanation",
            "turing",
            "xqsv",
            "protocol",
            "engine",
        ],
    ),
];

#[test]
fn no_layer_names_one_that_it_may_not() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (layer, may_name) in LAYERS {
        let files = files_of(&src, layer);
        assert!(!files.is_empty(), "the layer {layer} has no file");
        for file in files {
            for path in crate_paths(&fs::read_to_string(&file).unwrap()) {
                let allowed = path.split("::").next() == Some(layer)
                    || may_name.iter().any(|name| covers(name, &path));
                if !allowed {
                    faults.push(format!("{} names {path}", file.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_of_the_crate_is_a_layer() {
    let lib = include_str!("../src/lib.rs");
    let modules: BTreeSet<_> = lib
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let layers: BTreeSet<_> = LAYERS.iter().map(|(layer, _)| *layer).collect();
    assert_eq!(modules, layers);
}

/// Whether a rule of the table allows `path`.
fn covers(rule: &str, path: &str) -> bool {
    path == rule || path.starts_with(&format!("{rule}::"))
}

/// All source files of a layer but those of tests, which may name what they are tried on.
fn files_of(src: &Path, layer: &str) -> Vec<PathBuf> {
    let file = src.join(layer).with_extension("rs");
    let mut files: Vec<_> = file.exists().then_some(file).into_iter().collect();
    let mut folders = vec![src.join(layer)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("tests.rs")
            {
                files.push(path);
            }
        }
    }
    files
}

/// Every path after `crate::` in the code, groups over several lines taken apart.
fn crate_paths(source: &str) -> Vec<String> {
    // tests may name what they are tried on
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join(" ");
    code.split("crate::").skip(1).flat_map(paths_at).collect()
}

/// The paths that a piece of code begins with: one, or those of a group in braces.
fn paths_at(code: &str) -> Vec<String> {
    let code = code.trim_start();
    if let Some(group) = code.strip_prefix('{') {
        return group_members(group).iter().flat_map(|member| paths_at(member)).collect();
    }
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let (head, rest) = code.split_at(end);
    if head.is_empty() {
        return Vec::new();
    }
    match rest.trim_start().strip_prefix("::").map(paths_at) {
        Some(tails) if !tails.is_empty() => {
            tails.iter().map(|tail| format!("{head}::{tail}")).collect()
        }
        _ => vec![head.to_owned()],
    }
}

/// The members of a group, given what follows its opening brace.
fn group_members(group: &str) -> Vec<String> {
    let mut members = vec![String::new()];
    let mut depth = 0;
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                members.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if let Some(member) = members.last_mut() {
            member.push(c);
        }
    }
    members.into_iter().filter(|member| !member.trim().is_empty()).collect()
}

#[test]
fn groups_are_taken_apart_over_line_ends() {
    let source = "use crate::{\n  game::{Game, Side},\n  player::Stop, // crate::engine\n};\nfn f() -> crate::model::Score { crate::chess::f() }";
    assert_eq!(
        crate_paths(source),
        ["game::Game", "game::Side", "player::Stop", "model::Score", "chess::f"]
    );
}
