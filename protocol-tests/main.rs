//! Plays the conversations of this folder against the program. README.md says how to write one.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

/// How long to wait for what must be heard where the conversation does not say.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many conversations are played at a time. Those that wait for silence take no time.
const AT_ONCE: usize = 4;

#[test]
fn conversations_in_uci() {
    play_all("uci");
}

#[test]
fn conversations_in_ucci() {
    play_all("ucci");
}

#[test]
fn conversations_with_cyclone() {
    play_all("cyclone");
}

fn play_all(folder: &str) {
    // cargo runs tests in the folder of the package
    let folder = Path::new("protocol-tests").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is part of the repository");
    let files = entries.map(|entry| entry.expect("it can be listed").path());
    let files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "session")).collect();
    assert!(!files.is_empty(), "no conversations in {}", folder.display());
    let waiting = Mutex::new(files.iter());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(file) = { waiting.lock().expect("no thread panics").next() } {
                    if let Err(failure) = play(file) {
                        failures.lock().expect("no thread panics").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panics");
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// Plays one conversation; an error says where and how it went otherwise.
fn play(file: &PathBuf) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut program = Program::start(&text);
    let mut number = 0;
    let result = text
        .lines()
        .try_for_each(|line| {
            number += 1;
            program.follow(line)
        })
        .and_then(|()| if program.has_exited { Ok(()) } else { program.exit("0 within 10s") });
    // whether it has ended by itself has been checked; what is left over must not stay
    let _ = program.child.kill();
    let _ = program.child.wait();
    result.map_err(|failure| format!("{}:{number}: {failure}", file.display()))
}

/// The program under test, at the other end of two pipes.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    heard: mpsc::Receiver<String>,
    /// The last line heard that was expected, or passed over while another was.
    last: String,
    /// Patterns that no line may match from now on.
    never: Vec<String>,
    /// How long to wait for the next thing expected.
    patience: Duration,
    has_exited: bool,
}

impl Program {
    fn start(conversation: &str) -> Self {
        let arguments = conversation.lines().find_map(|line| line.strip_prefix("# args:"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_errare"))
            .args(arguments.unwrap_or_default().split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("cargo has built the program");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (lines, heard) = mpsc::channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|l| lines.send(l)));
        let input = child.stdin.take();
        Self {
            child,
            input,
            heard,
            last: "its start".to_owned(),
            never: Vec::new(),
            patience: PATIENCE,
            has_exited: false,
        }
    }

    /// Does what one line of a conversation says.
    fn follow(&mut self, line: &str) -> Result<(), String> {
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        match what {
            "" | "#" => Ok(()),
            ">" => self.send(&[unescaped(rest)?, b"\n".to_vec()].concat()),
            ">>" => {
                let (times, text) = rest.split_once(' ').ok_or("`>>` wants a number and a text")?;
                let times = times.parse().map_err(|error| format!("`>> {times}`: {error}"))?;
                self.send(&unescaped(text)?.repeat(times))
            }
            "<" => {
                let heard = self.hear(rest)?;
                if matches(rest, &heard) { Ok(()) } else { Err(differs(rest, &heard)) }
            }
            "<*" => {
                while !matches(rest, &self.hear(rest)?) {}
                Ok(())
            }
            "!" => self.expect_silence(rest),
            "never" => {
                self.never.push(rest.to_owned());
                Ok(())
            }
            "within" => {
                self.patience = duration(rest)?;
                Ok(())
            }
            "$" => {
                self.input = None;
                Ok(())
            }
            "exit" => self.exit(rest),
            _ => Err(format!("a line begins with `{what}`, see README.md for how it may")),
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the input has been closed already")?;
        input.write_all(bytes).map_err(|error| format!("the program does not listen: {error}"))
    }

    /// The next line. `expected` is for the message if there is none.
    fn hear(&mut self, expected: &str) -> Result<String, String> {
        let patience = std::mem::replace(&mut self.patience, PATIENCE);
        let nothing = format!("nothing for {patience:?} after {}", self.last);
        let line = self.heard.recv_timeout(patience).map_err(|_| differs(expected, &nothing))?;
        self.check(&line)?;
        self.last.clone_from(&line);
        Ok(line)
    }

    fn check(&self, line: &str) -> Result<(), String> {
        match self.never.iter().find(|pattern| matches(pattern, line)) {
            Some(pattern) => Err(format!("expected never {pattern}, heard {line}")),
            None => Ok(()),
        }
    }

    /// Waits for a time and, where a pattern follows it, only minds the lines that match.
    fn expect_silence(&mut self, rest: &str) -> Result<(), String> {
        let (time, pattern) = rest.split_once(' ').unwrap_or((rest, "*"));
        let until = Instant::now() + duration(time)?;
        let left = || until.saturating_duration_since(Instant::now());
        while let Ok(line) = self.heard.recv_timeout(left()) {
            self.check(&line)?;
            if matches(pattern, &line) {
                return Err(differs("silence", &line));
            }
        }
        Ok(())
    }

    /// The program ends with this code within this time, now that nothing more is said to it.
    fn exit(&mut self, rest: &str) -> Result<(), String> {
        let (code, time) =
            rest.split_once(" within ").ok_or("`exit` wants a code within a time")?;
        self.has_exited = true;
        self.input = None;
        let until = Instant::now() + duration(time)?;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                let heard =
                    status.code().map_or("an end by a signal".to_owned(), |n| n.to_string());
                if heard != code {
                    return Err(differs(&format!("exit {code}"), &heard));
                }
                return self.heard.iter().try_for_each(|line| self.check(&line));
            }
            thread::sleep(Duration::from_millis(2));
        }
        Err(differs(&format!("exit {rest}"), "nothing"))
    }
}

fn differs(expected: &str, heard: &str) -> String {
    format!("expected {expected}, heard {heard}")
}

/// Whether `*` for any text and `?` for any one character make `pattern` the same as `line`.
fn matches(pattern: &str, line: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => line.is_empty(),
        Some('*') => {
            let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.into_iter().any(|at| matches(rest.as_str(), &line[at..]))
        }
        Some(expected) => {
            let mut line = line.chars();
            line.next().is_some_and(|c| expected == '?' || expected == c)
                && matches(rest.as_str(), line.as_str())
        }
    }
}

/// `250ms` or `2s`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
    match (number.parse(), unit) {
        (Ok(number), "ms") => Ok(Duration::from_millis(number)),
        (Ok(number), "s") => Ok(Duration::from_secs(number)),
        _ => Err(format!("`{text}` is no time, wanted one like 250ms or 2s")),
    }
}

/// The bytes that a text with `\r`, `\t`, `\\` and `\xff` stands for.
fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend(plain.bytes());
        let length = if escape.starts_with('x') { 3 } else { 1 };
        let (escape, after) = escape.split_at_checked(length).ok_or("an escape is cut short")?;
        bytes.push(match escape {
            "r" => b'\r',
            "t" => b'\t',
            "\\" => b'\\',
            _ => u8::from_str_radix(&escape[1..], 16)
                .map_err(|_| format!("`\\{escape}` is no escape, wanted one like \\xff"))?,
        });
        rest = after;
    }
    bytes.extend(rest.bytes());
    Ok(bytes)
}
