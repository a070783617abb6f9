//! Tests of programs that are killed while they push.

use std::path::Path;
use std::sync::Arc;

use dayledger_timesheet::push::{Clock, PushTracker, SystemClock};

use super::server::ServerFailure;
use super::{Harness, Logged, TRACKERS, logged_hours, open, push_rows, rows_of, settings};
use crate::program::{LoggingProgram, read_input_lines};
use crate::random::random_below;

/// The number of rows that are pushed. All rows have the same text.
const ROWS: u128 = 60;
/// The number of times that a program is killed.
const KILLS: usize = 25;

fn entries() -> Vec<Logged> {
    let entries = (0..ROWS).map(|number| {
        let start = format!("{:02}:{:02}:00", 6 + number / 10, number % 10 * 6);
        let (mut entry, evidence) = logged_hours(number + 1, "HARBOUR", "Stock", &start, "0.1");
        entry.description = Some("Same text".to_owned());
        (entry, evidence)
    });
    entries.collect()
}

/// A clock that advances only while the program waits.
struct ProgramClock(std::sync::Mutex<chrono::DateTime<chrono::Utc>>);

#[async_trait::async_trait]
impl Clock for ProgramClock {
    fn now(&self) -> chrono::DateTime<chrono::Utc> {
        *self.0.lock().unwrap()
    }

    async fn wait(&self, duration: std::time::Duration, _why: &str) {
        *self.0.lock().unwrap() += duration;
    }
}

/// The program that the test below starts. Its input contains a tracker, a URL and a path. It pushes until the tracker
/// has all rows.
#[test]
#[ignore = "a program for the other test, which gives it what to do"]
fn pushing_program() {
    let input = read_input_lines();
    let [tracker, url, path] = &input[..] else { return };
    let tracker = if tracker == "kimai" { PushTracker::Kimai } else { PushTracker::Harvest };
    let (store, clock) =
        (open(Path::new(path)), ProgramClock(std::sync::Mutex::new(SystemClock { report: |_, _| () }.now())));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let rows = rows_of(tracker, &entries());
    loop {
        let pushed = runtime.block_on(push_rows(&settings(url), tracker, &store, &clock, &rows));
        if pushed.error.is_none() {
            break;
        }
    }
}

/// The program is killed after a row is stored but before it arrives, after it arrives but before the response, or
/// between two rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_push_creates_no_row_twice_and_loses_none() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let path = harness.folder.path().join("timesheet.db");
        let input = [tracker.key().to_owned(), harness.server.url(), path.display().to_string()];
        let mut below = random_below();
        for round in 0..KILLS {
            let mut program = LoggingProgram::start("push::kills::pushing_program");
            let kill = program.killer();
            for _ in 0..below(3) {
                harness.server.fail_next(ServerFailure::After(Arc::new(|| ())));
            }
            harness.server.fail_next(match round % 3 {
                0 => ServerFailure::Before(Arc::new(kill)),
                1 => ServerFailure::After(Arc::new(kill)),
                _ => ServerFailure::DropAfter,
            });
            if round % 3 == 2 {
                harness.server.fail_next(ServerFailure::Before(Arc::new(program.killer())));
            }
            program.send(&input);
            while program.next_acknowledged().is_some() {}
        }
        let mut program = LoggingProgram::start("push::kills::pushing_program");
        program.send(&input);
        while program.next_acknowledged().is_some() {}
        assert!(program.has_succeeded());
        assert_eq!(harness.server.entries().len() as u128, ROWS, "{tracker}");
        assert_eq!(harness.plan(&entries()).await.pushed as u128, ROWS);
    }
}
