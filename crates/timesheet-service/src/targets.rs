//! Target hours of days, from `hours_per_day`, `[[timesheet.targets]]` and `days_off` of the configuration.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{Datelike, NaiveDate};
use dayledger_calendar::{Calendar, Calendars};
use dayledger_timesheet::{Day, Hours, Refusal};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::codes;
use dayledger_engine as engine;
use dayledger_request::Error;

/// The maximum target of a day.
const DAY: Hours = Hours::from_hundredths(24_00);

/// Target hours by weekday, which apply from a given day on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Target {
    /// The first day on which the target applies. By default, it applies to all days before the next target.
    from: Option<Day>,
    hours: WeekdayHours,
    /// The balance at the start of the first day.
    #[serde(default)]
    carried_over: Hours,
}

/// Hours by weekday.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WeekdayHours {
    mon: Hours,
    tue: Hours,
    wed: Hours,
    thu: Hours,
    fri: Hours,
    sat: Hours,
    sun: Hours,
}

impl WeekdayHours {
    fn by_day(self) -> [Hours; 7] {
        [self.mon, self.tue, self.wed, self.thu, self.fri, self.sat, self.sun]
    }
}

/// The target hours and the days off.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Targets {
    /// The targets, ordered by first day. Only the first target may lack a first day.
    targets: Vec<Target>,
    /// Public holidays and leave.
    days_off: Calendars,
}

impl Targets {
    /// Checks the targets of the configuration. `folder` is the folder of the configuration file. `hours_per_day` is
    /// the target from Monday to Friday until the first day of `targets`.
    ///
    /// # Errors
    /// Fails if a day has more than 24 hours or negative hours, or if two targets have the same first day. Also fails
    /// if a target has a balance, unless it is the first target and has a first day. Also fails if the name of a
    /// calendar file is invalid.
    pub(super) fn new(
        hours_per_day: Hours,
        mut targets: Vec<Target>,
        days_off: &[PathBuf],
        folder: &Path,
    ) -> Result<Self, Refusal> {
        let refuse = |why: &str| Err(Refusal::invalid("targets", format_args!("invalid `targets`: {why}")));
        if hours_per_day > Hours::ZERO {
            let [mon, tue, wed, thu, fri] = [hours_per_day; 5];
            let hours = WeekdayHours { mon, tue, wed, thu, fri, ..WeekdayHours::default() };
            targets.push(Target { from: None, hours, carried_over: Hours::ZERO });
        }
        targets.sort_by_key(|target| target.from);
        let is_invalid = |hours: Hours| hours.is_negative() || hours > DAY;
        if targets.iter().flat_map(|target| target.hours.by_day()).any(is_invalid) {
            return refuse("a day has from 0 to 24 hours");
        }
        if targets.windows(2).any(|pair| pair[0].from == pair[1].from) {
            return refuse("two of them begin on the same day, or two of them and `hours_per_day` have no `from`");
        }
        let begins = |(place, target): (usize, &Target)| place == 0 && target.from.is_some();
        if targets.iter().enumerate().any(|target| target.1.carried_over != Hours::ZERO && !begins(target)) {
            return refuse("only the first one can have `carried_over`, and it needs `from`");
        }
        let days_off = days_off.iter().map(|file| Calendar::from_path(&folder.join(file)));
        let days_off = days_off.collect::<Result<_, _>>().map_err(|error| Refusal::invalid("days_off", error))?;
        Ok(Self { targets, days_off: Calendars::new(days_off).with_free_events() })
    }

    /// Whether no target is set.
    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the first day with a target, and the balance at its start. Returns `None` if there are no targets, or if
    /// the first target has no first day.
    pub(super) fn start(&self) -> Option<(Day, Hours)> {
        let first = self.targets.first()?;
        Some((first.from?, first.carried_over))
    }

    /// Returns the target of a day, which is zero on a day off. Returns `None` if no target applies.
    pub(super) fn hours(&self, day: Day, days_off: &BTreeSet<NaiveDate>) -> Option<Hours> {
        let target = self.targets.iter().rev().find(|target| target.from.is_none_or(|from| from <= day))?;
        if days_off.contains(&day.date()) {
            return Some(Hours::ZERO);
        }
        let place = usize::try_from(day.date().weekday().num_days_from_monday()).unwrap_or_default();
        target.hours.by_day().get(place).copied()
    }

    /// Returns the public holidays and the days of leave from `first` to `last`.
    ///
    /// # Errors
    /// Fails if a calendar file can't be read, because the targets would then be wrong.
    pub(super) async fn days_off(&self, first: Day, last: Day) -> Result<BTreeSet<NaiveDate>, Error> {
        let calendars = self.days_off.clone();
        let read = spawn_blocking(move || {
            let problem = calendars.states().into_iter().find_map(|state| Some((state.file, state.problem?)));
            (problem, calendars.days_with_events(first.date(), last.date()))
        });
        let (problem, days) = read.await.map_err(|_| engine::Error::Internal)?;
        if let Some((file, problem)) = problem {
            let message = format!("cannot read the days off in `{file}`: {problem}");
            return Err(Error::new(codes::VALIDATION_ERROR, message, "correct `days_off` in `[timesheet]`"));
        }
        Ok(days)
    }
}
