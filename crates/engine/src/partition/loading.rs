//! What is read for the calls of a plan, and how each is answered then.

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::TimestampSecondType;
use datafusion::common::{Result, ScalarValue, plan_datafusion_err};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;

use super::bounds::clip_range;
use super::exec::{ExecutionMode, TimePartitionsExec};
use super::occupied_time::OccupiedTime;
use super::part_plan::PartPlan;
use super::parts::Parts;
use crate::instant::DAY;
use dayledger_source::pushdown::evaluate;
use dayledger_source::{self as source, ScanExtent, UnreadScan};

/// A website is carried so far, in seconds (docs/spec/time.md#browser-segments); nothing of the model reaches farther
/// but by a gap that the call names.
const MIN_PAUSE: i32 = 300;
/// Where a pause has to be longer, days have none, and nothing is cut.
const MAX_PAUSE: i32 = 12 * 3_600;
/// So far around what a filter leaves of a range is read at first, to find breaks there.
const INITIAL_MARGIN: i64 = 4 * DAY;
/// What margins grow by, until there are breaks.
const GROWTH: i64 = 8;
/// Whoever wants no more rows than this gets them from the first days, where they are there.
const FEW_ROWS: usize = 4096;
/// How much is read for them.
const FIRST_DAYS: i64 = 32 * DAY;
/// How far before the end of the first days a break is looked for.
const BEFORE_THE_END: i64 = 8 * DAY;

/// Whether a question that wants few rows may be answered from the first days of a long range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstDays {
    /// It may; where they do not hold as many rows, its rows end with an error before the first
    /// ([`is_unfinished`](super::is_unfinished)).
    MaySuffice,
    /// All is read that can be wanted.
    AreNotEnough,
}

/// The plans of one question, whose scans are to be loaded.
#[derive(Debug)]
pub(crate) struct ScanLoader<'p> {
    plans: Vec<&'p Arc<dyn ExecutionPlan>>,
    calls: Vec<CallLoader>,
}

/// A call whose way is not known yet.
#[derive(Debug)]
struct CallLoader {
    exec: TimePartitionsExec,
    range: Range<i64>,
    occupied: Arc<OccupiedTime>,
    step: Step,
}

/// What is read for a call.
#[derive(Debug)]
enum Step {
    /// Where its rows begin.
    Beginning(Arc<PartPlan>),
    /// What ends before an instant.
    FirstDays { until: i64 },
    /// What filters leave of its range, and so much around that.
    Wanted { wanted: Range<i64>, margin: i64 },
}

impl Step {
    fn is_beginning(&self) -> bool {
        matches!(self, Self::Beginning(_))
    }
}

impl<'p> ScanLoader<'p> {
    /// The calls of `plans` with the values of the question that runs.
    ///
    /// # Errors
    /// A range without a value, or what keeps the project's own statements from being planned.
    pub(crate) async fn from_plans(plans: Vec<&'p Arc<dyn ExecutionPlan>>, first_days: FirstDays) -> Result<Self> {
        let mut found = Vec::new();
        for plan in &plans {
            add_calls(plan, &mut found);
        }
        // Of one state of the file are only scans that are read together.
        let is_alone =
            plans.iter().all(|plan| returns_only_call_rows(plan) && !source::has_scans_outside(plan, is_call));
        let mut calls = Vec::new();
        for exec in found {
            let wants_few = is_alone && first_days == FirstDays::MaySuffice;
            calls.extend(CallLoader::from_exec(exec, wants_few).await?);
        }
        Ok(Self { plans, calls })
    }

    /// The scans that are to be read before it can be told how calls are answered.
    ///
    /// # Errors
    /// A filter whose value is missing.
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

    /// Whether it is to be found out first where the rows of a call begin: of the others nothing is read until then.
    fn is_beginning(&self) -> bool {
        self.calls.iter().any(|call| call.step.is_beginning())
    }

    /// Decides by what was read how each call is answered; returns whether all is read that is needed. Else what was
    /// read is forgotten, and something else is to be read.
    ///
    /// # Errors
    /// What keeps the rows from being looked at.
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

/// Whether a plan has no rows but those that it makes of a call's: then none is told before an error of the call.
fn returns_only_call_rows(plan: &Arc<dyn ExecutionPlan>) -> bool {
    match plan.children().as_slice() {
        _ if is_call(plan) => true,
        [input] => returns_only_call_rows(input),
        // Its other children only give values.
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
    /// What is to be read for a call; nothing where its input answers all of it.
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
        let pause = (MIN_PAUSE..=MAX_PAUSE).find(|pause| f64::from(*pause) >= longest_gap);
        let Some(pause) = pause.filter(|_| exec.planned.cuts.apply_to(&range)) else {
            exec.bind(&range);
            exec.set_mode(ExecutionMode::default());
            return Ok(None);
        };
        let wanted = clip_range(&range, &call.bounds);
        let wanted = wanted.start..wanted.end.max(wanted.start);
        let wants_few = wants_few && wanted == range && exec.wants_at_most(FEW_ROWS);
        let occupied = Arc::new(OccupiedTime::new(&exec.planned, pause.into()).await?);
        let step = if wants_few {
            Step::Beginning(exec.planned.beginning_plan().await?)
        } else {
            Step::Wanted { wanted, margin: INITIAL_MARGIN }
        };
        let call = Self { exec, range, occupied, step };
        call.begin();
        Ok(Some(call))
    }

    /// Lets all that is read for this step be read.
    fn begin(&self) {
        let read = self.read_range();
        self.exec.bind(&read);
        self.occupied.plan.bind(&read);
        self.exec.reset_mode();
    }

    /// What is read of the range.
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

    /// Decides the call's way by what was read; returns whether that is enough.
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
        self.exec.set_mode(ExecutionMode { parts, ends_early: matches!(self.step, Step::FirstDays { .. }) });
        Ok(true)
    }

    /// What is wanted, up to the breaks around it; nothing where these lie beyond what was read.
    async fn extend_to_breaks(&self, wanted: &Range<i64>) -> Result<Option<Range<i64>>> {
        let context = self.exec.planned.session.task_ctx();
        let read = self.read_range();
        let start = if wanted.start == self.range.start {
            Some(self.range.start)
        } else {
            let before = read.start..wanted.start;
            let found = self.occupied.breaks(&before, &context).await?.last(before.start, before.end);
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
