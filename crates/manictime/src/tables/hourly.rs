//! Reads the table `hourly_totals`. It contains the seconds per local hour that `ManicTime` computes
//! (`Ar_ApplicationByDay`, `Ar_WebSiteByDay`, `Ar_DocumentByDay`, `Ar_TagListByDay`), with the names of common groups.
//!
//! If one of these tables is missing, its totals are omitted, and queries read activities instead. The same is true if
//! the table with the names is missing. The tables `Ar_*ByYear` contain a histogram per year and are never read
//! (docs/spec/manictime.md#hours-and-weekdays).

use std::fmt::Write;

use arrow::array::RecordBatch;
use rusqlite::Row;

use super::columns::{batch_of_columns, instants, numbers, texts};
use crate::instant::{InstantParser, to_stored_text};
use crate::snapshot::Snapshot;
use crate::value::{hour_seconds, instant, number};
use dayledger_source::selection::{Bounds, Selection};
use dayledger_source::{BATCH_ROWS, Capability, HIDDEN, Role, ScanRequest, UNKNOWN};

const TABLES: [(&str, Role, Capability); 4] = [
    ("Ar_ApplicationByDay", Role::Applications, Capability::HourlyApplications),
    ("Ar_WebSiteByDay", Role::Websites, Capability::HourlyWebsites),
    ("Ar_DocumentByDay", Role::Documents, Capability::HourlyDocuments),
    ("Ar_TagListByDay", Role::Tags, Capability::HourlyTags),
];

/// The total of one group in one hour.
struct HourlyTotal<'n> {
    timeline: i64,
    role: &'static str,
    device: Option<&'n str>,
    hour: Option<i64>,
    name: &'n str,
    key: &'n str,
    color: Option<&'n str>,
    seconds: Option<i64>,
}

fn batch(scan: &ScanRequest, rows: &[HourlyTotal<'_>]) -> rusqlite::Result<RecordBatch> {
    let rows = rows.iter();
    let columns = [
        numbers(rows.clone().map(|row| Some(row.timeline))),
        texts(rows.clone().map(|row| Some(row.role))),
        texts(rows.clone().map(|row| row.device)),
        instants(rows.clone().map(|row| row.hour)),
        texts(rows.clone().map(|row| Some(row.name))),
        texts(rows.clone().map(|row| Some(row.key))),
        texts(rows.clone().map(|row| row.color)),
        numbers(rows.map(|row| row.seconds)),
    ];
    batch_of_columns(scan, &columns)
}

pub(super) fn describe(selection: &Selection) -> String {
    let tables: Vec<_> = tables(selection).map(|(table, _, _)| table).collect();
    let Bounds { from, to } = selection.bounds("hour_local");
    let condition =
        |bound: Option<i64>, symbol| bound.map(|bound| format!("Hour {symbol} '{}'", to_stored_text(bound)));
    let conditions: Vec<_> = [condition(from, ">="), condition(to, "<")].into_iter().flatten().collect();
    format!("table={}, sqlite=[{}]", tables.join("+"), conditions.join(" AND "))
}

fn tables(selection: &Selection) -> impl Iterator<Item = (&'static str, Role, Capability)> + '_ {
    TABLES.into_iter().filter(|(_, role, _)| selection.accepts_text("role", Some(role.name())))
}

/// Returns the statement for a table, and the parameters. The statement lists the ids of all timelines. Without this
/// list, it couldn't use an index, because every index of these tables begins with `ReportId`.
fn statement(table: &str, bounds: Bounds, snapshot: &Snapshot<'_>) -> (String, Vec<String>) {
    let ids: Vec<_> = snapshot.names.timelines.iter().map(|timeline| timeline.id.to_string()).collect();
    let mut sql =
        format!("SELECT ReportId, CommonId, Hour, TotalSeconds FROM {table} WHERE ReportId IN ({})", ids.join(", "));
    let mut parameters = Vec::new();
    for (bound, symbol) in [(bounds.from, ">="), (bounds.to, "<")] {
        if let Some(bound) = bound {
            parameters.push(to_stored_text(bound));
            // Writing to a string can't fail.
            let _ = write!(sql, " AND Hour {symbol} ?{}", parameters.len());
        }
    }
    (sql, parameters)
}

pub(super) fn explain(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let mut lines = Vec::new();
    for (table, role, capability) in tables(selection) {
        if snapshot.shape.has_capability(capability) && snapshot.names.privacy().shows_hourly_totals(role.name()) {
            let (sql, parameters) = statement(table, selection.bounds("hour_local"), snapshot);
            lines.extend(snapshot.query_plan(&sql, &parameters)?);
        }
    }
    Ok(lines)
}

pub(super) fn read(scan: &ScanRequest, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let selection = &scan.selection;
    let bounds = selection.bounds("hour_local");
    let (mut batches, mut totals) = (Vec::new(), Vec::new());
    let mut parser = InstantParser::default();
    let mut total = 0;
    let privacy = snapshot.names.privacy();
    // If the common group of a total was deleted, the total gets this name.
    let unnamed = if privacy.is_hidden_application(&[UNKNOWN]) { HIDDEN } else { UNKNOWN };
    'tables: for (table, role, capability) in tables(selection) {
        if !snapshot.shape.has_capability(capability) || !privacy.shows_hourly_totals(role.name()) {
            continue;
        }
        let has_urls = privacy.hides_sites() && matches!(role, Role::Websites | Role::Documents);
        let hidden = if has_urls { Some(snapshot.hidden_rows()?) } else { None };
        let (sql, parameters) = statement(table, bounds, snapshot);
        let mut prepared = snapshot.connection.prepare(&sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(parameters))?;
        let mut budget = snapshot.capacity.row_budget();
        while let Some(row) = rows.next()? {
            snapshot.reading.count_row();
            budget.take_row(0)?;
            let hour = instant(row, 2, &mut parser)?;
            // SQLite compares hours as texts, so it can also return hours outside of the bounds, or hours that can't be
            // parsed. Skip these hours.
            if !bounds.contain(hour) {
                continue;
            }
            let Some(timeline) = number(row, 0)? else { continue };
            let common = number(row, 1)?;
            let group = match role {
                Role::Tags => snapshot.names.lists.common_group(common),
                _ => snapshot.names.groups.common_group(common),
            };
            let device = snapshot.names.timeline(timeline).map(|timeline| timeline.device.as_str());
            let unnamed = if role == Role::Applications { unnamed } else { UNKNOWN };
            let by_address = hidden.is_some_and(|hidden| hidden.is_hidden_by_address(common));
            let (group, unnamed) = if by_address { (None, HIDDEN) } else { (group, unnamed) };
            let name = group.and_then(|group| group.name.as_deref()).unwrap_or(unnamed);
            totals.push(HourlyTotal {
                timeline,
                role: role.name(),
                device,
                hour,
                name,
                key: group.and_then(|group| group.key.as_deref()).unwrap_or(name),
                color: group.and_then(|group| group.color.as_deref()),
                seconds: hour_seconds(row, 3)?,
            });
            total += 1;
            if totals.len() == BATCH_ROWS {
                batches.push(batch(scan, &totals)?);
                totals.clear();
            }
            if selection.limit.is_some_and(|limit| total >= limit) {
                break 'tables;
            }
        }
    }
    if !totals.is_empty() {
        batches.push(batch(scan, &totals)?);
    }
    Ok(batches)
}

/// Returns the first and last local hour in which a timeline has a total, in seconds.
pub(super) fn hour_bounds(snapshot: &Snapshot<'_>, timeline: i64) -> rusqlite::Result<(Option<i64>, Option<i64>)> {
    let mut extent = (None, None);
    for (table, role, capability) in TABLES {
        if !snapshot.shape.has_capability(capability) || !snapshot.names.privacy().shows_hourly_totals(role.name()) {
            continue;
        }
        let find_hour = |order| {
            let sql = format!("SELECT Hour, TotalSeconds FROM {table} WHERE ReportId = ?1 ORDER BY Hour {order}");
            snapshot.capacity.find_first(snapshot.connection, &sql, timeline, hour_with_time)
        };
        let (first, last) = (find_hour("ASC")?, find_hour("DESC")?);
        // For two options, `min` would return `None` if one of them is `None`.
        extent = (extent.0.into_iter().chain(first).min(), extent.1.max(last));
    }
    Ok(extent)
}

fn hour_with_time(row: &Row<'_>) -> rusqlite::Result<Option<i64>> {
    let hour = instant(row, 0, &mut InstantParser::default())?;
    Ok(hour_seconds(row, 1)?.filter(|seconds| *seconds > 0).and(hour))
}
