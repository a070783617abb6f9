//! Decides which rows to read for the calls of a plan, and how each call then runs. Start with [`ScanLoader`].

use std::ops::Range;
use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::TimestampSecondType;
use datafusion::common::{Result, ScalarValue, plan_datafusion_err};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;

use super::bounds::clip_range;
use super::exec::{ExecutionMode, TimePartitionsExec};
use super::occupied_time::OccupiedTime;
use super::part_plan::PartPlan;
use super::parts::Parts;
use crate::dates::instant::DAY;
use dayledger_source::pushdown::evaluate;
use dayledger_source::{self as source, ScanExtent, UnreadScan};

/// The minimum idle time around a break, in seconds. After a pause of at most this length, the model still assumes the
/// same website (docs/spec/time.md#browser-segments). The model joins rows across a longer pause only if a call passes
/// a longer gap.
const MIN_PAUSE: i32 = 300;
/// The maximum idle time around a break, in seconds. If a call needs a longer pause, its range isn't split. The reason
/// is that a normal day doesn't have such a long pause.
const MAX_PAUSE: i32 = 12 * 3_600;
/// The first search for breaks reads this many seconds before and after a filtered range.
const INITIAL_MARGIN: i64 = 4 * DAY;
/// If a search doesn't find a break in the time before and after a range, the next search covers this many times more.
const GROWTH: i64 = 8;
/// A statement that needs at most this many rows is first run on the first days of its range only.
const FEW_ROWS: usize = 4096;
/// The length of the first days, in seconds.
const FIRST_DAYS: i64 = 32 * DAY;
/// The search for a break starts this many seconds before the end of the first days.
const BEFORE_THE_END: i64 = 8 * DAY;

/// Whether a statement that needs only a few rows may read just the first days of a long range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstDays {
    /// The statement may read just the first days. If these days contain too few rows, the statement fails before it
    /// returns any row ([`is_unfinished`](super::is_unfinished)).
    MaySuffice,
    /// The statement must read the whole range.
    AreNotEnough,
}

/// The plans of a request. Their scans have to be loaded.
#[derive(Debug)]
pub(crate) struct ScanLoader<'p> {
    plans: Vec<&'p Arc<dyn ExecutionPlan>>,
    calls: Vec<CallLoader>,
}

/// A call whose execution mode isn't decided yet.
#[derive(Debug)]
struct CallLoader {
    exec: TimePartitionsExec,
    range: Range<i64>,
    occupied: Arc<OccupiedTime>,
    step: Step,
}

/// The rows that are read for a call.
#[derive(Debug)]
enum Step {
    /// The first row of the role, to find the first days of the range.
    Beginning(Arc<PartPlan>),
    /// The rows that end before `until`, in seconds of local time.
    FirstDays { until: i64 },
    /// The part of the range in which rows can meet the filters (`wanted`), and the seconds to read before and after
    /// this part (`margin`).
    Wanted { wanted: Range<i64>, margin: i64 },
}

impl Step {
    fn is_beginning(&self) -> bool {
        matches!(self, Self::Beginning(_))
    }
}

impl<'p> ScanLoader<'p> {
    /// Finds the calls in `plans`, and evaluates their ranges for the current request.
    ///
    /// # Errors
    /// Fails if the start or end of a range doesn't have a value, or if one of the project's own statements can't be
    /// planned.
    pub(crate) async fn from_plans(plans: Vec<&'p Arc<dyn ExecutionPlan>>, first_days: FirstDays) -> Result<Self> {
        let mut found = Vec::new();
        for plan in &plans {
            add_calls(plan, &mut found);
        }
        // Plans with other scans always read the whole range. Otherwise, the rows of these scans could come from an
        // earlier state of the file than the rows of the calls.
        let is_alone =
            plans.iter().all(|plan| returns_only_call_rows(plan) && !source::has_scans_outside(plan, is_call));
        let mut calls = Vec::new();
        for exec in found {
            let wants_few = is_alone && first_days == FirstDays::MaySuffice;
            calls.extend(CallLoader::from_exec(exec, wants_few).await?);
        }
        Ok(Self { plans, calls })
    }

    /// Returns the scans that have to be read next. After they are read, [`Self::decide`] decides how each call runs.
    ///
    /// # Errors
    /// Fails if the value of a filter isn't known.
    pub(crate) fn unread_scans(&self) -> Result<Vec<UnreadScan>> {
        let mut scans = Vec::new();
        for call in self.calls.iter().filter(|call| call.step.is_beginning() == self.is_beginning()) {
            match &call.step {
                Step::Beginning(beginning) => add_unread(&beginning.plan, ScanExtent::Whole, &mut scans)?,
                Step::FirstDays { .. } | Step::Wanted { .. } => {
                    add_unread(&call.occupied.plan.plan, ScanExtent::Parts, &mut scans)?;
                }
            }
        }
        if self.is_beginning() {
            return Ok(scans);
        }
        for plan in &self.plans {
            add_unread(plan, ScanExtent::Whole, &mut scans)?;
        }
        Ok(scans)
    }

    /// Whether a call still has to find the first row of its role. Until then, no rows are read for other calls.
    fn is_beginning(&self) -> bool {
        self.calls.iter().any(|call| call.step.is_beginning())
    }

    /// Decides how each call runs, based on the rows that were read. Returns `true` if all required rows are read.
    /// Otherwise, drops the rows and returns `false`, and `unread_scans` then returns the scans to read next.
    ///
    /// # Errors
    /// Fails if the rows can't be processed.
    pub(crate) async fn decide(&mut self) -> Result<bool> {
        let is_beginning = self.is_beginning();
        let mut is_enough = !is_beginning;
        for call in self.calls.iter_mut().filter(|call| call.step.is_beginning() == is_beginning) {
            is_enough &= call.decide().await?;
        }
        if is_enough {
            return Ok(true);
        }
        for plan in &self.plans {
            source::forget(plan);
        }
        for call in &self.calls {
            source::forget(&call.occupied.plan.plan);
            call.begin();
        }
        Ok(false)
    }
}

/// Whether all rows of a plan come from a call. If so, the call can fail only before the plan returns its first row.
fn returns_only_call_rows(plan: &Arc<dyn ExecutionPlan>) -> bool {
    match plan.children().as_slice() {
        _ if is_call(plan) => true,
        [input] => returns_only_call_rows(input),
        // The first child of a `ScalarSubqueryExec` returns the rows. The other children only provide values.
        [input, ..] if plan.downcast_ref::<ScalarSubqueryExec>().is_some() => returns_only_call_rows(input),
        _ => false,
    }
}

fn is_call(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.downcast_ref::<TimePartitionsExec>().is_some()
}

fn add_calls(plan: &Arc<dyn ExecutionPlan>, calls: &mut Vec<TimePartitionsExec>) {
    match plan.downcast_ref::<TimePartitionsExec>() {
        Some(call) => calls.push(call.clone()),
        None => plan.children().into_iter().for_each(|child| add_calls(child, calls)),
    }
}

fn add_unread(plan: &Arc<dyn ExecutionPlan>, extent: ScanExtent, scans: &mut Vec<UnreadScan>) -> Result<()> {
    let waits = plan.downcast_ref::<TimePartitionsExec>().is_some_and(|call| call.mode().is_none());
    let extent = if waits { ScanExtent::Parts } else { extent };
    scans.extend(source::unread_scan(plan, extent)?);
    plan.children().into_iter().try_for_each(|child| add_unread(child, extent, scans))
}

impl CallLoader {
    /// Returns the loader of a call. Returns `None` if the range isn't split and the input runs for the whole range.
    async fn from_exec(exec: TimePartitionsExec, wants_few: bool) -> Result<Option<Self>> {
        let call = &exec.planned.call;
        let instant = |end: &str, value| match evaluate(value) {
            Some(ScalarValue::TimestampSecond(Some(instant), None)) => Ok(instant),
            _ => Err(plan_datafusion_err!("`{}`: `{end}` has no value", call.function)),
        };
        let range = instant("start", &call.start)?..instant("end", &call.end)?;
        let gaps = call.gaps.iter().map(|gap| match evaluate(gap) {
            Some(ScalarValue::Float64(Some(minutes))) => (minutes * 60.0).ceil(),
            _ => f64::INFINITY,
        });
        let longest_gap = gaps.fold(0.0, f64::max);
        // If the longest gap exceeds `MAX_PAUSE` or isn't known, `pause` is `None`, and the range isn't split.
        let pause = (MIN_PAUSE..=MAX_PAUSE).find(|pause| f64::from(*pause) >= longest_gap);
        let Some(pause) = pause.filter(|_| exec.planned.cuts.apply_to(&range)) else {
            exec.bind(&range);
            exec.set_mode(Some(ExecutionMode::default()));
            return Ok(None);
        };
        let wanted = clip_range(&range, &call.bounds);
        let wanted = wanted.start..wanted.end.max(wanted.start);
        let wants_few = wants_few && wanted == range && exec.wants_at_most(FEW_ROWS);
        let occupied = Arc::new(OccupiedTime::new(&exec.planned, pause.into()).await?);
        let step = if wants_few {
            // The first days are counted from the first row, because a range can start years earlier.
            Step::Beginning(exec.planned.beginning_plan().await?)
        } else {
            Step::Wanted { wanted, margin: INITIAL_MARGIN }
        };
        let call = Self { exec, range, occupied, step };
        call.begin();
        Ok(Some(call))
    }

    /// Prepares the scans of the current step.
    fn begin(&self) {
        let read = self.read_range();
        self.exec.bind(&read);
        self.occupied.plan.bind(&read);
        self.exec.set_mode(None);
    }

    /// Returns the range that is read in the current step.
    fn read_range(&self) -> Range<i64> {
        match &self.step {
            Step::FirstDays { until } => self.range.start..*until,
            Step::Wanted { wanted, margin } if *wanted != self.range => {
                let start = wanted.start.saturating_sub(*margin).max(self.range.start);
                start..wanted.end.saturating_add(*margin).min(self.range.end)
            }
            Step::Wanted { .. } | Step::Beginning(_) => self.range.clone(),
        }
    }

    /// Decides how the call runs, based on the rows that were read. Returns whether these rows are enough.
    async fn decide(&mut self) -> Result<bool> {
        let context = self.exec.planned.session.task_ctx();
        let all = || Step::Wanted { wanted: self.range.clone(), margin: INITIAL_MARGIN };
        let (range, next) = match &self.step {
            Step::Beginning(beginning) => {
                let rows = beginning.rows(&self.range, &context).await?;
                let beginning = rows.first().and_then(|row| row.column(0).as_primitive_opt::<TimestampSecondType>());
                let beginning = beginning.and_then(|values| values.iter().next().flatten());
                let until = beginning.map(|first| first.max(self.range.start).saturating_add(FIRST_DAYS));
                let until = until.filter(|until| (self.range.start..self.range.end).contains(until));
                (None, until.map_or_else(all, |until| Step::FirstDays { until }))
            }
            Step::FirstDays { until } => {
                let last = until.saturating_sub(BEFORE_THE_END).max(self.range.start)..*until;
                let edge = self.occupied.breaks(&last, &context).await?.last(last.start, last.end);
                (edge.map(|edge| self.range.start..edge), all())
            }
            Step::Wanted { wanted, margin } => {
                let next = Step::Wanted { wanted: wanted.clone(), margin: margin.saturating_mul(GROWTH) };
                (self.extend_to_breaks(wanted).await?, next)
            }
        };
        let Some(range) = range else {
            self.step = next;
            return Ok(false);
        };
        self.exec.bind(&range);
        let cuts = &self.exec.planned.cuts;
        let parts = if cuts.apply_to(&range) {
            Parts::split(&range, cuts.rows_of_a_part, &self.exec.input, &self.occupied)
        } else {
            None
        };
        let ends_early = matches!(self.step, Step::FirstDays { .. });
        self.exec.set_mode(Some(ExecutionMode { parts, ends_early }));
        Ok(true)
    }

    /// Extends `wanted` in both directions to the nearest break. Returns `None` if the range that was read doesn't
    /// contain such a break in both directions.
    async fn extend_to_breaks(&self, wanted: &Range<i64>) -> Result<Option<Range<i64>>> {
        let context = self.exec.planned.session.task_ctx();
        let read = self.read_range();
        let start = if wanted.start == self.range.start {
            Some(self.range.start)
        } else {
            let before = read.start..wanted.start;
            let found = self.occupied.breaks(&before, &context).await?.last(before.start, before.end);
            // The call's own range can start without a break, because earlier rows don't belong to the call.
            found.or((read.start == self.range.start).then_some(read.start))
        };
        let end = if wanted.end == self.range.end {
            Some(self.range.end)
        } else {
            let after = wanted.end..read.end;
            let found = self.occupied.breaks(&after, &context).await?.first(after.start, after.end);
            found.or((read.end == self.range.end).then_some(read.end))
        };
        Ok(start.zip(end).map(|(start, end)| start..end))
    }
}
