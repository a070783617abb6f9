//! Which timelines the history holds.

use schemars::JsonSchema;
use serde::Serialize;

use super::question::ask;
use super::{Answer, Error, Question, Role, Truncation};
use crate::engine::{Arguments, Engine, Statement};

/// Asks for all timelines with their roles (semantics, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelinesRequest;

/// All timelines of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timelines {
    /// The timelines, in order of id.
    pub timelines: Vec<Timeline>,
    /// Present where timelines were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Truncation")]
    pub truncation: Option<Truncation>,
}

/// One timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// `Ar_Timeline.ReportId`, what `get_activities` takes as `timelineId`.
    pub id: i64,
    /// The name that the user gave it; automatic timelines have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Such as `ManicTime/Applications`.
    pub schema_name: String,
    /// What it holds.
    pub role: Role,
    /// The device that recorded it.
    pub device: String,
}

pub(super) static TIMELINES: Statement =
    Statement { name: "timelines", parameters: &[], sql: include_str!("../../sql/queries/timelines.sql") };

impl Question for TimelinesRequest {
    type Answer = Timelines;

    async fn answer(self, engine: &Engine) -> Result<Timelines, Error> {
        let [rows] = ask(engine, [(&TIMELINES, Arguments::none())]).await?;
        let timelines = rows.read(|row| {
            Ok(Timeline {
                id: row.required("timeline_id")?,
                name: row.optional("name")?,
                schema_name: row.required("schema_name")?,
                role: Role::of(&row.required::<String>("role")?),
                device: row.required("device")?,
            })
        })?;
        Ok(Timelines { timelines, truncation: None })
    }
}

impl Answer for Timelines {
    fn rows(&self) -> usize {
        self.timelines.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.timelines.len() {
            let mut truncation = Truncation::of(self.timelines.len(), self.timelines.len());
            truncation.keep(rows);
            self.truncation = Some(truncation);
            self.timelines.truncate(rows);
        }
    }
}
