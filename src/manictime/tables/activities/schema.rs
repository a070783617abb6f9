//! The columns of `activities`.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};

use super::super::arrow::{INSTANT, schema_of};

/// Columns that are resolved from the activity's group or list ([`super::super::resolver::Resolver`]).
pub(super) const RESOLVED: [&str; 10] =
    ["role", "name", "key", "color", "group_name", "group_key", "group_color", "group_type", "common_name", "tag_path"];

pub(in super::super) fn schema() -> SchemaRef {
    let text = DataType::Utf8View;
    let texts = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true)));
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("activity_id", DataType::Int64, false),
        ("role", text.clone(), false),
        ("device", text.clone(), false),
        ("is_tracked", DataType::Boolean, false),
        ("name", text.clone(), true),
        ("title", text.clone(), true),
        ("key", text.clone(), true),
        ("color", text.clone(), true),
        ("group_name", text.clone(), true),
        ("group_key", text.clone(), true),
        ("group_color", text.clone(), true),
        ("group_type", text.clone(), true),
        ("common_name", text.clone(), true),
        ("tag_path", texts.clone(), true),
        ("linked_tags", texts, true),
        ("is_active", DataType::Boolean, true),
        ("is_billable", DataType::Boolean, true),
        ("notes", text, true),
        ("related_activity_id", DataType::Int64, true),
        ("start_local", INSTANT, true),
        ("start_utc", INSTANT, true),
        ("end_local", INSTANT, true),
        ("end_utc", INSTANT, true),
        ("seconds", DataType::Int64, true),
        ("rule_text", DataType::Utf8View, true),
    ])
}

pub(in super::super) fn pushes_down(column: &str) -> bool {
    matches!(column, "timeline_id" | "role" | "device" | "start_local" | "end_local")
}

/// Whether a column holds what can be withheld.
pub(super) fn can_be_redacted(column: &str) -> bool {
    matches!(column, "title" | "rule_text" | "notes" | "is_billable") || RESOLVED.contains(&column) && column != "role"
}
