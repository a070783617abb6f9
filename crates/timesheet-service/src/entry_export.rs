//! Exports entries as a file for another tool.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use chrono::{DateTime, Local, NaiveDateTime, SecondsFormat, Utc};
use dayledger_timesheet::billing::{Amounts, BilledTime};
use dayledger_timesheet::export::{Format, Tracker, TrackerFile, check, local_times, write, write_for_tracker};
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

/// A format of exported entries. Every file is in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryFormat {
    /// Comma-separated values with a header and one row for each entry. The columns `start_local`, `end_local` and
    /// `times` contain local times. They are empty if the times of the entry aren't known. Other times are in UTC. Tags
    /// are a JSON object.
    Csv(Csv),
    /// A file in the format of another program.
    ForProgram(Format),
    /// A file that another tracker imports.
    ForTracker(Tracker),
}

/// Converts a range to its first and last day. Errors contain the name of the invalid field from `fields`.
///
/// # Errors
/// Fails if the range doesn't consist of whole days.
pub(super) fn whole_days(range: DateRange, fields: (&str, &str)) -> Result<(Day, Day), Error> {
    let range = range.check_whole_days(fields)?;
    let day = |date, field| Day::try_from(date).map_err(|error| Refusal::invalid(field, error));
    Ok((day(range.first_day(), fields.0)?, day(range.last_day(), fields.1)?))
}

/// A file with exported entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedEntries {
    /// The content of the file.
    pub text: String,
    /// The number of exported entries.
    pub entries: usize,
    /// The sum of the entries' hours, before rounding for invoices.
    pub hours: Hours,
    /// The billed amounts by currency. Empty unless the file contains amounts.
    pub amounts: Amounts,
    /// The number of rows with placeholder times in a file for a tracker. The time of day of these rows isn't known.
    pub without_times: usize,
}

/// Whether a file contains the billed hours and the amount of each entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountColumns {
    /// The file contains the columns `billed_hours`, `billable`, `rate`, `currency` and `amount`. Only CSV supports
    /// this.
    Included,
    /// The file doesn't contain these columns.
    Omitted,
}

impl TimesheetService {
    /// Exports the user's own entries. If `range` is set, exports the entries that have a day in the range, each with
    /// only the hours on days of the range. Otherwise exports all entries.
    ///
    /// # Errors
    /// Fails if the range doesn't consist of whole days, if an entry doesn't fit the format, or if the timesheet can't
    /// be read.
    pub async fn export(
        &self,
        range: Option<DateRange>,
        format: EntryFormat,
        amounts: AmountColumns,
    ) -> Result<ExportedEntries, Error> {
        let days = range.map(|range| whole_days(range, ("--from", "--to"))).transpose()?;
        let entries = select_entries(self, days).await?;
        let entries = match days {
            Some((first, last)) => entries.into_iter().filter_map(|entry| entry.clip_to_days(first, last)).collect(),
            None => entries,
        };
        let evidence = recorded_evidence(self, &entries).await?;
        let logged = LoggedEntries { entries, evidence };
        let entries = logged.entries_with_evidence();
        if let EntryFormat::ForProgram(format) = format {
            check(format, &entries).map_err(too_large_error)?;
        }
        let billed = match amounts {
            AmountColumns::Included => {
                let setup = self.setup()?;
                setup.check_rates(&self.timesheet().await?.projects(ProjectFilter::All).await?)?;
                Some(setup.rates.bill(&logged.entries))
            }
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

/// Returns the user's own entries: only those with hours on one of `days`, or all entries if `days` is `None`. Each
/// entry contains all of its days, even if some of them are outside of `days`.
pub(super) async fn select_entries(
    service: &TimesheetService,
    days: Option<(Day, Day)>,
) -> Result<Vec<TimeEntry>, Error> {
    let entries = own_entries(service, list_entries(service, days, None).await?).await?;
    let Some((first, _)) = days else { return Ok(entries) };
    let mut selected = continuing_entries(service, first).await?;
    selected.extend(entries);
    Ok(selected)
}

/// Creates the file for a tracker. If no rates are set, the file doesn't show which hours are billable.
fn tracker_file(setup: &Setup, tracker: Tracker, logged: &LoggedEntries) -> Result<TrackerFile, Error> {
    let billable = find_billable(setup, logged);
    write_for_tracker(tracker, &logged.entries_with_evidence(), billable.as_ref().into(), &setup.trackers)
        .map_err(tracker_error)
}

/// Returns the entries that are billed, or `None` if no rates are set.
pub(super) fn find_billable(setup: &Setup, logged: &LoggedEntries) -> Option<BTreeSet<EntryId>> {
    let billed = setup.rates.bill(&logged.entries);
    let billable = logged.entries.iter().zip(&billed).filter(|(_, billed)| billed.is_billable == Some(true));
    (!setup.rates.is_empty()).then(|| billable.map(|(entry, _)| entry.id).collect())
}

/// Returns the error for entries that can't be exported to a tracker.
pub(super) fn tracker_error(refusal: Refusal) -> Error {
    let hint = "change `[timesheet.export]` in the configuration file, or the entries";
    Error::new(codes::VALIDATION_ERROR, refusal.message, hint)
}

/// Returns the evidence of the entries. If the UTC offset of an interval isn't stored, it is set from the time zone of
/// this computer.
pub(super) async fn recorded_evidence(
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

/// Returns the error for an entry that is too large for a format. The hint doesn't suggest changing the entry, because
/// a submitted entry can't be changed.
fn too_large_error(refusal: Refusal) -> Error {
    let hint = "use `--format csv` or `--format json`, or exclude its days with `--from` and `--to`";
    Error::new(codes::VALIDATION_ERROR, refusal.message, hint)
}

/// Returns the user's entries that start before `first` and include that day.
async fn continuing_entries(service: &TimesheetService, first: Day) -> Result<Vec<TimeEntry>, Error> {
    let timesheet = service.timesheet().await?;
    let logged = timesheet.logged_entries(first..=first, 0..0).await?;
    let mut found = Vec::new();
    for entry in logged.entries.into_iter().filter(|entry| entry.start_date < first) {
        // The entries in `logged` lack their tags, so each entry is read again.
        found.push(timesheet.find(entry.id).await?);
    }
    found.sort_by_key(|entry: &TimeEntry| (entry.start_date, entry.created_at, entry.id));
    Ok(found)
}

/// Removes the entries of other users. The API also returns the entries of other users if this user approves them.
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

/// Creates the rows of the CSV file. If `billed` is set, they include the columns for billed time. The project name is
/// null if `projects` doesn't contain the project.
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

/// Creates the columns for billed time. Rate, currency and amount are null for hours without a price.
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

/// Formats intervals, such as `09:09-10:00, 13:35-14:44`. Returns `None` if there are no intervals.
fn times_text(times: &[(NaiveDateTime, NaiveDateTime)]) -> Option<String> {
    let interval = |(start, end): &(NaiveDateTime, NaiveDateTime)| {
        let is_whole = (*end - *start).num_seconds() % 60 == 0;
        let format = if is_whole { "%H:%M" } else { "%H:%M:%S" };
        format!("{}-{}", start.format(format), end.format(format))
    };
    let intervals: Vec<_> = times.iter().map(interval).collect();
    (!intervals.is_empty()).then(|| intervals.join(", "))
}

/// Formats tags as a JSON object. If a tag has two values, its name appears twice. Returns `None` if there are no tags.
fn tags_json(tags: &[Tag]) -> Option<String> {
    if tags.is_empty() {
        return None;
    }
    let mut json = Vec::new();
    serde_json::Serializer::new(&mut json).collect_map(tags.iter().map(|tag| (&tag.name, &tag.value))).ok()?;
    String::from_utf8(json).ok()
}

/// Formats a UTC timestamp, such as `2026-11-18T09:30:00Z`.
fn format_utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
