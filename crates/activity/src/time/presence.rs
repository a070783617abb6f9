//! The times at which the user was at the computer, and the intervals away from the computer
//! (docs/spec/time.md#away-intervals).

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::response::{first_names, read_enum};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Parameter, Row, Rows, Statement, local_now, statement};
use dayledger_request::{DateRange, Minutes, format_iso, minutes};
use dayledger_source::ComputerState;

static AWAY: Statement =
    statement!(queries / "away", &[Parameter::instant("start"), Parameter::instant("end"), Parameter::instant("now")]);

/// The maximum number of intervals in a response. The earliest intervals are returned.
const MAX_INTERVALS: usize = 200;
/// The maximum number of tags, meetings or notes that an interval lists. A single `…` replaces all further names.
const MAX_NAMES: usize = 3;

/// First and last use, and the time away.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// Local start of the first active time.
    pub first_use: Option<String>,
    /// Local end of the last active time.
    pub last_use: Option<String>,
    /// Minutes of the breaks between the first and the last use of each day. A break lasts 10 minutes to 5 hours.
    pub break_minutes: Minutes,
    /// With blocks: breaks, and intervals with tags, meetings or notes at other times without use. Not active time.
    pub away: Option<Vec<AwayInterval>>,
}

/// An interval away from the computer.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AwayInterval {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: Minutes,
    /// State of the computer for most of the interval.
    pub state: ComputerState,
    /// Tags of the interval. Tagged time is the user's time, even away from the computer.
    pub tags: Option<Vec<String>>,
    /// Meetings in the calendar. Without a tag, a meeting doesn't prove that the user was there.
    pub meetings: Option<Vec<String>>,
    /// Paths of notes taken during the interval.
    pub notes_taken: Option<Vec<String>>,
}

/// Returns the statement for the intervals away from the computer. It leaves out intervals that end in the future.
pub(super) fn away_statement(range: &DateRange) -> (&'static Statement, Arguments) {
    (&AWAY, range.arguments().with_instant("now", local_now()))
}

impl Presence {
    /// Reads the rows of [`away_statement`]. `total` is the row of the active total. Returns `None` if the computer was
    /// not used and there are no intervals.
    pub(super) fn from_rows(away: &Rows, total: Row<'_>) -> Result<Option<Self>, engine::Error> {
        let first_use = total.get_optional::<NaiveDateTime>("first_use")?;
        if first_use.is_none() && away.is_empty() {
            return Ok(None);
        }
        let breaks = away.read(|row| Ok(if row.get("is_break")? { row.get::<i64>("seconds")? } else { 0 }))?;
        Ok(Some(Self {
            first_use: first_use.map(format_iso),
            last_use: total.get_optional::<NaiveDateTime>("last_use")?.map(format_iso),
            break_minutes: minutes(breaks.iter().sum()),
            away: Some(away.read(AwayInterval::from_row)?),
        }))
    }

    /// Removes the intervals that this page must not list. If `is_listed` is false, these are all intervals. Otherwise,
    /// these are the intervals of earlier pages. The last row of the previous page ends at the local time `previous`.
    pub(super) fn list_after(mut self, is_listed: bool, previous: Option<&String>) -> Self {
        self.away = self.away.filter(|_| is_listed);
        if let Some(away) = &mut self.away {
            // Local times in responses have a fixed length, so they can be compared as texts.
            away.retain(|interval| previous.is_none_or(|previous| interval.start > *previous));
            away.truncate(MAX_INTERVALS);
        }
        self
    }

    /// Removes the intervals that start after the local time `end`, at which the last row ends. If `end` is `None`,
    /// removes all intervals.
    pub(super) fn keep_until(&mut self, end: Option<&str>) {
        if let Some(away) = &mut self.away {
            away.retain(|interval| end.is_some_and(|end| interval.start.as_str() <= end));
        }
    }
}

impl AwayInterval {
    pub(super) fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        let names = |column| {
            let names = row.get_optional::<Vec<String>>(column)?.unwrap_or_default();
            Ok::<_, engine::Error>(Some(first_names(names, MAX_NAMES)).filter(|names| !names.is_empty()))
        };
        Ok(Self {
            start: format_iso(row.get("start_local")?),
            end: format_iso(row.get("end_local")?),
            duration_minutes: minutes(row.get("seconds")?),
            state: read_enum(row, "state")?,
            tags: names("tags")?,
            meetings: names("meetings")?,
            notes_taken: names("notes_taken")?,
        })
    }
}
