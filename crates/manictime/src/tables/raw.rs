//! Reads `ManicTime`'s own tables for the SQL schema `manictime`. Names are in lower case, and
//! numbers are unchanged. Times are texts as `ManicTime` wrote them. Blobs (icons) are omitted.
//!
//! The meaning of the columns is unknown, so they can't be redacted. So if there are privacy settings, these tables
//! aren't available.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Builder, RecordBatch, StringViewBuilder};
use arrow::datatypes::DataType;
use rusqlite::types::{Value, ValueRef};

use super::columns::batch_of;
use crate::shape::quote_name;
use crate::snapshot::Snapshot;
use crate::value::{MAX_TEXT_LENGTH, text_bytes, truncate_text};
use dayledger_source::selection::{Selection, Test};
use dayledger_source::{BATCH_ROWS, OwnTable};

enum Builder {
    Number(Int64Builder),
    Text(StringViewBuilder),
}

impl Builder {
    fn append(&mut self, value: ValueRef<'_>) {
        match (self, value) {
            (Self::Number(builder), ValueRef::Integer(number)) => builder.append_value(number),
            (Self::Number(builder), _) => builder.append_null(),
            (Self::Text(builder), value) => append_as_text(builder, value),
        }
    }
}

pub(super) fn describe(table: &OwnTable, selection: &Selection) -> String {
    let columns: Vec<_> = selection.predicates.iter().map(|predicate| predicate.column.as_str()).collect();
    format!("table={}, sqlite=[{}]", table.name, columns.join(" AND "))
}

fn statement(table: &OwnTable, selection: &Selection) -> (String, Vec<Value>) {
    let selected: Vec<_> =
        selection.projection.iter().map(|index| quote_name(table.schema.field(*index).name())).collect();
    // Some plans, such as the plan of `count(*)`, don't need any column. But a SQL statement must select at least one.
    let selected = if selected.is_empty() { "NULL".to_owned() } else { selected.join(", ") };
    let mut sql = format!("SELECT {selected} FROM {}", quote_name(&table.name));
    let mut parameters = Vec::new();
    for (number, predicate) in selection.predicates.iter().enumerate() {
        sql.push_str(if number == 0 { " WHERE " } else { " AND " });
        let values: Vec<Value> = match &predicate.test {
            Test::Numbers(numbers) => numbers.iter().map(|number| Value::Integer(*number)).collect(),
            Test::Texts(texts) => texts.iter().map(|text| Value::Text(text.clone())).collect(),
            Test::Instant(_, than) => vec![Value::Integer(*than)],
        };
        let places: Vec<_> = (1..=values.len()).map(|place| format!("?{}", parameters.len() + place)).collect();
        sql.push_str(&[&quote_name(&predicate.column), " IN (", &places.join(", "), ")"].concat());
        parameters.extend(values);
    }
    if let Some(limit) = selection.limit {
        sql.push_str(" LIMIT ");
        sql.push_str(&limit.to_string());
    }
    (sql, parameters)
}

pub(super) fn explain(
    table: &OwnTable,
    selection: &Selection,
    snapshot: &Snapshot<'_>,
) -> rusqlite::Result<Vec<String>> {
    let (sql, parameters) = statement(table, selection);
    snapshot.query_plan(&sql, &parameters)
}

pub(super) fn read(
    table: &OwnTable,
    selection: &Selection,
    snapshot: &Snapshot<'_>,
) -> rusqlite::Result<Vec<RecordBatch>> {
    let schema = selection.schema(&table.schema);
    let (sql, parameters) = statement(table, selection);
    let new_builders = || -> Vec<Builder> {
        let fields = schema.fields().iter();
        fields
            .map(|field| match field.data_type() {
                DataType::Int64 => Builder::Number(Int64Builder::new()),
                _ => Builder::Text(StringViewBuilder::new()),
            })
            .collect()
    };
    let finish = |builders: Vec<Builder>, rows: usize| {
        let columns = builders.into_iter().map(|builder| -> ArrayRef {
            match builder {
                Builder::Number(mut builder) => Arc::new(builder.finish()),
                Builder::Text(mut builder) => Arc::new(builder.finish()),
            }
        });
        batch_of(&schema, columns.collect(), rows)
    };
    let (mut batches, mut builders, mut count) = (Vec::new(), new_builders(), 0);
    snapshot.capacity.for_each_row(snapshot.connection, &sql, rusqlite::params_from_iter(parameters), |row| {
        snapshot.reading.count_row();
        for (place, builder) in builders.iter_mut().enumerate() {
            builder.append(row.get_ref(place)?);
        }
        count += 1;
        if count == BATCH_ROWS {
            batches.push(finish(std::mem::replace(&mut builders, new_builders()), std::mem::take(&mut count))?);
        }
        (0..selection.projection.len()).map(|place| text_bytes(row, place)).sum()
    })?;
    if count > 0 {
        batches.push(finish(builders, count)?);
    }
    Ok(batches)
}

fn append_as_text(builder: &mut StringViewBuilder, value: ValueRef<'_>) {
    match value {
        ValueRef::Text(text) => builder.append_value(truncate_text(text, MAX_TEXT_LENGTH)),
        ValueRef::Integer(number) => builder.append_value(number.to_string()),
        ValueRef::Real(number) => builder.append_value(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => builder.append_null(),
    }
}
