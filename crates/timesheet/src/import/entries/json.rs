//! Import of JSON from timewarrior (`timew export`) and Watson (`watson log --json`, or its file `frames`).

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Deserialize;
use serde_json::Value;

use super::{TrackedEntry, TrackedTime, non_empty};
use crate::import::refusal;
use crate::refusal::Refusal;

/// An interval of `timew export`, or a frame of `watson log --json`.
#[derive(Deserialize)]
struct Interval {
    start: String,
    /// The end in timewarrior. It is absent while the interval is running.
    end: Option<String>,
    /// The end in Watson.
    stop: Option<String>,
    /// The frame's id in Watson. In timewarrior, `id` is a number that changes, so it isn't used.
    #[serde(default)]
    id: Value,
    project: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    annotation: Option<String>,
}

/// A frame in Watson's file: start, end, project, id, tags and the time of the last change.
type Frame = (i64, i64, String, String, Vec<String>, Value);

/// Returns the entries, and notes about intervals that are still running and were left out.
pub(super) fn read(text: &str) -> Result<(Vec<TrackedEntry>, Vec<String>), Refusal> {
    let items: Vec<Value> = serde_json::from_str(text).map_err(refusal)?;
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    for (place, item) in (1..).zip(items) {
        let place = format!("entry {place}");
        let wrong = |why: String| refusal(format_args!("{place}: {why}"));
        let entry = if item.is_array() {
            Some(frame(serde_json::from_value(item).map_err(|error| wrong(error.to_string()))?, &place))
        } else {
            interval(serde_json::from_value(item).map_err(|error| wrong(error.to_string()))?, &place)
        };
        match entry.transpose().map_err(wrong)? {
            Some(entry) => entries.push(entry),
            None => notes.push(format!("{place} has no end yet and was left out")),
        }
    }
    Ok((entries, notes))
}

fn frame((start, end, project, id, tags, _): Frame, place: &str) -> Result<TrackedEntry, String> {
    let time = |seconds| DateTime::from_timestamp(seconds, 0).ok_or_else(|| format!("{seconds} is not a time"));
    Ok(entry(place, (time(start)?, time(end)?), Some(&project), &tags, None, format!("id {id}")))
}

/// Converts an interval to an entry. Returns `None` if the interval is still running.
fn interval(interval: Interval, place: &str) -> Option<Result<TrackedEntry, String>> {
    let end = interval.end.or(interval.stop)?;
    let time = |text: &str| parse(text).ok_or_else(|| format!("`{text}` is not a time"));
    let period = time(&interval.start).and_then(|start| Ok((start, time(&end)?)));
    Some(period.map(|period| {
        let identity = match &interval.id {
            Value::String(id) => format!("id {id}"),
            _ => format!("start {}", period.0.to_rfc3339()),
        };
        entry(place, period, interval.project.as_deref(), &interval.tags, interval.annotation.as_deref(), identity)
    }))
}

/// Parses a time such as `20261111T080900Z` or `2026-11-11T09:09:00+01:00`.
fn parse(text: &str) -> Option<DateTime<Utc>> {
    let basic = NaiveDateTime::parse_from_str(text, "%Y%m%dT%H%M%SZ").map(|time| time.and_utc());
    basic.or_else(|_| DateTime::parse_from_rfc3339(text).map(|time| time.to_utc())).ok()
}

fn entry(
    place: &str,
    (start, end): (DateTime<Utc>, DateTime<Utc>),
    project: Option<&str>,
    tags: &[String],
    description: Option<&str>,
    identity: String,
) -> TrackedEntry {
    TrackedEntry {
        place: place.to_owned(),
        path: project.and_then(non_empty).into_iter().collect(),
        tags: tags.iter().filter_map(|tag| non_empty(tag)).collect(),
        description: description.and_then(non_empty),
        issue_id: None,
        time: TrackedTime::Period { start, end, seconds: (end - start).num_seconds() },
        identity,
        number: 0,
    }
}
