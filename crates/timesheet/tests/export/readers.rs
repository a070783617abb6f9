//! Readers for the exported formats, written from the specification of each format.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveDateTime};
use dayledger_timesheet::Hours;
use icalendar::{Calendar, CalendarComponent, Component, EventLike};
use regex::Regex;

/// An entry as read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedEntry {
    pub(super) day: NaiveDate,
    pub(super) project: String,
    pub(super) task: String,
    pub(super) text: String,
    /// The start and the end, if the format contains times.
    pub(super) span: Option<(NaiveDateTime, NaiveDateTime)>,
    pub(super) seconds: i64,
}

pub(super) fn timeclock(file: &str) -> Vec<ParsedEntry> {
    let mut read = Vec::new();
    let mut open: Option<(NaiveDateTime, &str)> = None;
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with(';')) {
        let (code, rest) = line.split_at(1);
        let (moment, rest) = rest[1..].split_at(19);
        let moment = NaiveDateTime::parse_from_str(moment, "%Y-%m-%d %H:%M:%S").unwrap();
        match (code, open.take()) {
            ("i", None) => open = Some((moment, rest.strip_prefix(' ').unwrap())),
            ("o", Some((start, account_name))) => {
                assert_eq!(rest, "");
                assert!(start <= moment && (moment - start).num_seconds() <= 86_400);
                // In newer versions of hledger, `;` ends a description.
                let account_name = account_name.split(';').next().unwrap();
                let (account, text) = account_name.split_once("  ").unwrap_or((account_name, ""));
                let [project, task] = account.split(':').collect::<Vec<_>>().try_into().unwrap();
                read.push(ParsedEntry {
                    day: start.date(),
                    project: project.to_owned(),
                    task: task.to_owned(),
                    text: text.to_owned(),
                    span: Some((start, moment)),
                    seconds: (moment - start).num_seconds(),
                });
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(open, None);
    read
}

pub(super) fn ics(file: &str) -> Vec<ParsedEntry> {
    assert!(file.split_terminator("\r\n").all(|line| line.len() <= 75 && !line.contains(['\r', '\n'])));
    let calendar = Calendar::from_str(file).unwrap();
    let mut ids = std::collections::BTreeSet::new();
    let event = |component: &CalendarComponent| {
        let CalendarComponent::Event(event) = component else { panic!("{component:?}") };
        let value = |name| event.property_value(name).unwrap_or_default();
        assert!(ids.insert(value("UID").to_owned()), "two events have the same id");
        assert_eq!(value("TRANSP"), "TRANSPARENT");
        let start = value("DTSTART");
        let start = NaiveDateTime::parse_from_str(start.trim_end_matches('Z'), "%Y%m%dT%H%M%S").unwrap();
        let text = value("DESCRIPTION");
        let text = match text.strip_suffix("(time of day not recorded)") {
            Some(text) => text.strip_suffix('\n').unwrap_or(text),
            None => text,
        };
        let categories = event.get_categories().unwrap();
        let [project, task] = categories.try_into().unwrap();
        assert_eq!(value("SUMMARY"), format!("{project}, {task}"));
        let seconds = parse_duration(value("DURATION"));
        ParsedEntry {
            day: start.date(),
            project,
            task,
            text: text.to_owned(),
            span: Some((start, start + chrono::TimeDelta::seconds(seconds))),
            seconds,
        }
    };
    calendar.components.iter().map(event).collect()
}

/// Parses a duration such as `PT7H30M` and returns its seconds. The grammar requires a unit that is between two other
/// units, even if its number is zero.
fn parse_duration(text: &str) -> i64 {
    if text.is_empty() {
        return 0;
    }
    let mut left = text.strip_prefix("PT").unwrap();
    let (mut seconds, mut seen) = (0, String::new());
    while let Some(end) = left.find(|character: char| !character.is_ascii_digit()) {
        let (number, unit) = (left[..end].parse::<i64>().unwrap(), &left[end..=end]);
        seconds += number
            * match unit {
                "H" => 3600,
                "M" => 60,
                "S" => 1,
                _ => panic!("{text}"),
            };
        seen.push_str(unit);
        left = &left[end + 1..];
    }
    assert!(left.is_empty() && ["H", "HM", "HMS", "M", "MS", "S"].contains(&&*seen), "{text}");
    assert!(seconds > 0, "an event that lasts no time: {text}");
    seconds
}

/// Reads a klog file. Returns the entries with their exact hours, and the total minutes of each day.
pub(super) fn klog(file: &str) -> (Vec<ParsedEntry>, BTreeMap<NaiveDate, i64>) {
    let (mut read, mut days): (Vec<ParsedEntry>, BTreeMap<_, _>) = (Vec::new(), BTreeMap::new());
    for record in file.split("\n\n").filter(|record| !record.is_empty()) {
        let mut lines = record.trim_end_matches('\n').split('\n');
        let day: NaiveDate = lines.next().unwrap().parse().unwrap();
        for line in lines {
            assert!(!line.trim().is_empty(), "a blank line within a record");
            assert!(!line.contains('\r'));
            if let Some(further) = line.strip_prefix("        ") {
                let last = read.last_mut().unwrap();
                assert!(
                    tags(further).0.iter().all(|(name, _)| !matches!(&**name, "project" | "task" | "issue" | "hours"))
                );
                last.text.push('\n');
                last.text.push_str(further);
                continue;
            }
            let (length, summary) = line.strip_prefix("    ").unwrap().split_once(' ').unwrap();
            let minutes = parse_length(length);
            *days.entry(day).or_default() += minutes;
            let (tags, text) = tags(summary);
            let one = |name: &str| {
                let values: Vec<_> = tags.iter().filter(|(own, _)| own == name).map(|(_, value)| value).collect();
                assert!(values.len() < 2, "{name} twice in {line}");
                values.first().map(|value| (*value).clone())
            };
            let hours = one("hours").map(|hours| hours.parse::<Hours>().unwrap().hundredths() * 36);
            let seconds = hours.unwrap_or(minutes * 60);
            assert!((seconds - minutes * 60).abs() < 60);
            let (project, task) = (one("project").unwrap(), one("task").unwrap());
            read.push(ParsedEntry { day, project, task, text, span: None, seconds });
        }
    }
    (read, days)
}

fn parse_length(text: &str) -> i64 {
    let (hours, minutes) = match text.split_once('h') {
        Some((hours, "")) => (hours, "0m"),
        Some((hours, minutes)) => (hours, minutes),
        None => ("0", text),
    };
    let minutes: i64 = minutes.strip_suffix('m').unwrap().parse().unwrap();
    assert!(minutes < 60);
    hours.parse::<i64>().unwrap() * 60 + minutes
}

/// Returns all tags in a line, and the text after the tags at its start. The only non-ASCII characters in names are
/// letters.
fn tags(line: &str) -> (Vec<(String, String)>, String) {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"#([\p{L}0-9_-]+)(?:=("[^"]*"|'[^']*'|[\p{L}0-9_-]*))?"#).unwrap());
    let mut found = Vec::new();
    let mut leading = 0;
    for captures in TAG.captures_iter(line) {
        let whole = captures.get(0).unwrap();
        if line[leading..whole.start()].trim_matches(' ').is_empty() {
            leading = whole.end();
        }
        let value = captures.get(2).map_or("", |value| value.as_str());
        found.push((captures[1].to_lowercase(), value.trim_matches(['"', '\'']).to_owned()));
    }
    (found, line[leading..].strip_prefix(' ').unwrap_or(&line[leading..]).to_owned())
}
