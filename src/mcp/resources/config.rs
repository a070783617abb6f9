//! The resource `manictime://config`.

use std::collections::BTreeMap;

use dayledger_mcp::ServedTools;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;

use super::resource::{ReadContext, json};
use crate::activity::{Failure, HistoryLocation, LocationRequest, MAX_PERIOD_DAYS, PrivacySummaryRequest};
use crate::mcp::history_handler::HistoryHandler;
use crate::request::Error;
use crate::source::PrivacySummary;

/// The content of the resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Configuration<'s> {
    version: &'static str,
    history: History,
    /// The kinds of data that are redacted or hidden. The user's patterns are left out, because they can contain
    /// private names.
    withheld: PrivacySummary,
    /// The served tools, in the order of their list.
    tools: Vec<&'s str>,
    limits: Limits<'s>,
}

/// The location of the history, or the reason why it is missing.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum History {
    Found(HistoryLocation),
    Missing { error: Failure },
}

/// Limits that no caller can exceed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Limits<'s> {
    /// The longest range that a tool accepts, in days. Some tools have no such limit.
    max_days: i64,
    /// The bounds of numeric parameters from the input schemas, by tool and parameter.
    parameters: BTreeMap<&'s str, BTreeMap<&'s str, Bounds>>,
}

#[derive(Debug, Serialize)]
struct Bounds {
    default: Option<Value>,
    max: Value,
}

/// Returns the configuration of this server.
pub(super) async fn read<R: HistoryHandler>(context: &ReadContext<'_, R>) -> Result<String, Error> {
    let history = match context.handler.handle(LocationRequest).await {
        Ok(location) => History::Found(location),
        Err(error) => History::Missing { error: Failure::from_error(&error) },
    };
    json(&Configuration {
        version: env!("CARGO_PKG_VERSION"),
        history,
        withheld: context.handler.handle(PrivacySummaryRequest).await?,
        tools: context.tools.names(),
        limits: Limits { max_days: MAX_PERIOD_DAYS, parameters: bounds(context.tools) },
    })
}

fn bounds<R: HistoryHandler>(tools: &ServedTools<R>) -> BTreeMap<&str, BTreeMap<&str, Bounds>> {
    tools
        .entries()
        .map(|entry| (entry.name(), bounds_of(&entry.definition().input_schema)))
        .filter(|(_, bounds)| !bounds.is_empty())
        .collect()
}

fn bounds_of(schema: &JsonObject) -> BTreeMap<&str, Bounds> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .filter_map(|(name, property)| {
            let max = property.get("maximum")?.clone();
            Some((name.as_str(), Bounds { default: property.get("default").cloned(), max }))
        })
        .collect()
}
