//! The small tables `timelines`, `devices` and `timeline_bounds`.

use std::ops::Range;

use arrow::array::RecordBatch;
use rusqlite::Row;

use super::columns::{batch_of_columns, instants, numbers, texts};
use super::hourly;
use crate::dimensions::Timeline;
use crate::instant::InstantParser;
use crate::snapshot::Snapshot;
use crate::value;
use dayledger_source::ScanRequest;

pub(super) fn read_timelines(scan: &ScanRequest, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let rows = snapshot.names.timelines.iter();
    let columns = [
        numbers(rows.clone().map(|timeline| Some(timeline.id))),
        texts(rows.clone().map(|timeline| Some(timeline.role.name()))),
        texts(rows.clone().map(|timeline| Some(&timeline.schema))),
        texts(rows.clone().map(|timeline| Some(&timeline.device))),
        texts(rows.map(|timeline| timeline.name.as_ref())),
    ];
    Ok(vec![batch_of_columns(scan, &columns)?])
}

pub(super) fn read_devices(scan: &ScanRequest, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let rows = snapshot.names.devices.iter();
    let columns = [
        texts(rows.clone().map(|device| Some(&device.name))),
        texts(rows.clone().map(|device| Some(&device.id))),
        texts(rows.clone().map(|device| device.operating_system.as_ref())),
        texts(rows.clone().map(|device| device.application.as_ref())),
        texts(rows.map(|device| device.dot_net.as_ref())),
    ];
    Ok(vec![batch_of_columns(scan, &columns)?])
}

/// A timeline, its number of activities, and four local times in seconds. The times are, in this order: the first start
/// and the last end of its activities, and the first and the last hour of its hourly totals.
type TimelineBounds<'n> = (&'n Timeline, i64, [Option<i64>; 4]);

/// Reads the bounds of all timelines. For each timeline, it looks up the first and last activity in an index. It counts
/// the activities and looks up the hourly totals only if the scan requests these columns.
pub(super) fn read_bounds(scan: &ScanRequest, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let schema = scan.schema();
    let is_requested = |column| schema.index_of(column).is_ok();
    let (counted, with_hours) = (is_requested("activities"), is_requested("first_hour") || is_requested("last_hour"));
    let rows = snapshot.names.timelines.iter().map(|timeline| -> rusqlite::Result<TimelineBounds<'_>> {
        let count = "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1";
        // A count scans a whole index, so count activities only if the scan requests it.
        let count = if counted { snapshot.connection.query_row(count, [timeline.id], |row| row.get(0))? } else { 0 };
        let find_extent = |sql| snapshot.capacity.find_first(snapshot.connection, sql, timeline.id, extent);
        let (first, last) = (find_extent(FIRST_START)?, find_extent(LAST_END)?);
        let (first_hour, last_hour) =
            if with_hours { hourly::hour_bounds(snapshot, timeline.id)? } else { Default::default() };
        let (first, last) = (first.map(|local| local.start), last.map(|local| local.end));
        Ok((timeline, count, [first, last, first_hour, last_hour]))
    });
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let edges = |place: usize| instants(rows.iter().map(move |(_, _, edges)| edges[place]));
    let columns = [
        numbers(rows.iter().map(|(timeline, ..)| Some(timeline.id))),
        texts(rows.iter().map(|(timeline, ..)| Some(timeline.role.name()))),
        texts(rows.iter().map(|(timeline, ..)| Some(&timeline.device))),
        numbers(rows.iter().map(|(_, activities, _)| Some(*activities))),
        edges(0),
        edges(1),
        edges(2),
        edges(3),
    ];
    Ok(vec![batch_of_columns(scan, &columns)?])
}

const FIRST_START: &str = "SELECT StartLocalTime, EndLocalTime, StartUtcTime, EndUtcTime FROM Ar_Activity \
                           WHERE ReportId = ?1 ORDER BY StartLocalTime";

const LAST_END: &str = "SELECT StartLocalTime, EndLocalTime, StartUtcTime, EndUtcTime FROM Ar_Activity \
                        WHERE ReportId = ?1 ORDER BY EndLocalTime DESC";

/// Returns the local start and end of an activity in seconds. Returns `None` if the activity has no
/// duration (docs/spec/time.md#whole-seconds).
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
