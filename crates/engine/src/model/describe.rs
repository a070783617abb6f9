//! Describes the tables, views and functions of a session for users. The descriptions come from the comments at the
//! head of the files in `sql/`, and from the documentation of the functions.

use std::ops::Range;

use arrow::datatypes::{DataType, Schema};
use chrono::{NaiveDate, NaiveDateTime};
use datafusion::catalog::TableFunctionArgs;
use datafusion::common::ScalarValue;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Documentation, Expr, lit};
use dayledger_core::local_days::LocalDays;
use dayledger_udfs::interval::DayStart;

use super::parameter::{Kind, Parameter};
use super::{Function, View};
use crate::planning::clock;
use crate::planning::session::{MODEL_SCHEMA, Session};
use crate::{Engine, Error};

/// The day that examples use.
const EXAMPLE_DAY: NaiveDate = match NaiveDate::from_ymd_opt(2025, 1, 15) {
    Some(day) => day,
    None => NaiveDate::MIN,
};

/// The tables, views and functions of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelDescription {
    /// The tables and views, sorted by name.
    pub tables: Vec<TableDescription>,
    /// The tables of the history's own database, sorted by name. Their names include the schema.
    pub raw_tables: Vec<TableDescription>,
    /// The table functions, in the order of the model.
    pub table_functions: Vec<FunctionDescription>,
    /// The scalar, aggregate and window functions of dayledger, sorted by name.
    pub functions: Vec<FunctionDescription>,
    /// The functions of DataFusion, sorted by name.
    pub standard_functions: Vec<FunctionDescription>,
}

/// A table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// The name in SQL.
    pub name: String,
    /// A description of the rows. Empty for a table without a file in `sql/`.
    pub description: String,
    /// The columns.
    pub columns: Vec<ColumnDescription>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionDescription {
    /// The name in SQL.
    pub name: String,
    /// The syntax of a call.
    pub call: String,
    /// A description of the result.
    pub description: String,
    /// The name and description of each parameter.
    pub parameters: Vec<(String, String)>,
    /// The columns of a table function. Empty for other functions.
    pub columns: Vec<ColumnDescription>,
    /// An example: a call if this is a table function, otherwise a whole statement.
    pub example: Option<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDescription {
    /// The name.
    pub name: String,
    /// The type, as users write it in SQL.
    pub data_type: String,
}

impl Engine {
    /// Returns the tables and functions that SQL statements can use, for the current state of the history.
    ///
    /// # Errors
    /// [`Error::History`] if the history can't be read.
    pub async fn describe(&self) -> Result<ModelDescription, Error> {
        let engine = self.clone();
        self.runtime
            .run(move |turn| async move {
                let _turn = turn;
                let session = engine.session()?;
                let state = session.state();
                let (own, standard) = functions(&state);
                let table_functions = engine.model.functions.iter().filter_map(|function| {
                    let covered = engine.model.covered.get(function.name).map(|covered| covered.ranges.first());
                    match covered {
                        // This function doesn't accept any range. It isn't listed, because every call would fail.
                        Some(None) => None,
                        covered => Some(table_function(&state, function, covered.flatten())),
                    }
                });
                Ok(ModelDescription {
                    tables: tables(&session, MODEL_SCHEMA, &engine.model.views).await?,
                    raw_tables: match session.own_schema() {
                        Some(schema) => tables(&session, schema, &[]).await?,
                        None => Vec::new(),
                    },
                    table_functions: table_functions.collect::<Result<_, _>>()?,
                    functions: own,
                    standard_functions: standard,
                })
            })
            .await
    }
}

async fn tables(session: &Session, schema_name: &str, views: &[View]) -> Result<Vec<TableDescription>, Error> {
    let schema = session.schema(schema_name).ok_or(Error::Internal)?;
    let mut names = schema.table_names();
    names.sort_unstable();
    let mut tables = Vec::with_capacity(names.len());
    for name in names {
        let Some(table) = schema.table(&name).await? else { continue };
        // Several views can have this name. The session uses the first view whose requirements are met. The SQL text of
        // the table identifies this view.
        let definition = table.get_table_definition();
        let view = views.iter().find(|view| definition == Some(view.sql));
        tables.push(TableDescription {
            description: view.map(|view| head_comment(view.sql)).unwrap_or_default(),
            columns: columns(&table.schema()),
            name: if schema_name == MODEL_SCHEMA { name } else { format!("{schema_name}.{name}") },
        });
    }
    Ok(tables)
}

/// Describes a table function. If the function accepts only some ranges, `covered` is the first of these ranges, and
/// the example lies inside `covered`.
fn table_function(
    state: &SessionState,
    function: &Function,
    covered: Option<&Range<NaiveDateTime>>,
) -> Result<FunctionDescription, Error> {
    let Function { name, parameters, sql, .. } = *function;
    // If the range doesn't have a start, the example uses the last day of the range.
    let first = covered.map_or(EXAMPLE_DAY, |range| {
        let day = |local| LocalDays::current().day_of(local);
        let last = day(range.end).pred_opt().unwrap_or(EXAMPLE_DAY);
        if range.start == NaiveDateTime::MIN { last } else { day(range.start) }
    });
    let examples = parameters.iter().map(|parameter| example(parameter, first));
    let arguments: Vec<Expr> = examples.clone().map(|(value, _)| value).collect();
    let table = state.table_functions().get(name).ok_or(Error::Internal)?;
    // The columns of a function are known only after a call is planned.
    let rows = table.create_table_provider_with_args(TableFunctionArgs::new(&arguments, state))?;
    let (needed, open): (Vec<&Parameter>, Vec<&Parameter>) =
        parameters.iter().partition(|parameter| parameter.default.is_none());
    let needed: Vec<_> = needed.iter().map(|parameter| parameter.name).collect();
    let open: Vec<_> = open.iter().map(|parameter| format!(" [, {}]", parameter.name)).collect();
    let shown: Vec<_> = examples.take(needed.len()).map(|(_, text)| text).collect();
    Ok(FunctionDescription {
        name: name.to_owned(),
        call: format!("{name}({}{})", needed.join(", "), open.concat()),
        description: head_comment(sql),
        parameters: parameters
            .iter()
            .map(|parameter| (parameter.name.to_owned(), describe_parameter(parameter)))
            .collect(),
        columns: columns(&rows.schema()),
        example: Some(format!("{name}({})", shown.join(", "))),
    })
}

/// Returns an example value for a parameter, and its text in SQL. `first` is the first day of the range.
fn example(parameter: &Parameter, first: NaiveDate) -> (Expr, String) {
    let day = |date: NaiveDate| (lit(date.to_string()), format!("'{date}'"));
    match (parameter.kind, parameter.name) {
        (Kind::Instant | Kind::DayStart, "start") => day(first),
        (Kind::Instant | Kind::DayStart, _) => day(first.succ_opt().unwrap_or(first)),
        (Kind::Text, "role") => (lit("applications"), "'applications'".to_owned()),
        (Kind::Text, _) => (Expr::Literal(ScalarValue::Utf8View(None), None), "NULL".to_owned()),
        (Kind::Number | Kind::Count, _) => (lit(1), "1".to_owned()),
    }
}

fn describe_parameter(parameter: &Parameter) -> String {
    let kind = match parameter.kind {
        Kind::Instant => "local date or date-time; a range includes its start and excludes its end",
        Kind::DayStart => "local date; a range includes its start and excludes its end",
        Kind::Number => "number from 0",
        Kind::Count => "whole number",
        Kind::Text => "text",
    };
    parameter.default.map_or_else(|| kind.to_owned(), |default| format!("{kind}; {default} if left out"))
}

/// Returns the functions of dayledger, and the functions of DataFusion. Both lists are sorted by name.
fn functions(state: &SessionState) -> (Vec<FunctionDescription>, Vec<FunctionDescription>) {
    let scalar =
        state.scalar_functions().iter().map(|(name, function)| (name, function.name(), function.documentation()));
    let aggregate =
        state.aggregate_functions().iter().map(|(name, function)| (name, function.name(), function.documentation()));
    let window =
        state.window_functions().iter().map(|(name, function)| (name, function.name(), function.documentation()));
    let own_scalar = clock::functions().into_iter().chain(dayledger_udfs::scalar_functions(DayStart::default()));
    let mut own_names: Vec<String> = own_scalar.map(|function| function.name().to_owned()).collect();
    own_names.extend(dayledger_udfs::aggregate_functions().iter().map(|function| function.name().to_owned()));
    own_names.extend(
        dayledger_udfs::window_functions(DayStart::default()).iter().map(|function| function.name().to_owned()),
    );
    let mut described: Vec<_> = scalar
        .chain(aggregate)
        .chain(window)
        // A function is also registered under each of its aliases. The aliases aren't listed.
        .filter(|(listed, name, _)| listed == name)
        .filter_map(|(_, name, documentation)| Some(describe_documented(name, documentation?)))
        .collect();
    described.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    // DataFusion registers some functions, such as `first_value`, as an aggregate and also as a window function.
    described.dedup_by(|a, b| a.name == b.name);
    described.into_iter().partition(|function| own_names.contains(&function.name))
}

fn describe_documented(name: &str, documentation: &Documentation) -> FunctionDescription {
    let arguments = documentation.arguments.iter().flatten();
    let example = documentation.sql_example.as_deref();
    let fence = |line: &&str| !line.starts_with("```");
    FunctionDescription {
        name: name.to_owned(),
        call: documentation.syntax_example.clone(),
        description: documentation.description.trim().to_owned(),
        parameters: arguments.cloned().collect(),
        columns: Vec::new(),
        example: example.map(|example| example.lines().filter(fence).collect::<Vec<_>>().join("\n")),
    }
}

fn columns(schema: &Schema) -> Vec<ColumnDescription> {
    let fields = schema.fields().iter();
    fields
        .map(|field| ColumnDescription { name: field.name().clone(), data_type: type_name(field.data_type()) })
        .collect()
}

/// Returns a type as users write it in SQL.
pub fn type_name(data_type: &DataType) -> String {
    match data_type {
        data_type if data_type.is_string() => "text".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Date32 | DataType::Date64 => "date".to_owned(),
        DataType::Timestamp(_, None) => "timestamp".to_owned(),
        DataType::Timestamp(_, Some(_)) => "timestamp with time zone".to_owned(),
        DataType::Time32(_) | DataType::Time64(_) => "time".to_owned(),
        DataType::Interval(_) | DataType::Duration(_) => "interval".to_owned(),
        data_type if data_type.is_floating() => "double".to_owned(),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => format!("decimal({precision}, {scale})"),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            format!("{}[]", type_name(item.data_type()))
        }
        DataType::Struct(fields) => {
            let fields = fields.iter().map(|field| format!("{} {}", field.name(), type_name(field.data_type())));
            format!("struct({})", fields.collect::<Vec<_>>().join(", "))
        }
        DataType::Dictionary(_, values) => type_name(values),
        DataType::Null => "null".to_owned(),
        data_type if data_type.is_binary() => "binary".to_owned(),
        data_type if data_type.is_integer() => "bigint".to_owned(),
        other => other.to_string(),
    }
}

/// Returns the comment at the head of an SQL file as one line, without links to the specification.
fn head_comment(sql: &str) -> String {
    let lines = sql.lines().map_while(|line| line.strip_prefix("--")).map(str::trim);
    // The files write their parameters as `$name`, but callers never write the `$`.
    let text = lines.collect::<Vec<_>>().join(" ").replace('$', "");
    let mut description = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(" (docs/spec/") {
        description.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    description.push_str(rest);
    description.split_whitespace().collect::<Vec<_>>().join(" ")
}
