//! Tests of pushes to Harvest and Kimai. They check the data that each tracker gets. They also check that no failure
//! leads to a row that the tracker has twice.

mod errors;
mod failures;
mod kills;
mod plans;
pub(crate) mod server;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use chrono::{NaiveTime, TimeDelta};
use dayledger_timesheet::export::{Billable, TrackerSettings};
use dayledger_timesheet::push::{
    ApiToken, Clock, Options, PushPlan, PushRow, PushSettings, PushTarget, PushTracker, Pushed, Pusher, plan, rows,
};
use dayledger_timesheet::{Evidence, Hours, LocalStore, LoggedEntry, NewEntry, TimeEntry};
use serde_json::json;
use tempfile::TempDir;

use crate::export::samples::{day, entry};
use server::{ACCOUNT, OTHER_TOKEN, TOKEN, TrackerServer, USER};

const TRACKERS: [PushTracker; 2] = [PushTracker::Harvest, PushTracker::Kimai];
/// The time after which a row is sent again if its response was lost and the row isn't found.
const SETTLE_TIME: Duration = Duration::from_mins(2);

/// A server, and a store with its own folder.
struct Harness {
    server: TrackerServer,
    tracker: PushTracker,
    store: LocalStore,
    folder: TempDir,
}

/// An entry with its evidence.
type Logged = (TimeEntry, Vec<Evidence>);

impl Harness {
    async fn start(tracker: PushTracker) -> Self {
        let folder = TempDir::new().unwrap();
        let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
        Self { server: TrackerServer::start().await, tracker, store, folder }
    }

    fn settings(&self) -> PushSettings {
        settings(&self.server.url())
    }

    async fn push(&self, entries: &[Logged]) -> Pushed {
        push_rows(&self.settings(), self.tracker, &self.store, &self.server.clock(), &self.rows(entries)).await
    }

    /// Pushes the entries with the token of another user.
    async fn push_as_other_user(&self, entries: &[Logged]) -> Pushed {
        let clock = self.server.clock();
        self.with_pusher(OTHER_TOKEN, &clock, async |pusher| pusher.push(&self.rows(entries)).await).await
    }

    /// Calls a function with a pusher.
    async fn with_pusher<T>(&self, token: &str, clock: &dyn Clock, call: impl AsyncFnOnce(&Pusher<'_>) -> T) -> T {
        let settings = self.settings();
        let (target, account) = (connect(&settings, self.tracker, token), settings.account(self.tracker).unwrap());
        let pusher =
            Pusher { target: &*target, account: &account, store: &self.store, clock, settle_time: SETTLE_TIME };
        call(&pusher).await
    }

    /// Pushes the entries. Panics if the push fails.
    #[track_caller]
    fn push_all(&self, entries: &[Logged]) -> impl Future<Output = Pushed> {
        let place = std::panic::Location::caller();
        async move {
            let pushed = self.push(entries).await;
            assert!(pushed.error.is_none(), "{place}: {:?}", pushed.error);
            pushed
        }
    }

    /// Pushes the entries, and checks that the push fails with this message. Returns the hint of the error.
    async fn expect_error(&self, entries: &[Logged], message: &str) -> String {
        let error = self.push(entries).await.error.unwrap();
        assert_eq!(error.message, message);
        error.hint.clone()
    }

    async fn plan(&self, entries: &[Logged]) -> PushPlan {
        let account = self.settings().account(self.tracker).unwrap();
        plan(&self.store, &account, &self.rows(entries)).await.unwrap()
    }

    fn rows(&self, entries: &[Logged]) -> Vec<PushRow> {
        rows_of(self.tracker, entries)
    }

    /// Returns the number of requests that create an entry.
    fn creations(&self) -> usize {
        self.server.count("POST ")
    }
}

fn settings(url: &str) -> PushSettings {
    serde_json::from_value(json!({"harvest": {"account": ACCOUNT, "url": url}, "kimai": {"url": url}})).unwrap()
}

async fn push_rows(
    settings: &PushSettings,
    tracker: PushTracker,
    store: &LocalStore,
    clock: &dyn Clock,
    rows: &[PushRow],
) -> Pushed {
    let target = connect(settings, tracker, TOKEN);
    let account = settings.account(tracker).unwrap();
    Pusher { target: &*target, account: &account, store, clock, settle_time: SETTLE_TIME }.push(rows).await
}

fn connect(settings: &PushSettings, tracker: PushTracker, token: &str) -> Box<dyn PushTarget> {
    let token = ApiToken::new(tracker, token, "`x`").unwrap();
    let options =
        Options { connect: Duration::from_secs(5), call: Duration::from_millis(400), settle_time: SETTLE_TIME };
    settings.connect(tracker, token, options).unwrap()
}

fn rows_of(tracker: PushTracker, entries: &[Logged]) -> Vec<PushRow> {
    let logged: Vec<_> = entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
    rows(tracker, &logged, Billable::Unknown, &names()).unwrap()
}

/// Returns settings with the names of the projects in the tracker.
fn names() -> TrackerSettings {
    serde_json::from_value(json!({"projects": [
        {"code": "NORTHWIND", "client": "Northwind Ltd", "project": "NW", "tasks": {"Bills": "Billing"}},
        {"code": "HARBOUR", "client": "Harbour Foods", "project": "Stock"},
    ]}))
    .unwrap()
}

/// Returns an entry with evidence that begins at the local time `start` on 20 October 2025. Local time is one hour
/// ahead of UTC.
fn logged_hours(number: u128, code: &str, task: &str, start: &str, hours: &str) -> Logged {
    let hours: Hours = hours.parse().unwrap();
    let entry = TimeEntry {
        description: Some(format!("Part {number}")),
        ..entry(number, code, task, hours.hundredths(), 0, 0)
    };
    let start = day(0).date().and_time(start.parse::<NaiveTime>().unwrap()) - TimeDelta::hours(1);
    let start_utc = start.and_utc().timestamp();
    let end_utc = start_utc + hours.hundredths() * 36;
    (entry, vec![Evidence { start_utc, end_utc, device: None, activity: None, utc_offset: Some(3600) }])
}

/// Returns three entries of one day.
fn day_of_work() -> Vec<Logged> {
    vec![
        logged_hours(1, "NORTHWIND", "Bills", "09:00:00", "1.5"),
        logged_hours(2, "HARBOUR", "Stock", "10:30:00", "2.25"),
        logged_hours(3, "NORTHWIND", "Bills", "13:00:00", "0.75"),
    ]
}

#[tokio::test]
async fn harvest_gets_days_and_hours_with_a_reference() {
    let harness = Harness::start(PushTracker::Harvest).await;
    let pushed = harness.push_all(&day_of_work()).await;
    assert_eq!((pushed.created.len(), pushed.found, pushed.altered), (3, 0, 0));
    let entries = harness.server.entries();
    let keys: BTreeSet<_> = entries.iter().map(|entry| entry["external_reference"]["id"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), 3);
    let rows = harness.rows(&day_of_work());
    assert_eq!(
        entries[1],
        json!({
            "id": 636_709_356, "project_id": 15, "task_id": 9, "spent_date": "2025-10-20", "hours": 2.25,
            "user": {"id": USER}, "notes": "Part 2", "external_reference": {"id": rows[1].key().to_string(), "group_id": "dayledger"},
        })
    );
}

#[tokio::test]
async fn kimai_gets_local_times() {
    let harness = Harness::start(PushTracker::Kimai).await;
    assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 3);
    let entries = harness.server.entries();
    assert_eq!(
        entries[0],
        json!({
            "id": 71, "begin": "2025-10-20T09:00:00+0100", "end": "2025-10-20T10:30:00+0100", "project": 4,
            "activity": 9, "description": "Part 1", "tags": ["dayledger"], "billable": true, "user": USER,
        })
    );
    // The project isn't billable, and no rates are set.
    assert_eq!((&entries[1]["activity"], &entries[1]["billable"]), (&json!(10), &json!(false)));
}

#[tokio::test]
async fn kimai_gets_billable_hours_of_the_rates() {
    let harness = Harness::start(PushTracker::Kimai).await;
    let entries = day_of_work();
    let logged: Vec<_> = entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
    let billable = BTreeSet::from([entries[1].0.id]);
    let rows = rows(PushTracker::Kimai, &logged, Billable::Entries(&billable), &names()).unwrap();
    push_rows(&harness.settings(), PushTracker::Kimai, &harness.store, &harness.server.clock(), &rows).await;
    let billed: Vec<_> = harness.server.entries().iter().map(|entry| entry["billable"] == json!(true)).collect();
    assert_eq!(billed, [false, true, false]);
}

/// Checks hours that continue after midnight, and hours without times.
#[test]
fn rows_add_up_to_the_hours() {
    let mut untimed = NewEntry::new("HARBOUR", "Stock", "3.48".parse().unwrap(), day(0), day(1));
    untimed.description = Some("Two days".to_owned());
    let untimed = (TimeEntry::from_new(entry(9, "A", "x", 1, 0, 0).id, untimed, chrono::Utc::now()), Vec::new());
    let entries = [logged_hours(1, "NORTHWIND", "Bills", "23:00:00", "1"), untimed];
    for tracker in TRACKERS {
        let rows = rows_of(tracker, &entries);
        assert_eq!(rows.iter().map(|row| row.hours).sum::<Hours>(), "4.48".parse().unwrap(), "{tracker}");
        let keys: BTreeSet<_> = rows.iter().map(PushRow::key).collect();
        assert_eq!(keys.len(), rows.len());
        assert_eq!(rows.iter().all(|row| row.times.is_some()), tracker == PushTracker::Kimai);
    }
}

/// Opens the store of a killed program.
fn open(path: &Path) -> LocalStore {
    LocalStore::open(path).unwrap()
}
