//! A call that is answered part by part, from rows that were read before.

use std::ops::Range;
use std::sync::Arc;
use std::thread::available_parallelism;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::{ExecutionPlan, collect};
use futures::{Stream, StreamExt, TryStreamExt, stream};
use tokio::sync::Mutex;

use super::node::{bind_range, range_slots};
use super::occupied::Occupied;
use super::planned::Planned;
use crate::engine::prepared::Slots;
use crate::engine::statement::bind;
use crate::manictime;

/// How many steps a part takes.
const STEPS_OF_A_PART: usize = 8;
/// How many parts are computed at once, at most.
const MOST_AT_ONCE: usize = 8;
const DAY: i64 = 86_400;

/// The parts of one call.
#[derive(Debug)]
pub(super) struct Parts {
    /// The local range that is answered, in seconds, end exclusive.
    range: Range<i64>,
    /// In order, an instant after each step of so many rows that were read.
    steps: Vec<i64>,
    occupied: Arc<Occupied>,
}

/// The input of a call, or another plan of the same that runs beside it.
#[derive(Debug)]
struct Instance {
    plan: Arc<dyn ExecutionPlan>,
    slots: Arc<Slots>,
}

/// What parts run on, some at once.
struct Instances {
    planned: Arc<Planned>,
    /// The input of the call, whose scans hold what was read.
    input: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
    /// The first is the input of the call; the others are planned when they are wanted.
    places: Vec<Mutex<Option<Instance>>>,
}

impl Parts {
    /// The parts of a range of what `input` has read, of about so many rows each; nothing where it is no more than one.
    pub(super) fn of(
        range: &Range<i64>,
        rows_of_a_part: usize,
        input: &Arc<dyn ExecutionPlan>,
        occupied: &Arc<Occupied>,
    ) -> Option<Arc<Self>> {
        let steps = manictime::starts(input, (rows_of_a_part / STEPS_OF_A_PART).max(1));
        let is_worth_it = steps.len() >= 2 * STEPS_OF_A_PART;
        is_worth_it.then(|| Arc::new(Self { range: range.clone(), steps, occupied: Arc::clone(occupied) }))
    }

    /// The rows of all parts, in the order of the parts. Who drops them stops what runs.
    pub(super) fn answer(
        self: Arc<Self>,
        planned: &Arc<Planned>,
        input: &Arc<dyn ExecutionPlan>,
        context: Arc<TaskContext>,
    ) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        let at_once = available_parallelism().map_or(1, usize::from).min(MOST_AT_ONCE);
        let first = Instance { plan: Arc::clone(input), slots: Arc::clone(&planned.slots) };
        let places = std::iter::once(Some(first)).chain((1..at_once).map(|_| None)).map(Mutex::new).collect();
        let instances = Arc::new(Instances {
            planned: Arc::clone(planned),
            input: Arc::clone(input),
            context: Arc::clone(&context),
            places,
        });
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
            let instances = Arc::clone(&instances);
            async move {
                let range = range?;
                let task = SpawnedTask::spawn(async move { instances.answer(number, &range).await });
                task.join_unwind().await.map_err(|_| exec_datafusion_err!("the statement was stopped"))?
            }
        });
        answers.buffered(at_once).map_ok(|batches| stream::iter(batches).map(Ok)).try_flatten()
    }

    /// Where the part that begins at `from` ends: at the first break after enough rows.
    async fn edge_after(&self, from: i64, context: &Arc<TaskContext>) -> Result<i64> {
        let passed = self.steps.partition_point(|step| *step <= from);
        let Some(mut at) = self.steps.get(passed + STEPS_OF_A_PART - 1).copied() else {
            return Ok(self.range.end);
        };
        let mut days = 2;
        while at < self.range.end {
            let until = at.saturating_add(days * DAY).min(self.range.end);
            if let Some(edge) = self.occupied.breaks(&(at..until), context).await?.first(at, until) {
                return Ok(edge);
            }
            (at, days) = (until, days * 4);
        }
        Ok(self.range.end)
    }
}

impl Instances {
    /// The rows of one part.
    async fn answer(&self, number: usize, range: &Range<i64>) -> Result<Vec<RecordBatch>> {
        let number = number % self.places.len();
        let mut place = self.places[number].lock().await;
        if place.is_none() && number > 0 {
            *place = self.another().await?;
            if place.is_none() {
                // Its scans are others than those that were read: the input is all there is.
                place = self.places[0].lock().await;
            }
        }
        let Some(instance) = place.take() else {
            return Err(exec_datafusion_err!("a part before this one failed"));
        };
        bind_range(&instance.slots, range);
        let rows = collect(Arc::clone(&instance.plan), Arc::clone(&self.context)).await?;
        let plan = reset_plan_states(instance.plan)?;
        *place = self.with_rows(plan, instance.slots);
        Ok(rows)
    }

    /// Another plan of the call, over the same rows.
    async fn another(&self) -> Result<Option<Instance>> {
        let slots = Arc::new(range_slots());
        let Planned { body, session, .. } = self.planned.as_ref();
        let body = bind(body.as_ref().clone(), &slots.bindings())?;
        let plan = session.query_planner().create_physical_plan(&body, session).await?;
        Ok(self.with_rows(plan, slots))
    }

    /// A plan over what was read; nothing where it scans something else.
    fn with_rows(&self, plan: Arc<dyn ExecutionPlan>, slots: Arc<Slots>) -> Option<Instance> {
        manictime::share(&self.input, &plan).then_some(Instance { plan, slots })
    }
}
