//! The health of the history, including missing data and its causes. `dayledger doctor` prints it, and the MCP resource
//! `health` contains it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::dates::{DATA_RANGE, TimelineDates, TimelineRange};
use super::degradation;
use super::hourly::COVERAGE;
use crate::{Degradation, History, HourlyCoverage, Role, ScreenshotState, devices};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Rows, Statement, statement};
use dayledger_request::{Error, Request, run_statements};
use dayledger_source::{Capability, ManifestTable, Tier, Tracker};

/// Requests the health of the history.
///
/// Fails with the engine's error if the history cannot be read. Use [`UnavailableRequest`] in that case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthRequest;

/// Requests the state of a history that can't be read. The contained error is the reason. Never fails.
#[derive(Debug, Clone)]
pub struct UnavailableRequest(pub Error);

/// The state of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HealthStatus {
    /// The history can be read, and no data is missing.
    Ok,
    /// The history can be read, but some data is missing.
    Degraded,
    /// The history cannot be read.
    Unavailable,
}

/// The state of a history that can be read.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// `ok` or `degraded`.
    pub status: HealthStatus,
    /// The version of dayledger.
    pub version: String,
    /// The name of the tracker that recorded the history.
    pub tracker: String,
    /// Whether the tracker is running on this computer.
    #[schemars(with = "String")]
    pub manic_time: Tracker,
    /// The version of the tracker on each device, if recorded.
    pub manic_time_versions: Vec<DeviceVersion>,
    /// The version of the file's report schema, such as `2.2.0.0`.
    pub schema_version: Option<String>,
    /// The database file.
    pub database: String,
    /// How the database was found.
    pub found_by: String,
    /// `SQLite`'s journal mode of the file.
    pub journal_mode: String,
    /// The time zone of local times. Absent if the tracker records local times itself.
    pub time_zone: Option<String>,
    /// The last local end of any timeline; absent for an empty history.
    pub newest: Option<String>,
    /// Missing data, with effects and remedies.
    pub degraded: Vec<Degradation>,
    /// Data that isn't read, and settings of the tracker that aren't applied. Absent if there is nothing to report, or
    /// if privacy settings are active.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// One entry per timeline.
    pub timelines: Vec<TimelineHealth>,
    /// State of the screenshots. Absent if the server doesn't offer them.
    pub screenshots: Option<ScreenshotState>,
    /// How far the hourly totals lag behind the activities. Empty if the tracker never stores hourly totals.
    pub hourly: Vec<HourlyCoverage>,
    /// Data that the file can contain.
    #[schemars(with = "Vec<String>")]
    pub capabilities: Vec<Capability>,
    /// The tables of the schema manifest.
    pub tables: Vec<TableHealth>,
}

/// The state of a history that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unavailable {
    /// Always `unavailable`.
    pub status: HealthStatus,
    /// The version of dayledger.
    pub version: String,
    /// The name of the tracker that recorded the history.
    pub tracker: String,
    /// Whether the tracker is running on this computer.
    #[schemars(with = "String")]
    pub manic_time: Tracker,
    /// The reason why the history can't be read.
    pub error: Failure,
}

/// The reason why a history can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// The error code, such as `DATABASE_NOT_FOUND`.
    pub code: String,
    /// The error message.
    pub message: String,
    /// A remedy for the user.
    pub hint: String,
}

/// The version of the tracker that a device runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeviceVersion {
    /// Display name.
    pub device: String,
    /// Version of the tracker, such as `2024.3.3.0`.
    pub version: String,
}

/// A table of the schema manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableHealth {
    /// Name of the table.
    pub table: String,
    /// Importance of the table.
    #[schemars(with = "String")]
    pub tier: Tier,
    /// Whether the table exists and has the required columns.
    pub present: bool,
}

/// A timeline's rows and dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineHealth {
    /// The id of the timeline.
    pub id: i64,
    /// Kind of the timeline.
    pub role: Role,
    /// The device that recorded the timeline.
    pub device: String,
    /// Number of its activities.
    pub activities: i64,
    /// Start and end of the timeline.
    #[serde(flatten)]
    pub dates: TimelineDates,
    /// Activities with a timestamp that can't be parsed. Every sum ignores them.
    pub unreadable: i64,
    /// Activities that don't end after they start. Every sum ignores them.
    pub without_extent: i64,
}

static IGNORED_ROWS: Statement = statement!(queries / "ignored_rows");

static TOTALS_ONLY: Statement = statement!(queries / "totals_only");

impl Request for HealthRequest {
    type Service = History;
    type Response = Health;

    async fn execute(self, history: &History) -> Result<Health, Error> {
        let location = history.source().location().map_err(engine::Error::from)?;
        let files = history.health().await?;
        let [extents, ignored, coverage, expired, environment] = run_statements(
            history.engine(),
            [
                (&DATA_RANGE, Arguments::new()),
                (&IGNORED_ROWS, Arguments::new()),
                (&COVERAGE, Arguments::new()),
                (&TOTALS_ONLY, Arguments::new()),
                devices::statement(),
            ],
        )
        .await?;
        let ranges = TimelineRange::read_with_counts(&extents)?;
        let stores_totals = history.source().stores_hourly_totals();
        let hourly = if stores_totals { HourlyCoverage::read(&coverage)? } else { Vec::new() };
        let expired = degradation::expired_activities(&expired)?;
        let degraded: Vec<_> = degradation::missing_tables(&files.missing)
            .chain(degradation::missing_end(files.missing_from))
            .chain(degradation::missing_timelines(&ranges))
            .chain(expired)
            .chain(degradation::days_without_totals(
                &hourly,
                &files.contents,
                files.hourly_totals_remedy,
                history.source().privacy(),
            ))
            .chain(degradation::unread_data(&files.unread))
            .collect();
        let timelines = timelines(ranges, &ignored)?;
        let table = |table: ManifestTable| TableHealth {
            table: table.name.to_owned(),
            tier: table.tier,
            present: table.is_present,
        };
        Ok(Health {
            status: if degraded.is_empty() { HealthStatus::Ok } else { HealthStatus::Degraded },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tracker: history.source().label().to_owned(),
            manic_time: history.tracker().await,
            manic_time_versions: versions(&environment)?,
            schema_version: files.schema_version,
            database: location.database.display().to_string(),
            found_by: location.setting.to_owned(),
            journal_mode: files.journal_mode,
            time_zone: history.source().zone(),
            newest: timelines.iter().filter_map(|timeline| timeline.dates.end.clone()).max(),
            degraded,
            remarks: history.remarks().await?,
            timelines,
            screenshots: ScreenshotState::read(history.screenshots()).await,
            hourly,
            capabilities: files.contents.capabilities.iter().copied().collect(),
            tables: files.tables.into_iter().map(table).collect(),
        })
    }
}

impl Request for UnavailableRequest {
    type Service = History;
    type Response = Unavailable;

    async fn execute(self, history: &History) -> Result<Unavailable, Error> {
        Ok(Unavailable {
            status: HealthStatus::Unavailable,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tracker: history.source().label().to_owned(),
            manic_time: history.tracker().await,
            error: Failure::from_error(&self.0),
        })
    }
}

impl Failure {
    /// Converts an error to the form in docs/contract.md.
    pub fn from_error(error: &Error) -> Self {
        Self { code: error.code.to_string(), message: error.message.clone(), hint: error.hint.clone() }
    }
}

fn timelines(ranges: Vec<TimelineRange>, ignored: &Rows) -> Result<Vec<TimelineHealth>, engine::Error> {
    let ignored: Vec<(i64, i64, i64)> =
        ignored.read(|row| Ok((row.get("timeline_id")?, row.get("unreadable")?, row.get("without_extent")?)))?;
    let timelines = ranges.into_iter().map(|range| {
        let (_, unreadable, without_extent) =
            ignored.iter().find(|ignored| ignored.0 == range.timeline_id).copied().unwrap_or_default();
        TimelineHealth {
            id: range.timeline_id,
            role: range.role,
            device: range.device,
            activities: range.activities.unwrap_or_default(),
            dates: range.dates,
            unreadable,
            without_extent,
        }
    });
    Ok(timelines.collect())
}

/// Returns the version of the tracker on each device. In the history, the version follows the name: `Name;2024.3.3.0`.
fn versions(environment: &Rows) -> Result<Vec<DeviceVersion>, engine::Error> {
    let versions = environment.read(|row| {
        let application: Option<String> = row.get_optional("application")?;
        let device = row.get("device")?;
        Ok(application
            .map(|text| DeviceVersion { device, version: text.rsplit(';').next().unwrap_or_default().to_owned() }))
    })?;
    Ok(versions.into_iter().flatten().filter(|version| !version.version.is_empty()).collect())
}
