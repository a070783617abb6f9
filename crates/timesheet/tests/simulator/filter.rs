//! The filters and sort orders that the client sends to the API.

use std::cmp::Ordering;

use dayledger_timesheet::TimeEntry;
use serde_json::{Value, json};

use super::store::owner;

/// Whether an entry meets all conditions of a filter.
pub(super) fn matches(filter: &Value, entry: &TimeEntry) -> bool {
    let conditions = filter["and"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten();
    conditions.into_iter().all(|(name, condition)| match &**name {
        "id" => compares(&json!(entry.id), condition),
        "project" => compares(&json!(entry.project_code), &condition["code"]),
        "projectTask" => compares(&json!(entry.task), &condition["taskName"]),
        "startDate" => compares(&json!(entry.start_date), condition),
        "completionDate" => compares(&json!(entry.completion_date), condition),
        "standardHours" => compares(&json!(entry.standard_hours), condition),
        "overtimeHours" => compares(&json!(entry.overtime_hours), condition),
        "status" => compares(&json!(entry.status), condition),
        "description" => compares(&json!(entry.description), condition),
        "userId" => compares(&json!(owner(entry)), condition),
        "userEmail" => compares(&json!(entry.user.as_ref().and_then(|user| user.email.as_ref())), condition),
        _ => panic!("the simulator does not filter by {name}"),
    })
}

fn compares(field: &Value, condition: &Value) -> bool {
    condition.as_object().unwrap().iter().all(|(operator, operand)| {
        let ordering = compare(field, operand);
        match &**operator {
            "eq" => ordering == Some(Ordering::Equal),
            "gt" => ordering == Some(Ordering::Greater),
            "gte" => ordering.is_some_and(Ordering::is_ge),
            "lte" => ordering.is_some_and(Ordering::is_le),
            "contains" => field.as_str().is_some_and(|text| text.contains(operand.as_str().unwrap())),
            _ => panic!("the simulator does not compare with {operator}"),
        }
    })
}

/// Compares two numbers or two texts. Days and ids are texts.
fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64()?.partial_cmp(&other.as_f64()?),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        _ => None,
    }
}

/// Compares two entries by a sort order, which consists of one field and then the id.
pub(super) fn compare_entries(order: &Value, one: &TimeEntry, other: &TimeEntry) -> Ordering {
    let (name, direction) = order[0].as_object().and_then(|fields| fields.iter().next()).unwrap();
    assert_eq!(order[1], json!({"id": "ASC"}), "without an order by id, pages overlap");
    let ordering = match &**name {
        "startDate" => one.start_date.cmp(&other.start_date),
        "completionDate" => one.completion_date.cmp(&other.completion_date),
        "standardHours" => one.standard_hours.cmp(&other.standard_hours),
        _ => panic!("the simulator does not order by {name}"),
    };
    let ordering = if direction == "DESC" { ordering.reverse() } else { ordering };
    ordering.then(one.id.cmp(&other.id))
}
