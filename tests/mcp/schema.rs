//! Validators for the tools' schemas. They are as strict as a client may be (JSON Schema 2020-12).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Draft, Validator};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// Returns a validator for arguments. It also checks formats.
pub(super) fn input_validator(schema: &JsonObject) -> Validator {
    validator(&Value::Object(schema.clone()))
}

/// Returns a validator for responses that match `schema`. It rejects additional properties.
///
/// All sessions share the validators. Building a validator is slow without optimisation, and a session needs two for
/// each tool.
pub(super) fn output_validator(schema: &JsonObject) -> Arc<Validator> {
    static BUILT: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let mut schema = Value::Object(schema.clone());
    close(&mut schema);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(built.entry(schema.to_string()).or_insert_with(|| Arc::new(validator(&schema))))
}

/// Fails if `value` doesn't match, and shows the position of every error.
#[track_caller]
pub(super) fn assert_fits(value: &Value, validator: &Validator, what: &str) {
    let errors: Vec<_> =
        validator.iter_errors(value).map(|error| format!("at `{}`: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what} does not fit its schema\n{}\n{value}", errors.join("\n"));
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    let mut options = jsonschema::options().with_draft(Draft::Draft202012);
    options = options.should_validate_formats(true).should_ignore_unknown_formats(false);
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Forbids additional properties in every object that lists its properties.
fn close(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    assert!(schema.contains_key("type") || schema.contains_key("enum"), "a schema without a type: {schema:?}");
    if schema.contains_key("properties") {
        schema.entry("unevaluatedProperties").or_insert(json!(false));
    }
    for word in ["items", "additionalProperties"] {
        schema.get_mut(word).into_iter().for_each(close);
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(JsonObject::values_mut).for_each(close);
}

#[test]
fn validators_reject_values_that_do_not_fit() {
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
        "b": {"enum": ["x"], "type": "string"}}});
    let validator = output_validator(schema.as_object().unwrap());
    for (value, fits) in [
        (json!({"a": [{"n": 1}, {}], "b": "x"}), true),
        (json!({"b": "x"}), false),
        (json!({"a": [{"n": 1.5}]}), false),
        (json!({"a": [{"m": 1}]}), false),
        (json!({"a": [], "b": "y"}), false),
        (json!({"a": [], "c": 1}), false),
    ] {
        assert_eq!(validator.is_valid(&value), fits, "{value}");
    }
}
