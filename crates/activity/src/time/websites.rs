//! Time by website, optionally by hour or day.

use chrono::{NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::day_start_text;
use super::usage::{RoleUsageItem, RoleUsageRequest};
use crate::{Diagnostics, Filter, History, Role, TimeBasis};
use dayledger_request::{
    Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso, minutes,
};

/// Requests recorded or active time by website in a local range of at most 31 days
/// (docs/spec/time.md#active-or-recorded).
///
/// Sites with one-character names are not listed, but the total includes their time. Fails with `INVALID_CURSOR` if the
/// cursor is from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct WebsiteUsageRequest {
    /// Local range, end exclusive, at most 31 days.
    pub range: DateRange,
    /// The maximum number of websites, most time first.
    pub limit: Limit<50, 200>,
    /// The minimum time of a listed website.
    pub min_minutes: Minutes,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
    /// Whether to break the time of each website down by period.
    pub include_breakdown: bool,
    /// The kind of time. With a filter, it is always active time.
    pub time_basis: TimeBasis,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// The filter. Only matching time counts.
    pub filter: Filter,
}

/// Time by website.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Local time at which days start, such as 04:00. Absent for midnight.
    pub day_start: Option<String>,
    /// `recorded` by default. With a filter or if requested: `active`, or `active+calls` if calls count.
    pub time_basis: TimeBasis,
    /// Minutes of all matching websites in the range, listed or not. Authoritative.
    pub total_minutes: Minutes,
    /// `hour` for ranges up to 7 days, otherwise `day`. Absent without a breakdown.
    pub breakdown_granularity: Option<BreakdownGranularity>,
    /// The websites, most time first.
    pub websites: Vec<WebsiteUsageItem>,
    /// Whether websites were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// The length of a breakdown's periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BreakdownGranularity {
    /// Local hours.
    Hour,
    /// Local days.
    Day,
}

/// Time of one website.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsageItem {
    /// The site (host name).
    pub name: String,
    /// Minutes in the range.
    pub total_minutes: Minutes,
    /// Active minutes in the range. Absent if only hourly totals remain for part of the website's time.
    pub active_minutes: Option<Minutes>,
    /// The hours or days with time, in order, if requested.
    pub time_breakdown: Option<Vec<WebsitePeriod>>,
}

/// Time of a website in one period.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsitePeriod {
    /// Local hour (`2025-01-15T09:00:00`) or date (`2025-01-15`).
    pub period: String,
    /// Minutes of the hour or day.
    pub minutes: Minutes,
}

/// The longest range with a breakdown by hour, in days (docs/contract.md, `get_website_usage`).
const MAX_HOURLY_DAYS: i64 = 7;

impl Request for WebsiteUsageRequest {
    type Service = History;
    type Response = WebsiteUsage;

    async fn execute(self, history: &History) -> Result<WebsiteUsage, Error> {
        let first_page = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::from_cursor(&first_page, self.cursor)?;
        let hourly = self.range.end() - self.range.start() <= TimeDelta::days(MAX_HOURLY_DAYS);
        let granularity = if hourly { BreakdownGranularity::Hour } else { BreakdownGranularity::Day };
        let period = if hourly { "hour" } else { "day" };
        let used = RoleUsageRequest {
            range: self.range,
            time_basis: self.time_basis,
            role: Role::Websites,
            period,
            device: self.device.as_deref(),
            filter: &self.filter,
        };
        let used = used.answer(history).await?;
        let granularity = self.include_breakdown.then_some(granularity);
        let listed: Vec<_> = used
            .items
            .iter()
            // Site names of one character come from misread paths (docs/spec/time.md#site-names-of-one-character).
            .filter(|item| item.name.chars().count() > 1)
            .filter(|item| item.seconds >= self.min_minutes.seconds())
            .collect();
        let (rows, truncation) = page.rows(listed.len(), self.limit.get(), LimitedBy::Limit);
        let websites = listed[rows].iter().map(|item| website(item, granularity)).collect();
        Ok(WebsiteUsage {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            time_basis: used.time_basis,
            total_minutes: minutes(used.seconds),
            breakdown_granularity: granularity,
            truncation,
            websites,
            diagnostics: used.diagnostics.with_dates(history.engine(), &self.range).await?,
        })
    }
}

impl Truncate for WebsiteUsage {
    fn rows(&self) -> usize {
        self.websites.len()
    }

    fn keep(&mut self, rows: usize) {
        self.websites.truncate(rows);
        self.truncation.keep(rows);
    }
}

fn website(item: &RoleUsageItem, granularity: Option<BreakdownGranularity>) -> WebsiteUsageItem {
    let period = |granularity, start: NaiveDateTime| match granularity {
        BreakdownGranularity::Hour => format_iso(start),
        BreakdownGranularity::Day => start.date().to_string(),
    };
    WebsiteUsageItem {
        name: item.name.clone(),
        total_minutes: minutes(item.seconds),
        active_minutes: item.active_seconds.map(minutes),
        time_breakdown: granularity.map(|granularity| {
            let periods = item.periods.iter();
            let total = |(start, seconds): (&NaiveDateTime, &i64)| WebsitePeriod {
                period: period(granularity, *start),
                minutes: minutes(*seconds),
            };
            periods.map(total).collect()
        }),
    }
}
