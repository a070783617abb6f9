//! Requests about time. Active time is returned as segments, blocks, days and totals. Recorded time is returned by
//! application, website, document or state of the computer.
//!
//! Start reading at [`NarrativeRequest`]. `missing_timelines` and `no_match` explain incomplete and empty responses,
//! and [`WhyRequest`] explains a total. [`FindRequest`] finds words. All responses about active time share the code in
//! `active_time`. All responses about applications, documents or websites share the code in `usage`.

pub(super) mod active_time;
mod block;
mod computer_usage;
mod find;
mod missing_timelines;
pub(super) mod narrative;
pub(super) mod no_match;
mod period;
mod presence;
mod range_report;
mod taken_note;
mod usage;
mod websites;
mod why;

pub use block::{Block, Shares};
pub use computer_usage::{ComputerUsage, ComputerUsageRequest, StateTotals, UsageInterval};
pub use find::{FindRequest, FoundMatch, FoundMatches, MatchKind, SearchWords};
pub use narrative::{DailySummaryRequest, Detail, Narrative, NarrativeRequest, Segment};
pub use period::{
    Comparison, Differences, MAX_PERIOD_DAYS, PeriodAggregate, PeriodDay, PeriodPatterns, PeriodSummary,
    PeriodSummaryRequest, WeekdayTotal,
};
pub use presence::{AwayInterval, Presence};
pub use range_report::{ActiveHour, DaySegments, NamedInterval, RangeReport, RangeReportRequest};
pub use taken_note::TakenNote;
pub use usage::{Breakdown, Usage, UsageDay, UsageItem, UsageKind, UsageRequest};
pub use websites::{BreakdownGranularity, WebsitePeriod, WebsiteUsage, WebsiteUsageItem, WebsiteUsageRequest};
pub use why::{NotCounted, WeekdayAverage, Why, WhyBlock, WhyDay, WhyRequest, WhyRow, WhyTime};

use dayledger_core::local_days::LocalDays;

/// Returns the start of days as text, or `None` for midnight.
fn day_start_text() -> Option<String> {
    let start = LocalDays::current().day_start;
    (!start.is_midnight()).then(|| start.to_string())
}
