//! The file's own tables as they are, in schema `manictime`: lower-case names, numbers as they stand, times as the
//! text that `ManicTime` wrote. Blobs (icons) are left out.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Builder, RecordBatch, StringViewBuilder};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use rusqlite::types::{Value, ValueRef};

use super::guarded::{Guard, Tellable};
use super::witness::Witness;
use super::{BATCH_ROWS, batch_of, query_plan, schema_of};
use crate::manictime::privacy::Privacy;
use crate::manictime::scan::{Scan, Test};
use crate::manictime::shape::{RawColumn, quoted};
use crate::manictime::source::Snapshot;
use crate::manictime::value::{LONGEST_TEXT, cut, text_bytes};

/// A table of the file with the columns that it had when the session was made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RawTable {
    name: String,
    columns: Arc<[RawColumn]>,
    /// What may be told of it; nothing where everything may be.
    guard: Option<Arc<Guard>>,
}

enum Builder {
    Number(Int64Builder),
    Text(StringViewBuilder),
}

impl Builder {
    fn append_stored(&mut self, value: ValueRef<'_>) {
        match (self, value) {
            (Self::Number(builder), ValueRef::Integer(number)) => builder.append_value(number),
            (Self::Number(builder), _) => builder.append_null(),
            (Self::Text(builder), value) => append_as_text(builder, value),
        }
    }

    fn append(&mut self, told: &Tellable<'_>) {
        match (self, told) {
            (builder, Tellable::AsStored(value)) => builder.append_stored(*value),
            (builder, Tellable::Null) => builder.append_stored(ValueRef::Null),
            (builder, Tellable::Text(text)) => builder.append_stored(ValueRef::Text(text.as_bytes())),
        }
    }
}

impl RawTable {
    /// The table `name` with its readable columns, of which no more is told than `privacy` lets through.
    pub(crate) fn new(name: &str, columns: &[RawColumn], privacy: &Privacy) -> Self {
        let readable = columns.iter().filter(|column| !column.declared_type.to_ascii_lowercase().contains("blob"));
        let columns: Arc<[RawColumn]> = readable.cloned().collect();
        let guard = Guard::new(name, &columns, privacy).map(Arc::new);
        Self { name: name.to_owned(), columns, guard }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn schema(&self) -> SchemaRef {
        let fields: Vec<_> =
            self.columns.iter().map(|column| (column.name.to_ascii_lowercase(), data_type(column))).collect();
        schema_of(&fields.iter().map(|(name, data_type)| (name.as_str(), data_type.clone(), true)).collect::<Vec<_>>())
    }

    pub(super) fn describe(&self, scan: &Scan) -> String {
        let columns: Vec<_> = scan.predicates.iter().map(|predicate| predicate.column.as_str()).collect();
        format!("table={}, sqlite=[{}]", self.name, columns.join(" AND "))
    }

    /// `SQLite` compares what is stored, so it may see conditions only on what is told as it is stored: a column of
    /// numbers can hold texts too, and only one of whole numbers is never compared with a text.
    pub(super) fn pushes_down(&self, column: &str) -> bool {
        let found = self.columns.iter().position(|found| found.name.eq_ignore_ascii_case(column));
        let is_open =
            |guard: &Guard, index: usize| guard.is_open(index) && data_type(&self.columns[index]) == DataType::Int64;
        found.is_some_and(|index| self.guard.as_ref().is_none_or(|guard| is_open(guard, index)))
    }

    /// The statement for the scan's columns, and `more` behind them.
    fn statement(&self, scan: &Scan, more: Vec<String>) -> (String, Vec<Value>) {
        let selected = scan.projection.iter().map(|index| quoted(&self.columns[*index].name));
        let selected: Vec<_> = selected.chain(more).collect();
        let selected = if selected.is_empty() { "NULL".to_owned() } else { selected.join(", ") };
        let mut sql = format!("SELECT {selected} FROM {}", quoted(&self.name));
        let mut parameters = Vec::new();
        for (number, predicate) in scan.predicates.iter().enumerate() {
            sql.push_str(if number == 0 { " WHERE " } else { " AND " });
            let values: Vec<Value> = match &predicate.test {
                Test::Numbers(numbers) => numbers.iter().map(|number| Value::Integer(*number)).collect(),
                Test::Texts(texts) => texts.iter().map(|text| Value::Text(text.clone())).collect(),
                Test::Instant(_, than) => vec![Value::Integer(*than)],
            };
            let places: Vec<_> = (1..=values.len()).map(|place| format!("?{}", parameters.len() + place)).collect();
            sql.push_str(&[&quoted(&predicate.column), " IN (", &places.join(", "), ")"].concat());
            parameters.extend(values);
        }
        if let Some(limit) = scan.limit {
            sql.push_str(" LIMIT ");
            sql.push_str(&limit.to_string());
        }
        (sql, parameters)
    }

    pub(super) fn explain(&self, scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
        let (sql, parameters) = self.statement(scan, Vec::new());
        query_plan(snapshot, &sql, &parameters)
    }

    pub(super) fn read(&self, scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
        let schema = scan.schema();
        let mut witness = self.guard.as_ref().map(|guard| Witness::new(guard, snapshot)).transpose()?;
        let deciding = self.guard.as_ref().map(|guard| guard.deciding(&self.name, snapshot));
        let (sql, parameters) = self.statement(scan, deciding.unwrap_or_default());
        let mut prepared = snapshot.connection.prepare(&sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(parameters))?;
        let mut ration = snapshot.capacity.ration();
        let new_builders = || -> Vec<Builder> {
            let types = scan.projection.iter().map(|index| data_type(&self.columns[*index]));
            types
                .map(|data_type| match data_type {
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
        while let Some(row) = rows.next()? {
            snapshot.reading.row();
            let places = 0..scan.projection.len();
            ration.row(places.map(|place| text_bytes(row, place)).sum::<rusqlite::Result<usize>>()?)?;
            match (&self.guard, &mut witness) {
                (Some(guard), Some(witness)) => {
                    let verdict = witness.judge(row, scan.projection.len())?;
                    for ((place, column), builder) in scan.projection.iter().enumerate().zip(&mut builders) {
                        builder.append(&guard.tell(*column, row.get_ref(place)?, &verdict, witness));
                    }
                }
                _ => {
                    for (place, builder) in builders.iter_mut().enumerate() {
                        builder.append_stored(row.get_ref(place)?);
                    }
                }
            }
            count += 1;
            if count == BATCH_ROWS {
                batches.push(finish(std::mem::replace(&mut builders, new_builders()), std::mem::take(&mut count))?);
            }
        }
        if count > 0 {
            batches.push(finish(builders, count)?);
        }
        Ok(batches)
    }
}

fn data_type(column: &RawColumn) -> DataType {
    if column.declared_type.to_ascii_lowercase().contains("int") { DataType::Int64 } else { DataType::Utf8View }
}

fn append_as_text(builder: &mut StringViewBuilder, value: ValueRef<'_>) {
    match value {
        ValueRef::Text(text) => builder.append_value(cut(text, LONGEST_TEXT)),
        ValueRef::Integer(number) => builder.append_value(number.to_string()),
        ValueRef::Real(number) => builder.append_value(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => builder.append_null(),
    }
}
