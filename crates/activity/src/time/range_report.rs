//! All data for a page about a day, a week or a month, from one consistent read.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::active_time::{self, ACTIVE_TOTAL};
use super::narrative::{BLOCKS, NARRATIVE};
use super::presence::{Presence, away_statement};
use crate::{
    AwayInterval, Filter, NamedTotal, NarrativeRequest, PeriodSummary, PeriodSummaryRequest, Purposes, ReasonCode,
    Segment, devices,
};
use dayledger_engine as engine;
use dayledger_engine::{Engine, Rows, Statement, statement};
use dayledger_request::{Batch, DateRange, Error};

static PIECES_BY_DAY: Statement = statement!(queries / "pieces_by_day", active_time::RANGE_OF_ROLE);

static TAGS_BY_DAY: Statement = statement!(queries / "tags_by_day", devices::RANGE);

static ACTIVE_HOURS: Statement = statement!(queries / "active_hours", devices::RANGE_OF_DEVICE);

/// Requests a report about local days. All figures are active time, except the intervals of tags, which are tagged time
/// (docs/spec/time.md#tagged-time).
///
/// The report is for people, not for tools. It contains every piece, without a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct RangeReportRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only this device, by its display name. Tags apply to every device, so the device doesn't limit them.
    pub device: Option<String>,
    /// Whether the segments of a single day include the window title with the most time.
    pub include_titles: bool,
    /// The filter. Only matching time and matching tags are included.
    pub filter: Filter,
}

/// The complete report of a range. It uses the same statements as the tools, so that totals are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct RangeReport {
    /// The requested range.
    pub range: DateRange,
    /// The filter that applies to all figures.
    pub filter: Filter,
    /// Totals, days, top lists and missing data, as in the response of `get_period_summary`.
    pub summary: PeriodSummary,
    /// Documents with the most time.
    pub top_documents: Vec<NamedTotal>,
    /// Number of all documents, if the list is cut.
    pub top_documents_available: Option<usize>,
    /// Time by client and task.
    pub purposes: Purposes,
    /// Pieces of applications in order of time, split at the start of days. Empty for recorded time.
    pub applications: Vec<NamedInterval>,
    /// Pieces of sites in order of time, split at the start of days. Empty for recorded time.
    pub websites: Vec<NamedInterval>,
    /// Tagged intervals in order of time, split at the start of days. They are clipped to the range, but not to active
    /// use.
    pub tags: Vec<NamedInterval>,
    /// Active time of each local hour with activity, in order.
    pub hours: Vec<ActiveHour>,
    /// Blocks and segments, for a range within one local day.
    pub day: Option<DaySegments>,
}

/// An interval within one local day, with the name of its application, site or tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInterval {
    /// Local date.
    pub date: NaiveDate,
    /// The device that recorded the interval. `None` for tags.
    pub device: Option<String>,
    /// Display name of an application or site, or a full tag.
    pub name: String,
    /// The user's colour as six hex digits.
    pub color: Option<String>,
    /// Local start.
    pub start_local: NaiveDateTime,
    /// Start in UTC.
    pub start_utc: NaiveDateTime,
    /// Local end, exclusive.
    pub end_local: NaiveDateTime,
    /// End in UTC.
    pub end_utc: NaiveDateTime,
}

impl NamedInterval {
    /// Returns the length, measured in UTC (docs/spec/time.md#local-time-and-utc).
    pub fn length(&self) -> TimeDelta {
        self.end_utc - self.start_utc
    }
}

/// The active time of one local hour of one local day. If a clock change repeats the hour, it has up to 7200 seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveHour {
    /// Local date.
    pub date: NaiveDate,
    /// Local hour, 0 to 23.
    pub hour: u32,
    /// Active seconds, each counted once over all devices.
    pub seconds: i64,
}

/// One day, as blocks and as segments.
#[derive(Debug, Clone, PartialEq)]
pub struct DaySegments {
    /// The day as blocks ([`Detail::Blocks`](crate::Detail::Blocks)).
    pub blocks: Vec<Segment>,
    /// The day as segments.
    pub segments: Vec<Segment>,
    /// First and last use, breaks, and intervals away from the computer. `None` with a filter or a device.
    pub presence: Option<Presence>,
}

impl DaySegments {
    /// Returns the intervals away from the computer.
    pub fn away(&self) -> &[AwayInterval] {
        self.presence.as_ref().and_then(|presence| presence.away.as_deref()).unwrap_or_default()
    }
}

impl RangeReport {
    /// Returns the reason why the filter matches nothing, or `None` if it matches something.
    pub fn unmatched_hint(&self) -> Option<&str> {
        let diagnostics = &self.summary.diagnostics;
        let hint = diagnostics.remediation_hint.as_deref();
        hint.filter(|_| diagnostics.reason_code == Some(ReasonCode::FilterMatchesNothing))
    }
}

impl RangeReportRequest {
    /// Runs the request on `engine`, in one consistent read.
    ///
    /// # Errors
    /// Fails with `UNKNOWN_DEVICE` if the history does not contain the device. Also fails if the history cannot be
    /// read.
    pub async fn answer(self, engine: &Engine) -> Result<RangeReport, Error> {
        let summary = PeriodSummaryRequest {
            device: self.device.clone(),
            filter: self.filter.clone(),
            ..PeriodSummaryRequest::new(self.range)
        };
        let arguments = self.range.arguments().with_text("device", self.device.as_deref());
        let arguments = self.filter.apply(arguments);
        let mut batch = Batch::default();
        let mut intervals = |role| batch.add((&PIECES_BY_DAY, arguments.clone().with_text("role", Some(role))));
        let (applications, websites) = (intervals("applications"), intervals("websites"));
        let of_summary = summary.add_statements(&mut batch);
        let documents = batch.add(active_time::top_names(&arguments, "documents"));
        let of_tags = self.filter.apply(self.range.arguments());
        let purposes = of_summary.purposes;
        let tagged = batch.add((&TAGS_BY_DAY, of_tags));
        let hours = batch.add((&ACTIVE_HOURS, arguments.clone()));
        let of_day = self.is_one_day().then(|| {
            let all = arguments.clone().with_count("min_seconds", 0);
            let blocks = batch.add((&BLOCKS, all.clone()));
            // With a filter or a device, intervals away from the computer are not listed. The user may have been at the
            // computer in the time that the filter or the device excludes.
            let is_of_all_time = self.filter.is_empty() && self.device.is_none();
            let away = is_of_all_time.then(|| batch.add(away_statement(&self.range)));
            let total = batch.add((&ACTIVE_TOTAL, arguments.clone()));
            (
                blocks,
                away.map(|away| (away, total)),
                batch.add((&NARRATIVE, all.with_number("max_gap_minutes", NarrativeRequest::DEFAULT_MAX_GAP))),
            )
        });
        let results = batch.run(engine).await?;
        let summary = summary.read(engine, &results, of_summary).await?;
        let documents = active_time::website_totals(results.rows(documents)?)?;
        // Pieces are active time, which must not be combined with recorded totals
        // (docs/spec/time.md#active-or-recorded).
        let is_active = summary.time_basis.is_active();
        let day = of_day.filter(|_| is_active).map(|(blocks, away, segments)| {
            let presence = |(away, total)| Presence::from_rows(results.rows(away)?, results.rows(total)?.first()?);
            let (blocks, segments) = (results.rows(blocks)?, results.rows(segments)?);
            let several = devices::has_several(segments)?;
            Ok::<_, Error>(DaySegments {
                blocks: blocks.read(Segment::from_block_row)?,
                segments: segments.read(|row| Segment::from_segment_row(row, several, self.include_titles))?,
                presence: away.map(presence).transpose()?.flatten(),
            })
        });
        Ok(RangeReport {
            range: self.range,
            filter: self.filter,
            summary,
            top_documents_available: documents.available,
            top_documents: documents.listed,
            purposes: Purposes::from_rows(results.rows(purposes)?)?,
            applications: read_intervals(results.rows(applications)?)?,
            websites: read_intervals(results.rows(websites)?)?,
            tags: results.rows(tagged)?.read(read_interval)?,
            hours: results.rows(hours)?.read(|row| {
                Ok(ActiveHour {
                    date: row.get("date")?,
                    hour: u32::try_from(row.get::<i64>("hour")?).unwrap_or_default(),
                    seconds: row.get("seconds")?,
                })
            })?,
            day: day.transpose()?,
        })
    }

    fn is_one_day(&self) -> bool {
        self.range.end() <= DateRange::day(self.range.first_day()).end()
    }
}

fn read_intervals(rows: &Rows) -> Result<Vec<NamedInterval>, engine::Error> {
    rows.read(|row| Ok(NamedInterval { device: row.get_optional("device")?, ..read_interval(row)? }))
}

/// Reads an interval without its device.
fn read_interval(row: engine::Row<'_>) -> Result<NamedInterval, engine::Error> {
    Ok(NamedInterval {
        date: row.get("date")?,
        device: None,
        name: row.get_optional("name")?.unwrap_or_default(),
        color: row.get_optional("color")?,
        start_local: row.get("start_local")?,
        start_utc: row.get("start_utc")?,
        end_local: row.get("end_local")?,
        end_utc: row.get("end_utc")?,
    })
}
