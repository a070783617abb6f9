//! The user's rules in SQL: which of their conditions a row's words fulfil, what each rule sets, and what is a call.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, RecordBatch, StringArray, StringViewArray, StringViewBuilder,
    StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Int64Type, Schema};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err, exec_err, internal_datafusion_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};

use crate::engine::Model;
use crate::rules::{Rule, Rules, Word};

/// Adds the table `rules` and the functions that ask `rules`.
pub(super) fn register(model: Model, rules: &Rules) -> Model {
    let functions = [Asks::Conditions, Asks::Needs, Asks::LookAt, Asks::Words];
    let functions = functions.map(|asks| (asks, About::Work, rules.clone()));
    let calls = rules.of_calls();
    let of_calls = [Asks::Conditions, Asks::Needs, Asks::LookAt, Asks::CallRule];
    let of_calls = of_calls.map(|asks| (asks, About::Calls, calls.clone()));
    let model = functions.into_iter().chain(of_calls).fold(model, |model, (asks, about, rules)| {
        model.with_value_function(Arc::new(ScalarUDF::new_from_impl(Ruling::new(asks, about, rules))))
    });
    model.with_rows("rules", table(rules))
}

/// The rules as rows, in the order in which they decide: number, rule, category, project, task, call.
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
    // The columns are as many and as long as each other, so that nothing can be refused.
    RecordBatch::try_new(schema, columns.into_iter().map(|(_, column)| column).collect()).unwrap_or(empty)
}

/// Tells one of a rule's words.
type WordOf = fn(&Rule) -> Option<&str>;

/// What a rule is called and sets, by column.
const WORDS: [(&str, WordOf); 4] = [
    ("rule", |rule| Some(rule.name())),
    ("category", |rule| rule.category.as_deref()),
    ("project", |rule| rule.project.as_deref()),
    ("task", |rule| rule.task.as_deref()),
];

/// The same as fields.
fn words() -> Fields {
    WORDS.map(|(name, _)| Field::new(name, DataType::Utf8, true)).into_iter().collect()
}

/// What rules decide, of which a function asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum About {
    /// What work was for.
    Work,
    /// What is a call; there are no rules where calls do not count.
    Calls,
}

/// What a function asks the rules. The names are those about work; about calls they begin with `call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asks {
    /// `rule_conditions(kind, device, name, key, rule_text)`: the numbers of the conditions of all rules that a row's words
    /// fulfil, with blanks between. The kind is `piece` (its text is the window's title), `document` (the path), `website`
    /// (the address) or `tag`. In an archive the text has these numbers already: those about work, `|`, those about calls.
    Conditions,
    /// `rule_needs()`: of each rule the numbers of its conditions, with blanks between them and commas between rules.
    Needs,
    /// `rules_look_at(kind)`: whether any condition is about the words of such rows, known when a statement is planned.
    LookAt,
    /// `rule_words(number)`: what the rule of that number is called and sets: a struct of `rule`, `category`, `project` and
    /// `task`, of nulls where there is none.
    Words,
    /// `call_rule(number)`: the name of the rule about calls of that number, where it says that it is one.
    CallRule,
}

/// A function that asks the rules; two of the same rules are the same.
#[derive(Debug)]
struct Ruling {
    asks: Asks,
    about: About,
    rules: Rules,
    signature: Signature,
}

impl Ruling {
    fn new(asks: Asks, about: About, rules: Rules) -> Self {
        let signature = match asks {
            Asks::Conditions => Signature::user_defined(Volatility::Immutable),
            Asks::Needs => Signature::nullary(Volatility::Immutable),
            Asks::LookAt => Signature::exact(vec![DataType::Utf8View], Volatility::Immutable),
            Asks::Words | Asks::CallRule => Signature::exact(vec![DataType::Int64], Volatility::Immutable),
        };
        Self { asks, about, rules, signature }
    }

    /// The rule of each number, counted from 1.
    fn numbered(&self, columns: &[ArrayRef]) -> Result<Vec<Option<&Rule>>> {
        let Some(numbers) = columns.first().and_then(|column| column.as_primitive_opt::<Int64Type>()) else {
            return exec_err!("`{}` takes the number of a rule", self.name());
        };
        let rule = |number: i64| self.rules.rules().get(usize::try_from(number).ok()?.checked_sub(1)?);
        Ok(numbers.iter().map(|number| rule(number?)).collect())
    }

    /// The numbers that each row's words fulfil.
    fn conditions(&self, columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        let column = |place: usize| {
            let column = columns.get(place).and_then(|column| column.as_string_view_opt());
            column.ok_or_else(|| internal_datafusion_err!("argument {} is no text", place + 1))
        };
        let (kinds, devices, names, keys, titles) = (column(0)?, column(1)?, column(2)?, column(3)?, column(4)?);
        if self.rules.are_recorded() {
            return Ok(self.recorded_conditions(kinds, titles));
        }
        let mut known = Known { rules: &self.rules, fulfilled: HashMap::new() };
        let mut out = StringViewBuilder::with_capacity(rows).with_deduplicate_strings();
        let mut numbers = BTreeSet::new();
        for row in 0..rows {
            numbers.clear();
            for word in words_of(value(kinds, row).unwrap_or_default()) {
                let columns: &[&StringViewArray] = match word {
                    Word::App => &[names, keys],
                    Word::Site | Word::Tag => &[names],
                    Word::Title | Word::Url | Word::Path => &[titles],
                    Word::Device => &[devices],
                };
                for text in columns.iter().filter_map(|column| value(column, row)) {
                    numbers.extend(known.fulfilled(*word, text)?);
                }
            }
            out.append_value(spelled(&numbers));
        }
        Ok(Arc::new(out.finish()))
    }

    /// The numbers that an export recorded for each row, of those that a row of its kind can fulfil.
    fn recorded_conditions(&self, kinds: &StringViewArray, outcomes: &StringViewArray) -> ArrayRef {
        let mut out = StringViewBuilder::with_capacity(kinds.len()).with_deduplicate_strings();
        for row in 0..kinds.len() {
            let words = words_of(value(kinds, row).unwrap_or_default());
            let (work, calls) = value(outcomes, row).and_then(|text| text.split_once('|')).unwrap_or_default();
            let recorded = if self.about == About::Work { work } else { calls };
            let numbers = recorded.split_ascii_whitespace().filter_map(|number| number.parse().ok());
            let fulfilled = numbers.filter(|number| self.rules.word(*number).is_some_and(|word| words.contains(&word)));
            out.append_value(spelled(&fulfilled.collect::<BTreeSet<u32>>()));
        }
        Arc::new(out.finish())
    }
}

/// What the words of a row of that kind can fulfil.
fn words_of(kind: &str) -> &'static [Word] {
    match kind {
        "piece" => &[Word::App, Word::Title, Word::Device],
        "document" => &[Word::Path],
        "website" => &[Word::Site, Word::Url],
        "tag" => &[Word::Tag],
        _ => &[],
    }
}

/// Numbers of conditions as `ruled` reads them.
fn spelled<'n>(numbers: impl IntoIterator<Item = &'n u32>) -> String {
    numbers.into_iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn value(column: &StringViewArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// What texts fulfil, each asked once.
struct Known<'r, 't> {
    rules: &'r Rules,
    fulfilled: HashMap<(Word, &'t str), Vec<u32>>,
}

impl<'t> Known<'_, 't> {
    fn fulfilled(&mut self, word: Word, text: &'t str) -> Result<&[u32]> {
        Ok(match self.fulfilled.entry((word, text)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let numbers = self.rules.fulfilled(word, text);
                unknown.insert(numbers.map_err(|error| exec_datafusion_err!("{error}"))?)
            }
        })
    }
}

impl PartialEq for Ruling {
    fn eq(&self, other: &Self) -> bool {
        (self.asks, self.about) == (other.asks, other.about) && self.rules.rules() == other.rules.rules()
    }
}

impl Eq for Ruling {}

impl Hash for Ruling {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.asks, self.about, self.rules.rules().len()).hash(state);
    }
}

impl ScalarUDFImpl for Ruling {
    fn name(&self) -> &str {
        match (self.asks, self.about) {
            (Asks::Conditions, About::Work) => "rule_conditions",
            (Asks::Conditions, About::Calls) => "call_conditions",
            (Asks::Needs, About::Work) => "rule_needs",
            (Asks::Needs, About::Calls) => "call_needs",
            (Asks::LookAt, About::Work) => "rules_look_at",
            (Asks::LookAt, About::Calls) => "calls_look_at",
            (Asks::Words, _) => "rule_words",
            (Asks::CallRule, _) => "call_rule",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arguments: &[DataType]) -> Result<Vec<DataType>> {
        Ok(vec![DataType::Utf8View; arguments.len()])
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match (self.asks, arguments.len()) {
            (Asks::Conditions, 5) | (Asks::Needs, 0) | (Asks::CallRule, 1) => Ok(DataType::Utf8View),
            (Asks::LookAt, 1) => Ok(DataType::Boolean),
            (Asks::Words, 1) => Ok(DataType::Struct(words())),
            (_, given) => datafusion::common::plan_err!("`{}` takes no {given} arguments", self.name()),
        }
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match self.asks {
            Asks::Conditions => {
                let columns = ColumnarValue::values_to_arrays(&arguments.args)?;
                let rows = columns.first().map_or(0, Array::len);
                let whole = arguments.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
                let numbers = self.conditions(&columns, rows)?;
                if whole {
                    return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&numbers, 0)?));
                }
                Ok(ColumnarValue::Array(numbers))
            }
            Asks::Needs => {
                let needs = self.rules.needs().iter().map(spelled).collect::<Vec<_>>().join(",");
                Ok(ColumnarValue::Scalar(ScalarValue::Utf8View(Some(needs))))
            }
            Asks::LookAt => {
                let Some(ColumnarValue::Scalar(kind)) = arguments.args.first() else {
                    return exec_err!("`{}` takes a constant", self.name());
                };
                let words = words_of(kind.try_as_str().flatten().unwrap_or_default());
                let looks = self.rules.words().any(|word| words.contains(&word));
                Ok(ColumnarValue::Scalar(ScalarValue::Boolean(Some(looks))))
            }
            Asks::Words => {
                let columns = ColumnarValue::values_to_arrays(&arguments.args)?;
                let numbered = self.numbered(&columns)?;
                let columns = WORDS.map(|(_, word)| -> ArrayRef {
                    let texts = numbered.iter().map(|rule| rule.and_then(word));
                    Arc::new(texts.collect::<StringArray>())
                });
                Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(words(), columns.into(), None)?)))
            }
            Asks::CallRule => {
                let columns = ColumnarValue::values_to_arrays(&arguments.args)?;
                let calls =
                    self.numbered(&columns)?.into_iter().map(|rule| rule.filter(|rule| rule.call == Some(true)));
                let names: StringViewArray = calls.map(|rule| rule.map(Rule::name)).collect();
                Ok(ColumnarValue::Array(Arc::new(names)))
            }
        }
    }
}
