//! Generates the JSON schemas of arguments and responses. They are as short as possible, because a model pays for every
//! word of `tools/list`.

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// Returns the input schema for `T`.
pub(super) fn arguments_schema<T: JsonSchema>() -> JsonObject {
    let mut schema = slim_schema::<T>(SchemaSettings::draft2020_12());
    // Some clients refuse an object schema without `properties`, even if the tool doesn't take parameters.
    schema.entry("properties").or_insert_with(|| JsonObject::new().into());
    schema
}

/// Returns the output schema for `T` for `tools/list`. It contains names and types only. Most clients show a model at
/// most the names of the fields. With the descriptions of all responses, the list would be twice as long.
pub(super) fn response_schema<T: JsonSchema>() -> JsonObject {
    let mut schema = Schema::from(described_response_schema::<T>());
    RecursiveTransform(ResponseSlimmer).transform(&mut schema);
    into_object(schema)
}

/// Returns the output schema for `T` with descriptions, for the documentation of responses.
pub(super) fn described_response_schema<T: JsonSchema>() -> JsonObject {
    slim_schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn slim_schema<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let settings = settings
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .with_transform(RecursiveTransform(SchemaSlimmer));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // The schema's own description is removed, because the tool already has a description.
    schema.remove("description");
    into_object(schema)
}

/// Returns the members of `schema`, which must be a JSON object.
pub(super) fn into_object(schema: Schema) -> JsonObject {
    match schema.to_value() {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Removes keywords that don't help a reader: the names of Rust types, the formats and bounds of Rust's number types,
/// and `null` as a default or as the type of optional properties. Also removes the description of a row if the list of
/// rows has a description. Writes a choice of constants as `enum`.
#[derive(Debug, Clone, Copy)]
struct SchemaSlimmer;

impl Transform for SchemaSlimmer {
    fn transform(&mut self, schema: &mut Schema) {
        let Some(object) = schema.as_object_mut() else { return };
        object.remove("title");
        let required = object.get("required").cloned().unwrap_or_default();
        let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|one| one == name));
        let properties = object.get_mut("properties").and_then(Value::as_object_mut);
        for (_, property) in properties.into_iter().flatten().filter(|(name, _)| !is_required(name)) {
            property.as_object_mut().map(remove_null);
        }
        if object.get("default") == Some(&Value::Null) {
            object.remove("default");
        }
        if let Some(row) = object.get_mut("items").and_then(Value::as_object_mut) {
            row.remove("description");
        }
        let format = object.get("format").and_then(Value::as_str).unwrap_or_default();
        if format.starts_with("uint") {
            object.remove("minimum");
            object.remove("maximum");
            object.remove("format");
        } else if format.starts_with("int") || matches!(format, "double" | "float") {
            object.remove("format");
        }
        if let Some(constants) = object.get("oneOf").and_then(constants) {
            object.remove("oneOf");
            object.insert("type".to_owned(), "string".into());
            object.insert("enum".to_owned(), Value::Array(constants));
        }
    }
}

/// Converts the schema of an `Option` to the schema of its value.
fn remove_null(property: &mut JsonObject) {
    for list in ["type", "enum"] {
        if let Some(values) = property.get_mut(list).and_then(Value::as_array_mut) {
            values.retain(|value| !value.is_null() && value != "null");
        }
    }
    if let Some([one]) = property.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let one = one.clone();
        property.insert("type".to_owned(), one);
    }
    let choices = property.get("anyOf").and_then(Value::as_array).map(Vec::as_slice);
    if let Some([Value::Object(value), null]) = choices
        && null.get("type").is_some_and(|kind| kind == "null")
    {
        let mut value = value.clone();
        property.remove("anyOf");
        value.append(property);
        *property = value;
    }
}

/// Removes all keywords that a reader of a response doesn't need: descriptions, the list of required fields, and long
/// lists of values. Also removes the schemas of [`SHARED_FIELDS`], because the guide explains these fields once.
#[derive(Debug, Clone, Copy)]
struct ResponseSlimmer;

/// Fields for which `tools/list` shows only the type. Many responses contain these fields with the same content, and a
/// model would pay for their schemas in every tool. The field `comparison` contains the same fields as the response
/// that contains it.
///
/// The schemas are removed by the field's name in all tools, so a new field with one of these names also loses its
/// schema. Attributes on the types can't replace this list, for three reasons. The rows of lists such as `topApps` have
/// the same type as fields such as `totals`, but the schema of `totals` is shown in full. The field `tags` has another
/// type in most responses. A row of `matches` contains rows of its own type. For the tools of the history,
/// `docs/contract.md` describes the content.
const SHARED_FIELDS: [&str; 18] = [
    "comparison",
    "diagnostics",
    "error",
    "matches",
    "notesTaken",
    "presence",
    "suggestedScreenshots",
    "suggestion",
    "tags",
    "timeBasis",
    "topApplications",
    "topApps",
    "topClients",
    "topDocuments",
    "topTags",
    "topWebsites",
    "truncation",
    "user",
];
/// The maximum number of values of a field that `tools/list` shows.
const MAX_ENUM_VALUES: usize = 3;

impl Transform for ResponseSlimmer {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("description");
        schema.remove("required");
        for field in SHARED_FIELDS {
            let inside = schema.get_mut("properties").and_then(|properties| properties.get_mut(field));
            if let Some(inside) = inside.and_then(Value::as_object_mut) {
                inside.retain(|key, _| key == "type");
            }
        }
        if schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.len() > MAX_ENUM_VALUES) {
            schema.remove("enum");
        }
    }
}

fn constants(choices: &Value) -> Option<Vec<Value>> {
    choices.as_array()?.iter().map(|choice| choice.get("const").filter(|value| value.is_string()).cloned()).collect()
}
