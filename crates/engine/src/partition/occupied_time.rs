//! Finds the breaks of a range from the rows of `sql/partitions/occupied.sql`.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::TimestampSecondType;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::execution::TaskContext;
use dayledger_udfs::breaks::{Boundary, Breaks};
use dayledger_udfs::interval::Interval;

use super::part_plan::PartPlan;
use super::planned_call::PlannedCall;
use crate::planning::clock;

/// Finds the breaks for a call. Each search covers only a short part of the call's range.
#[derive(Debug)]
pub(super) struct OccupiedTime {
    /// The plan of `sql/partitions/occupied.sql`. Before a search for breaks, the plan's scans must be loaded for the
    /// searched range.
    pub(super) plan: Arc<PartPlan>,
    /// The minimum idle time around a break, in seconds.
    pause: i64,
    at: Boundary,
}

impl OccupiedTime {
    /// Plans the statement whose rows show when devices are in use.
    ///
    /// # Errors
    /// Fails if the project's own statement can't be planned.
    pub(super) async fn new(call: &PlannedCall, pause: i64) -> Result<Self> {
        Ok(Self { plan: call.occupied_plan().await?, pause, at: call.call.at })
    }

    /// Returns the possible breaks in a local range.
    pub(super) async fn breaks(&self, range: &Range<i64>, context: &Arc<TaskContext>) -> Result<Breaks> {
        let batches = self.plan.rows(range, context).await?;
        let rows = batches.iter().map(read_rows).collect::<Result<Vec<_>>>()?;
        Ok(Breaks::new(rows.concat(), (self.at, clock::day_start()), self.pause))
    }
}

/// Returns the intervals in which devices are in use, each with its device.
fn read_rows(batch: &RecordBatch) -> Result<Vec<(Option<&str>, Interval)>> {
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| missing_column_error(name));
    let instants =
        |name: &str| column(name)?.as_primitive_opt::<TimestampSecondType>().ok_or_else(|| missing_column_error(name));
    let devices = column("device")?.as_string_view_opt().ok_or_else(|| missing_column_error("device"))?;
    let (start_local, start_utc) = (instants("start_local")?, instants("start_utc")?);
    let (end_local, end_utc) = (instants("end_local")?, instants("end_utc")?);
    let rows = devices.iter().zip(start_local.iter().zip(start_utc).zip(end_local.iter().zip(end_utc)));
    let rows = rows.filter_map(|(device, ((start_local, start_utc), (end_local, end_utc)))| {
        Some((device, Interval::new(start_local?, start_utc?, end_local?, end_utc?)?))
    });
    Ok(rows.collect())
}

fn missing_column_error(name: &str) -> DataFusionError {
    internal_datafusion_err!("what holds time together lacks `{name}`")
}
