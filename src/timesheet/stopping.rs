//! Work that stops.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use dayledger_timesheet::book::Running;
use dayledger_timesheet::{Hours, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::running::{RunningWork, book, check_length};
use super::sheet::Sheet;
use crate::question::{Answer, Error, Question};

/// Asks to stop the work that goes on.
#[derive(Debug, Clone)]
pub struct StopRequest {
    /// What becomes of its time.
    pub time: StoppedTime,
}

/// What becomes of the time of work that stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoppedTime {
    /// It is booked, unless it is longer than anybody works.
    Logged,
    /// So many hours of it are booked, from its start.
    Hours(Hours),
    /// Nobody wants it, as where somebody forgot to stop.
    Discarded,
}

/// Work has stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoppedWork {
    /// What went on.
    pub work: RunningWork,
    /// Its entries, one for each local day; none where it was discarded or took less than half a
    /// hundredth of an hour.
    pub booked: Vec<TimeEntry>,
}

impl Question for StopRequest {
    type Of = Sheet;
    type Answer = StoppedWork;

    async fn answer(self, sheet: &Sheet) -> Result<StoppedWork, Error> {
        let until = Utc::now().trunc_subsecs(3);
        let running = sheet.book().await?.running().await?;
        let work = running.ok_or_else(|| {
            let hint = "`dayledger timesheet start PROJECT TASK` begins work";
            Error::new(codes::NOT_FOUND, "no work goes on", hint)
        })?;
        let until = match self.time {
            StoppedTime::Hours(hours) => after(&work, hours, until)?,
            StoppedTime::Logged => check_length(&work, until).map(|()| until)?,
            StoppedTime::Discarded => until,
        };
        // Booked first: what is in the book of work alone would be lost between the two.
        let mut booked = match self.time {
            StoppedTime::Logged | StoppedTime::Hours(_) => book(sheet, &work, until).await?,
            StoppedTime::Discarded => Vec::new(),
        };
        let stopped = sheet.book().await?.stop(until).await?;
        // Another program stopped it in between and began something else, which stops too.
        if let Some(stopped) = stopped.filter(|stopped| stopped.work != work) {
            booked.extend(book(sheet, &stopped.work, stopped.until).await?);
        }
        Ok(StoppedWork { work: RunningWork::at(&work, until), booked })
    }
}

/// The end of work of so many hours, which it has gone on for.
fn after(work: &Running, hours: Hours, now: DateTime<Utc>) -> Result<DateTime<Utc>, Error> {
    let end = TimeDelta::try_seconds(hours.hundredths() * 36).and_then(|length| work.since.checked_add_signed(length));
    let end = end.filter(|end| hours > Hours::ZERO && *end <= now);
    end.ok_or_else(|| {
        let most = Hours::between(work.since, now);
        Refusal::invalid("hours", format_args!("{hours} h are not what it was: it has gone on for {most} h")).into()
    })
}

impl Answer for StoppedWork {}
