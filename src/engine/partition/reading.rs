//! What is read for the calls of a plan, and how each is answered then.

use std::ops::Range;
use std::sync::Arc;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, plan_datafusion_err};
use datafusion::physical_plan::ExecutionPlan;

use super::bounds::left;
use super::exec::{TimePartitionsExec, Way};
use super::occupied::Occupied;
use super::parts::Parts;
use crate::manictime::pushdown::evaluated;
use crate::manictime::{self, Extent, UnreadScan};

const DAY: i64 = 86_400;
/// A website is carried so far, in seconds (semantics, section 5); nothing of the model reaches farther but by a gap that
/// the call names.
const SHORTEST_PAUSE: i64 = 300;
/// Where a pause has to be longer, days have none, and nothing is cut.
const LONGEST_PAUSE: i64 = DAY / 2;
/// Shorter ranges are answered in one piece.
const LONGEST_PIECE: i64 = 45 * DAY;
/// So far around what a filter leaves of a range is read at first, to find breaks there.
const FIRST_MARGIN: i64 = 4 * DAY;

/// The plans of one question, whose scans are to be loaded.
#[derive(Debug)]
pub(in crate::engine) struct Loading<'p> {
    plans: Vec<&'p Arc<dyn ExecutionPlan>>,
    calls: Vec<CallReading>,
}

/// A call whose way is not known yet.
#[derive(Debug)]
struct CallReading {
    exec: TimePartitionsExec,
    range: Range<i64>,
    /// What filters leave of it.
    wanted: Range<i64>,
    margin: i64,
    occupied: Arc<Occupied>,
}

impl<'p> Loading<'p> {
    /// The calls of `plans` with the values of the question that runs.
    ///
    /// # Errors
    /// A range without a value, or what keeps the project's own statement from being planned.
    pub(in crate::engine) async fn of(plans: Vec<&'p Arc<dyn ExecutionPlan>>) -> Result<Self> {
        let mut found = Vec::new();
        for plan in &plans {
            plan.apply(|node| {
                found.extend(node.downcast_ref::<TimePartitionsExec>().cloned());
                Ok(TreeNodeRecursion::Continue)
            })?;
        }
        let mut calls = Vec::new();
        for exec in found {
            calls.extend(CallReading::of(exec).await?);
        }
        Ok(Self { plans, calls })
    }

    /// The scans that are to be read before it can be told how calls are answered.
    ///
    /// # Errors
    /// A filter whose value is missing.
    pub(in crate::engine) fn unread(&self) -> Result<Vec<UnreadScan>> {
        let mut scans = Vec::new();
        for plan in &self.plans {
            add_unread(plan, Extent::Whole, &mut scans)?;
        }
        for call in &self.calls {
            add_unread(call.occupied.plan(), Extent::Parts, &mut scans)?;
        }
        Ok(scans)
    }

    /// Decides by what was read how each call is answered; returns whether all is read that is needed, else what was read
    /// is forgotten, and more is to be read.
    ///
    /// # Errors
    /// What keeps the rows from being looked at.
    pub(in crate::engine) async fn settle(&mut self) -> Result<bool> {
        let mut is_enough = true;
        for call in &mut self.calls {
            is_enough &= call.settle().await?;
        }
        if is_enough {
            return Ok(true);
        }
        for plan in &self.plans {
            manictime::forget(plan);
        }
        for call in &self.calls {
            manictime::forget(call.occupied.plan());
            call.bind(&call.read());
            call.exec.goes(Way::Unknown);
        }
        Ok(false)
    }
}

fn add_unread(plan: &Arc<dyn ExecutionPlan>, extent: Extent, scans: &mut Vec<UnreadScan>) -> Result<()> {
    let extent = match plan.downcast_ref::<TimePartitionsExec>().map(TimePartitionsExec::way) {
        Some(Way::Unknown) => Extent::Parts,
        _ => extent,
    };
    scans.extend(manictime::unread(plan, extent)?);
    plan.children().into_iter().try_for_each(|child| add_unread(child, extent, scans))
}

impl CallReading {
    /// What is to be read for a call; nothing where its input answers all of it.
    async fn of(exec: TimePartitionsExec) -> Result<Option<Self>> {
        let call = &exec.planned.call;
        let instant = |end: &str, value| match evaluated(value) {
            Some(ScalarValue::TimestampSecond(Some(instant), None)) => Ok(instant),
            _ => Err(plan_datafusion_err!("`{}`: `{end}` has no value", call.function)),
        };
        let range = instant("start", &call.start)?..instant("end", &call.end)?;
        let gaps = call.gaps.iter().map(|gap| match evaluated(gap) {
            Some(ScalarValue::Float64(Some(minutes))) => (minutes * 60.0).ceil(),
            _ => f64::INFINITY,
        });
        let pause = gaps.fold(0.0, f64::max);
        if range.end.saturating_sub(range.start) <= LONGEST_PIECE || pause > LONGEST_PAUSE as f64 {
            exec.bind(&range);
            exec.goes(Way::InOnePiece);
            return Ok(None);
        }
        let wanted = left(&range, &call.bounds);
        let (wanted, margin) = (wanted.start..wanted.end.max(wanted.start), FIRST_MARGIN);
        let pause = SHORTEST_PAUSE.max(pause as i64);
        let occupied = Occupied::planned(&exec.planned, &call.role, pause).await?;
        let call = Self { range, wanted, margin, occupied: Arc::new(occupied), exec };
        call.bind(&call.read());
        Ok(Some(call))
    }

    /// What is read of the range.
    fn read(&self) -> Range<i64> {
        let start = self.wanted.start.saturating_sub(self.margin).max(self.range.start);
        let end = self.wanted.end.saturating_add(self.margin).min(self.range.end);
        let is_all = self.wanted == self.range;
        if is_all { self.range.clone() } else { start..end }
    }

    fn bind(&self, range: &Range<i64>) {
        self.exec.bind(range);
        self.occupied.bind(range);
    }

    /// Decides the call's way by what was read; returns whether that is enough.
    async fn settle(&mut self) -> Result<bool> {
        let Some(range) = self.cut().await? else {
            self.margin = self.margin.saturating_mul(8);
            return Ok(false);
        };
        self.exec.bind(&range);
        let is_long = range.end.saturating_sub(range.start) > LONGEST_PIECE;
        let parts = if is_long { Parts::of(&range, &self.exec.input, &self.occupied) } else { None };
        self.exec.goes(parts.map_or(Way::InOnePiece, Way::InParts));
        Ok(true)
    }

    /// What is wanted, up to the breaks around it; nothing where these lie beyond what was read.
    async fn cut(&self) -> Result<Option<Range<i64>>> {
        let context = self.exec.planned.session.task_ctx();
        let read = self.read();
        let start = if self.wanted.start == self.range.start {
            Some(self.range.start)
        } else {
            let before = read.start..self.wanted.start;
            let found = self.occupied.breaks(&before, &context).await?.last(before.start, before.end);
            found.or((read.start == self.range.start).then_some(read.start))
        };
        let end = if self.wanted.end == self.range.end {
            Some(self.range.end)
        } else {
            let after = self.wanted.end..read.end;
            let found = self.occupied.breaks(&after, &context).await?.first(after.start, after.end);
            found.or((read.end == self.range.end).then_some(read.end))
        };
        Ok(start.zip(end).map(|(start, end)| start..end))
    }
}
