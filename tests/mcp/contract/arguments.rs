//! Tools agree with their input schemas: a tool accepts the arguments that its schema accepts, and rejects all other
//! arguments.
//!
//! In a few cases, a tool accepts more than its schema, so that a small mistake of a model doesn't cost a call. `null`
//! counts as absent, and so does an empty text for an optional argument. Numbers and booleans may be passed as text. A
//! value above a maximum becomes the maximum. A tool accepts less than its schema if the schema can't express a rule.
//! Examples are whether a text is a date, whether a range is valid, and which devices exist.

use std::collections::BTreeMap;

use jsonschema::Validator;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};

use super::super::schema;
use super::super::session::Session;

/// The error codes for arguments that don't match the schema.
const SHAPE: [&str; 4] = ["INVALID_ARGUMENT", "UNKNOWN_ARGUMENT", "MISSING_ARGUMENT", "INVALID_NUMBER"];

/// The error code of valid arguments, because these tests have no history.
const ACCEPTED: Option<&str> = Some("DATABASE_NOT_FOUND");

/// Generates an argument that matches its schema.
pub(super) fn fitting(property: &Value) -> BoxedStrategy<Value> {
    if let Some(values) = property["enum"].as_array() {
        return proptest::sample::select(values.clone()).boxed();
    }
    match property["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let least = property["minimum"].as_i64().unwrap_or(1);
            let far = any::<u32>().prop_map(move |more| json!(least + i64::from(more)));
            prop_oneof![(least..least + 8).prop_map(Value::from), far].boxed()
        }
        Some("number") => {
            let least = property["minimum"].as_f64().unwrap_or(0.0);
            (0..600_u32).prop_map(move |tenth| json!(least + f64::from(tenth) / 10.0)).boxed()
        }
        Some("object") => {
            let names: Vec<_> = property["properties"].as_object().unwrap().keys().cloned().collect();
            let text = prop_oneof![Just("client"), Just(""), Just("desktop")];
            proptest::collection::btree_map(proptest::sample::select(names), text, 0..3)
                .prop_map(|it| json!(it))
                .boxed()
        }
        _ => prop_oneof![Just("2025-01-15"), Just(""), Just("desktop")].prop_map(Value::from).boxed(),
    }
}

/// Generates any JSON value. Usually it is close to valid arguments.
fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        3 => (-3..3_i64).prop_map(Value::from),
        3 => (-10..50_i32).prop_map(|tenth| json!(f64::from(tenth) / 10.0)),
        3 => "[a-z0-9 -]{0,12}".prop_map(Value::from),
        2 => proptest::sample::select(vec![json!(i64::MIN), json!(u64::MAX), json!(1e30), json!(-1e30)]),
        1 => proptest::sample::select(vec![json!([]), json!(["2025-01-15"]), json!({}), json!({"a": 1})]),
    ]
}

/// A change that is applied to valid arguments.
#[derive(Clone, Debug)]
enum Mutation {
    None,
    /// Gives one argument another value.
    Replace(usize, Value),
    /// Removes one argument.
    Remove(usize),
    /// Adds one argument.
    Add(String, Value),
}

fn slip() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => Just(Mutation::None),
        4 => (any::<usize>(), anything()).prop_map(|(which, value)| Mutation::Replace(which, value)),
        1 => any::<usize>().prop_map(Mutation::Remove),
        1 => ("[a-z]{3,9}", anything()).prop_map(|(name, value)| Mutation::Add(name, value)),
    ]
}

/// Generates valid arguments for a tool, and applies at most one mutation to them.
fn arguments(schema: &JsonObject) -> impl Strategy<Value = JsonObject> + use<> {
    let each: Vec<_> = schema["properties"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, property)| {
            // Dates are fixed, because random dates could be an invalid range.
            let value = match name.as_str() {
                "date" | "startDate" => Just(json!("2025-01-15")).boxed(),
                "endDate" => Just(json!("2025-01-17T09:30")).boxed(),
                _ => fitting(property),
            };
            let required = schema.get("required").is_some_and(|names| names.as_array().unwrap().contains(&json!(name)));
            let name = name.clone();
            let left_out = if required { Just(false).boxed() } else { any::<bool>().boxed() };
            (left_out, value).prop_map(move |(left_out, value)| (!left_out).then(|| (name.clone(), value)))
        })
        .collect();
    (each, slip()).prop_map(|(each, slip)| {
        let mut each: Vec<_> = each.into_iter().flatten().collect();
        let at = |which: usize| which % each.len().max(1);
        match slip {
            Mutation::Replace(which, value) if !each.is_empty() => {
                let at = at(which);
                each[at].1 = value;
            }
            Mutation::Remove(which) if !each.is_empty() => {
                each.remove(at(which));
            }
            Mutation::Add(name, value) => each.push((name, value)),
            _ => {}
        }
        each.into_iter().collect()
    })
}

/// Returns the schema without the keywords for which the tool accepts more than the schema.
fn generous(schema: &JsonObject) -> JsonObject {
    let mut schema = schema.clone();
    for property in schema["properties"].as_object_mut().unwrap().values_mut() {
        property.as_object_mut().unwrap().remove("maximum");
    }
    schema
}

/// Converts text to the number or boolean that the schema expects.
fn parse_typed(text: &str, property: &Value) -> Option<Value> {
    let text = text.trim();
    match property["type"].as_str()? {
        "integer" | "number" => {
            let number: f64 = text.parse().ok()?;
            number.is_finite().then(|| text.parse::<i64>().map_or(json!(number), |whole| json!(whole)))
        }
        "boolean" => text.to_ascii_lowercase().parse::<bool>().ok().map(Value::from),
        _ => None,
    }
}

/// Checks that `outcome`, the tool's response to `arguments`, agrees with the tool's schema.
fn agrees(
    tool: &Tool,
    validator: &Validator,
    arguments: &JsonObject,
    outcome: &Result<Value, Value>,
) -> Result<bool, TestCaseError> {
    let schema = &tool.input_schema;
    let known = schema["properties"].as_object().unwrap();
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.contains(&json!(name)));
    let is_empty = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
    let mut given = arguments.clone();
    given.retain(|name, value| {
        let is_absent = value.is_null() || is_empty(value) && !is_required(name);
        !(is_absent && known.contains_key(name))
    });
    for (name, value) in &mut given {
        let read = value.as_str().zip(known.get(name)).and_then(|(text, property)| parse_typed(text, property));
        if let Some(read) = read {
            *value = read;
        }
    }
    let given = Value::Object(given);
    let wrong: Vec<String> = validator.iter_errors(&given).map(|error| error.to_string()).collect();
    let code = outcome.as_ref().err().and_then(|error| error["code"].as_str());
    let agree = if wrong.is_empty() { !code.is_some_and(|code| SHAPE.contains(&code)) } else { code != ACCEPTED };
    prop_assert!(agree, "{} {}: {:?}, and the schema says {:?}", tool.name, given, outcome, wrong);
    Ok(wrong.is_empty())
}

/// Without a history, calls fail quickly when they look for the history. Errors in arguments are reported before this
/// failure.
#[test]
fn tools_accept_exactly_what_their_schema_accepts() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let nothing = tempfile::tempdir().unwrap();
    let session = runtime.block_on(Session::start_default(nothing.path()));
    for tool in session.tools() {
        // The validator is built once per tool, because building it takes longer than a call.
        let validator = schema::input_validator(&generous(&tool.input_schema));
        let verdicts = std::cell::RefCell::new(BTreeMap::<bool, u32>::new());
        let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
        let checked = runner.run(&arguments(&tool.input_schema), |arguments| {
            let result = runtime.block_on(session.outcome(&tool.name, Value::Object(arguments.clone())));
            let accepted = agrees(tool, &validator, &arguments, &result)?;
            *verdicts.borrow_mut().entry(accepted).or_default() += 1;
            Ok(())
        });
        checked.unwrap_or_else(|error| panic!("{}: {error}", tool.name));
        assert_eq!(verdicts.borrow().len(), 2, "{}: the cases need valid and invalid arguments", tool.name);
    }
    runtime.block_on(session.end());
}
