//! Runs a call part by part, on rows that were loaded earlier.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use tokio::sync::Semaphore;

use super::occupied_time::OccupiedTime;
use super::planned_call::{PlannedCall, parallelism};
use crate::dates::instant::DAY;
use dayledger_source as source;

/// The number of steps after which a part ends at the next break.
const STEPS_PER_PART: usize = 8;

/// Limits how many parts of all calls and requests are computed simultaneously, because each part needs memory.
static TURNS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(parallelism()));

fn stopped_error() -> DataFusionError {
    exec_datafusion_err!("the statement was stopped")
}

/// The parts of one call.
#[derive(Debug)]
pub(super) struct Parts {
    /// The local range of the call, in seconds. The end is exclusive.
    range: Range<i64>,
    /// Local times in order. There is the same number of loaded activities between any two consecutive times.
    steps: Vec<i64>,
    occupied: Arc<OccupiedTime>,
}

impl Parts {
    /// Splits a range into parts of about `rows_of_a_part` loaded rows each. Returns `None` if there are too few rows
    /// for two parts.
    pub(super) fn split(
        range: &Range<i64>,
        rows_of_a_part: usize,
        input: &Arc<dyn ExecutionPlan>,
        occupied: &Arc<OccupiedTime>,
    ) -> Option<Arc<Self>> {
        let steps = source::activity_starts(input, (rows_of_a_part / STEPS_PER_PART).max(1));
        let is_worth_it = steps.len() >= 2 * STEPS_PER_PART;
        is_worth_it.then(|| Arc::new(Self { range: range.clone(), steps, occupied: Arc::clone(occupied) }))
    }

    /// Returns the rows of all parts, in the order of the parts. Dropping the stream stops the running parts.
    pub(super) fn stream(
        self: Arc<Self>,
        planned: &Arc<PlannedCall>,
        input: &Arc<dyn ExecutionPlan>,
        context: Arc<TaskContext>,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        let (planned, input) = (Arc::clone(planned), Arc::clone(input));
        let of_parts = Arc::clone(&context);
        let ranges = stream::try_unfold((self, None), move |(parts, from)| {
            let context = Arc::clone(&context);
            async move {
                let from = from.unwrap_or(parts.range.start);
                if from >= parts.range.end {
                    return Ok(None);
                }
                let until = parts.edge_after(from, &context).await?;
                Ok(Some((from..until, (parts, Some(until)))))
            }
        });
        let answers = ranges.enumerate().map(move |(number, range): (usize, Result<Range<i64>>)| {
            let (planned, input) = (Arc::clone(&planned), Arc::clone(&input));
            let context = Arc::clone(&of_parts);
            async move {
                let range = range?;
                let rows = async move {
                    let plan = planned.plan_for_part(number, &input).await?;
                    let _turn = TURNS.acquire().await.map_err(|_| stopped_error())?;
                    plan.rows_from(&input, &range, &context).await
                };
                // Each part is a separate task. With `buffered` alone, all parts would be computed on the caller's
                // thread.
                SpawnedTask::spawn(rows).join_unwind().await.map_err(|_| stopped_error())?
            }
        });
        answers.buffered(parallelism()).map_ok(|batches| stream::iter(batches).map(Ok)).try_flatten()
    }

    /// Returns the end of the part that starts at `from`: the first break after enough rows.
    async fn edge_after(&self, from: i64, context: &Arc<TaskContext>) -> Result<i64> {
        let passed = self.steps.partition_point(|step| *step <= from);
        let Some(mut at) = self.steps.get(passed + STEPS_PER_PART - 1).copied() else {
            return Ok(self.range.end);
        };
        let mut days = 2;
        while at < self.range.end {
            let until = at.saturating_add(days * DAY).min(self.range.end);
            if let Some(edge) = self.occupied.breaks(&(at..until), context).await?.first(at, until) {
                return Ok(edge);
            }
            // If a device is never idle, years can pass without a break. So each search covers a longer period than the
            // previous search.
            (at, days) = (until, days * 4);
        }
        Ok(self.range.end)
    }
}
