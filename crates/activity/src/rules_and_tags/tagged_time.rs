//! Tagged active time of a range (docs/spec/time.md#tags).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::time::active_time::TopList;
use crate::{NamedTotal, devices};
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};
use dayledger_request::{Minutes, minutes};

/// The statement for the active seconds of all tags together, and of each first level of the tags.
pub(crate) static ACTIVE_TAGS: Statement = statement!(queries / "active_tags", devices::RANGE_OF_DEVICE);

/// The maximum number of tags in a response.
const TOP: usize = 10;

/// Active time with tags, by first level, and active time without tags.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaggedTime {
    /// First levels of tags, such as clients, with their active minutes, most first, at most 10.
    pub top_tags: Vec<NamedTotal>,
    /// Number of all first levels, if `topTags` is cut.
    pub top_tags_available: Option<usize>,
    /// Active minutes without any tag.
    pub untagged_minutes: Minutes,
}

/// Reads the active seconds with any tag from the rows of [`ACTIVE_TAGS`].
pub(crate) fn seconds(rows: &Rows) -> Result<i64, engine::Error> {
    let totals = rows.read(|row| Ok((row.get_optional::<String>("name")?, row.get::<i64>("seconds")?)))?;
    Ok(totals.iter().filter(|(name, _)| name.is_none()).map(|(_, seconds)| seconds).sum())
}

impl TaggedTime {
    /// Reads the tagged time from the rows of [`ACTIVE_TAGS`]. Returns `None` if no active time is tagged.
    pub(crate) fn from_rows(rows: &Rows, active_seconds: i64) -> Result<Option<Self>, engine::Error> {
        let totals = rows.read(|row| Ok((row.get_optional::<String>("name")?, row.get::<i64>("seconds")?)))?;
        let named = totals
            .into_iter()
            .filter_map(|(name, seconds)| Some(NamedTotal { name: name?, total_minutes: minutes(seconds) }));
        let tops = TopList::new(named.collect()).truncate(TOP);
        let is_tagged = !tops.listed.is_empty();
        let untagged_minutes = minutes(active_seconds - seconds(rows)?);
        Ok(is_tagged.then_some(Self { top_tags: tops.listed, top_tags_available: tops.available, untagged_minutes }))
    }
}
