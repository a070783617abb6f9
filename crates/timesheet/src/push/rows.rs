//! Converts entries to the rows that a tracker gets.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::PushTracker;
use crate::entry::TimeEntry;
use crate::export::{Billable, TrackerSettings, check_mapping, check_sizes, parts_by_day, row_text, sessions};
use crate::hours::Hours;
use crate::id::{EntryId, IdempotencyKey};
use crate::logged::LoggedEntry;
use crate::refusal::{Code, Refusal};

/// The names of a task in the tracker.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskNames {
    /// The client.
    pub client: String,
    /// The project.
    pub project: String,
    /// The task.
    pub task: String,
}

/// Hours of a timesheet entry that become one entry in the tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushRow {
    /// The entry.
    pub entry: EntryId,
    /// The day.
    pub day: NaiveDate,
    /// The number of the row within the entry's day, starting at 1.
    pub number: i64,
    /// The hours.
    pub hours: Hours,
    /// The start and the end in local time, if the tracker stores times.
    pub times: Option<(NaiveDateTime, NaiveDateTime)>,
    /// Whether the times are placeholders, because the time of day isn't known.
    pub has_placeholder_times: bool,
    /// The code of the project in the timesheet.
    pub project_code: String,
    /// The task in the timesheet.
    pub task: String,
    /// The names in the tracker.
    pub names: TaskNames,
    /// The description, on one line.
    pub description: String,
    /// Whether the hours are billed. `None` if the user set no rates.
    pub is_billable: Option<bool>,
}

impl PushRow {
    /// Returns the key under which the row is stored. If the tracker has a field for the key, it also gets the key. The
    /// key of a row is always the same, so that the row can be found.
    pub fn key(&self) -> IdempotencyKey {
        IdempotencyKey::from_push(self.entry, self.day, self.number)
    }

    /// Whether this row has the same values as `sent`, the row that was sent. Names in the tracker aren't compared,
    /// because they come from the configuration. Placeholder times aren't compared, because they depend on the other
    /// entries of the day.
    pub(super) fn is_as_sent(&self, sent: &Self) -> bool {
        let fields = |row: &Self| (row.key(), row.hours, row.project_code.clone(), row.task.clone());
        let is_placed = self.has_placeholder_times && sent.has_placeholder_times || self.times == sent.times;
        is_placed && fields(self) == fields(sent) && self.description == sent.description
    }
}

/// Returns the rows of the entries in time order. Kimai gets one row for each interval, with the same times as in
/// [files](crate::export::write_for_tracker). Harvest gets one row for each entry and day. Entries without hours are
/// left out.
///
/// # Errors
///
/// `VALIDATION_ERROR` if a task has no names in the configuration, or if an entry has more hours than its days have.
pub fn rows(
    tracker: PushTracker,
    entries: &[LoggedEntry<'_>],
    billable: Billable<'_>,
    settings: &TrackerSettings,
) -> Result<Vec<PushRow>, Refusal> {
    let refuse = |why| Refusal::new(Code::ValidationError, format!("cannot push to {tracker}: {why}"));
    check_sizes(entries)?;
    check_mapping(tracker.into(), entries, settings).map_err(refuse)?;
    let row = |entry: &TimeEntry, day| -> Result<PushRow, Refusal> {
        let names = settings.names(entry).ok_or_else(|| refuse(format!("`{}` has no project", entry.project_code)))?;
        Ok(PushRow {
            entry: entry.id,
            day,
            number: 1,
            hours: Hours::ZERO,
            times: None,
            has_placeholder_times: false,
            project_code: entry.project_code.clone(),
            task: entry.task.clone(),
            names: TaskNames { client: names.client, project: names.project, task: names.task },
            description: row_text(entry),
            is_billable: match billable {
                Billable::Entries(entries) => Some(entries.contains(&entry.id)),
                Billable::Unknown => None,
            },
        })
    };
    match tracker {
        PushTracker::Harvest => {
            let parts = parts_by_day(entries)
                .into_iter()
                .flat_map(|(day, parts)| parts.into_iter().map(move |part| (day, part)));
            let parts = parts.filter(|(_, part)| part.hours > Hours::ZERO);
            parts.map(|(day, part)| Ok(PushRow { hours: part.hours, ..row(part.logged.entry, day)? })).collect()
        }
        PushTracker::Kimai => {
            let sessions = sessions(entries).filter(|session| session.end > session.start);
            let sessions = sessions.map(|session| {
                let at = |second| session.day.and_time(NaiveTime::MIN) + TimeDelta::seconds(second);
                Ok(PushRow {
                    number: session.number,
                    hours: Hours::from_seconds(session.end - session.start),
                    times: Some((at(session.start), at(session.end))),
                    has_placeholder_times: session.utc_offset.is_none(),
                    ..row(session.entry, session.day)?
                })
            });
            sessions.collect()
        }
    }
}

/// Groups rows by entry.
pub(super) fn group_by_entry(rows: &[PushRow]) -> BTreeMap<EntryId, Vec<&PushRow>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for row in rows {
        groups.entry(row.entry).or_default().push(row);
    }
    groups
}
