//! Import of CSV with one row for each entry, as Toggl Track, Clockify and Harvest export it. The columns of the three
//! trackers differ only in their names, which other trackers use too.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc};
use csv::StringRecord;

use super::times::{find_order, is_ambiguous, parse_date, parse_duration, parse_time, to_utc};
use super::{DateOrder, TrackedEntry, TrackedTime, identity_of_day, non_empty};
use crate::import::csv::{Layout, names, reader};
use crate::import::refusal;
use crate::refusal::Refusal;

/// The possible names of each column, in lower case.
const DATE: &[&str] = &["date", "start date", "day"];
const START: &[&str] = &["start time", "start", "from"];
const END_DATE: &[&str] = &["end date", "stop date"];
const END: &[&str] = &["end time", "stop time", "end", "stop", "to"];
const DURATION: &[&str] = &["duration", "duration (h)", "hours", "duration (decimal)"];
const CLIENT: &[&str] = &["client", "customer"];
const PROJECT: &[&str] = &["project"];
const TASK: &[&str] = &["task", "activity"];
const DESCRIPTION: &[&str] = &["description", "notes", "note"];
const ISSUE: &[&str] = &["issue", "ticket"];
const TAGS: &[&str] = &["tags", "tag"];
const PERSON: &[&[&str]] = &[&["email"], &["user"], &["first name"], &["last name"]];

pub(super) fn read<Z: TimeZone>(text: &str, order: Option<DateOrder>, zone: &Z) -> Result<Vec<TrackedEntry>, Refusal> {
    let known = [DATE, START, END_DATE, END, DURATION, CLIENT, PROJECT, TASK, DESCRIPTION, TAGS].concat();
    let Layout { table, separator, lines_before } = Layout::detect(text, &known);
    let mut reader = reader(table, separator);
    let columns = Columns::new(&names(reader.headers().map_err(refusal)?)).map_err(refusal)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(refusal)?;
        let line = lines_before + record.position().map_or(0, csv::Position::line);
        // Spreadsheets write rows that consist only of separators. Clockify's last row contains the total.
        if record.iter().all(str::is_empty) || columns.is_total(&record) {
            continue;
        }
        if record.len() > columns.count {
            let why = format!("line {line}: it has {} fields, but the header has {}", record.len(), columns.count);
            return Err(refusal(why));
        }
        rows.push((line, record));
    }
    columns.check_person(&rows)?;
    let order = match order {
        Some(order) => Some(order),
        None => columns.find_order(&rows)?,
    };
    let entry = |(line, record): (u64, StringRecord)| {
        let refused = |why: String| refusal(format_args!("line {line}: {why}"));
        columns.entry(&record, line, order, zone).map_err(refused)
    };
    rows.into_iter().map(entry).collect()
}

/// The index of each column in the file.
#[derive(Debug)]
struct Columns {
    count: usize,
    date: Option<usize>,
    start: Option<usize>,
    end_date: Option<usize>,
    end: Option<usize>,
    duration: Option<usize>,
    client: Option<usize>,
    project: Option<usize>,
    task: Option<usize>,
    description: Option<usize>,
    issue: Option<usize>,
    tags: Option<usize>,
    person: Vec<usize>,
}

impl Columns {
    /// Finds the columns in the header. Returns an error if a required column is missing.
    fn new(header: &[String]) -> Result<Self, String> {
        let find = |names: &[&str]| names.iter().find_map(|name| header.iter().position(|column| column == name));
        let columns = Self {
            count: header.len(),
            date: find(DATE),
            start: find(START),
            end_date: find(END_DATE),
            end: find(END),
            duration: find(DURATION),
            client: find(CLIENT),
            project: find(PROJECT),
            task: find(TASK),
            description: find(DESCRIPTION),
            issue: find(ISSUE),
            tags: find(TAGS),
            person: PERSON.iter().filter_map(|names| find(names)).collect(),
        };
        let lacks = if columns.date.or(columns.start).is_none() {
            "`date` or `start`"
        } else if columns.duration.or(columns.end).is_none() {
            "`hours`, `duration` or `end`"
        } else if columns.project.or(columns.client).is_none() {
            "`project`"
        } else {
            return Ok(columns);
        };
        Err(format!(
            "it is neither JSON of timewarrior or Watson, nor klog, nor CSV of Toggl Track, Clockify, Harvest or another \
             tracker: its header lacks a column {lacks}"
        ))
    }

    /// Whether the row contains the total of the other rows.
    fn is_total(&self, record: &StringRecord) -> bool {
        let has_no_time = [self.date, self.start].iter().all(|column| Self::get(record, *column).is_empty());
        has_no_time && record.get(0).is_some_and(|first| first.eq_ignore_ascii_case("total"))
    }

    fn get(record: &StringRecord, column: Option<usize>) -> &str {
        column.and_then(|column| record.get(column)).unwrap_or_default()
    }

    /// Rejects a file with entries of several people, such as the export of a whole team.
    fn check_person(&self, rows: &[(u64, StringRecord)]) -> Result<(), Refusal> {
        let person = |record: &StringRecord| -> Vec<String> {
            self.person.iter().map(|column| Self::get(record, Some(*column)).to_lowercase()).collect()
        };
        let people: BTreeSet<_> = rows.iter().map(|(_, record)| person(record)).collect();
        if people.len() > 1 {
            return Err(refusal(format_args!("it has the entries of {} people: export only your own", people.len())));
        }
        Ok(())
    }

    /// Returns the order of day and month in the dates of the file. Returns `None` if the order makes no difference,
    /// and an error if the dates are ambiguous.
    fn find_order(&self, rows: &[(u64, StringRecord)]) -> Result<Option<DateOrder>, Refusal> {
        let cells = || {
            let cells = rows
                .iter()
                .flat_map(|(line, record)| [self.date, self.end_date].map(|column| (*line, Self::get(record, column))));
            cells.filter(|(_, date)| !date.is_empty())
        };
        if let Some(order) = cells().find_map(|(_, date)| find_order(date)) {
            return Ok(Some(order));
        }
        match cells().find(|(_, date)| is_ambiguous(date)) {
            None => Ok(None),
            Some((line, date)) => {
                let why = "can begin with the month or the day: pass `--dates month-first` or `--dates day-first`";
                Err(refusal(format_args!("line {line}: the date `{date}` {why}")))
            }
        }
    }

    fn entry<Z: TimeZone>(
        &self,
        record: &StringRecord,
        line: u64,
        order: Option<DateOrder>,
        zone: &Z,
    ) -> Result<TrackedEntry, String> {
        let cell = |column| Self::get(record, column);
        let date = |column| match cell(column) {
            "" => Ok(None),
            text => parse_date(text, order).map(Some).ok_or_else(|| format!("`{text}` is not a date")),
        };
        let seconds = match cell(self.duration) {
            "" => None,
            text => Some(parse_duration(text).ok_or_else(|| format!("`{text}` is not a duration"))?),
        };
        let day = date(self.date)?;
        let start = match cell(self.start) {
            "" => None,
            text => Some(Moment::parse(text, day.map(|day| day.date().and_time(NaiveTime::MIN)), zone)?),
        };
        let end = match (cell(self.end), &start) {
            ("", _) | (_, None) => None,
            (text, Some(start)) => {
                let on = date(self.end_date)?.map(|day| day.date().and_time(NaiveTime::MIN));
                Some(Moment::parse(text, on.or(start.local), zone)?.at_or_after(start, on.is_none(), zone)?)
            }
        };
        let path: Vec<_> =
            [self.client, self.project, self.task].into_iter().filter_map(|it| non_empty(cell(it))).collect();
        let description = non_empty(cell(self.description));
        let (time, identity) = match (start, end, seconds, day) {
            (Some(Moment { utc: start, text, .. }), end, seconds, _) if end.is_some() || seconds.is_some() => {
                let length = TimeDelta::seconds(seconds.unwrap_or_default());
                let end = end.or_else(|| start.checked_add_signed(length)).ok_or("its end is not a date")?;
                let seconds = seconds.unwrap_or_else(|| (end - start).num_seconds());
                (TrackedTime::Period { start, end, seconds }, format!("start {text}"))
            }
            (None, _, Some(seconds), Some(day)) => {
                (TrackedTime::Day { day, seconds }, identity_of_day(day, seconds, &path, description.as_ref()))
            }
            (None, _, _, None) => return Err("it has no date".to_owned()),
            _ => return Err("it has neither an end nor a duration".to_owned()),
        };
        Ok(TrackedEntry {
            place: format!("line {line}"),
            path,
            tags: cell(self.tags).split(',').filter_map(non_empty).collect(),
            description,
            issue_id: non_empty(cell(self.issue)),
            time,
            identity,
            number: 0,
        })
    }
}

/// A time in a row.
#[derive(Debug)]
struct Moment {
    utc: DateTime<Utc>,
    /// The local time. `None` if the text contains a UTC offset.
    local: Option<NaiveDateTime>,
    /// The time as a text, which identifies the entry. The text doesn't depend on the time zone of this computer.
    text: String,
}

impl Moment {
    /// Parses a time of the day `on`, or a text with both a date and a time.
    fn parse<Z: TimeZone>(text: &str, on: Option<NaiveDateTime>, zone: &Z) -> Result<Self, String> {
        if let Ok(time) = DateTime::parse_from_rfc3339(text) {
            return Ok(Self { utc: time.to_utc(), local: None, text: time.to_utc().to_rfc3339() });
        }
        let local = match parse_time(text) {
            Some(time) => on.ok_or_else(|| format!("`{text}` has no date"))?.date().and_time(time),
            None => ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]
                .into_iter()
                .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
                .ok_or_else(|| format!("`{text}` is not a time"))?,
        };
        let utc = to_utc(zone, local).ok_or_else(|| format!("`{text}` is not a time of this time zone"))?;
        Ok(Self { utc, local: Some(local), text: local.to_string() })
    }

    /// Returns this time in UTC, as the end of an entry. If the row has no date for the end and the end is before the
    /// start, the end is on the next day.
    fn at_or_after<Z: TimeZone>(self, start: &Self, has_no_date: bool, zone: &Z) -> Result<DateTime<Utc>, String> {
        match self.local {
            Some(local) if has_no_date && start.local.is_some_and(|start| local < start) => {
                let next = local.checked_add_signed(TimeDelta::days(1)).and_then(|local| to_utc(zone, local));
                next.ok_or_else(|| "its end is not a date".to_owned())
            }
            _ => Ok(self.utc),
        }
    }
}
