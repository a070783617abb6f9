//! What can be asked, for a person to read: tables, views and functions with their columns and meanings.
//!
//! Meanings come from where they are kept anyway: the head comment of a file of `sql/`, the documentation of a function.

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::Result;
use datafusion::execution::SessionState;
use datafusion::logical_expr::Documentation;

use super::function::SqlFunction;
use super::model::{Kind, Model, Parameter};
use super::session::{HISTORY_SCHEMA, MODEL_SCHEMA, Session};
use super::{Engine, Error, clock};

/// What can be asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalog {
    /// The model's tables and views by name, then the file's own tables.
    pub relations: Vec<Relation>,
    /// The functions by name: those that are tables first.
    pub routines: Vec<Routine>,
}

/// A table or view.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Its name as a statement writes it: `applications`, `manictime.ar_activity`.
    pub name: String,
    /// What a row is; empty for the file's own tables.
    pub meaning: String,
    /// Its columns, in order.
    pub columns: Vec<Attribute>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its type in plain words: `text`, `integer`, `timestamp`.
    pub data_type: String,
    /// Whether it may be null.
    pub nullable: bool,
}

/// What a function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoutineKind {
    /// Rows.
    Table,
    /// A value for each row.
    Scalar,
    /// A value for many rows.
    Aggregate,
    /// A value for each row, from the rows around it.
    Window,
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// What it gives.
    pub kind: RoutineKind,
    /// Whether it is of this program; the others come with DataFusion.
    pub own: bool,
    /// How it is called: `narrative(start, end [, max_gap_minutes])`.
    pub call: String,
    /// What it answers.
    pub meaning: String,
    /// Its parameters and what each takes.
    pub parameters: Vec<(String, String)>,
    /// A statement that uses it.
    pub example: Option<String>,
    /// The columns of the rows that it gives.
    pub columns: Vec<Attribute>,
}

impl Relation {
    /// Whether it is a table of the file, and none of the model.
    pub fn is_raw(&self) -> bool {
        self.name.contains('.')
    }
}

impl Engine {
    /// What can be asked of the history as it is now. Plans every view and table function that was not planned yet.
    ///
    /// # Errors
    /// [`Error::History`] when the file cannot be read.
    pub async fn catalog(&self) -> Result<Catalog, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |_turn| async move {
                let session = engine.session()?;
                let state = session.state();
                let relations = relations(&session, &engine.model).await?;
                Ok(Catalog { relations, routines: routines(&state, &engine.model)? })
            })
            .await
    }
}

async fn relations(session: &Session, model: &Model) -> Result<Vec<Relation>> {
    let mut found = Vec::new();
    for schema in [MODEL_SCHEMA, HISTORY_SCHEMA] {
        let Some(provider) = session.schema(schema) else { continue };
        let mut names = provider.table_names();
        names.sort_unstable();
        for name in names {
            let Some(table) = provider.table(&name).await? else { continue };
            let raw = schema == HISTORY_SCHEMA;
            found.push(Relation {
                meaning: if raw { String::new() } else { relation_meaning(model, &name) },
                name: if raw { format!("{schema}.{name}") } else { name },
                columns: attributes(&table.schema()),
            });
        }
    }
    Ok(found)
}

/// The tables that no file of `sql/` describes.
const TABLES: [(&str, &str); 5] = [
    ("activities", "an activity of any timeline, with resolved names, keys, colours, role and device"),
    ("timelines", "a timeline: id, role, schema, device, name"),
    ("timeline_extents", "a timeline's role, device, number of activities, first and last local instant"),
    ("devices", "a device with the versions of its system and of ManicTime"),
    ("hourly_totals", "a row of ManicTime's own hourly tables, names resolved"),
];

fn relation_meaning(model: &Model, name: &str) -> String {
    let files = model.views.iter().filter(|view| view.name == name).map(|view| head_comment(view.sql));
    // Where a view has several files, one of them says what a row is.
    let told = files.max_by_key(|comment| comment.starts_with(A_ROW_IS));
    let listed = || TABLES.iter().find(|(table, _)| *table == name).map(|(_, meaning)| (*meaning).to_owned());
    told.map(|comment| meaning(&comment)).or_else(listed).unwrap_or_default()
}

fn routines(state: &SessionState, model: &Model) -> Result<Vec<Routine>> {
    let own: HashSet<String> = own_names().collect();
    let mut found = Vec::new();
    for function in &model.functions {
        let table = state.table_functions().get(function.name).map(|table| Arc::clone(table.function()));
        let columns = match table.as_deref().and_then(|table| (table as &dyn Any).downcast_ref::<SqlFunction>()) {
            Some(function) => attributes(function.open_plan(state)?.schema().as_arrow()),
            None => Vec::new(),
        };
        let parameters = function.parameters.iter();
        found.push(Routine {
            name: function.name.to_owned(),
            kind: RoutineKind::Table,
            own: true,
            call: call(function.name, function.parameters),
            meaning: meaning(&head_comment(function.sql)),
            parameters: parameters.map(|parameter| (parameter.name.to_owned(), parameter_meaning(parameter))).collect(),
            example: None,
            columns,
        });
    }
    let scalar = state.scalar_functions().iter().map(|(name, f)| (name, RoutineKind::Scalar, f.documentation()));
    let aggregate =
        state.aggregate_functions().iter().map(|(name, f)| (name, RoutineKind::Aggregate, f.documentation()));
    let window = state.window_functions().iter().map(|(name, f)| (name, RoutineKind::Window, f.documentation()));
    for (name, kind, documentation) in scalar.chain(aggregate).chain(window) {
        found.push(documented(name, kind, own.contains(name), documentation));
    }
    found.sort_unstable_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    Ok(found)
}

fn own_names() -> impl Iterator<Item = String> {
    let scalar = dayledger_udfs::scalar_functions().into_iter().map(|function| function.name().to_owned());
    let aggregate = dayledger_udfs::aggregate_functions().into_iter().map(|function| function.name().to_owned());
    let window = dayledger_udfs::window_functions().into_iter().map(|function| function.name().to_owned());
    let clock = clock::functions().into_iter().map(|function| function.name().to_owned());
    scalar.chain(aggregate).chain(window).chain(clock)
}

fn documented(name: &str, kind: RoutineKind, own: bool, documentation: Option<&Documentation>) -> Routine {
    let syntax = documentation.map(|told| told.syntax_example.trim()).filter(|syntax| !syntax.is_empty());
    let arguments = documentation.and_then(|told| told.arguments.clone()).unwrap_or_default();
    Routine {
        name: name.to_owned(),
        kind,
        own,
        call: syntax.map_or_else(|| format!("{name}(…)"), str::to_owned),
        meaning: documentation.map(|told| on_one_line(&told.description)).unwrap_or_default(),
        parameters: arguments.into_iter().map(|(name, takes)| (name, on_one_line(&takes))).collect(),
        example: documentation.and_then(|told| told.sql_example.clone()),
        columns: Vec::new(),
    }
}

fn call(name: &str, parameters: &[Parameter]) -> String {
    let mut call = format!("{name}(");
    for (index, parameter) in parameters.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        match parameter.default {
            Some(_) => call.extend([" [", comma, parameter.name, "]"]),
            None => call.extend([comma, parameter.name]),
        }
    }
    call + ")"
}

fn parameter_meaning(parameter: &Parameter) -> String {
    let takes = match parameter.kind {
        Kind::Instant if parameter.name == "end" => "a local date or date-time, exclusive",
        Kind::Instant => "a local date or date-time: '2025-01-15', '2025-01-15T09:30', today()",
        Kind::Number => "a number",
        Kind::Count => "a whole number",
        Kind::Text => "a text, or NULL",
    };
    match parameter.default {
        Some(default) => format!("{takes}; {default} where left out"),
        None => takes.to_owned(),
    }
}

fn attributes(schema: &Schema) -> Vec<Attribute> {
    let fields = schema.fields().iter();
    let attribute = |field: &Arc<datafusion::arrow::datatypes::Field>| Attribute {
        name: field.name().clone(),
        data_type: type_name(field.data_type()),
        nullable: field.is_nullable(),
    };
    fields.map(attribute).collect()
}

/// A type as a person calls it. What a file stores whole seconds in and what an engine keeps texts in is left out.
fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text".to_owned(),
        DataType::Timestamp(_, None) => "timestamp".to_owned(),
        DataType::Timestamp(_, Some(_)) => "timestamp with time zone".to_owned(),
        DataType::Date32 | DataType::Date64 => "date".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        integer if integer.is_integer() => "integer".to_owned(),
        number if number.is_numeric() => "number".to_owned(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "bytes".to_owned(),
        DataType::Dictionary(_, value) => type_name(value),
        DataType::List(item) | DataType::LargeList(item) => format!("{}[]", type_name(item.data_type())),
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|field| format!("{} {}", field.name(), type_name(field.data_type())));
            format!("({})", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string().to_lowercase(),
    }
}

/// How a file says what its rows are.
const A_ROW_IS: &str = "A row is ";

/// The comment that a file begins with, on one line.
fn head_comment(sql: &str) -> String {
    let lines = sql.lines().map_while(|line| line.strip_prefix("--"));
    on_one_line(&lines.take_while(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" "))
}

/// What a comment says to somebody who asks: without the sections that it cites and the marks of parameters.
fn meaning(comment: &str) -> String {
    let mut told = String::new();
    let mut rest = comment.strip_prefix(A_ROW_IS).unwrap_or(comment);
    while let Some((before, cited)) = rest.split_once('(') {
        let Some((inside, after)) = cited.split_once(')') else { break };
        if inside.starts_with("semantics") || inside.starts_with("section") {
            told.push_str(before.trim_end());
            rest = after;
        } else {
            told.push_str(before);
            told.push('(');
            rest = cited;
        }
    }
    told.push_str(rest);
    told.replace('$', "").trim().to_owned()
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meaning_leaves_out_what_only_a_developer_needs() {
        let file = "-- A row is a day inside [$start, $end) (the function `f`), of all\n-- (semantics, section 6). The rest\n\
                    -- stays (semantics, sections 1 and 3).\n-- A note.\nSELECT 1\n";
        assert_eq!(
            meaning(&head_comment(file)),
            "a day inside [start, end) (the function `f`), of all. The rest stays. A note."
        );
    }

    #[test]
    fn a_call_shows_what_may_be_left_out() {
        let parameters =
            [Parameter::instant("start"), Parameter::number("gap").or(2.0), Parameter::number("x").or(1.0)];
        assert_eq!(call("f", &parameters), "f(start [, gap] [, x])");
        assert_eq!(call("f", &[]), "f()");
    }

    #[test]
    fn types_are_named_as_a_person_calls_them() {
        let list = DataType::new_list(DataType::Utf8View, true);
        let names =
            [DataType::Utf8View, DataType::Int32, DataType::Float64, list].map(|data_type| type_name(&data_type));
        assert_eq!(names, ["text", "integer", "number", "text[]"]);
    }
}
