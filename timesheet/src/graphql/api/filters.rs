//! Filters and orders of the schema, over the objects of the API, as `HotChocolate` and `PostgreSQL` mean them.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Whether an object holds a filter: all of its members, of which those that are null say nothing.
pub(super) fn holds(filter: &Map<String, Value>, object: &Value) -> bool {
    filter.iter().filter(|(_, operand)| !operand.is_null()).all(|(name, operand)| match (name.as_str(), operand) {
        ("and", Value::Array(members)) => members.iter().all(|member| is_held(member, object)),
        ("or", Value::Array(members)) => members.iter().any(|member| is_held(member, object)),
        (_, Value::Object(operand)) => match &object[name] {
            Value::Array(items) => any_or_all(operand, items),
            field @ Value::Object(_) => holds(operand, field),
            field => compares(operand, field),
        },
        _ => false,
    })
}

fn is_held(member: &Value, object: &Value) -> bool {
    member.as_object().is_some_and(|filter| holds(filter, object))
}

fn any_or_all(operand: &Map<String, Value>, items: &[Value]) -> bool {
    operand.iter().filter(|(_, filter)| !filter.is_null()).all(|(name, filter)| match name.as_str() {
        "all" => items.iter().all(|item| is_held(filter, item)),
        "none" => !items.iter().any(|item| is_held(filter, item)),
        "some" => items.iter().any(|item| is_held(filter, item)),
        _ => filter == &Value::Bool(!items.is_empty()),
    })
}

/// All comparisons of a field. One with null is a comparison, not nothing: `eq: null` finds what has no value.
fn compares(operand: &Map<String, Value>, field: &Value) -> bool {
    operand.iter().all(|(operator, value)| {
        let ordered = compare(field, value);
        let text = |test: fn(&str, &str) -> bool| match (field.as_str(), value.as_str()) {
            (Some(field), Some(value)) => test(field, value),
            _ => false,
        };
        match operator.as_str() {
            "eq" => ordered == Some(Ordering::Equal),
            "neq" => ordered != Some(Ordering::Equal),
            "gt" | "nlte" => ordered == Some(Ordering::Greater),
            "gte" | "nlt" => ordered.is_some_and(Ordering::is_ge),
            "lt" | "ngte" => ordered == Some(Ordering::Less),
            "lte" | "ngt" => ordered.is_some_and(Ordering::is_le),
            "in" => value.as_array().is_some_and(|values| values.iter().any(|value| field == value)),
            "nin" => value.as_array().is_some_and(|values| values.iter().all(|value| field != value)),
            "contains" => text(|field, value| field.contains(value)),
            "ncontains" => !text(|field, value| field.contains(value)),
            "startsWith" => text(|field, value| field.starts_with(value)),
            "endsWith" => text(|field, value| field.ends_with(value)),
            "and" => value.as_array().is_some_and(|all| all.iter().all(|one| is_compared(one, field))),
            "or" => value.as_array().is_some_and(|all| all.iter().any(|one| is_compared(one, field))),
            _ => false,
        }
    })
}

fn is_compared(operand: &Value, field: &Value) -> bool {
    operand.as_object().is_some_and(|operand| compares(operand, field))
}

/// Numbers as numbers; texts, days, instants and ids as the texts that they are.
fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64()?.partial_cmp(&other.as_f64()?),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        (Value::Bool(one), Value::Bool(other)) => Some(one.cmp(other)),
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        _ => None,
    }
}

/// Two objects in an order of the schema.
pub(super) fn ordered(order: &[Value], one: &Value, other: &Value) -> Ordering {
    let fields = order.iter().filter_map(Value::as_object).flatten();
    fields.fold(Ordering::Equal, |so_far, (name, direction)| {
        so_far.then_with(|| {
            if direction.is_object() {
                return ordered(std::slice::from_ref(direction), &one[name], &other[name]);
            }
            let compared = compare(&one[name], &other[name]).unwrap_or(Ordering::Equal);
            if direction == "DESC" { compared.reverse() } else { compared }
        })
    })
}
