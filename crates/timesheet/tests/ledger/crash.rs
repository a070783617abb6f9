//! Tests of programs that write at the same time, and of programs that are killed while they write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dayledger_timesheet::{
    EntryId, EntryQuery, Evidence, IdempotencyKey, Ledger, Limit, NewEntry, OverlapPolicy, Timesheet, demo,
};
use tempfile::TempDir;

use crate::kills::{PlannedEntry, kill_in_a_loop, log_each};
use crate::program::{LoggingProgram, read_input_lines};

const WRITER: &str = "ledger::crash::writer";

/// The program that the tests below start. Its input contains a path and the entries to log, one on each line.
#[test]
#[ignore = "a program for the other tests, which give it what to do"]
fn writer() {
    let input = read_input_lines();
    let [path, lines @ ..] = &input[..] else { return };
    let ledger = Ledger::open(Path::new(path)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    log_each(lines, |noted| runtime.block_on(ledger.log(noted.key, entry(noted), OverlapPolicy::Refused)).unwrap().id);
}

/// Returns the entry to log for a planned entry. Its description is the key, so that the entry can be found later.
fn entry(noted: PlannedEntry) -> NewEntry {
    NewEntry { description: Some(noted.key.to_string()), ..noted.entry() }
}

async fn ledger(path: &Path) -> Ledger {
    let ledger = Ledger::open(path).unwrap();
    ledger.put_projects(demo::projects()).await.unwrap();
    ledger
}

/// Returns the ids of all entries, grouped by the key in their description.
async fn entry_ids_by_key(path: &Path) -> BTreeMap<IdempotencyKey, BTreeSet<EntryId>> {
    let ledger = Ledger::open(path).unwrap();
    let mut logged: BTreeMap<IdempotencyKey, BTreeSet<EntryId>> = BTreeMap::new();
    let mut offset = 0;
    loop {
        let query = EntryQuery { limit: Limit::MAX_VALUE, offset, ..EntryQuery::default() };
        let page = ledger.query(&query).await.unwrap();
        for entry in page.entries {
            logged.entry(entry.description.unwrap().parse().unwrap()).or_default().insert(entry.id);
        }
        if !page.has_more {
            return logged;
        }
        offset += query.limit.get();
    }
}

/// When the program is killed, it is logging its next entry. In about one of twenty kills (measured), that entry is
/// already written.
#[tokio::test]
async fn killed_program_loses_no_acknowledged_entry_and_logs_none_twice() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(ledger(&path).await);
    let all = kill_in_a_loop(WRITER, &[path.display().to_string()], |_, program| program.killer()(), || ());
    let expected: BTreeMap<_, _> = all.iter().map(|(noted, id)| (noted.key, BTreeSet::from([*id]))).collect();
    assert_eq!(entry_ids_by_key(&path).await, expected);
    let ids: Vec<EntryId> = all.iter().map(|(_, id)| *id).collect();
    let evidence = Ledger::open(&path).unwrap().store().evidence(&ids).await.unwrap();
    for (noted, id) in all {
        assert_eq!(evidence[&id], noted.evidence());
    }
}

#[tokio::test]
async fn programs_create_a_missing_ledger_simultaneously() {
    for _ in 0..20 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("timesheet.db");
        let programs = [(); 4].map(|()| LoggingProgram::start(WRITER));
        for program in &programs {
            program.send(&[path.display().to_string()]);
        }
        assert!(programs.iter().all(LoggingProgram::has_succeeded));
    }
}

#[tokio::test]
async fn simultaneous_writers_lose_nothing_and_share_their_keys() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(ledger(&path).await);
    let lines: Vec<String> = (0..120).map(|place| PlannedEntry::new(place).line()).collect();
    // The last 40 lines of one program are the first 40 lines of the other. Both programs therefore log some entries
    // simultaneously.
    let start = |lines: Vec<String>| {
        let program = LoggingProgram::start(WRITER);
        program.send(&[vec![path.display().to_string()], lines].concat());
        program
    };
    let mut programs = [start(lines[..80].to_vec()), start(lines[40..].iter().rev().cloned().collect())];
    let [first, second] =
        programs.each_mut().map(|program| std::iter::from_fn(|| program.next_acknowledged()).collect());
    let (first, second): (BTreeMap<_, _>, BTreeMap<_, _>) = (first, second);
    assert!(programs.iter().all(LoggingProgram::has_succeeded));
    assert_eq!((first.len(), second.len()), (80, 80));
    let logged = entry_ids_by_key(&path).await;
    assert_eq!(logged.len(), 120);
    for (key, id) in first.iter().chain(&second) {
        assert_eq!(logged[key], BTreeSet::from([*id]), "both processes have the same entry");
    }
}

fn any_entry() -> NewEntry {
    let day = "2025-10-24".parse().unwrap();
    NewEntry::new("INTERNAL", "Testing", "0.25".parse().unwrap(), day, day)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_simultaneous_overlapping_entries_is_logged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let (one, other) = (ledger(&path).await, Ledger::open(&path).unwrap());
    for round in 0..40 {
        let evidence = vec![Evidence {
            start_utc: round * 60,
            end_utc: round * 60 + 60,
            device: None,
            activity: None,
            utc_offset: None,
        }];
        let log = |ledger: &Ledger| {
            let (ledger, entry) = (ledger.clone(), NewEntry { evidence: evidence.clone(), ..any_entry() });
            tokio::spawn(async move { ledger.log(IdempotencyKey::new(), entry, OverlapPolicy::Refused).await.is_ok() })
        };
        let (first, second) = (log(&one), log(&other));
        assert_ne!(first.await.unwrap(), second.await.unwrap(), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn submitted_entry_cannot_be_changed() {
    use dayledger_timesheet::{Changes, Code, Hours, Status};

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let (one, other) = (ledger(&path).await, Ledger::open(&path).unwrap());
    for _ in 0..40 {
        let id = one.log(IdempotencyKey::new(), any_entry(), OverlapPolicy::Allowed).await.unwrap().id;
        let updating = tokio::spawn({
            let one = one.clone();
            async move {
                let mut last = Hours::ZERO;
                for hundredths in 1..6 {
                    let hours = Hours::from_hundredths(hundredths);
                    let changes = Changes { standard_hours: Some(hours), ..Changes::default() };
                    match one.update(id, changes, OverlapPolicy::Allowed).await {
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
        assert_eq!(found, submitted, "a submitted entry stays unchanged");
        assert!(last == Hours::ZERO || found.standard_hours == last, "the last acknowledged update is stored");
    }
}
