//! Converts the arguments of a call to the parameters of a tool, with errors that help a model to correct itself.
//!
//! All messages are derived from the tool's input schema, so validation always matches the published schema.

use std::borrow::Cow;

use dayledger_request::Error;
use rmcp::model::JsonObject;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Number, Value};

use super::errors::{codes, is_short, shorten};

/// The maximum number of unknown argument names that an error repeats.
const MAX_QUOTED_NAMES: usize = 5;

/// Parses `arguments` as `P`. `schema` is the input schema of `P`. Numbers and booleans may be passed as text. `null`
/// counts as absent. An empty text for an optional parameter also counts as absent, unless the parameter is in
/// `may_be_empty`.
pub(super) fn parse<P: de::DeserializeOwned>(
    mut arguments: JsonObject,
    schema: &JsonObject,
    may_be_empty: &[&str],
) -> Result<P, Error> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let property = |name: &str| properties.and_then(|properties| properties.get(name));
    let unknown: Vec<&String> = arguments.keys().filter(|name| property(name).is_none()).collect();
    if !unknown.is_empty() {
        let hint = unknown.first().and_then(|name| hint_of_object(name, properties?));
        return Err(unknown_arguments(&unknown, properties.into_iter().flat_map(JsonObject::keys), hint));
    }
    normalize(&mut arguments, schema, may_be_empty);
    for (name, value) in &arguments {
        // This check is needed because `serde` would accept an array instead of an object.
        if let Some(property) = property(name).filter(|property| property["type"] == "object" && !value.is_object()) {
            return Err(wrong_type(name, value, property));
        }
        let closed =
            property(name).filter(|property| property.get("additionalProperties") == Some(&Value::Bool(false)));
        let nested = closed.and_then(|property| property.get("properties")?.as_object());
        let (Some(nested), Some(given)) = (nested, value.as_object()) else { continue };
        let unknown: Vec<String> =
            given.keys().filter(|key| !nested.contains_key(*key)).map(|key| format!("{name}.{key}")).collect();
        if !unknown.is_empty() {
            return Err(unknown_arguments(&unknown.iter().collect::<Vec<_>>(), nested.keys(), None));
        }
    }
    let missing: Vec<&str> = required_names(schema).filter(|name| !arguments.contains_key(*name)).collect();
    if let Some(first) = missing.first() {
        return Err(missing_arguments(first, &missing, property));
    }
    let given = Value::Object(arguments);
    serde_path_to_error::deserialize(&given).map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
        let path = error.path().to_string();
        let nested = || path.split_once('.').and_then(|(of, name)| property(of)?.get("properties")?.get(name));
        let value = given.pointer(&format!("/{}", path.replace('.', "/")));
        match (property(&path).or_else(nested), value) {
            (Some(property), Some(value)) => wrong_type(&path, value, property),
            _ => Error::new(
                codes::INVALID_ARGUMENT,
                format!("invalid arguments: `{}` does not match the tool's schema", shorten(&path)),
                "check the tool's input schema",
            ),
        }
    })
}

/// Converts values to the types of `schema`, and removes empty values. Some clients send numbers and booleans as text,
/// or send an empty text for each optional parameter.
fn normalize(arguments: &mut JsonObject, schema: &JsonObject, may_be_empty: &[&str]) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let property = |name: &str| properties.and_then(|properties| properties.get(name));
    arguments.retain(|name, value| {
        let is_empty = value.as_str().is_some_and(|text| text.trim().is_empty());
        let may_be_empty = || may_be_empty.contains(&name.as_str()) || required_names(schema).any(|key| key == name);
        !value.is_null() && (!is_empty || may_be_empty())
    });
    for (name, value) in arguments {
        let Some(property) = property(name).and_then(Value::as_object) else { continue };
        match value {
            Value::String(text) => {
                if let Some(typed) = parse_typed(text, property) {
                    *value = typed;
                }
            }
            Value::Object(fields) => normalize(fields, property, may_be_empty),
            _ => {}
        }
    }
}

/// Returns the names of the required parameters.
fn required_names(schema: &JsonObject) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Parses `text` as a number or boolean. Returns `None` if `property` has another type.
fn parse_typed(text: &str, property: &JsonObject) -> Option<Value> {
    let text = text.trim();
    match property.get("type").and_then(Value::as_str)? {
        "number" | "integer" => {
            // An integer is tried first, because a float would lose the last digits of a large integer.
            let whole = text.parse::<i64>().map(Number::from).ok();
            whole.or_else(|| Number::from_f64(text.parse().ok()?)).map(Value::Number)
        }
        "boolean" => text.to_ascii_lowercase().parse().map(Value::Bool).ok(),
        _ => None,
    }
}

/// Returns the texts in `arguments` that are too long to be repeated in an error.
pub(super) fn long_texts(arguments: &JsonObject) -> Vec<String> {
    arguments.values().filter_map(Value::as_str).filter(|text| !is_short(text)).map(str::to_owned).collect()
}

/// Returns the hint for an unknown argument that should be inside an object, such as `filter`.
fn hint_of_object(name: &str, properties: &JsonObject) -> Option<String> {
    let has_field = |property: &Value| property.get("properties").is_some_and(|fields| fields.get(name).is_some());
    let (object, _) = properties.iter().find(|(_, property)| has_field(property))?;
    Some(format!("pass `{name}` inside `{object}`"))
}

fn unknown_arguments<'a>(unknown: &[&String], known: impl Iterator<Item = &'a String>, hint: Option<String>) -> Error {
    let allowed: Vec<String> = known.cloned().collect();
    let usual = if allowed.is_empty() { "call it without arguments" } else { "omit them, or use the allowed names" };
    let hint = hint.unwrap_or_else(|| usual.to_owned());
    let mut names = list(unknown.iter().take(MAX_QUOTED_NAMES).map(|name| shorten(name)));
    if unknown.len() > MAX_QUOTED_NAMES {
        names.push_str(", …");
    }
    let first = unknown.first().map_or(Cow::Borrowed(""), |name| shorten(name));
    Error::with_field(codes::UNKNOWN_ARGUMENT, first, format!("unknown argument {names}"), hint).with_allowed(allowed)
}

fn missing_arguments<'a>(first: &str, missing: &[&str], property: impl Fn(&str) -> Option<&'a Value>) -> Error {
    let meanings: Vec<String> = missing
        .iter()
        .map(|name| {
            let meaning = property(name).and_then(|property| property.get("description")).and_then(Value::as_str);
            format!("`{name}`: {}", meaning.unwrap_or("required"))
        })
        .collect();
    Error::with_field(
        codes::MISSING_ARGUMENT,
        first.to_owned(),
        format!("missing argument {}", list(missing.iter())),
        format!("pass {}", meanings.join("; ")),
    )
}

fn wrong_type(path: &str, value: &Value, property: &Value) -> Error {
    let wanted = property.get("type").and_then(Value::as_str).unwrap_or("value");
    let allowed: Vec<String> = property
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let given = describe_value(value);
    let (wanted, hint) = if allowed.is_empty() {
        let article = if wanted.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
        (format!("{article} {wanted}"), format!("pass `{path}` as a JSON {wanted}"))
    } else {
        ("an allowed value".to_owned(), format!("pass {}", list(allowed.iter())))
    };
    Error::with_field(codes::INVALID_ARGUMENT, path.to_owned(), format!("`{path}` is {given}, not {wanted}"), hint)
        .with_allowed(allowed)
}

/// Describes a value for an error message, such as "the string `x`".
pub(super) fn describe_value(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the string `{}`", shorten(text)),
        Value::Number(number) => format!("`{number}`"),
        Value::Bool(value) => format!("`{value}`"),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null => "null".to_owned(),
    }
}

fn list<T: std::fmt::Display>(names: impl Iterator<Item = T>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A whole number in any JSON notation: `5`, `5.0`, `5e0`. A number that doesn't fit into 64 bits becomes the nearest
/// 64-bit number. The parameter's own maximum then limits this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeNumber(pub i64);

impl JsonSchema for WholeNumber {
    fn schema_name() -> Cow<'static, str> {
        "WholeNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        if let Some(whole) = number.as_i64() {
            return Ok(Self(whole));
        }
        let float = number.as_f64().filter(|float| float.fract() == 0.0);
        let float = float.ok_or_else(|| de::Error::custom("the number is not whole"))?;
        #[expect(clippy::cast_possible_truncation, reason = "a whole float; the cast saturates")]
        let whole = float as i64;
        Ok(Self(whole))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{WholeNumber, normalize, wrong_type};
    use crate::schema;

    /// Parameters of every type that tools have.
    #[derive(schemars::JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Parameters {
        day: String,
        #[serde(default)]
        date: String,
        #[serde(default)]
        limit: i64,
        #[serde(default)]
        hours: f64,
        #[serde(default)]
        is_long: bool,
        #[serde(default)]
        description: String,
        #[serde(default)]
        filter: Nested,
    }

    #[derive(Default, serde::Serialize, schemars::JsonSchema)]
    #[serde(default)]
    struct Nested {
        task: String,
        description: String,
        hours: f64,
    }

    fn normalize_json(given: Value) -> Value {
        let Value::Object(mut arguments) = given else { panic!("an object") };
        normalize(&mut arguments, &schema::arguments_schema::<Parameters>(), &["description"]);
        arguments.into()
    }

    /// One tool used to accept `"limit": "5"` while another tool refused it.
    #[test]
    fn numbers_and_booleans_may_be_text() {
        for (given, read) in [
            (
                json!({"limit": "5", "hours": " 7.5 ", "isLong": "True"}),
                json!({"limit": 5, "hours": 7.5, "isLong": true}),
            ),
            (
                json!({"limit": "-3", "hours": "1e1", "isLong": "false"}),
                json!({"limit": -3, "hours": 10.0, "isLong": false}),
            ),
            (json!({"filter": {"hours": "2"}}), json!({"filter": {"hours": 2}})),
            (json!({"date": "2025", "description": "5"}), json!({"date": "2025", "description": "5"})),
            (
                json!({"limit": "many", "hours": "inf", "isLong": "yes"}),
                json!({"limit": "many", "hours": "inf", "isLong": "yes"}),
            ),
        ] {
            assert_eq!(normalize_json(given), read);
        }
    }

    /// Some clients fill in every optional parameter. The empty values used to be refused.
    #[test]
    fn empty_text_counts_as_absent_unless_it_has_a_meaning() {
        let empty = json!({"date": "", "limit": "", "hours": " ", "isLong": "", "filter": {"task": "", "hours": null}});
        assert_eq!(normalize_json(empty), json!({"filter": {}}));
        assert_eq!(normalize_json(json!({"day": ""})), json!({"day": ""}), "a required text has an error of its own");
        let arguments = json!({"description": "", "filter": {"description": "", "task": ""}});
        assert_eq!(normalize_json(arguments), json!({"description": "", "filter": {"description": ""}}));
    }

    #[test]
    fn a_type_has_the_right_article() {
        for (wanted, type_text, hint) in [
            ("integer", "an integer", "pass `x` as a JSON integer"),
            ("object", "an object", "pass `x` as a JSON object"),
            ("string", "a string", "pass `x` as a JSON string"),
        ] {
            let error = wrong_type("x", &json!(true), &json!({"type": wanted}));
            assert_eq!(error.message, format!("`x` is `true`, not {type_text}"));
            assert_eq!(error.hint, hint);
        }
    }

    #[test]
    fn whole_numbers_are_read_in_any_json_notation() {
        let read = |value| serde_json::from_value::<WholeNumber>(value).map(|number| number.0).ok();
        assert_eq!(read(json!(5)), Some(5));
        assert_eq!(read(json!(5.0)), Some(5));
        assert_eq!(read(json!(-3.0)), Some(-3));
        assert_eq!(read(json!(1e30)), Some(i64::MAX));
        assert_eq!(read(json!(u64::MAX)), Some(i64::MAX));
        assert_eq!(read(json!(5.5)), None);
        assert_eq!(read(json!("5")), None);
    }
}
