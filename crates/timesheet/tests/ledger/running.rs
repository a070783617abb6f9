//! Tests of the timer. At most one timer runs at a time.

use chrono::{DateTime, TimeDelta, Utc};
use dayledger_timesheet::local_store::{RunningTimer, StoppedTimer};
use dayledger_timesheet::{Hours, LocalStore};
use tempfile::TempDir;

/// Returns the time that is this many milliseconds after 21:30 UTC on 24 October 2025.
fn at(millis: i64) -> DateTime<Utc> {
    "2025-10-24T21:30:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::milliseconds(millis)
}

fn work(task: &str, millis: i64) -> RunningTimer {
    RunningTimer {
        project_code: "INTERNAL".to_owned(),
        task: task.to_owned(),
        description: Some("fixing it".to_owned()),
        since: at(millis),
    }
}

#[tokio::test]
async fn work_runs_until_any_program_stops_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let store = LocalStore::open(&path).unwrap();
    assert_eq!(store.running_timer().await.unwrap(), None);
    assert_eq!(store.stop_timer(at(0)).await.unwrap(), None);
    let testing = work("Testing", 7);
    assert_eq!(store.start_timer(testing.clone()).await.unwrap(), None);
    drop(store);

    let store = LocalStore::open(&path).unwrap();
    assert_eq!(store.running_timer().await.unwrap().as_ref(), Some(&testing));
    let stopped = store.stop_timer(at(9_000_007)).await.unwrap().unwrap();
    assert_eq!(stopped, StoppedTimer { work: testing, until: at(9_000_007) });
    assert_eq!(
        Hours::between(stopped.work.since, stopped.until),
        Hours::from_hundredths(250),
        "hours are the same if the timer runs over midnight"
    );
    assert_eq!((store.running_timer().await.unwrap(), store.stop_timer(at(9_000_008)).await.unwrap()), (None, None));
}

#[tokio::test]
async fn starting_work_stops_the_running_work() {
    let folder = TempDir::new().unwrap();
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    store.start_timer(work("Testing", 0)).await.unwrap();
    let stopped = store.start_timer(work("DevOps", 3_600_000)).await.unwrap().unwrap();
    assert_eq!((stopped.work, stopped.until), (work("Testing", 0), at(3_600_000)));
    assert_eq!(store.running_timer().await.unwrap(), Some(work("DevOps", 3_600_000)));
}

#[tokio::test]
async fn work_has_no_duration_if_the_clock_is_set_back() {
    let folder = TempDir::new().unwrap();
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    store.start_timer(work("Testing", 0)).await.unwrap();
    let stopped = store.stop_timer(at(-3_600_000)).await.unwrap().unwrap();
    assert_eq!((stopped.work.since, stopped.until), (at(0), at(0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simultaneous_starts_leave_one_running_and_lose_none() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    let stores = [LocalStore::open(&path).unwrap(), LocalStore::open(&path).unwrap()];
    let beginning = [0, 1].map(|side| {
        let store = stores[side].clone();
        tokio::spawn(async move {
            let mut stopped = Vec::new();
            for round in 0..20 {
                stopped.extend(store.start_timer(work(&format!("{side} {round}"), round)).await.unwrap());
            }
            stopped
        })
    });
    let mut tasks = Vec::new();
    for beginning in beginning {
        tasks.extend(beginning.await.unwrap().into_iter().map(|stopped| stopped.work.task));
    }
    tasks.extend(stores[0].running_timer().await.unwrap().map(|running| running.task));
    tasks.sort();
    let mut all: Vec<_> = (0..40).map(|number| format!("{} {}", number / 20, number % 20)).collect();
    all.sort();
    assert_eq!(tasks, all);
}
