//! What is booked of some days, beside their active time.

use std::collections::BTreeMap;

use dayledger_timesheet::{Day, ProjectsAsked, TimeEntry};

use super::drafting::free;
use super::exporting::whole_days;
use super::sheet::Sheet;
use super::week::{WeekLine, lines};
use crate::question::{DateRange, Error, Minutes, minutes};

/// Hours of some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodHours {
    /// Each day.
    pub days: Vec<SheetDay>,
    /// Hours of each day by status, project and task.
    pub lines: Vec<WeekLine>,
    /// The entries that have one of the days, in the order of their first days.
    pub entries: Vec<TimeEntry>,
    /// What people call the projects, by code.
    pub projects: BTreeMap<String, String>,
}

/// A day, and what of its active time no entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetDay {
    /// The local date.
    pub day: Day,
    /// Active minutes.
    pub active: Minutes,
    /// Those that no entry stands for.
    pub unlogged: Minutes,
}

impl Sheet {
    /// Returns what is booked of some days. Nothing is drafted, and no file is made. Returns `None` if nothing is booked, or
    /// if the range begins or ends within a day, since entries have no time of day.
    ///
    /// # Errors
    /// A history or a timesheet that cannot be read.
    pub async fn period(&self, range: DateRange) -> Result<Option<PeriodHours>, Error> {
        let Ok((first, last)) = whole_days(range, ("", "")) else { return Ok(None) };
        if !self.has_begun() {
            return Ok(None);
        }
        let days: Vec<Day> = first.to(last).collect();
        let timesheet = self.timesheet().await?;
        let mut entries = timesheet.bookings(first..=last, 0..0).await?.entries;
        entries.sort_by(|one, other| order(one).cmp(&order(other)));
        let lines = lines(&days, &entries, &[]);
        if lines.is_empty() {
            return Ok(None);
        }
        let projects = timesheet.projects(ProjectsAsked::All).await?;
        let (unlogged, work) = free(self, first, last).await?;
        let active = work.active_seconds();
        let mut free: BTreeMap<Day, i64> = BTreeMap::new();
        for stretch in unlogged {
            *free.entry(stretch.day).or_default() += stretch.end_utc - stretch.start_utc;
        }
        let of = |seconds: &BTreeMap<Day, i64>, day| minutes(seconds.get(day).copied().unwrap_or_default());
        let days = days.iter().map(|day| SheetDay { day: *day, active: of(&active, day), unlogged: of(&free, day) });
        Ok(Some(PeriodHours {
            days: days.collect(),
            lines,
            entries,
            projects: projects.into_iter().map(|project| (project.code, project.name)).collect(),
        }))
    }
}

/// Entries of one day stand by project and task.
pub(super) fn order(entry: &TimeEntry) -> impl Ord + '_ {
    (entry.start_date, entry.completion_date, &entry.project_code, &entry.task, entry.created_at, entry.id)
}
