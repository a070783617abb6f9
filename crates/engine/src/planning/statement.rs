//! Statements with named parameters. A statement is planned once, without values for its parameters. Each use then sets
//! these values.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, ScalarValue, plan_datafusion_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::expr::Placeholder;
use datafusion::logical_expr::{Expr, LogicalPlan, Statement as PlannedStatement};
use futures::FutureExt;

use super::analysis::rewrite_expressions;
use crate::dates::instant::timestamp_value;
use crate::model::parameter::{Kind, Parameter};
use dayledger_source::INSTANT;

/// A SQL file and its parameters.
#[derive(Debug)]
pub struct Statement {
    /// The file's name. Cached plans and errors use it.
    pub name: &'static str,
    /// The parameters in any order. The file uses them as `$name`.
    pub parameters: &'static [Parameter],
    /// The file's text.
    pub sql: &'static str,
}

/// Creates the [`Statement`](crate::Statement) of a file in `sql/`, from its folder, its name, and optionally its
/// parameters.
#[macro_export]
#[doc(hidden)]
macro_rules! __statement {
    ($folder:ident / $name:literal) => {
        $crate::__statement!($folder / $name, &[])
    };
    ($folder:ident / $name:literal, $parameters:expr) => {
        $crate::Statement {
            name: $name,
            parameters: $parameters,
            sql: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../sql/",
                stringify!($folder),
                "/",
                $name,
                ".sql"
            )),
        }
    };
}
#[doc(inline)]
pub use __statement as statement;

/// The values of a statement's parameters by name, the number of requested rows, and whether the statement is filtered.
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct Arguments {
    values: Vec<(&'static str, ScalarValue)>,
    /// The number of requested rows. `None` if all rows are requested.
    pub(crate) first_rows: Option<usize>,
    /// Whether the statement runs in the filtered model.
    pub(crate) is_filtered: bool,
}

impl Arguments {
    /// Creates empty arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates arguments with a local range: `start` and `end`.
    pub fn from_range(start: chrono::NaiveDateTime, end: chrono::NaiveDateTime) -> Self {
        Self::new().with_instant("start", start).with_instant("end", end)
    }

    /// Adds a local time.
    pub fn with_instant(self, name: &'static str, instant: chrono::NaiveDateTime) -> Self {
        self.with_value(name, timestamp_value(instant))
    }

    /// Adds a text; `None` is null.
    pub fn with_text(self, name: &'static str, text: Option<&str>) -> Self {
        self.with_value(name, ScalarValue::Utf8View(text.map(str::to_owned)))
    }

    /// Adds a number.
    pub fn with_number(self, name: &'static str, number: f64) -> Self {
        self.with_value(name, ScalarValue::Float64(Some(number)))
    }

    /// Adds an integer.
    pub fn with_count(self, name: &'static str, count: i64) -> Self {
        self.with_value(name, ScalarValue::Int64(Some(count)))
    }

    /// Requests only the first `rows` rows of an ordered result. [`Rows::available`] then returns the number of all
    /// rows.
    ///
    /// [`Rows::available`]: crate::Rows::available
    pub fn with_first_rows(self, rows: usize) -> Self {
        Self { first_rows: Some(rows), ..self }
    }

    /// Runs the statement in the filtered model (see [`crate::FilteredFunctions`]). The values of the filter are passed
    /// by name, like the values of the statement's own parameters.
    pub fn with_filter(self) -> Self {
        Self { is_filtered: true, ..self }
    }

    /// Sets a value. This replaces an earlier value of the same name.
    fn with_value(mut self, name: &'static str, value: ScalarValue) -> Self {
        self.values.retain(|(known, _)| *known != name);
        self.values.push((name, value));
        self
    }

    /// Returns the values of `parameters`, in the same order. Fails if a value is missing.
    pub(crate) fn values<'p>(&self, parameters: impl IntoIterator<Item = &'p Parameter>) -> Result<Vec<ScalarValue>> {
        let values = parameters.into_iter().map(|parameter| {
            let value = self.values.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone());
            value.ok_or_else(|| plan_datafusion_err!("the parameter `{}` has no value", parameter.name))
        });
        values.collect()
    }
}

/// The expressions that replace the placeholders of a plan, by the name of the placeholder.
pub(crate) type Bindings = HashMap<String, Expr>;

/// Returns DataFusion's name for the parameter at `index`.
pub(crate) fn placeholder(index: usize) -> String {
    format!("${}", index + 1)
}

/// Returns the placeholder for a parameter of the filter. The plan of a filtered function contains this placeholder.
/// When a statement calls the function, the statement's own parameter replaces the placeholder.
pub(crate) fn filter_placeholder(parameter: &Parameter) -> (String, Expr) {
    let name = format!("${}", parameter.name);
    let value = typed_placeholder(&name, parameter.kind.data_type());
    (name, value)
}

/// Returns a placeholder for a value of this type.
pub(crate) fn typed_placeholder(name: &str, data_type: DataType) -> Expr {
    let field = Field::new(name, data_type, true);
    Expr::Placeholder(Placeholder::new_with_field(name.to_owned(), Some(Arc::new(field))))
}

/// Plans a file with open parameters.
///
/// DataFusion supports typed parameters only in a `PREPARE` statement. There, parameters have positions and not names.
/// So this function replaces the parameter names in the file by positions. The future of planning is ready immediately,
/// because all tables of the model are in memory.
pub(crate) fn plan_open<'p>(
    state: &SessionState,
    name: &str,
    parameters: impl IntoIterator<Item = &'p Parameter>,
    sql: &str,
) -> Result<LogicalPlan> {
    let mut text = sql.to_owned();
    let parameters: Vec<_> = parameters.into_iter().collect();
    let mut by_length: Vec<_> = parameters.iter().enumerate().collect();
    // The longest names are replaced first, so that `$to` isn't replaced inside `$top`.
    by_length.sort_by_key(|(_, parameter)| std::cmp::Reverse(parameter.name.len()));
    for (index, parameter) in by_length {
        text = text.replace(&format!("${}", parameter.name), &placeholder(index));
    }
    let types: Vec<_> = parameters.iter().map(|parameter| parameter.kind.sql_type()).collect();
    let text = if types.is_empty() { text } else { format!("PREPARE file({}) AS {text}", types.join(", ")) };
    let planned = state.create_logical_plan(&text).now_or_never();
    let plan = planned.ok_or_else(|| plan_datafusion_err!("planning `{name}` did not end at once"))?;
    match plan.map_err(|error| error.context(format!("planning `{name}`")))? {
        LogicalPlan::Statement(PlannedStatement::Prepare(prepared)) => Ok(prepared.input.as_ref().clone()),
        plan => Ok(plan),
    }
}

/// Replaces parameters of a plan by expressions. An expression can be a literal, a function that returns a value, or a
/// parameter of another plan. Parameters that `bindings` doesn't contain stay open.
pub(crate) fn bind(plan: LogicalPlan, bindings: &Bindings) -> Result<LogicalPlan> {
    if bindings.is_empty() {
        return Ok(plan);
    }
    rewrite_expressions(plan, |part| {
        let value = if let Expr::Placeholder(Placeholder { id, .. }) = &part { bindings.get(id) } else { None };
        Ok(value.map_or_else(|| Transformed::no(part), |value| Transformed::yes(value.clone())))
    })
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Self::Instant | Self::DayStart => INSTANT,
            Self::Number => DataType::Float64,
            Self::Count => DataType::Int64,
            Self::Text => DataType::Utf8View,
        }
    }

    fn sql_type(self) -> &'static str {
        match self {
            Self::Instant | Self::DayStart => "TIMESTAMP(0)",
            Self::Number => "DOUBLE",
            Self::Count => "BIGINT",
            Self::Text => "VARCHAR",
        }
    }
}
