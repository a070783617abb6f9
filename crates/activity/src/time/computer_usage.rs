//! Intervals in which the computer was active, away, locked or off (docs/spec/time.md#active-intervals).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::day_start_text;
use super::missing_timelines::{MISSING_TIMELINES, MissingTimelines};
use crate::response::read_enum;
use crate::{Diagnostics, Role, TimeBasis, devices};
use dayledger_engine as engine;
use dayledger_engine::{Engine, Rows, Statement, statement};
use dayledger_request::{
    Cursor, DateRange, Error, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso, minutes,
    run_statements,
};
use dayledger_source::ComputerState;

/// The maximum number of intervals in a response.
const MAX_INTERVALS: usize = 1000;

/// Requests the states of the computer in a local range, as recorded time.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device. Fails with `INVALID_CURSOR` if the cursor is
/// from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputerUsageRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// Whether to list intervals. Totals are always returned.
    pub include_intervals: bool,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
}

/// States of the computer, in order of time, clipped to the range.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComputerUsage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Local time at which days start, such as 04:00. Absent for midnight.
    pub day_start: Option<String>,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// The intervals, clipped to the range. Absent if not requested.
    pub intervals: Option<Vec<UsageInterval>>,
    /// Minutes per state in the whole range, listed or not. If several devices are in one state, each minute counts
    /// once.
    pub totals: StateTotals,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// One interval in one state.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageInterval {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: Minutes,
    /// The state.
    pub state: ComputerState,
    /// The device, if the range has several.
    pub device: Option<String>,
}

/// Minutes per state; states without time are omitted.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateTotals {
    /// In use.
    pub active: Option<Minutes>,
    /// On, but the user is away.
    pub away: Option<Minutes>,
    /// Session locked.
    pub locked: Option<Minutes>,
    /// Switched off.
    pub off: Option<Minutes>,
    /// Any other state.
    pub unknown: Option<Minutes>,
}

static COMPUTER_USAGE: Statement = statement!(queries / "computer_usage", devices::RANGE_OF_DEVICE);

static TOTALS: Statement = statement!(queries / "computer_usage_totals", devices::RANGE_OF_DEVICE);

impl Request for ComputerUsageRequest {
    type Service = Engine;
    type Response = ComputerUsage;

    async fn execute(self, engine: &Engine) -> Result<ComputerUsage, Error> {
        let page = Page::from_cursor(&Self { cursor: None, ..self.clone() }, self.cursor)?;
        let arguments = self.range.arguments().with_text("device", self.device.as_deref());
        let statements = [
            (&COMPUTER_USAGE, arguments.clone()),
            (&TOTALS, arguments.clone()),
            (&MISSING_TIMELINES, arguments.clone()),
            devices::statement(),
        ];
        let [rows, totals, missing, known_devices] = run_statements(engine, statements).await?;
        devices::check(&known_devices, self.device.as_deref())?;
        let (intervals, truncation) = if self.include_intervals {
            let (listed, truncation) = page.rows(rows.len(), MAX_INTERVALS, LimitedBy::Cap);
            (Some(intervals(&rows.slice(listed), devices::has_several(&rows)?)?), truncation)
        } else {
            (None, Truncation::not_requested(rows.len()))
        };
        Ok(ComputerUsage {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            time_basis: TimeBasis::Recorded,
            intervals,
            totals: StateTotals::from_rows(&totals)?,
            truncation,
            diagnostics: MissingTimelines::from_rows(&missing)?
                .explain(Role::ComputerUsage, Diagnostics::from_row_count(rows.len()))
                .with_dates(engine, &self.range)
                .await?,
        })
    }
}

fn intervals(rows: &Rows, several_devices: bool) -> Result<Vec<UsageInterval>, engine::Error> {
    rows.read(|row| {
        Ok(UsageInterval {
            start: format_iso(row.get("start_local")?),
            end: format_iso(row.get("end_local")?),
            duration_minutes: minutes(row.get("seconds")?),
            state: read_enum(row, "state")?,
            device: if several_devices { row.get_optional("device")? } else { None },
        })
    })
}

impl Truncate for ComputerUsage {
    fn rows(&self) -> usize {
        self.intervals.as_ref().map_or(0, Vec::len)
    }

    fn keep(&mut self, rows: usize) {
        if let Some(intervals) = &mut self.intervals {
            intervals.truncate(rows);
            self.truncation.keep(rows);
        }
    }
}

impl StateTotals {
    fn from_rows(totals: &Rows) -> Result<Self, Error> {
        let mut response = Self::default();
        for row in totals.iter() {
            let total = Some(minutes(row.get("seconds")?));
            match read_enum::<ComputerState>(row, "state")? {
                ComputerState::Active => response.active = total,
                ComputerState::Away => response.away = total,
                ComputerState::Locked => response.locked = total,
                ComputerState::Off => response.off = total,
                ComputerState::Unknown => response.unknown = total,
            }
        }
        Ok(response)
    }
}
