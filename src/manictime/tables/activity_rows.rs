//! The rows of `activities` on their way from `SQLite` into batches: which stored columns a scan needs, and how each
//! column of the output is filled with what may be told.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Int64Builder, ListBuilder, RecordBatch, StringViewBuilder, TimestampSecondBuilder,
    UInt32Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::resolver::Resolver;
use super::{BATCH_ROWS, activities, arrow_error, batch_of};
use crate::manictime::dimensions::Dimensions;
use crate::manictime::instant::InstantParser;
use crate::manictime::privacy::{Activity, Privacy, Telling, Told};
use crate::manictime::scan::{Bounds, Scan};
use crate::manictime::source::Snapshot;
use crate::manictime::value::{borrowed_text, number};

/// The stored columns that a scan needs, and where each stands in its rows.
pub(super) struct Needs {
    pub(super) columns: Vec<&'static str>,
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
    pub(super) fn of(scan: &Scan, privacy: &Privacy) -> Self {
        let schema = activities::schema();
        let projected = |name: &str| scan.projection.iter().any(|index| schema.field(*index).name() == name);
        let constrained = |name: &str| scan.predicates.iter().any(|predicate| predicate.column == name);
        let mut columns = vec!["ReportId", "ActivityId"];
        let mut need = |wanted: bool, column: &'static str| {
            wanted.then(|| {
                columns.push(column);
                columns.len() - 1
            })
        };
        // What a row may tell hangs on what it is about, when it was, and what it is linked to.
        let told = !privacy.is_empty() && scan.projection.iter().any(|index| is_told(schema.field(*index).name()));
        let groups = need(told || RESOLVED.iter().any(|name| projected(name)) || constrained("role"), "GroupId");
        for column in ["CommonGroupId", "GroupListId", "CommonGroupListId"] {
            need(groups.is_some(), column);
        }
        Self {
            title: need(told || projected("title") || projected("name") || projected("tag_path"), "Name"),
            groups,
            instants: [
                need(projected("start_local") || projected("seconds") || constrained("start_local"), "StartLocalTime"),
                need(told || projected("start_utc") || projected("seconds"), "StartUtcTime"),
                need(projected("end_local") || projected("seconds") || constrained("end_local"), "EndLocalTime"),
                need(told || projected("end_utc") || projected("seconds"), "EndUtcTime"),
            ],
            is_active: need(projected("is_active"), "IsActive"),
            is_billable: need(projected("is_billable"), "IsBillable"),
            notes: need(projected("notes"), "Notes"),
            related: need(told || projected("related_activity_id"), "RelatedActivityId"),
            columns,
        }
    }
}

/// Whether a column holds what can be withheld.
fn is_told(column: &str) -> bool {
    matches!(column, "title" | "notes" | "is_billable") || RESOLVED.contains(&column) && column != "role"
}

/// What tells an activity from every other.
#[derive(Clone, Copy)]
struct Ids {
    timeline: i64,
    activity: i64,
}

/// Rows on their way into batches.
pub(super) struct RowsRead<'s> {
    scan: &'s Scan,
    schema: SchemaRef,
    starts: Bounds,
    ends: Bounds,
    any_role: bool,
    columns: Vec<Column>,
    parsers: [InstantParser; 4],
    resolver: Resolver<'s>,
    dimensions: &'s Dimensions,
    /// What decides what a row may tell; nothing where it may tell everything.
    telling: Option<Telling<'s>>,
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
    pub(super) fn new(scan: &'s Scan, snapshot: &'s Snapshot<'s>) -> rusqlite::Result<Self> {
        let (schema, dimensions) = (scan.schema(), snapshot.dimensions);
        let told = schema.fields().iter().any(|field| is_told(field.name()));
        Ok(Self {
            scan,
            starts: scan.bounds("start_local"),
            ends: scan.bounds("end_local"),
            any_role: !scan.predicates.iter().any(|predicate| predicate.column == "role"),
            columns: schema.fields().iter().map(|field| Column::of(field.name())).collect(),
            schema,
            parsers: Default::default(),
            resolver: Resolver::new(dimensions),
            dimensions,
            telling: if told { Telling::at(snapshot)? } else { None },
            resolved: Vec::new(),
            total: 0,
            in_batch: 0,
            batches: Vec::new(),
        })
    }

    /// How many rows were taken.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Takes a row, unless the scan's conditions leave it out.
    pub(super) fn push(&mut self, row: &Row<'_>, needs: &Needs) -> rusqlite::Result<()> {
        let mut instants = [None; 4];
        for ((instant, index), parser) in instants.iter_mut().zip(needs.instants).zip(&mut self.parsers) {
            if let Some(index) = index
                && let ValueRef::Text(text) = row.get_ref(index)?
            {
                *instant = parser.parse(text);
            }
        }
        let [start_local, _, end_local, _] = instants;
        if !self.starts.hold(start_local) || !self.ends.hold(end_local) {
            return Ok(());
        }
        let (Some(timeline), Some(activity)) = (number(row, 0)?, number(row, 1)?) else { return Ok(()) };
        let ids = Ids { timeline, activity };
        let mut told = None;
        if let Some(first) = needs.groups {
            let resolved = self.resolver.resolve(timeline, row, first)?;
            if !self.any_role && !self.scan.accepts_text("role", Some(self.resolver.role(resolved).name())) {
                return Ok(());
            }
            told = self.name(row, needs, ids, resolved, instants)?;
        }
        self.append(row, needs, ids, instants, told.as_ref())?;
        self.total += 1;
        self.in_batch += 1;
        if self.in_batch == BATCH_ROWS {
            self.end_batch()?;
        }
        Ok(())
    }

    /// Names the row that was resolved to `resolved` as far as it may be told; returns what else may be.
    fn name<'r>(
        &mut self,
        row: &'r Row<'_>,
        needs: &Needs,
        ids: Ids,
        resolved: u32,
        [_, start_utc, _, end_utc]: [Option<i64>; 4],
    ) -> rusqlite::Result<Option<Told<'r>>> {
        let (role, is_named) = (self.resolver.role(resolved), self.resolver.is_named(resolved));
        let title = match needs.title {
            Some(title) if !is_named || self.telling.is_some() => borrowed_text(row, title)?,
            _ => None,
        };
        let Some(telling) = &self.telling else {
            let named = title.map(|title| self.resolver.titled(resolved, &title));
            self.resolved.push(named.unwrap_or(resolved));
            return Ok(None);
        };
        let has_title = title.is_some();
        let told = telling.of(Activity {
            timeline: ids.timeline,
            id: ids.activity,
            role,
            is_message: self.resolver.is_message(resolved),
            is_hidden: self.resolver.is_hidden(resolved),
            is_named,
            title,
            related: value_at(row, needs.related)?,
            start: start_utc,
            end: end_utc,
        })?;
        self.resolved.push(match () {
            () if told.is_hidden => self.resolver.hidden(role),
            () if has_title && !is_named => self.resolver.titled(resolved, told.name()),
            () => resolved,
        });
        Ok(Some(told))
    }

    fn append(
        &mut self,
        row: &Row<'_>,
        needs: &Needs,
        Ids { timeline, activity }: Ids,
        instants: [Option<i64>; 4],
        told: Option<&Told<'_>>,
    ) -> rusqlite::Result<()> {
        let [start_local, start_utc, end_local, end_utc] = instants;
        let known = self.dimensions.timeline(timeline);
        for column in &mut self.columns {
            match column {
                Column::Timeline(builder) => builder.append_value(timeline),
                Column::Activity(builder) => builder.append_value(activity),
                Column::Device(builder) => {
                    builder.append_option(known.map(|known| &known.device));
                }
                Column::IsTracked(builder) => builder.append_value(known.is_some_and(|known| known.is_tracked)),
                Column::Title(builder) => match told {
                    Some(told) => builder.append_option(told.title.as_deref()),
                    None => append_text(builder, row, needs.title)?,
                },
                Column::Notes(builder) => match (told, &self.telling) {
                    (Some(told), Some(telling)) => {
                        let notes = needs.notes.map_or(Ok(None), |notes| borrowed_text(row, notes))?;
                        builder.append_option(notes.as_deref().and_then(|notes| telling.notes(told, notes)));
                    }
                    _ => append_text(builder, row, needs.notes)?,
                },
                Column::Related(builder) => builder.append_option(value_at(row, needs.related)?),
                Column::IsActive(builder) => {
                    builder.append_option(value_at(row, needs.is_active)?.map(|flag| flag != 0));
                }
                Column::IsBillable(builder) => {
                    let is_hidden = told.is_some_and(|told| told.is_hidden);
                    let billable = value_at(row, needs.is_billable)?.filter(|_| !is_hidden);
                    builder.append_option(billable.map(|flag| flag != 0));
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

    pub(super) fn finish(mut self) -> rusqlite::Result<Vec<RecordBatch>> {
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
