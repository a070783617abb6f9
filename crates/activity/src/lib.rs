//! Requests about a history, each with a typed request and a typed response.
//!
//! Invariants: every request value is valid. Minutes are rounded once, from exact seconds. A limit on the returned
//! rows never changes a total.

mod active_time;
mod activities;
mod block;
mod cell;
mod client_hours;
pub mod codes;
mod computer_usage;
mod data_range;
mod degradation;
mod description;
mod devices;
mod environment;
mod filter;
mod glossary;
mod health;
mod history;
mod history_bounds;
mod hourly;
mod location;
mod meetings;
mod missing_timelines;
mod model;
mod narrative;
mod no_match;
mod period;
mod privacy_summary;
mod purposes;
mod query;
mod range_report;
mod response;
mod rule_functions;
mod rule_use;
mod screenshots;
mod tagged_time;
mod tags;
mod taken_note;
mod timeline_dates;
mod timelines;
mod unmatched;
mod usage;
mod websites;
mod why;

pub use activities::{Activities, ActivitiesRequest, ActivityEntry};
pub use block::{Block, Shares};
pub use cell::Cell;
pub use client_hours::{ClientDay, ClientHours, ClientHoursRequest, ClientSummary};
pub use computer_usage::{ComputerUsage, ComputerUsageRequest, StateTotals, UsageInterval};
pub use data_range::{DataRange, DataRangeRequest};
pub use dayledger_source::{ComputerState, Role};
pub use degradation::Degradation;
pub use description::{DescribeModelRequest, ModelOverview, NameDetails};
pub use environment::{Environment, EnvironmentDevice, EnvironmentRequest};
pub use filter::Filter;
pub use glossary::{column_meaning, table_meaning};
pub use health::{
    DeviceVersion, Failure, Health, HealthRequest, HealthStatus, TableHealth, TimelineHealth, Unavailable,
    UnavailableRequest,
};
pub use history::History;
pub use history_bounds::{HistoryBounds, HistoryBoundsRequest};
pub use hourly::HourlyCoverage;
pub use location::{HistoryLocation, LocationRequest};
pub use model::{register, register_screenshots};
pub use narrative::{DailySummaryRequest, Detail, Narrative, NarrativeRequest, Segment};
pub use period::{
    Comparison, MAX_PERIOD_DAYS, PeriodAggregate, PeriodDay, PeriodPatterns, PeriodSummary, PeriodSummaryRequest,
    WeekdayTotal,
};
pub use privacy_summary::PrivacySummaryRequest;
pub use purposes::{ClientTime, Purposes, TaskTime, TimeSpent};
pub use query::{QueryColumn, QueryLimitedBy, QueryRequest, QueryResponse, QueryTruncation};
pub use range_report::{ActiveHour, DaySegments, NamedInterval, RangeReport, RangeReportRequest};
pub use response::{ApplicationTotal, Diagnostics, NamedTotal, ReasonCode, TimeBasis};
pub use rule_use::{Coverage, RuleExample, RuleTotal, RuleUse, RuleUseRequest};
pub use screenshots::{
    Audience, CropRequest, CroppedScreenshot, ImageContent, ResponseImage, SCREENSHOT_URI, Sampling, SaveRequest,
    SavedScreenshot, ScreenshotEntry, ScreenshotHeader, ScreenshotImages, ScreenshotImagesRequest, ScreenshotList,
    ScreenshotService, ScreenshotState, ScreenshotStatus, ScreenshotsRequest, SingleImageRequest, SuggestedScreenshot,
    SuggestionReason, Thumbnail, Thumbnails, ThumbnailsRequest, parse_reference, parse_region,
};
pub use tagged_time::TaggedTime;
pub use tags::{TagEntry, Tags, TagsRequest};
pub use taken_note::TakenNote;
pub use timeline_dates::{TimelineDates, TimelineRange};
pub use timelines::{Timeline, TimelineDetails, TimelineRequest, Timelines, TimelinesRequest};
pub use unmatched::UnmatchedWork;
pub use usage::{Breakdown, Usage, UsageDay, UsageItem, UsageKind, UsageRequest};
pub use websites::{BreakdownGranularity, WebsitePeriod, WebsiteUsage, WebsiteUsageItem, WebsiteUsageRequest};
pub use why::{Adds, Counts, Step, Why, WhyBlock, WhyRequest, WhyStretch, WhyTime, WhyTotal, WhyWork};
