//! Shared parts of responses: time basis, totals, diagnostics.

use chrono::{NaiveDate, NaiveDateTime};
use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::Error as UnknownWord;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::HistoryBoundsRequest;
use dayledger_engine as engine;
use dayledger_engine::{Engine, Row};
use dayledger_request::{ComparedPart, DateRange, Error, Minutes, Request, format_iso, minutes};

/// The kind of time that a response counts (docs/spec/time.md#active-or-recorded). A response never mixes active and
/// recorded time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeBasis {
    /// Time in which the user worked at the computer.
    #[default]
    Active,
    /// Active time, including calls without touching the keyboard (docs/spec/time.md#calls).
    #[serde(rename = "active+calls")]
    ActiveAndCalls,
    /// Time as the tracker recorded it, including time away.
    Recorded,
}

impl TimeBasis {
    /// Returns whether this is active time, with or without calls.
    pub fn is_active(self) -> bool {
        self != Self::Recorded
    }
}

/// Active or recorded minutes of one application.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationTotal {
    /// Display name.
    pub name: String,
    /// Colour as six hex digits without `#`.
    pub color: Option<String>,
    /// Minutes, rounded to one decimal.
    pub total_minutes: Minutes,
}

/// Minutes of one item, such as a website, a full tag list or an application.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedTotal {
    /// Display name.
    pub name: String,
    /// Minutes, rounded to one decimal.
    pub total_minutes: Minutes,
}

/// Whether a response is degraded or empty, the reason, and a remedy (docs/contract.md#diagnostics).
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostics {
    /// Whether the response lacks data, or was computed from another source.
    pub degraded: bool,
    /// The reason why the response is degraded or empty.
    pub reason_code: Option<ReasonCode>,
    /// An explanation, and a remedy for the user.
    pub remediation_hint: Option<String>,
}

/// The hint of a response that can't use hourly totals, because privacy rules hide applications.
const HOURLY_TOTALS_HIDDEN: &str = "rules hide applications, and hourly totals of websites and documents are linked to \
                                      none, so recorded time was computed from activities; it reaches back as far as \
                                      these are kept";

impl Diagnostics {
    /// Returns the diagnostics of a complete response.
    pub fn healthy() -> Self {
        Self::default()
    }

    /// Returns the diagnostics of a response that is degraded because of `reason`, with the hint of `reason`.
    pub fn degradation(reason: ReasonCode) -> Self {
        Self { degraded: true, ..Self::remark(reason) }
    }

    /// Returns the diagnostics of a complete response that is empty or unexpected because of `reason`.
    pub fn remark(reason: ReasonCode) -> Self {
        Self { degraded: false, reason_code: Some(reason), remediation_hint: Some(reason.hint().to_owned()) }
    }

    /// Returns the diagnostics of a response that was computed from activities because rules hide applications
    /// (docs/spec/time.md#fallback-to-activities).
    pub(super) fn totals_hidden_by_rules() -> Self {
        Self {
            remediation_hint: Some(HOURLY_TOTALS_HIDDEN.to_owned()),
            ..Self::degradation(ReasonCode::FallbackComputation)
        }
    }

    /// Returns the diagnostics of a response that lacks time: devices were in use for `seconds`, but recorded no
    /// application (docs/spec/time.md#missing-data).
    pub(super) fn without_applications(seconds: i64) -> Self {
        let used = minutes(seconds).to_rounded();
        Self::degradation(ReasonCode::NoApplications)
            .with_fact(&format!("the computer was in use for {used:.1} minutes"))
    }

    /// Returns the diagnostics of a complete response to a range in which hourly totals end at `until`. Later hours
    /// were computed from activities (docs/spec/time.md#lag).
    pub(super) fn hourly_totals_lag(until: NaiveDateTime) -> Self {
        Self::remark(ReasonCode::HourlyTotalsLag).with_fact(&format!("totals reach until {}", format_iso(until)))
    }

    /// Returns the diagnostics of a response that lacks computer states or documents, because `devices` do not have a
    /// timeline for this data (docs/spec/time.md#missing-data).
    pub(super) fn without_timeline(reason: ReasonCode, devices: &[String]) -> Self {
        let devices: Vec<_> = devices.iter().map(|device| format!("`{device}`")).collect();
        Self::degradation(reason).with_fact(&format!("affected: {}", devices.join(", ")))
    }

    /// Adds `fact`, the reason why a filter matches nothing. Keeps the present reason code if it explains why matching
    /// time can be missing. Otherwise, replaces it.
    pub(super) fn with_no_match(self, fact: &str) -> Self {
        match self.reason_code {
            Some(ReasonCode::WholeHoursOnly | ReasonCode::NoActivities | ReasonCode::ActivitiesPartlyKept) => {
                self.with_fact(fact)
            }
            _ => Self::remark(ReasonCode::FilterMatchesNothing).with_fact(fact),
        }
    }

    /// Adds the start of the history as the reason. If the diagnostics already have a reason, nothing is added.
    pub(super) fn with_history_start(self, history_start: Option<NaiveDate>) -> Self {
        match history_start.filter(|_| self.reason_code.is_none()) {
            Some(start) => {
                Self::remark(ReasonCode::HistoryStartsLater).with_fact(&format!("the history starts on {start}"))
            }
            None => self,
        }
    }

    /// Adds a remark if one of two compared periods is still running. `part` is the compared part of the other period,
    /// and `end` is the local end of this part.
    pub(super) fn with_comparison(self, part: ComparedPart, end: &str) -> Self {
        let fact = match part {
            ComparedPart::Whole => return self,
            ComparedPart::SoFar => {
                format!("the period is not over, so only the same part of the other one is compared, until {end}")
            }
            ComparedPart::WholeWithUnfinished => "one of the periods is not over, and both count whole".to_owned(),
        };
        match self.reason_code {
            Some(_) => self.with_fact(&fact),
            None => Self::remark(ReasonCode::PeriodNotOver).with_fact(&fact),
        }
    }

    /// Adds the first and last day of the history if the range contains no data, so that the caller can choose another
    /// range. The days are read only in this case. Also adds the end of the history if the history is an export that
    /// ends before the range.
    pub(super) async fn with_dates(self, engine: &Engine, range: &DateRange) -> Result<Self, Error> {
        let is_empty = self.reason_code == Some(ReasonCode::NoDataInRange);
        let diagnostics = match engine.covered_until()?.filter(|end| *end < range.end()) {
            Some(end) => self.with_history_end(end),
            None => self,
        };
        let days = if is_empty { HistoryBoundsRequest.execute(engine).await?.days() } else { None };
        Ok(match days {
            Some((first, last)) => diagnostics.with_fact(&format!("the history holds {first} to {last}")),
            None => diagnostics,
        })
    }

    /// Adds the fact that the history ends at the local time `end`.
    fn with_history_end(self, end: NaiveDateTime) -> Self {
        let fact = format!("the history ends at {}", format_iso(end));
        match self.reason_code {
            Some(reason) if reason.outweighs(ReasonCode::HistoryEndsEarlier) => self.with_fact(&fact),
            _ => Self::remark(ReasonCode::HistoryEndsEarlier).with_fact(&fact),
        }
    }

    /// Adds a fact about this response before the general hint of the reason.
    pub(super) fn with_fact(self, fact: &str) -> Self {
        Self { remediation_hint: self.remediation_hint.map(|hint| format!("{fact}; {hint}")), ..self }
    }

    /// Returns the diagnostics of a complete response with `rows` rows, with a remark if `rows` is 0.
    pub(super) fn from_row_count(rows: usize) -> Self {
        if rows == 0 { Self::remark(ReasonCode::NoDataInRange) } else { Self::healthy() }
    }
}

/// The reason why a response is degraded or empty (docs/spec/time.md#diagnostics).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReasonCode {
    /// A device has no computer-usage timeline, so its time could not be clipped to active use.
    NoComputerUsage,
    /// Hourly tables were absent or did not fit the range, so recorded time was computed from activities.
    FallbackComputation,
    /// The activities of the range were deleted. Totals are recorded time from hourly totals.
    NoActivities,
    /// On at least one device, only hourly totals remain for part of the range. The time of this part is missing from
    /// the response.
    ActivitiesPartlyKept,
    /// The range isn't on whole hours, and only hourly totals remain. Each hour that the range touches counts in full.
    WholeHoursOnly,
    /// A device was in use without any application in the range.
    NoApplications,
    /// A device has no Documents timeline, so its documents are missing. Its websites can be missing too.
    NoDocuments,
    /// Hourly totals end before the end of the range. Later time was computed from activities. Not a degradation.
    HourlyTotalsLag,
    /// The history is an export that ends before the end of the range. Not a degradation.
    HistoryEndsEarlier,
    /// The range doesn't contain data. Not a degradation.
    NoDataInRange,
    /// A filter matches nothing. Not a degradation.
    FilterMatchesNothing,
    /// One of the compared periods is still running. Not a degradation.
    PeriodNotOver,
    /// The range starts before the history. Not a degradation.
    HistoryStartsLater,
    /// The folder for screenshots is empty.
    CaptureDisabled,
    /// The range ends before the oldest screenshot.
    Retention,
    /// The history has screenshots, but not of this range.
    NoScreenshotsInRange,
    /// The history doesn't have a folder for screenshots.
    DirectoryMissing,
    /// Privacy options hide the screenshots from the caller.
    ScreenshotsWithheld,
    /// The reason for missing screenshots can't be found from the files.
    Unknown,
}

impl ReasonCode {
    /// All codes, the most important first. If several codes apply to a response, it reports the code that comes first
    /// here.
    pub const ALL: [Self; 19] = [
        Self::WholeHoursOnly,
        Self::NoActivities,
        Self::ActivitiesPartlyKept,
        Self::FilterMatchesNothing,
        Self::NoComputerUsage,
        Self::NoApplications,
        Self::NoDocuments,
        Self::FallbackComputation,
        Self::HourlyTotalsLag,
        Self::HistoryEndsEarlier,
        Self::NoDataInRange,
        Self::PeriodNotOver,
        Self::HistoryStartsLater,
        Self::ScreenshotsWithheld,
        Self::DirectoryMissing,
        Self::CaptureDisabled,
        Self::Retention,
        Self::NoScreenshotsInRange,
        Self::Unknown,
    ];

    /// Returns whether a response with the reasons `self` and `other` reports `self`.
    pub(super) fn outweighs(self, other: Self) -> bool {
        let place = |code| Self::ALL.iter().position(|known| *known == code);
        place(self) < place(other)
    }

    /// Returns a description of the problem, with advice for the user.
    pub fn hint(self) -> &'static str {
        match self {
            Self::NoComputerUsage => {
                "a device has no computer-usage timeline, so time away from it may be counted; let the tracker record \
                 computer usage on that device"
            }
            Self::FallbackComputation => {
                "hourly totals are missing for part of the range or do not fit it, so recorded time was computed from \
                 activities; request whole hours, or run `dayledger doctor` to list the missing totals"
            }
            Self::NoActivities => {
                "the tracker deleted the activities of this range and kept only hourly totals; minutes are recorded \
                 time, which includes time away; keep activities longer in the tracker's settings"
            }
            Self::ActivitiesPartlyKept => {
                "the tracker deleted the activities of an earlier part of this range, or of a device, so their time is \
                 missing here; recorded usage, and summaries of only that part or device, still include it; keep \
                 activities longer in the tracker's settings"
            }
            Self::WholeHoursOnly => {
                "only hourly totals remain of all or part of this range, so each hour that it touches counts as a \
                 whole; request whole hours"
            }
            Self::NoApplications => {
                "no application was recorded in this range on a device that was in use; its computer usage shows when; \
                 let the tracker record applications on that device"
            }
            Self::NoDocuments => {
                "a device has no Documents timeline, so documents or websites are missing here; let the tracker record \
                 documents on that device"
            }
            Self::FilterMatchesNothing => "change or remove the filter",
            Self::PeriodNotOver => "for a full comparison, wait until the period is over",
            Self::HistoryStartsLater => "earlier days are not counted as days without activity",
            Self::HourlyTotalsLag => {
                "hourly totals do not reach the end of this range yet; later hours were computed from activities"
            }
            Self::HistoryEndsEarlier => {
                "later time is not in this export, so it is unknown and not idle; export again to the same folder"
            }
            Self::NoDataInRange => {
                "no such data was tracked in this range; `dayledger doctor` shows the dates with data"
            }
            Self::CaptureDisabled => {
                "the folder for screenshots is empty; turn on screenshots in the tracker's settings, and check how \
                 long they are kept"
            }
            Self::Retention => {
                "the range is older than the oldest screenshot; keep screenshots longer in the tracker's settings"
            }
            Self::NoScreenshotsInRange => {
                "there are screenshots of other times, but not of this range; the computer may have been off or idle, \
                 or screenshots were paused"
            }
            Self::DirectoryMissing => {
                "the history has no folder for screenshots; if the tracker can take screenshots, turn them on in its \
                 settings; otherwise, set `screenshots_dir` in the configuration file"
            }
            Self::ScreenshotsWithheld => {
                "the user hides screenshots from this client with `--redact`, `--hide-app` or `--hide-site` of \
                 `dayledger serve`"
            }
            Self::Unknown => {
                "the search for screenshots failed; check that their folder can be read, and run `dayledger doctor`"
            }
        }
    }
}

/// Returns the first `most` names, followed by `…` if there are more.
pub(super) fn first_names(mut names: Vec<String>, most: usize) -> Vec<String> {
    if names.len() > most {
        names.truncate(most);
        names.push("…".to_owned());
    }
    names
}

/// Returns the variant of an enum from a column. The text of the column is the serialised name of the variant.
pub(super) fn read_enum<T: for<'w> Deserialize<'w>>(row: Row<'_>, column: &str) -> Result<T, engine::Error> {
    let given: String = row.get(column)?;
    T::deserialize(given.into_deserializer()).map_err(|_: UnknownWord| engine::Error::Internal)
}
