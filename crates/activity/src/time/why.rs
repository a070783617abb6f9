//! Explains a total: the category of each second in a range, and the reason (docs/spec/time.md#why).

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::devices::{self, RANGE_OF_DEVICE};
use crate::response::read_enum;
use dayledger_engine as engine;
use dayledger_engine::{Engine, Row, Statement, statement};
use dayledger_request::{DateRange, Error, Minutes, Request, format_iso, minutes, run_statements};

/// Requests an explanation of a range's active time.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not have the device.
#[derive(Debug, Clone, PartialEq)]
pub struct WhyRequest {
    /// The local time to explain.
    pub when: WhyTime,
    /// Only this device (its display name).
    pub device: Option<String>,
}

/// The time to explain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WhyTime {
    /// A whole range.
    Range(DateRange),
    /// The segment around a time, up to the ends of the day. If there is no segment, the intervals at that time.
    Around(NaiveDateTime),
}

/// The intervals of a range, and their totals.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Active minutes, each counted once over all devices: those of the intervals that add to both totals.
    pub total_active_minutes: Minutes,
    /// Further active minutes, which count on another device.
    pub shared_minutes: Minutes,
    /// Minutes per kind of time and device, in the order of the kinds.
    pub totals: Vec<WhyTotal>,
    /// The blocks of the intervals, in order of time.
    pub blocks: Vec<WhyBlock>,
    /// The intervals, in order of time.
    pub stretches: Vec<WhyStretch>,
}

/// Total of one kind of time on one device.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyTotal {
    /// The kind of time.
    pub counts: Counts,
    /// The device. Absent for tags without a device.
    pub device: Option<String>,
    /// Its minutes.
    pub total_minutes: Minutes,
    /// Number of intervals.
    pub stretches: usize,
}

/// The part of a block inside the range.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyBlock {
    /// Local start of the whole block.
    pub start: String,
    /// Its subject.
    pub subject: String,
    /// Minutes of its intervals in the range, each counted once.
    pub active_minutes: Minutes,
}

/// The kind of time of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// Active time of an application.
    Active,
    /// Away, in a call that counts.
    Call,
    /// The user was away from the computer.
    Away,
    /// The session was locked.
    Locked,
    /// The computer was off.
    Off,
    /// The state is unknown.
    Unknown,
    /// In use, without an application row.
    NoApplication,
    /// Only a tag.
    Tagged,
    /// An application row that a later one overlaps.
    Covered,
    /// A row that doesn't count.
    Ignored,
}

/// The totals that an interval adds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Adds {
    /// The overall total and that of its application.
    Both,
    /// Only the total of its application.
    Application,
    /// No total.
    Neither,
}

/// How an interval became part of its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// It has the application of the segment.
    Own,
    /// It has the application of the segment, after a gap.
    Gap,
    /// It is a short interruption.
    Absorbed,
}

/// An interval of one row of the history.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyStretch {
    /// Local start. Absent if it can't be parsed.
    pub start: Option<String>,
    /// Local end. Absent if it can't be parsed.
    pub end: Option<String>,
    /// Its length.
    pub duration_minutes: Minutes,
    /// The kind of time.
    pub counts: Counts,
    /// The totals that it adds to.
    pub adds_to: Adds,
    /// The device. Absent for tags without a device.
    pub device: Option<String>,
    /// The application in front.
    pub application: Option<String>,
    /// The timeline of the row.
    pub timeline_id: i64,
    /// The activity, unique within its timeline.
    pub activity_id: i64,
    /// The reason for its start, if the row started earlier.
    pub cut_start: Option<String>,
    /// The reason for its end, if the row continues.
    pub cut_end: Option<String>,
    /// Its segment and block, if it is active time.
    #[serde(flatten)]
    pub work: Option<WhyWork>,
    /// The rule that matches.
    pub rule: Option<String>,
    /// The tags that contain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The reason why a row is ignored.
    pub reason: Option<String>,
}

/// The segment and block of an interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyWork {
    /// Local start of the segment.
    pub segment_start: String,
    /// How the interval became part of the segment.
    pub step: Step,
    /// Local start of the block.
    pub block_start: String,
    /// Subject of the block.
    pub block: String,
    /// Whether the interval has the subject of the block.
    pub is_on_subject: bool,
}

static WHY: Statement = statement!(queries / "why", RANGE_OF_DEVICE);

impl Request for WhyRequest {
    type Service = Engine;
    type Response = Why;

    async fn execute(self, engine: &Engine) -> Result<Why, Error> {
        let (range, instant) = match self.when {
            WhyTime::Range(range) => (range, None),
            WhyTime::Around(instant) => (DateRange::day(instant.date()), Some(instant)),
        };
        let arguments = range.arguments().with_text("device", self.device.as_deref());
        let [rows, devices] = run_statements(engine, [(&WHY, arguments), devices::statement()]).await?;
        devices::check(&devices, self.device.as_deref())?;
        let intervals = rows.read(read_interval)?;
        Ok(match instant {
            None => Why::new((range.start_text(), range.end_text()), intervals, self.device.is_some()),
            Some(instant) => Why::at_time(instant, &intervals, self.device.is_some()),
        })
    }
}

impl Why {
    fn at_time(instant: NaiveDateTime, intervals: &[WhyStretch], is_one_device: bool) -> Self {
        let at = format_iso(instant);
        // Timestamps in one format sort in order of time.
        let contains_time = |interval: &&WhyStretch| {
            interval.start.as_ref().is_some_and(|start| *start <= at)
                && interval.end.as_ref().is_some_and(|end| *end > at)
        };
        let current: Vec<WhyStretch> = intervals.iter().filter(contains_time).cloned().collect();
        let is_work = current.iter().any(|interval| interval.work.is_some());
        let near = intervals.iter().filter(|interval| match interval.segment() {
            Some(segment) => current.iter().any(|current| current.segment() == Some(segment)),
            None => !is_work && current.contains(interval),
        });
        let near: Vec<_> = near.cloned().collect();
        let start = near.iter().filter_map(|interval| interval.start.clone()).min();
        let end = near.iter().filter_map(|interval| interval.end.clone()).max();
        Self::new((start.unwrap_or_else(|| at.clone()), end.unwrap_or(at)), near, is_one_device)
    }

    /// Sums up intervals. With a single device, all its active time counts, even if it is also active time of another
    /// device.
    fn new((start_date, end_date): (String, String), intervals: Vec<WhyStretch>, is_one_device: bool) -> Self {
        let mut totals: BTreeMap<(Counts, Option<String>), (i64, usize)> = BTreeMap::new();
        let mut blocks: Vec<WhyBlock> = Vec::new();
        let (mut whole, mut shared) = (0, 0);
        for interval in &intervals {
            let seconds = interval.duration_minutes.seconds();
            let (total, count) = totals.entry((interval.counts, interval.device.clone())).or_default();
            (*total, *count) = (*total + seconds, *count + 1);
            let Some(work) = &interval.work else { continue };
            let counted = if is_one_device || interval.adds_to == Adds::Both { seconds } else { 0 };
            (whole, shared) = (whole + counted, shared + seconds - counted);
            match blocks.iter_mut().rev().find(|block| work.is_part_of(block)) {
                Some(block) => block.active_minutes = minutes(block.active_minutes.seconds() + counted),
                None => blocks.push(WhyBlock {
                    start: work.block_start.clone(),
                    subject: work.block.clone(),
                    active_minutes: minutes(counted),
                }),
            }
        }
        let total = |((counts, device), (seconds, stretches))| WhyTotal {
            counts,
            device,
            total_minutes: minutes(seconds),
            stretches,
        };
        Self {
            start_date,
            end_date,
            total_active_minutes: minutes(whole),
            shared_minutes: minutes(shared),
            totals: totals.into_iter().map(total).collect(),
            blocks,
            stretches: intervals,
        }
    }
}

impl WhyStretch {
    /// Returns the device and start that identify the segment in the response.
    fn segment(&self) -> Option<(Option<&str>, &str)> {
        self.work.as_ref().map(|work| (self.device.as_deref(), work.segment_start.as_str()))
    }
}

impl WhyWork {
    /// Whether the interval is part of `block`.
    pub fn is_part_of(&self, block: &WhyBlock) -> bool {
        (self.block_start.as_str(), self.block.as_str()) == (block.start.as_str(), block.subject.as_str())
    }
}

fn read_interval(row: Row<'_>) -> Result<WhyStretch, engine::Error> {
    let instant = |column: &str| Ok::<_, engine::Error>(row.get_optional(column)?.map(format_iso));
    let segment_start = instant("segment_start")?;
    let work = match segment_start {
        None => None,
        Some(segment_start) => Some(WhyWork {
            segment_start,
            step: read_enum(row, "step")?,
            block_start: format_iso(row.get("block_start")?),
            block: row.get("block")?,
            is_on_subject: row.get("is_on_subject")?,
        }),
    };
    Ok(WhyStretch {
        start: instant("start_local")?,
        end: instant("end_local")?,
        duration_minutes: minutes(row.get("seconds")?),
        counts: read_enum(row, "counts")?,
        adds_to: read_enum(row, "adds_to")?,
        device: row.get_optional("device")?,
        application: row.get_optional("application")?,
        timeline_id: row.get("timeline_id")?,
        activity_id: row.get("activity_id")?,
        cut_start: row.get_optional("cut_start")?,
        cut_end: row.get_optional("cut_end")?,
        work,
        rule: row.get_optional("rule")?,
        tags: row.get_optional("tags")?.unwrap_or_default(),
        reason: row.get_optional("reason")?,
    })
}
