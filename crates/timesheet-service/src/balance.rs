//! The balance of logged hours and target hours, by year, month or week.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, Months, NaiveDate};
use dayledger_timesheet::{Day, Hours, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::codes;
use super::service::TimesheetService;
use super::targets::Targets;
use dayledger_engine::local_today;
use dayledger_request::Error;

/// The balance of a year, with its months.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearBalance {
    /// The year.
    pub year: i32,
    /// The last day that counts: yesterday, or the last day of the year. Absent if no day of the year counts yet.
    pub until: Option<Day>,
    /// The balance at the start of the year, or at the start of the first day with a target if that day is later.
    pub carried_over: Hours,
    /// The balance of each month, for months with days that count.
    pub months: Vec<MonthBalance>,
    /// The balance after the last day that counts.
    pub balance: Hours,
}

/// The balance of a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthBalance {
    /// The number of the month, 1 to 12.
    pub month: u32,
    /// The sum of the target hours.
    pub target: Hours,
    /// The sum of the logged hours.
    pub logged: Hours,
    /// Logged hours minus target hours.
    pub difference: Hours,
    /// The balance after the last day that counts in the month.
    pub balance: Hours,
}

/// The balance after the days of a weekly timesheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekBalance {
    /// The last day that counts.
    pub until: Day,
    /// The balance after the last day that counts.
    pub hours: Hours,
}

/// The targets, entries and days off of a period.
struct Period<'s> {
    targets: &'s Targets,
    entries: Vec<TimeEntry>,
    days_off: BTreeSet<NaiveDate>,
}

impl<'s> Period<'s> {
    async fn load(service: &'s TimesheetService, first: Day, last: Day) -> Result<Self, Error> {
        let targets = &service.setup()?.targets;
        let days_off = targets.days_off(first, last).await?;
        let entries = service.timesheet().await?.logged_entries(first..=last, 0..0).await?.entries;
        Ok(Self { targets, entries, days_off })
    }

    /// Returns the target hours and the logged hours from `first` to `last`.
    fn sums(&self, first: Day, last: Day) -> (Hours, Hours) {
        let targets = first.days_through(last).filter_map(|day| self.targets.hours(day, &self.days_off));
        let entries = self.entries.iter().filter_map(|entry| entry.clone().clip_to_days(first, last));
        (targets.sum(), entries.map(|entry| entry.total_hours()).sum())
    }
}

impl TimesheetService {
    /// Returns the balance of a year by month. Counting starts on the first day of the first target, or at the start of
    /// the year if that target has no first day. Today and later days don't count.
    ///
    /// # Errors
    /// Fails if no targets are set, or if the timesheet or a calendar of days off can't be read.
    pub async fn balance(&self, year: i32) -> Result<YearBalance, Error> {
        let targets = &self.setup()?.targets;
        if targets.is_empty() {
            let hint = "set `hours_per_day` or `[[timesheet.targets]]` in the configuration file";
            return Err(Error::new(codes::VALIDATION_ERROR, "cannot compute a balance: no target hours are set", hint));
        }
        let first_of_year = NaiveDate::from_ymd_opt(year, 1, 1).and_then(|date| Day::try_from(date).ok());
        let first_of_year =
            first_of_year.ok_or_else(|| Refusal::invalid("year", format_args!("`{year}` is not a year")))?;
        let last_of_year = last_of_months(first_of_year, 12).unwrap_or(first_of_year);
        let (start, opening) = targets.start().unwrap_or((first_of_year, Hours::ZERO));
        let opening = if start <= last_of_year { opening } else { Hours::ZERO };
        let mut answer = YearBalance { year, until: None, carried_over: opening, months: Vec::new(), balance: opening };
        let Some(end) = last_day_that_counts(last_of_year).filter(|end| *end >= start) else {
            return Ok(answer);
        };
        let period = Period::load(self, start, end).await?;
        // In a future year, all days that count are before the year.
        if let Some(before) = day_before(first_of_year).map(|before| before.min(end)).filter(|before| *before >= start)
        {
            let (target, logged) = period.sums(start, before);
            answer.carried_over = opening + logged - target;
        }
        answer.until = Some(end).filter(|end| *end >= first_of_year);
        answer.balance = answer.carried_over;
        for month in 1..=12 {
            let first = first_of_year.date().with_month(month).and_then(|date| Day::try_from(date).ok());
            let Some((first, last)) = first.and_then(|first| Some((first, last_of_months(first, 1)?))) else {
                continue;
            };
            let (first, last) = (first.max(start), last.min(end));
            if first > last {
                continue;
            }
            let (target, logged) = period.sums(first, last);
            let difference = logged - target;
            answer.balance = answer.balance + difference;
            answer.months.push(MonthBalance { month, target, logged, difference, balance: answer.balance });
        }
        Ok(answer)
    }
}

/// Returns the balance after `last`, or after yesterday if `last` is later than yesterday. Returns `None` if the first
/// target has no first day, or if its first day is later than the day of the balance.
///
/// # Errors
/// Fails if the timesheet or a calendar of days off can't be read.
pub(super) async fn balance_until(service: &TimesheetService, last: Day) -> Result<Option<WeekBalance>, Error> {
    let Some((start, opening)) = service.setup()?.targets.start() else { return Ok(None) };
    let Some(until) = last_day_that_counts(last).filter(|until| *until >= start) else { return Ok(None) };
    let (target, logged) = Period::load(service, start, until).await?.sums(start, until);
    Ok(Some(WeekBalance { until, hours: opening + logged - target }))
}

/// Returns `last`, or yesterday if `last` is later than yesterday.
fn last_day_that_counts(last: Day) -> Option<Day> {
    let yesterday = local_today().checked_sub_days(Days::new(1))?;
    Day::try_from(yesterday.min(last.date())).ok()
}

/// Returns the last day of a period. The period starts on `first` and is `months` months long.
fn last_of_months(first: Day, months: u32) -> Option<Day> {
    let after = first.date().checked_add_months(Months::new(months))?;
    Day::try_from(after.checked_sub_days(Days::new(1))?).ok()
}

fn day_before(day: Day) -> Option<Day> {
    Day::try_from(day.date().checked_sub_days(Days::new(1))?).ok()
}
