//! `activities`: every row of `Ar_Activity`, with names, keys, colours, role and device resolved while it is read.
//!
//! A range of time is pushed down as text comparisons on one timeline at a time, because every index of `Ar_Activity`
//! begins with `ReportId`. `start < E AND end > S` can use the index on the start or the one on the end; each is fast at
//! one end of the history and slow at the other, so the statement is steered to the index that leaves fewer rows. A scan
//! that wants most of the file anyway reads the table once, in the order in which it lies there.

use std::fmt::Write;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};

use super::activity_rows::{Needs, RowsRead};
use super::{instant, query_plan, schema_of};
use crate::manictime::dimensions::{Dimensions, Role, TableReader, Timeline};
use crate::manictime::instant::stored_text;
use crate::manictime::scan::{Bounds, Scan};
use crate::manictime::source::Snapshot;
use crate::manictime::value::{self, number};

pub(super) fn schema() -> SchemaRef {
    let text = DataType::Utf8View;
    let texts = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true)));
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("activity_id", DataType::Int64, false),
        ("role", text.clone(), false),
        ("device", text.clone(), false),
        ("is_tracked", DataType::Boolean, false),
        ("name", text.clone(), true),
        ("title", text.clone(), true),
        ("key", text.clone(), true),
        ("color", text.clone(), true),
        ("group_name", text.clone(), true),
        ("group_key", text.clone(), true),
        ("group_color", text.clone(), true),
        ("group_type", text.clone(), true),
        ("common_name", text.clone(), true),
        ("tag_path", texts.clone(), true),
        ("linked_tags", texts, true),
        ("is_active", DataType::Boolean, true),
        ("is_billable", DataType::Boolean, true),
        ("notes", text, true),
        ("related_activity_id", DataType::Int64, true),
        ("start_local", instant(), true),
        ("start_utc", instant(), true),
        ("end_local", instant(), true),
        ("end_utc", instant(), true),
        ("seconds", DataType::Int64, true),
    ])
}

pub(super) fn pushes_down(column: &str) -> bool {
    matches!(column, "timeline_id" | "role" | "device" | "start_local" | "end_local")
}

pub(super) fn describe(scan: &Scan) -> String {
    let conditions: Vec<_> = time_conditions(scan, Index::Start)
        .iter()
        .map(|condition| {
            format!(" AND {} {} '{}'", condition.column.trim_start_matches('+'), condition.symbol, condition.text)
        })
        .collect();
    let conditions = conditions.concat();
    format!("table=Ar_Activity, sqlite=[ReportId = ?{conditions}]")
}

pub(super) fn read(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let needs = Needs::of(scan, &snapshot.dimensions.privacy);
    let mut rows_read = RowsRead::new(scan, snapshot)?;
    for statement in statements(scan, snapshot, &needs)? {
        let mut prepared = snapshot.connection.prepare(&statement.sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(&statement.parameters))?;
        while let Some(row) = rows.next()? {
            snapshot.reading.row();
            rows_read.push(row, &needs)?;
            if scan.limit.is_some_and(|limit| rows_read.total() >= limit) {
                return rows_read.finish();
            }
        }
    }
    rows_read.finish()
}

pub(super) fn explain(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let mut lines = Vec::new();
    for statement in statements(scan, snapshot, &Needs::of(scan, &snapshot.dimensions.privacy))? {
        lines.extend(query_plan(snapshot, &statement.sql, &statement.parameters)?);
    }
    Ok(lines)
}

/// A statement for `SQLite` with its bound parameters.
struct Statement {
    sql: String,
    parameters: Vec<String>,
}

/// Which index a statement is steered to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Index {
    /// (`ReportId`, `StartLocalTime`, `EndLocalTime`): few rows begin before the range ends.
    Start,
    /// (`ReportId`, `EndLocalTime`): few rows end after the range starts.
    End,
    /// None: most of the table is wanted.
    Table,
}

struct Condition {
    column: String,
    symbol: &'static str,
    text: String,
}

/// The conditions on time. A unary plus keeps `SQLite` from using that column's index.
fn time_conditions(scan: &Scan, index: Index) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (column, stored, usable) in
        [("start_local", "StartLocalTime", index == Index::Start), ("end_local", "EndLocalTime", index == Index::End)]
    {
        let Bounds { from, to } = scan.bounds(column);
        for (bound, symbol) in [(from, ">="), (to, "<")] {
            if let Some(bound) = bound {
                let column = if usable { stored.to_owned() } else { format!("+{stored}") };
                conditions.push(Condition { column, symbol, text: stored_text(bound) });
            }
        }
    }
    conditions
}

fn statements(scan: &Scan, snapshot: &Snapshot<'_>, needs: &Needs) -> rusqlite::Result<Vec<Statement>> {
    let reader = TableReader { connection: snapshot.connection, shape: snapshot.shape };
    let columns: Vec<_> = needs.columns.iter().map(|column| reader.column("Ar_Activity", column)).collect();
    let select = format!("SELECT {} FROM Ar_Activity WHERE", columns.join(", "));
    let (mut singles, mut pooled) = (Vec::new(), Vec::new());
    for timeline in wanted_timelines(scan, snapshot.dimensions) {
        match choose_index(scan, snapshot, timeline)? {
            Index::Table => pooled.push(timeline.id.to_string()),
            index => singles.push((timeline.id, index)),
        }
    }
    let mut statements = Vec::new();
    let mut add = |filter: String, index: Index| {
        let conditions = time_conditions(scan, index);
        let mut sql = format!("{select} {filter}");
        for (number, condition) in conditions.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(sql, " AND {} {} ?{}", condition.column, condition.symbol, number + 1);
        }
        statements
            .push(Statement { sql, parameters: conditions.into_iter().map(|condition| condition.text).collect() });
    };
    for (id, index) in singles {
        add(format!("ReportId = {id}"), index);
    }
    if !pooled.is_empty() {
        add(format!("+ReportId IN ({})", pooled.join(", ")), Index::Table);
    }
    Ok(statements)
}

fn wanted_timelines<'d>(scan: &Scan, dimensions: &'d Dimensions) -> Vec<&'d Timeline> {
    let may_hold = |timeline: &Timeline| match timeline.role {
        Role::Documents => {
            [Role::Documents, Role::Websites].iter().any(|role| scan.accepts_text("role", Some(role.name())))
        }
        role => scan.accepts_text("role", Some(role.name())),
    };
    let timelines = dimensions.timelines.iter();
    timelines
        .filter(|timeline| scan.accepts_number("timeline_id", timeline.id))
        .filter(|timeline| scan.accepts_text("device", Some(&timeline.device)) && may_hold(timeline))
        .collect()
}

/// Guesses which way leaves the fewest rows to look at. Activities lie evenly enough in time for a guess by proportion;
/// a wrong guess costs time, never rows.
fn choose_index(scan: &Scan, snapshot: &Snapshot<'_>, timeline: &Timeline) -> rusqlite::Result<Index> {
    let (starts, ends) = (scan.bounds("start_local"), scan.bounds("end_local"));
    let edge = |sql: &str| -> rusqlite::Result<Option<i64>> {
        snapshot.connection.query_row(sql, [timeline.id], |row| value::instant(row, 0))
    };
    let whole_timeline = || -> rusqlite::Result<Index> {
        // A timeline's own ids count its rows; a small one is cheaper by its index than a walk over the whole table.
        let own = "SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = ?1";
        let own = snapshot.connection.query_row(own, [timeline.id], |row| number(row, 0))?.unwrap_or(0);
        let all = "SELECT max(rowid) FROM Ar_Activity";
        let all = snapshot.connection.query_row(all, [], |row| number(row, 0)).ok().flatten().unwrap_or(0);
        Ok(if own.saturating_mul(8) > all { Index::Table } else { Index::Start })
    };
    if starts == Bounds::default() && ends == Bounds::default() {
        return whole_timeline();
    }
    let first = edge("SELECT min(StartLocalTime) FROM Ar_Activity WHERE ReportId = ?1")?;
    let last = edge("SELECT max(EndLocalTime) FROM Ar_Activity WHERE ReportId = ?1")?;
    let (Some(first), Some(last)) = (first, last) else { return Ok(Index::Start) };
    // A timeline of one activity over the autumn change ends before it starts on the local clock.
    let last = last.max(first);
    let history = (last - first).max(1);
    let clamp = |instant: i64| instant.clamp(first, last);
    // Seconds of history that each index would walk through.
    let by_start = clamp(starts.to.unwrap_or(last)) - clamp(starts.from.unwrap_or(first));
    let by_end = clamp(ends.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first));
    let wanted = by_start.min(by_end).min(clamp(starts.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first)));
    if wanted.saturating_mul(2) > history {
        return whole_timeline();
    }
    // The index on the start holds the end too, so a row that does not match costs no look into the table: measured, a
    // quarter of what it costs by the index on the end.
    Ok(if by_start <= by_end.saturating_mul(4) { Index::Start } else { Index::End })
}
