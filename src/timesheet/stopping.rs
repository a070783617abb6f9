//! Work that stops.

use chrono::{SubsecRound, Utc};
use dayledger_timesheet::TimeEntry;
use schemars::JsonSchema;
use serde::Serialize;

use super::codes;
use super::running::{RunningWork, book};
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
    /// It is booked.
    Logged,
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
        // Booked first: what is in the book of work alone would be lost between the two.
        let mut booked = match self.time {
            StoppedTime::Logged => book(sheet, &work, until).await?,
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

impl Answer for StoppedWork {}
