//! Work that goes on, and how it is booked once it stops.

use chrono::{DateTime, Days, Local, NaiveTime, TimeDelta, TimeZone, Utc};
use dayledger_timesheet::book::Running;
use dayledger_timesheet::rules::Overlaps;
use dayledger_timesheet::rules::overlap::check_overlaps;
use dayledger_timesheet::{Day, Hours, LocalKey, NewEntry, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::sheet::Sheet;
use crate::question::{Error, iso};

/// Work that goes on, or has stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningWork {
    /// The project's code.
    pub project_code: String,
    /// The task.
    pub task: String,
    /// What is done.
    pub description: Option<String>,
    /// Since when, local.
    pub since: String,
    /// Its hours until now, or until it stopped.
    pub hours: Hours,
}

impl RunningWork {
    /// That work as it is at a moment.
    pub(super) fn at(work: &Running, now: DateTime<Utc>) -> Self {
        Self {
            project_code: work.project_code.clone(),
            task: work.task.clone(),
            description: work.description.clone(),
            since: iso(work.since.with_timezone(&Local).naive_local()),
            hours: Hours::between(work.since, now),
        }
    }
}

/// The longest work that is booked as it is; longer work was forgotten, or somebody says how long it was.
const LONGEST: TimeDelta = TimeDelta::hours(16);

/// Refuses work that went on for longer than anybody works.
///
/// # Errors
/// `VALIDATION_ERROR` with how long it was, and how to say otherwise.
pub(super) fn check_length(work: &Running, until: DateTime<Utc>) -> Result<(), Error> {
    if until - work.since <= LONGEST {
        return Ok(());
    }
    let RunningWork { since, hours, project_code, task, .. } = RunningWork::at(work, until);
    let message = format!("{project_code} / {task} has gone on for {hours} h, since {since}: nothing was logged of it");
    let hint = "`dayledger timesheet stop --hours HOURS` logs so many from its start, `stop --discard` none";
    Err(Error::new(codes::VALIDATION_ERROR, message, hint))
}

/// Books work that stops at that moment, an entry for each local day that it went on. It still goes on in the book
/// afterwards; under the keys of its days it is booked once, however often a crash in between is.
///
/// # Errors
/// What refuses one of the entries; those before it are booked.
pub(super) async fn book(sheet: &Sheet, work: &Running, until: DateTime<Utc>) -> Result<Vec<TimeEntry>, Error> {
    let timesheet = sheet.timesheet().await?;
    let mut days = Vec::new();
    for (day, hours) in by_day(work.since, until, &Local) {
        let entry = NewEntry {
            description: work.description.clone(),
            issue_id: work.issue_id.clone(),
            ..NewEntry::new(&work.project_code, &work.task, hours, day, day)
        };
        let key = LocalKey::of_work(work.since, day);
        // Of work over midnights all days are booked, or none where one of them has too many hours.
        if sheet.book().await?.booked(key).await?.is_none() {
            let bookings = timesheet.bookings(day..=day, 0..0).await?;
            check_overlaps(&entry, &bookings.logged()).map_err(still_running)?;
        }
        days.push((key, entry));
    }
    let mut booked = Vec::new();
    for (key, entry) in days {
        let hours = entry.standard_hours;
        let entry = timesheet.log(key, entry, Overlaps::Refused).await.map_err(still_running)?;
        // Somebody has stopped it on that day, and was interrupted before the book knew.
        let has_stopped = entry.total_hours() < hours;
        booked.push(entry);
        if has_stopped {
            break;
        }
    }
    Ok(booked)
}

/// What is refused goes on.
fn still_running(refusal: Refusal) -> Error {
    let mut error = Error::from(refusal);
    error.hint = format!("{}; `dayledger timesheet stop --discard` ends the work without logging it", error.hint);
    error
}

/// The hours of each local day, in hundredths that add up to those of the whole; days with none are left out.
fn by_day<Z: TimeZone>(since: DateTime<Utc>, until: DateTime<Utc>, zone: &Z) -> Vec<(Day, Hours)> {
    let (mut days, mut at) = (Vec::new(), since);
    while at < until {
        let date = at.with_timezone(zone).date_naive();
        let next = date.checked_add_days(Days::new(1)).and_then(|next| {
            let midnight = next.and_time(NaiveTime::MIN);
            // Where clocks go forward at midnight, the day begins at the first moment that there is.
            let mut after = (0..=3).map(|hours| midnight + TimeDelta::hours(hours));
            after.find_map(|instant| zone.from_local_datetime(&instant).earliest())
        });
        let end = next.map_or(until, |next| next.to_utc()).clamp(at + TimeDelta::milliseconds(1), until);
        let hours = Hours::between(since, end) - Hours::between(since, at);
        if let Some(day) = Day::try_from(date).ok().filter(|_| hours > Hours::ZERO) {
            days.push((day, hours));
        }
        at = end;
    }
    days
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::timezone::Tz;

    use super::*;

    fn told(since: &str, until: &str, zone: &str) -> Vec<(String, i64)> {
        let utc = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        let days = by_day(utc(since), utc(until), &zone.parse::<Tz>().unwrap());
        days.into_iter().map(|(day, hours)| (day.to_string(), hours.hundredths())).collect()
    }

    #[test]
    fn work_is_split_at_local_midnights_and_its_hours_add_up() {
        let day = |day: &str, hundredths| (day.to_owned(), hundredths);
        // Half of a hundredth on each side of midnight is one hundredth, not two and not none.
        assert_eq!(told("2025-10-22T21:59:42Z", "2025-10-22T22:00:18Z", "Europe/Berlin"), [day("2025-10-23", 1)]);
        assert_eq!(
            told("2025-10-22T20:00:00Z", "2025-10-24T00:30:00Z", "Europe/Berlin"),
            [day("2025-10-22", 2_00), day("2025-10-23", 24_00), day("2025-10-24", 2_50)]
        );
        // A day of 25 hours, and one that begins at one o'clock.
        assert_eq!(
            told("2025-10-25T22:00:00Z", "2025-10-26T23:30:00Z", "Europe/Berlin"),
            [day("2025-10-26", 25_00), day("2025-10-27", 50)]
        );
        assert_eq!(
            told("2017-10-15T02:00:00Z", "2017-10-15T04:00:00Z", "America/Sao_Paulo"),
            [day("2017-10-14", 1_00), day("2017-10-15", 1_00)]
        );
        assert_eq!(told("2025-10-22T20:00:00Z", "2025-10-22T20:00:10Z", "Europe/Berlin"), []);
        assert_eq!(told("2025-10-22T20:00:00Z", "2025-10-22T19:00:00Z", "Europe/Berlin"), []);
    }
}
