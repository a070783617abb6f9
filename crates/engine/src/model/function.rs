//! Table functions, such as `narrative('2025-01-15', '2025-01-16')`. A file in `sql/` defines each function.
//!
//! Arguments are checked like the arguments of a tool. Tools and table functions use the same parser of dates, so
//! `blocks('last week')` covers the whole week. A call fails if a date is null or invalid, or if its range is empty or
//! reversed. It doesn't return an empty result in these cases (docs/spec/time.md#limits).

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow::datatypes::{DataType, TimeUnit};
use chrono::{NaiveDate, NaiveDateTime};
use datafusion::catalog::{TableFunction, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::ViewTable;
use datafusion::execution::SessionState;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use dayledger_core::local_days::LocalDays;

use super::parameter::{Kind, Parameter};
use super::{Coverage, Function, PartitionPolicy};
use crate::dates::instant::{local_instant, timestamp_value};
use crate::dates::span::{ExpectedInput, Span};
use crate::partition::{TimePartitions, disable_partitioning};
use crate::planning::clock::local_today;
use crate::planning::statement::{Bindings, bind, filter_placeholder, placeholder, plan_open};
use crate::planning::statement_times::StatementTimes;
use crate::query::messages;

/// The error message if the argument for a time has an unsupported type.
const INSTANT: &str = "must be a local date or date-time, such as '2025-01-15' or 'yesterday'";

/// A table function that a SQL file defines.
#[derive(Debug)]
pub(crate) struct SqlFunction {
    pub(super) function: Function,
    /// The ranges that the function accepts. `None` if it accepts every range.
    covered: Option<Coverage>,
    /// The rule that decides when a range is computed in parts. `None` if ranges are never split.
    cuts: Option<PartitionPolicy>,
    /// The parameters of the filter. The file can use them in addition to the function's own parameters.
    filter_parameters: &'static [Parameter],
    open_plan: OnceLock<LogicalPlan>,
}

impl SqlFunction {
    pub(crate) fn new(
        function: Function,
        covered: Option<Coverage>,
        cuts: Option<PartitionPolicy>,
        filter_parameters: &'static [Parameter],
    ) -> Self {
        Self { function, covered, cuts, filter_parameters, open_plan: OnceLock::new() }
    }

    fn open_plan(&self, state: &SessionState) -> Result<LogicalPlan> {
        if let Some(plan) = self.open_plan.get() {
            return Ok(plan.clone());
        }
        let parameters = self.function.parameters.iter().chain(self.filter_parameters);
        // Two threads can plan the file at the same time, because `get_or_try_init` isn't stable. The first plan is
        // kept.
        let plan = plan_open(state, self.function.name, parameters, self.function.sql)?;
        let plan = if self.function.parts.is_some() { disable_partitioning(plan)? } else { plan };
        Ok(self.open_plan.get_or_init(|| plan).clone())
    }

    /// Whether the range of a call is long enough to be computed in parts. Also returns true if the range isn't known
    /// yet, because its start or end is a parameter of another file.
    fn may_be_long(&self, cuts: PartitionPolicy, bindings: &Bindings) -> bool {
        let range = called_range(self.function.parameters, bindings);
        range.is_none_or(|range| cuts.apply_to(&(range.start.and_utc().timestamp()..range.end.and_utc().timestamp())))
    }

    /// Returns the value of each parameter in a call. Fails if an argument isn't a constant.
    pub(crate) fn values(&self, arguments: &[Expr], state: &SessionState) -> Result<Vec<ScalarValue>> {
        let bindings = self.bindings(arguments, state)?;
        let value = |index: usize| {
            if let Some(Expr::Literal(value, _)) = bindings.get(&placeholder(index)) {
                return Ok(value.clone());
            }
            plan_err!("`{}` takes constants", self.function.name)
        };
        (0..self.function.parameters.len()).map(value).collect()
    }

    fn bindings(&self, arguments: &[Expr], state: &SessionState) -> Result<Bindings> {
        let Function { name, parameters, .. } = self.function;
        let today = local_today();
        if let Some(column) = arguments.iter().find_map(Expr::try_as_col) {
            return plan_err!(
                "`{name}`: `{0}` is read as a column name; write text in single quotes, such as '{0}'",
                messages::shorten_name(&column.name)
            );
        }
        let end = missing_end(name, parameters, arguments, today)?.map(|end| Expr::Literal(end, None));
        let with_end: Vec<_> = arguments.iter().cloned().chain(end).collect();
        let arguments = with_end.as_slice();
        let required = parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if arguments.len() < required || arguments.len() > parameters.len() {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            let names = names.join(", ");
            if let Some(missing) = parameters.get(arguments.len()) {
                return plan_err!("`{name}` takes ({names}): `{}` is missing", missing.name);
            }
            return plan_err!("`{name}` takes ({names}), but {} arguments were given", arguments.len());
        }
        let mut bindings = Bindings::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let bound = match (arguments.get(index), parameter.default) {
                (Some(argument), _) => {
                    let start = start_span(parameters, arguments, &bindings, today).unwrap_or(start_of_day(today));
                    argument_value(name, parameter, argument, (state, today, start))?
                }
                (None, default) => Expr::Literal(ScalarValue::Float64(default), None),
            };
            bindings.insert(placeholder(index), bound);
        }
        for (index, parameter) in (parameters.len()..).zip(self.filter_parameters) {
            bindings.insert(placeholder(index), filter_placeholder(parameter).1);
        }
        let range = called_range(parameters, &bindings);
        match (range, &self.covered) {
            (Some(range), _) if range.is_empty() => {
                plan_err!("`{name}`: the range is empty: the end is exclusive and must be after the start")
            }
            (Some(range), Some(covered)) if !covered.ranges.iter().any(|held| contains(held, &range)) => {
                let listed = format_ranges(&covered.ranges);
                match &covered.reason {
                    Some(reason) if covered.ranges.is_empty() => plan_err!("`{name}`: {reason}"),
                    Some(reason) => plan_err!("`{name}`: only {listed} is available here: {reason}"),
                    None => plan_err!("`{name}`: only {listed} is available here"),
                }
            }
            _ => Ok(bindings),
        }
    }
}

impl TableFunctionImpl for SqlFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let session: &dyn Any = arguments.session().as_any();
        let state = session
            .downcast_ref::<SessionState>()
            .ok_or_else(|| plan_datafusion_err!("`{}` needs a session of this engine", self.function.name))?;
        let mut bindings = self.bindings(arguments.exprs(), state)?;
        let open = self.open_plan(state)?;
        let long = self.cuts.filter(|cuts| self.may_be_long(*cuts, &bindings));
        if let Some(times) = state.config().get_extension::<StatementTimes>() {
            times.open_range(self.function.parameters, &mut bindings);
        }
        let plan = match (self.function.parts, long) {
            (Some(parts), Some(cuts)) => {
                let of = |name: &&str| self.function.parameters.iter().position(|parameter| parameter.name == *name);
                let gaps: Vec<_> = parts.gaps.iter().filter_map(of).map(placeholder).collect();
                let [role, start, end] =
                    ["role", "start", "end"].map(|name| of(&name).map(placeholder).unwrap_or_default());
                let role = match parts.role {
                    Some(role) => Expr::Literal(ScalarValue::Utf8View(Some(role.to_owned())), None),
                    None => bindings.get(&role).cloned().unwrap_or_default(),
                };
                TimePartitions::plan(self.function.name, cuts, open, bindings, [start, end], (role, parts.at), &gaps)?
            }
            (None, Some(_)) => bind(open, &bindings)?,
            (_, None) => disable_partitioning(bind(open, &bindings)?)?,
        };
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

/// A function of the unfiltered session. Files of the filtered model can call this function.
#[derive(Debug)]
pub(crate) struct UnfilteredFunction {
    function: Arc<TableFunction>,
    /// The state of the unfiltered session.
    state: Arc<SessionState>,
}

impl UnfilteredFunction {
    /// Returns the table functions of `state`, each with its name in the filtered model: `unfiltered_NAME`.
    pub(crate) fn functions(state: SessionState) -> impl Iterator<Item = (String, Arc<Self>)> {
        let functions: Vec<_> = state.table_functions().values().map(Arc::clone).collect();
        let state = Arc::new(state);
        functions.into_iter().map(move |function| {
            let name = format!("unfiltered_{}", function.name());
            (name, Arc::new(Self { function, state: Arc::clone(&state) }))
        })
    }
}

impl TableFunctionImpl for UnfilteredFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        // This function is planned in the unfiltered session, so that the functions that it calls are also unfiltered.
        let here = TableFunctionArgs::new(arguments.exprs(), self.state.as_ref());
        self.function.create_table_provider_with_args(here)
    }
}

/// Returns the end of the range if a call omits this end, such as `blocks('last week')`. The last argument of such a
/// call is a period. The range ends when this period ends.
fn missing_end(
    function: &str,
    parameters: &[Parameter],
    arguments: &[Expr],
    today: NaiveDate,
) -> Result<Option<ScalarValue>> {
    let (Some(Expr::Literal(value, _)), Some((start, [end, ..]))) =
        (arguments.last(), parameters.get(arguments.len().saturating_sub(1)..).and_then(<[_]>::split_first))
    else {
        return Ok(None);
    };
    if end.name != "end" {
        return Ok(None);
    }
    match (value, value.try_as_str()) {
        // A value of the type date, such as `current_date`, means the whole day, like the text `2025-01-15`.
        (ScalarValue::Date32(Some(days)), _) => {
            let next = NaiveDate::from_epoch_days(*days).and_then(|day| day.succ_opt());
            Ok(next.map(|next| timestamp_value(LocalDays::current().start_of(next))))
        }
        (_, Some(Some(text))) => {
            let span = parse_span(function, start, text, (today, start_of_day(today)))?;
            Ok(span.end.map(timestamp_value))
        }
        _ => Ok(None),
    }
}

/// Returns the span at the start of a call's range, if the start is known. If the argument is a text, the result is the
/// span of that text. Otherwise, the start of a day becomes the whole day, and any other time stays a single time.
fn start_span(parameters: &[Parameter], arguments: &[Expr], bindings: &Bindings, today: NaiveDate) -> Option<Span> {
    let start = bound_instant("start", parameters, bindings)?;
    let index = parameters.iter().position(|parameter| parameter.name == "start")?;
    let text = match arguments.get(index) {
        Some(Expr::Literal(value, _)) => value.try_as_str().flatten(),
        _ => None,
    };
    let days = LocalDays::current();
    let end = days.is_day_start(start).then(|| days.end_of(days.day_of(start)));
    Some(text.and_then(|text| Span::parse(text, today)).unwrap_or(Span { start, end }))
}

/// Returns the time at which the day `date` starts.
fn start_of_day(date: NaiveDate) -> Span {
    Span { start: LocalDays::current().start_of(date), end: None }
}

/// Parses the value of a time parameter. `start` is the start of the range, for texts such as `16:00`.
fn parse_span(function: &str, parameter: &Parameter, text: &str, (today, start): (NaiveDate, Span)) -> Result<Span> {
    Span::parse_end(text, start, today).ok_or_else(|| {
        let refusal = ExpectedInput::Span.error_message(text, today);
        plan_datafusion_err!("`{function}`: `{}`: {refusal}", parameter.name)
    })
}

/// Returns the value of an argument as a literal. If a file of `sql/` contains the call, an argument can be a
/// placeholder. A placeholder stays unchanged.
fn argument_value(
    function: &str,
    parameter: &Parameter,
    argument: &Expr,
    (state, today, start): (&SessionState, NaiveDate, Span),
) -> Result<Expr> {
    if let Expr::Placeholder(_) = argument {
        return Ok(argument.clone());
    }
    let context =
        // With the current time, functions that read the clock become constants.
        SimplifyContext::builder().with_config_options(Arc::clone(state.config_options())).with_current_time().build();
    let wrong = |what: &str| plan_datafusion_err!("`{function}`: `{}` {what}", parameter.name);
    let Ok(Expr::Literal(value, _)) = ExprSimplifier::new(context).simplify(argument.clone()) else {
        return Err(wrong("must be a constant"));
    };
    if value.is_null() {
        // Only a text can be null. A null text matches every value.
        return match parameter.kind {
            Kind::Text => Ok(Expr::Literal(ScalarValue::Utf8View(None), None)),
            Kind::Instant | Kind::DayStart | Kind::Number | Kind::Count => Err(wrong("is null")),
        };
    }
    let value = match parameter.kind {
        Kind::Instant | Kind::DayStart => match value.try_as_str() {
            Some(text) => {
                timestamp_value(parse_span(function, parameter, text.unwrap_or_default(), (today, start))?.start)
            }
            None => match value.data_type() {
                DataType::Date32 | DataType::Date64 => match value.cast_to(&DataType::Date32)? {
                    ScalarValue::Date32(Some(days)) => NaiveDate::from_epoch_days(days)
                        .map(|date| timestamp_value(LocalDays::current().start_of(date)))
                        .ok_or_else(|| wrong(INSTANT))?,
                    _ => return Err(wrong(INSTANT)),
                },
                DataType::Timestamp(_, None) => value.cast_to(&DataType::Timestamp(TimeUnit::Second, None))?,
                _ => return Err(wrong(INSTANT)),
            },
        },
        Kind::Number => value.cast_to(&DataType::Float64).map_err(|_| wrong("must be a number"))?,
        Kind::Count => value.cast_to(&DataType::Int64).map_err(|_| wrong("must be a whole number"))?,
        Kind::Text => value.cast_to(&DataType::Utf8View)?,
    };
    if let ScalarValue::Float64(Some(number)) = value
        && (!number.is_finite() || number < 0.0)
    {
        return Err(wrong("must be a number from 0"));
    }
    if let (Kind::DayStart, ScalarValue::TimestampSecond(Some(seconds), None)) = (parameter.kind, &value)
        && !local_instant(*seconds).is_some_and(|instant| parameter.kind.allows(instant))
    {
        return Err(wrong("must be a date: only whole days are available here"));
    }
    Ok(Expr::Literal(value, None))
}

/// Returns the range of a call, if its start and end are known.
fn called_range(parameters: &[Parameter], bindings: &Bindings) -> Option<Range<NaiveDateTime>> {
    Some(bound_instant("start", parameters, bindings)?..bound_instant("end", parameters, bindings)?)
}

/// Returns the time that a call passes for the parameter `name`. Returns `None` if the time isn't known.
fn bound_instant(name: &str, parameters: &[Parameter], bindings: &Bindings) -> Option<NaiveDateTime> {
    let index = parameters.iter().position(|parameter| parameter.name == name)?;
    match bindings.get(&placeholder(index)) {
        Some(Expr::Literal(ScalarValue::TimestampSecond(seconds, None), _)) => local_instant(*seconds.as_ref()?),
        _ => None,
    }
}

fn contains(outer: &Range<NaiveDateTime>, inner: &Range<NaiveDateTime>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Formats ranges for users.
fn format_ranges(ranges: &[Range<NaiveDateTime>]) -> String {
    let shown = |range: &Range<NaiveDateTime>| {
        let end = format_instant(range.end);
        if range.start == NaiveDateTime::MIN {
            format!("the time before {end}")
        } else {
            format!("{} to before {end}", format_instant(range.start))
        }
    };
    let ranges: Vec<_> = ranges.iter().map(shown).collect();
    if ranges.is_empty() { "nothing".to_owned() } else { ranges.join(", ") }
}

fn format_instant(instant: NaiveDateTime) -> String {
    let days = LocalDays::current();
    if days.is_day_start(instant) {
        days.day_of(instant).to_string()
    } else {
        instant.format("%Y-%m-%dT%H:%M:%S").to_string()
    }
}
