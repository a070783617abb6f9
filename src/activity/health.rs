//! What the history can tell, what it cannot, and why: what `doctor` prints.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::data_range::{DATA_RANGE, TimelineRange};
use super::question::ask;
use super::{Error, Question, Role};
use crate::engine::{self, Arguments, Engine, Statement};
use crate::manictime::{Capability, Tier};

/// Asks for the state of the history.
///
/// Fails with the engine's error where the history cannot be read; that error is then its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthRequest;

/// The state of a history that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The program's version.
    pub version: String,
    /// The database file.
    pub database: String,
    /// How it was found.
    pub found_by: String,
    /// `SQLite`'s journal mode of the file.
    pub journal_mode: String,
    /// The tables of the schema manifest.
    pub tables: Vec<TableHealth>,
    /// What the file can tell.
    #[schemars(with = "Vec<String>")]
    pub capabilities: Vec<Capability>,
    /// What the file cannot tell, what follows, and what to do.
    pub degraded: Vec<Degradation>,
    /// The last local end of any timeline; absent for an empty history.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub newest: Option<String>,
    /// One entry per timeline.
    pub timelines: Vec<TimelineHealth>,
}

/// A table of the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableHealth {
    /// Its name.
    pub table: String,
    /// How much it matters.
    #[schemars(with = "String")]
    pub tier: Tier,
    /// Whether it is there with the columns that are needed.
    pub present: bool,
}

/// Something that the file cannot tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Degradation {
    /// What is missing, such as `hourly_applications` or `computer_usage`.
    pub missing: String,
    /// What follows from it.
    pub effect: String,
    /// What the user can do.
    pub remedy: String,
}

/// A timeline's rows and dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineHealth {
    /// `Ar_Timeline.ReportId`.
    pub id: i64,
    /// What it holds.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
    /// How many activities it holds.
    pub activities: i64,
    /// First local start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub start: Option<String>,
    /// Last local end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub end: Option<String>,
    /// Activities with an instant that cannot be read; every sum ignores them.
    pub unreadable: i64,
    /// Activities that end no later than they start; every sum ignores them.
    pub without_extent: i64,
}

static IGNORED_ROWS: Statement =
    Statement { name: "ignored_rows", parameters: &[], sql: include_str!("../../sql/queries/ignored_rows.sql") };

impl Question for HealthRequest {
    type Answer = Health;

    async fn answer(self, engine: &Engine) -> Result<Health, Error> {
        let location = engine.source().location().map_err(engine::Error::from)?;
        let shape = engine.shape().await?;
        let journal_mode = engine.journal_mode().await?;
        let [extents, ignored] =
            ask(engine, [(&DATA_RANGE, Arguments::none()), (&IGNORED_ROWS, Arguments::none())]).await?;
        let ignored: Vec<(i64, i64, i64)> = ignored.read(|row| {
            Ok((row.required("timeline_id")?, row.required("unreadable")?, row.required("without_extent")?))
        })?;
        let timelines = TimelineRange::read(&extents)?.into_iter().map(|range| {
            let (_, unreadable, without_extent) =
                ignored.iter().find(|ignored| ignored.0 == range.timeline_id).copied().unwrap_or_default();
            TimelineHealth {
                id: range.timeline_id,
                role: range.role,
                device: range.device,
                activities: range.activities,
                start: range.start,
                end: range.end,
                unreadable,
                without_extent,
            }
        });
        let timelines: Vec<_> = timelines.collect();
        Ok(Health {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            database: location.database.display().to_string(),
            found_by: location.found_by.describe().to_owned(),
            journal_mode,
            tables: shape
                .manifest()
                .map(|(table, tier, present)| TableHealth { table: table.to_owned(), tier, present })
                .collect(),
            capabilities: shape.capabilities().collect(),
            degraded: shape.missing_capabilities().filter_map(lacking).chain(unclipped(&timelines)).collect(),
            newest: timelines.iter().filter_map(|timeline| timeline.end.clone()).max(),
            timelines,
        })
    }
}

fn lacking(capability: Capability) -> Option<Degradation> {
    let name = serde_json::to_value(capability).unwrap_or_default();
    Some(Degradation {
        missing: name.as_str().unwrap_or_default().to_owned(),
        effect: capability.when_missing()?.to_owned(),
        remedy: capability.remedy().to_owned(),
    })
}

/// Devices whose time cannot be clipped to active use (semantics, section 3).
fn unclipped(timelines: &[TimelineHealth]) -> Vec<Degradation> {
    let devices =
        |role| timelines.iter().filter(move |timeline| timeline.role == role).map(|timeline| &timeline.device);
    let tracked: BTreeSet<_> = devices(Role::ComputerUsage).collect();
    let unclipped: BTreeSet<_> = devices(Role::Applications).filter(|device| !tracked.contains(device)).collect();
    let degradation = |device: &String| Degradation {
        missing: "computer_usage".to_owned(),
        effect: format!("`{device}` has no computer-usage timeline, so time away from it counts as active"),
        remedy: "turn on computer-usage tracking in ManicTime on that device".to_owned(),
    };
    unclipped.into_iter().map(degradation).collect()
}
