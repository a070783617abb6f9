//! The tables that the engine sees, and how each one is read from the database.
//!
//! Each file declares the columns of a table, and writes SQLite rows directly to Arrow builders, without a row type in
//! between. Icons are never read.

mod activities;
mod arrow;
mod hourly;
mod raw;
mod resolver;
mod small;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::logical_expr::Expr;

pub(crate) use activities::{CachedActivities, TimelineCache, TimelineMemory, read_cached};
pub(crate) use raw::RawTable;

use super::pushdown::{self, PushedFilter, Values};
use super::selection::Selection;
use super::snapshot::Snapshot;

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
    Bounds,
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
        ("timeline_bounds", Self::Bounds),
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
            Self::Bounds => small::bounds_schema(),
            Self::Hourly => hourly::schema(),
            Self::Raw(table) => table.schema(),
        }
    }

    /// How a plan names the table and what `SQLite` is asked.
    pub(crate) fn describe(&self, selection: &Selection) -> String {
        match self {
            Self::Activities => activities::describe(selection),
            Self::Timelines => "table=Ar_Timeline".to_owned(),
            Self::Devices => "table=Ar_Environment".to_owned(),
            Self::Bounds => "table=Ar_Activity".to_owned(),
            Self::Hourly => hourly::describe(selection),
            Self::Raw(table) => table.describe(selection),
        }
    }

    /// What a filter asks of a scan of this table, which fulfils it exactly; nothing where it cannot.
    pub(crate) fn push_filter(&self, filter: &Expr, known: Values) -> Option<PushedFilter> {
        let schema = self.schema();
        let type_of = |column: &str| {
            let field = schema.field_with_name(column).ok()?;
            self.pushes_down(column).then(|| field.data_type().clone())
        };
        pushdown::push_filter(filter, type_of, known)
    }

    /// Whether a scan fulfils conditions on a column.
    fn pushes_down(&self, column: &str) -> bool {
        match self {
            Self::Activities => activities::pushes_down(column),
            Self::Hourly => hourly::pushes_down(column),
            Self::Raw(table) => table.pushes_down(column),
            Self::Timelines | Self::Devices | Self::Bounds => false,
        }
    }

    pub(crate) fn read(
        &self,
        selection: &Selection,
        snapshot: &Snapshot<'_>,
        memory: &dyn TimelineMemory,
    ) -> rusqlite::Result<Vec<RecordBatch>> {
        match self {
            Self::Activities => activities::read(selection, snapshot, memory),
            Self::Timelines => small::read_timelines(selection, snapshot),
            Self::Devices => small::read_devices(selection, snapshot),
            Self::Bounds => small::read_bounds(selection, snapshot),
            Self::Hourly => hourly::read(selection, snapshot),
            Self::Raw(table) => table.read(selection, snapshot),
        }
    }

    pub(crate) fn explain(&self, selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
        match self {
            Self::Activities => activities::explain(selection, snapshot),
            Self::Hourly => hourly::explain(selection, snapshot),
            Self::Raw(table) => table.explain(selection, snapshot),
            Self::Timelines | Self::Devices | Self::Bounds => Ok(Vec::new()),
        }
    }
}
