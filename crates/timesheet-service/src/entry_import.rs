//! Imports the entries of another time tracker into the ledger.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Days, Local};
use dayledger_timesheet::draft::recorded_times;
use dayledger_timesheet::import::{self, DateOrder, ResolvedEntry, TrackedEntry, TrackedTime};
use dayledger_timesheet::ledger::{ImportMode, ImportRow};
use dayledger_timesheet::{Day, EntryId, Hours, NewEntry, Project, ProjectFilter, TimeEntry};

use super::codes;
use super::drafts::with_draft_input;
use super::running_work::split_by_day;
use super::service::TimesheetService;
use super::setup::Setup;
use dayledger_request::Error;

/// The history is loaded in steps. A step covers its first day and at most this many more days.
const MORE_DAYS: u64 = 30;

/// The result of importing entries from another tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryImport {
    /// The new entries.
    pub entries: Vec<TimeEntry>,
    /// The number of entries in the file that were imported before. These entries aren't changed, even if they were
    /// edited in the ledger since.
    pub known: usize,
    /// The new projects, and the existing projects that get new tasks.
    pub projects: Vec<Project>,
    /// Messages to the user. Each is one sentence without a full stop.
    pub notes: Vec<String>,
}

/// A row to import. Also contains the time between its start and its end in UTC seconds, if both are known.
type TimedRow = (ImportRow, Option<Range<i64>>);

impl TimesheetService {
    /// Imports the entries of a file. See [`import::entries()`] and [`import::resolve`]. An entry over several days is
    /// split by day. The recorded activity between the start and the end becomes evidence. Entries that were imported
    /// before are skipped. MCP tools can't do this.
    ///
    /// # Errors
    /// Fails if an entry of the file can't be read or breaks a rule. In this case, nothing is imported. Also fails if
    /// the entries are stored by an API.
    pub async fn import_entries(
        &self,
        file: &[u8],
        order: Option<DateOrder>,
        mode: ImportMode,
    ) -> Result<EntryImport, Error> {
        let setup = self.setup()?;
        let ledger = self.ledger().await?.ok_or_else(|| {
            let message = "cannot import entries: the entries are managed on the timesheet server";
            Error::new(codes::FORBIDDEN, message, "import them on the timesheet server")
        })?;
        let import::TrackedEntries { entries, mut notes } = import::entries(file, order, &Local)?;
        let (mut new, mut known, mut known_ids) = (Vec::new(), 0, BTreeSet::new());
        for entry in entries {
            let ids = imported_before(self, &entry).await?;
            if ids.is_empty() {
                new.push(entry);
            } else {
                known += 1;
                known_ids.extend(ids);
            }
        }
        let projects = self.timesheet().await?.projects(ProjectFilter::All).await?;
        let resolved = import::resolve(new, &projects, &setup.aliases)?;
        check_configured(setup, &resolved.projects, &projects)?;
        notes.extend(resolved.notes);
        let (mut rows, mut too_short) = (Vec::new(), 0);
        for entry in &resolved.entries {
            let parts = parts(entry);
            too_short += usize::from(parts.is_empty());
            rows.extend(parts);
        }
        if too_short > 0 {
            notes.push(format!("{too_short} entries without hours were left out"));
        }
        notes.extend(days_with_hours(self, &rows, &known_ids).await?);
        if mode == ImportMode::Store && add_evidence(self, &mut rows).await.is_err() {
            notes.push("the history can't be read, so that the entries have no recorded activity".to_owned());
        }
        let rows = rows.into_iter().map(|(row, _)| row).collect();
        let entries = ledger.import(resolved.projects.clone(), rows, mode).await?;
        Ok(EntryImport { entries, known, projects: resolved.projects, notes })
    }
}

/// Returns the ids of the entries that an earlier import created from an entry of the file, even if these entries were
/// deleted since.
async fn imported_before(service: &TimesheetService, entry: &TrackedEntry) -> Result<Vec<EntryId>, Error> {
    let (store, mut ids) = (service.store().await?, Vec::new());
    while let Some(id) = store.logged_entry(entry.key(ids.len())).await? {
        ids.push(id);
    }
    Ok(ids)
}

/// Refuses to add tasks to projects of the configuration file. The new tasks would be lost, because these projects are
/// replaced whenever the ledger is opened.
fn check_configured(setup: &Setup, projects: &[Project], known: &[Project]) -> Result<(), Error> {
    let is_configured = |project: &&Project| setup.projects.iter().any(|set| set.code == project.code);
    let Some(project) = projects.iter().find(is_configured) else { return Ok(()) };
    let old = known.iter().find(|known| known.code == project.code);
    let has = |task: &&str| old.is_some_and(|old| old.active_tasks().any(|known| known == *task));
    let lacking: Vec<_> = project.active_tasks().filter(|task| !has(task)).collect();
    let message = format!(
        "cannot import the file: project `{}` of the configuration file lacks the tasks `{}`",
        project.code,
        lacking.join("`, `")
    );
    Err(Error::new(codes::VALIDATION_ERROR, message, "add them to the project in the configuration file"))
}

/// Returns a row for each day of an entry. The hours of the rows add up to the hours of the entry. An entry without
/// hours has no rows.
fn parts(ResolvedEntry { entry, project_code, task }: &ResolvedEntry) -> Vec<TimedRow> {
    let days: Vec<(Day, Hours, Option<Range<i64>>)> = match entry.time {
        TrackedTime::Day { day, seconds } => vec![(day, Hours::from_seconds(seconds), None)],
        TrackedTime::Period { start, end, seconds } => {
            let mut rest = Hours::from_seconds(seconds);
            let days = split_by_day(start, end, &Local);
            let last = days.len().saturating_sub(1);
            let days = days.into_iter().enumerate().map(|(place, part)| {
                let hours = if place == last { rest } else { part.hours.min(rest) };
                rest = rest - hours;
                (part.day, hours, Some(part.start.timestamp()..part.end.timestamp()))
            });
            days.collect()
        }
    };
    let days = days.into_iter().filter(|(_, hours, _)| *hours > Hours::ZERO).enumerate();
    let rows = days.map(|(part, (day, hours, time))| {
        let new = NewEntry {
            description: entry.description.clone(),
            issue_id: entry.issue_id.clone(),
            ..NewEntry::new(project_code, task, hours, day, day)
        };
        (ImportRow { place: entry.place.clone(), key: entry.key(part), entry: new }, time)
    });
    rows.collect()
}

/// Returns a note if the ledger has other entries on the days of the rows, because these other entries may contain the
/// same work.
async fn days_with_hours(
    service: &TimesheetService,
    rows: &[TimedRow],
    known: &BTreeSet<EntryId>,
) -> Result<Option<String>, Error> {
    let days: BTreeSet<Day> = rows.iter().map(|(row, _)| row.entry.start_date).collect();
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Ok(None) };
    let logged = service.timesheet().await?.logged_entries(*first..=*last, 0..0).await?;
    let others = logged.entries.iter().filter(|entry| !known.contains(&entry.id));
    let logged: BTreeSet<Day> = others.flat_map(|entry| entry.start_date.days_through(entry.completion_date)).collect();
    Ok(match days.intersection(&logged).count() {
        0 => None,
        1 => Some("1 day already has other entries: check that its hours don't count twice".to_owned()),
        count => Some(format!("{count} days already have other entries: check that their hours don't count twice")),
    })
}

/// Adds evidence to each row: the recorded activity between the start and the end of the row.
///
/// # Errors
/// Fails if the history can't be read. In this case, some rows may already have their evidence.
async fn add_evidence(service: &TimesheetService, rows: &mut [TimedRow]) -> Result<(), Error> {
    let mut timed: Vec<_> =
        rows.iter_mut().filter_map(|(row, time)| Some((&mut row.entry, time.as_ref()?.clone()))).collect();
    timed.sort_by_key(|(entry, _)| entry.start_date);
    let mut rest = &mut timed[..];
    while let Some((entry, _)) = rest.first() {
        let first = entry.start_date;
        let last = first.date().checked_add_days(Days::new(MORE_DAYS)).and_then(|last| Day::try_from(last).ok());
        let last = last.unwrap_or(first);
        let count = rest.partition_point(|(entry, _)| entry.start_date <= last);
        let (now, later) = std::mem::take(&mut rest).split_at_mut(count);
        rest = later;
        let ranges: Vec<_> = now.iter().map(|(_, time)| time.clone()).collect();
        let last = now.last().map_or(first, |(entry, _)| entry.start_date);
        let (recorded, ..) = with_draft_input(service, first, last, |input| recorded_times(input, &ranges)).await?;
        for ((entry, _), recorded) in now.iter_mut().zip(recorded) {
            (entry.evidence, entry.known_by) = (recorded.evidence, recorded.known_by);
        }
    }
    Ok(())
}
