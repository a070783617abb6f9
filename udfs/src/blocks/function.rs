//! The SQL function `assign_blocks`: returns the blocks that each row overlaps.
//!
//! This module reads the columns, finds the overlap of a row with each block, and lists the tags of a block. The module
//! [`forming`](super::forming) computes the blocks.

use std::cmp::Reverse;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, Int64Array, ListBuilder, StringArray, StringBuilder, StringViewArray, TimestampSecondArray,
    UInt64Array,
};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use super::forming::{Block, Slice, sweep_blocks};
use super::input::{Kind, RuledPiece, Subject, TagInterval};
use crate::columns::{integer, integer_column, list_array, list_type, text, text_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::{DayStart, Interval, IntervalBuilder, IntervalColumns};
use crate::start_index::StartIndex;

static ASSIGN_BLOCKS: Declaration = Declaration {
    name: "assign_blocks",
    description: "Returns the blocks that a row overlaps, in time order, with the time of the overlap. A block is a \
            period of work on one subject: a tag that overlaps the pieces, or if there is none, the subject of \
            the pieces. The time is divided at the lowest cost: one second for each second that doesn't match \
            its block's subject, plus switch_cost_seconds for each change of subject. Ten minutes without a \
            piece and the start of a local day (by default, midnight) end every block. Tags get an empty list. \
            Rows can be in any order.",
    parameters: &[
        Parameter::text(
            "kind",
            "'piece', 'tag', or another kind of row, which overlaps blocks but doesn't affect them.",
        ),
        Parameter::text("device", "The device of a piece."),
        Parameter::integer(
            "timeline_id",
            "The timeline. If pieces overlap, the smallest timeline gives the local time.",
        ),
        Parameter::text(
            "subject_kind",
            "'project', 'category' or 'application' for a piece. This order is the last tie-breaker.",
        ),
        Parameter::text("subject", "The subject of a piece, or the full text of a tag. NULL means empty."),
        Parameter::instant("start_local", "Local start of the row."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_local", "Local end of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::integer(
            "switch_cost_seconds",
            "The cost of a change of subject, the same for all rows. With 0, the subject changes as soon as a \
             piece doesn't match it.",
        ),
    ],
    call_suffix: " OVER ()",
    example: "SELECT b['subject'], sum(to_unixtime(b['shared_end_utc']) - to_unixtime(b['shared_start_utc'])) FROM (\n  \
              SELECT unnest(assign_blocks('piece', device, 1, 'application', key, start_local, start_utc, end_local, end_utc, \
              300) OVER ()) AS b\n  FROM pieces\n) GROUP BY b['block'], b['subject']",
};

/// Returns
/// `assign_blocks(...) OVER () -> List<Struct{block, start_local, start_utc, end_local, end_utc, subject_kind, subject, seconds, on_subject, tags, shared_start_utc, shared_end_utc}>`:
/// the blocks that a row overlaps, numbered from 1. `tags` contains the tags of the block except its subject, longest
/// first. `shared_start_utc` and `shared_end_utc` are the edges of the overlap of row and block
/// (docs/spec/time.md#block-fields).
///
/// A query fails if `switch_cost_seconds` differs between rows, or if a piece has an unknown kind of subject.
pub fn assign_blocks(day_start: DayStart) -> WindowUDF {
    window(&ASSIGN_BLOCKS, list_type(fields()), move |columns, rows| evaluate(columns, rows, day_start))
}

fn fields() -> Fields {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let whole = |name: &str| Field::new(name, DataType::Int64, true);
    let edge = |name: &str| Field::new(name, crate::columns::INSTANT, true);
    let mut fields = vec![whole("block")];
    fields.extend(["start_local", "start_utc", "end_local", "end_utc"].map(edge));
    fields.extend(["subject_kind", "subject"].map(text));
    fields.extend(["seconds", "on_subject"].map(whole));
    fields.push(Field::new("tags", DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))), true));
    fields.extend(["shared_start_utc", "shared_end_utc"].map(edge));
    fields.into()
}

fn evaluate(columns: &[ArrayRef], rows: usize, day_start: DayStart) -> Result<ArrayRef> {
    let columns = Columns::new(columns, rows)?;
    let (pieces, tags) = columns.pieces_and_tags(rows)?;
    let mut found = FoundBlocks::new(&tags);
    sweep_blocks(&pieces, &tags, (columns.switch_cost, day_start), |block, slices| found.push(block, slices));
    let (mut places, mut starts, mut ends, mut lengths) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let before = places.len();
        if let Some(interval) = columns.intervals.get(row).filter(|_| !columns.has_kind(row, "tag")) {
            for (place, block) in found.overlapping(interval) {
                places.push(place as u64);
                starts.push(interval.start_utc.max(block.interval.start_utc));
                ends.push(interval.end_utc.min(block.interval.end_utc));
            }
        }
        lengths.push(places.len() - before);
    }
    let places = UInt64Array::from(places);
    // Many rows overlap the same block, so each block's values are built once and then repeated by index.
    let columns = found.columns()?;
    let mut columns = columns.iter().map(|column| take(column, &places, None)).collect::<Result<Vec<_>, _>>()?;
    columns.extend([starts, ends].map(|edge| Arc::new(TimestampSecondArray::from(edge)) as ArrayRef));
    list_array(fields(), columns, lengths)
}

/// The argument columns.
struct Columns<'a> {
    kinds: &'a StringViewArray,
    devices: &'a StringViewArray,
    timelines: &'a Int64Array,
    subject_kinds: &'a StringViewArray,
    subjects: &'a StringViewArray,
    intervals: IntervalColumns<'a>,
    switch_cost: i64,
}

impl<'a> Columns<'a> {
    fn new(columns: &'a [ArrayRef], rows: usize) -> Result<Self> {
        let switch_cost = integer_column(columns, 9)?;
        // DataFusion passes every argument of a window function as a column, even a constant. The sweep needs one cost
        // for all rows.
        let differs = |other: &i64| Some(other) != switch_cost.values().first();
        if switch_cost.null_count() > 0 || switch_cost.values().iter().any(differs) {
            return exec_err!("`switch_cost_seconds` of `assign_blocks` must be one number for all rows");
        }
        Ok(Self {
            kinds: text_column(columns, 0)?,
            devices: text_column(columns, 1)?,
            timelines: integer_column(columns, 2)?,
            subject_kinds: text_column(columns, 3)?,
            subjects: text_column(columns, 4)?,
            intervals: IntervalColumns::from_columns(columns, 5)?,
            switch_cost: if rows == 0 { 0 } else { switch_cost.value(0) },
        })
    }

    fn has_kind(&self, row: usize, kind: &str) -> bool {
        text(self.kinds, row) == Some(kind)
    }

    fn pieces_and_tags(&self, rows: usize) -> Result<(Vec<RuledPiece<'a>>, Vec<TagInterval<'a>>)> {
        let (mut pieces, mut tags) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let Some(interval) = self.intervals.get(row) else { continue };
            let name = text(self.subjects, row).unwrap_or_default();
            if self.has_kind(row, "piece") {
                let subject = Subject { kind: self.kind_of_subject(row)?, name };
                let timeline = integer(self.timelines, row).unwrap_or(i64::MAX);
                pieces.push(RuledPiece { device: text(self.devices, row), interval, timeline, subject });
            } else if self.has_kind(row, "tag") {
                tags.push(TagInterval { interval, subject: Subject { kind: Kind::Tag, name } });
            }
        }
        Ok((pieces, tags))
    }

    fn kind_of_subject(&self, row: usize) -> Result<Kind> {
        let given = text(self.subject_kinds, row).unwrap_or("NULL");
        let kind = [Kind::Project, Kind::Category, Kind::Application].into_iter().find(|kind| kind.name() == given);
        kind.ok_or_else(|| {
            exec_datafusion_err!(
                "`subject_kind` of `assign_blocks` must be `project`, `category` or `application` for a piece, not `{given}`"
            )
        })
    }
}

impl Kind {
    /// Returns the name in SQL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Project => "project",
            Self::Category => "category",
            Self::Application => "application",
        }
    }
}

/// The blocks, each with its tags except the subject, longest first.
struct FoundBlocks<'a, 't> {
    tags: StartIndex<&'t TagInterval<'a>>,
    blocks: Vec<(Block<'a>, Vec<&'a str>)>,
}

impl<'a, 't> FoundBlocks<'a, 't> {
    fn new(tags: &'t [TagInterval<'a>]) -> Self {
        let mut by_start = StartIndex::default();
        for tag in tags {
            by_start.push((tag.interval.start_utc, tag.interval.end_utc), tag);
        }
        by_start.finish();
        Self { tags: by_start, blocks: Vec::new() }
    }

    fn push(&mut self, block: Block<'a>, slices: &[Slice]) {
        let others = self.other_tags(&block, slices);
        self.blocks.push((block, others));
    }

    /// Returns the tags of a block except its subject. If two rows have the same tag at the same time, this time counts
    /// once.
    fn other_tags(&self, block: &Block<'a>, slices: &[Slice]) -> Vec<&'a str> {
        let near = self.tags.find_near((block.interval.start_utc, block.interval.end_utc)).map(|(_, tag)| *tag);
        // Subjects of different kinds are different: a block with the project `Acme` as its subject still lists the tag
        // `Acme`.
        let near: Vec<_> = near.filter(|tag| tag.subject != block.subject).collect();
        let mut known: HashMap<&str, (i64, i64, usize)> = HashMap::new();
        for (number, Slice { interval, .. }) in slices.iter().enumerate() {
            // Slices are cut at both edges of every tag, so a tag covers a slice completely or not at all.
            let holds = |tag: &&&TagInterval<'a>| {
                tag.interval.start_utc <= interval.start_utc && interval.end_utc <= tag.interval.end_utc
            };
            for tag in near.iter().filter(holds) {
                let (seconds, _, counted) =
                    known.entry(tag.subject.name).or_insert((0, interval.start_utc, usize::MAX));
                if *counted != number {
                    (*seconds, *counted) = (*seconds + interval.seconds(), number);
                }
            }
        }
        let mut names: Vec<_> = known.into_iter().collect();
        names.sort_unstable_by_key(|(name, (seconds, began, _))| (Reverse(*seconds), *began, *name));
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// Returns the blocks that overlap an interval, each with its index.
    fn overlapping(&self, interval: Interval) -> impl Iterator<Item = (usize, &Block<'a>)> {
        // Blocks are in time order and disjoint in UTC, so their ends are also in order.
        let first = self.blocks.partition_point(|(block, _)| block.interval.end_utc <= interval.start_utc);
        let blocks = self.blocks.iter().enumerate().skip(first).map(|(place, (block, _))| (place, block));
        blocks.take_while(move |(_, block)| block.interval.start_utc < interval.end_utc)
    }

    /// Returns one column for each field that describes a block. Each column has one row per block.
    fn columns(&self) -> Result<Vec<ArrayRef>> {
        let blocks = || self.blocks.iter().map(|(block, _)| block);
        let whole = |of: fn(&Block<'_>) -> i64| Arc::new(Int64Array::from_iter_values(blocks().map(of))) as ArrayRef;
        let mut edges = IntervalBuilder::default();
        blocks().for_each(|block| edges.push(block.interval));
        let mut tags = ListBuilder::new(StringBuilder::new());
        for (_, names) in &self.blocks {
            for name in names {
                tags.values().append_value(name);
            }
            tags.append(true);
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from_iter_values((1..).take(self.blocks.len())))];
        columns.extend(edges.finish(None)?.columns().iter().map(Arc::clone));
        columns.push(Arc::new(StringArray::from_iter_values(blocks().map(|block| block.subject.kind.name()))));
        columns.push(Arc::new(StringArray::from_iter_values(blocks().map(|block| block.subject.name))));
        columns.extend([whole(|block| block.seconds), whole(|block| block.on_subject)]);
        columns.push(Arc::new(tags.finish()));
        Ok(columns)
    }
}
