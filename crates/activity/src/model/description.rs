//! Describes the SQL model: a short overview, or the details of one table, view or function.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::glossary::{column_meaning, table_meaning};
use crate::codes;
use dayledger_engine::{
    ColumnDescription, Engine, FunctionDescription, ModelDescription, TableDescription, suggestion,
};
use dayledger_request::{Error, Request, Truncate};

/// Notes that apply to the whole model.
const NOTES: [&str; 4] = [
    "Dialect: DataFusion, close to PostgreSQL. Names are lower case; text in single quotes.",
    "Instants are timestamps without zone: *_local is wall time, *_utc is UTC. Take days from local, lengths from UTC. \
     now(), current_timestamp, current_date, current_time and today() are local time; compare *_utc with now_utc().",
    "Active time (computer in use): pieces, narrative, blocks, pieces_by_day, day_summary, weekday_pattern. \
     Recorded time (continues while away): *_usage, recorded_time, activities and its views, tags. Never add the two.",
    "Pass table functions a range; filter other tables by a range of start_local or hour_local, to use the index. \
     Meetings and screenshots need one (>= and <). Use during meetings m: LEFT JOIN active_intervals a, \
     union_seconds(greatest(m.start_utc, a.start_utc), least(m.end_utc, a.end_utc)) FILTER (WHERE a.seconds > 0).",
];
/// A note about functions.
const FUNCTIONS: &str = "PostgreSQL-like functions exist; pass a name for details.";
/// Views and functions that users seldom need. The overview lists only their names.
const NAMES_ONLY: [&str; 28] = [
    "browsers",
    "hourly_totals",
    "recorded_activities",
    "recorded_bounds",
    "timeline_bounds",
    "calls_around",
    "device_active_days",
    "device_blocks",
    "device_client_time",
    "device_day_summary",
    "device_day_totals",
    "hourly_totals_around",
    "meetings_around",
    "note_sessions_around",
    "pieces_by_day",
    "pieces_by_rule",
    "role_pieces",
    "rule_candidates",
    "assign_blocks",
    "attribute",
    "carry_website",
    "clip_to_active",
    "clip_to_range",
    "clip_usage",
    "main_rule",
    "ranked_by_weight",
    "segment_number",
    "split_by_rule",
];
/// The maximum number of parameters that the overview shows for a function. Longer lists are replaced by `…`.
const MAX_PARAMETERS: usize = 6;

/// Requests a description of the SQL model (docs/contract.md, `describe_model`).
///
/// Fails with `UNKNOWN_NAME` if the model does not contain a table, view or function with the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribeModelRequest {
    /// The table, view or function to describe in detail. `None` for the overview.
    pub name: Option<String>,
}

/// The SQL model: an overview, or the details of one name.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelOverview {
    /// Notes about the whole model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Tables and views with their columns, and the meaning of a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// Table functions with their syntax, and the meaning of a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub table_functions: Vec<String>,
    /// Functions of this model, in addition to those of DataFusion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// The requested table or function.
    pub details: Option<NameDetails>,
    /// Present if the overview was cut.
    pub truncated: Option<bool>,
}

/// A table, view or function in detail.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NameDetails {
    /// The syntax of the table or function in a statement.
    pub call: String,
    /// Meaning of a row, or of the returned value.
    pub meaning: String,
    /// The parameters, each as `name: meaning`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// The columns of each row, each as `name type: meaning`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// An example: a call, or a statement that contains the name.
    pub example: Option<String>,
}

impl Request for DescribeModelRequest {
    type Service = Engine;
    type Response = ModelOverview;

    async fn execute(self, engine: &Engine) -> Result<ModelOverview, Error> {
        let model = engine.describe().await?;
        match self.name {
            None => Ok(overview(&model)),
            Some(name) => Ok(ModelOverview { details: Some(details(&model, &name)?), ..ModelOverview::default() }),
        }
    }
}

impl Truncate for ModelOverview {
    fn rows(&self) -> usize {
        self.functions.len()
    }

    fn keep(&mut self, rows: usize) {
        if rows < self.functions.len() {
            self.functions.truncate(rows);
            self.truncated = Some(true);
        }
    }
}

fn overview(model: &ModelDescription) -> ModelOverview {
    let table = |table: &TableDescription| {
        format!("{}({}): {}", table.name, names(&table.columns), first_sentence(table_meaning(table)))
    };
    let table_function = |function: &FunctionDescription| {
        format!("{} -> ({}): {}", call(function), names(&function.columns), first_sentence(&function.description))
    };
    let function =
        |function: &FunctionDescription| format!("{}: {}", call(function), first_sentence(&function.description));
    let functions = || model.table_functions.iter().chain(&model.functions).map(|function| function.name.as_str());
    let known = model.tables.iter().map(|table| table.name.as_str()).chain(functions());
    let names_only: Vec<&str> = known.filter(|name| !is_detailed(name)).collect();
    let names_only = format!("Building blocks, with details by name: {}.", names_only.join(", "));
    // If anything is redacted or hidden, the raw tables of the database file aren't available.
    let own_schema = model.raw_tables.first().and_then(|table| table.name.split_once('.'));
    let last = match own_schema {
        Some((schema, _)) => format!("Schema {schema} has the file's own tables: SHOW TABLES. {FUNCTIONS}"),
        None => FUNCTIONS.to_owned(),
    };
    ModelOverview {
        notes: NOTES.iter().map(|note| (*note).to_owned()).chain([last, names_only]).collect(),
        tables: model.tables.iter().filter(|table| is_detailed(&table.name)).map(table).collect(),
        table_functions: detailed_functions(&model.table_functions).map(table_function).collect(),
        functions: detailed_functions(&model.functions).map(function).collect(),
        ..ModelOverview::default()
    }
}

/// Returns whether the overview describes the table or function `name`, instead of listing only its name.
fn is_detailed(name: &str) -> bool {
    !NAMES_ONLY.contains(&name)
}

fn detailed_functions(functions: &[FunctionDescription]) -> impl Iterator<Item = &FunctionDescription> {
    functions.iter().filter(|function| is_detailed(&function.name))
}

fn names(columns: &[ColumnDescription]) -> String {
    let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
    names.join(", ")
}

/// Returns the syntax of a function. A long list of parameters is replaced by `…`. The details of the function contain
/// the full list.
fn call(function: &FunctionDescription) -> String {
    match function.call.split_once(')') {
        Some((_, over)) if function.parameters.len() > MAX_PARAMETERS => format!("{}(…){over}", function.name),
        _ => function.call.clone(),
    }
}

fn details(model: &ModelDescription, name: &str) -> Result<NameDetails, Error> {
    let name = name.trim();
    let wanted = name.split('(').next().unwrap_or_default().to_lowercase();
    if let Some(table) = model.tables.iter().find(|table| table.name == wanted) {
        return Ok(NameDetails {
            call: table.name.clone(),
            meaning: table_meaning(table).to_owned(),
            parameters: Vec::new(),
            columns: columns(&table.columns),
            example: None,
        });
    }
    let functions = || model.table_functions.iter().chain(&model.functions).chain(&model.standard_functions);
    if let Some(function) = functions().find(|function| function.name == wanted) {
        let parameters = function.parameters.iter();
        return Ok(NameDetails {
            call: function.call.clone(),
            meaning: function.description.clone(),
            parameters: parameters.map(|(name, takes)| format!("{name}: {takes}")).collect(),
            columns: columns(&function.columns),
            example: function.example.clone(),
        });
    }
    let known = || model.tables.iter().map(|table| table.name.as_str());
    let names = known().chain(functions().map(|function| function.name.as_str()));
    let shown: String = name.chars().take(40).collect();
    let own = known().chain(model.table_functions.iter().map(|function| function.name.as_str()));
    Err(Error::with_field(
        codes::UNKNOWN_NAME,
        "name",
        format!("unknown table or function `{shown}`{}", suggestion(&shown, names)),
        "omit the name for an overview",
    )
    .with_allowed(own.map(str::to_owned)))
}

fn columns(columns: &[ColumnDescription]) -> Vec<String> {
    let described = columns.iter().map(|ColumnDescription { name, data_type }| match column_meaning(name) {
        Some(meaning) => format!("{name} {data_type}: {meaning}"),
        None => format!("{name} {data_type}"),
    });
    described.collect()
}

/// Returns the first sentence of a description, without `A row is` at its start.
fn first_sentence(text: &str) -> &str {
    let text = text.strip_prefix("A row is ").unwrap_or(text);
    let end = [". ", "; "].iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text[..end].trim_end_matches('.')
}

#[cfg(test)]
mod tests;
