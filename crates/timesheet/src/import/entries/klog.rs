//! klog, version 1.4: records of a day with durations and time ranges, and projects as tags.

use std::sync::LazyLock;

use chrono::{NaiveTime, TimeDelta, TimeZone};
use regex::{Captures, Regex};

use super::times::{parse_date, parse_duration, parse_time, to_utc};
use super::{TrackedEntry, TrackedTime, identity_of_day, non_empty};
use crate::day::Day;
use crate::import::refusal;
use crate::refusal::Refusal;

/// The first line of a record: its date, and optionally the time that should be worked.
static DATE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\d{4}[-/]\d\d[-/]\d\d)(\s+\([^)]*\))?\s*$").ok());
/// A time range. `<` is on the day before, `>` on the day after, and `?` is open.
static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(<?)(\d{1,2}:\d\d(?:am|pm)?)(>?)\s*-\s*(?:(<?)(\d{1,2}:\d\d(?:am|pm)?)(>?)|\?+)(?:\s+(.*))?$").ok()
});
static DURATION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^([+-]?(?:\d+h)?(?:\d+m)?)(?:\s+(.*))?$").ok());
/// A tag, with a value in quotes or without.
static TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"#([\p{L}\d_-]+)(?:=(?:"([^"]*)"|'([^']*)'|([\p{L}\d_-]+)))?"#).ok());

fn captures<'t>(pattern: &LazyLock<Option<Regex>>, text: &'t str) -> Option<Captures<'t>> {
    pattern.as_ref().and_then(|pattern| pattern.captures(text))
}

/// Whether the first line is the date of a record.
pub(super) fn is_klog(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| captures(&DATE, line).is_some())
}

pub(super) fn read<Z: TimeZone>(text: &str, zone: &Z) -> Result<Vec<TrackedEntry>, Refusal> {
    let mut entries = Vec::new();
    let mut record: Option<Record> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |why: String| refusal(format_args!("line {number}: {why}"));
        if line.trim().is_empty() {
            entries.extend(record.take().map(|record| record.entries(zone)).transpose()?.unwrap_or_default());
        } else if let Some(record) = &mut record {
            record.add(number, line).map_err(wrong)?;
        } else {
            let date = captures(&DATE, line).and_then(|date| parse_date(&date[1], None));
            let day = date.ok_or_else(|| wrong("it is not the date of a record".to_owned()))?;
            record = Some(Record { day, summary: String::new(), indent: None, entries: Vec::new() });
        }
    }
    entries.extend(record.map(|record| record.entries(zone)).transpose()?.unwrap_or_default());
    Ok(entries)
}

/// A day of the file.
struct Record {
    day: Day,
    summary: String,
    /// The number of characters before its entries.
    indent: Option<usize>,
    entries: Vec<Entry>,
}

/// A line of a record, with the lines of its summary.
struct Entry {
    line: usize,
    time: Time,
    summary: String,
}

enum Time {
    /// Seconds.
    Length(i64),
    /// Start and end, as days after the day of the record and times of day.
    Range([(i64, NaiveTime); 2]),
}

impl Record {
    fn add(&mut self, line: usize, text: &str) -> Result<(), String> {
        let indent = text.len() - text.trim_start().len();
        let content = text.trim();
        match (self.indent, self.entries.last_mut()) {
            (None, _) if indent == 0 => {
                self.summary.push(' ');
                self.summary.push_str(content);
            }
            (Some(first), Some(last)) if indent > first => {
                last.summary.push(' ');
                last.summary.push_str(content);
            }
            _ if indent == 0 => return Err("an entry must be indented".to_owned()),
            _ => {
                self.indent.get_or_insert(indent);
                let (time, summary) = parse_entry(content)?;
                self.entries.push(Entry { line, time, summary });
            }
        }
        Ok(())
    }

    /// Returns the entries. A negative duration is a break, and shortens the entries before it.
    fn entries<Z: TimeZone>(self, zone: &Z) -> Result<Vec<TrackedEntry>, Refusal> {
        let mut entries: Vec<TrackedEntry> = Vec::new();
        for entry in &self.entries {
            let wrong = |why: &str| refusal(format_args!("line {}: {why}", entry.line));
            match entry.time {
                Time::Length(seconds) if seconds < 0 => {
                    let mut rest = -seconds;
                    for TrackedEntry { time, .. } in entries.iter_mut().rev() {
                        let (TrackedTime::Day { seconds, .. } | TrackedTime::Period { seconds, .. }) = time;
                        let part = rest.min(*seconds);
                        *seconds -= part;
                        rest -= part;
                    }
                    if rest > 0 {
                        return Err(wrong("the break is longer than the entries before it"));
                    }
                }
                _ => entries.push(self.tracked(entry, zone).ok_or_else(|| wrong("its time is not valid"))?),
            }
        }
        Ok(entries)
    }

    fn tracked<Z: TimeZone>(&self, entry: &Entry, zone: &Z) -> Option<TrackedEntry> {
        let tags = Tags::read(&entry.summary, &self.summary);
        let description = non_empty(&without_tags(&entry.summary));
        let exact = tags.hours.as_deref().and_then(parse_duration);
        let (time, identity) = match entry.time {
            Time::Length(seconds) => {
                let seconds = exact.unwrap_or(seconds);
                let identity = identity_of_day(self.day, seconds, &tags.path, description.as_ref());
                (TrackedTime::Day { day: self.day, seconds }, identity)
            }
            Time::Range(times) => {
                let at = |(days, time)| {
                    self.day.date().checked_add_signed(TimeDelta::days(days)).map(|day| day.and_time(time))
                };
                let (from, until) = (at(times[0])?, at(times[1])?);
                let (start, end) = (to_utc(zone, from)?, to_utc(zone, until)?);
                let seconds = exact.unwrap_or((end - start).num_seconds());
                (TrackedTime::Period { start, end, seconds }, format!("start {from}"))
            }
        };
        Some(TrackedEntry {
            place: format!("line {}", entry.line),
            path: tags.path,
            tags: tags.others,
            description,
            issue_id: tags.issue,
            time,
            identity,
            number: 0,
        })
    }
}

/// Reads the time of an entry, and returns the rest of its line.
fn parse_entry(content: &str) -> Result<(Time, String), String> {
    let text = |group: Option<regex::Match<'_>>| group.map_or(String::new(), |text| text.as_str().to_owned());
    if let Some(range) = captures(&RANGE, content) {
        let time = |place: usize| {
            let days = i64::from(range.get(place + 2).is_some_and(|mark| !mark.is_empty()))
                - i64::from(range.get(place).is_some_and(|mark| !mark.is_empty()));
            let clock = range.get(place + 1).ok_or("it has no end yet: close it, or remove it")?;
            Ok::<_, String>((
                days,
                parse_time(clock.as_str()).ok_or_else(|| format!("`{}` is not a time", clock.as_str()))?,
            ))
        };
        return Ok((Time::Range([time(1)?, time(4)?]), text(range.get(7))));
    }
    let duration = captures(&DURATION, content).and_then(|duration| {
        Some((parse_duration(&duration[1]).filter(|_| duration[1].contains(['h', 'm']))?, text(duration.get(2))))
    });
    let (seconds, summary) = duration.ok_or("it begins neither with a duration nor with a time range")?;
    Ok((Time::Length(seconds), summary))
}

/// The tags of an entry, by their meaning.
#[derive(Default)]
struct Tags {
    path: Vec<String>,
    issue: Option<String>,
    hours: Option<String>,
    others: Vec<String>,
}

impl Tags {
    /// Reads the tags of an entry, or those of its record if the entry itself is without tags. `#project` and `#task` are the tags of
    /// exported entries.
    fn read(summary: &str, record: &str) -> Self {
        let mut tags = Self::default();
        let of = |text| TAG.iter().flat_map(move |pattern: &Regex| pattern.captures_iter(text));
        let own: Vec<_> = of(summary).collect();
        let all = if own.is_empty() { of(record).collect() } else { own };
        for tag in all {
            let value = [2, 3, 4].into_iter().find_map(|group| tag.get(group)).map(|value| value.as_str().to_owned());
            match (tag[1].to_lowercase().as_str(), value) {
                ("project", Some(value)) => tags.path.insert(0, value),
                ("task", Some(value)) => tags.path.push(value),
                ("issue", Some(value)) => tags.issue = Some(value),
                ("hours", Some(value)) => tags.hours = Some(value),
                (_, Some(_)) => {}
                (_, None) => tags.others.push(tag[1].to_owned()),
            }
        }
        tags
    }
}

/// Returns the text without its tags.
fn without_tags(text: &str) -> String {
    let text = TAG.as_ref().map_or(text.into(), |pattern| pattern.replace_all(text, ""));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
