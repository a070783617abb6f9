//! The tables that the engine sees, and how each is read from the file.
//!
//! Each file states a table's columns and turns `SQLite` rows into Arrow builders without a row type in between. Icons
//! are never read.

mod activities;
mod hourly;
mod raw;
mod resolver;
mod small;

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::arrow::error::ArrowError;
use rusqlite::ToSql;
use rusqlite::types::Type;

pub(crate) use activities::Followed;
pub(crate) use raw::RawTable;

use super::scan::Scan;
use super::source::Snapshot;

/// Rows of one record batch.
const BATCH_ROWS: usize = 8192;

/// A table of the history.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Table {
    /// Activities of every timeline, with names, keys, colours, role and device resolved.
    Activities,
    /// Timelines with role and device.
    Timelines,
    /// Devices.
    Devices,
    /// Role, device, number of activities, first and last instant of each timeline.
    Extents,
    /// Hourly totals (`Ar_*ByDay`) with names, keys and colours resolved.
    Hourly,
    /// A table of the file as it is.
    Raw(RawTable),
}

impl Table {
    /// The tables that every history has, by their names in SQL.
    pub(crate) const MODEL: [(&'static str, Self); 5] = [
        ("activities", Self::Activities),
        ("timelines", Self::Timelines),
        ("devices", Self::Devices),
        ("timeline_extents", Self::Extents),
        ("hourly_totals", Self::Hourly),
    ];

    /// The table's name in SQL, for logs.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Raw(table) => table.name(),
            table => Self::MODEL.iter().find(|(_, known)| known == table).map_or("", |(name, _)| name),
        }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Self::Activities => activities::schema(),
            Self::Timelines => small::timelines_schema(),
            Self::Devices => small::devices_schema(),
            Self::Extents => small::extents_schema(),
            Self::Hourly => hourly::schema(),
            Self::Raw(table) => table.schema(),
        }
    }

    /// How a plan names the table and what `SQLite` is asked.
    pub(crate) fn describe(&self, scan: &Scan) -> String {
        match self {
            Self::Activities => activities::describe(scan),
            Self::Timelines => "table=Ar_Timeline".to_owned(),
            Self::Devices => "table=Ar_Environment".to_owned(),
            Self::Extents => "table=Ar_Activity".to_owned(),
            Self::Hourly => hourly::describe(scan),
            Self::Raw(table) => table.describe(scan),
        }
    }

    /// The columns whose conditions a scan fulfils exactly.
    pub(crate) fn pushes_down(&self, column: &str) -> bool {
        match self {
            Self::Activities => activities::pushes_down(column),
            Self::Hourly => hourly::pushes_down(column),
            Self::Raw(table) => table.pushes_down(column),
            Self::Timelines | Self::Devices | Self::Extents => false,
        }
    }

    pub(crate) fn read(&self, scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
        match self {
            Self::Activities => activities::read(scan, snapshot),
            Self::Timelines => small::read_timelines(scan, snapshot),
            Self::Devices => small::read_devices(scan, snapshot),
            Self::Extents => small::read_extents(scan, snapshot),
            Self::Hourly => hourly::read(scan, snapshot),
            Self::Raw(table) => table.read(scan, snapshot),
        }
    }

    pub(crate) fn explain(&self, scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
        match self {
            Self::Activities => activities::explain(scan, snapshot),
            Self::Hourly => hourly::explain(scan, snapshot),
            Self::Raw(table) => table.explain(scan, snapshot),
            Self::Timelines | Self::Devices | Self::Extents => Ok(Vec::new()),
        }
    }
}

fn instant() -> DataType {
    DataType::Timestamp(TimeUnit::Second, None)
}

fn schema_of(fields: &[(&str, DataType, bool)]) -> SchemaRef {
    SchemaRef::new(Schema::new(
        fields
            .iter()
            .map(|(name, data_type, nullable)| Field::new(*name, data_type.clone(), *nullable))
            .collect::<Vec<_>>(),
    ))
}

/// A batch of `rows` rows, which it has also where a plan asks for no column at all.
fn batch_of(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> rusqlite::Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).map_err(arrow_error)
}

/// Arrow refuses only batches that do not fit their schema, which no data can cause.
fn arrow_error(error: ArrowError) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(error))
}

/// The lines of `SQLite`'s plan for one statement.
fn query_plan(snapshot: &Snapshot<'_>, sql: &str, parameters: &[impl ToSql]) -> rusqlite::Result<Vec<String>> {
    let mut prepared = snapshot.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    prepared.query_map(rusqlite::params_from_iter(parameters), |row| row.get("detail"))?.collect()
}
