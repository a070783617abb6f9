//! Tests of the API backend: the common suite, and tests that apply only to an API.

mod arguments;
mod kills;
mod losses;
mod mapping;
mod overlaps;
mod queries;
mod tokens;

use std::time::Duration;

use dayledger_timesheet::graphql::Options;
use dayledger_timesheet::{
    Code, EntryId, GraphQl, IdempotencyKey, LocalStore, NewEntry, OverlapPolicy, Refusal, Status, TimeEntry, Timesheet,
};
use tempfile::TempDir;

use crate::simulator::{Api, Caller, LoggedIn};
use crate::suite::{Harness, every_case};

/// The permissions of an ordinary user (docs/spec/timesheet.md#permissions).
const ACL: [&str; 2] = ["Project/INTERNAL=V,E,T", "Project/CLIENT-A=V,E,T"];

/// A simulated API, a client, a user and a separate folder.
struct ApiHarness {
    api: Api,
    timesheet: GraphQl,
    user: LoggedIn,
    folder: TempDir,
}

async fn start() -> ApiHarness {
    start_with(&ACL, options(Duration::from_secs(20))).await
}

async fn start_with(acl: &[&str], options: Options) -> ApiHarness {
    let api = Api::start().await;
    let (folder, user) = (TempDir::new().unwrap(), LoggedIn::new(Caller::new("user-u", acl)));
    let timesheet = open(&api, &user, &folder, options);
    ApiHarness { api, timesheet, user, folder }
}

/// Creates a client whose store is in the folder.
fn open(api: &Api, user: &LoggedIn, folder: &TempDir, options: Options) -> GraphQl {
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    GraphQl::new(api.url().parse().unwrap(), user.clone(), store, options).unwrap()
}

/// Returns options with this timeout. The client doesn't wait for late entries.
fn options(call: Duration) -> Options {
    Options { connect: Duration::from_secs(5), call, settle_time: Duration::ZERO }
}

/// Returns options with a timeout of 400 milliseconds.
fn short_timeouts() -> Options {
    options(Duration::from_millis(400))
}

fn entry(project: &str, task: &str, hours: &str) -> NewEntry {
    let day = "2025-10-24".parse().unwrap();
    NewEntry::new(project, task, hours.parse().unwrap(), day, day)
}

/// Moves the entry to the day with this number in 2025, where 1 January is 0.
fn entry_on_day(place: usize, entry: NewEntry) -> NewEntry {
    let date = chrono::NaiveDate::from_ymd_opt(2025, 1, 1).unwrap() + chrono::Days::new(place.try_into().unwrap());
    let day = date.try_into().unwrap();
    NewEntry { start_date: day, completion_date: day, ..entry }
}

async fn log(harness: &ApiHarness, entry: NewEntry) -> Result<TimeEntry, Refusal> {
    harness.timesheet.log(IdempotencyKey::new(), entry, OverlapPolicy::Allowed).await
}

#[track_caller]
fn expect_refusal<T: std::fmt::Debug>(answer: Result<T, Refusal>, code: Code) -> Refusal {
    let refusal = answer.unwrap_err();
    assert_eq!(refusal.code, code, "{refusal}");
    refusal
}

impl Harness for ApiHarness {
    fn timesheet(&self) -> &dyn Timesheet {
        &self.timesheet
    }

    fn store(&self) -> &LocalStore {
        self.timesheet.store()
    }

    fn deletes_declined(&self) -> bool {
        true
    }

    fn decide(&self, id: EntryId, status: Status, comment: Option<&str>) {
        self.api.decide(id, status, comment);
    }
}

impl ApiHarness {
    fn as_user(&self, id: &str, acl: &[&str]) -> GraphQl {
        let user = LoggedIn::new(Caller::new(id, acl));
        open(&self.api, &user, &self.folder, options(Duration::from_secs(20)))
    }
}

every_case!(start);
