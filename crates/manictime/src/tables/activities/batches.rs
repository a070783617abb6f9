//! Builds the batches of a scan from blocks: selects the matching rows, resolves their names, and redacts their texts.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListBuilder, RecordBatch, RecordBatchOptions, StringViewArray,
    StringViewBuilder, UInt32Array,
};
use arrow::buffer::NullBuffer;
use arrow::compute::{concat, take};
use arrow::datatypes::{Int64Type, SchemaRef};
use arrow::error::ArrowError;

use super::super::columns::arrow_error;
use super::super::resolver::Resolver;
use super::block::{IdCombinations, Overlap, StoredBlock};
use super::stored_columns::{ActivityPart, RESOLVED, can_be_redacted};
use crate::dimensions::Timeline;
use crate::privacy::{RedactedNames, RowRedactor};
use crate::snapshot::Snapshot;
use dayledger_source::selection::{Bounds, Selection};
use dayledger_source::{Activity, BATCH_ROWS, Role, Table};

/// The number of rows at which a batch is complete. Batches are large, because each batch has a cost in every operator
/// of a query plan. Each buffer of texts in a batch also has such a cost.
const LARGE_BATCH_ROWS: usize = 16 * BATCH_ROWS;

/// Builds the batches of a scan from blocks.
pub(super) struct BatchBuilder<'s> {
    selection: &'s Selection,
    schema: SchemaRef,
    starts: Bounds,
    ends: Bounds,
    /// For each role number, whether the scan selects activities with this role.
    roles: [bool; Role::ALL.len()],
    resolver: Resolver<'s>,
    names: &'s RedactedNames,
    /// Redacts the rows. `None` if nothing has to be redacted.
    redactor: Option<RowRedactor<'s>>,
    total: usize,
    /// The rows of the next batch.
    parts: Vec<BlockRows>,
    batches: Vec<RecordBatch>,
}

/// The selected rows of one block.
struct BlockRows {
    rows: usize,
    /// For each row, the index of its values in [`Resolver::column`]. Empty if the scan doesn't need these indexes.
    resolved: UInt32Array,
    /// The output columns. Resolved columns, such as `name`, are `None`, because they are filled later for a whole
    /// batch.
    columns: Vec<Option<ArrayRef>>,
}

impl BlockRows {
    fn take_first(mut self, rows: usize) -> Self {
        if rows < self.rows {
            self.rows = rows;
            self.resolved = self.resolved.slice(0, rows.min(self.resolved.len()));
            for column in self.columns.iter_mut().flatten() {
                *column = column.slice(0, rows);
            }
        }
        self
    }
}

/// The rows of a block after redaction.
struct RedactedRows {
    /// For each row, the index of its values in [`Resolver::column`]. Empty if the scan doesn't need these indexes.
    resolved: UInt32Array,
    /// The column `state`, computed from the original texts. `None` if the scan doesn't request it.
    states: Option<ArrayRef>,
    /// The redacted columns. `None` if nothing is redacted.
    redacted: Option<RedactedColumns>,
}

struct RedactedColumns {
    titles: StringViewArray,
    notes: StringViewArray,
    are_billable: BooleanArray,
}

impl<'s> BatchBuilder<'s> {
    /// Creates a builder that redacts rows according to the privacy settings of `snapshot`.
    pub(super) fn new(selection: &'s Selection, snapshot: &'s Snapshot<'s>) -> rusqlite::Result<Self> {
        let schema = selection.schema(&Table::Activities.schema());
        let is_redactable = schema.fields().iter().any(|field| can_be_redacted(field.name()));
        // The first redactor of a commit is expensive, because it reads all hidden rows from the file. So create a
        // redactor only if the scan requests a column that can be redacted.
        let redactor = if is_redactable { snapshot.row_redactor()? } else { None };
        Ok(Self { redactor, ..Self::without_redaction(selection, snapshot.names) })
    }

    /// Creates a builder that doesn't redact rows.
    pub(super) fn without_redaction(selection: &'s Selection, names: &'s RedactedNames) -> Self {
        let schema = selection.schema(&Table::Activities.schema());
        Self {
            selection,
            starts: selection.bounds("start_local"),
            ends: selection.bounds("end_local"),
            roles: Role::ALL.map(|role| selection.accepts_text("role", Some(role.name()))),
            schema,
            resolver: Resolver::new(names),
            names,
            redactor: None,
            total: 0,
            parts: Vec::new(),
            batches: Vec::new(),
        }
    }

    /// Returns how many more rows the scan needs.
    pub(super) fn remaining_rows(&self) -> usize {
        self.selection.limit.map_or(usize::MAX, |limit| limit.saturating_sub(self.total))
    }

    /// Returns the batches, including the rows that were added last.
    pub(super) fn finish(mut self) -> rusqlite::Result<Vec<RecordBatch>> {
        self.end_batch().map_err(arrow_error)?;
        Ok(self.batches)
    }

    /// Builds a batch from the rows that were added since the last batch.
    fn end_batch(&mut self) -> Result<(), ArrowError> {
        let parts = std::mem::take(&mut self.parts);
        if parts.is_empty() {
            return Ok(());
        }
        let resolved = parts.iter().map(|part| &part.resolved as &dyn Array).collect::<Vec<_>>();
        let resolved = if resolved.len() == 1 { Arc::new(parts[0].resolved.clone()) } else { concat(&resolved)? };
        let columns = self.schema.fields().iter().enumerate().map(|(place, field)| {
            if let Some(name) = RESOLVED.iter().copied().find(|resolved| resolved == field.name()) {
                // The rows of all blocks refer to the same names. So for the whole batch, the column needs only one
                // buffer of texts.
                return take(&self.resolver.column(name), &resolved, None);
            }
            let of_parts: Vec<_> = parts.iter().filter_map(|part| part.columns[place].as_ref()).collect();
            match of_parts.as_slice() {
                [only] => Ok(Arc::clone(only)),
                several => concat(&several.iter().map(AsRef::as_ref).collect::<Vec<_>>()),
            }
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(parts.iter().map(|part| part.rows).sum()));
        self.batches.push(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?);
        Ok(())
    }

    /// Adds the rows of a block that match the scan's conditions.
    pub(super) fn add(
        &mut self,
        timeline: i64,
        combinations: &IdCombinations,
        block: &StoredBlock,
    ) -> rusqlite::Result<()> {
        if self.remaining_rows() == 0 || block.rows() == 0 {
            return Ok(());
        }
        let held = [block.starts.overlap_with(self.starts), block.ends.overlap_with(self.ends)];
        if held.contains(&Overlap::None) {
            return Ok(());
        }
        let (within, wanted);
        let mut block = block;
        if held.contains(&Overlap::Some) {
            // All following steps process every row of the block. So reduce the block first: a day, for example, is
            // only a small part of a block.
            within = block.select(self.starts, self.ends).map_err(arrow_error)?;
            block = &within;
        }
        let mut resolved = self.resolve(timeline, combinations, block);
        if !resolved.iter().all(|resolved| self.has_wanted_role(*resolved)) {
            let roles: BooleanArray = resolved.iter().map(|resolved| Some(self.has_wanted_role(*resolved))).collect();
            wanted = block.filter_rows(&roles).map_err(arrow_error)?;
            block = &wanted;
            resolved.retain(|resolved| self.has_wanted_role(*resolved));
        }
        if block.rows() == 0 {
            return Ok(());
        }
        let known = self.names.timeline(timeline);
        let device = known.map_or("", |known| known.device.as_str());
        let redacted_rows = self.redact_rows(timeline, device, block, resolved)?;
        let fields = self.schema.fields().iter();
        let columns = fields.map(|field| self.column(field.name(), timeline, known, block, &redacted_rows));
        let columns = columns.collect::<Result<Vec<_>, _>>().map_err(arrow_error)?;
        let part = BlockRows { rows: block.rows(), resolved: redacted_rows.resolved, columns }
            .take_first(self.remaining_rows());
        self.total += part.rows;
        self.parts.push(part);
        if self.resolver.is_full() || self.parts.iter().map(|part| part.rows).sum::<usize>() >= LARGE_BATCH_ROWS {
            self.end_batch().map_err(arrow_error)?;
            self.resolver.shrink();
        }
        Ok(())
    }

    /// Returns for each row the index of its values in [`Resolver::column`]. The index depends on the row's ids.
    fn resolve(&mut self, timeline: i64, combinations: &IdCombinations, block: &StoredBlock) -> Vec<u32> {
        const UNKNOWN: u32 = u32::MAX;
        let Some(places) = block.names() else { return Vec::new() };
        let mut known = vec![UNKNOWN; combinations.ids().len()];
        places
            .values()
            .iter()
            .map(|place| {
                let place = *place as usize;
                if known[place] == UNKNOWN {
                    known[place] = self.resolver.resolve(timeline, combinations.ids()[place]);
                }
                known[place]
            })
            .collect()
    }

    fn has_wanted_role(&self, resolved: u32) -> bool {
        self.roles == [true; Role::ALL.len()] || self.roles[self.resolver.row(resolved).role as usize]
    }

    /// Redacts names, titles and notes of all rows. If the group of an activity has no name, the title of the activity
    /// is used as its name.
    fn redact_rows(
        &mut self,
        timeline: i64,
        device: &str,
        block: &StoredBlock,
        mut resolved: Vec<u32>,
    ) -> rusqlite::Result<RedactedRows> {
        // States are computed from the original names and titles, because redaction must not change active time.
        let states = self.states(timeline, block, &resolved);
        if resolved.is_empty() {
            return Ok(RedactedRows { resolved: resolved.into(), states, redacted: None });
        }
        let titles = block.texts(ActivityPart::Title);
        let title = |row: usize| titles.as_ref().filter(|titles| titles.is_valid(row)).map(|titles| titles.value(row));
        let Some(redactor) = &self.redactor else {
            for (row, resolved) in resolved.iter_mut().enumerate() {
                if self.resolver.row(*resolved).name.is_none()
                    && let Some(title) = title(row)
                {
                    *resolved = self.resolver.resolve_titled(*resolved, title);
                }
            }
            return Ok(RedactedRows { resolved: resolved.into(), states, redacted: None });
        };
        let ids = block.ids();
        let related = block.column(ActivityPart::Related);
        let related = related.as_ref().map(AsArray::as_primitive::<Int64Type>);
        let (starts, ends) = (block.instants(ActivityPart::StartUtc), block.instants(ActivityPart::EndUtc));
        let (notes, billable) = (block.texts(ActivityPart::Notes), block.column(ActivityPart::IsBillable));
        let billable = billable.as_ref().map(AsArray::as_boolean);
        let mut shown_titles = StringViewBuilder::new();
        let mut shown_notes = StringViewBuilder::new();
        let mut shown_billable = Vec::with_capacity(block.rows());
        for (row, resolved) in resolved.iter_mut().enumerate() {
            let group = self.resolver.row(*resolved);
            let (role, is_named) = (group.role, group.name.is_some());
            let shown = redactor.redact(&Activity {
                device,
                id: ids.value(row),
                text_kind: group.text_kind,
                is_hidden: group.is_hidden,
                is_named,
                title: title(row),
                notes: notes.as_ref().filter(|notes| notes.is_valid(row)).map(|notes| notes.value(row)),
                related: related.filter(|related| related.is_valid(row)).map(|related| related.value(row)),
                start: starts.as_ref().filter(|at| at.is_valid(row)).map(|at| at.value(row)),
                end: ends.as_ref().filter(|at| at.is_valid(row)).map(|at| at.value(row)),
            })?;
            shown_titles.append_option(shown.title.as_deref());
            shown_notes.append_option(shown.notes.as_deref());
            let billable = billable.filter(|billable| billable.is_valid(row) && !shown.is_hidden);
            shown_billable.push(billable.map(|billable| billable.value(row)));
            *resolved = match () {
                () if shown.is_hidden => self.resolver.hidden(role),
                () if title(row).is_some() && !is_named => self.resolver.resolve_titled(*resolved, shown.name()),
                () => *resolved,
            };
        }
        let shown = RedactedColumns {
            titles: shown_titles.finish(),
            notes: shown_notes.finish(),
            are_billable: shown_billable.into(),
        };
        Ok(RedactedRows { resolved: resolved.into(), states, redacted: Some(shown) })
    }

    /// Returns the state of the computer for each row, or `None` if the scan doesn't request it. `resolved` contains
    /// for each row the index in [`Resolver::column`].
    fn states(&self, timeline: i64, block: &StoredBlock, resolved: &[u32]) -> Option<ArrayRef> {
        self.schema.column_with_name("state")?;
        if self.names.timeline(timeline).is_none_or(|known| known.role != Role::ComputerUsage) {
            return Some(Arc::new(StringViewArray::new_null(block.rows())));
        }
        let (titles, flags) = (block.texts(ActivityPart::Title), block.column(ActivityPart::IsActive));
        let flags = flags.as_ref().map(AsArray::as_boolean);
        let states: StringViewArray = resolved
            .iter()
            .enumerate()
            .map(|(row, resolved)| {
                let is_active = flags.filter(|flags| flags.is_valid(row)).map(|flags| flags.value(row));
                let title = titles.as_ref().filter(|titles| titles.is_valid(row)).map(|titles| titles.value(row));
                Some(self.resolver.row(*resolved).state(is_active, title).name())
            })
            .collect();
        Some(Arc::new(states))
    }

    /// Returns an output column for the rows of a block. Returns `None` for a column that is filled later for a whole
    /// batch.
    fn column(
        &self,
        name: &str,
        timeline: i64,
        known: Option<&Timeline>,
        block: &StoredBlock,
        redacted_rows: &RedactedRows,
    ) -> Result<Option<ArrayRef>, ArrowError> {
        let rows = block.rows();
        Ok(Some(match (name, &redacted_rows.redacted) {
            _ if RESOLVED.contains(&name) => return Ok(None),
            ("timeline_id", _) => Arc::new(Int64Array::from_value(timeline, rows)),
            ("device", _) => {
                let device: StringViewArray = std::iter::once(known.map(|known| &known.device)).collect();
                take(&device, &UInt32Array::from_value(0, rows), None)?
            }
            // Whether the device has a computer-usage timeline (docs/spec/time.md#missing-data).
            ("is_tracked", _) => {
                let is_tracked = known.is_some_and(|known| known.is_tracked);
                Arc::new(BooleanArray::from(vec![is_tracked; rows]))
            }
            // For an export, the rules read the original title, even if the exported title is redacted
            // (docs/decisions/0009-an-export-is-the-same-model.md).
            ("title" | "rule_text", Some(shown))
                if name == "title" || !self.names.privacy().has_rules_on_original_text() =>
            {
                Arc::new(shown.titles.clone())
            }
            ("state", _) => redacted_rows.states.clone().ok_or_else(|| missing_column_error(name))?,
            ("notes", Some(shown)) => Arc::new(shown.notes.clone()),
            ("is_billable", Some(shown)) => Arc::new(shown.are_billable.clone()),
            ("linked_tags", _) => {
                let mut builder = ListBuilder::new(StringViewBuilder::new());
                for id in block.ids().values() {
                    let tags = self.names.linked_tags.get(&(timeline, *id));
                    for tag in tags.into_iter().flatten() {
                        builder.values().append_value(tag);
                    }
                    builder.append(tags.is_some());
                }
                Arc::new(builder.finish())
            }
            ("seconds", _) => {
                let read = |part: ActivityPart| block.instants(part).ok_or_else(|| missing_column_error(name));
                let (starts, ends) = (read(ActivityPart::StartUtc)?, read(ActivityPart::EndUtc)?);
                // If one of the four times can't be read, the activity has no duration
                // (docs/spec/time.md#whole-seconds).
                let (start_local, end_local) = (read(ActivityPart::StartLocal)?, read(ActivityPart::EndLocal)?);
                let nulls = NullBuffer::union_many([&starts, &ends, &start_local, &end_local].map(Array::nulls));
                let spans = starts.values().iter().zip(ends.values());
                let seconds = spans.map(|(start, end)| end.saturating_sub(*start).max(0)).collect();
                Arc::new(Int64Array::new(seconds, nulls))
            }
            _ => ActivityPart::parts_of_column(name)
                .first()
                .and_then(|part| block.column(*part))
                .ok_or_else(|| missing_column_error(name))?,
        }))
    }
}

/// Returns the error for a column that wasn't read. It can't occur, because a scan reads all columns that it needs.
fn missing_column_error(column: &str) -> ArrowError {
    ArrowError::ComputeError(format!("`{column}` was not read"))
}
