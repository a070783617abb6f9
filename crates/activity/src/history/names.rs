//! The names that were used recently, to complete the name that a user types.
//!
//! Hidden and redacted names are left out. Tags have a request of their own, because a command line that completes tags
//! doesn't have time to read the applications and websites.

use chrono::Days;
use schemars::JsonSchema;
use serde::Serialize;

use super::HistoryBoundsRequest;
use crate::devices::RANGE;
use dayledger_engine::{Engine, Parameter, Statement, statement};
use dayledger_request::{DateRange, Error, Request, run_statements};
use dayledger_source::is_shown;

/// The number of days whose names are read. A longer range would be too slow for a request that is sent while the user
/// types.
const DAYS_OF_NAMES: u64 = 31;
/// The number of days whose tags are read. The tags of years would be too many to choose from.
const DAYS_OF_TAGS: u64 = 90;

/// Requests the names of applications, websites and tags of the last 31 days with data, and the projects of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentNamesRequest {
    /// The text that a name must contain, ignoring case.
    pub search_text: String,
}

/// Names, the ones that were used last first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecentNames {
    /// The names, each of them once.
    pub names: Vec<String>,
}

/// Requests the names of the tags of the last 90 days with data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecentTagsRequest;

/// Names of tags, the tag that was used last first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct RecentTags(pub Vec<RecentTag>);

/// The name of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecentTag {
    /// The full tag list, as the tracker shows it.
    pub tag: String,
    /// The first level of the tag, such as a client.
    pub client: String,
}

static RECENT_NAMES: Statement = statement!(
    queries / "recent_names",
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("search_text")]
);

static RECENT_TAGS: Statement = statement!(queries / "recent_tags", RANGE);

impl Request for RecentNamesRequest {
    type Service = Engine;
    type Response = RecentNames;

    async fn execute(self, engine: &Engine) -> Result<RecentNames, Error> {
        let Some(range) = recent_days(engine, DAYS_OF_NAMES).await? else { return Ok(RecentNames::default()) };
        let arguments = range.arguments().with_text("search_text", Some(&self.search_text));
        let [rows] = run_statements(engine, [(&RECENT_NAMES, arguments)]).await?;
        let names = rows.read(|row| row.get::<String>("name"))?;
        Ok(RecentNames { names: names.into_iter().filter(|name| is_shown(name)).collect() })
    }
}

impl Request for RecentTagsRequest {
    type Service = Engine;
    type Response = RecentTags;

    async fn execute(self, engine: &Engine) -> Result<RecentTags, Error> {
        let Some(range) = recent_days(engine, DAYS_OF_TAGS).await? else { return Ok(RecentTags::default()) };
        let [rows] = run_statements(engine, [(&RECENT_TAGS, range.arguments())]).await?;
        let tags = rows.read(|row| Ok(RecentTag { tag: row.get("tag")?, client: row.get("client")? }))?;
        Ok(RecentTags(tags.into_iter().filter(|name| is_shown(&name.tag) && is_shown(&name.client)).collect()))
    }
}

/// Returns the last `count` days up to the last day with data, or `None` for an empty history.
async fn recent_days(engine: &Engine, count: u64) -> Result<Option<DateRange>, Error> {
    let Some((_, last)) = HistoryBoundsRequest.execute(engine).await?.days() else { return Ok(None) };
    let first = last.checked_sub_days(Days::new(count - 1)).unwrap_or(last);
    DateRange::new(DateRange::day(first).start(), DateRange::day(last).end(), "startDate").map(Some)
}
