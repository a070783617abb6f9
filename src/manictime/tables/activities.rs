//! `activities`: every row of `Ar_Activity`, with names, keys, colours, role and device resolved while it is read.
//!
//! A range of time is pushed down as text comparisons on one timeline at a time, because every index of `Ar_Activity`
//! begins with `ReportId`. `start < E AND end > S` can use the index on the start or the one on the end; each is fast at
//! one end of the history and slow at the other, so the statement is steered to the index that leaves fewer rows. A scan
//! that wants most of the file anyway reads the table once, in the order in which it lies there.

use std::fmt::Write;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Int64Builder, ListBuilder, RecordBatch, StringViewBuilder, TimestampSecondBuilder,
    UInt32Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};
use datafusion::arrow::error::ArrowError;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::resolver::Resolver;
use super::{BATCH_ROWS, arrow_error, batch_of, instant, query_plan, schema_of};
use crate::manictime::dimensions::{Dimensions, Role, TableReader, Timeline};
use crate::manictime::instant::{InstantParser, stored_text};
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
    let needs = Needs::of(scan);
    let mut rows_read = RowsRead::new(scan, snapshot.dimensions);
    for statement in statements(scan, snapshot, &needs)? {
        let mut prepared = snapshot.connection.prepare(&statement.sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(&statement.parameters))?;
        while let Some(row) = rows.next()? {
            snapshot.reading.row();
            rows_read.push(row, &needs)?;
            if scan.limit.is_some_and(|limit| rows_read.total >= limit) {
                return rows_read.finish();
            }
        }
    }
    rows_read.finish()
}

pub(super) fn explain(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let mut lines = Vec::new();
    for statement in statements(scan, snapshot, &Needs::of(scan))? {
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

/// The stored columns that a scan needs, and where each stands in its rows.
struct Needs {
    columns: Vec<&'static str>,
    title: Option<usize>,
    groups: Option<usize>,
    instants: [Option<usize>; 4],
    is_active: Option<usize>,
    is_billable: Option<usize>,
    notes: Option<usize>,
    related: Option<usize>,
}

/// Columns that are resolved from the activity's group or list ([`Resolver`]).
const RESOLVED: [&str; 10] =
    ["role", "name", "key", "color", "group_name", "group_key", "group_color", "group_type", "common_name", "tag_path"];

impl Needs {
    fn of(scan: &Scan) -> Self {
        let schema = schema();
        let projected = |name: &str| scan.projection.iter().any(|index| schema.field(*index).name() == name);
        let constrained = |name: &str| scan.predicates.iter().any(|predicate| predicate.column == name);
        let mut columns = vec!["ReportId", "ActivityId"];
        let mut need = |wanted: bool, column: &'static str| {
            wanted.then(|| {
                columns.push(column);
                columns.len() - 1
            })
        };
        let groups = need(RESOLVED.iter().any(|name| projected(name)) || constrained("role"), "GroupId");
        for column in ["CommonGroupId", "GroupListId", "CommonGroupListId"] {
            need(groups.is_some(), column);
        }
        Self {
            title: need(projected("title") || projected("name") || projected("tag_path"), "Name"),
            groups,
            instants: [
                need(projected("start_local") || projected("seconds") || constrained("start_local"), "StartLocalTime"),
                need(projected("start_utc") || projected("seconds"), "StartUtcTime"),
                need(projected("end_local") || projected("seconds") || constrained("end_local"), "EndLocalTime"),
                need(projected("end_utc") || projected("seconds"), "EndUtcTime"),
            ],
            is_active: need(projected("is_active"), "IsActive"),
            is_billable: need(projected("is_billable"), "IsBillable"),
            notes: need(projected("notes"), "Notes"),
            related: need(projected("related_activity_id"), "RelatedActivityId"),
            columns,
        }
    }
}

/// Rows on their way into batches.
struct RowsRead<'s> {
    scan: &'s Scan,
    schema: SchemaRef,
    starts: Bounds,
    ends: Bounds,
    any_role: bool,
    columns: Vec<Column>,
    parsers: [InstantParser; 4],
    resolver: Resolver<'s>,
    dimensions: &'s Dimensions,
    resolved: Vec<u32>,
    total: usize,
    in_batch: usize,
    batches: Vec<RecordBatch>,
}

/// How one output column is filled.
enum Column {
    Timeline(Int64Builder),
    Activity(Int64Builder),
    Device(StringViewBuilder),
    /// Whether the device has a computer-usage timeline (semantics, section 3).
    IsTracked(BooleanBuilder),
    Title(StringViewBuilder),
    Notes(StringViewBuilder),
    Related(Int64Builder),
    IsActive(BooleanBuilder),
    IsBillable(BooleanBuilder),
    LinkedTags(ListBuilder<StringViewBuilder>),
    Instant(usize, TimestampSecondBuilder),
    Seconds(Int64Builder),
    Resolved(&'static str),
}

impl Column {
    fn of(name: &str) -> Self {
        match name {
            "timeline_id" => Self::Timeline(Int64Builder::new()),
            "activity_id" => Self::Activity(Int64Builder::new()),
            "device" => Self::Device(StringViewBuilder::new().with_deduplicate_strings()),
            "is_tracked" => Self::IsTracked(BooleanBuilder::new()),
            "title" => Self::Title(StringViewBuilder::new()),
            "notes" => Self::Notes(StringViewBuilder::new()),
            "related_activity_id" => Self::Related(Int64Builder::new()),
            "is_active" => Self::IsActive(BooleanBuilder::new()),
            "is_billable" => Self::IsBillable(BooleanBuilder::new()),
            "linked_tags" => Self::LinkedTags(ListBuilder::new(StringViewBuilder::new())),
            "start_local" => Self::Instant(0, TimestampSecondBuilder::new()),
            "start_utc" => Self::Instant(1, TimestampSecondBuilder::new()),
            "end_local" => Self::Instant(2, TimestampSecondBuilder::new()),
            "end_utc" => Self::Instant(3, TimestampSecondBuilder::new()),
            "seconds" => Self::Seconds(Int64Builder::new()),
            name => Self::Resolved(RESOLVED.iter().find(|resolved| **resolved == name).copied().unwrap_or("name")),
        }
    }
}

impl<'s> RowsRead<'s> {
    fn new(scan: &'s Scan, dimensions: &'s Dimensions) -> Self {
        let schema = scan.schema();
        Self {
            scan,
            starts: scan.bounds("start_local"),
            ends: scan.bounds("end_local"),
            any_role: !scan.predicates.iter().any(|predicate| predicate.column == "role"),
            columns: schema.fields().iter().map(|field| Column::of(field.name())).collect(),
            schema,
            parsers: Default::default(),
            resolver: Resolver::new(dimensions),
            dimensions,
            resolved: Vec::new(),
            total: 0,
            in_batch: 0,
            batches: Vec::new(),
        }
    }

    fn push(&mut self, row: &Row<'_>, needs: &Needs) -> rusqlite::Result<()> {
        let mut instants = [None; 4];
        for ((instant, index), parser) in instants.iter_mut().zip(needs.instants).zip(&mut self.parsers) {
            if let Some(index) = index
                && let ValueRef::Text(text) = row.get_ref(index)?
            {
                *instant = parser.parse(text);
            }
        }
        let [start_local, start_utc, end_local, end_utc] = instants;
        if !self.starts.hold(start_local) || !self.ends.hold(end_local) {
            return Ok(());
        }
        let (Some(timeline), Some(activity)) = (number(row, 0)?, number(row, 1)?) else { return Ok(()) };
        if let Some(first) = needs.groups {
            let resolved = self.resolver.resolve(timeline, row, first, needs.title)?;
            if !self.any_role && !self.scan.accepts_text("role", Some(self.resolver.role(resolved).name())) {
                return Ok(());
            }
            self.resolved.push(resolved);
        }
        let known = self.dimensions.timeline(timeline);
        for column in &mut self.columns {
            match column {
                Column::Timeline(builder) => builder.append_value(timeline),
                Column::Activity(builder) => builder.append_value(activity),
                Column::Device(builder) => {
                    builder.append_option(known.map(|known| &known.device));
                }
                Column::IsTracked(builder) => builder.append_value(known.is_some_and(|known| known.is_tracked)),
                Column::Title(builder) => append_text(builder, row, needs.title)?,
                Column::Notes(builder) => append_text(builder, row, needs.notes)?,
                Column::Related(builder) => builder.append_option(value_at(row, needs.related)?),
                Column::IsActive(builder) => {
                    builder.append_option(value_at(row, needs.is_active)?.map(|flag| flag != 0));
                }
                Column::IsBillable(builder) => {
                    builder.append_option(value_at(row, needs.is_billable)?.map(|flag| flag != 0));
                }
                Column::LinkedTags(builder) => {
                    let tags = self.dimensions.linked_tags(timeline, activity);
                    for tag in tags.unwrap_or_default() {
                        builder.values().append_value(tag);
                    }
                    builder.append(tags.is_some());
                }
                Column::Instant(index, builder) => builder.append_option(instants[*index]),
                Column::Seconds(builder) => {
                    // Any instant that cannot be read leaves the activity without extent (semantics, section 1).
                    let placed = start_local.is_some() && end_local.is_some();
                    let measured = start_utc.zip(end_utc).filter(|_| placed);
                    builder.append_option(measured.map(|(start, end)| (end - start).max(0)));
                }
                Column::Resolved(_) => {}
            }
        }
        self.total += 1;
        self.in_batch += 1;
        if self.in_batch == BATCH_ROWS {
            self.end_batch()?;
        }
        Ok(())
    }

    fn end_batch(&mut self) -> rusqlite::Result<()> {
        if self.in_batch == 0 {
            return Ok(());
        }
        let indices = UInt32Array::from(std::mem::take(&mut self.resolved));
        let resolver = &mut self.resolver;
        let arrays = self.columns.iter_mut().map(|column| -> Result<ArrayRef, ArrowError> {
            Ok(match column {
                Column::Timeline(builder)
                | Column::Activity(builder)
                | Column::Related(builder)
                | Column::Seconds(builder) => Arc::new(builder.finish()),
                Column::Device(builder) | Column::Title(builder) | Column::Notes(builder) => Arc::new(builder.finish()),
                Column::IsTracked(builder) | Column::IsActive(builder) | Column::IsBillable(builder) => {
                    Arc::new(builder.finish())
                }
                Column::LinkedTags(builder) => Arc::new(builder.finish()),
                Column::Instant(_, builder) => Arc::new(builder.finish()),
                Column::Resolved(name) => take(&resolver.column(name), &indices, None)?,
            })
        });
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(arrow_error)?;
        self.batches.push(batch_of(&self.schema, arrays, self.in_batch)?);
        self.in_batch = 0;
        self.resolver.shrink();
        Ok(())
    }

    fn finish(mut self) -> rusqlite::Result<Vec<RecordBatch>> {
        self.end_batch()?;
        Ok(self.batches)
    }
}

fn append_text(builder: &mut StringViewBuilder, row: &Row<'_>, index: Option<usize>) -> rusqlite::Result<()> {
    match index.map(|index| row.get_ref(index)).transpose()? {
        Some(ValueRef::Text(text)) => match std::str::from_utf8(text) {
            Ok(text) => builder.append_value(text),
            Err(_) => builder.append_value(String::from_utf8_lossy(text)),
        },
        _ => builder.append_null(),
    }
    Ok(())
}

/// The number at a place that a scan may have left out.
fn value_at(row: &Row<'_>, index: Option<usize>) -> rusqlite::Result<Option<i64>> {
    index.map_or(Ok(None), |index| number(row, index))
}
