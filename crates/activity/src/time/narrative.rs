//! Activity in chronological order, segment by segment (docs/spec/time.md#segments).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::active_time::{self, ACTIVE_TOTAL, CONTEXT, RangeContext, RecordedDays, Retention, TOP, top_names};
use super::block::{Block, Shares};
use super::day_start_text;
use super::missing_timelines::{MISSING_TIMELINES, MissingTimelines};
use super::no_match::{ACTIVE_TIME, NoMatch};
use super::presence::{Presence, away_statement};
use super::taken_note::{self, TakenNote};
use crate::response::first_names;
use crate::rules_and_tags::client_totals::ClientTotals;
use crate::rules_and_tags::purposes::PURPOSES;
use crate::rules_and_tags::tagged_time::{ACTIVE_TAGS, TaggedTime};
use crate::screenshots::{self, SegmentInfo, SuggestedScreenshot};
use crate::{ApplicationTotal, Diagnostics, Filter, History, NamedTotal, TimeBasis, devices};
use dayledger_engine as engine;
use dayledger_engine::{Engine, Parameter, Row, Rows, Statement, statement};
use dayledger_request::{
    Batch, Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso,
    minutes, run_statements,
};
use dayledger_screenshots::TimeInterval;

/// The level of detail of a narrative (docs/contract.md, `detail`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Every segment (docs/spec/time.md#segments).
    #[default]
    Full,
    /// Periods spent on one subject, about a dozen per day (docs/spec/time.md#blocks).
    Blocks,
}

impl Detail {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_full(&self) -> bool {
        *self == Self::Full
    }
}

/// Requests the segments of a range of local time, as active time.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device. Fails with `INVALID_CURSOR` if the cursor is
/// from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct NarrativeRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Whether the rows are segments or blocks.
    pub detail: Detail,
    /// Whether segments and the summary list websites.
    pub include_websites: bool,
    /// The minimum active time of a row, after merging.
    pub min_duration: Minutes,
    /// Pieces of one application are merged if the gap between them is at most this long. Ignored for blocks.
    pub max_gap: Minutes,
    /// Whether the response lists the top applications and websites.
    pub include_summary: bool,
    /// The maximum number of segments. The earliest segments are returned.
    pub max_segments: Limit<200, 2000>,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// The filter. Rows, top lists and tags cover only matching time. The total of all time is returned too.
    pub filter: Filter,
    /// Whether segments include the window title with the most time. Blocks never include titles.
    pub include_titles: bool,
}

/// Requests the active time of one local day: its narrative and its summary.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device.
#[derive(Debug, Clone, PartialEq)]
pub struct DailySummaryRequest {
    /// The parameters of the narrative. `range` is one day, and `include_summary` is set.
    pub narrative: NarrativeRequest,
    /// Whether to list segments. Totals and top lists are always returned.
    pub include_segments: bool,
}

/// The segments of a range, in order of time.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Narrative {
    /// Start of the range, local, inclusive: a date, or a date-time if it isn't the start of a day.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Local time at which days start, such as 04:00. Absent for midnight.
    pub day_start: Option<String>,
    /// `active`, or `active+calls` if calls count. `recorded` only if the activities were deleted.
    pub time_basis: TimeBasis,
    /// `blocks` if the rows are blocks.
    #[serde(skip_serializing_if = "Detail::is_full")]
    pub detail: Detail,
    /// Active minutes of the whole range over all devices, each minute counted once. Authoritative.
    pub total_active_minutes: Minutes,
    /// With a filter: active minutes that match. All lists, and all minutes except the total, then cover only matching
    /// time.
    pub matching_minutes: Option<Minutes>,
    /// The segments or blocks, in order of time. Absent if not requested.
    pub segments: Option<Vec<Segment>>,
    /// First and last use, breaks, and intervals away from the computer. Absent with a filter or a device, and for
    /// segments without a summary.
    pub presence: Option<Presence>,
    /// Notes taken in the range, if the server reads notes.
    pub notes_taken: Option<Vec<TakenNote>>,
    /// Number of all notes, if `notesTaken` is cut.
    pub notes_taken_available: Option<usize>,
    /// Tagged active time, if there is any.
    #[serde(flatten)]
    pub tagged: Option<TaggedTime>,
    /// Time for clients, if there is any.
    #[serde(flatten)]
    pub clients: Option<ClientTotals>,
    /// Applications with the most active time.
    pub top_applications: Option<Vec<ApplicationTotal>>,
    /// Websites with the most active time.
    pub top_websites: Option<Vec<NamedTotal>>,
    /// With a filter: documents with the most active time, at most 20.
    pub top_documents: Option<Vec<NamedTotal>>,
    /// Number of all applications, if `topApplications` is cut.
    pub top_applications_available: Option<usize>,
    /// Number of all websites, if `topWebsites` is cut.
    pub top_websites_available: Option<usize>,
    /// Suggested screenshots, at most 5, in order of time. Absent with blocks.
    pub suggested_screenshots: Option<Vec<SuggestedScreenshot>>,
    /// Whether segments were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// A period spent on one thing: a segment, or a block.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Segment {
    /// Local start of the first piece, ISO 8601 without offset.
    pub start: String,
    /// Local end of the last piece, ISO 8601 without offset.
    pub end: String,
    /// Active minutes of all pieces, without the gaps between pieces.
    pub duration_minutes: Minutes,
    /// The device, if the range has several. A block covers all devices.
    pub device: Option<String>,
    /// Display name of the application. For a block: the application that is its subject, otherwise the application
    /// with the most time.
    pub application: String,
    /// The document with the most time: a file URI, or the recorded text. For a block: the name of the document.
    pub document: Option<String>,
    /// The site with the most time.
    pub website: Option<String>,
    /// The window title with the most time, if requested.
    pub title: Option<String>,
    /// Overlapping tags, most overlap first. For a block: overlapping tags other than its subject.
    pub tags: Option<Vec<String>>,
    /// The screenshot nearest to the middle of the segment. Absent for blocks.
    pub screenshot_ref: Option<String>,
    /// The fields that only blocks have.
    #[serde(flatten)]
    pub block: Option<Block>,
}

const PARAMETERS: &[Parameter] = &[
    Parameter::instant("start"),
    Parameter::instant("end"),
    Parameter::text("device"),
    Parameter::number("max_gap_minutes"),
    Parameter::count("min_seconds"),
];

pub(super) static NARRATIVE: Statement = statement!(queries / "narrative", PARAMETERS);

pub(super) static BLOCKS: Statement = statement!(
    queries / "blocks",
    &[
        Parameter::instant("start"),
        Parameter::instant("end"),
        Parameter::text("device"),
        Parameter::count("min_seconds")
    ]
);

/// The number of top applications and websites in a response with blocks. It is small because each block also lists its
/// applications and websites.
const TOP_WITH_BLOCKS: usize = 5;

/// The maximum number of tags of a segment. A single `…` replaces the remaining tags, which overlap the segment least.
const MAX_SEGMENT_TAGS: usize = 20;

impl Request for NarrativeRequest {
    type Service = History;
    type Response = Narrative;

    async fn execute(self, history: &History) -> Result<Narrative, Error> {
        self.run(history, Listing::Segments).await
    }
}

/// The segments that a response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listing {
    /// A page of segments, with screenshots.
    Segments,
    /// Only the number of segments.
    Count,
}

impl NarrativeRequest {
    /// The default for the longest gap between pieces of one segment, in minutes (docs/contract.md).
    pub const DEFAULT_MAX_GAP: f64 = 2.0;

    async fn run(self, history: &History, listing: Listing) -> Result<Narrative, Error> {
        let first_page = Self { max_segments: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::from_cursor(&first_page, self.cursor)?;
        let arguments = self.range.arguments().with_text("device", self.device.as_deref());
        let fitting = self.filter.apply(arguments.clone());
        let segment_arguments = fitting
            .clone()
            .with_number("max_gap_minutes", self.max_gap.to_sql_minutes())
            .with_count("min_seconds", self.min_duration.seconds())
            .with_first_rows(match listing {
                Listing::Segments => page.rows_until_end(self.max_segments.get()),
                // No segments are read. The result still contains their number.
                Listing::Count => 0,
            });
        let narrative = match self.detail {
            Detail::Full => &NARRATIVE,
            Detail::Blocks => &BLOCKS,
        };
        let mut batch = Batch::default();
        let segments = batch.add((narrative, segment_arguments));
        let total = batch.add((&ACTIVE_TOTAL, arguments.clone()));
        let matching = (!self.filter.is_empty()).then(|| batch.add((&ACTIVE_TOTAL, fitting.clone())));
        let context = batch.add((&CONTEXT, arguments.clone()));
        let known_devices = batch.add(devices::statement());
        let missing = batch.add((&MISSING_TIMELINES, arguments.clone()));
        let notes_taken = batch.add(taken_note::statement(&fitting, &self.filter));
        let top_applications = self.include_summary.then(|| batch.add(top_names(&fitting, "applications")));
        let names_websites = self.include_summary && self.include_websites;
        let top_websites = names_websites.then(|| batch.add(top_names(&fitting, "websites")));
        // The summary lists documents only with a filter.
        let names_documents = self.include_summary && !self.filter.is_empty();
        let top_documents = names_documents.then(|| batch.add(top_names(&fitting, "documents")));
        let tagged = self.include_summary.then(|| batch.add((&ACTIVE_TAGS, fitting.clone())));
        let clients = self.include_summary.then(|| batch.add((&PURPOSES, fitting.clone())));
        let away = self.has_presence().then(|| batch.add(away_statement(&self.range)));
        let results = batch.run(history.engine()).await?;
        devices::check(results.rows(known_devices)?, self.device.as_deref())?;
        let context = RangeContext::from_rows(results.rows(context)?)?;
        let kept = context.retention(history.engine(), &self.range, &arguments).await?;
        let clients = clients.map(|slot| ClientTotals::from_rows(results.rows(slot)?)).transpose()?.flatten();
        if let Retention::OnlyTotals(recorded) = kept {
            let clients = clients.filter(|_| self.filter.is_empty());
            return Ok(Narrative { clients, ..self.recorded_narrative(recorded) });
        }
        let top_applications = top_applications.map(|slot| active_time::application_totals(results.rows(slot)?));
        let most = if self.detail == Detail::Blocks && listing == Listing::Segments { TOP_WITH_BLOCKS } else { TOP };
        let top_applications = top_applications.transpose()?.map(|tops| tops.truncate(most));
        let top_websites = top_websites.map(|slot| active_time::website_totals(results.rows(slot)?)).transpose()?;
        let top_documents = top_documents.map(|slot| active_time::documents(results.rows(slot)?)).transpose()?;
        let top_websites = top_websites.map(|tops| tops.truncate(most));
        let (segments, active_seconds) = (results.rows(segments)?, active_time::seconds(results.rows(total)?)?);
        let total = results.rows(total)?.first()?;
        let (rows, truncation) = page.rows(segments.available(), self.max_segments.get(), LimitedBy::MaxSegments);
        let matching_seconds = matching.map(|slot| active_time::seconds(results.rows(slot)?)).transpose()?;
        let of_tags = |slot| TaggedTime::from_rows(results.rows(slot)?, matching_seconds.unwrap_or(active_seconds));
        let tagged = tagged.map(of_tags).transpose()?.flatten();
        let presence = away.map(|slot| Presence::from_rows(results.rows(slot)?, total)).transpose()?.flatten();
        let is_listed = self.detail == Detail::Blocks && listing == Listing::Segments;
        // The previous page already lists the intervals away from the computer that start before the end of its last
        // segment. This page lists only the later intervals.
        let previous = rows.start.checked_sub(1).map_or(0..0, |place| place..rows.start);
        let previous = segments.slice(previous).read(|row| Ok(format_iso(row.get("end_local")?)))?;
        let presence = presence.map(|presence| presence.list_after(is_listed, previous.last()));
        let diagnostics =
            context.diagnostics_with_documents(&kept, &MissingTimelines::from_rows(results.rows(missing)?)?);
        let diagnostics = self.explain(history.engine(), diagnostics, context, matching_seconds).await?;
        let notes = results.rows(notes_taken)?;
        let listed_notes = notes.read(TakenNote::from_row)?;
        // Segments state their device if the whole range, not only this page, has several devices. The segments of all
        // pages therefore have the same fields.
        let several = total.get::<i64>("devices")? > 1;
        let (segments, suggested_screenshots) = match listing {
            Listing::Segments => {
                let page = segments.slice(rows);
                let segments = page.read(|row| self.row(row, several))?;
                let (segments, suggested) = self.add_screenshots(history, segments, &page).await?;
                (Some(segments), suggested)
            }
            Listing::Count => (None, None),
        };
        let mut narrative = Narrative {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            time_basis: context.time_basis(),
            detail: self.detail,
            total_active_minutes: minutes(active_seconds),
            matching_minutes: matching_seconds.map(minutes),
            truncation,
            segments,
            presence,
            notes_taken_available: Some(notes.available()).filter(|available| *available > listed_notes.len()),
            notes_taken: Some(listed_notes).filter(|notes| !notes.is_empty()),
            tagged,
            clients,
            top_applications_available: top_applications.as_ref().and_then(|tops| tops.available),
            top_websites_available: top_websites.as_ref().and_then(|tops| tops.available),
            top_applications: top_applications.map(|tops| tops.listed),
            top_websites: top_websites.map(|tops| tops.listed),
            top_documents,
            suggested_screenshots,
            diagnostics,
        };
        narrative.keep_listed_presence();
        Ok(narrative)
    }

    /// Returns whether the response has a [`Presence`]. With a filter or a device, the result is false. The user may
    /// have been at the computer in the time that the filter or the device excludes.
    fn has_presence(&self) -> bool {
        let is_of_all_time = self.filter.is_empty() && self.device.is_none();
        is_of_all_time && (self.include_summary || self.detail == Detail::Blocks)
    }

    /// Adds a reason to `diagnostics`: either why the response is empty, or that the history starts within the range.
    async fn explain(
        &self,
        engine: &Engine,
        diagnostics: Diagnostics,
        context: RangeContext,
        matching_seconds: Option<i64>,
    ) -> Result<Diagnostics, Error> {
        let (range, device) = (self.range, self.device.as_deref());
        let no_match = NoMatch { filter: &self.filter, range, device, time: ACTIVE_TIME };
        let diagnostics = no_match.explain(engine, diagnostics, matching_seconds).await?;
        let start = context.history_start(engine, &range, device).await?;
        diagnostics.with_history_start(start).with_dates(engine, &self.range).await
    }

    /// Adds a screenshot to each segment, and returns suggested screenshots.
    async fn add_screenshots(
        &self,
        history: &History,
        mut segments: Vec<Segment>,
        rows: &Rows,
    ) -> Result<(Vec<Segment>, Option<Vec<SuggestedScreenshot>>), Error> {
        // One screenshot cannot represent a block.
        let Some(pictures) = history.screenshots().filter(|_| self.detail == Detail::Full) else {
            return Ok((segments, None));
        };
        let times = rows.read(times)?;
        let work = segments.iter().zip(times).map(|(segment, (when, seconds))| SegmentInfo {
            when,
            application: segment.application.clone(),
            seconds,
        });
        let work: Vec<_> = work.collect();
        let references = screenshots::references(pictures, &work).await;
        segments.iter_mut().zip(references).for_each(|(segment, found)| segment.screenshot_ref = found);
        Ok((segments, screenshots::suggestions(pictures, &work).await))
    }

    fn row(&self, row: Row<'_>, several_devices: bool) -> Result<Segment, engine::Error> {
        let segment = match self.detail {
            Detail::Full => Segment::from_segment_row(row, several_devices, self.include_titles)?,
            Detail::Blocks => Segment::from_block_row(row)?,
        };
        Ok(if self.include_websites { segment } else { segment.without_websites() })
    }

    /// Returns the response for a range with only hourly totals: recorded time, without segments
    /// (docs/spec/time.md#retention).
    fn recorded_narrative(&self, recorded: RecordedDays) -> Narrative {
        let seconds = recorded.seconds();
        // A filter can't apply to hourly totals, because they don't show which windows were open simultaneously.
        let includes_tops = self.include_summary && self.filter.is_empty();
        let top_applications = includes_tops.then_some(recorded.top_applications);
        let top_websites = (includes_tops && self.include_websites).then_some(recorded.top_websites);
        Narrative {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            time_basis: TimeBasis::Recorded,
            detail: self.detail,
            total_active_minutes: minutes(seconds),
            matching_minutes: None,
            segments: Some(Vec::new()),
            presence: None,
            notes_taken: None,
            notes_taken_available: None,
            tagged: None,
            clients: None,
            top_applications_available: top_applications.as_ref().and_then(|tops| tops.available),
            top_websites_available: top_websites.as_ref().and_then(|tops| tops.available),
            top_applications: top_applications.map(|tops| tops.listed),
            top_websites: top_websites.map(|tops| tops.listed),
            top_documents: None,
            suggested_screenshots: None,
            truncation: Truncation::new(0, 0),
            diagnostics: RecordedDays::diagnostics(&self.range, &self.filter),
        }
    }
}

/// Returns the times of the segments of `range` that match `filter`, in order. If `device` is `None`, the segments of
/// all devices are included.
pub(crate) async fn segment_times(
    engine: &Engine,
    range: &DateRange,
    device: Option<&str>,
    filter: &Filter,
) -> Result<Vec<TimeInterval>, Error> {
    let request = filter.apply(range.arguments().with_text("device", device));
    let request =
        request.with_number("max_gap_minutes", NarrativeRequest::DEFAULT_MAX_GAP).with_count("min_seconds", 0);
    let [segments] = run_statements(engine, [(&NARRATIVE, request)]).await?;
    Ok(segments.read(|row| Ok(times(row)?.0))?)
}

/// Returns the interval of a row, and its active seconds.
fn times(row: Row<'_>) -> Result<(TimeInterval, i64), engine::Error> {
    let local = row.get("start_local")?..row.get("end_local")?;
    let utc = row.get("start_utc")?..row.get("end_utc")?;
    Ok((TimeInterval { local, utc }, row.get("seconds")?))
}

impl Segment {
    /// Returns the subject of a block, or the application of a segment.
    pub fn subject(&self) -> &str {
        self.block.as_ref().and_then(|block| block.subject.as_deref()).unwrap_or(&self.application)
    }

    /// Reads a segment. The device is included only if `several_devices` is true, and the title only if
    /// `include_titles` is true.
    pub(super) fn from_segment_row(
        row: Row<'_>,
        several_devices: bool,
        include_titles: bool,
    ) -> Result<Self, engine::Error> {
        Ok(Self {
            device: if several_devices { row.get_optional("device")? } else { None },
            application: row.get_optional("application")?.unwrap_or_default(),
            document: row.get_optional("document")?,
            website: row.get_optional("website")?,
            title: if include_titles { row.get_optional("title")? } else { None },
            ..Self::from_row(row)?
        })
    }

    /// Reads a block with its websites.
    pub(super) fn from_block_row(row: Row<'_>) -> Result<Self, engine::Error> {
        let (block, about) = Block::from_row(row)?;
        let first = |shares: &Shares| shares.first().map(str::to_owned);
        Ok(Self {
            application: about.or_else(|| first(&block.applications)).unwrap_or_default(),
            document: first(&block.documents),
            website: first(&block.websites),
            block: Some(block),
            ..Self::from_row(row)?
        })
    }

    /// Removes the websites.
    fn without_websites(mut self) -> Self {
        self.website = None;
        if let Some(block) = &mut self.block {
            block.websites = Shares::default();
        }
        self
    }

    /// Reads the times and tags, which segments and blocks both have.
    fn from_row(row: Row<'_>) -> Result<Self, engine::Error> {
        Ok(Self {
            start: format_iso(row.get("start_local")?),
            end: format_iso(row.get("end_local")?),
            duration_minutes: minutes(row.get("seconds")?),
            device: None,
            application: String::new(),
            document: None,
            website: None,
            title: None,
            tags: row
                .get_optional::<Vec<String>>("tags")?
                .filter(|tags| !tags.is_empty())
                .map(|tags| first_names(tags, MAX_SEGMENT_TAGS)),
            screenshot_ref: None,
            block: None,
        })
    }
}

impl Narrative {
    /// Returns the active minutes that rows and top lists cover. With a filter, these are the matching minutes. Without
    /// a filter, they are the total.
    pub fn reported_minutes(&self) -> Minutes {
        self.matching_minutes.unwrap_or(self.total_active_minutes)
    }

    /// If the list of rows is cut, removes the intervals away from the computer that start after the last row.
    fn keep_listed_presence(&mut self) {
        if let (true, Some(presence)) = (self.truncation.truncated, &mut self.presence) {
            let last = self.segments.as_ref().and_then(|segments| segments.last());
            presence.keep_until(last.map(|segment| segment.end.as_str()));
        }
    }
}

impl Truncate for Narrative {
    fn rows(&self) -> usize {
        self.segments.as_ref().map_or(0, Vec::len)
    }

    fn keep(&mut self, rows: usize) {
        if let Some(segments) = &mut self.segments {
            segments.truncate(rows);
            self.truncation.keep(rows);
            self.keep_listed_presence();
        }
    }
}

impl Request for DailySummaryRequest {
    type Service = History;
    type Response = Narrative;

    async fn execute(self, history: &History) -> Result<Narrative, Error> {
        if self.include_segments {
            return self.narrative.run(history, Listing::Segments).await;
        }
        let mut response = self.narrative.run(history, Listing::Count).await?;
        response.truncation = Truncation::not_requested(response.truncation.total_available);
        (response.segments, response.suggested_screenshots) = (None, None);
        Ok(response)
    }
}
