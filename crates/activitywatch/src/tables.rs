//! Converts activities and timelines to Arrow batches.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Int64Array, ListBuilder, RecordBatch, RecordBatchOptions, StringViewArray,
    StringViewBuilder, TimestampSecondArray, UInt32Array, new_null_array,
};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use dayledger_source::selection::{Bounds, Selection};
use dayledger_source::{BATCH_ROWS, CachedRows, ComputerState, Error, Role, ScanRequest, Table};

use crate::error::inconsistent;
use crate::rows::{Row, Rows, Timeline};
use crate::texts::{MaybeText, TextId};

/// Returns the rows of a scan of any table except the activities.
pub(crate) fn read(scan: &ScanRequest, timelines: &[Timeline]) -> Result<Vec<RecordBatch>, ArrowError> {
    match scan.table {
        Table::Timelines | Table::TimelineBounds => {
            small_table(scan, timelines.len(), |column| timeline_column(timelines, column))
        }
        Table::Devices => {
            let mut names: Vec<_> = timelines.iter().map(|timeline| &timeline.device).collect();
            names.sort_unstable();
            names.dedup();
            small_table(scan, names.len(), |column| match column {
                "device" | "environment_id" => Some(texts(names.iter().map(Some))),
                _ => None,
            })
        }
        Table::Activities | Table::HourlyTotals | Table::Own(_) => small_table(scan, 0, |_| None),
    }
}

/// Whether a scan requests the number of events of each timeline, which costs a read of a whole index.
pub(crate) fn needs_counts(scan: &ScanRequest) -> bool {
    let schema = scan.table.schema();
    let has_counts = |column: &usize| schema.fields().get(*column).is_some_and(|field| field.name() == "activities");
    matches!(scan.table, Table::Timelines | Table::TimelineBounds) && scan.selection.projection.iter().any(has_counts)
}

/// Returns the selected rows and columns of a table. `column` returns a column by name, or `None` if all its values are
/// null.
fn small_table(
    scan: &ScanRequest,
    rows: usize,
    column: impl Fn(&str) -> Option<ArrayRef>,
) -> Result<Vec<RecordBatch>, ArrowError> {
    let schema = scan.table.schema();
    let columns = schema
        .fields()
        .iter()
        .map(|field| column(field.name()).unwrap_or_else(|| new_null_array(field.data_type(), rows)));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let all = RecordBatch::try_new_with_options(SchemaRef::clone(&schema), columns.collect(), &options)?;
    Ok(vec![scan.selection.apply(&all)?])
}

fn timeline_column(timelines: &[Timeline], name: &str) -> Option<ArrayRef> {
    let timelines = timelines.iter();
    Some(match name {
        "timeline_id" => numbers(timelines.map(|timeline| Some(timeline.id))),
        "role" => texts(timelines.map(|timeline| Some(timeline.role.name()))),
        "schema_name" => texts(timelines.map(|timeline| Some(&timeline.schema))),
        "device" => texts(timelines.map(|timeline| Some(&timeline.device))),
        "name" => texts(timelines.map(|timeline| Some(&timeline.name))),
        "activities" => numbers(timelines.map(|timeline| Some(timeline.events))),
        "first_local" => instants(timelines.map(|timeline| timeline.first_local)),
        "last_local" => instants(timelines.map(|timeline| timeline.last_local)),
        _ => return None,
    })
}

/// Returns the selected activities.
fn activities(selection: &Selection, rows: &Rows) -> Result<Vec<RecordBatch>, ArrowError> {
    let schema = selection.schema(&Table::Activities.schema());
    let found: Vec<&Row> = matching(selection, rows).take(selection.limit.unwrap_or(usize::MAX)).collect();
    found.chunks(BATCH_ROWS).map(|rows_of_batch| batch(rows_of_batch, rows, &schema)).collect()
}

/// Returns the activities that the predicates select.
fn matching<'r>(selection: &'r Selection, rows: &'r Rows) -> impl Iterator<Item = &'r Row> {
    let is_read = move |timeline: &Timeline| {
        selection.accepts_number("timeline_id", timeline.id)
            && selection.accepts_text("role", Some(timeline.role.name()))
            && selection.accepts_text("device", Some(&timeline.device))
    };
    let [starts, ends]: [Bounds; 2] = ["start_local", "end_local"].map(|column| selection.bounds(column));
    let (from, to) = (starts.from.max(ends.from), starts.to.into_iter().chain(ends.to).min());
    let read = rows.timelines.iter().enumerate().filter(move |(_, timeline)| is_read(timeline));
    let around = read.flat_map(move |(index, _)| rows.rows_around(index, from, to));
    around.filter(move |row| starts.contain(row.local_start()) && ends.contain(row.local_end()))
}

fn batch(of_batch: &[&Row], rows: &Rows, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = schema.fields().iter().map(|field| {
        let known = activity_column(of_batch, rows, field.name());
        known.unwrap_or_else(|| Ok(new_null_array(field.data_type(), of_batch.len())))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(of_batch.len()));
    RecordBatch::try_new_with_options(SchemaRef::clone(schema), columns, &options)
}

/// Returns a column of activities, or `None` if all values are null.
fn activity_column(of_batch: &[&Row], rows: &Rows, name: &str) -> Option<Result<ArrayRef, ArrowError>> {
    let each = of_batch.iter();
    let timeline = |row: &&Row| &rows.timelines[row.timeline as usize];
    let timed = |row: &&Row, seconds: i64| row.is_timed.then_some(seconds);
    let has_group = |row: &&Row| matches!(timeline(row).role, Role::Applications | Role::Websites | Role::Documents);
    let interned = |text: fn(&Row) -> MaybeText| interned_column(of_batch.iter().map(|row| text(row).get()), rows);
    let grouped = |text: fn(&Row) -> MaybeText| {
        interned_column(of_batch.iter().map(|row| text(row).get().filter(|_| has_group(row))), rows)
    };
    Some(Ok(match name {
        "timeline_id" => numbers(each.map(|row| Some(timeline(row).id))),
        "activity_id" => numbers(each.map(|row| Some(row.id))),
        "role" => texts(each.map(|row| Some(timeline(row).role.name()))),
        "device" => texts(each.map(|row| Some(&timeline(row).device))),
        "is_tracked" => flags(each.map(|row| Some(timeline(row).is_tracked))),
        "name" => return Some(interned(|row| row.name)),
        "title" => return Some(interned(|row| row.title)),
        "key" => return Some(interned(|row| row.key)),
        "rule_text" => return Some(interned(|row| row.rule_text)),
        "group_name" => return Some(grouped(|row| row.name)),
        "group_key" => return Some(grouped(|row| row.key)),
        "tag_path" => tag_paths(each.map(|row| (timeline(row).role == Role::Tags).then_some(row.name)), rows),
        "state" => texts(each.map(|row| row.state.map(ComputerState::name))),
        "related_activity_id" => numbers(each.map(|row| row.window_id())),
        "start_local" => instants(each.map(|row| row.local_start())),
        "end_local" => instants(each.map(|row| row.local_end())),
        "start_utc" => instants(each.map(|row| timed(row, row.start))),
        "end_utc" => instants(each.map(|row| timed(row, row.end))),
        "seconds" => numbers(each.map(|row| timed(row, row.end - row.start))),
        _ => return None,
    }))
}

/// Returns a column of texts that stores each distinct text once.
fn interned_column(ids: impl Iterator<Item = Option<TextId>>, rows: &Rows) -> Result<ArrayRef, ArrowError> {
    let mut places: HashMap<TextId, u32> = HashMap::new();
    let mut distinct = StringViewBuilder::new();
    let mut add = |id: TextId| {
        let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
        *places.entry(id).or_insert_with(|| {
            distinct.append_value(rows.texts.get(id));
            next
        })
    };
    let indexes: UInt32Array = ids.map(|id| id.map(&mut add)).collect();
    take(&distinct.finish(), &indexes, None)
}

/// Returns the tag path of each row. The path of a tag is its name. Rows of other roles don't have a path.
fn tag_paths(names: impl Iterator<Item = Option<MaybeText>>, rows: &Rows) -> ArrayRef {
    let mut paths = ListBuilder::new(StringViewBuilder::new());
    for name in names {
        if let Some(name) = name.and_then(MaybeText::get) {
            paths.values().append_value(rows.texts.get(name));
        }
        paths.append(name.is_some());
    }
    Arc::new(paths.finish())
}

fn texts<T: AsRef<str>>(values: impl Iterator<Item = Option<T>>) -> ArrayRef {
    Arc::new(values.collect::<StringViewArray>())
}

fn numbers(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(values.collect::<Int64Array>())
}

fn flags(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.collect::<BooleanArray>())
}

fn instants(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(TimestampSecondArray::from(values.collect::<Vec<_>>()))
}

/// The activities in memory, for a scan whose rows are requested in several parts.
#[derive(Debug)]
pub(crate) struct ScannedRows {
    pub(crate) rows: Arc<Rows>,
    /// The selection of the scan.
    pub(crate) selection: Selection,
}

impl CachedRows for ScannedRows {
    fn batches(&self, selection: &Selection) -> Result<Vec<RecordBatch>, Error> {
        activities(selection, &self.rows).map_err(|error| inconsistent(&error))
    }

    fn starts(&self, every: usize) -> Vec<i64> {
        let rows = matching(&self.selection, &self.rows);
        rows.skip(every.saturating_sub(1)).step_by(every.max(1)).filter_map(Row::local_start).collect()
    }
}
