//! Input schemas keep their word: what one accepts the tool takes, what one refuses the tool refuses.
//!
//! Two things are wider than the schemas say, so that a model's slip costs no call: `null` stands for an absent
//! argument, and what is above a maximum is the maximum. Narrower is what no schema can say: whether a text is a date,
//! whether a range is one, which devices there are.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};

use super::super::schema;
use super::super::session::Session;

/// What is wrong with arguments that a schema refuses.
const REFUSED: [&str; 5] =
    ["INVALID_ARGUMENT", "UNKNOWN_ARGUMENT", "MISSING_ARGUMENT", "INVALID_NUMBER", "INVALID_DATE"];

/// An argument that fits its schema.
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
        _ => prop_oneof![Just("2025-01-15"), Just("2025-01-17T09:30"), Just(""), Just("desktop")]
            .prop_map(Value::from)
            .boxed(),
    }
}

/// Anything that JSON can say.
fn anything() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3..3_i64).prop_map(Value::from),
        (-30..30_i32).prop_map(|tenth| json!(f64::from(tenth) / 10.0)),
        Just(json!(1e30)),
        Just(json!(u64::MAX)),
        "[a-z0-9 -]{0,12}".prop_map(Value::from),
    ];
    plain.prop_recursive(1, 4, 2, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..2).prop_map(Value::from),
            prop::collection::btree_map("[a-z]", inner, 0..2).prop_map(|map| json!(map)),
        ]
    })
}

/// Arguments for a tool: most fit, some are left out, some are anything, some have names that it does not know.
fn arguments(schema: &JsonObject) -> impl Strategy<Value = JsonObject> + use<> {
    let each: Vec<_> = schema["properties"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, property)| {
            let required = schema.get("required").is_some_and(|names| names.as_array().unwrap().contains(&json!(name)));
            let value = prop_oneof![9 => fitting(property), 1 => anything()];
            let present = prop::option::weighted(if required { 0.95 } else { 0.4 }, value);
            present.prop_map({
                let name = name.clone();
                move |value| value.map(|value| (name.clone(), value))
            })
        })
        .collect();
    let unknown = prop::option::weighted(0.1, ("[a-z]{3,9}", anything()));
    (each, unknown).prop_map(|(each, unknown)| each.into_iter().flatten().chain(unknown).collect())
}

/// The schema without the words that the tool is more generous than.
fn generous(schema: &JsonObject) -> JsonObject {
    let mut schema = schema.clone();
    for property in schema["properties"].as_object_mut().unwrap().values_mut() {
        property.as_object_mut().unwrap().remove("maximum");
    }
    schema
}

/// Holds `told`, what the tool says to `arguments`, to what its schema says of them.
fn agrees(tool: &Tool, arguments: &JsonObject, told: &Result<Value, Value>) -> Result<bool, TestCaseError> {
    let schema = &tool.input_schema;
    let known = schema["properties"].as_object().unwrap();
    let mut given = arguments.clone();
    given.retain(|name, value| !(value.is_null() && known.contains_key(name)));
    let given = Value::Object(given);
    let validator = schema::of_input(&generous(schema));
    let wrong: Vec<String> = validator.iter_errors(&given).map(|error| error.to_string()).collect();
    let code = told.as_ref().err().map(|error| error["code"].as_str().unwrap_or_default());
    let refused = code.is_some_and(|code| REFUSED.contains(&code));
    let text_alone = code == Some("INVALID_DATE") && wrong.is_empty();
    prop_assert_eq!(refused && !text_alone, !wrong.is_empty(), "{} {}: {:?} {:?}", tool.name, given, told, wrong);
    Ok(wrong.is_empty())
}

/// Calls without a history get as far as looking for it, which is quick; errors in arguments come before.
#[test]
fn what_a_schema_accepts_is_taken_and_what_it_refuses_is_refused() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let nothing = tempfile::tempdir().unwrap();
    let session = runtime.block_on(Session::over(nothing.path()));
    for tool in session.tools() {
        let verdicts = std::cell::RefCell::new(BTreeMap::<bool, u32>::new());
        let mut runner = TestRunner::new(Config { cases: 100, failure_persistence: None, ..Config::default() });
        let checked = runner.run(&arguments(&tool.input_schema), |arguments| {
            let told = runtime.block_on(session.outcome(&tool.name, Value::Object(arguments.clone())));
            let accepted = agrees(tool, &arguments, &told)?;
            *verdicts.borrow_mut().entry(accepted).or_default() += 1;
            Ok(())
        });
        checked.unwrap_or_else(|error| panic!("{}: {error}", tool.name));
        assert_eq!(verdicts.borrow().len(), 2, "{}: some arguments of either kind", tool.name);
    }
    runtime.block_on(session.end());
}
