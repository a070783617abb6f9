//! The draft of some days: from the history, what is logged, and what was logged before.

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::{Days, NaiveDate, NaiveTime};
use dayledger_timesheet::draft::{
    ActivePeriod, Draft, DraftInput, EntryCoverage, Memory, ProjectNames, Settings, UnloggedTime, draft, unlogged_time,
};
use dayledger_timesheet::{Day, EntryId, LoggedEntries, Project, ProjectFilter};
use schemars::JsonSchema;
use serde::Serialize;

use super::service::TimesheetService;
use super::work::Work;
use crate::request::{Error, Minutes, minutes};

/// How many days before the first active one are learned from.
const LEARNED: u64 = 56;
/// How many days before and after a range an entry without evidence may reach and still be spread by active time.
const NEAR: u64 = 31;
/// What is told has at least so many seconds: rounding makes less.
const MIN_BEYOND_SECONDS: i64 = 900;
/// How many entries are told.
const MAX_BEYOND_ENTRIES: usize = 10;

/// A draft with what tells it to a person.
#[derive(Debug)]
pub(super) struct DraftContext {
    pub(super) draft: Draft,
    pub(super) work: Work,
    /// The user's entries of these days, and those with evidence near them.
    pub(super) logged: LoggedEntries,
}

/// Drafts the days from `first` to `last`.
///
/// # Errors
/// A history or a timesheet that cannot be read.
pub(super) async fn draft_days(
    service: &TimesheetService,
    first: Day,
    last: Day,
    settings: &Settings,
) -> Result<DraftContext, Error> {
    let (draft, work, logged) = with_draft_input(service, first, last, |input| draft(input, settings)).await?;
    Ok(DraftContext { draft, work, logged })
}

/// The active time of the days from `first` to `last` that no entry covers: what a draft of them drafts or leaves out.
///
/// # Errors
/// A history or a timesheet that cannot be read.
pub(super) async fn unlogged_intervals(
    service: &TimesheetService,
    first: Day,
    last: Day,
) -> Result<(Vec<UnloggedTime>, Work), Error> {
    let (unlogged, work, _) = with_draft_input(service, first, last, unlogged_time).await?;
    Ok((unlogged, work))
}

/// Loads the input for a draft of the days from `first` to `last`, and passes it to `make`.
async fn with_draft_input<T>(
    service: &TimesheetService,
    first: Day,
    last: Day,
    make: impl FnOnce(&DraftInput<'_>) -> T,
) -> Result<(T, Work, LoggedEntries), Error> {
    let setup = service.setup()?;
    let timesheet = service.timesheet().await?;
    let projects: Vec<Project> = timesheet.projects(ProjectFilter::All).await?;
    let logged = timesheet.logged_entries(first..=last, utc_seconds(first.date(), last.date())).await?;
    let (reach_first, reach_last) = extended_range(&logged, first, last);
    let work = Work::load(service.engine(), reach_first, reach_last, &(first..=last)).await?;

    let is_asked = |interval: &&ActivePeriod| (first..=last).contains(&interval.day);
    let intervals: Vec<_> = work.intervals.iter().filter(is_asked).cloned().collect();
    let memory = match intervals.iter().map(|interval| interval.day).min() {
        Some(active) => load_memory(service, active).await?,
        None => Memory::default(),
    };
    let mut elsewhere: BTreeMap<Day, i64> = work.active_seconds();
    elsewhere.retain(|day, _| !(first..=last).contains(day) && day.date() >= reach_first && day.date() <= reach_last);
    let names = ProjectNames::new(&projects, &setup.aliases);
    let entries = logged.entries_with_evidence();
    let input = DraftInput {
        first,
        last,
        periods: &intervals,
        entries: &entries,
        other_days: &elsewhere,
        names: &names,
        memory: &memory,
    };
    let made = make(&input);
    Ok((made, work, logged))
}

/// What was logged for the weeks before the first active day. It does not depend on where a range begins, so that a row is
/// the same in a draft of a day and of its week, as long as they begin with the same active day.
async fn load_memory(service: &TimesheetService, active: Day) -> Result<Memory, Error> {
    let mut memory = Memory::default();
    let (from, until) = (days_before(active.date(), LEARNED), days_before(active.date(), 1));
    let (Ok(from), Ok(until)) = (Day::try_from(from), Day::try_from(until)) else { return Ok(memory) };
    let store = service.store().await?;
    let time = utc_seconds(from.date(), until.date());
    // Who has drafted nothing in these weeks is not asked for what there is.
    if !store.has_evidence_in(time.start, time.end).await? {
        return Ok(memory);
    }
    let logged = service.timesheet().await?.logged_entries(from..=until, 0..0).await?;
    let ids: Vec<_> = logged.entries.iter().map(|entry| entry.id).collect();
    let known_by = store.used_items(&ids).await?;
    for entry in &logged.entries {
        memory.learn(entry, known_by.get(&entry.id).map_or(&[], Vec::as_slice));
    }
    Ok(memory)
}

/// The days of a range and those near it that entries without evidence have too.
fn extended_range(logged: &LoggedEntries, first: Day, last: Day) -> (NaiveDate, NaiveDate) {
    let without = logged.entries.iter().filter(|entry| !logged.evidence.contains_key(&entry.id));
    without.fold((first.date(), last.date()), |(start, end), entry| {
        (
            start.min(entry.start_date.date().max(days_before(first.date(), NEAR))),
            end.max(entry.completion_date.date().min(days_after(last.date(), NEAR))),
        )
    })
}

fn days_before(date: NaiveDate, days: u64) -> NaiveDate {
    date.checked_sub_days(Days::new(days)).unwrap_or(NaiveDate::MIN)
}

fn days_after(date: NaiveDate, days: u64) -> NaiveDate {
    date.checked_add_days(Days::new(days)).unwrap_or(date)
}

/// Seconds since 1970 that hold the local days from `first` to `last` in every zone.
pub(super) fn utc_seconds(first: NaiveDate, last: NaiveDate) -> Range<i64> {
    let seconds = |date: NaiveDate| date.and_time(NaiveTime::MIN).and_utc().timestamp();
    seconds(days_before(first, 1))..seconds(days_after(last, 2))
}

/// An entry with more hours than its activity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeyondEvidence {
    /// The entry.
    #[schemars(with = "String")]
    pub id: EntryId,
    /// Its first day.
    pub start_date: Day,
    /// Its project.
    pub project_code: String,
    /// Its task.
    pub task: String,
    /// Minutes of its hours on the requested days that exceed its activity.
    pub minutes: Minutes,
}

/// The entries that have a quarter of an hour or more beyond what was done, most first, at most 10.
pub(super) fn beyond_evidence(covered: &[EntryCoverage], logged: &LoggedEntries) -> Vec<BeyondEvidence> {
    let mut beyond: Vec<_> = covered.iter().filter(|covered| covered.beyond_evidence >= MIN_BEYOND_SECONDS).collect();
    beyond.sort_by_key(|covered| std::cmp::Reverse(covered.beyond_evidence));
    let told = beyond.into_iter().filter_map(|covered| {
        let entry = logged.entries.iter().find(|entry| entry.id == covered.entry)?;
        Some(BeyondEvidence {
            id: entry.id,
            start_date: entry.start_date,
            project_code: entry.project_code.clone(),
            task: entry.task.clone(),
            minutes: minutes(covered.beyond_evidence),
        })
    });
    told.take(MAX_BEYOND_ENTRIES).collect()
}
