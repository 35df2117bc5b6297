//! Whose play is this? The commands from self-play to weights, as somebody would use them.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// Two moves a side of Anna against Bert, without ratings.
const GAME: &str = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n";

/// A decided player who looks one ply ahead.
const PLAYER: &str = "strategy = \"min1max1\"\n[weights]\nmaterial = 2.0\nmobility = 0.1\n\
    center = 0.5\nattacks = 1.0\nmate = 15.0\n";
const WEIGHTS: [(&str, f64); 4] =
    [("material", 2.0), ("mobility", 0.1), ("center", 0.5), ("attacks", 1.0)];

fn errare(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_errare"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // a program that refuses its arguments does not read
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must succeed and gives what it printed.
fn succeed(arguments: &[&str], input: &[u8]) -> String {
    let output = errare(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("temporary paths are text").to_owned()
}

/// Games of the player against itself, as a PGN file in a folder.
fn games(folder: &Path, count: &str) -> String {
    let (weights, games) = (path(folder, "player.toml"), path(folder, "games.pgn.gz"));
    fs::write(&weights, PLAYER).expect("the folder is there");
    let flags = ["--games", count, "--seed", "7", "--plies", "120", "--output", &games];
    succeed(&[&["selfplay", "--white", &weights][..], &flags].concat(), b"");
    games
}

#[test]
fn bad_input_is_answered_with_what_was_wanted() {
    let broken = GAME.replace("Nc6", "Nc5");
    for (arguments, input, code, said) in [
        (&["-"][..], "", 1, "there is no game in standard input, wanted PGN"),
        (&["-", "--rating", "1500"], GAME, 1, "leave --rating out"),
        (&["-", "--player", "Carl"], GAME, 1, "`Carl` plays in none of the 1 games"),
        (&["-", "--plies", "90.."], GAME, 1, "no move of the 1 games"),
        (
            &["-", "--plies", "0.."],
            &broken,
            1,
            "none of the 1 games in standard input that count can be read",
        ),
        (&["-", "--strategy", "min9max9"], GAME, 2, "wanted one of min1max1, min1max2"),
        (&["-", "--plies", "0..", "--memory", "0.000001"], GAME, 1, "use --limit"),
        (&["-", "--rating", "high"], GAME, 2, "wanted a range such as 1200..1500"),
        (&["-", "--since", "May"], GAME, 2, "wanted a date such as 2024.02.29"),
        (&["-", "--output", "/nonexistent/a.toml"], GAME, 1, "wanted a file in a folder"),
        (&["-", "--report", "/nonexistent/a.html"], GAME, 1, "cannot write /nonexistent/a.html"),
        (&["/nonexistent/games.pgn"], "", 1, "reading /nonexistent/games.pgn"),
        (&[], "", 2, "GAMES"),
    ] {
        let output = errare(&[&["infer"], arguments].concat(), input.as_bytes());
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        if code == 1 {
            let said = errors.lines().last().unwrap_or_default();
            assert!(said.starts_with("errare: "), "{arguments:?}: {errors}");
        }
    }
}

#[test]
fn a_player_that_cannot_be_read_plays_no_game() {
    for (arguments, code, said) in [
        (&["--white", "/nonexistent/a.toml"][..], 1, "/nonexistent/a.toml"),
        (&["--white", "1500", "--fen", "x"], 1, "--fen"),
        (&["--white", "1500", "--strategy", "x"], 2, "wanted one of min1max1"),
        (&["--white", "1500", "--output", "/nonexistent/a.pgn"], 1, "wanted a file in a folder"),
    ] {
        let output = errare(&[&["selfplay"], arguments].concat(), b"");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn trials_that_are_finished_are_not_made_again() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let kept = path(folder.path(), "trials.jsonl");
    let make = |trials| {
        let flags = ["--only", "strategy-known", "--strategies", "min1max1,min1max2"];
        let varied = ["--plies", "40", "--trials", trials, "--resume", &kept];
        succeed(&[&["reproduce", "thesis"][..], &flags, &varied].concat(), b"")
    };
    let lines = || fs::read_to_string(&kept).expect("the file is there");
    let once = make("2");
    assert!(once.contains("The thesis had min1max3, min1max4, min2max2 to choose from"), "{once}");
    let two = lines();
    assert_eq!(two.lines().count(), 4, "two of each: {two}");
    // what was found is believed, not found again
    let other = two.replace("\"found\":\"min1max1\"", "\"found\":\"min1max2\"");
    fs::write(&kept, &other).expect("it can be written");
    let again = make("3");
    assert!(lines().starts_with(&other) && lines().lines().count() == 6, "{}", lines());
    assert!(again.contains("min1max2 2"), "{again}");
}

#[test]
fn a_reproduction_that_cannot_be_made_says_what_was_wanted() {
    for (arguments, code, said) in [
        (&["thesis", "--strategies", "x"][..], 2, "wanted one of min1max1"),
        (&["thesis", "--trials", "0"], 2, "--trials"),
        (&["novel"], 2, "thesis"),
        (
            &["thesis", "--only", "strategy-known", "--resume", "/nonexistent/a.jsonl"],
            1,
            "cannot keep what is finished in /nonexistent/a.jsonl, wanted a file in a folder",
        ),
    ] {
        let output = errare(&[&["reproduce"], arguments].concat(), b"");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
}

#[test]
fn weights_are_recovered_from_self_play() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let games = games(folder.path(), "60");
    let output = path(folder.path(), "inferred.toml");
    let flags =
        ["--strategy", "min1max1,min1max2", "--plies", "0..", "--json", "--output", &output];
    let json = succeed(&[&["infer", &games][..], &flags].concat(), b"");
    let found: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!((found["games"].as_u64(), found["held_out_games"].as_u64()), (Some(48), Some(12)));
    let best = &found["strategies"][0];
    assert_eq!(best["strategy"], "min1max1", "{json}");
    for (name, truth) in WEIGHTS {
        let number = |table: &str| best[table][name].as_f64().expect("a number");
        let (weight, error) = (number("weights"), number("standard_errors"));
        assert!((weight - truth).abs() < 3.0 * error, "{name}: {weight} ± {error}");
        assert!(error < 0.1 * truth, "{name}: ± {error}");
    }
    let file = fs::read_to_string(&output).expect("the file was written");
    assert!(file.contains("data = \"games.pgn.gz, 48 games\""), "{file}");
    // what was inferred plays at once
    let again = succeed(&["selfplay", "--white", &output, "--plies", "9"], b"");
    assert!(again.contains("[White \"inferred, min1max1\"]"), "{again}");
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let play = |threads, seed| {
        let flags = ["--strategy", "min1max1", "--games", "5", "--plies", "40"];
        let varied = ["--threads", threads, "--seed", seed];
        succeed(
            &[&["selfplay", "--white", "1500", "--black", "1900"][..], &flags, &varied].concat(),
            b"",
        )
    };
    let games = play("1", "3");
    assert_eq!(games.matches("[Event ").count(), 5);
    assert_eq!(play("3", "3"), games);
    assert_ne!(play("3", "4"), games);
}

#[test]
fn games_come_from_several_files_and_broken_ones_are_named_and_counted() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = path(folder.path(), "broken.pgn");
    fs::write(&file, format!("{}\n{GAME}", GAME.replace("Nc6", "Nc5"))).expect("it is there");
    let flags = ["--strategy", "min1max1", "--hold-out", "0", "--plies", "0.."];
    let arguments = [&["infer", &file, "-"][..], &flags].concat();
    let output = errare(&arguments, GAME.as_bytes());
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(out.starts_with("8 moves of 2 games; 1 broken games left out\n"), "{out}{errors}");
    assert!(errors.contains("game 1 (Anna – Bert) got `Nc5` as ply 4"), "{errors}");
    // eight moves leave the answer open, which is said, and it is a number all the same
    assert!(errors.contains("8 moves hardly tell what the player thinks of"), "{errors}");
    assert!(!out.contains("inf") && !out.contains("NaN"), "{out}");
}

#[test]
fn phases_told_apart_make_a_message_of_their_own() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let games = games(folder.path(), "8");
    let infer = ["infer", &games, "--strategy", "min1max1", "--phases"];
    let out = succeed(&infer, b"");
    assert!(out.contains("The phases told apart make"), "{out}");
    let json = succeed(&[&infer[..], &["--json"]].concat(), b"");
    let found: serde_json::Value = serde_json::from_str(&json).expect("one object");
    let rows = found["phases"]["rows"].as_array().expect("a row a phase");
    let sum = |name: &str| rows.iter().filter_map(|row| row[name].as_f64()).sum::<f64>();
    assert_eq!(sum("moves"), found["moves"].as_f64().expect("a number"));
    let saved =
        found["strategies"][0]["message_bits"].as_f64().expect("a number") - sum("message_bits");
    let said = found["phases"]["bits_saved"].as_f64().expect("a number");
    assert!((saved - said).abs() < 1e-6, "{saved} {said}");
}

#[test]
fn a_report_needs_nothing_but_itself() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let games = games(folder.path(), "8");
    let report = path(folder.path(), "player.html");
    let flags = ["--strategy", "min1max1", "--report", &report];
    succeed(&[&["infer", &games][..], &flags].concat(), b"");
    needs_nothing_but_itself(&report);
}

#[test]
fn a_person_is_told_in_words() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let games = path(folder.path(), "games.pgn");
    // somebody who promotes to a rook whenever there is a chance, with a name that HTML must not read
    let moves = "1. e4 d5 2. exd5 c6 3. dxc6 Qd7 4. cxb7 Kd8 5. bxa8=R Kc7 6. Nf3 Qc6 *\n\n";
    let players = "[White \"A<b>nna\"]\n[Black \"Bert\"]\n[WhiteElo \"1500\"]\n";
    fs::write(&games, format!("{players}\n{moves}").repeat(40)).expect("the folder is there");
    let report = path(folder.path(), "anna.html");
    let flags = ["--attributes", "full", "--player", "a<b>nna", "--plies", "0.."];
    let said = succeed(&[&["infer", &games][..], &flags, &["--report", &report]].concat(), b"");
    assert!(said.contains("promotes to a rook"), "{said}");
    let page = needs_nothing_but_itself(&report);
    for expected in ["How A&lt;b&gt;nna plays", "others rated about 1500", "which flatter", "1. e4"]
    {
        assert!(page.contains(expected), "{expected} is not in the page");
    }
    assert!(!page.contains("<b>nna"));
    let nobody = errare(&["infer", &games, "--attributes", "full", "--report", &report], b"");
    assert!(text(&nobody.stderr).contains("wanted --player as well"), "{nobody:?}");
}

/// The page in a file, which must show boards and ask for no other file.
fn needs_nothing_but_itself(report: &str) -> String {
    let page = fs::read_to_string(report).expect("the page was written");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("class=\"board\""), "there are boards");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http", "src=", "@import", "<script", "<link"] {
        assert!(!outside.contains(word), "{word} asks for something else");
    }
    let opened = page.matches("<svg").count();
    assert_eq!(opened, page.matches("</svg>").count());
    page
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let output = path(folder.path(), "games.pgn");
    let mut child = Command::new(env!("CARGO_BIN_EXE_errare"))
        .args(["selfplay", "--white", "1500", "--strategy", "min1max2", "--games", "100000"])
        .args(["--output", &output])
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let files = || fs::read_dir(folder.path()).expect("the folder is there").count();
    // the file under its other name says that playing has begun
    while files() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(1));
    assert_eq!(files(), 0);
}

#[test]
fn a_network_of_the_full_attributes_is_fitted_and_kept() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let games = games(folder.path(), "6");
    let (run, net) = (path(folder.path(), "run"), path(folder.path(), "net.toml"));
    let all = ["infer", &games, "--attributes", "full", "--plies", "0..", "--run-folder", &run];
    let flags = ["--linear", "--epochs", "20", "--learning-rate", "0.02", "--valid", &games];
    let command = [&all[..], &flags, &["--json", "--output", &net]].concat();
    let said: serde_json::Value =
        serde_json::from_str(&succeed(&command, b"")).expect("it prints JSON");
    let bits = said["held_out"]["bits"].as_f64().expect("there are bits");
    assert!(said["moves"].as_u64() > Some(300) && bits < 3.0, "{said}");
    // the same command finds all done, another one is refused
    assert_eq!(serde_json::from_str::<serde_json::Value>(&succeed(&command, b"")).ok(), Some(said));
    let other = errare(&[&command[..], &["--limit", "50"]].concat(), b"");
    assert!(text(&other.stderr).contains("keeps a run on other games"), "{other:?}");
    // the network goes on from its files
    let again = ["infer", &games, "--attributes", "full", "--start-from", &net, "--valid", &games];
    let said = succeed(&[&again[..], &["--epochs", "0"]].concat(), b"");
    assert!(said.contains("what was inferred"), "{said}");
}

#[test]
fn a_person_is_told_from_others_by_habits() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    // somebody who always answers 1 e4 with 1 ... a6
    let game = "[White \"Anna\"]\n[Black \"Bert\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n\
        1. e4 a6 2. d4 h6 *\n\n";
    let games = path(folder.path(), "games.pgn");
    fs::write(&games, game.repeat(40)).expect("the folder is there");
    let all = ["infer", &games, "--attributes", "full", "--player", "Bert"];
    let said = succeed(&[&all[..], &["--plies", "0..", "--valid", &games]].concat(), b"");
    for expected in ["80 moves learnt from", "anybody of the rating", "more often", "less often"] {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_person_knows_openings_by_heart() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let (games, net) = (path(folder.path(), "games.pgn"), path(folder.path(), "bert.toml"));
    let game = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 Nh6 2. d4 Rg8 *\n\n";
    fs::write(&games, game.repeat(20)).expect("the folder is there");
    // the network is fitted to one move a game, the book counts all of them
    let infer = ["infer", &games, "--attributes", "full", "--player", "Bert", "--plies", "2.."];
    let said = succeed(&[&infer[..], &["--valid", &games, "--output", &net]].concat(), b"");
    assert!(said.contains("without the own book") && said.contains("better than"), "{said}");
    let card = fs::read_to_string(&net).expect("there is a card");
    assert!(card.contains("book = \"bert.openings.toml\""), "{card}");
    let evaluate = ["evaluate", &games, "--weights", &net, "--json"];
    let bits = |flags: &[&str]| {
        let said = succeed(&[&evaluate[..], flags].concat(), b"");
        let said: serde_json::Value = serde_json::from_str(&said).expect("it prints JSON");
        said["rows"][0]["bits"].as_f64().unwrap_or_else(|| panic!("{said}"))
    };
    assert!(bits(&[]) < bits(&["--no-book"]));
    let described = succeed(&["describe", &path(folder.path(), "bert.openings.toml")], b"");
    assert!(described.contains("20 games, the first 30 plies"), "{described}");
    fs::remove_file(path(folder.path(), "bert.openings.book")).expect("the book is there");
    let refused = errare(&evaluate, b"");
    assert!(text(&refused.stderr).contains("bert.openings.book"), "{refused:?}");
}

#[test]
fn flags_of_one_set_of_attributes_are_not_for_the_other() {
    for (flags, said) in [
        (&["--attributes", "full,material"][..], "stands alone"),
        (&["--attributes", "full", "--phases"], "wanted --valid"),
        (&["--attributes", "full", "--opening", "2"], "wanted shares from 0 to 1"),
        (&["--attributes", "fool"], "wanted seed, full or some of material"),
    ] {
        let output = errare(&[&["infer", "-"][..], flags].concat(), GAME.as_bytes());
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(said), "{flags:?}: {}", text(&output.stderr));
    }
}
