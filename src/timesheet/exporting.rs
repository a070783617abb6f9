//! Entries as a file for another tool.

use std::collections::BTreeSet;

use dayledger_timesheet::export::{Format, write};
use dayledger_timesheet::{Day, Hours, ProjectsAsked, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use super::found::starting;
use super::sheet::Sheet;
use crate::engine;
use crate::question::{Answer, DateRange, Error, Question};

/// Asks for the user's own entries as a file.
#[derive(Debug, Clone)]
pub struct ExportEntriesRequest {
    days: Option<(Day, Day)>,
    format: Format,
}

impl ExportEntriesRequest {
    /// Those that have a day in a range of whole days, each with the hours of these days, or all.
    ///
    /// # Errors
    /// A range that begins or ends within a day.
    pub fn new(range: Option<DateRange>, format: Format) -> Result<Self, Error> {
        Ok(Self { days: range.map(|range| whole_days(range, ("--from", "--to"))).transpose()?, format })
    }
}

/// The first and the last day of a range of whole ones; `fields` are named in errors.
///
/// # Errors
/// A range that begins or ends within a day.
pub(super) fn whole_days(range: DateRange, fields: (&str, &str)) -> Result<(Day, Day), Error> {
    let range = range.of_whole_days(fields)?;
    let last = range.end().date().pred_opt().unwrap_or(range.start().date());
    let day = |date, field| Day::try_from(date).map_err(|error| Refusal::invalid(field, error));
    Ok((day(range.start().date(), fields.0)?, day(last, fields.1)?))
}

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedEntries {
    /// What stands in it.
    pub text: String,
    /// How many entries it has.
    pub entries: usize,
    /// Their hours.
    pub hours: Hours,
}

impl Question for ExportEntriesRequest {
    type Of = Sheet;
    type Answer = ExportedEntries;

    async fn answer(self, sheet: &Sheet) -> Result<ExportedEntries, Error> {
        let entries = own(sheet, starting(sheet, self.days, None).await?).await?;
        let entries = match self.days {
            Some((first, last)) => {
                let earlier = running_on(sheet, first, last).await?;
                earlier.into_iter().chain(entries).filter_map(|entry| entry.within(first, last)).collect()
            }
            None => entries,
        };
        let projects = sheet.timesheet().await?.projects(ProjectsAsked::All).await?;
        let mut bytes = Vec::new();
        write(self.format, &entries, &projects, &mut bytes).map_err(|_| engine::Error::Internal)?;
        let text = String::from_utf8(bytes).map_err(|_| engine::Error::Internal)?;
        let hours = entries.iter().map(TimeEntry::total_hours).sum();
        Ok(ExportedEntries { text, entries: entries.len(), hours })
    }
}

/// The user's entries that start before those days and have one of them.
async fn running_on(sheet: &Sheet, first: Day, last: Day) -> Result<Vec<TimeEntry>, Error> {
    let timesheet = sheet.timesheet().await?;
    let bookings = timesheet.bookings(first..=last, 0..0).await?;
    let mut found = Vec::new();
    for entry in bookings.entries.into_iter().filter(|entry| entry.start_date < first) {
        // Bookings come without their tags.
        found.push(timesheet.find(entry.id).await?);
    }
    found.sort_by_key(|entry: &TimeEntry| (entry.start_date, entry.created_at, entry.id));
    Ok(found)
}

/// Those of the user: an API shows who approves others' entries these too.
async fn own(sheet: &Sheet, mut entries: Vec<TimeEntry>) -> Result<Vec<TimeEntry>, Error> {
    let days =
        entries.iter().map(|entry| entry.start_date).min().zip(entries.iter().map(|entry| entry.completion_date).max());
    if let Some((first, last)) = days.filter(|_| entries.iter().any(|entry| entry.user.is_some())) {
        let bookings = sheet.timesheet().await?.bookings(first..=last, 0..0).await?;
        let own: BTreeSet<_> = bookings.entries.iter().map(|entry| entry.id).collect();
        entries.retain(|entry| own.contains(&entry.id));
    }
    Ok(entries)
}

impl Answer for ExportedEntries {}
