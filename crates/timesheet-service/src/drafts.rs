//! Creates the draft of some days from the history, the logged entries and the projects of earlier entries.

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::{Days, NaiveDate, NaiveTime};
use dayledger_timesheet::draft::{
    ActivePeriod, Draft, DraftInput, EntryCoverage, Memory, ProjectNames, Settings, draft,
};
use dayledger_timesheet::{Day, EntryId, LoggedEntries, Project, ProjectFilter};
use schemars::JsonSchema;
use serde::Serialize;

use super::service::TimesheetService;
use super::work::Work;
use dayledger_request::{Error, Minutes, minutes};

/// The draft learns from the entries of this many days before the first active day.
const LEARNED: u64 = 56;
/// The maximum number of days before and after the range for which active time is loaded. This time is needed for an
/// entry without evidence that also has days outside the range. The hours of such an entry are spread over its days in
/// proportion to active time.
const NEAR: u64 = 31;
/// An entry is reported if its hours exceed its activity by at least this many seconds. Rounding alone causes smaller
/// excesses.
const MIN_BEYOND_SECONDS: i64 = 900;
/// The maximum number of entries that are reported because their hours exceed their activity.
const MAX_BEYOND_ENTRIES: usize = 10;

/// Drafts the days from `first` to `last`, with the patterns of the settings. Returns the draft, the recorded time, and
/// the user's entries. The entries are those on the drafted days, and those with evidence close to these days.
///
/// # Errors
/// Fails if the history or the timesheet can't be read.
pub(super) async fn draft_days(
    service: &TimesheetService,
    first: Day,
    last: Day,
    mut settings: Settings,
) -> Result<(Draft, Work, LoggedEntries), Error> {
    settings.patterns.clone_from(&service.setup()?.patterns);
    with_draft_input(service, first, last, |input| draft(input, &settings)).await
}

/// Loads the input for a draft of the days from `first` to `last`, and passes it to `make`. Returns the result of
/// `make` with the recorded time and the user's entries.
///
/// # Errors
/// Fails if the history or the timesheet can't be read.
pub(super) async fn with_draft_input<T>(
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
    let unconfirmed: Vec<_> = work.unconfirmed.iter().filter(is_asked).cloned().collect();
    let mut elsewhere: BTreeMap<Day, i64> = work.counted_seconds();
    elsewhere.retain(|day, _| !(first..=last).contains(day) && day.date() >= reach_first && day.date() <= reach_last);
    let names = ProjectNames::new(&projects, &setup.aliases);
    let entries = logged.entries_with_evidence();
    let input = DraftInput {
        first,
        last,
        periods: &intervals,
        unconfirmed: &unconfirmed,
        entries: &entries,
        other_days: &elsewhere,
        names: &names,
        memory: &memory,
    };
    Ok((make(&input), work, logged))
}

/// Loads the entries of the eight weeks before the first active day, from which the draft learns. These weeks depend on
/// the first active day, not on the start of the range. If a day and its week have the same first active day, their
/// drafts therefore have the same rows for the day.
async fn load_memory(service: &TimesheetService, active: Day) -> Result<Memory, Error> {
    let mut memory = Memory::default();
    let (from, until) = (days_before(active.date(), LEARNED), days_before(active.date(), 1));
    let (Ok(from), Ok(until)) = (Day::try_from(from), Day::try_from(until)) else { return Ok(memory) };
    let store = service.store().await?;
    let time = utc_seconds(from.date(), until.date());
    // If no drafted entry exists in these weeks, the draft can't learn from them, and the API isn't queried.
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

/// Extends the range to all days of the entries without evidence, but by at most [`NEAR`] days in each direction.
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

/// Returns a range of UTC seconds that contains the local days from `first` to `last` in every time zone.
pub(super) fn utc_seconds(first: NaiveDate, last: NaiveDate) -> Range<i64> {
    let seconds = |date: NaiveDate| date.and_time(NaiveTime::MIN).and_utc().timestamp();
    seconds(days_before(first, 1))..seconds(days_after(last, 2))
}

/// An entry whose hours exceed its recorded activity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BeyondEvidence {
    /// The id of the entry.
    pub id: EntryId,
    /// The first day of the entry.
    pub start_date: Day,
    /// The code of the entry's project.
    pub project_code: String,
    /// The task of the entry.
    pub task: String,
    /// The minutes by which the entry's hours exceed its activity. For an entry without evidence, only the requested
    /// days count.
    pub minutes: Minutes,
}

/// Returns at most [`MAX_BEYOND_ENTRIES`] entries that exceed their recorded activity by at least
/// [`MIN_BEYOND_SECONDS`]. The entry with the largest excess comes first.
pub(super) fn beyond_evidence(covered: &[EntryCoverage], logged: &LoggedEntries) -> Vec<BeyondEvidence> {
    let mut beyond: Vec<_> = covered.iter().filter(|covered| covered.beyond_evidence >= MIN_BEYOND_SECONDS).collect();
    beyond.sort_by_key(|covered| std::cmp::Reverse(covered.beyond_evidence));
    let reported = beyond.into_iter().filter_map(|covered| {
        let entry = logged.entries.iter().find(|entry| entry.id == covered.entry)?;
        Some(BeyondEvidence {
            id: entry.id,
            start_date: entry.start_date,
            project_code: entry.project_code.clone(),
            task: entry.task.clone(),
            minutes: minutes(covered.beyond_evidence),
        })
    });
    reported.take(MAX_BEYOND_ENTRIES).collect()
}
