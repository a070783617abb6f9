//! Stores activities of one timeline in memory. The values are unchanged from the file, in Arrow columns. Each scan
//! resolves and redacts the names again.
//!
//! Blocks are packed to save memory:
//!
//! - Times and ids are stored with 32 bits if all values of the column fit.
//! - Each distinct combination of a row's four group ids is replaced by one number
//!   ([`IdCombinations`]).
//! - A column that contains only nulls takes no memory.
//! - A title is stored only if the row needs it, for example as its name.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, BooleanBuilder, Int32Array, Int64Array, Int64Builder, NullArray,
    StringViewArray, StringViewBuilder, TimestampSecondArray, TimestampSecondBuilder, UInt32Array, UInt32Builder,
    new_null_array,
};
use arrow::buffer::BooleanBuffer;
use arrow::compute::{SortColumn, concat, filter, lexsort_to_indices, max, min, take};
use arrow::datatypes::{DataType, Int32Type, Int64Type, TimestampSecondType};
use arrow::error::ArrowError;
use rusqlite::Row;

use super::super::columns::texts;
use super::super::resolver::{Ids, is_named, read_ids};
use super::stored_columns::{ActivityPart, StoredColumns};
use crate::instant::InstantParser;
use crate::privacy::RedactedNames;
use crate::value::{flag, instant, number, text, text_bytes};
use dayledger_source::INSTANT;
use dayledger_source::selection::Bounds;

/// 2000-01-01 as Unix seconds. A packed time is the number of seconds from this time, as a signed 32-bit number. So
/// packed times can be from 1931 to 2068.
const EPOCH: i64 = 946_684_800;

/// The distinct combinations of group ids and list ids in one timeline.
#[derive(Debug, Clone, Default)]
pub(super) struct IdCombinations {
    distinct: Vec<Ids>,
    places: HashMap<Ids, u32>,
    /// For each combination, whether the titles of its rows are stored. This is used only if there are rows whose title
    /// isn't stored.
    are_titled: Vec<bool>,
}

impl IdCombinations {
    pub(super) fn ids(&self) -> &[Ids] {
        &self.distinct
    }

    /// Whether the title is stored for every activity without a group name. A group may have lost its name since the
    /// activities were stored. So `names` must be the current names.
    pub(super) fn are_sufficient(&self, names: &RedactedNames, timeline: i64) -> bool {
        let mut each = self.distinct.iter().zip(&self.are_titled);
        each.all(|(ids, is_titled)| *is_titled || is_named(names, timeline, *ids))
    }

    pub(super) fn bytes(&self) -> usize {
        // Each combination is stored twice: in `distinct`, and as a key of `places`.
        self.distinct.len() * (2 * size_of::<Ids>() + size_of::<u32>() + 1)
    }

    fn index_of(&mut self, ids: Ids, is_named: impl FnOnce() -> bool) -> u32 {
        *self.places.entry(ids).or_insert_with(|| {
            self.distinct.push(ids);
            self.are_titled.push(!is_named());
            u32::try_from(self.distinct.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// The minimum and maximum time of a column, or `None` if no time can be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueRange {
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
    has_unread: bool,
}

/// The local start of an activity in seconds, and its id. The start is `None` if it can't be read.
pub(super) type Key = (Option<i64>, i64);

/// Whether all, some or none of the times in a column are within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlap {
    All,
    Some,
    None,
}

impl ValueRange {
    fn from_column(column: Option<&ArrayRef>) -> Self {
        let Some(instants) = column.map(instants) else {
            return Self { min: None, max: None, has_unread: true };
        };
        Self { min: min(&instants), max: max(&instants), has_unread: instants.null_count() > 0 }
    }

    /// Returns whether all, some or none of the times between the minimum and the maximum are within `bounds`.
    pub(super) fn overlap_with(self, bounds: Bounds) -> Overlap {
        if bounds == Bounds::default() {
            return Overlap::All;
        }
        let (Some(least), Some(greatest)) = (self.min, self.max) else { return Overlap::None };
        if bounds.from.is_some_and(|from| greatest < from) || bounds.to.is_some_and(|to| least >= to) {
            Overlap::None
        } else if !self.has_unread && bounds.contain(Some(least)) && bounds.contain(Some(greatest)) {
            Overlap::All
        } else {
            Overlap::Some
        }
    }
}

/// Some activities of one timeline, as columns with the same number of rows.
#[derive(Debug, Clone)]
pub(super) struct StoredBlock {
    columns: Vec<(ActivityPart, ArrayRef)>,
    rows: usize,
    pub(super) starts: ValueRange,
    pub(super) ends: ValueRange,
    /// The longest time from a local start to the local end, in seconds. `None` if the rows aren't sorted by start, or
    /// if a time can't be read.
    longest: Option<i64>,
}

impl StoredBlock {
    fn new(columns: Vec<(ActivityPart, ArrayRef)>, rows: usize) -> Self {
        let find = |wanted: ActivityPart| columns.iter().find(|(part, _)| *part == wanted).map(|(_, column)| column);
        let (starts, ends) = (find(ActivityPart::StartLocal), find(ActivityPart::EndLocal));
        let longest = starts.zip(ends).and_then(|(starts, ends)| longest(&instants(starts), &instants(ends)));
        let (starts, ends) = (ValueRange::from_column(starts), ValueRange::from_column(ends));
        Self { columns, rows, starts, ends, longest }
    }

    /// Returns the block with packed columns, which use less memory.
    pub(super) fn pack(self) -> Self {
        Self { columns: self.columns.into_iter().map(|(part, column)| (part, pack_column(column))).collect(), ..self }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn bytes(&self) -> usize {
        self.columns.iter().map(|(_, column)| column.get_array_memory_size()).sum()
    }

    /// Returns a column with its original type, or `None` if the block doesn't contain the column.
    pub(super) fn column(&self, wanted: ActivityPart) -> Option<ArrayRef> {
        let (part, column) = self.columns.iter().find(|(part, _)| *part == wanted)?;
        Some(unpack_column(*part, column))
    }

    pub(super) fn ids(&self) -> Int64Array {
        self.column(ActivityPart::Id).map_or_else(|| Int64Array::new_null(self.rows), |ids| ids.as_primitive().clone())
    }

    /// Returns a column of times, or `None` if the block doesn't contain the column.
    pub(super) fn instants(&self, part: ActivityPart) -> Option<TimestampSecondArray> {
        self.column(part).map(|column| column.as_primitive().clone())
    }

    /// Returns for each row the index of its ids in [`IdCombinations`]. Returns `None` if the block doesn't contain the
    /// ids.
    pub(super) fn names(&self) -> Option<UInt32Array> {
        self.column(ActivityPart::Names).map(|names| names.as_primitive().clone())
    }

    pub(super) fn texts(&self, part: ActivityPart) -> Option<StringViewArray> {
        self.column(part).map(|column| column.as_string_view().clone())
    }

    /// Returns a block with the rows for which `mask` is true.
    pub(super) fn filter_rows(&self, mask: &BooleanArray) -> Result<Self, ArrowError> {
        let columns = self.columns.iter().map(|(part, column)| Ok((*part, filter(column, mask)?)));
        let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
        // The time ranges aren't computed again, because the ranges of the whole block are also valid for the remaining
        // rows.
        Ok(Self { columns, rows: mask.true_count(), ..*self })
    }

    /// Returns a block with the rows whose start is within `starts` and whose end is within `ends`.
    pub(super) fn select(&self, starts: Bounds, ends: Bounds) -> Result<Self, ArrowError> {
        // A block contains the rows of weeks. A search is faster than comparing the times of all rows, if only a
        // day is needed.
        let near = self.rows_near(starts, ends);
        let columns = self.columns.iter().map(|(part, column)| (*part, column.slice(near.start, near.len())));
        let near = Self { columns: columns.collect(), rows: near.len(), ..*self };
        near.filter_rows(&near.rows_within(starts, ends))
    }

    /// Returns a range of rows that contains all rows whose start is within `starts` and whose end is within `ends`.
    fn rows_near(&self, starts: Bounds, ends: Bounds) -> Range<usize> {
        let (Some(longest), Some(sorted)) = (self.longest, self.instants(ActivityPart::StartLocal)) else {
            return 0..self.rows;
        };
        let rows_before =
            |bound: Option<i64>| bound.map(|bound| sorted.values().partition_point(|start| *start < bound));
        let from = starts.from.max(ends.from.map(|from| from.saturating_sub(longest)));
        let first = rows_before(from).unwrap_or(0);
        first..rows_before(starts.to).unwrap_or(self.rows).max(first)
    }

    /// Whether the start of some row can't be read.
    pub(super) fn has_unread_starts(&self) -> bool {
        self.starts.has_unread
    }

    /// Returns the number of rows whose start is within `bounds`.
    pub(super) fn count_starts(&self, bounds: Bounds) -> usize {
        match self.starts.overlap_with(bounds) {
            Overlap::All => self.rows,
            Overlap::Some => self.rows_within(bounds, Bounds::default()).true_count(),
            Overlap::None => 0,
        }
    }

    /// Returns the ids of the rows whose start is within `starts` and whose end is within `ends`.
    pub(super) fn ids_within(&self, starts: Bounds, ends: Bounds) -> Vec<i64> {
        if [self.starts.overlap_with(starts), self.ends.overlap_with(ends)].contains(&Overlap::None) {
            return Vec::new();
        }
        let (ids, within) = (self.ids(), self.rows_within(starts, ends));
        within.values().set_indices().map(|row| ids.value(row)).collect()
    }

    /// Returns the latest local end in the block, and the id of the activity that ends then.
    pub(super) fn last_to_end(&self) -> Option<(i64, i64)> {
        let (ends, ids) = (self.instants(ActivityPart::EndLocal)?, self.ids());
        let last = self.ends.max?;
        let row = ends.iter().position(|end| end == Some(last))?;
        Some((last, ids.value(row)))
    }

    /// Returns a block without the rows whose id is in `gone`. Returns `None` if the block doesn't contain any of these
    /// ids.
    pub(super) fn without_ids(&self, gone: &HashSet<i64>) -> Result<Option<Self>, ArrowError> {
        let ids = self.ids();
        let (Some(least), Some(greatest)) = (min(&ids), max(&ids)) else { return Ok(None) };
        if !gone.iter().any(|id| (least..=greatest).contains(id)) {
            return Ok(None);
        }
        let mask: BooleanArray = ids.values().iter().map(|id| Some(!gone.contains(id))).collect();
        if mask.true_count() == self.rows {
            return Ok(None);
        }
        let left = self.filter_rows(&mask)?;
        Ok(Some(Self::new(left.columns, left.rows)))
    }

    /// Merges blocks with the same columns, sorts the rows by start and id, and splits them into
    /// blocks of `size` rows. The last block can be smaller.
    pub(super) fn merge(blocks: &[&Self], size: usize) -> Result<Vec<Self>, ArrowError> {
        let Some(first) = blocks.first() else { return Ok(Vec::new()) };
        let whole = |part: ActivityPart| {
            let columns: Vec<ArrayRef> = blocks.iter().filter_map(|block| block.column(part)).collect();
            concat(&columns.iter().map(AsRef::as_ref).collect::<Vec<_>>())
        };
        let (starts, ids) = (whole(ActivityPart::StartLocal)?, whole(ActivityPart::Id)?);
        let by = |values: &ArrayRef| SortColumn { values: Arc::clone(values), options: None };
        // By default, Arrow sorts nulls first. The order of `Key` is the same. It must be the same, because
        // `TimelineCache::insert` compares the keys of sorted rows.
        let order = lexsort_to_indices(&[by(&starts), by(&ids)], None)?;
        let cuts: Vec<_> =
            (0..order.len()).step_by(size.max(1)).map(|from| order.slice(from, size.min(order.len() - from))).collect();
        let mut parts: Vec<Vec<(ActivityPart, ArrayRef)>> = vec![Vec::new(); cuts.len()];
        for (part, _) in &first.columns {
            let column = whole(*part)?;
            for (columns, cut) in parts.iter_mut().zip(&cuts) {
                columns.push((*part, pack_column(take(&column, cut, None)?)));
            }
        }
        Ok(parts.into_iter().zip(&cuts).map(|(columns, cut)| Self::new(columns, cut.len())).collect())
    }

    /// Returns a block with `rows` rows of this block, starting with the row `first`.
    pub(super) fn slice(&self, first: usize, rows: usize) -> Self {
        let columns = self.columns.iter().map(|(part, column)| (*part, column.slice(first, rows)));
        Self::new(columns.collect(), rows)
    }

    /// Returns the key of each row. Keys define the order of rows.
    pub(super) fn keys(&self) -> Vec<Key> {
        let (starts, ids) = (self.instants(ActivityPart::StartLocal), self.ids());
        let start = |row: usize| starts.as_ref().filter(|starts| starts.is_valid(row)).map(|starts| starts.value(row));
        (0..self.rows).map(|row| (start(row), ids.value(row))).collect()
    }

    /// Returns for each row whether the start is within `starts` and the end is within `ends`.
    pub(super) fn rows_within(&self, starts: Bounds, ends: Bounds) -> BooleanArray {
        let limits = [(ActivityPart::StartLocal, starts), (ActivityPart::EndLocal, ends)];
        let limits = limits.map(|(part, bounds)| (self.instants(part), bounds));
        let within = BooleanBuffer::collect_bool(self.rows, |row| {
            limits.iter().all(|(instants, bounds)| {
                let instant = |at: &TimestampSecondArray| at.is_valid(row).then(|| at.value(row));
                instants.as_ref().is_none_or(|at| bounds.contain(instant(at)))
            })
        });
        BooleanArray::new(within, None)
    }

    /// Returns the key of the first row.
    pub(super) fn first_key(&self) -> Option<Key> {
        self.slice(0, self.rows.min(1)).keys().first().copied()
    }
}

/// Returns the longest time from a start to the end of the same row. Returns `None` if the starts aren't sorted, or if a
/// time is null.
fn longest(starts: &TimestampSecondArray, ends: &TimestampSecondArray) -> Option<i64> {
    if starts.null_count() + ends.null_count() > 0 || !starts.values().is_sorted() {
        return None;
    }
    ends.values().iter().zip(starts.values()).map(|(end, start)| end.saturating_sub(*start)).max()
}

fn instants(column: &ArrayRef) -> TimestampSecondArray {
    unpack_column(ActivityPart::StartLocal, column).as_primitive().clone()
}

/// Converts a column to a form that uses less memory, if possible.
fn pack_column(column: ArrayRef) -> ArrayRef {
    if column.null_count() == column.len() {
        return Arc::new(NullArray::new(column.len()));
    }
    match column.data_type() {
        DataType::Timestamp(..) => {
            let wide = column.as_primitive::<TimestampSecondType>();
            let narrow: Int32Array = wide.iter().map(|at| i32::try_from(at?.checked_sub(EPOCH)?).ok()).collect();
            // The conversion changes a value that doesn't fit into 32 bits to null. So if the number of nulls is the
            // same, all values fit.
            if narrow.null_count() == wide.null_count() { Arc::new(narrow) } else { column }
        }
        DataType::Int64 => {
            let wide = column.as_primitive::<Int64Type>();
            let narrow: Int32Array = wide.iter().map(|number| i32::try_from(number?).ok()).collect();
            if narrow.null_count() == wide.null_count() { Arc::new(narrow) } else { column }
        }
        // The new column stores each distinct text once. The buffers of the original column are released.
        DataType::Utf8View => texts(column.as_string_view().iter()),
        _ => column,
    }
}

fn unpack_column(part: ActivityPart, column: &ArrayRef) -> ArrayRef {
    match (column.data_type(), part) {
        (DataType::Null, part) => new_null_array(&data_type(part), column.len()),
        (DataType::Int32, ActivityPart::Id | ActivityPart::Related) => {
            Arc::new(column.as_primitive::<Int32Type>().unary::<_, Int64Type>(i64::from))
        }
        (DataType::Int32, _) => {
            Arc::new(column.as_primitive::<Int32Type>().unary::<_, TimestampSecondType>(|at| i64::from(at) + EPOCH))
        }
        _ => Arc::clone(column),
    }
}

fn data_type(part: ActivityPart) -> DataType {
    match part {
        ActivityPart::Id | ActivityPart::Related => DataType::Int64,
        ActivityPart::Names => DataType::UInt32,
        ActivityPart::StartLocal | ActivityPart::StartUtc | ActivityPart::EndLocal | ActivityPart::EndUtc => INSTANT,
        ActivityPart::IsActive | ActivityPart::IsBillable => DataType::Boolean,
        ActivityPart::Title | ActivityPart::Notes => DataType::Utf8View,
    }
}

/// Collects rows of one timeline, and builds blocks from them.
pub(super) struct BlockBuilder<'d> {
    pub(super) timeline: i64,
    pub(super) combinations: IdCombinations,
    names: &'d RedactedNames,
    every_title: bool,
    columns: Vec<(ActivityPart, usize, Column)>,
    last: Option<(Ids, u32)>,
    count: usize,
    total: i64,
}

enum Column {
    Number(Int64Builder),
    Names(UInt32Builder),
    Instant(InstantParser, TimestampSecondBuilder),
    Flag(BooleanBuilder),
    Text(StringViewBuilder),
}

impl<'d> BlockBuilder<'d> {
    /// Creates a builder without rows. `combinations` are the combinations of ids that are already known. The builder
    /// adds new combinations to them.
    pub(super) fn new(
        timeline: i64,
        stored: &StoredColumns,
        combinations: IdCombinations,
        names: &'d RedactedNames,
    ) -> Self {
        let columns = stored.places().map(|(part, place)| {
            let column = match data_type(part) {
                DataType::UInt32 => Column::Names(UInt32Builder::new()),
                DataType::Boolean => Column::Flag(BooleanBuilder::new()),
                DataType::Utf8View => Column::Text(StringViewBuilder::new()),
                DataType::Timestamp(..) => Column::Instant(InstantParser::default(), TimestampSecondBuilder::new()),
                _ => Column::Number(Int64Builder::new()),
            };
            (part, place, column)
        });
        let every_title = stored.every_title();
        Self { timeline, combinations, names, every_title, columns: columns.collect(), last: None, count: 0, total: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns the number of rows that were added since the builder was created.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// Adds a row, unless the row lacks an id. Returns the length in bytes of the texts that were read.
    pub(super) fn push(&mut self, row: &Row<'_>) -> rusqlite::Result<usize> {
        if number(row, 1)?.is_none() {
            return Ok(0);
        }
        let mut bytes = 0;
        let mut is_titled = self.every_title;
        for (part, place, column) in &mut self.columns {
            match column {
                Column::Number(builder) => builder.append_option(number(row, *place)?),
                Column::Flag(builder) => builder.append_option(flag(row, *place)?),
                Column::Names(builder) => {
                    let ids = read_ids(row, *place)?;
                    let known = match self.last.filter(|(last, _)| *last == ids) {
                        Some((_, known)) => known,
                        None => self.combinations.index_of(ids, || is_named(self.names, self.timeline, ids)),
                    };
                    self.last = Some((ids, known));
                    is_titled |= self.combinations.are_titled[known as usize];
                    builder.append_value(known);
                }
                Column::Instant(parser, builder) => builder.append_option(instant(row, *place, parser)?),
                // The ids of a row decide whether its title is stored. Parts are sorted, so the ids were read before
                // the title.
                Column::Text(builder) if *part == ActivityPart::Title && !is_titled => builder.append_null(),
                Column::Text(builder) => {
                    bytes += text_bytes(row, *place)?;
                    builder.append_option(text(row, *place)?);
                }
            }
        }
        self.count += 1;
        self.total += 1;
        Ok(bytes)
    }

    /// Returns a block with the rows that were added since the last call.
    pub(super) fn take(&mut self) -> StoredBlock {
        let columns = self.columns.iter_mut().map(|(part, _, column)| -> (ActivityPart, ArrayRef) {
            let column: ArrayRef = match column {
                Column::Number(builder) => Arc::new(builder.finish()),
                Column::Names(builder) => Arc::new(builder.finish()),
                Column::Instant(_, builder) => Arc::new(builder.finish()),
                Column::Flag(builder) => Arc::new(builder.finish()),
                Column::Text(builder) => Arc::new(builder.finish()),
            };
            (*part, column)
        });
        StoredBlock::new(columns.collect(), std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_packed_if_they_fit_and_unpacked_to_the_same_values() {
        for instants in [
            vec![Some(0), None, Some(EPOCH)],
            vec![Some(EPOCH + i64::from(i32::MAX)), Some(EPOCH + i64::from(i32::MIN))],
            vec![Some(EPOCH + i64::from(i32::MAX) + 1), None],
            vec![Some(i64::MIN), Some(i64::MAX)],
            vec![None, None],
        ] {
            let wide: ArrayRef = Arc::new(TimestampSecondArray::from(instants.clone()));
            let narrow = pack_column(Arc::clone(&wide));
            let fits = instants.iter().flatten().all(|at| i32::try_from(at.saturating_sub(EPOCH)).is_ok());
            assert_eq!(narrow.data_type() == wide.data_type(), !fits, "{instants:?}");
            assert_eq!(
                unpack_column(ActivityPart::EndUtc, &narrow).as_primitive::<TimestampSecondType>(),
                wide.as_primitive()
            );
        }
    }
}
