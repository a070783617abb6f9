//! Recorded time of websites, over time (contract, `get_website_usage`).

use chrono::{NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use super::usage::{RecordedItem, RecordedTime};
use super::{Diagnostics, History, TimeBasis};
use crate::question::{
    Answer, Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Question, Truncation, iso, minutes,
};

/// Asks for recorded time by website in a local range of at most 31 days (semantics, section 6).
///
/// Sites of one character are not listed; their time stays in the total. Fails with `InvalidCursor`.
#[derive(Debug, Clone, PartialEq)]
pub struct WebsiteUsageRequest {
    /// Local range, end exclusive, at most 31 days.
    pub range: DateRange,
    /// How many websites are returned, most time first.
    pub limit: Limit<50, 200>,
    /// Websites with less time are left out.
    pub min_minutes: Minutes,
    /// Where the previous answer ended.
    pub cursor: Option<Cursor>,
}

/// Recorded time by website.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Recorded minutes of all websites in the range, whatever is listed. Authoritative.
    pub total_minutes: Minutes,
    /// `hour` for ranges up to 7 days, else `day`.
    pub breakdown_granularity: BreakdownGranularity,
    /// The websites, most time first.
    pub websites: Vec<WebsiteUsageItem>,
    /// Whether websites were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
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

/// Recorded time of one website.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsiteUsageItem {
    /// The site (host name).
    pub name: String,
    /// Recorded minutes in the range.
    pub total_minutes: Minutes,
    /// The periods with any time, in order.
    pub time_breakdown: Vec<WebsitePeriod>,
}

/// Recorded time of a website in one period.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebsitePeriod {
    /// Local hour (`2025-01-15T09:00:00`) or date (`2025-01-15`).
    pub period: String,
    /// Recorded minutes.
    pub minutes: Minutes,
}

/// The longest range that is broken down by hour, in days (contract, `get_website_usage`).
const MAX_HOURLY_DAYS: i64 = 7;

impl Question for WebsiteUsageRequest {
    type Of = History;
    type Answer = WebsiteUsage;

    async fn answer(self, history: &History) -> Result<WebsiteUsage, Error> {
        let question = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::of(&question, self.cursor)?;
        let hourly = self.range.end() - self.range.start() <= TimeDelta::days(MAX_HOURLY_DAYS);
        let granularity = if hourly { BreakdownGranularity::Hour } else { BreakdownGranularity::Day };
        let recorded = RecordedTime::ask(history, &self.range, "websites", if hourly { "hour" } else { "day" }).await?;
        let total: i64 = recorded.items.iter().map(RecordedItem::seconds).sum();
        let listed: Vec<_> = recorded
            .items
            .iter()
            // One-character sites are noise from misread paths (semantics, section 5).
            .filter(|item| item.name.chars().count() > 1)
            .filter(|item| item.seconds() >= self.min_minutes.seconds())
            .collect();
        let (rows, truncation) = page.rows(listed.len(), self.limit.get(), LimitedBy::Limit);
        let websites = listed[rows].iter().map(|item| website(item, granularity)).collect();
        Ok(WebsiteUsage {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis: TimeBasis::Recorded,
            total_minutes: minutes(total),
            breakdown_granularity: granularity,
            truncation,
            websites,
            diagnostics: recorded.diagnostics().with_dates(history.engine()).await?,
        })
    }
}

impl Answer for WebsiteUsage {
    fn rows(&self) -> usize {
        self.websites.len()
    }

    fn keep(&mut self, rows: usize) {
        self.websites.truncate(rows);
        self.truncation.keep(rows);
    }
}

fn website(item: &RecordedItem, granularity: BreakdownGranularity) -> WebsiteUsageItem {
    let period = |start: NaiveDateTime| match granularity {
        BreakdownGranularity::Hour => iso(start),
        BreakdownGranularity::Day => start.date().to_string(),
    };
    WebsiteUsageItem {
        name: item.name.clone(),
        total_minutes: minutes(item.seconds()),
        time_breakdown: item
            .periods
            .iter()
            .map(|(start, seconds)| WebsitePeriod { period: period(*start), minutes: minutes(*seconds) })
            .collect(),
    }
}
