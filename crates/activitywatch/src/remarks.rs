//! Remarks about a history for `doctor`: data that isn't read, and settings of `ActivityWatch` that aren't applied.

use std::collections::BTreeMap;

use rusqlite::Connection;

use dayledger_core::local_days::{DayStart, LocalDays};
use dayledger_source::{Role, TrackerDays};
use dayledger_sqlite::Capacity;

use crate::history::History;
use crate::rows::Rows;
use crate::shape::BucketKind;

/// The maximum number of bucket names in a remark.
const MAX_NAMES: usize = 5;

/// Returns the remarks. Each remark is a sentence without a full stop.
pub(crate) fn remarks(
    history: &History,
    rows: &Rows,
    connection: &Connection,
    capacity: Capacity,
) -> rusqlite::Result<Vec<String>> {
    let mut found = Vec::new();
    let ignored = history.buckets.iter().filter(|bucket| bucket.kind == BucketKind::Ignored);
    let ignored: Vec<_> = ignored.map(|bucket| format!("`{}` ({})", bucket.id, bucket.type_name)).collect();
    if !ignored.is_empty() {
        found.push(format!("dayledger doesn't read these buckets: {}", join(&ignored)));
    }
    if !rows.tabs_without_window.is_empty() {
        let buckets: Vec<_> = rows.tabs_without_window.iter().map(|id| format!("`{id}`")).collect();
        found.push(format!(
            "tabs of these buckets are ignored, because no window belongs to their browser: {}",
            join(&buckets)
        ));
    }
    let unreadable = rows.activities.iter().filter(|row| !row.is_timed).count();
    if unreadable > 0 {
        found.push(format!("{unreadable} events are ignored, because their time or their content can't be read"));
    }
    found.extend(similar_devices(rows));
    found.extend(unused_settings(connection, capacity)?);
    Ok(found)
}

fn join(names: &[String]) -> String {
    let shown = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMES { format!("{shown} and {} more", names.len() - MAX_NAMES) } else { shown }
}

/// Returns a remark for each group of devices whose names differ only in case or in the ending `.local`.
fn similar_devices(rows: &Rows) -> Vec<String> {
    let mut devices: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for timeline in rows.timelines.iter().filter(|timeline| timeline.role == Role::Applications) {
        let plain = timeline.device.to_lowercase();
        let names = devices.entry(plain.strip_suffix(".local").unwrap_or(&plain).to_owned()).or_default();
        if !names.contains(&timeline.device.as_str()) {
            names.push(&timeline.device);
        }
    }
    let similar = devices.into_values().filter_map(|names| match names[..] {
        [one, other, ..] => Some(format!(
            "`{one}` and `{other}` count as two devices; if they are one, set `\"{other}\" = \"{one}\"` in `[activitywatch.devices]`"
        )),
        _ => None,
    });
    similar.collect()
}

/// Returns the settings of aw-server-rust by key. Other servers store their settings elsewhere.
fn read_settings(connection: &Connection, capacity: Capacity) -> rusqlite::Result<BTreeMap<String, serde_json::Value>> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'key_value'";
    let tables: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    let mut values: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    if tables == 0 {
        return Ok(values);
    }
    capacity.for_each_row(connection, "SELECT key, value FROM key_value", [], |row| {
        let texts = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_str());
        if let (Ok(key), Ok(value)) = texts
            && let Ok(value) = serde_json::from_str(value)
        {
            values.insert(key.to_owned(), value);
        }
        Ok(texts.1.map_or(0, str::len))
    })?;
    Ok(values)
}

/// Returns the start of days and weeks in ActivityWatch, if its settings are known.
pub(crate) fn tracker_days(connection: &Connection, capacity: Capacity) -> rusqlite::Result<TrackerDays> {
    let values = read_settings(connection, capacity)?;
    let text = |key: &str| values.get(key).and_then(serde_json::Value::as_str);
    let start = text("settings.startOfDay");
    let day_start = start.and_then(|text| text.parse().ok());
    Ok(TrackerDays {
        day_start,
        unsupported_start: start.filter(|text| day_start.is_none() && !text.is_empty()).map(str::to_owned),
        week_start: text("settings.startOfWeek").and_then(|text| text.parse().ok()),
    })
}

/// Returns remarks about settings that aren't applied.
fn unused_settings(connection: &Connection, capacity: Capacity) -> rusqlite::Result<Vec<String>> {
    let values = read_settings(connection, capacity)?;
    let text = |key: &str| values.get(key).and_then(serde_json::Value::as_str).filter(|value| !value.is_empty());
    let mut found = Vec::new();
    if text("settings.always_active_pattern").is_some() {
        found.push(
            "ActivityWatch's pattern of applications that are always active isn't applied; \
             set `calls = true` in `[time]` to count calls"
                .to_owned(),
        );
    }
    let here = LocalDays::current().day_start;
    let is_other = |start: &&str| start.parse::<DayStart>().ok() != Some(here);
    if let Some(start) = text("settings.startOfDay").filter(is_other) {
        found.push(format!("days begin at {} here, and at {start} in ActivityWatch", here.describe()));
    }
    Ok(found)
}
