//! Explains a total: the breaks of a day, and how each row of the history counts (docs/spec/time.md#why).

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::narrative::BLOCKS;
use super::period::weekday;
use super::presence::{AwayInterval, away_statement};
use crate::devices::{self, RANGE_OF_DEVICE};
use dayledger_core::local_days::LocalDays;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Row, Rows, Statement, statement};
use dayledger_request::{
    Batch, BatchRows, DateRange, Error, Minutes, Request, Slot, format_iso, minutes, run_statements,
};

/// Requests an explanation of a range's active time.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device.
#[derive(Debug, Clone, PartialEq)]
pub struct WhyRequest {
    /// The local time to explain.
    pub when: WhyTime,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// Whether to list the rows of the history.
    pub include_rows: bool,
}

/// The time to explain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WhyTime {
    /// A whole range.
    Range(DateRange),
    /// A local time. The explanation covers the block that contains this time. Without such a block, it covers the
    /// interval away from the computer that contains the time. Without such an interval, it covers one second.
    Around(NaiveDateTime),
}

/// The active time of a range, and recorded time that doesn't count as active.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Active minutes, each counted once over all devices.
    pub total_active_minutes: Minutes,
    /// Active minutes in calls, away from the keyboard.
    pub call_minutes: Option<Minutes>,
    /// Recorded time of applications that doesn't count.
    pub not_counted: NotCounted,
    /// The days with activity, in order.
    pub days: Vec<WhyDay>,
    /// The block around the requested time, if there is one.
    pub block: Option<WhyBlock>,
    /// The interval away from the computer around the requested time, if no block contains this time.
    pub away: Option<AwayInterval>,
    /// The rows of the history, in order of time, if requested.
    pub rows: Option<Vec<WhyRow>>,
}

/// Recorded time of applications that doesn't count, by reason.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotCounted {
    /// The device was not in use.
    pub not_in_use_minutes: Option<Minutes>,
    /// A later row of the device owns the time.
    pub hidden_minutes: Option<Minutes>,
    /// Another device counts the time.
    pub shared_minutes: Option<Minutes>,
    /// Number of ignored rows.
    pub ignored_rows: Option<usize>,
}

/// A local day. The time from the first to the last use consists of active time, breaks and gaps.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Local start of the first active time.
    pub first_use: String,
    /// Local end of the last active time.
    pub last_use: String,
    /// Minutes from the first to the last use.
    pub elapsed_minutes: Minutes,
    /// Active minutes, each counted once over all devices.
    pub active_minutes: Minutes,
    /// Minutes of the breaks. Absent if the request is about one device.
    pub break_minutes: Option<Minutes>,
    /// Minutes that are neither active nor a break: gaps that are too short or too long for a break, and use without a
    /// visible application. Includes the breaks if the request is about one device.
    pub gap_minutes: Minutes,
    /// The breaks, in order of time. Empty if the request is about one device.
    pub breaks: Vec<AwayInterval>,
    /// The average of earlier days, if the range is exactly one day.
    pub weekday_average: Option<WeekdayAverage>,
}

/// Average over the days with activity on the same weekday, in the eight weeks before the day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekdayAverage {
    /// Active minutes.
    pub active_minutes: Minutes,
    /// Number of days in the average.
    pub days: usize,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyBlock {
    /// Subject of the block.
    pub subject: String,
    /// Active minutes of the block.
    pub active_minutes: Minutes,
    /// The active minutes that were spent on the subject itself.
    pub on_subject_minutes: Minutes,
}

/// An application row of the history, or any row that is ignored.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyRow {
    /// Local start of the row's time in the range. Absent if it can't be parsed.
    pub start: Option<String>,
    /// Local end of the row's time in the range. Absent if it can't be parsed.
    pub end: Option<String>,
    /// The sum of the row's counted, shared, hidden and unused minutes.
    pub duration_minutes: Minutes,
    /// Active minutes, each counted once over all devices.
    pub counted_minutes: Minutes,
    /// Why the other minutes of the row don't count.
    #[serde(flatten)]
    pub not_counted: NotCounted,
    /// Active minutes in a call, away from the keyboard.
    pub call_minutes: Option<Minutes>,
    /// The device.
    pub device: Option<String>,
    /// The application.
    pub application: Option<String>,
    /// The rule that matches most of the row's active time.
    pub rule: Option<String>,
    /// Whether the row continues outside of the range.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_clipped: bool,
    /// The timeline that contains the row.
    pub timeline_id: i64,
    /// The id of the activity, unique within its timeline.
    pub activity_id: i64,
    /// The reason why the row is ignored.
    pub reason: Option<String>,
}

/// A day is compared with the average of the same weekday in this many days before it. 56 days contain each weekday
/// eight times.
const COMPARED_DAYS: i64 = 56;

const RANGE_OF_WEEKDAY: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("device"), Parameter::count("weekday")];

static DAYS: Statement = statement!(queries / "why_days", RANGE_OF_DEVICE);

static ROWS: Statement = statement!(queries / "why", RANGE_OF_DEVICE);

static TOTALS: Statement = statement!(queries / "why_totals", RANGE_OF_DEVICE);

static WEEKDAY_AVERAGE: Statement = statement!(queries / "weekday_average", RANGE_OF_WEEKDAY);

impl Request for WhyRequest {
    type Service = Engine;
    type Response = Why;

    async fn execute(self, engine: &Engine) -> Result<Why, Error> {
        let device = self.device.as_deref();
        let Surroundings { range, block, away } = match self.when {
            WhyTime::Range(range) => Surroundings { range, block: None, away: None },
            WhyTime::Around(time) => Surroundings::find(engine, time, device).await?,
        };
        let arguments = arguments(&range, device);
        let mut batch = Batch::default();
        let slots = DaySlots::new(&mut batch, &range, device);
        // Only one of these two statements runs, because each of them computes all rows. If the rows are requested, the
        // totals are the sums of the rows.
        let explained = batch.add((if self.include_rows { &ROWS } else { &TOTALS }, arguments));
        let known_devices = batch.add(devices::statement());
        let results = batch.run(engine).await?;
        devices::check(results.rows(known_devices)?, device)?;
        let (days, total) = slots.read(&results)?;
        let explained = results.rows(explained)?;
        let totals = if self.include_rows { TotalSeconds::sum(explained)? } else { TotalSeconds::read(explained)? };
        Ok(Why {
            start_date: range.start_text(),
            end_date: range.end_text(),
            total_active_minutes: minutes(total),
            call_minutes: minutes_if_any(totals.call),
            not_counted: NotCounted {
                not_in_use_minutes: minutes_if_any(totals.not_in_use),
                hidden_minutes: minutes_if_any(totals.hidden),
                shared_minutes: minutes_if_any(totals.shared),
                ignored_rows: usize::try_from(totals.ignored_rows).ok().filter(|rows| *rows > 0),
            },
            days,
            block,
            away,
            rows: self.include_rows.then(|| explained.read(WhyRow::from_row)).transpose()?,
        })
    }
}

impl Why {
    /// Returns whether there is nothing to explain: no active time, no uncounted time and no row.
    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
            && self.away.is_none()
            && self.not_counted == NotCounted::default()
            && self.rows.as_ref().is_none_or(Vec::is_empty)
    }
}

/// The range around a requested time.
struct Surroundings {
    range: DateRange,
    block: Option<WhyBlock>,
    away: Option<AwayInterval>,
}

impl Surroundings {
    /// Finds the block that contains a local time, or otherwise the interval away from the computer that contains it.
    /// If there is neither, the result is one second.
    async fn find(engine: &Engine, time: NaiveDateTime, device: Option<&str>) -> Result<Self, Error> {
        let day = DateRange::day(LocalDays::current().day_of(time));
        let blocks = (&BLOCKS, arguments(&day, device).with_count("min_seconds", 0));
        let [blocks, away] = run_statements(engine, [blocks, away_statement(&day)]).await?;
        if let Some((range, row)) = row_at(&blocks, time)? {
            let block = WhyBlock {
                subject: row.get("subject")?,
                active_minutes: minutes(row.get("seconds")?),
                on_subject_minutes: minutes(row.get("on_subject")?),
            };
            return Ok(Self { range, block: Some(block), away: None });
        }
        // If one device is requested, intervals away from the computer are ignored. The user may have been at another
        // device.
        if let (None, Some((range, row))) = (device, row_at(&away, time)?) {
            return Ok(Self { range, block: None, away: Some(AwayInterval::from_row(row)?) });
        }
        // A range can't be empty, so the moment becomes one second.
        let end = time.checked_add_signed(TimeDelta::seconds(1)).unwrap_or(time);
        Ok(Self { range: DateRange::new(time, end, "START")?, block: None, away: None })
    }
}

/// Returns the first row that contains a local time, and its range.
fn row_at(rows: &Rows, time: NaiveDateTime) -> Result<Option<(DateRange, Row<'_>)>, Error> {
    for row in rows.iter() {
        let (start, end): (NaiveDateTime, NaiveDateTime) = (row.get("start_local")?, row.get("end_local")?);
        if start <= time && time < end {
            return Ok(Some((DateRange::new(start, end, "START")?, row)));
        }
    }
    Ok(None)
}

fn arguments(range: &DateRange, device: Option<&str>) -> Arguments {
    range.arguments().with_text("device", device)
}

/// The slots of the statements about days in a batch.
struct DaySlots {
    days: Slot,
    /// Intervals away from the computer. Absent if one device is requested, because the user may have been at another
    /// device.
    away: Option<Slot>,
    /// The average of earlier days. Present only if the range is one day.
    average: Option<Slot>,
}

impl DaySlots {
    /// Adds the statements to a batch.
    fn new(batch: &mut Batch, range: &DateRange, device: Option<&str>) -> Self {
        let arguments = arguments(range, device);
        let start = range.start();
        let before = Some(start)
            .filter(|_| *range == DateRange::day(range.first_day()))
            .and_then(|start| start.checked_sub_signed(TimeDelta::days(COMPARED_DAYS)))
            .and_then(|first| DateRange::new(first, start, "start").ok());
        let weekday = i64::from(weekday(range.first_day()));
        let average =
            before.map(|before| before.arguments().with_text("device", device).with_count("weekday", weekday));
        Self {
            days: batch.add((&DAYS, arguments)),
            away: device.is_none().then(|| batch.add(away_statement(range))),
            average: average.map(|arguments| batch.add((&WEEKDAY_AVERAGE, arguments))),
        }
    }

    /// Reads the days, and the active seconds of the whole range.
    fn read(self, results: &BatchRows) -> Result<(Vec<WhyDay>, i64), Error> {
        let average = match self.average {
            Some(slot) => WeekdayAverage::from_row(results.rows(slot)?.first()?)?,
            None => None,
        };
        let away = self.away.map(|slot| results.rows(slot)?.read(read_break)).transpose()?;
        let (mut days, mut total) = (Vec::new(), 0);
        for row in results.rows(self.days)?.iter() {
            let active: i64 = row.get("active_seconds")?;
            // The row without a date is the whole range.
            let Some(date) = row.get_optional::<NaiveDate>("date")? else {
                total = active;
                continue;
            };
            let of_day = |(day, interval): &(NaiveDate, AwayInterval)| (*day == date).then(|| interval.clone());
            let breaks: Vec<_> = away.iter().flatten().flatten().filter_map(of_day).collect();
            let break_seconds: i64 = breaks.iter().map(|interval| interval.duration_minutes.seconds()).sum();
            let elapsed: i64 = row.get("elapsed_seconds")?;
            days.push(WhyDay {
                date: date.to_string(),
                first_use: format_iso(row.get("first_use")?),
                last_use: format_iso(row.get("last_use")?),
                elapsed_minutes: minutes(elapsed),
                active_minutes: minutes(active),
                break_minutes: away.is_some().then(|| minutes(break_seconds)),
                gap_minutes: minutes(elapsed - active - break_seconds),
                breaks,
                weekday_average: average,
            });
        }
        Ok((days, total))
    }
}

/// Reads the day and the interval of a row of [`away_statement`]. Returns `None` if the interval isn't a break.
fn read_break(row: Row<'_>) -> Result<Option<(NaiveDate, AwayInterval)>, engine::Error> {
    let is_break: bool = row.get("is_break")?;
    is_break.then(|| Ok((row.get("day")?, AwayInterval::from_row(row)?))).transpose()
}

fn minutes_if_any(seconds: i64) -> Option<Minutes> {
    (seconds > 0).then(|| minutes(seconds))
}

fn read_minutes(row: Row<'_>, column: &str) -> Result<Option<Minutes>, engine::Error> {
    Ok(minutes_if_any(row.get(column)?))
}

impl WeekdayAverage {
    /// Returns the average of a row, or `None` if the average covers no days.
    fn from_row(row: Row<'_>) -> Result<Option<Self>, engine::Error> {
        let days = usize::try_from(row.get::<i64>("days")?).unwrap_or_default();
        let seconds: Option<i64> = row.get_optional("active_seconds")?;
        Ok(seconds.map(|seconds| Self { active_minutes: minutes(seconds), days }))
    }
}

/// The totals over all rows, in seconds.
#[derive(Default)]
struct TotalSeconds {
    shared: i64,
    not_in_use: i64,
    hidden: i64,
    call: i64,
    ignored_rows: i64,
}

impl TotalSeconds {
    /// Reads the row of [`TOTALS`].
    fn read(totals: &Rows) -> Result<Self, engine::Error> {
        let row = totals.first()?;
        let mut total = Self { ignored_rows: row.get("ignored_rows")?, ..Self::default() };
        total.add(row)?;
        Ok(total)
    }

    /// Adds up the rows of [`ROWS`].
    fn sum(rows: &Rows) -> Result<Self, engine::Error> {
        let mut total = Self::default();
        for row in rows.iter() {
            total.add(row)?;
            total.ignored_rows += i64::from(row.get_optional::<String>("reason")?.is_some());
        }
        Ok(total)
    }

    fn add(&mut self, row: Row<'_>) -> Result<(), engine::Error> {
        self.shared += row.get::<i64>("shared_seconds")?;
        self.not_in_use += row.get::<i64>("not_in_use_seconds")?;
        self.hidden += row.get::<i64>("hidden_seconds")?;
        self.call += row.get::<i64>("call_seconds")?;
        Ok(())
    }
}

impl NotCounted {
    fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        Ok(Self {
            not_in_use_minutes: read_minutes(row, "not_in_use_seconds")?,
            hidden_minutes: read_minutes(row, "hidden_seconds")?,
            shared_minutes: read_minutes(row, "shared_seconds")?,
            ignored_rows: None,
        })
    }
}

impl WhyRow {
    fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        let time = |column: &str| Ok::<_, engine::Error>(row.get_optional(column)?.map(format_iso));
        Ok(Self {
            start: time("start_local")?,
            end: time("end_local")?,
            duration_minutes: minutes(row.get("seconds")?),
            counted_minutes: minutes(row.get("counted_seconds")?),
            not_counted: NotCounted::from_row(row)?,
            call_minutes: read_minutes(row, "call_seconds")?,
            device: row.get_optional("device")?,
            application: row.get_optional("application")?,
            rule: row.get_optional("rule")?,
            is_clipped: row.get("is_clipped")?,
            timeline_id: row.get("timeline_id")?,
            activity_id: row.get("activity_id")?,
            reason: row.get_optional("reason")?,
        })
    }
}
