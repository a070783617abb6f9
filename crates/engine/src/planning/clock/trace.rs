//! Determines the clock of each value: local (as in `*_local` columns), UTC (as in `*_utc` columns), or neither.
//!
//! Start with [`check`], which walks a plan from its tables up. A value keeps its clock through casts, `± INTERVAL`,
//! functions such as `date_trunc`, aliases, subqueries and views. A computed column whose name ends in `_local` or
//! `_utc` has the clock of its name.

use arrow::datatypes::{DataType, Field};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, DataFusionError, Diagnostic, Result, ScalarValue};
use datafusion::datasource::cte_worktable::CteWorkTable;
use datafusion::datasource::source_as_provider;
use datafusion::logical_expr::expr::{
    Between, BinaryExpr, Case, Cast, InList, InSubquery, ScalarFunction, SetComparison, TryCast,
};
use datafusion::logical_expr::{Distinct, Expr, Join, JoinType, LogicalPlan, Operator, TableScan};

use super::functions::{Reading, reading_of};

/// Functions that return their arguments next to each other, so the arguments may have different clocks. All other
/// functions compute with their arguments, so the arguments must have the same clock.
const LISTING: [&str; 6] = ["concat", "concat_ws", "make_array", "named_struct", "row", "struct"];

/// Table functions that return times on the clock of their arguments.
const SERIES: [&str; 2] = ["generate_series", "range"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Local,
    Utc,
    /// The difference between the two clocks, such as `start_local - start_utc`. A time plus this difference has
    /// neither clock.
    Offset,
}

/// The clock of a value, and the column or clock function that determines the clock.
#[derive(Debug, Clone)]
struct Clock {
    zone: Zone,
    column: Option<Column>,
    function: Option<Reading>,
}

impl Clock {
    fn from_column(zone: Zone, column: Column) -> Self {
        Self { zone, column: Some(column), function: None }
    }

    fn from_function(reading: Reading) -> Self {
        let zone = if reading == Reading::NowUtc { Zone::Utc } else { Zone::Local };
        Self { zone, column: None, function: Some(reading) }
    }

    /// Returns the clock in the suffix of a column's name, such as UTC for `start_utc`. Returns `None` without such a
    /// suffix.
    fn from_column_name(field: &Field) -> Option<Self> {
        let zone = match field.name() {
            // The history's own tables use names that end in `utctime` and `localtime`.
            name if name.ends_with("_utc") || name.ends_with("utctime") => Zone::Utc,
            name if name.ends_with("_local") || name.ends_with("localtime") => Zone::Local,
            _ => return None,
        };
        Some(Self::from_column(zone, Column::new_unqualified(field.name())))
    }

    /// Returns the clock of a table's column. A column with times or dates is local unless its name ends in a suffix
    /// for UTC.
    fn from_table_column(field: &Field) -> Option<Self> {
        let is_time = matches!(field.data_type(), DataType::Timestamp(_, None) | DataType::Date32);
        let local = || Self::from_column(Zone::Local, Column::new_unqualified(field.name()));
        Self::from_column_name(field).or_else(|| is_time.then(local))
    }

    /// Returns the same clock. If the clock comes from a column, `column` replaces this column, because the column can
    /// have another name in this part of the statement.
    fn with_column(self, column: &Column) -> Self {
        Self { column: self.column.map(|_| column.clone()), ..self }
    }

    /// Returns the clock of a value that is computed from a value of each clock. Returns `None` if the clocks differ.
    fn merge(self, other: Self) -> Option<Self> {
        let Self { column, function, .. } = other;
        (self.zone == other.zone).then(|| Self {
            column: self.column.or(column),
            function: self.function.or(function),
            ..self
        })
    }
}

/// Returns the clock of a value that is computed from values of all `clocks`. Returns `None` if the clocks differ.
fn merge_all(clocks: impl IntoIterator<Item = Option<Clock>>) -> Option<Clock> {
    let mut clocks = clocks.into_iter().flatten();
    let first = clocks.next()?;
    clocks.try_fold(first, Clock::merge)
}

/// Returns the common clock of all `clocks`, or `None` if they differ. Fails if one of the clocks comes from a column
/// and a different clock comes from a clock function.
fn unify(clocks: impl IntoIterator<Item = Option<Clock>>) -> Result<Option<Clock>> {
    let clocks: Vec<_> = clocks.into_iter().collect();
    for (place, one) in clocks.iter().enumerate() {
        clocks[..place].iter().try_for_each(|other| check_same_clock("combine", one.as_ref(), other.as_ref()))?;
    }
    Ok(merge_all(clocks))
}

/// Fails if one clock comes from a column, the other comes from a clock function, and they differ. `verb` is used in
/// the error, such as `compare`.
fn check_same_clock(verb: &str, one: Option<&Clock>, other: Option<&Clock>) -> Result<()> {
    let (Some(one), Some(other)) = (one, other) else { return Ok(()) };
    for (left, right) in [(one, other), (other, one)] {
        if let (Some(column), Some(function)) = (&left.column, right.function) {
            match (left.zone, right.zone) {
                (Zone::Utc, Zone::Local) => {
                    let instead = suggest_alternative(function, column);
                    return Err(mixed_clocks_error(verb, column, function, "in UTC", "local time", &instead));
                }
                (Zone::Local, Zone::Utc) => {
                    return Err(mixed_clocks_error(verb, column, function, "local time", "UTC", "`now()`"));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Returns the replacement that an error suggests for a local clock function next to a UTC column. For `now()`, this is
/// `now_utc()`. The other functions, such as `current_date`, don't have a UTC version, so a local column is suggested
/// instead.
fn suggest_alternative(function: Reading, column: &Column) -> String {
    match (function, column.name.strip_suffix("_utc")) {
        (Reading::Now | Reading::NowUtc, _) => "`now_utc()`".to_owned(),
        (_, Some(name)) => format!("`{name}_local`"),
        (_, None) => "a `*_local` column".to_owned(),
    }
}

fn mixed_clocks_error(
    verb: &str,
    column: &Column,
    function: Reading,
    is: &str,
    returns: &str,
    instead: &str,
) -> DataFusionError {
    let (name, function) = (&column.name, function.call());
    let message = format!(
        "cannot {verb} `{name}` and `{function}`: the column is {is}, the function returns {returns}; use {instead}"
    );
    let diagnostic = Diagnostic::new_error(message.clone(), column.spans.first());
    DataFusionError::Plan(message).with_diagnostic(diagnostic)
}

/// Fails if a plan compares or subtracts a column and a clock function that follow different clocks.
pub(super) fn check(plan: &LogicalPlan) -> Result<()> {
    columns(plan, None).map(|_| ())
}

/// Returns the clocks of a plan's columns, in order.
fn columns(plan: &LogicalPlan, outer: Option<&Scope<'_>>) -> Result<Vec<Option<Clock>>> {
    let inputs = plan.inputs().into_iter().map(|input| Ok((input.schema().as_ref(), columns(input, outer)?)));
    let scope = Scope { inputs: inputs.collect::<Result<_>>()?, outer };
    let fields = plan.schema().fields();
    let outputs = |expressions: &[Expr]| -> Result<Vec<Option<Clock>>> {
        // Fields and expressions are matched from the end. A window operator has expressions only for its own columns,
        // which come after the columns of its input.
        let outputs = fields.iter().rev().zip(expressions.iter().rev());
        let mut clocks = outputs.map(|(field, output)| scope.output(field, output)).collect::<Result<Vec<_>>>()?;
        clocks.reverse();
        Ok(clocks)
    };
    match plan {
        LogicalPlan::Projection(projection) => return outputs(&projection.expr),
        LogicalPlan::Distinct(Distinct::On(distinct)) => return outputs(&distinct.select_expr),
        LogicalPlan::Window(window) => return Ok([scope.first(), outputs(&window.window_expr)?].concat()),
        LogicalPlan::Aggregate(_) => {
            let expressions = plan.columnized_output_exprs()?;
            let expressions: Vec<_> = expressions.into_iter().map(|(expression, _)| expression.clone()).collect();
            return outputs(&expressions);
        }
        LogicalPlan::Values(values) => {
            let rows = values.values.iter().map(|row| row.iter().map(|value| scope.clock(value)).collect());
            let rows: Vec<Vec<_>> = rows.collect::<Result<_>>()?;
            return Ok((0..fields.len()).map(|place| merge_all(rows.iter().map(|row| row[place].clone()))).collect());
        }
        LogicalPlan::TableScan(scan) => return Ok(table_clocks(scan)),
        LogicalPlan::Join(join) => return scope.join(join),
        _ => {}
    }
    plan.apply_expressions(|expression| scope.clock(expression).map(|_| TreeNodeRecursion::Continue))?;
    Ok(match plan {
        LogicalPlan::Unnest(unnest) => {
            let first = scope.first();
            let of = |(place, field): (&usize, _)| first[*place].clone().or_else(|| Clock::from_column_name(field));
            unnest.dependency_indices.iter().zip(fields.iter().map(AsRef::as_ref)).map(of).collect()
        }
        LogicalPlan::Union(_) => {
            let place = |place: usize| unify(scope.inputs.iter().map(|(_, clocks)| clocks[place].clone()));
            (0..fields.len()).map(place).collect::<Result<_>>()?
        }
        _ => match scope.inputs.into_iter().next() {
            Some((_, clocks)) if clocks.len() == fields.len() => clocks,
            _ => fields.iter().map(|field| Clock::from_column_name(field)).collect(),
        },
    })
}

/// Whether a table function returns times on the clock of its arguments.
pub(super) fn is_series(name: &str) -> bool {
    SERIES.contains(&name)
}

fn table_clocks(scan: &TableScan) -> Vec<Option<Clock>> {
    let is_series = is_series(scan.table_name.table().trim_end_matches("()"));
    // A recursive query reads its own earlier rows. Their clock isn't known.
    let is_recursive = source_as_provider(&scan.source).is_ok_and(|provider| provider.is::<CteWorkTable>());
    let of = |field: &Field| {
        if is_series || is_recursive { Clock::from_column_name(field) } else { Clock::from_table_column(field) }
    };
    scan.projected_schema.fields().iter().map(|field| of(field)).collect()
}

/// The columns that an expression can use, with their clocks.
struct Scope<'p> {
    inputs: Vec<(&'p DFSchema, Vec<Option<Clock>>)>,
    /// The scope of the outer query. `None` if this isn't the scope of a subquery.
    outer: Option<&'p Scope<'p>>,
}

impl Scope<'_> {
    fn first(&self) -> Vec<Option<Clock>> {
        self.inputs.first().map(|(_, clocks)| clocks.clone()).unwrap_or_default()
    }

    fn column(&self, column: &Column) -> Option<Clock> {
        self.inputs.iter().find_map(|(schema, clocks)| {
            let place = schema.maybe_index_of_column(column)?;
            clocks.get(place)?.clone().map(|clock| clock.with_column(column))
        })
    }

    /// Returns the clock of an output column.
    fn output(&self, field: &Field, expression: &Expr) -> Result<Option<Clock>> {
        let clock = self.clock(expression)?;
        let clock = if is_aggregated(expression) { clock.filter(|_| is_temporal(field)) } else { clock };
        Ok(match (clock, Clock::from_column_name(field)) {
            // Renaming a column doesn't change its clock. Only a computed value gets the clock of its name, because the
            // computation may convert from one clock to the other.
            (Some(clock), _) if is_renamed(expression) || clock.function.is_some() => Some(clock),
            (clock, named) => named.or(clock),
        })
    }

    fn join(&self, join: &Join) -> Result<Vec<Option<Clock>>> {
        for (left, right) in &join.on {
            check_same_clock("compare", self.clock(left)?.as_ref(), self.clock(right)?.as_ref())?;
        }
        if let Some(filter) = &join.filter {
            self.clock(filter)?;
        }
        let mut sides = self.inputs.iter().map(|(_, clocks)| clocks.clone());
        let (left, right) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        Ok(match join.join_type {
            JoinType::LeftSemi | JoinType::LeftAnti => left,
            JoinType::RightSemi | JoinType::RightAnti => right,
            JoinType::LeftMark => [left, vec![None]].concat(),
            JoinType::RightMark => [right, vec![None]].concat(),
            _ => [left, right].concat(),
        })
    }

    fn clock(&self, expression: &Expr) -> Result<Option<Clock>> {
        Ok(match expression {
            Expr::Column(column) => self.column(column),
            Expr::OuterReferenceColumn(_, column) => self.outer.and_then(|outer| outer.column(column)),
            Expr::Alias(alias) => self.clock(&alias.expr)?,
            Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) => {
                let clock = self.clock(expr)?;
                // A time with its own time zone has neither clock.
                clock.filter(|_| !matches!(field.data_type(), DataType::Timestamp(_, Some(_))))
            }
            Expr::BinaryExpr(binary) => self.binary(binary)?,
            Expr::Between(Between { expr, low, high, .. }) => self.compare(expr, [low.as_ref(), high.as_ref()])?,
            Expr::InList(InList { expr, list, .. }) => self.compare(expr, list)?,
            Expr::Case(case) => self.case(case)?,
            Expr::ScalarFunction(call) => match reading_of(expression) {
                Some(reading) => Some(Clock::from_function(reading)),
                None => self.call(call)?,
            },
            Expr::AggregateFunction(call) => self.aggregate(expression, &call.params.args)?,
            Expr::WindowFunction(call) => self.aggregate(expression, &call.params.args)?,
            Expr::ScalarSubquery(query) => self.subquery_clock(&query.subquery)?,
            Expr::InSubquery(InSubquery { expr, subquery, .. })
            | Expr::SetComparison(SetComparison { expr, subquery, .. }) => {
                check_same_clock(
                    "compare",
                    self.clock(expr)?.as_ref(),
                    self.subquery_clock(&subquery.subquery)?.as_ref(),
                )?;
                None
            }
            Expr::Exists(exists) => {
                self.subquery_clock(&exists.subquery.subquery)?;
                None
            }
            other => {
                self.children(other)?;
                None
            }
        })
    }

    /// Returns the clock of the first column of a subquery.
    fn subquery_clock(&self, subquery: &LogicalPlan) -> Result<Option<Clock>> {
        Ok(columns(subquery, Some(self))?.into_iter().next().flatten())
    }

    fn children(&self, expression: &Expr) -> Result<()> {
        expression.apply_children(|part| self.clock(part).map(|_| TreeNodeRecursion::Continue)).map(|_| ())
    }

    fn compare<'e>(&self, one: &Expr, others: impl IntoIterator<Item = &'e Expr>) -> Result<Option<Clock>> {
        let one = self.clock(one)?;
        for other in others {
            check_same_clock("compare", one.as_ref(), self.clock(other)?.as_ref())?;
        }
        Ok(None)
    }

    fn binary(&self, BinaryExpr { left, op, right }: &BinaryExpr) -> Result<Option<Clock>> {
        if is_comparison(*op) {
            return self.compare(left, [right.as_ref()]);
        }
        let (left, right) = (self.clock(left)?, self.clock(right)?);
        let is_offset = |clock: &Option<Clock>| clock.as_ref().is_some_and(|clock| clock.zone == Zone::Offset);
        match op {
            Operator::Minus => {
                check_same_clock("subtract", left.as_ref(), right.as_ref())?;
                Ok(match (left, right) {
                    (Some(left), Some(right)) if left.zone != right.zone && right.zone != Zone::Offset => {
                        Some(Clock { zone: Zone::Offset, column: None, function: None })
                    }
                    (left, None) => left,
                    _ => None,
                })
            }
            Operator::Plus if is_offset(&left) != is_offset(&right) => Ok(if left.is_none() { right } else { None }),
            _ => Ok(merge_all([left, right])),
        }
    }

    fn case(&self, Case { expr, when_then_expr, else_expr }: &Case) -> Result<Option<Clock>> {
        let mut whens = when_then_expr.iter().map(|(when, _)| when.as_ref());
        match expr {
            Some(compared) => self.compare(compared, whens).map(|_| ())?,
            None => whens.try_for_each(|when| self.clock(when).map(|_| ()))?,
        }
        let results = when_then_expr.iter().map(|(_, then)| then).chain(else_expr);
        self.unify(results.map(AsRef::as_ref))
    }

    fn call(&self, ScalarFunction { func, args }: &ScalarFunction) -> Result<Option<Clock>> {
        match (func.name(), args.as_slice()) {
            ("get_field", [_, .., Expr::Literal(name, _)]) => Ok(date_part_clock(name).or(self.clock(&args[0])?)),
            (name, _) if LISTING.contains(&name) => {
                Ok(merge_all(args.iter().map(|part| self.clock(part)).collect::<Result<Vec<_>>>()?))
            }
            ("to_local_time", _) => {
                args.iter().try_for_each(|argument| self.clock(argument).map(|_| ()))?;
                Ok(None)
            }
            _ => self.unify(args),
        }
    }

    fn aggregate(&self, expression: &Expr, arguments: &[Expr]) -> Result<Option<Clock>> {
        self.children(expression)?;
        self.unify(arguments)
    }

    /// Returns the common clock of all `expressions`.
    fn unify<'e>(&self, expressions: impl IntoIterator<Item = &'e Expr>) -> Result<Option<Clock>> {
        unify(expressions.into_iter().map(|part| self.clock(part)).collect::<Result<Vec<_>>>()?)
    }
}

fn date_part_clock(name: &ScalarValue) -> Option<Clock> {
    Clock::from_column_name(&Field::new(name.try_as_str()??, DataType::Null, true))
}

fn is_comparison(operator: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(operator, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

/// Whether an output is a column of the input, possibly with another name or type.
fn is_renamed(expression: &Expr) -> bool {
    match expression {
        Expr::Alias(alias) => is_renamed(&alias.expr),
        Expr::Cast(Cast { expr, .. }) | Expr::TryCast(TryCast { expr, .. }) => is_renamed(expr),
        Expr::Column(_) => true,
        _ => false,
    }
}

fn is_aggregated(expression: &Expr) -> bool {
    match expression {
        Expr::Alias(alias) => is_aggregated(&alias.expr),
        other => matches!(other, Expr::AggregateFunction(_) | Expr::WindowFunction(_)),
    }
}

/// Whether the result of an aggregate is a time. For example, a count of times isn't a time.
fn is_temporal(field: &Field) -> bool {
    let data_type = field.data_type();
    matches!(data_type, DataType::Timestamp(..) | DataType::Date32 | DataType::Time64(_) | DataType::List(_))
}
