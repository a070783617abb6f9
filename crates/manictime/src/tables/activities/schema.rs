//! Groups of columns of `activities`.

/// Columns that are resolved from the activity's group or list ([`super::super::resolver::Resolver`]).
pub(super) const RESOLVED: [&str; 10] =
    ["role", "name", "key", "color", "group_name", "group_key", "group_color", "group_type", "common_name", "tag_path"];

/// Whether a column can contain redacted or hidden data.
pub(super) fn can_be_redacted(column: &str) -> bool {
    matches!(column, "title" | "rule_text" | "notes" | "is_billable") || RESOLVED.contains(&column) && column != "role"
}
