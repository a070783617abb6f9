//! What the user tagged (semantics, section 5).

use schemars::JsonSchema;
use serde::Serialize;

use super::question::ask;
use super::request::iso;
use super::{DateRange, Diagnostics, Error, NamedTotal, Question, TimeBasis, Truncation, minutes};
use crate::engine::{Engine, Parameter, Statement};

/// How many tag intervals one answer holds at most.
const MAX_TAGS: usize = 1000;

/// Asks for tagged time in a local range, as recorded time (semantics, section 5).
#[derive(Debug, Clone, PartialEq)]
pub struct TagsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
}

/// Tagged time, in order of time, cut at the range, not at active use.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`: a meeting away from the desk is tagged time.
    pub time_basis: TimeBasis,
    /// The tag intervals, cut at the range.
    pub tags: Vec<TagEntry>,
    /// Minutes per full tag list over the whole range, most first, whatever is listed.
    pub totals: Vec<NamedTotal>,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One tagged interval.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEntry {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: f64,
    /// The full list as `ManicTime` shows it.
    pub name: String,
    /// The list's parts in order; a part may itself hold a comma.
    pub path: Vec<String>,
    /// Whether the tag is billable, where `ManicTime` knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub billable: Option<bool>,
    /// The user's notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub notes: Option<String>,
}

static TAGS: Statement = Statement {
    name: "tags",
    parameters: &[Parameter::instant("start"), Parameter::instant("end")],
    sql: include_str!("../../sql/queries/tags.sql"),
};

static TOTALS: Statement = Statement {
    name: "tag_totals",
    parameters: &[Parameter::instant("start"), Parameter::instant("end")],
    sql: include_str!("../../sql/queries/tag_totals.sql"),
};

impl Question for TagsRequest {
    type Answer = Tags;

    async fn answer(self, engine: &Engine) -> Result<Tags, Error> {
        let arguments = self.range.arguments();
        let [rows, totals] = ask(engine, [(&TAGS, arguments.clone()), (&TOTALS, arguments)]).await?;
        let mut tags = rows.read(|row| {
            Ok(TagEntry {
                start: iso(row.required("start_local")?),
                end: iso(row.required("end_local")?),
                duration_minutes: minutes(row.required("seconds")?),
                name: row.optional("tag")?.unwrap_or_default(),
                path: row.optional("path")?.unwrap_or_default(),
                billable: row.optional("is_billable")?,
                notes: row.optional::<String>("notes")?.filter(|notes| !notes.is_empty()),
            })
        })?;
        let totals = totals.read(|row| {
            Ok(NamedTotal {
                name: row.optional("tag")?.unwrap_or_default(),
                total_minutes: minutes(row.required("seconds")?),
            })
        })?;
        let available = tags.len();
        tags.truncate(MAX_TAGS);
        Ok(Tags {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis: TimeBasis::Recorded,
            tags,
            totals,
            truncation: Truncation::of(available.min(MAX_TAGS), available),
            diagnostics: Diagnostics::of_rows(available),
        })
    }
}
