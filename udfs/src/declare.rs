//! Declares SQL functions. A declaration consists of a function's name, parameters and documentation, and of one Rust
//! function.
//!
//! This module coerces arguments to the few types that the algorithms use, and adapts functions to DataFusion's traits.
//! Start with [`Declaration`], and with [`scalar`], [`aggregate`] and [`window`]. The texts of a declaration are
//! public: the documentation and the `describe` command show them.
//!
//! Invariant: the body of a function gets arrays of exactly the declared types and of the same length.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, not_impl_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::function::{
    AccumulatorArgs, PartitionEvaluatorArgs, StateFieldsArgs, WindowUDFFieldArgs,
};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, DocSection, Documentation, GroupsAccumulator,
    PartitionEvaluator, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, WindowUDF, WindowUDFImpl,
};

use crate::columns::INSTANT;
use crate::gather::{ManyGroups, NewGroupStates, OneGroup};
use crate::interval;

/// The type of a parameter. Arguments are coerced to the matching Arrow type.
#[derive(Clone, Copy, Debug)]
enum ParameterKind {
    /// A timestamp without time zone or in UTC, a date (midnight), or a text that contains one of these.
    Instant,
    /// An integer.
    Whole,
    /// A number.
    Number,
    /// Text in any encoding.
    Text,
    /// A truth value.
    Truth,
    /// A struct with the four timestamps of an interval.
    Interval,
}

impl ParameterKind {
    fn name(self) -> &'static str {
        match self {
            Self::Instant => "a timestamp without time zone",
            Self::Whole => "an integer",
            Self::Number => "a number",
            Self::Text => "text",
            Self::Truth => "a boolean",
            Self::Interval => "a struct of `start_local`, `start_utc`, `end_local`, `end_utc`",
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Instant => INSTANT,
            Self::Whole => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Text => DataType::Utf8View,
            Self::Truth => DataType::Boolean,
            Self::Interval => interval::data_type(),
        }
    }

    fn accepts(self, given: &DataType) -> bool {
        match (self, given) {
            (kind, DataType::Dictionary(_, values)) => kind.accepts(values),
            (Self::Instant, DataType::Timestamp(_, zone)) => {
                // When Arrow casts to a timestamp without zone, it keeps the UTC time. So for any other zone, the
                // result would silently be UTC instead of the local time.
                zone.as_deref().is_none_or(|zone| matches!(zone, "UTC" | "Z" | "+00:00"))
            }
            (_, DataType::Null) | (Self::Instant, DataType::Date32 | DataType::Date64) => true,
            (Self::Instant | Self::Text, given) => given.is_string(),
            (Self::Whole, given) => given.is_integer(),
            (Self::Number, given) => given.is_numeric(),
            (Self::Truth, given) => *given == DataType::Boolean,
            (Self::Interval, DataType::Struct(fields)) => {
                fields.len() == interval::FIELDS.len()
                    && interval::FIELDS.iter().all(|name| {
                        fields.find(name).is_some_and(|(_, field)| Self::Instant.accepts(field.data_type()))
                    })
            }
            (Self::Interval, _) => false,
        }
    }
}

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    kind: ParameterKind,
    description: &'static str,
}

impl Parameter {
    /// Creates a parameter that takes a timestamp.
    pub(crate) const fn instant(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ParameterKind::Instant, description }
    }

    /// Creates a parameter that takes an integer.
    pub(crate) const fn integer(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ParameterKind::Whole, description }
    }

    /// Creates a parameter that takes a number.
    pub(crate) const fn number(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ParameterKind::Number, description }
    }

    /// Creates a parameter that takes a text.
    pub(crate) const fn text(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ParameterKind::Text, description }
    }

    /// Creates a parameter that takes a truth value.
    pub(crate) const fn boolean(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ParameterKind::Truth, description }
    }
}

/// The name, parameters and documentation of a function.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) parameters: &'static [Parameter],
    /// The text after the closing parenthesis of a call, such as ` OVER ()`. It starts with a space, or is empty.
    pub(crate) call_suffix: &'static str,
    pub(crate) example: &'static str,
}

/// The section that contains these functions in generated documentation.
const SECTION: DocSection = DocSection {
    include: true,
    label: "Interval Functions",
    description: Some("Functions over intervals that have a local and a UTC time."),
};

impl Declaration {
    /// Whether a call can pass one interval struct instead of the four timestamps of an interval.
    fn takes_interval(&self) -> bool {
        self.parameters.iter().map(|parameter| parameter.name).eq(interval::FIELDS)
    }

    fn documentation(&self) -> Documentation {
        let names: Vec<_> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let syntax = format!("{}({}){}", self.name, names.join(", "), self.call_suffix);
        let example = format!("```sql\n{}\n```", self.example);
        let mut builder = Documentation::builder(SECTION, self.description, syntax).with_sql_example(example);
        for parameter in self.parameters {
            builder = builder.with_argument(parameter.name, parameter.description);
        }
        if self.takes_interval() {
            builder = builder.with_alternative_syntax(format!("{}(interval){}", self.name, self.call_suffix));
        }
        builder.build()
    }

    fn coerce(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        if self.takes_interval() && given.len() == 1 {
            return Ok(vec![self.coerce_one("interval", ParameterKind::Interval, &given[0])?]);
        }
        if given.len() != self.parameters.len() {
            return plan_err!("`{}` takes {} arguments, not {}", self.name, self.parameters.len(), given.len());
        }
        self.parameters
            .iter()
            .zip(given)
            .map(|(parameter, given)| self.coerce_one(parameter.name, parameter.kind, given))
            .collect()
    }

    fn coerce_one(&self, name: &str, kind: ParameterKind, given: &DataType) -> Result<DataType> {
        if kind.accepts(given) {
            Ok(kind.data_type())
        } else {
            Err(plan_datafusion_err!("argument `{name}` of `{}` must be {}, not {given}", self.name, kind.name()))
        }
    }
}

/// A function of this crate, adapted to DataFusion's function traits. Functions with the same name are equal.
#[derive(Debug)]
struct Function<B> {
    declaration: &'static Declaration,
    documentation: Documentation,
    signature: Signature,
    returns: DataType,
    body: B,
}

impl<B> Function<B> {
    fn new(declaration: &'static Declaration, returns: DataType, body: B) -> Self {
        let documentation = declaration.documentation();
        let signature = Signature::user_defined(Volatility::Immutable);
        Self { declaration, documentation, signature, returns, body }
    }
}

impl<B> PartialEq for Function<B> {
    fn eq(&self, other: &Self) -> bool {
        self.declaration.name == other.declaration.name
    }
}

impl<B> Eq for Function<B> {}

impl<B> Hash for Function<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.declaration.name.hash(state);
    }
}

/// The Rust function that computes a SQL function.
struct Body<F: ?Sized>(Arc<F>);

impl<F: ?Sized> fmt::Debug for Body<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Body")
    }
}

/// Computes a scalar function. The arguments and the result have the same length.
type ScalarBody = Body<dyn Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync>;

/// Creates a scalar function from a declaration and a body.
pub(crate) fn scalar(
    declaration: &'static Declaration,
    returns: DataType,
    body: impl Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync + 'static,
) -> ScalarUDF {
    let body: ScalarBody = Body(Arc::new(body));
    Function::new(declaration, returns, body).into()
}

impl ScalarUDFImpl for Function<ScalarBody> {
    fn name(&self) -> &str {
        self.declaration.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.declaration.coerce(given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let constant = args.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let rows = if constant { 1 } else { args.number_rows };
        let arrays = args.args.iter().map(|value| value.to_array(rows)).collect::<Result<Vec<_>>>()?;
        let result = (self.body.0)(&arrays)?;
        if constant {
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
        } else {
            Ok(ColumnarValue::Array(result))
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// The implementation of an aggregate function.
#[derive(Debug)]
struct Aggregation {
    state: Vec<(&'static str, DataType)>,
    empty_value: ScalarValue,
    begin: NewGroupStates,
}

/// Creates an aggregate function from a declaration. `state` lists the columns of its partial state, `empty_value` is
/// its result for no rows, and `begin` creates its states.
pub(crate) fn aggregate(
    declaration: &'static Declaration,
    state: Vec<(&'static str, DataType)>,
    empty_value: ScalarValue,
    begin: NewGroupStates,
) -> AggregateUDF {
    let returns = empty_value.data_type();
    Function::new(declaration, returns, Aggregation { state, empty_value, begin }).into()
}

impl AggregateUDFImpl for Function<Aggregation> {
    fn name(&self) -> &str {
        self.declaration.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.declaration.coerce(given)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |(name, data_type): &(&str, DataType)| {
            Arc::new(Field::new(format!("{}[{name}]", args.name), data_type.clone(), true))
        };
        Ok(self.body.state.iter().map(field).collect())
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            // The states contain totals and not rows, so they can't recognise a repeated row.
            return not_impl_err!("`{}` takes no DISTINCT; select the distinct rows first", self.declaration.name);
        }
        Ok(Box::new(OneGroup::new(self.body.begin)))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        // For DISTINCT, this returns false. DataFusion then calls `accumulator`, which returns the error for users.
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(ManyGroups::new(self.body.begin)))
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Ok(self.body.empty_value.clone())
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// Computes a window function for one partition, from its columns in window order and the number of rows.
type WindowBody = Body<dyn Fn(&[ArrayRef], usize) -> Result<ArrayRef> + Send + Sync>;

/// Creates a window function from a declaration and a body that computes whole partitions. The function ignores window
/// frames.
pub(crate) fn window(
    declaration: &'static Declaration,
    returns: DataType,
    body: impl Fn(&[ArrayRef], usize) -> Result<ArrayRef> + Send + Sync + 'static,
) -> WindowUDF {
    let body: WindowBody = Body(Arc::new(body));
    Function::new(declaration, returns, body).into()
}

impl WindowUDFImpl for Function<WindowBody> {
    fn name(&self) -> &str {
        self.declaration.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.declaration.coerce(given)
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(args.name(), self.returns.clone(), true)))
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(WholePartition { body: Body(Arc::clone(&self.body.0)) }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// Evaluates a window function for all rows of a partition together.
#[derive(Debug)]
struct WholePartition {
    body: WindowBody,
}

impl PartitionEvaluator for WholePartition {
    fn evaluate_all(&mut self, values: &[ArrayRef], num_rows: usize) -> Result<ArrayRef> {
        (self.body.0)(values, num_rows)
    }
}
