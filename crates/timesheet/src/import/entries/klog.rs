//! Import of klog files, version 1.4. A record contains the durations and time ranges of a day. Projects are tags.

use std::sync::LazyLock;

use chrono::{NaiveTime, TimeDelta, TimeZone};
use regex::{Captures, Regex};

use super::times::{parse_date, parse_duration, parse_time, to_utc};
use super::{TrackedEntry, TrackedTime, identity_of_day, non_empty};
use crate::day::Day;
use crate::import::refusal;
use crate::refusal::Refusal;

/// The first line of a record: the date, and optionally the planned working time in parentheses.
static DATE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(\d{4}[-/]\d\d[-/]\d\d)(\s+\([^)]*\))?\s*$").ok());
/// A time range. A time with `<` is on the previous day, and a time with `>` on the next day. `?` means that the end is
/// still open.
static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(<?)(\d{1,2}:\d\d(?:am|pm)?)(>?)\s*-\s*(?:(<?)(\d{1,2}:\d\d(?:am|pm)?)(>?)|\?+)(?:\s+(.*))?$").ok()
});
static DURATION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^([+-]?(?:\d+h)?(?:\d+m)?)(?:\s+(.*))?$").ok());
/// A tag. Its value is optional and may be in quotes.
static TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"#([\p{L}\d_-]+)(?:=(?:"([^"]*)"|'([^']*)'|([\p{L}\d_-]+)))?"#).ok());

fn captures<'t>(pattern: &LazyLock<Option<Regex>>, text: &'t str) -> Option<Captures<'t>> {
    pattern.as_ref().and_then(|pattern| pattern.captures(text))
}

/// Whether the first line that isn't blank is the date of a record.
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

/// A record: a day with its entries.
struct Record {
    day: Day,
    summary: String,
    /// The number of bytes by which entries are indented.
    indent: Option<usize>,
    entries: Vec<Entry>,
}

/// An entry of a record, including the continuation lines of its summary.
struct Entry {
    line: usize,
    time: Time,
    summary: String,
}

enum Time {
    /// A duration in seconds.
    Length(i64),
    /// The start and the end. Each has a number of days after the record's day, and a time of day.
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

    /// Converts the record to entries. A negative duration is a break, which shortens the entries before it.
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
                _ => entries.push(self.to_tracked_entry(entry, zone).ok_or_else(|| wrong("its time is not valid"))?),
            }
        }
        Ok(entries)
    }

    fn to_tracked_entry<Z: TimeZone>(&self, entry: &Entry, zone: &Z) -> Option<TrackedEntry> {
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

/// Parses the time of an entry. Returns the time, and the rest of the line as the summary.
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

/// The tags of an entry, grouped by meaning.
#[derive(Default)]
struct Tags {
    path: Vec<String>,
    issue: Option<String>,
    hours: Option<String>,
    others: Vec<String>,
}

impl Tags {
    /// Reads the tags in the summary of an entry. If the summary contains no tags, the tags of the record apply. This
    /// program writes `#project`, `#task`, `#issue` and `#hours` when it exports entries.
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

/// Removes the tags from a text.
fn without_tags(text: &str) -> String {
    let text = TAG.as_ref().map_or(text.into(), |pattern| pattern.replace_all(text, ""));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
