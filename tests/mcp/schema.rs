//! Holds a value to a JSON schema, as strictly as a client may: every word of the schema is understood or refused, and
//! nothing may be there that the schema does not name.

use serde_json::Value;

/// Fails where `value` does not fit `schema`; `path` says where it stands.
pub(super) fn assert_fits(value: &Value, schema: &Value, path: &str) {
    let schema = schema.as_object().unwrap_or_else(|| panic!("{path}: a schema is an object"));
    for (word, rule) in schema {
        match word.as_str() {
            "type" => assert!(is_of_type(value, rule.as_str().unwrap()), "{path}: {value} is no {rule}"),
            "enum" => assert!(rule.as_array().unwrap().contains(value), "{path}: {value} is none of {rule}"),
            "minimum" => assert!(value.as_f64() >= rule.as_f64(), "{path}: {value} is below {rule}"),
            "maximum" => assert!(value.as_f64() <= rule.as_f64(), "{path}: {value} is above {rule}"),
            "required" => {
                for name in rule.as_array().unwrap() {
                    assert!(value.get(name.as_str().unwrap()).is_some(), "{path}: {name} is missing");
                }
            }
            "items" => {
                for (index, item) in value.as_array().unwrap().iter().enumerate() {
                    assert_fits(item, rule, &format!("{path}[{index}]"));
                }
            }
            "properties" => {
                for (name, member) in value.as_object().unwrap() {
                    let rule = rule.get(name).unwrap_or_else(|| panic!("{path}: `{name}` is not in the schema"));
                    assert_fits(member, rule, &format!("{path}.{name}"));
                }
            }
            "description" | "default" => {}
            other => panic!("{path}: the schema says `{other}`, which nobody checks"),
        }
    }
    assert!(schema.contains_key("type") || schema.contains_key("enum"), "{path}: the schema says nothing");
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        _ => false,
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let schema = serde_json::json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "array", "items": {"type": "integer"}}, "b": {"enum": ["x"], "type": "string"}}});
    for (value, fits) in [
        (serde_json::json!({"a": [1, 2], "b": "x"}), true),
        (serde_json::json!({"b": "x"}), false),
        (serde_json::json!({"a": [1.5]}), false),
        (serde_json::json!({"a": [], "b": "y"}), false),
        (serde_json::json!({"a": [], "c": 1}), false),
    ] {
        let checked = std::panic::catch_unwind(|| assert_fits(&value, &schema, "value"));
        assert_eq!(checked.is_ok(), fits, "{value}");
    }
}
