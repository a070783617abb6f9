//! Lists the names of the user's tags, for the completion of a command line.

use schemars::JsonSchema;
use serde::Serialize;

use crate::devices::RANGE;
use dayledger_engine::{Engine, Statement, statement};
use dayledger_request::{DateRange, Error, Request, run_statements};

/// Requests the names of the tags with time in a local range. The request is fast, because it doesn't compute times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagNamesRequest(pub DateRange);

/// The names of the tags, the tag that was used last first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct TagNames(pub Vec<TagName>);

/// The name of a tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TagName {
    /// The full tag list, as the tracker shows it.
    pub tag: String,
    /// The first level of the tag, such as a client.
    pub client: String,
}

static TAG_NAMES: Statement = statement!(queries / "tag_names", RANGE);

impl Request for TagNamesRequest {
    type Service = Engine;
    type Response = TagNames;

    async fn execute(self, engine: &Engine) -> Result<TagNames, Error> {
        let [rows] = run_statements(engine, [(&TAG_NAMES, self.0.arguments())]).await?;
        Ok(TagNames(rows.read(|row| Ok(TagName { tag: row.get("tag")?, client: row.get("client")? }))?))
    }
}
