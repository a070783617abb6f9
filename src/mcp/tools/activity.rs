//! The tools of the toolset `activity`.

use dayledger_mcp::{Caller, DataTool, WholeNumber};
use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{
    Cursor, DEFAULT_MAX_GAP, DEFAULT_MIN_DURATION, Device, EndDate, FilterParameter, StartDate, TimeBasisParameter,
    default_true, limit, optional_range, range, short_range,
};
use crate::activity::{
    ActivitiesRequest, Breakdown, ComputerUsageRequest, DailySummaryRequest, Detail, FindRequest, MAX_PERIOD_DAYS,
    NarrativeRequest, PeriodSummaryRequest, SearchWords, TagsRequest, TimelinesRequest, UsageKind, UsageRequest,
    WebsiteUsageRequest,
};
use crate::mcp::apps::McpApp;
use crate::request::{DateRange, Error, Minutes, parse_date};

/// Sums up one day.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetDailySummary {
    /// One local day: 2025-01-15, today or yesterday.
    date: String,
    /// false: only totals and top lists.
    #[serde(default = "default_true")]
    include_segments: bool,
    /// `blocks`: one subject each, about a dozen a day. `full`: every segment.
    #[serde(default = "blocks")]
    #[schemars(extend("default" = "blocks"))]
    detail: Detail,
    /// Hide segments shorter than this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_DURATION))]
    min_duration_minutes: Option<f64>,
    /// With detail=full: merge an application across gaps up to this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MAX_GAP))]
    max_gap_minutes: Option<f64>,
    /// Return at most this many segments, earliest first.
    #[schemars(range(min = 1, max = 2000), extend("default" = 200))]
    max_segments: Option<WholeNumber>,
    cursor: Option<Cursor>,
    device: Option<Device>,
    /// With detail=full: add window titles.
    #[serde(default)]
    include_titles: bool,
    filter: Option<FilterParameter>,
}

/// Returns the default level of detail for a day.
fn blocks() -> Detail {
    Detail::Blocks
}

impl DataTool for GetDailySummary {
    const NAME: &'static str = "get_daily_summary";
    const TITLE: &'static str = "Daily summary";
    const DESCRIPTION: &'static str = "Returns what the user did on one day, such as today or yesterday, and how long \
                                       they were at the computer: hours of work (active minutes), when they started \
                                       and stopped, breaks, meetings and other time away, time per client, top \
                                       applications and websites, and the day in about a dozen blocks. Start here for \
                                       a day and for why it was short; detail=full lists every segment, \
                                       includeSegments=false only totals. For part of a day use \
                                       get_activity_narrative. For several days use get_period_summary.";
    const APP: Option<&'static str> = Some(McpApp::Time.uri());
    type Request = DailySummaryRequest;

    fn request(self, _: &Caller) -> Result<DailySummaryRequest, Error> {
        Ok(DailySummaryRequest {
            narrative: NarrativeRequest {
                range: DateRange::day(parse_date(&self.date, "date")?),
                include_websites: true,
                min_duration: Minutes::parse(self.min_duration_minutes, DEFAULT_MIN_DURATION, "minDurationMinutes")?,
                max_gap: Minutes::parse(self.max_gap_minutes, DEFAULT_MAX_GAP, "maxGapMinutes")?,
                include_summary: true,
                max_segments: limit(self.max_segments, "maxSegments")?,
                cursor: Cursor::parse(self.cursor.as_ref())?,
                detail: self.detail,
                device: Device::name(self.device),
                include_titles: self.include_titles,
                filter: FilterParameter::filter(self.filter),
            },
            include_segments: self.include_segments,
        })
    }
}

/// Lists activity in order of time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetActivityNarrative {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Add the website of each segment.
    #[serde(default = "default_true")]
    include_websites: bool,
    /// `blocks`: one subject each, about a dozen a day. `full`: every segment.
    #[serde(default)]
    #[schemars(extend("default" = "full"))]
    detail: Detail,
    /// Hide segments shorter than this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_DURATION))]
    min_duration_minutes: Option<f64>,
    /// With detail=full: merge an application across gaps up to this.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MAX_GAP))]
    max_gap_minutes: Option<f64>,
    /// Add top applications and websites.
    #[serde(default)]
    include_summary: bool,
    /// Return at most this many segments, earliest first.
    #[schemars(range(min = 1, max = 2000), extend("default" = 200))]
    max_segments: Option<WholeNumber>,
    cursor: Option<Cursor>,
    device: Option<Device>,
    /// With detail=full: add window titles.
    #[serde(default)]
    include_titles: bool,
    filter: Option<FilterParameter>,
}

impl DataTool for GetActivityNarrative {
    const NAME: &'static str = "get_activity_narrative";
    const TITLE: &'static str = "Activity narrative";
    const DESCRIPTION: &'static str = "Lists what was done when, on which device, and before or after what, in an \
                                       hour, an evening or between any local times: segments with application, \
                                       document, website, tags and active minutes. Use it for part of a day or a few \
                                       days; for long ranges pass detail=blocks or raise minDurationMinutes. For \
                                       totals of many days use get_period_summary.";
    const APP: Option<&'static str> = Some(McpApp::Time.uri());
    type Request = NarrativeRequest;

    fn request(self, _: &Caller) -> Result<NarrativeRequest, Error> {
        Ok(NarrativeRequest {
            range: range(&self.start_date, self.end_date.as_ref())?,
            include_websites: self.include_websites,
            min_duration: Minutes::parse(self.min_duration_minutes, DEFAULT_MIN_DURATION, "minDurationMinutes")?,
            max_gap: Minutes::parse(self.max_gap_minutes, DEFAULT_MAX_GAP, "maxGapMinutes")?,
            include_summary: self.include_summary,
            max_segments: limit(self.max_segments, "maxSegments")?,
            cursor: Cursor::parse(self.cursor.as_ref())?,
            detail: self.detail,
            device: Device::name(self.device),
            include_titles: self.include_titles,
            filter: FilterParameter::filter(self.filter),
        })
    }
}

/// Sums up several days.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetPeriodSummary {
    start_date: StartDate,
    /// Exclusive end, at most 31 days after startDate.
    end_date: Option<EndDate>,
    device: Option<Device>,
    /// Range to compare with, such as last week, or `previous`.
    compare_to: Option<String>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetPeriodSummary {
    const NAME: &'static str = "get_period_summary";
    const TITLE: &'static str = "Period summary";
    const DESCRIPTION: &'static str = "Returns the hours of work in a week, a month or on a weekend, up to 31 days: \
                                       active minutes per day and weekday, on average and compared with another week; \
                                       on how many days the user worked, first and last activity of each day, busiest \
                                       and quietest day; programs (applications), websites and files used most. Start \
                                       here for several days. Also time per client, at the computer and away; filter: \
                                       one client or project. Not for events within a day.";
    const APP: Option<&'static str> = Some(McpApp::Time.uri());
    type Request = PeriodSummaryRequest;

    fn request(self, _: &Caller) -> Result<PeriodSummaryRequest, Error> {
        let range = short_range(&self.start_date, self.end_date.as_ref())?;
        let compare_to = self.compare_to.map(|text| range.comparison_range(&text, "compareTo")).transpose()?;
        Ok(PeriodSummaryRequest {
            range,
            device: Device::name(self.device),
            compare_to: compare_to.map(|range| range.check_max_days(MAX_PERIOD_DAYS, "compareTo")).transpose()?,
            filter: FilterParameter::filter(self.filter),
        })
    }
}

/// Finds words in the history.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct FindActivity {
    /// Words that must all be in one text. Double quotes keep a phrase together.
    words: String,
    /// Local start. Default: the whole history.
    start_date: Option<StartDate>,
    end_date: Option<EndDate>,
    /// Return at most this many matches.
    #[schemars(range(min = 1, max = 1000), extend("default" = 50))]
    limit: Option<WholeNumber>,
    cursor: Option<Cursor>,
}

impl DataTool for FindActivity {
    const NAME: &'static str = "find_activity";
    const TITLE: &'static str = "Find activity";
    const DESCRIPTION: &'static str = "Finds words in the whole history: first and last time, total minutes, and each \
                                       match (site, app, title, URL, file, tag, note, meeting), newest first. Use it \
                                       for when X was first used, how much time on GitHub, or when rounding.rs was \
                                       changed (then get_activity_narrative for the time before).";
    type Request = FindRequest;

    fn request(self, _: &Caller) -> Result<FindRequest, Error> {
        Ok(FindRequest {
            words: SearchWords::parse(&self.words, "words")?,
            range: optional_range(self.start_date.as_ref(), self.end_date.as_ref())?,
            limit: limit(self.limit, "limit")?,
            cursor: Cursor::parse(self.cursor.as_ref())?,
        })
    }
}

/// Parameters of `get_application_usage` and `get_document_usage`, which differ only in the rows that they count.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UsageParameters {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Maximum number of items.
    #[schemars(range(min = 1, max = 1000), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// `day`: add minutes per day, for at most 31 days.
    #[serde(default)]
    #[schemars(extend("default" = "none"))]
    breakdown: Breakdown,
    cursor: Option<Cursor>,
    /// `active` excludes time away, and is the default with filter.
    #[schemars(extend("default" = "recorded"))]
    time_basis: Option<TimeBasisParameter>,
    device: Option<Device>,
    filter: Option<FilterParameter>,
}

impl UsageParameters {
    fn into_request(self, kind: UsageKind) -> Result<UsageRequest, Error> {
        let filter = FilterParameter::filter(self.filter);
        let request = UsageRequest {
            kind,
            range: range(&self.start_date, self.end_date.as_ref())?,
            limit: limit(self.limit, "limit")?,
            breakdown: self.breakdown,
            time_basis: TimeBasisParameter::with_filter(self.time_basis, &filter)?,
            device: Device::name(self.device),
            filter,
            cursor: Cursor::parse(self.cursor.as_ref())?,
        };
        request.check_breakdown("endDate")
    }
}

/// Counts the time of applications.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct GetApplicationUsage(UsageParameters);

impl DataTool for GetApplicationUsage {
    const NAME: &'static str = "get_application_usage";
    const TITLE: &'static str = "Application usage";
    const DESCRIPTION: &'static str = "Returns how long the user used each application (program), longest first, in a \
                                       week, a year or a range of any length. totalMinutes counts time away too, \
                                       activeMinutes doesn't. For active time of up to 31 days use get_period_summary.";
    type Request = UsageRequest;

    fn request(self, _: &Caller) -> Result<UsageRequest, Error> {
        self.0.into_request(UsageKind::Applications)
    }
}

/// Counts the time of documents.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct GetDocumentUsage(UsageParameters);

impl DataTool for GetDocumentUsage {
    const NAME: &'static str = "get_document_usage";
    const TITLE: &'static str = "Document usage";
    const DESCRIPTION: &'static str = "Returns how long the user worked on each document, spreadsheet or other file, \
                                       longest first, over a range of any length. totalMinutes counts time away too, \
                                       activeMinutes doesn't.";
    type Request = UsageRequest;

    fn request(self, _: &Caller) -> Result<UsageRequest, Error> {
        self.0.into_request(UsageKind::Documents)
    }
}

/// The default minimum time of a listed website, in minutes.
const DEFAULT_MIN_MINUTES: f64 = 0.5;

/// Counts the time of websites.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetWebsiteUsage {
    start_date: StartDate,
    /// Exclusive end, at most 31 days after startDate.
    end_date: Option<EndDate>,
    /// Return at most this many websites.
    #[schemars(range(min = 1, max = 200), extend("default" = 50))]
    limit: Option<WholeNumber>,
    /// Hide websites with less time.
    #[schemars(range(min = 0), extend("default" = DEFAULT_MIN_MINUTES))]
    min_minutes: Option<f64>,
    cursor: Option<Cursor>,
    /// false: only totals.
    #[serde(default = "default_true")]
    include_breakdown: bool,
    /// `active` excludes time away, and is the default with filter.
    #[schemars(extend("default" = "recorded"))]
    time_basis: Option<TimeBasisParameter>,
    device: Option<Device>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetWebsiteUsage {
    const NAME: &'static str = "get_website_usage";
    const TITLE: &'static str = "Website usage";
    const DESCRIPTION: &'static str = "Returns how much time the user spent on websites (sites such as github.com), \
                                       most first, by hour (up to 7 days) or day, for up to 31 days. For top websites \
                                       only, get_period_summary is shorter.";
    type Request = WebsiteUsageRequest;

    fn request(self, _: &Caller) -> Result<WebsiteUsageRequest, Error> {
        let filter = FilterParameter::filter(self.filter);
        Ok(WebsiteUsageRequest {
            range: short_range(&self.start_date, self.end_date.as_ref())?,
            limit: limit(self.limit, "limit")?,
            min_minutes: Minutes::parse(self.min_minutes, DEFAULT_MIN_MINUTES, "minMinutes")?,
            cursor: Cursor::parse(self.cursor.as_ref())?,
            include_breakdown: self.include_breakdown,
            time_basis: TimeBasisParameter::with_filter(self.time_basis, &filter)?,
            device: Device::name(self.device),
            filter,
        })
    }
}

/// Lists tagged time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetTags {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// false: only totals.
    #[serde(default = "default_true")]
    include_intervals: bool,
    cursor: Option<Cursor>,
    filter: Option<FilterParameter>,
}

impl DataTool for GetTags {
    const NAME: &'static str = "get_tags";
    const TITLE: &'static str = "Tagged time";
    const DESCRIPTION: &'static str = "Lists what the user tagged (clients, projects, meetings), when (for example \
                                       the first time) and with which note: the tags in order, and the hours of each \
                                       tag and client. Recorded time, also while away. Doesn't list time without a \
                                       tag.";
    type Request = TagsRequest;

    fn request(self, _: &Caller) -> Result<TagsRequest, Error> {
        Ok(TagsRequest {
            range: range(&self.start_date, self.end_date.as_ref())?,
            include_intervals: self.include_intervals,
            cursor: Cursor::parse(self.cursor.as_ref())?,
            filter: FilterParameter::filter(self.filter),
        })
    }
}

/// Lists the states of the computer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetComputerUsage {
    start_date: StartDate,
    end_date: Option<EndDate>,
    device: Option<Device>,
    /// false: only totals.
    #[serde(default = "default_true")]
    include_intervals: bool,
    cursor: Option<Cursor>,
}

impl DataTool for GetComputerUsage {
    const NAME: &'static str = "get_computer_usage";
    const TITLE: &'static str = "Computer usage";
    const DESCRIPTION: &'static str = "Lists when the computer was active, away (no keyboard or mouse use), locked or \
                                       off: intervals and minutes per state. Use it for presence, breaks, start and \
                                       end of work; not for activities.";
    type Request = ComputerUsageRequest;

    fn request(self, _: &Caller) -> Result<ComputerUsageRequest, Error> {
        Ok(ComputerUsageRequest {
            range: range(&self.start_date, self.end_date.as_ref())?,
            device: Device::name(self.device),
            include_intervals: self.include_intervals,
            cursor: Cursor::parse(self.cursor.as_ref())?,
        })
    }
}

/// Lists the timelines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTimelines {}

impl DataTool for GetTimelines {
    const NAME: &'static str = "get_timelines";
    const TITLE: &'static str = "Timelines";
    const DESCRIPTION: &'static str = "Lists the timelines of the history with ID, role and device. Use it only for \
                                       the timelineId of get_activities.";
    type Request = TimelinesRequest;

    fn request(self, _: &Caller) -> Result<TimelinesRequest, Error> {
        Ok(TimelinesRequest)
    }
}

/// Lists the activities of one timeline.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetActivities {
    /// Timeline ID. It comes from `get_timelines`.
    timeline_id: WholeNumber,
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Return at most this many activities.
    #[schemars(range(min = 1, max = 5000), extend("default" = 100))]
    limit: Option<WholeNumber>,
    cursor: Option<Cursor>,
    /// Add the group name, color and key of each activity.
    #[serde(default = "default_true")]
    include_group_details: bool,
}

impl DataTool for GetActivities {
    const NAME: &'static str = "get_activities";
    const TITLE: &'static str = "Recorded activities";
    const DESCRIPTION: &'static str = "Lists the activities of one timeline as recorded (window titles, URLs, paths, \
                                       notes), page by page. The response is long. Use it only for details that \
                                       get_activity_narrative lacks.";
    type Request = ActivitiesRequest;

    fn request(self, _: &Caller) -> Result<ActivitiesRequest, Error> {
        Ok(ActivitiesRequest {
            timeline_id: self.timeline_id.0,
            range: range(&self.start_date, self.end_date.as_ref())?,
            limit: limit(self.limit, "limit")?,
            cursor: Cursor::parse(self.cursor.as_ref())?,
            include_group_details: self.include_group_details,
        })
    }
}
