//! `hourly_totals`: `ManicTime`'s own seconds per local hour (`Ar_ApplicationByDay`, `Ar_WebSiteByDay`,
//! `Ar_DocumentByDay`, `Ar_TagListByDay`), named by their common group.
//!
//! A table that is absent, or whose names are, has no rows: the question falls back to activities. `Ar_*ByYear` is a
//! yearly histogram and never read (semantics, section 6).

use std::fmt::Write;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Builder, RecordBatch, StringViewBuilder, TimestampSecondBuilder};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::arrow::{BATCH_ROWS, INSTANT, batch_of, schema_of};
use crate::manictime::instant::{InstantParser, stored_text};
use crate::manictime::privacy::{HIDDEN, UNKNOWN};
use crate::manictime::role::Role;
use crate::manictime::selection::{Bounds, Selection};
use crate::manictime::shape::Capability;
use crate::manictime::snapshot::Snapshot;
use crate::manictime::value::{hour_seconds, instant as instant_at, number};

const TABLES: [(&str, Role, Capability); 4] = [
    ("Ar_ApplicationByDay", Role::Applications, Capability::HourlyApplications),
    ("Ar_WebSiteByDay", Role::Websites, Capability::HourlyWebsites),
    ("Ar_DocumentByDay", Role::Documents, Capability::HourlyDocuments),
    ("Ar_TagListByDay", Role::Tags, Capability::HourlyTags),
];

pub(super) fn schema() -> SchemaRef {
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("role", DataType::Utf8View, false),
        ("device", DataType::Utf8View, true),
        ("hour_local", INSTANT, true),
        ("name", DataType::Utf8View, true),
        ("key", DataType::Utf8View, true),
        ("color", DataType::Utf8View, true),
        ("seconds", DataType::Int64, true),
    ])
}

pub(super) fn pushes_down(column: &str) -> bool {
    matches!(column, "role" | "hour_local")
}

pub(super) fn describe(selection: &Selection) -> String {
    let tables: Vec<_> = tables(selection).map(|(table, _, _)| table).collect();
    let Bounds { from, to } = selection.bounds("hour_local");
    let condition = |bound: Option<i64>, symbol| bound.map(|bound| format!("Hour {symbol} '{}'", stored_text(bound)));
    let conditions: Vec<_> = [condition(from, ">="), condition(to, "<")].into_iter().flatten().collect();
    format!("table={}, sqlite=[{}]", tables.join("+"), conditions.join(" AND "))
}

fn tables(selection: &Selection) -> impl Iterator<Item = (&'static str, Role, Capability)> + '_ {
    TABLES.into_iter().filter(|(_, role, _)| selection.accepts_text("role", Some(role.name())))
}

/// Every index of these tables begins with `ReportId`, so the range is asked for one timeline at a time.
fn statement(table: &str, bounds: Bounds, snapshot: &Snapshot<'_>) -> (String, Vec<String>) {
    let ids: Vec<_> = snapshot.names.timelines.iter().map(|timeline| timeline.id.to_string()).collect();
    let mut sql =
        format!("SELECT ReportId, CommonId, Hour, TotalSeconds FROM {table} WHERE ReportId IN ({})", ids.join(", "));
    let mut parameters = Vec::new();
    for (bound, symbol) in [(bounds.from, ">="), (bounds.to, "<")] {
        if let Some(bound) = bound {
            parameters.push(stored_text(bound));
            // Writing to a string cannot fail.
            let _ = write!(sql, " AND Hour {symbol} ?{}", parameters.len());
        }
    }
    (sql, parameters)
}

pub(super) fn explain(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let mut lines = Vec::new();
    for (table, role, capability) in tables(selection) {
        if snapshot.shape.can(capability) && snapshot.names.privacy().tells_hourly_totals(role.name()) {
            let (sql, parameters) = statement(table, selection.bounds("hour_local"), snapshot);
            lines.extend(snapshot.query_plan(&sql, &parameters)?);
        }
    }
    Ok(lines)
}

pub(super) fn read(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let schema = selection.schema(&schema());
    let bounds = selection.bounds("hour_local");
    let mut batches = Vec::new();
    let mut batch = Builders::new();
    let mut parser = InstantParser::default();
    let mut total = 0;
    let privacy = snapshot.names.privacy();
    // Totals outlive the names that they refer to.
    let unnamed = if privacy.names_application(&[UNKNOWN]) { HIDDEN } else { UNKNOWN };
    for (table, role, capability) in tables(selection) {
        if !snapshot.shape.can(capability) || !privacy.tells_hourly_totals(role.name()) {
            continue;
        }
        let has_addresses = privacy.hides_sites() && matches!(role, Role::Websites | Role::Documents);
        let hidden = if has_addresses { Some(snapshot.hidden()?) } else { None };
        let (sql, parameters) = statement(table, bounds, snapshot);
        let mut prepared = snapshot.connection.prepare(&sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(parameters))?;
        let mut ration = snapshot.capacity.ration();
        while let Some(row) = rows.next()? {
            snapshot.reading.row();
            ration.row(0)?;
            let hour = match row.get_ref(2)? {
                ValueRef::Text(text) => parser.parse(text),
                _ => None,
            };
            if !bounds.hold(hour) {
                continue;
            }
            let Some(timeline) = number(row, 0)? else { continue };
            let common = number(row, 1)?;
            let group = match role {
                Role::Tags => snapshot.names.lists.shared(common),
                _ => snapshot.names.groups.shared(common),
            };
            let device = snapshot.names.timeline(timeline).map(|timeline| timeline.device.as_str());
            let unnamed = if role == Role::Applications { unnamed } else { UNKNOWN };
            let by_address = hidden.is_some_and(|hidden| hidden.is_by_address(common));
            let (group, unnamed) = if by_address { (None, HIDDEN) } else { (group, unnamed) };
            let name = group.and_then(|group| group.name.as_deref()).or(Some(unnamed));
            batch.timeline.append_value(timeline);
            batch.role.append_value(role.name());
            batch.device.append_option(device);
            batch.hour.append_option(hour);
            batch.name.append_option(name);
            batch.key.append_option(group.and_then(|group| group.key.as_deref()).or(name));
            batch.color.append_option(group.and_then(|group| group.color.as_deref()));
            batch.seconds.append_option(hour_seconds(row, 3)?);
            batch.rows += 1;
            total += 1;
            if batch.rows == BATCH_ROWS {
                batches.push(batch.finish(selection, &schema)?);
            }
            if selection.limit.is_some_and(|limit| total >= limit) {
                break;
            }
        }
    }
    if batch.rows > 0 {
        batches.push(batch.finish(selection, &schema)?);
    }
    Ok(batches)
}

/// The first and the last local hour of which `ManicTime`'s totals tell something of a timeline.
pub(super) fn extent(snapshot: &Snapshot<'_>, timeline: i64) -> rusqlite::Result<(Option<i64>, Option<i64>)> {
    let mut extent = (None, None);
    for (table, role, capability) in TABLES {
        if !snapshot.shape.can(capability) || !snapshot.names.privacy().tells_hourly_totals(role.name()) {
            continue;
        }
        let ask = |order| {
            let sql = format!("SELECT Hour, TotalSeconds FROM {table} WHERE ReportId = ?1 ORDER BY Hour {order}");
            snapshot.first_instant(&sql, timeline, hour_with_time)
        };
        let (first, last) = (ask("ASC")?, ask("DESC")?);
        // Nothing is less than every hour.
        extent = (extent.0.into_iter().chain(first).min(), extent.1.max(last));
    }
    Ok(extent)
}

fn hour_with_time(row: &Row<'_>) -> rusqlite::Result<Option<i64>> {
    Ok(if hour_seconds(row, 1)?.is_some_and(|seconds| seconds > 0) { instant_at(row, 0)? } else { None })
}

struct Builders {
    rows: usize,
    timeline: Int64Builder,
    role: StringViewBuilder,
    device: StringViewBuilder,
    hour: TimestampSecondBuilder,
    name: StringViewBuilder,
    key: StringViewBuilder,
    color: StringViewBuilder,
    seconds: Int64Builder,
}

impl Builders {
    fn new() -> Self {
        // A name stands in the rows of many hours, and is held once.
        let texts = || StringViewBuilder::new().with_deduplicate_strings();
        Self {
            rows: 0,
            timeline: Int64Builder::new(),
            role: texts(),
            device: texts(),
            hour: TimestampSecondBuilder::new(),
            name: texts(),
            key: texts(),
            color: texts(),
            seconds: Int64Builder::new(),
        }
    }

    fn finish(&mut self, selection: &Selection, schema: &SchemaRef) -> rusqlite::Result<RecordBatch> {
        let all: [ArrayRef; 8] = [
            Arc::new(self.timeline.finish()),
            Arc::new(self.role.finish()),
            Arc::new(self.device.finish()),
            Arc::new(self.hour.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.color.finish()),
            Arc::new(self.seconds.finish()),
        ];
        let columns = selection.projection.iter().map(|index| Arc::clone(&all[*index])).collect();
        batch_of(schema, columns, std::mem::take(&mut self.rows))
    }
}
