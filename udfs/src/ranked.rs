//! Ranks the values of a group by their total weight.
//!
//! Implements `ranked_by_weight`. The query decides which values are ranked (docs/spec/time.md#documents-and-websites).

use std::cmp::Reverse;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StringBuilder};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err};
use datafusion::logical_expr::AggregateUDF;
use hashbrown::HashMap;

use crate::columns::{integer_column, text_column, timestamp_column};
use crate::declare::{Declaration, Parameter, aggregate};
use crate::gather::{GroupStates, Member};
use crate::interval::instant;
use crate::union::list;

static RANKED_BY_WEIGHT: Declaration = Declaration {
    name: "ranked_by_weight",
    description: "Returns the distinct values by their total weight, greatest first. On a tie, the value that started \
            first wins, then the lesser text. Rows without a value or weight are ignored. A value with a total \
            weight of 0 is listed.",
    parameters: &[
        Parameter::text("value", "The value to rank."),
        Parameter::integer("weight", "The weight of the row, for example its seconds."),
        Parameter::instant("began", "The start of the row, which decides ties. NULL comes last."),
    ],
    call_suffix: "",
    example: "SELECT segment, ranked_by_weight(site, seconds, start_utc)[1] AS site FROM parts GROUP BY segment",
};

/// A value in a group, with its total weight and its earliest start.
#[derive(Debug, Clone, Copy)]
struct WeightedValue {
    /// The number of the value in [`Texts`].
    text: u32,
    total: i64,
    began: i64,
}

/// Distinct texts, each with a number.
#[derive(Debug, Default)]
struct Texts {
    numbers: HashMap<Arc<str>, u32>,
    by_number: Vec<Arc<str>>,
    bytes: usize,
}

impl Texts {
    fn number(&mut self, text: &str) -> Result<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Ok(*number);
        }
        let number = u32::try_from(self.by_number.len())
            .map_err(|_| exec_datafusion_err!("there are more distinct texts than can be counted"))?;
        let text: Arc<str> = text.into();
        self.bytes += text.len();
        self.numbers.insert(Arc::clone(&text), number);
        self.by_number.push(text);
        Ok(number)
    }

    fn text(&self, number: u32) -> &str {
        &self.by_number[number as usize]
    }

    fn bytes(&self) -> usize {
        self.bytes
            + self.numbers.capacity() * size_of::<(Arc<str>, u32)>()
            + self.by_number.capacity() * size_of::<Arc<str>>()
    }
}

/// A group with at most this many values is searched without an index.
const MAX_SCANNED_VALUES: usize = 8;

/// The total weights of the values in each group.
#[derive(Debug, Default)]
struct Rankings {
    texts: Texts,
    groups: Vec<Vec<WeightedValue>>,
    /// The position of each value in its group. The key is the group and the text. Contains only groups with more than
    /// [`MAX_SCANNED_VALUES`] values.
    places: HashMap<(usize, u32), usize>,
    /// The total capacity of all groups, in values.
    capacity: usize,
}

impl Rankings {
    fn add_weight(&mut self, group: usize, value: &str, total: i64, began: i64) -> Result<()> {
        let text = self.texts.number(value)?;
        let values = &mut self.groups[group];
        let place = if values.len() > MAX_SCANNED_VALUES {
            self.places.get(&(group, text)).copied()
        } else {
            values.iter().position(|known| known.text == text)
        };
        if let Some(place) = place {
            let known = &mut values[place];
            known.total = known.total.saturating_add(total);
            known.began = known.began.min(began);
            return Ok(());
        }
        let room = values.capacity();
        values.push(WeightedValue { text, total, began });
        self.capacity += values.capacity() - room;
        // When a group first exceeds the limit, all its values are added to `places`. After that, only each new value
        // is added.
        let unplaced = if values.len() == MAX_SCANNED_VALUES + 1 { 0 } else { values.len() - 1 };
        if values.len() > MAX_SCANNED_VALUES {
            let placed = values.iter().enumerate().skip(unplaced);
            self.places.extend(placed.map(|(place, value)| ((group, value.text), place)));
        }
        Ok(())
    }

    /// Returns the values of the first `groups` groups, greatest weight first.
    fn rank(&self, groups: usize) -> impl Iterator<Item = Vec<WeightedValue>> {
        self.groups[..groups].iter().map(|values| {
            // A copy is sorted, because sorting the values themselves would invalidate the positions in `places`.
            let mut ranked = values.clone();
            ranked.sort_unstable_by_key(|value| (Reverse(value.total), value.began, self.texts.text(value.text)));
            ranked
        })
    }

    /// Returns the texts of ranked values as lists.
    fn lists(&self, ranked: &[Vec<WeightedValue>]) -> Result<ArrayRef> {
        let mut texts = StringBuilder::with_capacity(ranked.len(), 0);
        for value in ranked.iter().flatten() {
            texts.append_value(self.texts.text(value.text));
        }
        weighted_lists(ranked, text_item(), Arc::new(texts.finish()))
    }
}

fn text_item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Utf8, true))
}

fn number_item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Int64, true))
}

/// Returns lists with one item for each value of each group.
fn weighted_lists(ranked: &[Vec<WeightedValue>], item: FieldRef, items: ArrayRef) -> Result<ArrayRef> {
    let offsets = OffsetBuffer::from_lengths(ranked.iter().map(Vec::len));
    Ok(Arc::new(ListArray::try_new(item, offsets, items, None)?))
}

/// Returns `ranked_by_weight(value, weight, began) -> List<Utf8>`: the values of a group, greatest weight first. On a
/// tie, the value that started first comes first (docs/spec/time.md#documents-and-websites).
pub fn ranked_by_weight() -> AggregateUDF {
    let [values, weights, began] = [text_item(), number_item(), number_item()].map(DataType::List);
    aggregate(
        &RANKED_BY_WEIGHT,
        vec![("values", values), ("weights", weights), ("began", began)],
        ScalarValue::List(ScalarValue::new_list(&[], &DataType::Utf8, true)),
        || Box::new(Rankings::default()),
    )
}

impl GroupStates for Rankings {
    fn grow(&mut self, groups: usize) {
        self.groups.resize_with(groups, Vec::new);
    }

    fn add(&mut self, arguments: &[ArrayRef], members: &[Member]) -> Result<()> {
        let (texts, weights, began) =
            (text_column(arguments, 0)?, integer_column(arguments, 1)?, timestamp_column(arguments, 2)?);
        for (row, group) in members {
            if texts.is_valid(*row) && weights.is_valid(*row) {
                let began = instant(began, *row).unwrap_or(i64::MAX);
                self.add_weight(*group, texts.value(*row), weights.value(*row), began)?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, states: &[ArrayRef], members: &[Member]) -> Result<()> {
        let (values, weights, began) = (list(states, 0)?, list(states, 1)?, list(states, 2)?);
        for (row, group) in members {
            let (values, weights, began) = (values.value(*row), weights.value(*row), began.value(*row));
            let (values, weights) = (values.as_string::<i32>(), weights.as_primitive::<Int64Type>());
            let began = began.as_primitive::<Int64Type>();
            for item in 0..values.len() {
                self.add_weight(*group, values.value(item), weights.value(item), began.value(item))?;
            }
        }
        Ok(())
    }

    fn results(&mut self, groups: usize) -> Result<ArrayRef> {
        self.lists(&self.rank(groups).collect::<Vec<_>>())
    }

    fn states(&mut self, groups: usize) -> Result<Vec<ArrayRef>> {
        let ranked: Vec<_> = self.rank(groups).collect();
        let numbers = |of: fn(&WeightedValue) -> i64| {
            let numbers = Int64Array::from_iter_values(ranked.iter().flatten().map(of));
            weighted_lists(&ranked, number_item(), Arc::new(numbers))
        };
        Ok(vec![self.lists(&ranked)?, numbers(|value| value.total)?, numbers(|value| value.began)?])
    }

    fn forget(&mut self, groups: usize) {
        // The texts aren't removed, because later groups can use the same texts.
        self.capacity -= self.groups.drain(..groups).map(|values| values.capacity()).sum::<usize>();
        let places = std::mem::take(&mut self.places).into_iter();
        self.places = places.filter_map(|((group, text), at)| Some(((group.checked_sub(groups)?, text), at))).collect();
    }

    fn bytes(&self) -> usize {
        self.texts.bytes()
            + self.groups.capacity() * size_of::<Vec<WeightedValue>>()
            + self.capacity * size_of::<WeightedValue>()
            + self.places.capacity() * size_of::<((usize, u32), usize)>()
    }
}
