//! A statement of a user or a model, with the values of its parameters.
//!
//! The values are inserted into the parsed statement. The text of a statement never changes, so a value can contain
//! quotes, comments or the name of another parameter. Texts and comments of the statement can contain `$name`, too.

use std::ops::ControlFlow;

use chrono::{NaiveDate, NaiveDateTime};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, Expr, FunctionArg, FunctionArgExpr, Statement as Sql, TableFactor, TimezoneInfo, Value,
    ValueWithSpan, Visit, VisitMut, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use serde::{Deserialize, Serialize};

use super::guard::check_text;
use super::messages::{shorten_name, suggestion};
use super::read_only;
use crate::{Error, Position};

/// A statement that a user or a model wrote, and the values of its parameters. The statement uses a parameter as
/// `$name`, wherever SQL allows a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct UserStatement {
    pub(crate) sql: String,
    values: Vec<(String, Literal)>,
}

/// The value of a parameter, in a form that the parser of SQL also produces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Literal {
    Null,
    Text(String),
    /// A number in SQL's notation.
    Number(String),
    /// A date such as `2025-01-15`.
    Day(String),
    /// A local time such as `2025-01-15T09:30:00`.
    Instant(String),
    /// The start and the end of a range. A range can only be the argument of a table function.
    Range(String, String),
}

impl<S: Into<String>> From<S> for UserStatement {
    fn from(sql: S) -> Self {
        Self { sql: sql.into(), values: Vec::new() }
    }
}

impl UserStatement {
    /// Returns the parameters in a statement, each with the position of its first use.
    ///
    /// # Errors
    /// [`Error::Query`] if `sql` isn't exactly one statement, [`Error::ReadOnly`] if the statement isn't a query such
    /// as `SELECT`, and [`Error::TooLarge`] if `sql` is too long.
    pub fn parameters(sql: &str) -> Result<Vec<(String, Position)>, Error> {
        check_text(sql, 0)?;
        let parsed = DFParserBuilder::new(sql).with_dialect(&GenericDialect).build()?.parse_statements()?;
        let [statement] = parsed.as_slices().0 else {
            let message = format!("expected one statement, found {}", parsed.len());
            return Err(Error::Query { message, position: None });
        };
        match (read_only::check(statement)?, statement) {
            (query @ Sql::Query(_), Statement::Statement(_)) => {
                let mut found = Vec::new();
                let _: ControlFlow<()> = query.visit(&mut PlaceholderVisitor(&mut found));
                Ok(found)
            }
            _ => Err(Error::Query { message: "the statement must be a SELECT".to_owned(), position: None }),
        }
    }

    /// Sets a parameter to null.
    pub fn with_null(self, name: &str) -> Self {
        self.with(name, Literal::Null)
    }

    /// Sets a parameter to a text.
    pub fn with_text(self, name: &str, text: &str) -> Self {
        self.with(name, Literal::Text(text.to_owned()))
    }

    /// Sets a parameter to an integer, of the type `bigint`.
    pub fn with_integer(self, name: &str, number: i64) -> Self {
        self.with(name, Literal::Number(number.to_string()))
    }

    /// Sets a parameter to a finite number, of the type `double`.
    pub fn with_number(self, name: &str, number: f64) -> Self {
        // This notation always has a decimal point or an exponent. Without them, `5` would be an integer in SQL.
        self.with(name, Literal::Number(format!("{number:?}")))
    }

    /// Sets a parameter to a local day. As an argument of a table function, the day is a text, so that
    /// `blocks($day)` covers the whole day. Anywhere else, the day is a value of the type `date`.
    pub fn with_day(self, name: &str, day: NaiveDate) -> Self {
        self.with(name, Literal::Day(day.to_string()))
    }

    /// Sets a parameter to a range of local time with an exclusive end. As an argument of a table function, `$name`
    /// becomes two arguments: the start and the end. `$name_start` and `$name_end` are values of the type
    /// `timestamp`.
    pub fn with_range(self, name: &str, start: NaiveDateTime, end: NaiveDateTime) -> Self {
        let [start, end] = [start, end].map(|instant| instant.format("%Y-%m-%dT%H:%M:%S").to_string());
        self.with(&format!("{name}_start"), Literal::Instant(start.clone()))
            .with(&format!("{name}_end"), Literal::Instant(end.clone()))
            .with(name, Literal::Range(start, end))
    }

    fn with(mut self, name: &str, value: Literal) -> Self {
        self.values.push((format!("${name}"), value));
        self
    }

    /// Returns the size of all values in bytes.
    pub(crate) fn value_bytes(&self) -> usize {
        self.values.iter().map(|(_, value)| value.bytes()).sum()
    }

    /// Replaces the parameters of the parsed statement by their values.
    ///
    /// # Errors
    /// [`Error::Query`] if a parameter doesn't have a value, or if a range is not the argument of a table function.
    pub(crate) fn bind(&self, statement: &mut Statement) -> Result<(), Error> {
        let (false, Statement::Statement(statement)) = (self.values.is_empty(), statement) else { return Ok(()) };
        match statement.visit(&mut ValueBinder(&self.values)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

impl Literal {
    fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Text(text) | Self::Number(text) | Self::Day(text) | Self::Instant(text) => text.len(),
            Self::Range(start, end) => start.len() + end.len(),
        }
    }

    /// Returns the value as an expression. Returns `None` for a range.
    fn expression(&self) -> Option<Expr> {
        match self {
            Self::Null => Some(Expr::value(Value::Null)),
            Self::Text(text) => Some(text_literal(text)),
            Self::Number(number) => Some(Expr::value(Value::Number(number.clone(), false))),
            Self::Day(day) => Some(cast(day, DataType::Date)),
            Self::Instant(instant) => {
                // With a precision of seconds, the type also has times before the year 1677.
                Some(cast(instant, DataType::Timestamp(Some(0), TimezoneInfo::None)))
            }
            Self::Range(..) => None,
        }
    }

    /// Returns the value as arguments of a table function. These arguments accept local times as text. Returns `None`
    /// if the value is the same as in any other expression.
    fn table_arguments(&self) -> Option<Vec<FunctionArg>> {
        let texts = match self {
            Self::Day(day) => vec![day],
            Self::Range(start, end) => vec![start, end],
            _ => return None,
        };
        let argument = |text: &String| FunctionArg::Unnamed(FunctionArgExpr::Expr(text_literal(text)));
        Some(texts.into_iter().map(argument).collect())
    }
}

fn text_literal(text: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(text.to_owned()))
}

fn cast(text: &str, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(text_literal(text)), data_type, array: false, format: None }
}

/// Collects the parameters of a statement.
struct PlaceholderVisitor<'f>(&'f mut Vec<(String, Position)>);

impl Visitor for PlaceholderVisitor<'_> {
    type Break = ();

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(name) = &value.value
            && !self.0.iter().any(|(known, _)| name.strip_prefix('$') == Some(known))
        {
            let name = name.strip_prefix('$').unwrap_or(name).to_owned();
            self.0.push((name, position_of(value)));
        }
        ControlFlow::Continue(())
    }
}

/// Replaces parameters by their values.
struct ValueBinder<'v>(&'v [(String, Literal)]);

impl ValueBinder<'_> {
    /// Returns the value of an expression that is a parameter. Returns `None` for any other expression.
    fn value(&self, expression: &Expr) -> Option<&Literal> {
        let Expr::Value(ValueWithSpan { value: Value::Placeholder(name), .. }) = expression else { return None };
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    fn bind_arguments(&self, arguments: &mut Vec<FunctionArg>) {
        *arguments = std::mem::take(arguments)
            .into_iter()
            .flat_map(|argument| {
                let value = match &argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => self.value(expression),
                    _ => None,
                };
                value.and_then(Literal::table_arguments).unwrap_or_else(|| vec![argument])
            })
            .collect();
    }
}

impl VisitorMut for ValueBinder<'_> {
    type Break = Error;

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Error> {
        match factor {
            TableFactor::Table { args: Some(arguments), .. } => self.bind_arguments(&mut arguments.args),
            TableFactor::Function { args, .. } => self.bind_arguments(args),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<Error> {
        if let Some(value) = self.value(expression).and_then(Literal::expression) {
            *expression = value;
        }
        ControlFlow::Continue(())
    }

    /// Rejects the remaining parameters. They are ranges and unknown names.
    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<Error> {
        let Value::Placeholder(name) = &value.value else { return ControlFlow::Continue(()) };
        let shown = shorten_name(name);
        let message = if self.0.iter().any(|(known, _)| known == name) {
            format!(
                "`{shown}` is a range: pass it to a table function, such as `blocks({shown})`, or use `{shown}_start` \
                 and `{shown}_end`"
            )
        } else {
            let known = self.0.iter().map(|(known, _)| known.as_str());
            format!("unknown parameter `{shown}`{}", suggestion(name, known))
        };
        ControlFlow::Break(Error::Query { message, position: Some(position_of(value)) })
    }
}

fn position_of(value: &ValueWithSpan) -> Position {
    Position { line: value.span.start.line, column: value.span.start.column }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(statement: &UserStatement) -> Result<String, String> {
        let mut parsed = DFParserBuilder::new(statement.sql.as_str()).with_dialect(&GenericDialect).build().unwrap();
        let mut parsed = parsed.parse_statements().unwrap().pop_front().unwrap();
        statement.bind(&mut parsed).map(|()| parsed.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_replace_parameters_only() {
        let statement = UserStatement::from("SELECT '$a', \"$a\", x /* $a */ FROM t WHERE b = $a AND c = $ab LIMIT $n");
        let statement = statement.with_text("a", "1").with_null("ab").with_integer("n", -5);
        let expected = "SELECT '$a', \"$a\", x FROM t WHERE b = '1' AND c = NULL LIMIT -5";
        assert_eq!(bound(&statement).as_deref(), Ok(expected));
    }

    #[test]
    fn days_and_ranges_are_text_only_as_arguments_of_table_functions() {
        let start = NaiveDate::from_ymd_opt(2025, 1, 6).unwrap();
        let at = |day: NaiveDate| day.and_hms_opt(4, 0, 0).unwrap();
        let of = |sql: &str| {
            bound(&UserStatement::from(sql).with_day("d", start).with_range(
                "r",
                at(start),
                at(start.succ_opt().unwrap()),
            ))
        };
        assert_eq!(
            of("SELECT * FROM blocks($r, 5), blocks($d) WHERE x >= $r_start AND date = $d").as_deref(),
            Ok("SELECT * FROM blocks('2025-01-06T04:00:00', '2025-01-07T04:00:00', 5), blocks('2025-01-06') \
                WHERE x >= CAST('2025-01-06T04:00:00' AS TIMESTAMP(0)) AND date = CAST('2025-01-06' AS DATE)")
        );
        assert!(of("SELECT $r").unwrap_err().contains("use `$r_start` and `$r_end`"));
        assert_eq!(of("SELECT $r_ende").unwrap_err(), "unknown parameter `$r_ende`; did you mean `$r_end`?");
    }

    #[test]
    fn parameters_are_listed_with_their_first_position() {
        let found = UserStatement::parameters("SELECT '$no' -- $no\nFROM f($b) WHERE a = $a\nAND b = $b").unwrap();
        let at = |line, column| Position { line, column };
        assert_eq!(found, [("b".to_owned(), at(2, 8)), ("a".to_owned(), at(2, 22))]);
    }

    #[test]
    fn only_a_single_select_can_have_parameters() {
        for (sql, message) in [
            ("", "expected one statement, found 0"),
            ("SELECT 1; SELECT 2", "expected one statement, found 2"),
            ("EXPLAIN SELECT $a", "the statement must be a SELECT"),
            ("SHOW TABLES", "the statement must be a SELECT"),
            (
                "DROP TABLE tags",
                "cannot run `DROP TABLE`: statements can only read, not change the history or the settings",
            ),
        ] {
            assert_eq!(UserStatement::parameters(sql).unwrap_err().to_string(), message, "{sql}");
        }
        assert!(UserStatement::parameters("WITH t AS (SELECT 1 AS a) SELECT a FROM t;").is_ok());
    }
}
