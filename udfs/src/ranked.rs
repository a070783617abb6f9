//! The values of a group by their weight.
//!
//! Owns: `ranked_by_weight`. Does not own: which values count (semantics, section 5): the query filters.

use std::cmp::Reverse;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, StringBuilder};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, AggregateUDF};
use hashbrown::HashMap;

use crate::columns::{instants, texts, wholes};
use crate::declare::{Declaration, Kind, aggregate, parameter};
use crate::interval::instant;
use crate::union::list;

static RANKED_BY_WEIGHT: Declaration = Declaration {
    name: "ranked_by_weight",
    about: "Returns the distinct values by their total weight, most first. A tie goes to the one that began first, then \
            to the text. Rows without value or weight are ignored; a value whose weights add up to 0 is listed.",
    parameters: &[
        parameter("value", Kind::Text, "What is ranked."),
        parameter("weight", Kind::Whole, "How much a row counts for its value, such as seconds."),
        parameter("began", Kind::Instant, "When the row began; decides ties. NULL comes last."),
    ],
    over: "",
    example: "SELECT segment, ranked_by_weight(site, seconds, start_utc)[1] AS site FROM parts GROUP BY segment",
    takes_interval: false,
};

/// What is known of a value.
#[derive(Debug, Clone, Copy)]
struct Weight {
    total: i64,
    began: i64,
}

/// Weights of values, added up.
#[derive(Debug, Default)]
struct Ranking {
    weights: HashMap<String, Weight>,
    text_bytes: usize,
}

impl Ranking {
    fn add(&mut self, value: &str, weight: Weight) {
        if let Some(known) = self.weights.get_mut(value) {
            known.total = known.total.saturating_add(weight.total);
            known.began = known.began.min(weight.began);
        } else {
            self.text_bytes += value.len();
            self.weights.insert(value.to_owned(), weight);
        }
    }

    fn ranked(&self) -> Vec<(&str, Weight)> {
        let mut ranked: Vec<_> = self.weights.iter().map(|(value, weight)| (value.as_str(), *weight)).collect();
        ranked.sort_unstable_by_key(|(value, weight)| (Reverse(weight.total), weight.began, *value));
        ranked
    }

    fn texts(ranked: &[(&str, Weight)]) -> Result<ScalarValue> {
        let mut values = StringBuilder::with_capacity(ranked.len(), 0);
        for (value, _) in ranked {
            values.append_value(value);
        }
        let offsets = OffsetBuffer::from_lengths([ranked.len()]);
        let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
        Ok(ScalarValue::List(Arc::new(ListArray::try_new(item, offsets, Arc::new(values.finish()), None)?)))
    }
}

/// Returns `ranked_by_weight(value, weight, began) -> List<Utf8>`: most weight first, a tie to the one that began first
/// (semantics, section 5).
pub fn ranked_by_weight() -> AggregateUDF {
    let list_of = |data_type| DataType::List(Arc::new(Field::new_list_field(data_type, true)));
    aggregate(
        &RANKED_BY_WEIGHT,
        vec![
            ("values", list_of(DataType::Utf8)),
            ("weights", list_of(DataType::Int64)),
            ("began", list_of(DataType::Int64)),
        ],
        ScalarValue::List(ScalarValue::new_list(&[], &DataType::Utf8, true)),
        || Box::new(Ranking::default()),
    )
}

impl Accumulator for Ranking {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let (texts, weights, began) = (texts(values, 0)?, wholes(values, 1)?, instants(values, 2)?);
        for row in 0..texts.len() {
            if texts.is_valid(row) && weights.is_valid(row) {
                let began = instant(began, row).unwrap_or(i64::MAX);
                self.add(texts.value(row), Weight { total: weights.value(row), began });
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Self::texts(&self.ranked())
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.weights.capacity() * size_of::<(String, Weight)>() + self.text_bytes
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let ranked = self.ranked();
        let numbers = |of: fn(&Weight) -> i64| {
            let numbers: Vec<_> = ranked.iter().map(|(_, weight)| Some(of(weight))).collect();
            ScalarValue::List(Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some(numbers)])))
        };
        Ok(vec![Self::texts(&ranked)?, numbers(|weight| weight.total), numbers(|weight| weight.began)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let (values, weights, began) = (list(states, 0)?, list(states, 1)?, list(states, 2)?);
        for row in 0..values.len() {
            let (values, weights, began) = (values.value(row), weights.value(row), began.value(row));
            let (values, weights) = (values.as_string::<i32>(), weights.as_primitive::<Int64Type>());
            let began = began.as_primitive::<Int64Type>();
            for item in 0..values.len() {
                self.add(values.value(item), Weight { total: weights.value(item), began: began.value(item) });
            }
        }
        Ok(())
    }
}
