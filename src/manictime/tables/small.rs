//! `timelines`, `devices` and `timeline_extents`: a few rows each, from what names everything else.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringViewArray, TimestampSecondArray};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use rusqlite::Row;

use super::arrow::{INSTANT, batch_of, schema_of};
use super::hourly;
use crate::manictime::dimensions::{Device, Timeline};
use crate::manictime::selection::Selection;
use crate::manictime::snapshot::Snapshot;
use crate::manictime::value;

pub(super) fn timelines_schema() -> SchemaRef {
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("role", DataType::Utf8View, false),
        ("schema_name", DataType::Utf8View, false),
        ("device", DataType::Utf8View, false),
        ("name", DataType::Utf8View, true),
    ])
}

pub(super) fn read_timelines(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let timelines = &snapshot.names.timelines;
    let texts = |text: fn(&Timeline) -> Option<&str>| -> ArrayRef {
        Arc::new(timelines.iter().map(text).collect::<StringViewArray>())
    };
    let columns: [ArrayRef; 5] = [
        Arc::new(timelines.iter().map(|timeline| Some(timeline.id)).collect::<Int64Array>()),
        texts(|timeline| Some(timeline.role.name())),
        texts(|timeline| Some(&timeline.schema)),
        texts(|timeline| Some(&timeline.device)),
        texts(|timeline| timeline.name.as_deref()),
    ];
    one_batch(&timelines_schema(), selection, &columns, timelines.len())
}

pub(super) fn devices_schema() -> SchemaRef {
    schema_of(&[
        ("device", DataType::Utf8View, false),
        ("environment_id", DataType::Utf8View, false),
        ("operating_system", DataType::Utf8View, true),
        ("application", DataType::Utf8View, true),
        ("dot_net", DataType::Utf8View, true),
    ])
}

pub(super) fn read_devices(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let devices = &snapshot.names.devices;
    let texts = |text: fn(&Device) -> Option<&str>| -> ArrayRef {
        Arc::new(devices.iter().map(text).collect::<StringViewArray>())
    };
    let columns = [
        texts(|device| Some(&device.name)),
        texts(|device| Some(&device.id)),
        texts(|device| device.operating_system.as_deref()),
        texts(|device| device.application.as_deref()),
        texts(|device| device.dot_net.as_deref()),
    ];
    one_batch(&devices_schema(), selection, &columns, devices.len())
}

pub(super) fn extents_schema() -> SchemaRef {
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("role", DataType::Utf8View, false),
        ("device", DataType::Utf8View, false),
        ("activities", DataType::Int64, false),
        ("first_local", INSTANT, true),
        ("last_local", INSTANT, true),
        ("first_hour", INSTANT, true),
        ("last_hour", INSTANT, true),
    ])
}

/// Two index look-ups per timeline, two for each of its tables of hourly totals, and one count; only what is asked for.
pub(super) fn read_extents(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let timelines = &snapshot.names.timelines;
    let schema = selection.schema(&extents_schema());
    let asked_for = |column| schema.index_of(column).is_ok();
    let (counted, with_hours) = (asked_for("activities"), asked_for("first_hour") || asked_for("last_hour"));
    let mut counts = Vec::with_capacity(timelines.len());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let (mut first_hours, mut last_hours) = (Vec::new(), Vec::new());
    for timeline in timelines {
        let count = "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1";
        // Counting walks through an index; who does not ask for it does not wait for it.
        counts.push(if counted {
            snapshot.connection.query_row(count, [timeline.id], |row| row.get::<_, i64>(0))?
        } else {
            0
        });
        first.push(snapshot.first_instant(FIRST_START, timeline.id, start_of_extent)?);
        last.push(snapshot.first_instant(LAST_END, timeline.id, end_of_extent)?);
        let (first_hour, last_hour) =
            if with_hours { hourly::extent(snapshot, timeline.id)? } else { Default::default() };
        first_hours.push(first_hour);
        last_hours.push(last_hour);
    }
    let columns: [ArrayRef; 8] = [
        Arc::new(timelines.iter().map(|timeline| Some(timeline.id)).collect::<Int64Array>()),
        Arc::new(timelines.iter().map(|timeline| Some(timeline.role.name())).collect::<StringViewArray>()),
        Arc::new(timelines.iter().map(|timeline| Some(&timeline.device)).collect::<StringViewArray>()),
        Arc::new(Int64Array::from(counts)),
        Arc::new(TimestampSecondArray::from(first)),
        Arc::new(TimestampSecondArray::from(last)),
        Arc::new(TimestampSecondArray::from(first_hours)),
        Arc::new(TimestampSecondArray::from(last_hours)),
    ];
    one_batch(&extents_schema(), selection, &columns, timelines.len())
}

const FIRST_START: &str = "SELECT StartLocalTime, EndLocalTime, StartUtcTime, EndUtcTime FROM Ar_Activity \
                           WHERE ReportId = ?1 ORDER BY StartLocalTime";

const LAST_END: &str = "SELECT StartLocalTime, EndLocalTime, StartUtcTime, EndUtcTime FROM Ar_Activity \
                        WHERE ReportId = ?1 ORDER BY EndLocalTime DESC";

fn start_of_extent(row: &Row<'_>) -> rusqlite::Result<Option<i64>> {
    Ok(extent(row)?.map(|local| local.start))
}

fn end_of_extent(row: &Row<'_>) -> rusqlite::Result<Option<i64>> {
    Ok(extent(row)?.map(|local| local.end))
}

/// From when to when an activity lasted on its local clock; nothing where it has no extent (semantics, section 1).
fn extent(row: &Row<'_>) -> rusqlite::Result<Option<Range<i64>>> {
    let mut instants = [0; 4];
    for (index, known) in instants.iter_mut().enumerate() {
        let Some(instant) = value::instant(row, index)? else { return Ok(None) };
        *known = instant;
    }
    let [start_local, end_local, start_utc, end_utc] = instants;
    Ok((start_utc < end_utc).then_some(start_local..end_local))
}

fn one_batch(
    table: &SchemaRef,
    selection: &Selection,
    columns: &[ArrayRef],
    rows: usize,
) -> rusqlite::Result<Vec<RecordBatch>> {
    let projected = selection.projection.iter().map(|index| Arc::clone(&columns[*index])).collect();
    Ok(vec![batch_of(&selection.schema(table), projected, rows)?])
}
