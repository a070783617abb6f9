//! What can be exported, and how each table is asked for.

use crate::engine::{Parameter, Statement, statement};

/// A table that can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ExportTable {
    /// Recorded seconds per application and local hour.
    AppUsage,
    /// Recorded seconds per site and local hour.
    WebsiteUsage,
    /// Recorded seconds per document and local hour.
    DocumentUsage,
    /// Recorded seconds per tag and local hour.
    TagUsage,
    /// Totals per day with activity.
    DaySummary,
    /// Totals per weekday and month.
    WeekdayPattern,
    /// Segments, each in the month in which it starts.
    Segments,
    /// Activities of all timelines, each in the month in which it starts.
    Activities,
    /// Screenshots, without their images.
    Screenshots,
}

impl ExportTable {
    /// Every table.
    pub const ALL: [Self; 9] = [
        Self::AppUsage,
        Self::WebsiteUsage,
        Self::DocumentUsage,
        Self::TagUsage,
        Self::DaySummary,
        Self::WeekdayPattern,
        Self::Segments,
        Self::Activities,
        Self::Screenshots,
    ];

    /// What is exported where no table is named: what adds up, without the single rows behind it.
    pub const DEFAULT: &'static [Self] = Self::ALL.split_at(7).0;

    /// Its name in SQL, in the folder and in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::AppUsage => "app_usage",
            Self::WebsiteUsage => "website_usage",
            Self::DocumentUsage => "document_usage",
            Self::TagUsage => "tag_usage",
            Self::DaySummary => "day_summary",
            Self::WeekdayPattern => "weekday_pattern",
            Self::Segments => "segments",
            Self::Activities => "activities",
            Self::Screenshots => "screenshots",
        }
    }

    /// The table of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// The column that the rows are sorted by.
    pub(super) fn clock(self) -> &'static str {
        match self {
            Self::AppUsage | Self::WebsiteUsage | Self::DocumentUsage | Self::TagUsage => "hour_local",
            Self::DaySummary => "date",
            Self::WeekdayPattern => "weekday",
            Self::Segments | Self::Activities => "start_local",
            Self::Screenshots => "taken_local",
        }
    }

    /// Whether its rows depend on the user's rules, or on what counts as a call.
    pub(super) fn follows_rules(self) -> bool {
        matches!(self, Self::DaySummary | Self::WeekdayPattern | Self::Segments | Self::Activities)
    }

    /// The columns that hold titles, addresses, paths and notes, and nothing else once these are withheld. Activities keep
    /// them: a file has its name alone then, a website its site, and what is withheld is null.
    pub(super) fn private_columns(self) -> &'static [&'static str] {
        match self {
            Self::Segments => &["title"],
            _ => &[],
        }
    }

    /// The role whose recorded hours it holds, if it holds any.
    pub(super) fn role_of_hours(self) -> Option<&'static str> {
        match self {
            Self::AppUsage => Some("applications"),
            Self::WebsiteUsage => Some("websites"),
            Self::DocumentUsage => Some("documents"),
            Self::TagUsage => Some("tags"),
            Self::DaySummary | Self::WeekdayPattern | Self::Segments | Self::Activities | Self::Screenshots => None,
        }
    }

    /// What its rows of a month are.
    pub(super) fn statement(self) -> &'static Statement {
        match self {
            Self::AppUsage | Self::WebsiteUsage | Self::DocumentUsage | Self::TagUsage => &HOURLY_USAGE,
            Self::DaySummary => &DAY_SUMMARY,
            Self::WeekdayPattern => &WEEKDAY_PATTERN,
            Self::Segments => &SEGMENTS,
            Self::Activities => &ACTIVITIES,
            Self::Screenshots => &SCREENSHOTS,
        }
    }
}

/// The column of activities that says which conditions of rules a row fulfils.
pub(super) const RULE_TEXT: &str = "rule_text";

const MONTH: &[Parameter] = &[Parameter::instant("start"), Parameter::instant("end")];

static HOURLY_USAGE: Statement = statement!(
    exports / "hourly_usage",
    &[Parameter::text("role"), Parameter::instant("start"), Parameter::instant("end")]
);

static DAY_SUMMARY: Statement = statement!(exports / "day_summary", MONTH);

static WEEKDAY_PATTERN: Statement = statement!(exports / "weekday_pattern", MONTH);

static SEGMENTS: Statement = statement!(exports / "segments", MONTH);

static ACTIVITIES: Statement = statement!(
    exports / "activities",
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::instant("after")]
);

static SCREENSHOTS: Statement = statement!(exports / "screenshots", MONTH);

/// The timelines that activities belong to; written beside them.
pub(super) static TIMELINES: Statement = statement!(exports / "timelines");

/// What the history holds.
pub(super) static SOURCE: Statement = statement!(exports / "source");
