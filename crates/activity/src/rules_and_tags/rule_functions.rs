//! SQL functions for the user's rules. Each function returns one of these things: the conditions that a row meets, the
//! values that a rule sets, or the rule for a call.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, RecordBatch, StringArray, StringViewArray, StringViewBuilder,
    StructArray,
};
use arrow::datatypes::{DataType, Field, Fields, Int64Type, Schema};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err, exec_err, internal_datafusion_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

use dayledger_engine::Model;
use dayledger_rules::{Rule, Rules, Word};

/// Adds the table `rules` to `model`, and the functions that apply `rules` to work and to calls.
pub(crate) fn register(model: Model, rules: &Rules) -> Model {
    let calls = rules.call_rules();
    let functions = [
        conditions("rule_conditions", RuleKind::Work, rules.clone()),
        needs("rule_needs", rules),
        look_at("has_rules_about", rules.clone()),
        rule_fields(rules.clone()),
        conditions("call_conditions", RuleKind::Calls, calls.clone()),
        needs("call_needs", &calls),
        look_at("has_call_rules_about", calls.clone()),
        call_rule(calls),
    ];
    let model = functions.into_iter().fold(model, |model, function| model.with_value_function(Arc::new(function)));
    model.with_rows("rules", table(rules))
}

/// Returns the rules as rows, in order of precedence: number, rule, category, project, task, call.
fn table(rules: &Rules) -> RecordBatch {
    let numbers = Int64Array::from_iter_values((1..).take(rules.rules().len()));
    let calls: BooleanArray = rules.rules().iter().map(|rule| rule.call).collect();
    let mut columns: Vec<(&str, ArrayRef)> = vec![("number", Arc::new(numbers))];
    for (name, word) in WORDS {
        columns.push((name, Arc::new(rules.rules().iter().map(word).collect::<StringArray>())));
    }
    columns.push(("call", Arc::new(calls)));
    let fields = columns.iter().map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let empty = RecordBatch::new_empty(Arc::clone(&schema));
    // This can't fail, because all columns have the length of the list of rules.
    RecordBatch::try_new(schema, columns.into_iter().map(|(_, column)| column).collect()).unwrap_or(empty)
}

/// A function that returns one text field of a rule.
type WordGetter = fn(&Rule) -> Option<&str>;

/// The text columns of the table `rules`.
const WORDS: [(&str, WordGetter); 4] = [
    ("rule", |rule| Some(rule.name())),
    ("category", |rule| rule.category.as_deref()),
    ("project", |rule| rule.project.as_deref()),
    ("task", |rule| rule.task.as_deref()),
];

/// Returns the columns of `WORDS` as the fields of a struct.
fn words() -> Fields {
    WORDS.map(|(name, _)| Field::new(name, DataType::Utf8, true)).into_iter().collect()
}

/// The set of rules that a function applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleKind {
    /// Rules that assign work.
    Work,
    /// Rules for calls. The list is empty if calls don't count.
    Calls,
}

/// Returns an SQL function with the parameters `kind`, `device`, `name`, `key` and `rule_text`. The function returns
/// the numbers of the rule conditions that a row meets, separated by spaces.
///
/// `kind` is `piece`, `document`, `website` or `tag`. `rule_text` is the window title of a piece, the path of a
/// document or the URL of a website. In an export, `rule_text` is instead a list of condition numbers. The numbers for
/// rules about work come first, then `|`, then the numbers for rules about calls.
fn conditions(name: &str, about: RuleKind, rules: Rules) -> ScalarUDF {
    let body = move |arguments: &[ColumnarValue]| -> Result<ColumnarValue> {
        let columns = ColumnarValue::values_to_arrays(arguments)?;
        let numbers = fulfilled_conditions(&rules, about, &columns)?;
        // If all arguments are constants, `values_to_arrays` returns a single row. The result must then be a constant
        // too, because an array needs as many rows as the batch.
        if arguments.iter().all(|value| matches!(value, ColumnarValue::Scalar(_))) {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&numbers, 0)?));
        }
        Ok(ColumnarValue::Array(numbers))
    };
    function(name, vec![DataType::Utf8View; 5], DataType::Utf8View, body)
}

/// Returns an SQL function without parameters. The function returns the numbers of all conditions. Spaces separate the
/// conditions of a rule, and commas separate the rules.
fn needs(name: &str, rules: &Rules) -> ScalarUDF {
    let needs = rules.needs().iter().map(join_numbers).collect::<Vec<_>>().join(",");
    let body = move |_: &[ColumnarValue]| Ok(ColumnarValue::Scalar(ScalarValue::Utf8View(Some(needs.clone()))));
    function(name, Vec::new(), DataType::Utf8View, body)
}

/// Returns an SQL function with the parameter `kind`. The function returns whether any rule has a condition for rows of
/// that kind. The kind must be a constant, so that the planner can evaluate the function.
fn look_at(name: &'static str, rules: Rules) -> ScalarUDF {
    let body = move |arguments: &[ColumnarValue]| -> Result<ColumnarValue> {
        let Some(ColumnarValue::Scalar(kind)) = arguments.first() else {
            return exec_err!("`{name}` takes a constant");
        };
        let words = words_of(kind.try_as_str().flatten().unwrap_or_default());
        let looks = rules.words().any(|word| words.contains(&word));
        Ok(ColumnarValue::Scalar(ScalarValue::Boolean(Some(looks))))
    };
    function(name, vec![DataType::Utf8View], DataType::Boolean, body)
}

/// Returns the SQL function `rule_fields(number)`. The function returns a struct of `rule`, `category`, `project` and
/// `task` of the rule with that number. All fields are null if the rule does not exist.
fn rule_fields(rules: Rules) -> ScalarUDF {
    let body = move |arguments: &[ColumnarValue]| -> Result<ColumnarValue> {
        let numbered = rules_by_number(&rules, arguments)?;
        let columns = WORDS.map(|(_, word)| -> ArrayRef {
            let texts = numbered.iter().map(|rule| rule.and_then(word));
            Arc::new(texts.collect::<StringArray>())
        });
        Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(words(), columns.into(), None)?)))
    };
    function("rule_fields", vec![DataType::Int64], DataType::Struct(words()), body)
}

/// Returns the SQL function `call_rule(number)`. The function returns the name of the call rule with that number. It
/// returns null if the rule does not exist, or if the rule marks time that is not a call.
fn call_rule(rules: Rules) -> ScalarUDF {
    let body = move |arguments: &[ColumnarValue]| -> Result<ColumnarValue> {
        let numbered = rules_by_number(&rules, arguments)?.into_iter();
        let calls = numbered.map(|rule| rule.filter(|rule| rule.call == Some(true)));
        let names: StringViewArray = calls.map(|rule| rule.map(Rule::name)).collect();
        Ok(ColumnarValue::Array(Arc::new(names)))
    };
    function("call_rule", vec![DataType::Int64], DataType::Utf8View, body)
}

fn function(
    name: &str,
    takes: Vec<DataType>,
    returns: DataType,
    body: impl Fn(&[ColumnarValue]) -> Result<ColumnarValue> + Send + Sync + 'static,
) -> ScalarUDF {
    create_udf(name, takes, returns, Volatility::Immutable, Arc::new(body))
}

/// Returns the rule for each number, counted from 1.
fn rules_by_number<'r>(rules: &'r Rules, arguments: &[ColumnarValue]) -> Result<Vec<Option<&'r Rule>>> {
    let columns = ColumnarValue::values_to_arrays(arguments)?;
    let numbers = columns.first().and_then(|column| column.as_primitive_opt::<Int64Type>());
    let numbers = numbers.ok_or_else(|| internal_datafusion_err!("the number of a rule is not a number"))?;
    let rule = |number: i64| rules.rules().get(usize::try_from(number).ok()?.checked_sub(1)?);
    Ok(numbers.iter().map(|number| rule(number?)).collect())
}

/// Returns the numbers of the conditions that each row meets.
fn fulfilled_conditions(rules: &Rules, about: RuleKind, columns: &[ArrayRef]) -> Result<ArrayRef> {
    let column = |place: usize| {
        let column = columns.get(place).and_then(|column| column.as_string_view_opt());
        column.ok_or_else(|| internal_datafusion_err!("argument {} is not a text", place + 1))
    };
    let (kinds, devices, names, keys, titles) = (column(0)?, column(1)?, column(2)?, column(3)?, column(4)?);
    if rules.are_recorded() {
        return Ok(recorded_conditions(rules, about, kinds, titles));
    }
    // Caches the conditions of each text, because many rows have the same texts.
    let mut known: HashMap<(Word, &str), Vec<u32>> = HashMap::new();
    // Many rows have the same list of numbers, so each list is stored once.
    let mut out = StringViewBuilder::with_capacity(kinds.len()).with_deduplicate_strings();
    let mut numbers = BTreeSet::new();
    for row in 0..kinds.len() {
        numbers.clear();
        for word in words_of(value(kinds, row).unwrap_or_default()) {
            let columns: &[&StringViewArray] = match word {
                Word::App => &[names, keys],
                Word::Site | Word::Tag => &[names],
                Word::Title | Word::Url | Word::Path => &[titles],
                Word::Device => &[devices],
            };
            for text in columns.iter().filter_map(|column| value(column, row)) {
                numbers.extend(match known.entry((*word, text)) {
                    Entry::Occupied(known) => known.into_mut().iter(),
                    Entry::Vacant(unknown) => {
                        let numbers = rules.fulfilled_conditions(*word, text);
                        unknown.insert(numbers.map_err(|error| exec_datafusion_err!("{error}"))?).iter()
                    }
                });
            }
        }
        out.append_value(join_numbers(&numbers));
    }
    Ok(Arc::new(out.finish()))
}

/// Returns the condition numbers that an export recorded for each row, limited to conditions for the kind of the row.
fn recorded_conditions(
    rules: &Rules,
    about: RuleKind,
    kinds: &StringViewArray,
    outcomes: &StringViewArray,
) -> ArrayRef {
    let mut out = StringViewBuilder::with_capacity(kinds.len()).with_deduplicate_strings();
    for row in 0..kinds.len() {
        let words = words_of(value(kinds, row).unwrap_or_default());
        let (work, calls) = value(outcomes, row).and_then(|text| text.split_once('|')).unwrap_or_default();
        let recorded = if about == RuleKind::Work { work } else { calls };
        let numbers = recorded.split_ascii_whitespace().filter_map(|number| number.parse().ok());
        let fulfilled = numbers.filter(|number| rules.word(*number).is_some_and(|word| words.contains(&word)));
        out.append_value(join_numbers(&fulfilled.collect::<BTreeSet<u32>>()));
    }
    Arc::new(out.finish())
}

/// Returns the types of condition that can match rows of `kind`. For example, conditions about URLs can match websites.
fn words_of(kind: &str) -> &'static [Word] {
    match kind {
        "piece" => &[Word::App, Word::Title, Word::Device],
        "document" => &[Word::Path],
        "website" => &[Word::Site, Word::Url],
        "tag" => &[Word::Tag],
        _ => &[],
    }
}

/// Joins numbers of conditions in the form that `split_by_rule` reads.
fn join_numbers<'n>(numbers: impl IntoIterator<Item = &'n u32>) -> String {
    numbers.into_iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn value(column: &StringViewArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}
