use std::{
    collections::HashMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    game::{Outcome, Side},
    xiangqi::{
        ByColor, Fen, Position, Role,
        notation::{
            chinese::Script,
            relative::Relative,
            written::{self, Spelling},
        },
    },
};

const SPELLINGS: [Spelling; 4] = [
    Spelling::Iccs,
    Spelling::Wxf,
    Spelling::Chinese(Script::Simplified),
    Spelling::Chinese(Script::Traditional),
];

/// The records of a text, errors as their messages.
fn records(text: impl AsRef<[u8]>) -> Vec<Result<Record, String>> {
    let input = Input::from_reader("test", std::io::Cursor::new(text.as_ref().to_vec()));
    match Records::new(input) {
        Ok(records) => records.map(|record| record.map_err(|error| error.to_string())).collect(),
        Err(error) => vec![Err(error.to_string())],
    }
}

/// The moves of the one record of a text.
fn moves(text: impl AsRef<[u8]>) -> String {
    let [Ok(record)] = &records(text)[..] else { panic!("one record was wanted") };
    record.moves().iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

/// Random games, some from a start of their own, one without moves.
fn random_records() -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let outcomes = [
        Some(Outcome::Won(Side::First)),
        Some(Outcome::Won(Side::Second)),
        Some(Outcome::Drawn),
        None,
    ];
    let fens = [
        "4k4/9/9/9/9/4p4/3p5/3p1p3/3pK4/9 w",
        "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 b",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b",
    ];
    (0..40)
        .map(|i| {
            let fen = fens.get(i / 10).filter(|_| i % 10 == 9);
            let start = fen.map_or_else(Position::default, |fen| {
                fen.parse::<Fen>().unwrap().into_position().unwrap()
            });
            let mut position = start.clone();
            let mut moves = Vec::new();
            while moves.len() < i * 5 {
                let Some(&m) = position.legal_moves().choose(&mut rng) else {
                    break;
                };
                position.play_unchecked(m);
                moves.push(m);
            }
            let header = Header {
                id: format!("game-{i}"),
                source: "playok".into(),
                date: ["2026-09-03", "", "1996"][i % 3].into(),
                elo: ByColor { red: (i % 2 == 0).then_some(1000 + i as u16), black: Some(1234) },
                outcome: outcomes[i % 4],
            };
            Record::new(header, start, moves).unwrap()
        })
        .collect()
}

/// What a format keeps of records: they are written and read again.
fn again(records: &[Record], write: fn(Vec<Record>) -> Vec<u8>) -> Vec<Record> {
    self::records(write(records.to_vec())).into_iter().map(Result::unwrap).collect()
}

/// The bytes that a writer writes of records.
macro_rules! written {
    ($records:expr, $out:ident => $writer:expr) => {{
        let mut $out = Vec::new();
        let mut writer = $writer;
        $records.iter().for_each(|record| writer.write(record).unwrap());
        writer.finish().unwrap();
        $out
    }};
}

fn from_the_standard_start(records: Vec<Record>) -> Vec<Record> {
    records.into_iter().filter(|record| *record.start() == Position::default()).collect()
}

#[test]
fn csv_reads_back() {
    let records = from_the_standard_start(random_records());
    let again = again(&records, |records| written!(records, out => Writer::csv(&mut out).unwrap()));
    assert_eq!(again, records);
}

#[test]
fn pgn_reads_back_in_every_spelling() {
    let records = random_records();
    for spelling in SPELLINGS {
        let bytes = written!(records, out => Writer::pgn(&mut out, spelling));
        let again: Vec<Record> = self::records(bytes).into_iter().map(Result::unwrap).collect();
        assert_eq!(again, records, "{spelling:?}");
    }
}

#[test]
fn playok_text_reads_back_but_for_names_of_games() {
    let records = random_records();
    let again = again(&records, |records| written!(records, out => Writer::playok(&mut out)));
    assert_eq!(again.len(), records.len());
    for (mut again, record) in again.into_iter().zip(records) {
        assert_eq!(again.header.id.len(), 16);
        again.header.id.clone_from(&record.header.id);
        assert_eq!(again, record);
    }
}

#[test]
fn a_record_is_a_game() {
    for record in random_records() {
        let game = record.game();
        assert_eq!(game.initial(), record.start());
        assert!(game.moves().eq(record.moves().iter().copied()));
        assert!(record.plies().eq(game.played().iter().cloned()));
    }
}

#[test]
fn a_kaggle_pair_reads_back_in_either_order() {
    let records = from_the_standard_start(random_records());
    let folder = tempfile::tempdir().unwrap();
    let paths = ["games.csv", "moves.csv"].map(|name| folder.path().join(name));
    let files = paths.each_ref().map(|path| fs::File::create(path).unwrap());
    let [games, moves] = files;
    let mut writer = Writer::kaggle(games, moves).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap();
    // a game without moves has no line among the moves
    let wanted: Vec<Record> =
        records.into_iter().filter(|record| !record.moves().is_empty()).collect();
    let [games, moves] = paths;
    for paths in [[games.clone(), moves.clone()], [moves, games]] {
        let again: Vec<Record> = read(paths).map(Result::unwrap).collect();
        assert_eq!(again, wanted);
    }
}

#[test]
fn formats_without_starts_refuse_records_that_have_one() {
    let [.., record] = &random_records()[..30] else { panic!("there are thirty") };
    let mut out = Vec::new();
    let mut writer = Writer::csv(&mut out).unwrap();
    assert!(matches!(writer.write(record), Err(WriteRecordError::Start { .. })));
    let mut outs = [Vec::new(), Vec::new()];
    let [games, moves] = &mut outs;
    let mut writer = Writer::kaggle(games, moves).unwrap();
    assert!(matches!(writer.write(record), Err(WriteRecordError::Start { .. })));
}

const PLAYOK: &str = "\
FORMAT  WXF
RED     red ; 1137 ;;
BLACK   black;1177;;
RESULT  0.5-0.5
DATE    2026-09-03 16:20:58
EVENT   PlayOK Game ; 10m+0s
START{
 1. C8.5 c2.5   2. H8+7 h2+3
 3. R9.8 }END
";

#[test]
fn playok_text_is_read() {
    let texts = format!("{PLAYOK}\r\n{PLAYOK}");
    let records = records(texts);
    assert_eq!(records.len(), 2);
    assert_eq!(records[0], records[1]);
    let record = records[0].as_ref().unwrap();
    assert_eq!(record.header.elo, ByColor { red: Some(1137), black: Some(1177) });
    assert_eq!(record.header.outcome, Some(Outcome::Drawn));
    assert_eq!(record.header.date, "2026-09-03 16:20:58");
    assert_eq!(record.header.source, "playok");
    assert_eq!(moves(PLAYOK), "b2e2 b7e7 b0c2 b9c7 a0b0");
}

#[test]
fn an_unfinished_playok_game_does_not_swallow_the_next() {
    for cut in ["}END", "START{"] {
        let (unfinished, _) = PLAYOK.split_once(cut).unwrap();
        let records = records(format!("{unfinished}\n{PLAYOK}"));
        assert_eq!(records.len(), 2, "{cut}");
        let message = records[0].as_ref().unwrap_err();
        assert!(message.starts_with("test, game 1: ends without"), "{message}");
        assert!(records[1].is_ok());
    }
}

const PGN: &str = r#"; exported
[Game "Chinese Chess"]
[Event "A \"club\" evening"]
[Site "club"]
[Date "2024.05.??"]
[Result "0-1"]
[RedElo "1500"]
[BlackElo "?"]

{ A comment
[that looks like a tag] } 1. 炮二平五! 马8进7 (1... 炮8平5 2. 马二进三 (2. 炮五进四) ) 2.马二进三 $1
; to the end } of the line
２．兵三进一 0-1 and what follows
"#;

#[test]
fn pgn_is_read_with_all_that_stands_between_moves() {
    let text = PGN.replace("２．兵三进一", "卒7进1");
    assert_eq!(moves(&text), "h2e2 h9g7 h0g2 g6g5");
    let records = records(&text);
    let header = &records[0].as_ref().unwrap().header;
    assert_eq!(header.source, "club");
    assert_eq!(header.date, "2024-05");
    assert_eq!(header.elo, ByColor { red: Some(1500), black: None });
    assert_eq!(header.outcome, Some(Outcome::Won(Side::Second)));
}

#[test]
fn pgn_is_read_in_every_spelling_and_encoding() {
    let wanted = "h2e2 h9g7 h0g2 i9h9";
    let tags = "[Event \"?\"]\n\n";
    for movetext in [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 *",
        "1. h2e2 h9g7 2. h0g2 i9h9",
        "1. C2.5 h8+7 2. H2+3 r9.8",
        "1.C2=5 H8+7 2.H2+3 R9=8",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "1. 炮二平五　馬８進７　2. 馬二進三　車９平８",
        "Che2 Hg7 Hg2 Rh9",
    ] {
        let text = format!("{tags}{movetext}\n");
        assert_eq!(moves(&text), wanted, "{movetext}");
        assert_eq!(moves(encoding_rs::GBK.encode(&text).0), wanted, "GBK: {movetext}");
        if !movetext.contains('马') {
            assert_eq!(moves(encoding_rs::BIG5.encode(&text).0), wanted, "Big5: {movetext}");
        }
    }
}

#[test]
fn pgn_games_follow_each_other_with_and_without_moves() {
    let game = "[Event \"?\"]\n[Result \"*\"]\n\n";
    let texts = [format!("{game}h2e2 *\n\n"), game.to_owned(), format!("{game}1. b2e2\n")];
    let records = records(texts.concat());
    let lengths: Vec<usize> =
        records.iter().map(|record| record.as_ref().unwrap().moves().len()).collect();
    assert_eq!(lengths, [1, 0, 1]);
}

#[test]
fn an_open_comment_does_not_swallow_the_next_game() {
    let text = "[Event \"?\"]\n\n1. h2e2 { open\n\n[Event \"?\"]\n\n1. h2e2 (h9g7\n";
    assert_eq!(
        records(text),
        [
            Err("test, game 1: ends without the } of a comment".to_owned()),
            Err("test, game 2: ends without the ) of a variation".to_owned()),
        ]
    );
}

#[test]
fn black_may_begin() {
    let text = "[FEN \"4k4/9/9/9/9/9/9/9/5r3/3K5 b\"]\n\n1... r6-1 2. K6+1 1-0";
    assert_eq!(moves(text), "f1f2 d0d1");
}

#[test]
fn what_is_wrong_is_named_by_game_and_ply() {
    let start = "4k4/9/9/9/9/9/9/9/9/4K4 w";
    let text = format!(
        "id,red_elo,result,moves,fen\n\
         a,,*,h2e2 h2e2,\n\
         b,,*,h2e2 x,\n\
         c,high,*,h2e2,\n\
         d,,2-0,h2e2,\n\
         e,,*,h2e2\n\
         f,,*,h2e2,nonsense\n\
         g,,*,h2e2,{start}\n\
         h,1200,1-0,h2e2,\n"
    );
    let records = records(text);
    let messages: Vec<&str> =
        records.iter().filter_map(|record| record.as_ref().err()).map(String::as_str).collect();
    assert_eq!(
        messages,
        [
            "test, game 1, ply 2: h2e2 is not a legal move here",
            "test, game 2, ply 2: `x` is no move: one like h2e2, C2.5, 炮二平五 or Che2 was wanted",
            "test, game 3: has `high` as Elo where a number or nothing was wanted",
            "test, game 4: has `2-0` as result where 1-0, 0-1, 1/2-1/2 or * was wanted",
            "test, game 5: has 4 fields where 5 were wanted",
            "test, game 6: the FEN's board has 1 ranks where 10 were wanted",
            "test, game 7: the position cannot be played: the generals face each other on an open \
             file",
        ]
    );
    assert_eq!(records[7].as_ref().unwrap().header.elo.red, Some(1200));
}

#[test]
fn a_kaggle_file_says_what_is_wrong_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let games = file(
        "games.csv",
        "gameID,game_datetime,blackID,blackELO,redID,redELO,winner\n\
         1,2020,x,1100,y,1200,red\n2,2020,x,,y,,nobody\n3,2020,x,?,y,?,black\n4,,,,,,\n",
    );
    let moves = file(
        "moves.csv",
        "gameID,turn,side,move\n1,1,black,h8+7\n1,1,red,C2.5\n2,1,red,C2.5\n\
         3,1,red,C2.5\n3,2,red,H2+3\n4,1,green,C2.5\n1,2,red,H2+3\n",
    );
    let results: Vec<String> = read([games.clone(), moves.clone()])
        .map(|record| match record {
            Ok(record) => format!("{} {:?}", record.header.id, record.moves()),
            Err(RecordError { game, ply, flaw, .. }) => format!("{game:?} {ply:?} {flaw}"),
        })
        .collect();
    assert_eq!(
        results,
        [
            "Some(1) None has `nobody` as result where 1-0, 0-1, 1/2-1/2 or * was wanted",
            "1 [h2e2, h9g7]",
            "Some(3) None has moves of a game `2` that is not among the games, or came before",
            "Some(4) None has `2 red` as turn where the turn after the one before was wanted",
            "Some(5) None has `green` as side where red or black was wanted",
            "Some(6) None has moves of a game `1` that is not among the games, or came before",
        ]
    );
    for half in [games, moves] {
        let [Err(error)] = &read([half]).collect::<Vec<_>>()[..] else { panic!("half a pair") };
        assert!(matches!(error.flaw, RecordFlaw::Half { .. }));
    }
}

#[test]
fn compressed_files_are_told_by_their_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(PLAYOK.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    // a gzip file may have several members
    fs::write(path("gzip"), [&gzip[..], &gzip[..]].concat()).unwrap();
    fs::write(path("zstd"), zstd::encode_all(PLAYOK.as_bytes(), 1).unwrap()).unwrap();
    fs::write(path("plain"), PLAYOK).unwrap();
    fs::write(path("empty"), "").unwrap();
    fs::write(path("cut"), &gzip[..gzip.len() / 2]).unwrap();
    let count = |name: &str| read([path(name)]).filter(Result::is_ok).count();
    assert_eq!(["plain", "gzip", "zstd", "empty", "cut"].map(count), [1, 2, 1, 0, 0]);
    assert!(read([path("cut")]).any(|record| record.is_err()));
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "dear diary\n").unwrap();
    fs::write(path("game"), PLAYOK).unwrap();
    let records: Vec<_> = read(["absent", "text", "game"].map(path)).collect();
    let [Err(absent), Err(text), Ok(_)] = &records[..] else { panic!("{records:?}") };
    assert!(matches!(absent.flaw, RecordFlaw::Read(_)));
    assert!(matches!(&text.flaw, RecordFlaw::UnknownFormat { got } if got == "dear diary"));
}

#[test]
fn no_bytes_make_reading_panic_or_go_on_for_ever() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let csv = "id,moves,fen\na,h2e2 h9g7,\nb,C2.5,\n";
    for _ in 0..2000 {
        let mut bytes = [PLAYOK, PGN, csv].choose(&mut rng).unwrap().as_bytes().to_vec();
        for _ in 0..rng.random_range(1..8) {
            let at = rng.random_range(0..bytes.len() - 9);
            match rng.random_range(0..3) {
                0 => bytes[at] = rng.random(),
                1 => drop(bytes.drain(at..at + 4)),
                _ => bytes.insert(at, *b"\n\"{}()[]+-=.123\\,;".choose(&mut rng).unwrap()),
            }
        }
        assert!(records(bytes).len() < 20);
    }
}

/// Reads games of every file of the shared data and checks that all their moves have names, which
/// they share at most among soldiers, and read back from every spelling.
fn check_shared_data(most: usize) -> Option<HashMap<&'static str, usize>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xiangqi");
    let Ok(entries) = fs::read_dir(&folder) else {
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut counts = HashMap::new();
    let mut count = |what: &'static str| *counts.entry(what).or_insert(0) += 1;
    for path in paths {
        for record in read([path]).take(most) {
            let record = record.expect("all games of the shared data are legal");
            count("games");
            for (position, m) in record.plies() {
                let relative = Relative::of(&position, m).expect("a legal move has a name");
                assert_eq!(Relative::from_index(relative.index()), Some(relative));
                let moves = relative.moves(&position);
                assert!(moves.contains(&m), "{m}");
                for spelling in SPELLINGS {
                    let text = written::write(m, &position, spelling).unwrap();
                    assert_eq!(written::parse(&text, &position), Ok(m), "{text}");
                }
                count("moves");
                if moves.len() > 1 {
                    assert_eq!(relative.role(), Role::Soldier, "{m}");
                    count("ties");
                }
            }
        }
    }
    Some(counts)
}

#[test]
fn the_moves_of_peoples_games_have_names_and_read_back() {
    match check_shared_data(100) {
        None => eprintln!("skipped: there is no shared data beside the repository"),
        Some(counts) => assert!(counts["games"] >= 500, "{counts:?}"),
    }
}

#[test]
#[ignore = "takes a minute; prints counts"]
fn the_moves_of_all_peoples_games_have_names_and_read_back() {
    println!("{:?}", check_shared_data(usize::MAX));
}
