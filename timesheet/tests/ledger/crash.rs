//! Programs that write at once, and programs that are killed while they write.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use dayledger_timesheet::{
    EntryId, EntryQuery, Evidence, Ledger, Limit, LocalKey, NewEntry, Others, Overlaps, Timesheet, demo,
};
use tempfile::TempDir;

/// What the program below writes before the key and the id of each entry that it has booked.
const ACKNOWLEDGED: &str = "acknowledged";

/// The program that the tests below start: it reads a path and then keys, a line each, and books an entry for each.
#[test]
#[ignore = "a program for the other tests, which give it what to do"]
fn writer() {
    let mut asked = String::new();
    std::io::stdin().read_to_string(&mut asked).unwrap();
    let mut lines = asked.lines();
    let Some(path) = lines.next() else { return };
    let ledger = Ledger::open(Path::new(path)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut output = std::io::stdout();
    for key in lines {
        let entry = runtime.block_on(ledger.log(key.parse().unwrap(), entry(key), Overlaps::Allowed)).unwrap();
        writeln!(output, "{ACKNOWLEDGED} {key} {}", entry.id).unwrap();
        output.flush().unwrap();
    }
}

fn entry(key: &str) -> NewEntry {
    let day = "2025-10-24".parse().unwrap();
    let hours = "0.25".parse().unwrap();
    NewEntry { description: Some(key.to_owned()), ..NewEntry::new("INTERNAL", "Testing", hours, day, day) }
}

struct Writer {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Writer {
    fn start<'k>(path: &Path, keys: impl IntoIterator<Item = &'k LocalKey>) -> Self {
        let mut writer = Self::waiting();
        writer.tell(path, keys);
        writer
    }

    /// A program that is there and waits to be told what to do.
    fn waiting() -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "ledger::crash::writer", "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("running 1 test")));
        Self { child, lines }
    }

    fn tell<'k>(&mut self, path: &Path, keys: impl IntoIterator<Item = &'k LocalKey>) {
        let keys: Vec<_> = keys.into_iter().map(LocalKey::to_string).collect();
        let asked = format!("{}\n{}", path.display(), keys.join("\n"));
        self.child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    }

    /// The next entry that was booked, or nothing once all are, or the program is dead.
    fn acknowledged(&mut self) -> Option<(LocalKey, EntryId)> {
        // The first line shares its place with what the test runner says.
        self.lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, said) = line.split_once(ACKNOWLEDGED)?;
            let mut words = said.split_whitespace();
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        })
    }

    fn kill(mut self) -> Vec<(LocalKey, EntryId)> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.acknowledged()).collect()
    }
}

async fn ledger(path: &Path) -> Ledger {
    let ledger = Ledger::open(path).unwrap();
    ledger.put_projects(demo::projects(), Others::Deactivate).await.unwrap();
    ledger
}

/// The ids of all entries by the key that stands in their description.
async fn booked(path: &Path) -> BTreeMap<LocalKey, BTreeSet<EntryId>> {
    let ledger = Ledger::open(path).unwrap();
    let mut booked: BTreeMap<LocalKey, BTreeSet<EntryId>> = BTreeMap::new();
    let mut offset = 0;
    loop {
        let query = EntryQuery { limit: Limit::MOST, offset, ..EntryQuery::default() };
        let page = ledger.query(&query).await.unwrap();
        for entry in page.entries {
            booked.entry(entry.description.unwrap().parse().unwrap()).or_default().insert(entry.id);
        }
        if !page.has_more {
            return booked;
        }
        offset += query.limit.get();
    }
}

#[tokio::test]
async fn a_killed_program_loses_no_acknowledged_entry_and_books_none_twice() {
    const ENTRIES: usize = 1_000;

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(ledger(&path).await);
    let keys: Vec<LocalKey> = (0..ENTRIES).map(|_| LocalKey::new()).collect();
    let mut acknowledged: BTreeMap<LocalKey, EntryId> = BTreeMap::new();
    for round in 0.. {
        let open: Vec<_> = keys.iter().filter(|key| !acknowledged.contains_key(key)).collect();
        if open.is_empty() {
            break;
        }
        let mut writer = Writer::start(&path, open.iter().copied());
        // Each round gets some way, so that the end comes. Where it is cut off, the writer is at its next entries; every
        // twentieth time or so (tried) one of them is written, and nobody has been told.
        let some_way = 1 + round * 7 % 30;
        let mut answers: Vec<_> = std::iter::from_fn(|| writer.acknowledged()).take(some_way).collect();
        assert!(!answers.is_empty(), "the writer got nowhere");
        answers.extend(writer.kill());
        for (key, id) in answers {
            assert_eq!(*acknowledged.entry(key).or_insert(id), id);
        }
        let booked = booked(&path).await;
        for (key, id) in &acknowledged {
            assert_eq!(booked.get(key), Some(&BTreeSet::from([*id])), "entry {id} after round {round}");
        }
        assert!(booked.values().all(|ids| ids.len() == 1));
    }
    assert_eq!(booked(&path).await.len(), ENTRIES);
}

#[tokio::test]
async fn programs_that_find_no_ledger_make_one_together() {
    for _ in 0..20 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("timesheet.db");
        let mut writers = [(); 4].map(|()| Writer::waiting());
        for writer in &mut writers {
            writer.tell(&path, []);
        }
        assert!(writers.iter_mut().all(|writer| writer.child.wait().unwrap().success()));
    }
}

#[tokio::test]
async fn programs_that_write_at_once_lose_nothing_and_share_their_keys() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(ledger(&path).await);
    let keys: Vec<LocalKey> = (0..120).map(|_| LocalKey::new()).collect();
    // The last 40 of the one are the first 40 of the other; both come to some of them at once.
    let (one, other) = (&keys[..80], &keys[40..]);
    let mut writers = [Writer::start(&path, one), Writer::start(&path, other.iter().rev())];
    let [first, second] = writers.each_mut().map(|writer| std::iter::from_fn(|| writer.acknowledged()).collect());
    let (first, second): (BTreeMap<_, _>, BTreeMap<_, _>) = (first, second);
    assert!(writers.iter_mut().all(|writer| writer.child.wait().unwrap().success()));
    assert_eq!((first.len(), second.len()), (80, 80));
    let booked = booked(&path).await;
    assert_eq!(booked.len(), 120);
    for (key, id) in first.iter().chain(&second) {
        assert_eq!(booked[key], BTreeSet::from([*id]), "both know the same entry");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_that_overlap_and_come_at_once_one_is_booked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let (one, other) = (ledger(&path).await, Ledger::open(&path).unwrap());
    for round in 0..40 {
        let evidence = vec![Evidence { start_utc: round * 60, end_utc: round * 60 + 60, device: None, activity: None }];
        let log = |ledger: &Ledger| {
            let (ledger, entry) = (ledger.clone(), NewEntry { evidence: evidence.clone(), ..entry("overlap") });
            tokio::spawn(async move { ledger.log(LocalKey::new(), entry, Overlaps::Refused).await.is_ok() })
        };
        let (first, second) = (log(&one), log(&other));
        assert_ne!(first.await.unwrap(), second.await.unwrap(), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_changes_an_entry_once_it_was_submitted() {
    use dayledger_timesheet::{Changes, Code, Hours, Status};

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let (one, other) = (ledger(&path).await, Ledger::open(&path).unwrap());
    for _ in 0..40 {
        let id = one.log(LocalKey::new(), entry("race"), Overlaps::Allowed).await.unwrap().id;
        let updating = tokio::spawn({
            let one = one.clone();
            async move {
                let mut last = Hours::ZERO;
                for hundredths in 1..6 {
                    let hours = Hours::from_hundredths(hundredths);
                    let changes = Changes { standard_hours: Some(hours), ..Changes::default() };
                    match one.update(id, changes).await {
                        Ok(entry) => {
                            assert_eq!(entry.status, Status::NotReported);
                            last = hours;
                        }
                        Err(refusal) => assert_eq!(refusal.code, Code::Forbidden),
                    }
                }
                last
            }
        });
        let submitted = other.submit(id).await.unwrap();
        let last = updating.await.unwrap();
        let found = one.find(id).await.unwrap();
        assert_eq!(found, submitted, "what was handed in stays as it was");
        assert!(last == Hours::ZERO || found.standard_hours == last, "the last update that was acknowledged is in");
    }
}
