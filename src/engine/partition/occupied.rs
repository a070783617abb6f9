//! The rows that tell where time can be cut.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::TimestampSecondType;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use dayledger_udfs::breaks::Breaks;
use dayledger_udfs::interval::Interval;
use tokio::sync::Mutex;

use super::exec::Planned;
use super::node::{bind_range, instant};
use crate::engine::model::Kind;
use crate::engine::prepared::Slots;
use crate::engine::statement::{Bindings, bind, placeholder, plan_open};
use crate::manictime;

/// A plan of the statement that tells what holds time together, asked for one short range after the other.
#[derive(Debug)]
pub(super) struct Occupied {
    plan: Arc<dyn ExecutionPlan>,
    slots: Slots,
    /// How long nothing may go on around a break, in seconds.
    pause: i64,
    /// One asks at a time.
    asked: Mutex<()>,
}

impl Occupied {
    /// The plan for a role.
    ///
    /// # Errors
    /// What keeps the project's own statement from being planned.
    pub(super) async fn planned(call: &Planned, role: &Expr, pause: i64) -> Result<Self> {
        let Planned { session, occupied: statement, .. } = call;
        let open = plan_open(session, statement.name, statement.parameters, statement.sql)?;
        let mut bindings = Bindings::new();
        let mut ends = Vec::new();
        for (index, parameter) in statement.parameters.iter().enumerate() {
            match parameter.kind {
                Kind::Instant => ends.push(placeholder(index)),
                _ => bindings.extend([(placeholder(index), role.clone())]),
            }
        }
        let slots = Slots::named(ends.into_iter().map(|end| (end, instant(0))));
        bindings.extend(slots.bindings());
        let bound = bind(session.optimize(&open)?, &bindings)?;
        let plan = session.query_planner().create_physical_plan(&bound, session).await?;
        Ok(Self { plan, slots, pause, asked: Mutex::default() })
    }

    /// The plan, whose scans have to be loaded for the widest range that is asked.
    pub(super) fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// Lets the plan answer for a local range.
    pub(super) fn bind(&self, range: &Range<i64>) {
        bind_range(&self.slots, range);
    }

    /// Where a local range can be cut.
    pub(super) async fn breaks(&self, range: &Range<i64>, context: &Arc<TaskContext>) -> Result<Breaks> {
        let _asked = self.asked.lock().await;
        self.bind(range);
        let plan = reset_plan_states(Arc::clone(&self.plan))?;
        manictime::share(&self.plan, &plan);
        let batches = collect(plan, Arc::clone(context)).await?;
        let rows = batches.iter().map(rows_of).collect::<Result<Vec<_>>>()?;
        Ok(Breaks::new(rows.concat(), self.pause))
    }
}

/// The rows with their devices.
fn rows_of(batch: &RecordBatch) -> Result<Vec<(Option<&str>, Interval)>> {
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| lacks(name));
    let instants = |name: &str| column(name)?.as_primitive_opt::<TimestampSecondType>().ok_or_else(|| lacks(name));
    let devices = column("device")?.as_string_view_opt().ok_or_else(|| lacks("device"))?;
    let (start_local, start_utc) = (instants("start_local")?, instants("start_utc")?);
    let (end_local, end_utc) = (instants("end_local")?, instants("end_utc")?);
    let rows = devices.iter().zip(start_local.iter().zip(start_utc).zip(end_local.iter().zip(end_utc)));
    let rows = rows.filter_map(|(device, ((start_local, start_utc), (end_local, end_utc)))| {
        Some((device, Interval::new(start_local?, start_utc?, end_local?, end_utc?)?))
    });
    Ok(rows.collect())
}

fn lacks(name: &str) -> DataFusionError {
    internal_datafusion_err!("what holds time together lacks `{name}`")
}
