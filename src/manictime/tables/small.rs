//! `timelines`, `devices` and `timeline_bounds`: a few rows each, from what names everything else.

use std::ops::Range;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use rusqlite::Row;

use super::arrow::{NamedColumn, batch_of_columns, instants, numbers, schema_of_columns, texts};
use super::hourly;
use crate::manictime::dimensions::{Device, Timeline};
use crate::manictime::instant::InstantParser;
use crate::manictime::selection::Selection;
use crate::manictime::snapshot::Snapshot;
use crate::manictime::value;

pub(super) fn timelines_schema() -> SchemaRef {
    schema_of_columns(&timelines(&[]))
}

pub(super) fn read_timelines(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    Ok(vec![batch_of_columns(&timelines(&snapshot.names.timelines), selection)?])
}

fn timelines(rows: &[Timeline]) -> [NamedColumn; 5] {
    let rows = rows.iter();
    [
        ("timeline_id", false, numbers(rows.clone().map(|timeline| Some(timeline.id)))),
        ("role", false, texts(rows.clone().map(|timeline| Some(timeline.role.name())))),
        ("schema_name", false, texts(rows.clone().map(|timeline| Some(&timeline.schema)))),
        ("device", false, texts(rows.clone().map(|timeline| Some(&timeline.device)))),
        ("name", true, texts(rows.map(|timeline| timeline.name.as_ref()))),
    ]
}

pub(super) fn devices_schema() -> SchemaRef {
    schema_of_columns(&devices(&[]))
}

pub(super) fn read_devices(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    Ok(vec![batch_of_columns(&devices(&snapshot.names.devices), selection)?])
}

fn devices(rows: &[Device]) -> [NamedColumn; 5] {
    let rows = rows.iter();
    [
        ("device", false, texts(rows.clone().map(|device| Some(&device.name)))),
        ("environment_id", false, texts(rows.clone().map(|device| Some(&device.id)))),
        ("operating_system", true, texts(rows.clone().map(|device| device.operating_system.as_ref()))),
        ("application", true, texts(rows.clone().map(|device| device.application.as_ref()))),
        ("dot_net", true, texts(rows.map(|device| device.dot_net.as_ref()))),
    ]
}

/// A timeline, how many activities it has, and the first and last instant of them and of its hourly totals.
type TimelineBounds<'n> = (&'n Timeline, i64, [Option<i64>; 4]);

pub(super) fn bounds_schema() -> SchemaRef {
    schema_of_columns(&bounds(&[]))
}

fn bounds(rows: &[TimelineBounds<'_>]) -> [NamedColumn; 8] {
    let edges = |place: usize| instants(rows.iter().map(move |(_, _, edges)| edges[place]));
    [
        ("timeline_id", false, numbers(rows.iter().map(|(timeline, ..)| Some(timeline.id)))),
        ("role", false, texts(rows.iter().map(|(timeline, ..)| Some(timeline.role.name())))),
        ("device", false, texts(rows.iter().map(|(timeline, ..)| Some(&timeline.device)))),
        ("activities", false, numbers(rows.iter().map(|(_, activities, _)| Some(*activities)))),
        ("first_local", true, edges(0)),
        ("last_local", true, edges(1)),
        ("first_hour", true, edges(2)),
        ("last_hour", true, edges(3)),
    ]
}

/// Two index look-ups per timeline, two for each of its tables of hourly totals, and one count; only what is asked for.
pub(super) fn read_bounds(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let schema = selection.schema(&bounds_schema());
    let asked_for = |column| schema.index_of(column).is_ok();
    let (counted, with_hours) = (asked_for("activities"), asked_for("first_hour") || asked_for("last_hour"));
    let rows = snapshot.names.timelines.iter().map(|timeline| -> rusqlite::Result<TimelineBounds<'_>> {
        let count = "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1";
        // Counting walks through an index; who does not ask for it does not wait for it.
        let count = if counted { snapshot.connection.query_row(count, [timeline.id], |row| row.get(0))? } else { 0 };
        let first = snapshot.first_instant(FIRST_START, timeline.id, start_of_extent)?;
        let last = snapshot.first_instant(LAST_END, timeline.id, end_of_extent)?;
        let (first_hour, last_hour) =
            if with_hours { hourly::hour_bounds(snapshot, timeline.id)? } else { Default::default() };
        Ok((timeline, count, [first, last, first_hour, last_hour]))
    });
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(vec![batch_of_columns(&bounds(&rows), selection)?])
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

/// From when to when an activity lasted on its local clock; nothing where it has no extent
/// (docs/spec/time.md#whole-seconds).
fn extent(row: &Row<'_>) -> rusqlite::Result<Option<Range<i64>>> {
    let mut instants = [0; 4];
    let mut parser = InstantParser::default();
    for (index, known) in instants.iter_mut().enumerate() {
        let Some(instant) = value::instant(row, index, &mut parser)? else { return Ok(None) };
        *known = instant;
    }
    let [start_local, end_local, start_utc, end_utc] = instants;
    Ok((start_utc < end_utc).then_some(start_local..end_local))
}
