//! The timesheet of a week or a few days: logged hours, drafted hours, missing hours and active time.

use std::collections::BTreeMap;

use chrono::Utc;
use dayledger_timesheet::draft::{Row, Settings, unlogged_time};
use dayledger_timesheet::{Day, Hours, ProjectFilter, Status, TimeEntry, Week};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::balance::{WeekBalance, balance_until};
use super::drafts::{BeyondEvidence, beyond_evidence, draft_days, with_draft_input};
use super::entry_export::whole_days;
use super::running_work::RunningWork;
use super::service::TimesheetService;
use dayledger_request::{DateRange, Error, Minutes, minutes};

/// The maximum number of days in one timesheet.
const MAX_DAYS: i64 = 7;

/// The timesheet of at most seven days.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekTimesheet {
    /// The week, such as 2025-W43. Absent unless the days are exactly one week from Monday to Sunday.
    pub week: Option<String>,
    /// The hours of each day.
    pub days: Vec<WeekDay>,
    /// Hours by status, project and task. Drafted hours come last.
    pub lines: Vec<WeekLine>,
    /// Minutes of activity.
    pub active_minutes: Minutes,
    /// Active minutes and tagged minutes away from the computer that entries cover.
    pub logged_minutes: Minutes,
    /// Tagged minutes away from the computer.
    pub away_minutes: Minutes,
    /// Active minutes and tagged minutes away from the computer that a draft contains as rows.
    pub drafted_minutes: Minutes,
    /// Minutes in the draft's rows without a project.
    pub unassigned_minutes: Minutes,
    /// Minutes away from the computer that the user has to confirm. The other fields don't include them.
    pub unconfirmed_minutes: Minutes,
    /// Entries that exceed their activity by 15 minutes or more, the largest excess first, at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond_evidence: Vec<BeyondEvidence>,
    /// The balance of logged and target hours after the last of these days. Absent unless the first target has a first
    /// day.
    pub balance: Option<WeekBalance>,
    /// The running timer, if any. It may have started before these days.
    pub running: Option<RunningWork>,
}

/// The hours of one day.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekDay {
    /// The local date.
    pub day: Day,
    /// Target hours, which are 0 on a day off. Absent if no target is set.
    pub target: Option<Hours>,
    /// Logged hours.
    pub logged: Hours,
    /// Hours of the draft's rows.
    pub drafted: Hours,
    /// Hours that are missing to reach the target, even after logging the draft. Absent without a target.
    pub open: Option<Hours>,
}

/// The hours of one task with one status.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekLine {
    /// The status of the entries. Absent for drafted hours.
    pub status: Option<Status>,
    /// The project's code. Absent for drafted hours without a project.
    pub project_code: Option<String>,
    /// The task. Absent for drafted hours without a task.
    pub task: Option<String>,
    /// The hours on each day, in the order of the days.
    pub hours: Vec<Hours>,
}

impl TimesheetService {
    /// Returns the timesheet of at most seven whole days, such as a week. Drafted hours are rounded to multiples of
    /// `round_to` [default: a quarter of an hour].
    ///
    /// # Errors
    /// Fails if the range is longer or doesn't consist of whole days, or if the rounding is invalid. Also fails if the
    /// history or the timesheet can't be read.
    pub async fn week(&self, range: DateRange, round_to: Option<Hours>) -> Result<WeekTimesheet, Error> {
        let (first, last) = whole_days(range.check_max_days(MAX_DAYS, "WEEK")?, ("WEEK", "WEEK"))?;
        let targets = &self.setup()?.targets;
        let days_off = targets.days_off(first, last).await?;
        let (mut draft, _, logged) = draft_days(self, first, last, Settings::new(round_to, None)?).await?;
        let unconfirmed = draft.rows.iter().filter(|row| row.is_unconfirmed()).map(|row| row.seconds).sum();
        draft.rows.retain(|row| !row.is_unconfirmed());
        let unassigned = draft.rows.iter().filter(|row| row.project_code.is_none()).map(|row| row.seconds).sum();
        let days: Vec<Day> = first.days_through(last).collect();
        let lines = lines(&days, &logged.entries, &draft.rows);
        let sum = |place: usize, is_logged: bool| {
            let lines = lines.iter().filter(|line| line.status.is_some() == is_logged);
            lines.map(|line| line.hours[place]).sum::<Hours>()
        };
        let days = days.iter().enumerate().map(|(place, day)| {
            WeekDay::new(*day, targets.hours(*day, &days_off), sum(place, true), sum(place, false))
        });
        let days = days.collect();
        let running = self.store().await?.running_timer().await?;
        let account = draft.account();
        let week = Some(Week::from_first_day(first)).filter(|week| week.is_numbered() && week.last() == last);
        Ok(WeekTimesheet {
            week: week.map(|week| week.to_string()),
            days,
            active_minutes: minutes(account.active),
            logged_minutes: minutes(account.covered),
            away_minutes: minutes(account.away),
            drafted_minutes: minutes(account.drafted),
            unassigned_minutes: minutes(unassigned),
            unconfirmed_minutes: minutes(unconfirmed),
            beyond_evidence: beyond_evidence(&draft.covered, &logged),
            balance: balance_until(self, last).await?,
            running: running.map(|work| RunningWork::at(&work, Utc::now())),
            lines,
        })
    }
}

impl WeekDay {
    fn new(day: Day, target: Option<Hours>, logged: Hours, drafted: Hours) -> Self {
        let open = target.map(|target| (target - logged - drafted).max(Hours::ZERO));
        Self { day, target, logged, drafted, open }
    }
}

/// Returns the lines of the timesheet. Logged hours by status, project and task come first, and drafted hours last.
fn lines(days: &[Day], entries: &[TimeEntry], rows: &[Row]) -> Vec<WeekLine> {
    // Drafted rows come last. Among them, rows without a project come last.
    type Key<'e> = (bool, Option<Status>, bool, Option<&'e str>, Option<&'e str>);
    let mut lines: BTreeMap<Key<'_>, Vec<Hours>> = BTreeMap::new();
    let mut add = |key, on: &dyn Fn(Day) -> Hours| {
        let hours = lines.entry(key).or_insert_with(|| vec![Hours::ZERO; days.len()]);
        for (sum, day) in hours.iter_mut().zip(days) {
            *sum = *sum + on(*day);
        }
    };
    for entry in entries {
        let key = (false, Some(entry.status), false, Some(&*entry.project_code), Some(&*entry.task));
        add(key, &|day| entry.hours_on(day));
    }
    for row in rows {
        let key = (true, None, row.project_code.is_none(), row.project_code.as_deref(), row.task.as_deref());
        add(key, &|day| if day == row.day { row.hours } else { Hours::ZERO });
    }
    let lines = lines.into_iter().map(|((_, status, _, project, task), hours)| WeekLine {
        status,
        project_code: project.map(str::to_owned),
        task: task.map(str::to_owned),
        hours,
    });
    // An entry that was found only because of its evidence may have all its hours on other days.
    lines.filter(|line| line.hours.iter().any(|hours| *hours > Hours::ZERO)).collect()
}

/// The logged hours of a range of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodHours {
    /// The active time of each day.
    pub days: Vec<DayTotals>,
    /// The logged hours of each day, by status, project and task.
    pub lines: Vec<WeekLine>,
    /// The entries that include one of the days, ordered by their first day.
    pub entries: Vec<TimeEntry>,
    /// The names of the projects by project code.
    pub projects: BTreeMap<String, String>,
}

/// The active time of one day, and the part of this time that no entry covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayTotals {
    /// The local date.
    pub day: Day,
    /// Minutes of activity.
    pub active: Minutes,
    /// Minutes of activity that no entry covers.
    pub unlogged: Minutes,
}

impl TimesheetService {
    /// Returns the logged hours of a range of days, without drafting hours or creating a file. Returns `None` if
    /// nothing is logged. Also returns `None` if the range doesn't consist of whole days, because entries have no times
    /// of day.
    ///
    /// # Errors
    /// Fails if the history or the timesheet can't be read.
    pub async fn period(&self, range: DateRange) -> Result<Option<PeriodHours>, Error> {
        let Ok((first, last)) = whole_days(range, ("", "")) else { return Ok(None) };
        if !self.may_have_entries() {
            return Ok(None);
        }
        let days: Vec<Day> = first.days_through(last).collect();
        let timesheet = self.timesheet().await?;
        let mut entries = timesheet.logged_entries(first..=last, 0..0).await?.entries;
        entries.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
        let lines = lines(&days, &entries, &[]);
        if lines.is_empty() {
            return Ok(None);
        }
        let projects = timesheet.projects(ProjectFilter::All).await?;
        let (unlogged, work, _) = with_draft_input(self, first, last, unlogged_time).await?;
        let active = work.active_seconds();
        let mut free: BTreeMap<Day, i64> = BTreeMap::new();
        for interval in unlogged.into_iter().filter(|interval| !interval.is_away) {
            *free.entry(interval.day).or_default() += interval.end_utc - interval.start_utc;
        }
        let of = |seconds: &BTreeMap<Day, i64>, day| minutes(seconds.get(day).copied().unwrap_or_default());
        let days = days.iter().map(|day| DayTotals { day: *day, active: of(&active, day), unlogged: of(&free, day) });
        Ok(Some(PeriodHours {
            days: days.collect(),
            lines,
            entries,
            projects: projects.into_iter().map(|project| (project.code, project.name)).collect(),
        }))
    }
}

/// Returns the sort key of an entry: first by day, then by project and task.
pub(super) fn sort_key(entry: &TimeEntry) -> impl Ord + '_ {
    (entry.start_date, entry.completion_date, &entry.project_code, &entry.task, entry.created_at, entry.id)
}
