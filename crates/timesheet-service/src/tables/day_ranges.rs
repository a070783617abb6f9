//! Reads the rows of a range in steps of some weeks, so that even a long range needs little memory.

use std::future::Future;
use std::ops::{Range, RangeInclusive};

use arrow::array::RecordBatch;
use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta};
use dayledger_core::local_days::LocalDays;
use dayledger_timesheet::Day;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};

use super::super::service::TimesheetService;
use super::super::suggestions::MAX_DAYS;
use dayledger_engine::{Arguments, Statement, TableRows, statement};
use dayledger_request::{Error, run_statements};

static HISTORY_BOUNDS: Statement = statement!(queries / "history_bounds");

/// The error of reading rows, in the form that [`TableRows`] needs.
pub(super) type TableError = Box<dyn std::error::Error + Send + Sync>;

/// Calls `read` for consecutive parts of a local range, in time order. A part has at most as many days as a draft can
/// have.
pub(super) fn read_by_days<R>(
    service: TimesheetService,
    range: Range<NaiveDateTime>,
    read: impl Fn(TimesheetService, Day, Day) -> R + Send + 'static,
) -> TableRows
where
    R: Future<Output = Result<RecordBatch, TableError>> + Send + 'static,
{
    let weeks = {
        let service = service.clone();
        stream::once(async move { split_weeks(&service, range).await })
    };
    let weeks: BoxStream<'static, Result<_, TableError>> =
        weeks.map_ok(|weeks| stream::iter(weeks.into_iter().map(Ok))).try_flatten().boxed();
    weeks.and_then(move |(first, last)| read(service.clone(), first, last)).boxed()
}

/// Splits a range into parts, and returns the first and the last day of each. A long range is first limited to the days
/// of the history, because other days have no active time.
async fn split_weeks(service: &TimesheetService, range: Range<NaiveDateTime>) -> Result<Vec<(Day, Day)>, TableError> {
    let Some(last) = range.end.checked_sub_signed(TimeDelta::seconds(1)).filter(|last| *last >= range.start) else {
        return Ok(Vec::new());
    };
    let local_days = LocalDays::current();
    let mut days = local_days.day_of(range.start)..=local_days.day_of(last);
    if (*days.end() - *days.start()).num_days() >= MAX_DAYS {
        let Some(history) = history_days(service).await? else { return Ok(Vec::new()) };
        days = *days.start().max(history.start())..=*days.end().min(history.end());
    }
    let step = usize::try_from(MAX_DAYS).unwrap_or(1);
    let starts = days.start().iter_days().take_while(|day| day <= days.end()).step_by(step);
    let last_of = |start: NaiveDate| {
        let last = start.checked_add_days(Days::new(step as u64 - 1)).unwrap_or(start);
        Some((Day::try_from(start).ok()?, Day::try_from(last.min(*days.end())).ok()?))
    };
    Ok(starts.filter_map(last_of).collect())
}

/// Returns the first and the last day of the history, or `None` if the history is empty.
async fn history_days(service: &TimesheetService) -> Result<Option<RangeInclusive<NaiveDate>>, Error> {
    let [rows] = run_statements(service.engine(), [(&HISTORY_BOUNDS, Arguments::new())]).await?;
    let mut history: Option<RangeInclusive<NaiveDate>> = None;
    for row in rows.iter() {
        let ends: [Option<NaiveDateTime>; 2] = [row.get_optional("first_local")?, row.get_optional("last_local")?];
        if let [Some(first), Some(last)] = ends {
            let local_days = LocalDays::current();
            let (first, last) = (local_days.day_of(first), local_days.day_of(last));
            history = Some(match history {
                Some(days) => first.min(*days.start())..=last.max(*days.end()),
                None => first..=last,
            });
        }
    }
    Ok(history)
}
