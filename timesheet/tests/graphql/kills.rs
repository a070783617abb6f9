//! Programs that are killed while they book at the API.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dayledger_timesheet::graphql::api::{Api, Caller, Mishap};
use dayledger_timesheet::graphql::{Token, TokenSource};
use dayledger_timesheet::{Book, EntryId, GraphQl, LocalKey, Overlaps, Refusal, Timesheet};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use super::{ACL, entry, on_day, options};

/// What the program below writes before the key and the id of each entry that it has booked.
const ACKNOWLEDGED: &str = "acknowledged";

struct Fixed(Token);

#[async_trait::async_trait]
impl TokenSource for Fixed {
    async fn token(&self) -> Result<Token, Refusal> {
        Ok(self.0.clone())
    }
}

/// The program that the test below starts: it reads an address, a path, a token and then keys, a line each, and books an
/// entry for each until it is told that it is booked.
#[test]
#[ignore = "a program for the other test, which gives it what to do"]
fn booker() {
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked).unwrap();
    let lines: Vec<_> = asked.lines().collect();
    let [url, path, token, keys @ ..] = &lines[..] else { return };
    let book = Book::open(Path::new(path)).unwrap();
    let tokens = Fixed(Token::new(*token));
    let timesheet = GraphQl::new(url.parse().unwrap(), tokens, book, options(Duration::from_millis(300))).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let mut output = std::io::stdout();
    for line in keys {
        let (key, place) = line.split_once(' ').unwrap();
        let entry = || on_day(place.parse::<usize>().unwrap() / 20, entry("INTERNAL", "Testing", "0.25"));
        let booked = loop {
            // Those of a day are equal, so that one is easily taken for another.
            let answer = runtime.block_on(timesheet.log(key.parse().unwrap(), entry(), Overlaps::Allowed));
            if let Ok(booked) = answer {
                break booked;
            }
        };
        writeln!(output, "{ACKNOWLEDGED} {key} {}", booked.id).unwrap();
        output.flush().unwrap();
    }
}

/// Each round ends with a kill at one of the moments that there are: the entry has arrived and is not booked; it is
/// booked and not answered; the answer is out, and perhaps read; the caller was told. Answers are lost meanwhile, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_program_loses_no_acknowledged_entry_and_books_none_twice() {
    const ENTRIES: usize = 1_000;

    let (api, folder) = (Api::start().await.unwrap(), TempDir::new().unwrap());
    let path = folder.path().join("book.db");
    let token = Api::token_text(&Caller::new("user-u", &ACL));
    let keys: Vec<LocalKey> = (0..ENTRIES).map(|_| LocalKey::new()).collect();
    let mut told: BTreeMap<LocalKey, EntryId> = BTreeMap::new();
    let mut kills = 0_usize;
    for round in 0.. {
        let left: Vec<String> = (keys.iter().enumerate())
            .filter(|(_, key)| !told.contains_key(key))
            .map(|(place, key)| format!("{key} {place}"))
            .collect();
        if left.is_empty() {
            break;
        }
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "graphql::kills::booker", "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let asked = format!("{}\n{}\n{token}\n{}", api.url(), path.display(), left.join("\n"));
        tokio::io::AsyncWriteExt::write_all(&mut child.stdin.take().unwrap(), asked.as_bytes()).await.unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let child = Arc::new(Mutex::new(child));
        let kill = {
            let child = Arc::clone(&child);
            move || child.lock().unwrap().start_kill().unwrap()
        };
        let some_way = 5 + round * 7 % 40;
        let mut count = 0;
        while let Some(line) = lines.next_line().await.unwrap() {
            let Some((_, said)) = line.split_once(ACKNOWLEDGED) else { continue };
            let mut words = said.split_whitespace();
            let (key, id): (LocalKey, EntryId) =
                (words.next().unwrap().parse().unwrap(), words.next().unwrap().parse().unwrap());
            assert!(told.insert(key, id).is_none_or(|before| before == id));
            count += 1;
            if count % 10 == 3 {
                api.next("LogTime", [Mishap::DropAfter, Mishap::PageAfter(502), Mishap::Page(502)][round % 3].clone());
            }
            if count == some_way {
                kills += 1;
                match round % 4 {
                    0 => api.next("LogTime", Mishap::Before(Arc::new(kill.clone()))),
                    1 => api.next("LogTime", Mishap::After(Arc::new(kill.clone()))),
                    2 => api.next("TimeEntries", Mishap::Before(Arc::new(kill.clone()))),
                    _ => kill(),
                }
            }
        }
    }
    let kept: BTreeSet<EntryId> = api.entries().iter().map(|entry| entry.id).collect();
    assert_eq!(told.len(), ENTRIES);
    assert_eq!(told.values().copied().collect::<BTreeSet<_>>(), kept);
    assert_eq!(api.entries().len(), ENTRIES);
    assert!(kills > 20, "{kills}");
}
