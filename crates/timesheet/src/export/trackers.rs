//! Files that other trackers import: CSV files with the columns and formats of each tracker.
//!
//! Values are written unchanged. CSV for spreadsheets adds characters that protect against formulas, but a tracker
//! would import these characters. A row contains a client, a project and a task of the tracker. The mapping in the
//! configuration contains their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use super::check_sizes;
use super::layout::{Session, entry_text, parts_by_day, sessions};
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::id::EntryId;
use crate::logged::LoggedEntry;
use crate::refusal::{Code, Refusal};
use crate::sanitize::one_line;

/// The maximum number of tasks that an error about missing mappings lists.
const MAX_LISTED: usize = 8;
/// Clockify's maximum lengths of the client, the project, the task and the description, in characters.
const CLOCKIFY_LIMITS: [usize; 4] = [100, 250, 1000, 3000];
/// Clockify's maximum size of a file, in bytes.
const CLOCKIFY_BYTES: usize = 10_000_000;
/// Kimai's maximum numbers of rows and bytes of a file.
const KIMAI_ROWS: usize = 5_000;
const KIMAI_BYTES: usize = 4096 * 1024;

/// A tracker into which a file can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tracker {
    /// Toggl Track.
    Toggl,
    /// Clockify.
    Clockify,
    /// Harvest.
    Harvest,
    /// Kimai with its import plugin.
    Kimai,
}

impl fmt::Display for Tracker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Toggl => "Toggl",
            Self::Clockify => "Clockify",
            Self::Harvest => "Harvest",
            Self::Kimai => "Kimai",
        })
    }
}

/// The settings for files that other trackers import, such as the user's name and the projects, from the table
/// `[timesheet.export]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackerSettings {
    /// The user's email address, which Toggl, Clockify and Kimai need.
    email: Option<String>,
    /// The user's name in Kimai.
    user: Option<String>,
    /// The user's first name, which Harvest needs.
    first_name: Option<String>,
    /// The user's last name, which Harvest needs.
    last_name: Option<String>,
    /// The formats that are set in the Clockify account.
    clockify: ClockifyFormats,
    /// The mapping of projects.
    projects: Vec<TrackerProject>,
}

/// Maps a project of the timesheet to a project of the tracker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrackerProject {
    /// The code of the project in the timesheet.
    code: String,
    /// The name of the client in the tracker.
    client: String,
    /// The name of the project in the tracker.
    project: String,
    /// Maps the tasks of the timesheet to tasks of the tracker. By default, the tasks have the same names.
    tasks: Option<BTreeMap<String, String>>,
}

/// The formats that Clockify expects. A Clockify account has the same settings, and the defaults are the formats of the
/// United States.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ClockifyFormats {
    date: DateFormat,
    time: ClockFormat,
    duration: DurationFormat,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
enum DateFormat {
    #[default]
    #[serde(rename = "MM/DD/YYYY")]
    MonthFirst,
    #[serde(rename = "DD/MM/YYYY")]
    DayFirst,
    #[serde(rename = "DD.MM.YYYY")]
    Dots,
    #[serde(rename = "YYYY-MM-DD")]
    YearFirst,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
enum ClockFormat {
    #[default]
    #[serde(rename = "12-hour")]
    Twelve,
    #[serde(rename = "24-hour")]
    TwentyFour,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum DurationFormat {
    #[default]
    #[serde(rename = "h:mm")]
    Compact,
    #[serde(rename = "hh:mm:ss")]
    Full,
    #[serde(rename = "decimal")]
    Decimal,
}

/// The billable entries, if known.
#[derive(Debug, Clone, Copy)]
pub enum Billable<'b> {
    /// The ids of the billable entries. All other entries aren't billable.
    Entries(&'b BTreeSet<EntryId>),
    /// Billing is unknown, because the user set no rates. The file then has no column `Billable`, and the tracker
    /// decides which entries are billable.
    Unknown,
}

impl<'b> From<Option<&'b BTreeSet<EntryId>>> for Billable<'b> {
    fn from(entries: Option<&'b BTreeSet<EntryId>>) -> Self {
        entries.map_or(Self::Unknown, Self::Entries)
    }
}

/// A file that another tracker imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerFile {
    /// The bytes of the CSV file.
    pub content: Vec<u8>,
    /// The number of rows with placeholder times. The time of day of these rows isn't known.
    pub without_times: usize,
}

/// The names in the tracker for one row.
pub(crate) struct Names {
    pub(crate) client: String,
    pub(crate) project: String,
    pub(crate) task: String,
}

/// Creates a file for a tracker. The file for Toggl, Clockify or Kimai has a row for each interval of an entry. The
/// file for Harvest has a row for each entry and day. Entries without hours are left out.
///
/// # Errors
///
/// `VALIDATION_ERROR` if a task has no mapping, a required setting is missing, a row doesn't fit the tracker's formats,
/// or the file exceeds the tracker's limits.
pub fn write_for_tracker(
    tracker: Tracker,
    entries: &[LoggedEntry<'_>],
    billable: Billable<'_>,
    settings: &TrackerSettings,
) -> Result<TrackerFile, Refusal> {
    check_sizes(entries)?;
    check_mapping(tracker, entries, settings).map_err(|why| refuse(tracker, why))?;
    let timed: Vec<_> = sessions(entries).filter(|session| session.end > session.start).collect();
    let file = match tracker {
        Tracker::Toggl => toggl(&timed, billable, settings)?,
        Tracker::Clockify => clockify(&timed, billable, settings)?,
        Tracker::Harvest => harvest(entries, settings)?,
        Tracker::Kimai => kimai(&timed, billable, settings)?,
    };
    let content = file.to_csv()?;
    let limits = match tracker {
        Tracker::Clockify => (usize::MAX, CLOCKIFY_BYTES),
        Tracker::Kimai => (KIMAI_ROWS, KIMAI_BYTES),
        Tracker::Toggl | Tracker::Harvest => (usize::MAX, usize::MAX),
    };
    if file.rows.len() > limits.0 || content.len() > limits.1 {
        let most =
            if file.rows.len() > limits.0 { format!("{} rows", limits.0) } else { format!("{} bytes", limits.1) };
        return Err(refuse(
            tracker,
            format_args!("{tracker} imports at most {most} from a file, so export fewer days"),
        ));
    }
    let without_times = match tracker {
        Tracker::Harvest => 0,
        Tracker::Toggl | Tracker::Clockify | Tracker::Kimai => {
            timed.iter().filter(|session| session.utc_offset.is_none()).count()
        }
    };
    Ok(TrackerFile { content, without_times })
}

fn refuse(tracker: Tracker, why: impl fmt::Display) -> Refusal {
    Refusal::new(Code::ValidationError, format!("cannot export to {tracker}: {why}"))
}

/// Checks that each task with hours has a mapping to a project and task in the tracker. Otherwise returns a sentence
/// that names the tasks without a mapping.
pub(crate) fn check_mapping(
    tracker: Tracker,
    entries: &[LoggedEntry<'_>],
    settings: &TrackerSettings,
) -> Result<(), String> {
    let with_hours = entries.iter().map(|logged| logged.entry).filter(|entry| entry.total_hours() > Hours::ZERO);
    let missing: BTreeSet<_> = with_hours
        .filter(|entry| {
            !settings.names(entry).is_some_and(|names| tracker.allows_empty_task() || !names.task.is_empty())
        })
        .map(|entry| format!("`{} / {}`", entry.project_code, entry.task))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("no project and task are set for {}", list(missing)))
}

/// Lists at most `MAX_LISTED` names, and adds the number of the remaining names.
pub(crate) fn list(names: BTreeSet<String>) -> String {
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed: Vec<_> = names.into_iter().take(MAX_LISTED).collect();
    format!("{}{more}", listed.join(", "))
}

impl Tracker {
    /// Whether the tracker accepts a row without a task.
    fn allows_empty_task(self) -> bool {
        matches!(self, Self::Toggl | Self::Clockify)
    }
}

impl TrackerSettings {
    /// Returns the names of an entry's client, project and task in the tracker, or `None` if they have no mapping.
    pub(crate) fn names(&self, entry: &TimeEntry) -> Option<Names> {
        let project = self.projects.iter().find(|project| project.code == entry.project_code)?;
        let task = match &project.tasks {
            Some(tasks) => tasks.get(&entry.task)?,
            None => &entry.task,
        };
        Some(Names { client: project.client.clone(), project: project.project.clone(), task: task.clone() })
    }

    /// Returns the names of an entry. [`check_mapping`] has already checked that these names exist.
    fn checked_names(&self, tracker: Tracker, entry: &TimeEntry) -> Result<Names, Refusal> {
        self.names(entry).ok_or_else(|| refuse(tracker, format_args!("`{}` has no project", entry.project_code)))
    }
}

/// Returns the value of the setting `name`, which the tracker needs. Fails if it isn't set.
fn require<'s>(tracker: Tracker, name: &str, value: Option<&'s String>) -> Result<&'s str, Refusal> {
    let value = value.map(|value| value.trim()).filter(|value| !value.is_empty());
    value.ok_or_else(|| refuse(tracker, format_args!("`{name}` is not set in `[timesheet.export]`")))
}

/// A CSV file with a header and rows.
struct File {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl File {
    fn to_csv(&self) -> Result<Vec<u8>, Refusal> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = writer.write_record(&self.header);
        let written = written.and_then(|()| self.rows.iter().try_for_each(|row| writer.write_record(row)));
        let failed = || Refusal::new(Code::InternalError, "cannot write the rows");
        written.map_err(|_| failed())?;
        writer.into_inner().map_err(|_| failed())
    }
}

/// Returns `words[0]` for a billable entry and `words[1]` for any other entry, or `None` if billing is unknown.
fn billable_cell(billable: Billable<'_>, entry: &TimeEntry, words: [&str; 2]) -> Option<String> {
    match billable {
        Billable::Entries(entries) => Some(words[usize::from(!entries.contains(&entry.id))].to_owned()),
        Billable::Unknown => None,
    }
}

/// Returns the header. The column `Billable` is left out if billing is unknown.
fn header(columns: &[&'static str], billable: Billable<'_>) -> Vec<&'static str> {
    let is_known = matches!(billable, Billable::Entries(_));
    columns.iter().copied().filter(|column| is_known || *column != "Billable").collect()
}

/// Returns the description of a row on one line.
pub(crate) fn description(entry: &TimeEntry) -> String {
    one_line(&entry_text(entry.issue_id.as_deref(), entry.description.as_deref()))
}

/// Returns the time of day for a number of seconds since midnight. The number can be negative or more than 24 hours.
fn clock(second: i64) -> NaiveTime {
    NaiveTime::MIN.overflowing_add_signed(TimeDelta::seconds(second)).0
}

/// Formats a duration as hours, minutes and seconds, such as `02:30:00`.
fn full_length(seconds: i64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Writes a row for each interval. Fails for two rows that are equal except for their duration, because Toggl would
/// merge them and lose the hours of one row.
fn toggl(sessions: &[Session<'_>], billable: Billable<'_>, settings: &TrackerSettings) -> Result<File, Refusal> {
    let email = require(Tracker::Toggl, "email", settings.email.as_ref())?;
    let columns =
        ["Email", "Client", "Project", "Task", "Description", "Billable", "Start date", "Start time", "Duration"];
    let mut seen = BTreeSet::new();
    let row = |session: &Session<'_>| -> Result<Vec<String>, Refusal> {
        let entry = session.entry;
        let Names { client, project, task } = settings.checked_names(Tracker::Toggl, entry)?;
        let (day, start) = (session.start_date().to_string(), clock(session.start).format("%H:%M:%S").to_string());
        let row = [email.to_owned(), client, project, task, description(entry)];
        let row = row.into_iter().chain(billable_cell(billable, entry, ["Yes", "No"])).chain([day, start]);
        let row: Vec<_> = row.collect();
        if !seen.insert(row.clone()) {
            let why = format_args!(
                "two entries of `{} / {}` on {} start at the same time and have the same description, and Toggl would \
                 merge them",
                entry.project_code, entry.task, session.day
            );
            return Err(refuse(Tracker::Toggl, why));
        }
        Ok(row.into_iter().chain([full_length(session.end - session.start)]).collect())
    };
    let rows = sessions.iter().map(row).collect::<Result<_, _>>()?;
    Ok(File { header: header(&columns, billable), rows })
}

fn clockify(sessions: &[Session<'_>], billable: Billable<'_>, settings: &TrackerSettings) -> Result<File, Refusal> {
    let email = require(Tracker::Clockify, "email", settings.email.as_ref())?;
    let formats = settings.clockify;
    let columns =
        ["Project", "Client", "Description", "Task", "Email", "Billable", "Start Date", "Start Time", "Duration (h)"];
    let row = |session: &Session<'_>| -> Result<Vec<String>, Refusal> {
        let entry = session.entry;
        let Names { client, project, task } = settings.checked_names(Tracker::Clockify, entry)?;
        let text = description(entry);
        let lengths = [&client, &project, &task, &text].map(|text| text.chars().count());
        let names = ["client", "project", "task", "description"];
        for ((length, most), name) in lengths.into_iter().zip(CLOCKIFY_LIMITS).zip(names) {
            if length > most {
                let (code, own, day) = (&entry.project_code, &entry.task, session.day);
                let why = format_args!("the {name} of `{code} / {own}` on {day} has more than {most} characters");
                return Err(refuse(Tracker::Clockify, why));
            }
        }
        let length = formats.duration.format(session)?;
        let row = [project, client, text, task, email.to_owned()].into_iter();
        let row = row.chain(billable_cell(billable, entry, ["Yes", "No"]));
        Ok(row.chain([formats.date.format(session.start_date()), formats.time.format(session.start), length]).collect())
    };
    let rows = sessions.iter().map(row).collect::<Result<_, _>>()?;
    Ok(File { header: header(&columns, billable), rows })
}

impl DateFormat {
    fn format(self, day: NaiveDate) -> String {
        let format = match self {
            Self::MonthFirst => "%m/%d/%Y",
            Self::DayFirst => "%d/%m/%Y",
            Self::Dots => "%d.%m.%Y",
            Self::YearFirst => "%Y-%m-%d",
        };
        day.format(format).to_string()
    }
}

impl ClockFormat {
    fn format(self, second: i64) -> String {
        let format = match self {
            Self::Twelve => "%-I:%M %p",
            Self::TwentyFour => "%H:%M",
        };
        clock(second).format(format).to_string()
    }
}

impl DurationFormat {
    fn format(self, session: &Session<'_>) -> Result<String, Refusal> {
        let seconds = session.end - session.start;
        match self {
            Self::Full => Ok(full_length(seconds)),
            Self::Decimal => Ok(format!("{:.2}", Hours::from_seconds(seconds))),
            Self::Compact if seconds % 60 == 0 => Ok(format!("{}:{:02}", seconds / 3600, seconds / 60 % 60)),
            Self::Compact => {
                let (code, task, day) = (&session.entry.project_code, &session.entry.task, session.day);
                let why = format_args!(
                    "the hours of `{code} / {task}` on {day} are not whole minutes. Set another duration format in \
                     Clockify and in `[timesheet.export.clockify]`"
                );
                Err(refuse(Tracker::Clockify, why))
            }
        }
    }
}

/// Writes a row for each entry and day, because a file for Harvest doesn't contain times of day.
fn harvest(entries: &[LoggedEntry<'_>], settings: &TrackerSettings) -> Result<File, Refusal> {
    let first = require(Tracker::Harvest, "first_name", settings.first_name.as_ref())?;
    let last = require(Tracker::Harvest, "last_name", settings.last_name.as_ref())?;
    let mut rows = Vec::new();
    for (day, parts) in parts_by_day(entries) {
        for part in parts.into_iter().filter(|part| part.hours > Hours::ZERO) {
            let entry = part.logged.entry;
            let Names { client, project, task } = settings.checked_names(Tracker::Harvest, entry)?;
            let (day, hours) = (day.to_string(), part.hours.to_string());
            rows.push(vec![day, client, project, task, description(entry), hours, first.to_owned(), last.to_owned()]);
        }
    }
    let header = vec!["Date", "Client", "Project", "Task", "Notes", "Hours", "First name", "Last name"];
    Ok(File { header, rows })
}

fn kimai(sessions: &[Session<'_>], billable: Billable<'_>, settings: &TrackerSettings) -> Result<File, Refusal> {
    let user = require(Tracker::Kimai, "user", settings.user.as_ref())?;
    let email = require(Tracker::Kimai, "email", settings.email.as_ref())?;
    let columns = [
        "Date",
        "From",
        "To",
        "Duration",
        "User",
        "Email",
        "Customer",
        "Project",
        "Activity",
        "Description",
        "Billable",
    ];
    let row = |session: &Session<'_>| -> Result<Vec<String>, Refusal> {
        let entry = session.entry;
        let Names { client, project, task } = settings.checked_names(Tracker::Kimai, entry)?;
        let time = |second| clock(second).format("%H:%M").to_string();
        let seconds = (session.end - session.start).to_string();
        let row = [session.start_date().to_string(), time(session.start), time(session.end), seconds];
        let row = row.into_iter().chain([user.to_owned(), email.to_owned(), client, project, task, description(entry)]);
        Ok(row.chain(billable_cell(billable, entry, ["1", "0"])).collect())
    };
    let rows = sessions.iter().map(row).collect::<Result<_, _>>()?;
    Ok(File { header: header(&columns, billable), rows })
}
