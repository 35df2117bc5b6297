//! The command line as a user finds it: what it prints, what it complains of, how it ends.

// what helps a test is a test as well
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use errare::{
    chess,
    game::Game,
    xiangqi::{
        self, ByColor,
        records::{Header, Record, Writer},
    },
};
use serde_json::Value;
use tempfile::TempDir;

/// Exit codes.
const DONE: i32 = 0;
const FAILED: i32 = 1;
const WRONG_USAGE: i32 = 2;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn errare(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What a command prints that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = errare(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(DONE), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one object that a command prints.
fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// The one sentence that a command says that must fail.
fn complaint(arguments: &[&str]) -> String {
    let output = errare(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(FAILED), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    said.strip_prefix("errare: ").expect("a complaint says who complains").trim().to_owned()
}

/// A folder with a dozen games of either game, always the same.
struct Games {
    folder: TempDir,
}

impl Games {
    const COUNT: usize = 12;
    const PLIES: usize = 30;

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut csv = Vec::new();
        let mut writer = Writer::csv(&mut csv).unwrap();
        let mut pgn = String::new();
        for number in 0..Self::COUNT {
            let elo = ByColor { red: Some(1_205 + number as u16), black: Some(1_310) };
            let header = Header { id: format!("game {number}"), elo, ..Header::default() };
            let moves = moves(xiangqi::Game::start(), number);
            let start = xiangqi::Position::default();
            writer.write(&Record::new(header, start, moves).unwrap()).unwrap();
            let moves = moves_of_chess(number);
            let elo = (1_500 + number).to_string();
            let tags = [("White", "a"), ("Black", "b"), ("WhiteElo", &elo), ("BlackElo", "1610")];
            pgn += &chess::records::write_pgn(&tags, &chess::Game::start(), &moves);
        }
        writer.finish().unwrap();
        fs::write(folder.path().join("games.csv"), csv).unwrap();
        fs::write(folder.path().join("games.pgn"), pgn).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A path as an argument.
    fn at(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.at(name)
    }
}

fn moves_of_chess(number: usize) -> Vec<shakmaty::Move> {
    moves(chess::Game::start(), number)
}

/// The moves of a game that looks like no other, but not like random play either: each move is
/// near the front of the list.
fn moves<G: Game>(mut game: G, number: usize) -> Vec<G::Move> {
    let mut moves = Vec::new();
    for ply in 0..Games::PLIES {
        let legal = game.legal_moves();
        let Some(m) = legal.get((ply * 5 + number * 7) % 11 % legal.len().max(1)) else { break };
        game.play(m);
        moves.push(m.clone());
    }
    moves
}

#[test]
fn every_command_has_help() {
    let help = printed(&["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    for wanted in
        ["records", "prepare", "train", "adapt", "ablate", "evaluate", "describe", "perft"]
    {
        assert!(commands.contains(&wanted), "{wanted} is not among {commands:?}");
    }
    for name in commands.into_iter().filter(|name| *name != "help") {
        assert!(printed(&[name, "--help"]).contains(&format!("Usage: errare {name}")), "{name}");
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    for arguments in [
        &["nonsense"][..],
        &["--elo"],
        &["perft", "deep"],
        &["records"],
        &["records", "--to", "xqf", "games.csv"],
        &["records", "--output", "games.csv", "games.csv"],
        &["train", "run"],
        &["prepare", "set"],
        &["train", "--prepared", "set", "--train", "games.csv", "--", "run"],
        &["train", "--train", "games.csv", "--range", "everybody", "--", "run"],
        &["train", "--resume", "run", "--epochs", "3"],
        &["evaluate", "games.csv", "--json", "--csv"],
        &["evaluate", "games.csv", "--game", "go"],
    ] {
        let output = errare(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(WRONG_USAGE), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty() && !said.is_empty(), "{arguments:?}");
    }
}

#[test]
fn bad_input_ends_with_1_and_one_sentence() {
    let games = Games::new();
    let (csv, pgn) = (games.at("games.csv"), games.at("games.pgn"));
    let missing = games.at("missing");
    let empty = games.write("empty", "");
    let unknown = games.write("unknown", "hello there\n");
    let nowhere = games.at("nowhere/games.csv");
    let folder = games.folder.path().display().to_string();
    let weights = games.write("weights.toml", "[weights]\n");
    let run = games.at("run");
    let plain: Vec<&str> = vec![&csv, "--epochs", "1", &run];
    let train = |arguments: &[&str]| -> String {
        let all = [&["train", "--train"], &plain[..], arguments].concat();
        complaint(&all)
    };
    for (arguments, named) in [
        (vec!["records", &missing], "missing"),
        (vec!["records", &empty], "there is no game in"),
        (vec!["records", &unknown], "begins with `hello there`"),
        (vec!["records", &csv, "--to", "csv", "--output", &nowhere], "nowhere"),
        (vec!["records", &csv, "--to", "csv", "--output", &folder], "directory"),
        (vec!["records", &csv, "--to", "kaggle"], "--output"),
        (vec!["evaluate", &missing], "missing"),
        (vec!["evaluate", &empty], "is empty"),
        (vec!["evaluate", "-"], "--game"),
        (vec!["evaluate", &csv, "--net", &missing], "missing.toml"),
        (vec!["evaluate", &csv, "--net", &folder], "holds no net"),
        (vec!["evaluate", &csv, "--weights", &missing], "missing"),
        (vec!["evaluate", &pgn, "--weights", &weights], "weights.toml"),
        (vec!["evaluate", &pgn, "--model", "memory"], "xiangqi alone"),
        (vec!["evaluate", &pgn, "--range", "2000"], "no move of the range 2000"),
        (vec!["evaluate", &pgn, "--limit", "1", "--cross-table", &nowhere], "nowhere"),
        (vec!["describe", &missing], "missing"),
        (vec!["describe", &csv], "games.csv.toml"),
        (vec!["train", "--resume", &missing], "missing"),
        (vec!["evaluate", &csv, "--no-history", "--net", &folder], "--no-history"),
        (vec!["book", &pgn, "--output", &nowhere], "wanted a name in .toml"),
        (vec!["book", &pgn, "--least", "99", "--output", &weights], "less --least"),
        (vec!["explain", "--fen", "nonsense"], "--fen"),
        (vec!["explain", "--moves", "e2e5"], "e2e5"),
        (vec!["explain", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "no legal move"),
        (vec!["turing", &pgn, "--engine", &missing], "cannot be started"),
        (vec!["turing", &pgn, "--model", "memory"], "does not play"),
    ] {
        let said = complaint(&arguments);
        assert!(said.contains(named), "{arguments:?}: {said}");
    }
    for (arguments, named) in [
        (&["--set", "RHD"][..], "RHD"),
        (&["--set", "RHD=0"], "RHD cannot be 0"),
        (&["--set", "SIZE=1"], "`SIZE` is no structural variable"),
        (&["--structure", &missing], "missing"),
        (&["--structure", &weights], "weights.toml"),
        (&["--start-from", &missing], "missing.toml"),
        (&["--learning-rate", "2"], "rate cannot be 2"),
        (&["--hold-out", "1.5"], "--hold-out cannot be 1.5"),
        (&["--range", "2000"], "moves of the range 2000"),
    ] {
        let said = train(arguments);
        assert!(said.contains(named), "{arguments:?}: {said}");
    }
}

#[test]
fn games_converted_are_the_same_games() {
    let games = Games::new();
    let csv = games.at("games.csv");
    let wanted = object(&["records", &csv, "--json"]);
    assert_eq!(wanted["games"], Games::COUNT);
    assert_eq!(wanted["moves"], Games::COUNT * Games::PLIES);
    for format in ["csv", "pgn-iccs", "pgn-wxf", "pgn-chinese", "playok"] {
        let file = games.at("converted.zst");
        printed(&["records", &csv, "--to", format, "--output", &file]);
        let read = object(&["records", &file, "--json"]);
        assert_eq!(read["moves"], wanted["moves"], "{format}");
        assert_eq!(read["ratings"], wanted["ratings"], "{format}");
    }
    printed(&["records", &csv, "--to", "kaggle", "--output", &games.at("pair.csv")]);
    let read = object(&["records", &games.at("pair-moves.csv"), &games.at("pair.csv"), "--json"]);
    assert_eq!(read["ratings"], wanted["ratings"]);
}

#[test]
fn rejected_games_are_named_and_counted_and_no_more() {
    let games = Games::new();
    let text = "id,moves\na,h2e2 h9g7\nb,h2e2 h9h8\nc,h2e2\n";
    let file = games.write("broken.csv", text);
    let output = errare(&["records", &file, "--json"]);
    assert_eq!(output.status.code(), Some(DONE));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, format!("{file}, game 2, ply 2: h9h8 is not a legal move here\n"));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["games"], &summary["rejects"]), (&2.into(), &1.into()));
}

/// Trains a tiny net, quickly and always alike.
fn train(games: &Games, run: &str) -> Command {
    train_long(games, run, 12)
}

/// The same for so many epochs.
fn train_long(games: &Games, run: &str, epochs: u32) -> Command {
    let (csv, run) = (games.at("games.csv"), games.at(run));
    let mut command = command(&["train", "--train", &csv, "--valid", &csv, "--range", "1200"]);
    command
        .args(["--set", "RHD=12", "--set", "m=5", "--set", "RA=tanh", "--set", "#FC=0"])
        .args([
            "--epochs",
            &epochs.to_string(),
            "--patience",
            "0",
            "--batch",
            "8",
            "--learning-rate",
            "0.01",
        ])
        .args(["--threads", "1", &run]);
    command
}

#[test]
fn a_net_is_trained_evaluated_and_described() {
    let games = Games::new();
    let csv = games.at("games.csv");
    let net = games.at("nets/1200");
    let output = train(&games, "run").args(["--output", &net]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(DONE), "{said}");
    assert_eq!(said.matches("\nepoch ").count(), 12, "a line for each epoch: {said}");
    let curve = fs::read_to_string(games.path("run/curve.csv")).unwrap();
    assert_eq!(curve.lines().count(), 13);
    assert!(fs::read_to_string(games.path("run/curve.svg")).unwrap().starts_with("<svg"));

    let picture = games.at("cross.svg");
    let nets = games.at("nets");
    let evaluated = object(&[
        "evaluate",
        &csv,
        "--net",
        &nets,
        "--json",
        "--no-filter",
        "--cross-table",
        &picture,
    ]);
    let rows = evaluated["rows"].as_array().unwrap();
    let ranges: Vec<&Value> = rows.iter().map(|row| &row["range"]).collect();
    assert_eq!(ranges, [&Value::from(1_200), &1_300.into(), &"all".into()]);
    let [own, other] = [0, 1].map(|rank| rows[rank]["top1"].as_f64().unwrap());
    assert_eq!(rows[0]["n"], Games::COUNT * Games::PLIES / 2);
    assert!(own > 0.5 && own > other + 0.2, "it has learnt its range by heart: {own} {other}");
    assert!(rows[0]["legal_mass"].as_f64().unwrap() > 0.1);
    assert!(games.path("cross.svg").exists() && games.path("cross.csv").exists());

    let described = printed(&["describe", &net]);
    assert!(described.contains("rated 1200 to 1299"), "{described}");
    let top_1 = described.lines().find(|line| line.starts_with("top-1 ")).unwrap();
    assert!(top_1.contains(&format!("{:.2} %", 100.0 * own)), "{top_1} {own}");

    let again = train(&games, "other").args(["--start-from", &net]).output().unwrap();
    assert_eq!(again.status.code(), Some(DONE), "a net can be started from");
}

#[test]
fn a_prepared_set_trains_the_same_net_as_the_games_that_it_holds() {
    let games = Games::new();
    let (csv, set) = (games.at("games.csv"), games.at("sets/twelve"));
    printed(&["prepare", &set, "--train", &csv, "--valid", &csv, "--men"]);
    assert!(games.path("sets/twelve.games").exists());
    let train = |run: &str, from: &[&str], sight: &str| -> Output {
        let (run, net) = (games.at(run), games.at(&format!("{run}-net")));
        let tiny = ["--set", "RHD=8", "--set", "#FC=0", "--set", sight, "--legal-share", "0.5"];
        let ours = ["--epochs", "2", "--batch", "16", "--threads", "1", "--output", &net, &run];
        errare(&[&["train"], from, &tiny, &ours].concat())
    };
    let from_games = train("one", &["--train", &csv, "--valid", &csv], "SEE=yes");
    let from_set = train("two", &["--prepared", &set], "SEE=yes");
    for output in [&from_games, &from_set] {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(DONE), "{said}");
    }
    let net = |name: &str| fs::read(games.path(&format!("{name}-net.safetensors"))).unwrap();
    assert!(net("one") == net("two"));
    let beside = printed(&["evaluate", &csv, "--net", &games.at("one-net"), "--beside-paper"]);
    assert!(beside.contains("39.74 %") && beside.contains("97.38 %"), "{beside}");

    printed(&["prepare", &set, "--train", &csv]);
    let blind = train("three", &["--prepared", &set], "SEE=yes");
    let said = String::from_utf8_lossy(&blind.stderr).into_owned();
    assert!(said.contains("without the men on the board"), "{said}");
}

#[test]
fn a_structure_is_searched_by_workers_and_collected() {
    let games = Games::new();
    let (csv, search) = (games.at("games.csv"), games.at("search"));
    let adapt = |arguments: &[&str]| -> Output {
        let all = ["adapt", "--train", &csv, "--valid", &csv, "--threads", "1", "--phases", "2"];
        let tiny = ["--set", "RHD=8", "--set", "#FC=0", "--epochs", "1", "--batch", "32"];
        let values =
            ["--try", "m=2,4", "--try", "RNN=GRU,LSTM", "--try", "RDP=0", "--try", "RHD=6,12"];
        errare(&[&all[..], &tiny, &values, arguments, &[&search]].concat())
    };
    for worker in ["1/2", "2/2"] {
        let output = adapt(&["--trial", worker]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(DONE), "{said}");
        assert_eq!(said.matches("epoch 1 of 1").count(), 2, "each has its share: {said}");
    }
    let standing = printed(&["adapt", "--collect", &search]);
    assert!(standing.contains("phase 2: 2 of 2 trials are not done"), "{standing}");
    let output = adapt(&[]);
    let standing = String::from_utf8(output.stdout).unwrap();
    assert!(standing.contains("all phases are decided: m="), "{standing}");
    let structure = games.at("search/structure.toml");
    let output = train(&games, "run").args(["--structure", &structure]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(DONE), "what was found can be trained: {said}");
}

#[test]
fn ideas_are_left_out_one_by_one() {
    let games = Games::new();
    let (csv, folder) = (games.at("games.csv"), games.at("ablation"));
    let table = object(&[
        "ablate",
        "--train",
        &csv,
        "--valid",
        &csv,
        "--range",
        "1200",
        "--threads",
        "1",
        "--json",
        "--set",
        "RHD=8",
        "--set",
        "#FC=0",
        "--set",
        "#BL=1",
        "--set",
        "CH=4",
        "--epochs",
        "2",
        "--batch",
        "32",
        &folder,
    ]);
    let rows = table["rows"].as_array().unwrap();
    let variants: Vec<&Value> = rows.iter().map(|row| &row["variant"]).collect();
    assert_eq!(
        variants,
        [
            "whole",
            "no filter",
            "no Elo partition",
            "no Elo partition, RAT",
            "2D input (ResNet)",
            "perfect memory",
            "SEE",
            "LAH"
        ]
    );
    assert_eq!(rows[0]["paper_top1"], 0.3974);
    assert!(rows.iter().all(|row| row["updates"] == rows[0]["updates"]));
    let seen = |rank: usize| rows[rank]["moves_seen"].as_u64().unwrap();
    assert_eq!(seen(0), seen(2), "half of the moves are of the range");
    assert!(rows.iter().all(|row| row["n"] == Games::COUNT * Games::PLIES / 2));
}

#[test]
fn chess_is_evaluated_with_what_ships_and_with_files() {
    let games = Games::new();
    let pgn = games.at("games.pgn");
    let arguments =
        ["evaluate", &pgn, "--strategy", "min1max1", "--limit", "100", "--after-ply", "10"];
    let shipped = object(&[&arguments[..], &["--json"]].concat());
    let all = shipped["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((&all["range"], &all["n"]), (&"all".into(), &100.into()));
    assert!(all["uniform_bits"].as_f64().unwrap() > 3.0);
    let mut weights = "strategy = \"min1max1\"\n[weights]\n".to_owned();
    for name in ["material", "mobility", "center", "attacks", "mate"] {
        weights += &format!("{name} = 0.0\n");
    }
    let (first, second) =
        (games.write("zero.toml", &weights), games.write("naught.toml", &weights));
    let csv = printed(&[&arguments[..], &["--csv", "--weights", &first, &second]].concat());
    let all: Vec<&str> = csv.lines().filter(|line| line.contains(",all,100,")).collect();
    assert_eq!(all.len(), 2);
    assert!(all[0].starts_with("zero,") && all[1].starts_with("naught,"), "{csv}");
    assert_eq!(all[0].split_once(',').unwrap().1, all[1].split_once(',').unwrap().1);
    assert!(all[0].ends_with(",1"), "without weights bits are those of a uniform choice: {csv}");
}

#[test]
fn a_run_that_is_killed_anywhere_ends_as_if_it_had_not_been() {
    let games = Games::new();
    let train = |run: &str| train_long(&games, run, 6);
    let net = |run: &str| fs::read(games.path(run).join("net.safetensors")).unwrap();
    let started = Instant::now();
    assert!(train("whole").stderr(Stdio::null()).status().unwrap().success());
    let whole = started.elapsed();
    for kill in 0..10 {
        let run = format!("run {kill}");
        let mut child = train(&run).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(whole * (2 * kill + 1) / 20);
        child.kill().unwrap();
        child.wait().unwrap();
        let output = train(&run).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "killed for the {kill}th time: {said}");
        assert_eq!(net(&run), net("whole"), "killed for the {kill}th time");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_it_goes_on() {
    let games = Games::new();
    // longer than anybody waits
    let child = train_long(&games, "run", 1_000_000).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&games.path("run/curve.csv"));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(FAILED), "{said}");
    assert!(said.trim_end().ends_with("the same command goes on from there"), "{said}");
    assert!(games.path("run/progress.toml").exists());
    assert!(!games.path("run/net.safetensors").exists(), "there is no net before the end");
}

#[cfg(unix)]
fn wait_for(file: &Path) {
    let patience = Duration::from_secs(60);
    let started = Instant::now();
    while !file.exists() {
        assert!(started.elapsed() < patience, "{} does not come", file.display());
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn openings_are_counted_and_described() {
    let games = Games::new();
    let book = games.at("openings.toml");
    for file in ["games.pgn", "games.csv"] {
        let said = printed(&["book", &games.at(file), "--least", "2", "--output", &book]);
        assert!(said.contains(&format!("of {} games", Games::COUNT)), "{said}");
        let (card, counts) = (fs::read_to_string(&book).unwrap(), games.path("openings.book"));
        let counts = fs::read(counts).unwrap();
        if file == "games.pgn" {
            let read = errare::book::Book::load::<chess::Game>(&card, &counts).unwrap();
            assert_eq!(read.card.games, Games::COUNT as u64);
        } else {
            errare::book::Book::load::<xiangqi::Game>(&card, &counts).unwrap();
        }
        let described = printed(&["describe", &book]);
        assert!(described.contains("seen 2 times or oftener"), "{described}");
    }
}

#[test]
fn the_shares_of_a_move_sum_to_its_probability() {
    for (arguments, best) in [
        (&["explain", "--json", "--moves", "e2e4 e7e5 g1f3"][..], "b8c6"),
        (&["explain", "--json", "--game", "xiangqi", "--moves", "h2e2", "--elo", "1300"], "h9g7"),
    ] {
        let explained = object(arguments);
        let by_chance = explained["by_chance"].as_f64().unwrap();
        let moves = explained["moves"].as_array().unwrap();
        assert_eq!((moves.len(), moves[0]["move"].as_str()), (5, Some(best)));
        for of_move in moves {
            let shares = of_move["shares"].as_object().unwrap();
            assert_eq!(shares.len(), 3);
            let sum: f64 = shares.values().map(|share| share.as_f64().unwrap()).sum();
            let probability = of_move["probability"].as_f64().unwrap();
            assert!((by_chance + sum - probability).abs() < 1e-6, "{of_move}");
            assert!(!of_move["reasons"].as_array().unwrap().is_empty());
        }
    }
    let table = printed(&["explain", "--top", "2"]);
    assert!(table.starts_with("move  probability") && table.contains("look-ahead"), "{table}");
}

#[test]
fn games_of_a_model_are_told_from_others() {
    let games = Games::new();
    let told = object(&["turing", &games.at("games.pgn"), "--model", "lookahead", "--json"]);
    let contestant = &told["contestants"][0];
    assert_eq!(contestant["name"], "lookahead");
    assert_eq!(contestant["games"]["n"], 2 * Games::COUNT);
    assert!(contestant["games"]["auc"].as_f64().unwrap() > 0.8, "{contestant}");
    assert!(contestant["ten_moves"]["interval"].as_array().unwrap().len() == 2);
}

#[test]
fn history_can_be_taken_away() {
    let games = Games::new();
    for file in ["games.pgn", "games.csv"] {
        let file = games.at(file);
        let evaluate = |more: &[&str]| {
            let all = [&["evaluate", &file, "--json", "--limit", "100"], more].concat();
            object(&all)["rows"].as_array().unwrap().last().unwrap().clone()
        };
        let (with, without) = (evaluate(&[]), evaluate(&["--no-history"]));
        assert_eq!(with["n"], without["n"]);
        assert_ne!(with["bits"], without["bits"]);
        assert_ne!(with["bits"], evaluate(&["--no-book"])["bits"]);
    }
}
