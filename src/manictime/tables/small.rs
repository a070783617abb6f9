//! `timelines`, `devices` and `timeline_extents`: a few rows each, from what names everything else.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringViewArray, TimestampSecondArray};
use datafusion::arrow::datatypes::{DataType, SchemaRef};

use super::{batch_of, instant, schema_of};
use crate::manictime::dimensions::{Device, Timeline};
use crate::manictime::scan::Scan;
use crate::manictime::source::Snapshot;
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

pub(super) fn read_timelines(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let timelines = &snapshot.dimensions.timelines;
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
    one_batch(scan, &columns, timelines.len())
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

pub(super) fn read_devices(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let devices = &snapshot.dimensions.devices;
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
    one_batch(scan, &columns, devices.len())
}

pub(super) fn extents_schema() -> SchemaRef {
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("role", DataType::Utf8View, false),
        ("device", DataType::Utf8View, false),
        ("activities", DataType::Int64, false),
        ("first_local", instant(), true),
        ("last_local", instant(), true),
    ])
}

/// Two index look-ups and, where it is asked for, one count per timeline.
pub(super) fn read_extents(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let timelines = &snapshot.dimensions.timelines;
    let counted = scan.schema().index_of("activities").is_ok();
    let mut counts = Vec::with_capacity(timelines.len());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for timeline in timelines {
        // A time that cannot be read sorts anywhere, so the first that can be read counts.
        let ask = |sql: &str| -> rusqlite::Result<Option<i64>> {
            let mut prepared = snapshot.connection.prepare(sql)?;
            let mut rows = prepared.query([timeline.id])?;
            let mut ration = snapshot.capacity.ration();
            while let Some(row) = rows.next()? {
                ration.row(0)?;
                if let Some(instant) = value::instant(row, 0)? {
                    return Ok(Some(instant));
                }
            }
            Ok(None)
        };
        let count = "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1";
        // Counting walks through an index; who does not ask for it does not wait for it.
        counts.push(if counted {
            snapshot.connection.query_row(count, [timeline.id], |row| row.get::<_, i64>(0))?
        } else {
            0
        });
        first.push(ask("SELECT StartLocalTime FROM Ar_Activity WHERE ReportId = ?1 ORDER BY StartLocalTime")?);
        last.push(ask("SELECT EndLocalTime FROM Ar_Activity WHERE ReportId = ?1 ORDER BY EndLocalTime DESC")?);
    }
    let columns: [ArrayRef; 6] = [
        Arc::new(timelines.iter().map(|timeline| Some(timeline.id)).collect::<Int64Array>()),
        Arc::new(timelines.iter().map(|timeline| Some(timeline.role.name())).collect::<StringViewArray>()),
        Arc::new(timelines.iter().map(|timeline| Some(&timeline.device)).collect::<StringViewArray>()),
        Arc::new(Int64Array::from(counts)),
        Arc::new(TimestampSecondArray::from(first)),
        Arc::new(TimestampSecondArray::from(last)),
    ];
    one_batch(scan, &columns, timelines.len())
}

fn one_batch(scan: &Scan, columns: &[ArrayRef], rows: usize) -> rusqlite::Result<Vec<RecordBatch>> {
    let projected = scan.projection.iter().map(|index| Arc::clone(&columns[*index])).collect();
    Ok(vec![batch_of(&scan.schema(), projected, rows)?])
}
