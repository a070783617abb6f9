//! The fields that a block has in addition to the fields of a segment (docs/spec/time.md#block-fields).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_with::skip_serializing_none;

use crate::NamedTotal;
use dayledger_engine as engine;
use dayledger_engine::Row;
use dayledger_request::{Minutes, minutes};

/// The minimum time of a name that a block lists. For the name with the most time, a tenth of the block's time is
/// enough.
const MIN_SUBJECT_SECONDS: i64 = 300;
/// The usual kinds of subject. A response omits the kind of a subject if it is one of these.
const APPLICATION: &str = "application";
const TAG: &str = "tag";

/// Subject and contents of a block.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Subject of the block: a full tag list, otherwise the project and task or the category of a rule. Absent if the
    /// application is the subject.
    pub subject: Option<String>,
    /// `project` or `category` if the subject comes from a rule.
    pub subject_kind: Option<String>,
    /// Active minutes that match the subject or application. Absent if more than four fifths of the block match.
    pub on_subject_minutes: Option<Minutes>,
    /// Minutes of the applications with the most time, at most 3. Absent unless at least two have 5 minutes in the
    /// block.
    #[serde(skip_serializing_if = "Shares::is_redundant")]
    pub applications: Shares,
    /// Minutes of the documents with the most time, at most 3. Absent unless at least two have 5 minutes in the block.
    #[serde(skip_serializing_if = "Shares::is_redundant")]
    pub documents: Shares,
    /// Minutes of the sites with the most time, at most 3. Absent unless at least two have 5 minutes in the block.
    #[serde(skip_serializing_if = "Shares::is_redundant")]
    pub websites: Shares,
    /// Names of meetings at the time of the block, at most 3.
    pub meetings: Option<Vec<String>>,
    /// Paths of notes taken at the time of the block, at most 3.
    pub notes_taken: Option<Vec<String>>,
}

/// Minutes by name, the longest time first. Serialised as an object with the names as fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shares(pub Vec<NamedTotal>);

impl Shares {
    /// Returns the name with the most minutes.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(|share| share.name.as_str())
    }

    /// Returns whether the list adds nothing to the block. A list with one name adds nothing, because the block already
    /// shows this name.
    fn is_redundant(&self) -> bool {
        self.0.len() < 2
    }

    /// Returns the names of a column, without names that have too little time in their block. The block has
    /// `block_seconds` active seconds.
    fn from_row(row: Row<'_>, column: &str, block_seconds: i64) -> Result<Self, engine::Error> {
        let shares = row.get_optional::<Vec<(String, i64)>>(column)?.unwrap_or_default().into_iter().enumerate();
        let listed = shares.filter(|(place, (_, seconds))| {
            *seconds >= MIN_SUBJECT_SECONDS || *place == 0 && seconds.saturating_mul(10) >= block_seconds
        });
        let listed = listed.map(|(_, (name, seconds))| NamedTotal { name, total_minutes: minutes(seconds) });
        Ok(Self(listed.collect()))
    }
}

impl Block {
    /// Returns the block of a row. Also returns the application, if it is the subject of the block.
    pub(super) fn from_row(row: Row<'_>) -> Result<(Self, Option<String>), engine::Error> {
        let (seconds, on_subject): (i64, i64) = (row.get("seconds")?, row.get("on_subject")?);
        let (subject, kind): (String, String) = (row.get("subject")?, row.get("subject_kind")?);
        let (subject, application) = if kind == APPLICATION { (None, Some(subject)) } else { (Some(subject), None) };
        let block = Self {
            subject,
            subject_kind: Some(kind).filter(|kind| ![APPLICATION, TAG].contains(&kind.as_str())),
            on_subject_minutes: (on_subject * 5 <= seconds * 4).then(|| minutes(on_subject)),
            applications: Shares::from_row(row, "applications", seconds)?,
            documents: Shares::from_row(row, "documents", seconds)?,
            websites: Shares::from_row(row, "websites", seconds)?,
            meetings: names(row, "meetings")?,
            notes_taken: names(row, "notes_taken")?,
        };
        Ok((block, application))
    }
}

/// Returns the names of a column, or `None` if it is null.
fn names(row: Row<'_>, column: &str) -> Result<Option<Vec<String>>, engine::Error> {
    let named = row.get_optional::<Vec<(String, i64)>>(column)?;
    Ok(named.map(|named| named.into_iter().map(|(name, _)| name).collect()))
}

impl Serialize for Shares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|share| (&share.name, &share.total_minutes)))
    }
}

impl JsonSchema for Shares {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Shares".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "additionalProperties": {"type": "number"}})
    }
}
