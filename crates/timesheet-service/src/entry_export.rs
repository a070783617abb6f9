//! Exports entries as a file for another tool.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use chrono::{DateTime, Local, NaiveDateTime, SecondsFormat, Utc};
use dayledger_timesheet::billing::{Amounts, BilledTime};
use dayledger_timesheet::export::{
    Billable, Format, Tracker, TrackerFile, check, local_times, write, write_for_tracker,
};
use dayledger_timesheet::{
    Day, EntryId, Evidence, Hours, LoggedEntries, LoggedEntry, Project, ProjectFilter, Refusal, Tag, TimeEntry,
};
use serde::Serializer;

use super::codes;
use super::entries::list_entries;
use super::service::TimesheetService;
use super::setup::Setup;
use super::tables::{amounts, hours};
use dayledger_engine as engine;
use dayledger_engine::columns::{Column, dates, flags, optional_instants, optional_text, record_batch, text};
use dayledger_request::{DateRange, Error};
use dayledger_rows::{Csv, RowFormat, RowWriter};

/// A format of exported entries. All are UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryFormat {
    /// Comma-separated values with a header and one row for each entry. `start_local`, `end_local` and `times` are local
    /// times, and empty if the times of the entry aren't known. Other times are in UTC; tags are a JSON object.
    Csv(Csv),
    /// A file in the format of another program.
    ForProgram(Format),
    /// A file that another tracker imports.
    ForTracker(Tracker),
}

/// Returns the first and the last day of a range of whole days. Errors mention `fields`.
///
/// # Errors
/// Fails if the range begins or ends within a day.
pub(super) fn whole_days(range: DateRange, fields: (&str, &str)) -> Result<(Day, Day), Error> {
    let range = range.check_whole_days(fields)?;
    let day = |date, field| Day::try_from(date).map_err(|error| Refusal::invalid(field, error));
    Ok((day(range.first_day(), fields.0)?, day(range.last_day(), fields.1)?))
}

/// Exported entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedEntries {
    /// The content of the file.
    pub text: String,
    /// The number of entries.
    pub entries: usize,
    /// The sum of their hours.
    pub hours: Hours,
    /// Their amounts, if the file contains them.
    pub amounts: Amounts,
    /// How many rows of a file for a tracker have placeholder times, because their time of day isn't known.
    pub without_times: usize,
}

/// Whether a file contains the billed hours and the amount of each entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountColumns {
    /// The columns `billed_hours`, `billable`, `rate`, `currency` and `amount`. Only CSV has them.
    Included,
    /// No such columns.
    Omitted,
}

impl TimesheetService {
    /// Writes the user's own entries: those that have a day in a range of whole days, each with the hours of these days, or
    /// all.
    ///
    /// # Errors
    /// Fails if the range begins or ends within a day, if an entry does not fit into the format, or if the timesheet cannot
    /// be read.
    pub async fn export(
        &self,
        range: Option<DateRange>,
        format: EntryFormat,
        amounts: AmountColumns,
    ) -> Result<ExportedEntries, Error> {
        let days = range.map(|range| whole_days(range, ("--from", "--to"))).transpose()?;
        let entries = own_entries(self, list_entries(self, days, None).await?).await?;
        let entries = match days {
            Some((first, last)) => {
                let earlier = continuing_entries(self, first).await?;
                earlier.into_iter().chain(entries).filter_map(|entry| entry.clip_to_days(first, last)).collect()
            }
            None => entries,
        };
        let evidence = recorded_evidence(self, &entries).await?;
        let logged = LoggedEntries { entries, evidence };
        let entries = logged.entries_with_evidence();
        if let EntryFormat::ForProgram(format) = format {
            check(format, &entries).map_err(too_large_error)?;
        }
        let billed = match amounts {
            AmountColumns::Included => Some(self.setup()?.rates.bill(&logged.entries)),
            AmountColumns::Omitted => None,
        };
        let (mut bytes, mut without_times) = (Vec::new(), 0);
        let written = match format {
            EntryFormat::Csv(csv) => {
                let projects = self.timesheet().await?.projects(ProjectFilter::All).await?;
                let rows = entry_rows(&entries, &projects, billed.as_deref()).map_err(|_| engine::Error::Internal)?;
                RowWriter::new(RowFormat::Csv(csv), &rows.schema()).write_all(&mut bytes, &[rows])
            }
            EntryFormat::ForProgram(format) => write(format, &entries, &mut bytes),
            EntryFormat::ForTracker(tracker) => {
                let file = tracker_file(self.setup()?, tracker, &logged)?;
                (bytes, without_times) = (file.content, file.without_times);
                Ok(())
            }
        };
        written.map_err(|_| engine::Error::Internal)?;
        let text = String::from_utf8(bytes).map_err(|_| engine::Error::Internal)?;
        let hours = logged.entries.iter().map(TimeEntry::total_hours).sum();
        let amounts = billed.iter().flatten().collect();
        Ok(ExportedEntries { text, entries: entries.len(), hours, amounts, without_times })
    }
}

/// Returns the file for a tracker. Without any rate, it doesn't contain which hours are billable.
fn tracker_file(setup: &Setup, tracker: Tracker, logged: &LoggedEntries) -> Result<TrackerFile, Error> {
    let billed = setup.rates.bill(&logged.entries);
    let billable = logged.entries.iter().zip(&billed).filter(|(_, billed)| billed.is_billable == Some(true));
    let billable: BTreeSet<_> = billable.map(|(entry, _)| entry.id).collect();
    let billable = if setup.rates.is_empty() { Billable::Unknown } else { Billable::Entries(&billable) };
    write_for_tracker(tracker, &logged.entries_with_evidence(), billable, &setup.trackers).map_err(|refusal| {
        let hint = "change `[timesheet.export]` in the configuration file, or the entries";
        Error::new(codes::VALIDATION_ERROR, refusal.message, hint)
    })
}

/// Returns the evidence of the entries. If the ledger doesn't contain the UTC offset of an interval, it is that of this
/// computer's time zone.
async fn recorded_evidence(
    service: &TimesheetService,
    entries: &[TimeEntry],
) -> Result<BTreeMap<EntryId, Vec<Evidence>>, Error> {
    let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
    let mut evidence = service.store().await?.evidence(&ids).await?;
    for interval in evidence.values_mut().flatten().filter(|interval| interval.utc_offset.is_none()) {
        let start = DateTime::from_timestamp(interval.start_utc, 0).map(|start| start.with_timezone(&Local));
        interval.utc_offset = start.map(|start| i64::from(start.offset().local_minus_utc()));
    }
    Ok(evidence)
}

/// Returns the error for an entry that doesn't fit a format. The hint doesn't suggest changing the entry, because a
/// submitted entry can't be changed.
fn too_large_error(refusal: Refusal) -> Error {
    let hint = "use `--format csv` or `--format json`, or exclude its days with `--from` and `--to`";
    Error::new(codes::VALIDATION_ERROR, refusal.message, hint)
}

/// Returns the user's entries that start before the day `first` and include it.
async fn continuing_entries(service: &TimesheetService, first: Day) -> Result<Vec<TimeEntry>, Error> {
    let timesheet = service.timesheet().await?;
    let logged = timesheet.logged_entries(first..=first, 0..0).await?;
    let mut found = Vec::new();
    for entry in logged.entries.into_iter().filter(|entry| entry.start_date < first) {
        // Logged entries come without their tags.
        found.push(timesheet.find(entry.id).await?);
    }
    found.sort_by_key(|entry: &TimeEntry| (entry.start_date, entry.created_at, entry.id));
    Ok(found)
}

/// Returns only the user's own entries. The API also returns the entries of other people to a user who approves them.
async fn own_entries(service: &TimesheetService, mut entries: Vec<TimeEntry>) -> Result<Vec<TimeEntry>, Error> {
    let days =
        entries.iter().map(|entry| entry.start_date).min().zip(entries.iter().map(|entry| entry.completion_date).max());
    if let Some((first, last)) = days.filter(|_| entries.iter().any(|entry| entry.user.is_some())) {
        let logged = service.timesheet().await?.logged_entries(first..=last, 0..0).await?;
        let own: BTreeSet<_> = logged.entries.iter().map(|entry| entry.id).collect();
        entries.retain(|entry| own.contains(&entry.id));
    }
    Ok(entries)
}

/// Returns the rows of entries, with columns for their billed time if it is passed. A project that isn't in `projects` has
/// a null name.
fn entry_rows(
    entries: &[LoggedEntry<'_>],
    projects: &[Project],
    billed: Option<&[BilledTime]>,
) -> Result<RecordBatch, ArrowError> {
    let names: HashMap<_, _> = projects.iter().map(|project| (&*project.code, &*project.name)).collect();
    let times: Vec<_> = entries.iter().map(|logged| local_times(*logged)).collect();
    let each = || entries.iter().map(|logged| logged.entry);
    let ids: Vec<_> = each().map(|entry| entry.id.to_string()).collect();
    let created: Vec<_> = each().map(|entry| format_utc(entry.created_at)).collect();
    let updated: Vec<_> = each().map(|entry| format_utc(entry.updated_at)).collect();
    let columns = [
        text("id", ids.iter().map(String::as_str)),
        dates("start_date", each().map(|entry| entry.start_date.date())),
        dates("completion_date", each().map(|entry| entry.completion_date.date())),
        text("project_code", each().map(|entry| &*entry.project_code)),
        optional_text("project_name", each().map(|entry| names.get(&*entry.project_code))),
        text("task", each().map(|entry| &*entry.task)),
        optional_text("issue_id", each().map(|entry| entry.issue_id.as_ref())),
        hours("standard_hours", each().map(|entry| entry.standard_hours)),
        hours("overtime_hours", each().map(|entry| entry.overtime_hours)),
        hours("total_hours", each().map(TimeEntry::total_hours)),
        optional_text("description", each().map(|entry| entry.description.as_ref())),
        optional_text("tags", each().map(|entry| tags_json(&entry.tags))),
        text("status", each().map(|entry| entry.status.as_str())),
        optional_text("decline_comment", each().map(|entry| entry.decline_comment.as_ref())),
        text("created_at", created.iter().map(String::as_str)),
        text("updated_at", updated.iter().map(String::as_str)),
        optional_instants("start_local", times.iter().map(|times| times.first().map(|(start, _)| *start))),
        optional_instants("end_local", times.iter().map(|times| times.last().map(|(_, end)| *end))),
        optional_text("times", times.iter().map(|times| times_text(times))),
    ];
    record_batch(columns.into_iter().chain(billed.into_iter().flat_map(billed_columns)))
}

/// Returns the columns of billed time. The amount of hours that aren't billed is null.
fn billed_columns(billed: &[BilledTime]) -> [Column; 5] {
    let price = || billed.iter().map(|billed| billed.price.as_ref());
    [
        hours("billed_hours", billed.iter().map(|billed| billed.hours)),
        flags("billable", billed.iter().map(|billed| Some(billed.is_billable.unwrap_or(false))), false),
        amounts("rate", price().map(|price| price.map(|price| price.rate))),
        optional_text("currency", price().map(|price| price.map(|price| &price.currency))),
        amounts("amount", price().map(|price| price.map(|price| price.amount))),
    ]
}

/// Lists intervals, such as `09:09-10:00, 13:35-14:44`. Returns `None` without intervals.
fn times_text(times: &[(NaiveDateTime, NaiveDateTime)]) -> Option<String> {
    let interval = |(start, end): &(NaiveDateTime, NaiveDateTime)| {
        let is_whole = (*end - *start).num_seconds() % 60 == 0;
        let format = if is_whole { "%H:%M" } else { "%H:%M:%S" };
        format!("{}-{}", start.format(format), end.format(format))
    };
    let intervals: Vec<_> = times.iter().map(interval).collect();
    (!intervals.is_empty()).then(|| intervals.join(", "))
}

/// Returns tags as a JSON object. A tag with two values appears twice.
fn tags_json(tags: &[Tag]) -> Option<String> {
    if tags.is_empty() {
        return None;
    }
    let mut json = Vec::new();
    serde_json::Serializer::new(&mut json).collect_map(tags.iter().map(|tag| (&tag.name, &tag.value))).ok()?;
    String::from_utf8(json).ok()
}

/// Formats a time in UTC, for example `2026-11-18T09:30:00Z`.
fn format_utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
