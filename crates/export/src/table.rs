//! The tables that can be exported, and their SQL statements.

use dayledger_engine::{Parameter, Statement, statement};

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
    /// All tables.
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

    /// The tables that are exported by default: totals and segments, but not single activities or
    /// screenshots.
    pub const DEFAULT: &'static [Self] = Self::ALL.split_at(7).0;

    /// Returns the name of the table in SQL, in paths and in the manifest.
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

    /// Returns the table with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Returns the column that the rows are sorted by.
    pub(super) fn clock(self) -> &'static str {
        match self {
            Self::AppUsage | Self::WebsiteUsage | Self::DocumentUsage | Self::TagUsage => "hour_local",
            Self::DaySummary => "date",
            Self::WeekdayPattern => "weekday",
            Self::Segments | Self::Activities => "start_local",
            Self::Screenshots => "taken_local",
        }
    }

    /// Returns whether the table's rows depend on rules for work or on rules for calls.
    pub(super) fn follows_rules(self) -> bool {
        matches!(self, Self::DaySummary | Self::WeekdayPattern | Self::Segments | Self::Activities)
    }

    /// Returns the columns that contain only titles, URLs, paths or notes. If these texts are redacted, the columns
    /// would be empty, so they are omitted. The table of activities keeps its columns: a file is reduced to its name, a
    /// website to its site, and other redacted values are null.
    pub(super) fn private_columns(self) -> &'static [&'static str] {
        match self {
            Self::Segments => &["title"],
            _ => &[],
        }
    }

    /// For a table of recorded hours, returns the role of these hours. For other tables, returns `None`.
    pub(super) fn role_of_hours(self) -> Option<&'static str> {
        match self {
            Self::AppUsage => Some("applications"),
            Self::WebsiteUsage => Some("websites"),
            Self::DocumentUsage => Some("documents"),
            Self::TagUsage => Some("tags"),
            Self::DaySummary | Self::WeekdayPattern | Self::Segments | Self::Activities | Self::Screenshots => None,
        }
    }

    /// Returns the statement that reads the table's rows of one month.
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

/// The column of activities that contains the numbers of the rule conditions that a row meets.
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

/// The statement for the timelines, which are exported with the activities.
pub(super) static TIMELINES: Statement = statement!(exports / "timelines");

/// The statement for the bounds and devices of the history.
pub(super) static SOURCE: Statement = statement!(exports / "source");
