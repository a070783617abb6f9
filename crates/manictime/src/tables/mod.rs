//! Reads the tables of the history from the database.
//!
//! `activities`, `hourly` and `small` read the tables that every source provides, and `raw` reads `ManicTime`'s own
//! tables. `resolver` finds the names and roles of activities. Values are copied directly from SQLite rows to Arrow
//! builders. Icons are never read.

mod activities;
mod columns;
mod hourly;
mod raw;
mod resolver;
mod small;

use arrow::array::RecordBatch;

pub(crate) use activities::{CachedActivities, TimelineCache, TimelineMemory, preload, read_cached};

use super::snapshot::Snapshot;
use dayledger_source::{ScanRequest, Table};

/// Returns a description of a scan: the tables that SQLite reads, and the conditions.
pub(crate) fn describe(scan: &ScanRequest) -> String {
    match &scan.table {
        Table::Activities => activities::describe(&scan.selection),
        Table::Timelines => "table=Ar_Timeline".to_owned(),
        Table::Devices => "table=Ar_Environment".to_owned(),
        Table::TimelineBounds => "table=Ar_Activity".to_owned(),
        Table::HourlyTotals => hourly::describe(&scan.selection),
        Table::Own(table) => raw::describe(table, &scan.selection),
    }
}

/// Reads the rows of a scan.
pub(crate) fn read(
    scan: &ScanRequest,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<Vec<RecordBatch>> {
    match &scan.table {
        Table::Activities => activities::read(&scan.selection, snapshot, memory),
        Table::Timelines => small::read_timelines(scan, snapshot),
        Table::Devices => small::read_devices(scan, snapshot),
        Table::TimelineBounds => small::read_bounds(scan, snapshot),
        Table::HourlyTotals => hourly::read(scan, snapshot),
        Table::Own(table) => raw::read(table, &scan.selection, snapshot),
    }
}

/// Returns the lines of `SQLite`'s query plan for a scan.
pub(crate) fn explain(scan: &ScanRequest, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    match &scan.table {
        Table::Activities => activities::explain(&scan.selection, snapshot),
        Table::HourlyTotals => hourly::explain(&scan.selection, snapshot),
        Table::Own(table) => raw::explain(table, &scan.selection, snapshot),
        Table::Timelines | Table::Devices | Table::TimelineBounds => Ok(Vec::new()),
    }
}
