//! What a statement asks, without the days that it asks about.
//!
//! Whoever asks about one day asks the same about another. A plan for a day takes several times what answering it takes,
//! and does not depend on the day where that is only handed to table functions: so it stays open there, as the parameters
//! of the project's own statements do.

use std::ops::ControlFlow;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan, Statement as PlannedStatement, Volatility};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    DataType as SqlType, Expr as SqlExpr, FunctionArg, FunctionArgExpr, Ident, Statement as Sql, TableFactor,
    TimezoneInfo, Value, ValueWithSpan, VisitMut, VisitorMut,
};

use super::instant::parse_instant;
use super::model::Function;
use super::parameter::Kind;
use super::statement::placeholder;

/// A query in which the ranges of table functions are open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    query: Sql,
    /// How many instants are open.
    instants: usize,
}

impl Pattern {
    /// The pattern of a statement, and the local instants that make that statement of it; nothing where a plan would
    /// depend on more, or where the statement is no query.
    pub(super) fn of(statement: &Statement, functions: &[Function]) -> Option<(Self, Vec<ScalarValue>)> {
        let Statement::Statement(statement) = statement else { return None };
        let mut query = statement.as_ref().clone();
        let mut opening = Opening { functions, instants: Vec::new() };
        let is_open = matches!(query, Sql::Query(_)) && query.visit(&mut opening).is_continue();
        let instants = opening.instants.len();
        is_open.then_some((Self { query, instants }, opening.instants))
    }

    /// The plan of the pattern, its instants as parameters; nothing where the plan depends on when it is made.
    ///
    /// # Errors
    /// What planning refuses.
    pub(super) async fn plan(&self, state: &SessionState) -> Result<Option<LogicalPlan>> {
        let prepared = Sql::Prepare {
            name: Ident::new("pattern"),
            data_types: vec![SqlType::Timestamp(Some(0), TimezoneInfo::None); self.instants],
            statement: Box::new(self.query.clone()),
        };
        // Without types, `PREPARE` would guess them.
        let statement = if self.instants == 0 { self.query.clone() } else { prepared };
        let plan = match state.statement_to_plan(Statement::Statement(Box::new(statement))).await? {
            LogicalPlan::Statement(PlannedStatement::Prepare(prepared)) => prepared.input.as_ref().clone(),
            plan => plan,
        };
        Ok((!depends_on_time(&plan)?).then_some(plan))
    }
}

/// Whether a plan holds what has another value when it is made anew.
fn depends_on_time(plan: &LogicalPlan) -> Result<bool> {
    let mut depends = false;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                depends |= matches!(part, Expr::ScalarFunction(call)
                    if call.func.signature().volatility != Volatility::Immutable);
                Ok(if depends { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    })?;
    Ok(depends)
}

/// Opens the ranges of table functions. Ends where an argument is no plain value, or no range.
struct Opening<'m> {
    functions: &'m [Function],
    instants: Vec<ScalarValue>,
}

impl Opening<'_> {
    fn open(&mut self, function: Option<&Function>, arguments: &mut [FunctionArg]) -> Option<()> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(SqlExpr::Value(value))) => values.push(value),
                _ => return None,
            }
        }
        let Some(function) = function else { return Some(()) };
        let mut range = Vec::new();
        for (parameter, value) in function.parameters.iter().zip(values) {
            if !matches!(parameter.kind, Kind::Instant | Kind::Midnight) {
                continue;
            }
            let Value::SingleQuotedString(text) = &value.value else { return None };
            // Words such as `yesterday` are another instant another day, so only what is written in full is opened.
            let instant = parse_instant(text).filter(|instant| parameter.kind.allows(*instant))?;
            range.push(instant);
            self.instants.push(ScalarValue::TimestampSecond(Some(instant.and_utc().timestamp()), None));
            *value = ValueWithSpan::from(Value::Placeholder(placeholder(self.instants.len() - 1)));
        }
        // What is wrong with a range is told where a call is planned.
        (range.len() == 2 && range[0] < range[1]).then_some(())
    }
}

impl VisitorMut for Opening<'_> {
    type Break = ();

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let opened = match factor {
            TableFactor::Table { name, args: Some(arguments), .. } => {
                let name = name.to_string().to_lowercase();
                let function = self.functions.iter().find(|function| function.name == name);
                self.open(function, &mut arguments.args)
            }
            TableFactor::TableFunction { .. } | TableFactor::Function { .. } => None,
            _ => Some(()),
        };
        opened.map_or(ControlFlow::Break(()), ControlFlow::Continue)
    }

    /// Of what is visited before it was opened, a place for a value belongs to who wrote the statement.
    fn pre_visit_expr(&mut self, expression: &mut SqlExpr) -> ControlFlow<()> {
        match expression {
            SqlExpr::Value(ValueWithSpan { value: Value::Placeholder(_), .. }) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;
    use crate::engine::Parameter;

    const RANGE: &[Parameter] = &[Parameter::text("role"), Parameter::instant("start"), Parameter::instant("end")];
    const DAYS: &[Parameter] = &[Parameter::midnight("start"), Parameter::midnight("end"), Parameter::number("gap")];

    fn pattern(sql: &str) -> Option<(Pattern, Vec<ScalarValue>)> {
        let function = |name, parameters| Function { name, parameters, sql: "", parts: None };
        let statement = DFParser::parse_sql(sql).unwrap().pop_front().unwrap();
        Pattern::of(&statement, &[function("pieces_of", RANGE), function("days", DAYS)])
    }

    #[test]
    fn statements_that_ask_the_same_of_other_days_have_one_pattern() {
        let [(one, first), (other, second)] = [
            "SELECT name FROM pieces_of('documents', '2025-01-15', '2025-01-16T12:30') WHERE seconds > 5",
            "select name from pieces_of('documents','2024-02-29' , '2024-03-01')  where seconds > 5",
        ]
        .map(|sql| pattern(sql).unwrap());
        assert_eq!(one, other);
        let seconds = |seconds| ScalarValue::TimestampSecond(Some(seconds), None);
        assert_eq!(first, [1_736_899_200, 1_737_030_600].map(seconds));
        assert_eq!(second, [1_709_164_800, 1_709_251_200].map(seconds));
    }

    #[test]
    fn whatever_else_differs_is_another_pattern() {
        let of = |sql: &str| pattern(sql).unwrap().0;
        let one = of("SELECT * FROM days('2025-01-15', '2025-01-16', 2) LIMIT 3");
        for other in [
            "SELECT * FROM days('2025-01-15', '2025-01-16', 3) LIMIT 3",
            "SELECT * FROM days('2025-01-15', '2025-01-16') LIMIT 3",
            "SELECT * FROM days('2025-01-15', '2025-01-16', 2) LIMIT 4",
            "SELECT start FROM days('2025-01-15', '2025-01-16', 2) LIMIT 3",
        ] {
            assert_ne!(one, of(other), "{other}");
        }
    }

    #[test]
    fn a_plan_that_depends_on_more_than_its_days_has_no_pattern() {
        for sql in [
            "SELECT * FROM days(today(), '2025-01-16', 2)",
            "SELECT * FROM days('2025-01-15', DATE '2025-01-16', 2)",
            "SELECT * FROM days('2025-01-15T00:00:01', '2025-01-16', 2)",
            "SELECT * FROM days('2025-01-16', '2025-01-15', 2)",
            "SELECT * FROM days('yesterday', '2025-01-16', 2)",
            "SELECT * FROM days('monday', 'today', 2)",
            "SELECT * FROM days('2025-01-15', 'last friday', 2)",
            "SELECT * FROM days('last 2 weeks', 'TODAY', 2)",
            "SELECT * FROM days('this month', '2999-01-01')",
            "SELECT * FROM days('last week')",
            "SELECT * FROM pieces_of('documents', 'yesterday')",
            "SELECT * FROM pieces_of('documents', '2025-01-15', 'today')",
            "SELECT * FROM days('2025-01-15')",
            "SELECT * FROM (SELECT * FROM days('2025-01-16', '2025-01-16', 2))",
            "SELECT * FROM days('2025-01-15', '2025-01-16', $1)",
            "SELECT $1 FROM days('2025-01-15', '2025-01-16', 2)",
            "EXPLAIN SELECT * FROM days('2025-01-15', '2025-01-16', 2)",
            "SHOW TABLES",
        ] {
            assert!(pattern(sql).is_none(), "{sql}");
        }
    }
}
