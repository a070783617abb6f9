//! Caches a timeline in memory, and updates it to later commits without reading all rows again.
//!
//! `ManicTime` numbers each insert and each edit of a timeline's rows (`CurrentChangeSequence`,
//! docs/spec/manictime.md#changes). An index contains these numbers. So an index search for numbers greater than the
//! greatest cached number finds all new and changed rows. Deleted rows are found by counting rows. If one of the
//! following checks fails, the whole timeline is read again:
//!
//! - The cached rows with the greatest numbers are read again. Each of these rows must either be unchanged or have a
//!   greater number now. In an unchanged row, the random value of its last change must also be the same. Otherwise, the
//!   file was replaced by another file or by an older state, or one of these rows was deleted.
//! - Between the numbers of these rows, no other row may have a number.
//! - The activity with the latest end must be found again. It is always read again, because `ManicTime` extends this
//!   activity as time passes, sometimes without a new number.
//! - The cache must have as many rows as the file. Before a scan uses the rows of a range, only the rows of this range
//!   are counted. Counting a whole timeline would take longer than reading one day from the file.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Row;

use super::super::columns::arrow_error;
use super::batches::BatchBuilder;
use super::block::{BlockBuilder, IdCombinations, Key, StoredBlock};
use super::statements::{Index, statements};
use super::stored_columns::StoredColumns;
use crate::instant::to_stored_text;
use crate::shape::Shape;
use crate::snapshot::Snapshot;
use crate::value::number;
use dayledger_source::BATCH_ROWS;
use dayledger_source::selection::{Bounds, Selection};

/// The columns that change whenever `ManicTime` changes a row.
const CHANGE: [&str; 2] = ["CurrentChangeSequence", "CurrentChangeRandomValue"];
/// The number of newest changes that an update must find again. At least one of the rows with these changes must still
/// be unchanged. So one change isn't enough, because the newest row changes all the time.
const KNOWN_CHANGES: usize = 4;

/// The last change of a row: the number of the change, the id of the row, and the random value of the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    sequence: i64,
    activity: i64,
    random: Option<i64>,
}

/// The newest changes of a timeline, sorted by number. There are at most [`KNOWN_CHANGES`].
#[derive(Debug, Clone, Default)]
struct Changes(Vec<Change>);

impl Changes {
    fn add(&mut self, change: Change) {
        if self.0.len() == KNOWN_CHANGES && self.0.first() >= Some(&change) {
            return;
        }
        let place = self.0.partition_point(|known| *known < change);
        self.0.insert(place, change);
        if self.0.len() > KNOWN_CHANGES {
            self.0.remove(0);
        }
    }
}

/// The access of one read to the cached timelines.
pub(crate) trait TimelineMemory {
    /// Whether the read may use the cache.
    fn is_usable(&self) -> bool;

    /// Returns a cached timeline. The flag is true if the timeline is at the snapshot's commit, and false if it is
    /// older.
    fn timeline(&self, id: i64) -> Option<(Arc<TimelineCache>, bool)>;

    /// Caches a timeline, which must be at the snapshot's commit.
    fn keep(&self, id: i64, timeline: &Arc<TimelineCache>);

    /// Removes a timeline from the cache.
    fn forget(&self, id: i64);

    /// Returns the number of rows of the timeline that scans have read directly from the file. Counting starts again
    /// when the timeline is removed from the cache.
    fn rows_in_parts(&self, id: i64) -> i64;

    /// Adds `rows` to the number that [`Self::rows_in_parts`] returns.
    fn add_rows_in_parts(&self, id: i64, rows: i64);
}

/// A range of local starts of activities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StartRange {
    from: i64,
    to: i64,
}

impl StartRange {
    const EMPTY: Self = Self { from: 0, to: 0 };
    const WHOLE: Self = Self { from: i64::MIN, to: i64::MAX };
    /// Most activities that overlap a range start within the range, or at most this number of seconds before it.
    const MARGIN: i64 = 2 * 86_400;
    /// At most this many ids are looked up in the file one by one. If there are more, the rows of the whole timeline
    /// are counted instead.
    const MAX_LOOKUPS: usize = 16;

    /// Returns a range that contains the starts of most selected activities. All other selected activities start before
    /// this range, and end at least [`Self::MARGIN`] seconds after the start of this range.
    pub(super) fn from_selection(selection: &Selection) -> Self {
        let (starts, ends) = (selection.bounds("start_local"), selection.bounds("end_local"));
        let from = starts.from.max(ends.from.map(|from| from.saturating_sub(Self::MARGIN)));
        // Without a condition on starts, activities whose start can't be read are also selected.
        match (from, starts.to) {
            (Some(from), Some(to)) => Self { from, to: to.max(from) },
            (Some(from), None) if starts.from.is_some() => Self { from, to: i64::MAX },
            _ => Self::WHOLE,
        }
    }

    fn contains(self, other: Self) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// If both ranges overlap or touch, returns their union. Otherwise, returns `other`.
    fn extended_to(self, other: Self) -> Self {
        if self.from <= other.to && other.from <= self.to {
            return Self { from: self.from.min(other.from), to: self.to.max(other.to) };
        }
        other
    }
}

/// The activities of one timeline at one commit, in blocks sorted by start.
#[derive(Debug)]
pub(crate) struct TimelineCache {
    stored: StoredColumns,
    combinations: IdCombinations,
    blocks: Vec<Arc<StoredBlock>>,
    changes: Changes,
    /// The range of starts whose activities were checked for deletions at the commit.
    checked: Mutex<StartRange>,
}

impl TimelineCache {
    /// Whether the file contains the columns of [`CHANGE`], which are needed to update a timeline.
    pub(super) fn is_supported(shape: &Shape) -> bool {
        CHANGE.iter().all(|column| shape.has_column("Ar_Activity", column))
    }

    /// Reads whole timelines from the file. If a timeline can be updated later, caches it.
    pub(super) fn load(
        timelines: &[(i64, Index)],
        stored: &StoredColumns,
        snapshot: &Snapshot<'_>,
        memory: &dyn TimelineMemory,
    ) -> rusqlite::Result<Vec<(i64, Arc<Self>)>> {
        if timelines.is_empty() {
            return Ok(Vec::new());
        }
        // The new rows replace the cached rows. So the columns of the cached rows are also read.
        let known = timelines.iter().filter_map(|(id, _)| memory.timeline(*id));
        let stored = known.fold(stored.widen_for_cache(), |stored, (known, _)| stored.union(&known.stored));
        let mut loading: Vec<TimelineLoader<'_>> =
            timelines.iter().map(|(id, _)| TimelineLoader::new(*id, &stored, snapshot)).collect();
        let (selected, first) = selected_columns(&stored, snapshot);
        for statement in statements(timelines, None, &selected) {
            snapshot.capacity.for_each_row(snapshot.connection, &statement.sql, [], |row| {
                snapshot.reading.count_row();
                let timeline = number(row, 0)?;
                let wanted = loading.iter_mut().find(|loading| Some(loading.rows.timeline) == timeline);
                wanted.map_or(Ok(0), |loading| loading.add(row, first))
            })?;
        }
        // Release the memory of SQLite's page cache. The cached pages of a whole timeline use much memory, and aren't
        // needed again soon.
        snapshot.connection.execute_batch("PRAGMA shrink_memory")?;
        let loaded = loading.into_iter().map(|loading| {
            let (timeline, can_follow) = (loading.rows.timeline, loading.can_follow);
            let cache = Arc::new(loading.finish(stored.clone())?);
            if can_follow {
                memory.keep(timeline, &cache);
            } else {
                memory.forget(timeline);
            }
            Ok((timeline, cache))
        });
        loaded.collect()
    }

    /// Creates a timeline from the rows of a single scan. The timeline can't be updated later.
    pub(super) fn from_rows(
        stored: StoredColumns,
        combinations: IdCombinations,
        blocks: Vec<Arc<StoredBlock>>,
    ) -> Self {
        Self { stored, combinations, blocks, changes: Changes::default(), checked: StartRange::WHOLE.into() }
    }

    /// Whether the timeline contains all columns of `stored`.
    pub(super) fn covers(&self, stored: &StoredColumns) -> bool {
        self.stored.cover(stored)
    }

    /// Returns the memory usage of the timeline in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.combinations.bytes() + self.blocks.iter().map(|block| block.bytes()).sum::<usize>()
    }

    /// Returns the number of activities.
    pub(super) fn rows(&self) -> i64 {
        self.blocks.iter().map(|block| i64::try_from(block.rows()).unwrap_or(i64::MAX)).sum()
    }

    /// Returns the latest local end in the timeline, and the id of the activity that ends then.
    fn last_to_end(&self) -> Option<(i64, i64)> {
        let last = self.blocks.iter().max_by_key(|block| block.ends.max)?;
        last.last_to_end()
    }

    /// Returns the blocks of the timeline.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &StoredBlock> {
        self.blocks.iter().map(AsRef::as_ref)
    }

    /// Adds the rows of the timeline to the batches of a scan.
    pub(super) fn add_to(&self, batches: &mut BatchBuilder<'_>, timeline: i64) -> rusqlite::Result<()> {
        self.blocks.iter().try_for_each(|block| batches.add(timeline, &self.combinations, block))
    }

    /// Returns the timeline updated to the snapshot's commit, which must be later than the cached
    /// commit. Returns `None` if the whole timeline must be read again.
    pub(super) fn catch_up(&self, timeline: i64, snapshot: &Snapshot<'_>) -> rusqlite::Result<Option<Self>> {
        let is_titled = self.stored.every_title() || self.combinations.are_sufficient(snapshot.names, timeline);
        let (Some(oldest), Some(newest), true) = (self.changes.0.first(), self.changes.0.last(), is_titled) else {
            return Ok(None);
        };
        let mut changed = ChangedRows::new(self, timeline, snapshot);
        changed.read(" AND CurrentChangeSequence >= ?2", &[&oldest.sequence])?;
        let later = |change: &Change| change.sequence > newest.sequence;
        let (later, mut known): (Vec<_>, Vec<_>) = changed.changes.iter().copied().partition(later);
        known.sort_unstable();
        let is_there =
            |change: &Change| known.contains(change) || later.iter().any(|later| later.activity == change.activity);
        let are_known = known.iter().all(|change| self.changes.0.contains(change));
        if !changed.is_readable || known.is_empty() || !are_known || !self.changes.0.iter().all(is_there) {
            return Ok(None);
        }
        let last = self.last_to_end();
        if let Some((end, _)) = last {
            changed.read(
                // Exclude rows that the first read returned, so that no row is inserted twice. The unary plus makes
                // SQLite use the index on the end, and not the index on the number of the change.
                " AND EndLocalTime >= ?2 AND +CurrentChangeSequence < ?3",
                &[&to_stored_text(end), &oldest.sequence],
            )?;
        }
        if !changed.is_readable {
            return Ok(None);
        }
        let (rows, ids) = (changed.rows.take(), changed.ids);
        let (stored, blocks) = (self.stored.clone(), self.blocks.clone());
        let combinations = changed.rows.combinations;
        let mut next =
            Self { stored, combinations, blocks, changes: Changes(known), checked: StartRange::EMPTY.into() };
        for change in later {
            next.changes.add(change);
        }
        // An edit can change the start of a row, so the new row can belong to another block. So remove the old row
        // first.
        next.remove(&ids)?;
        next.insert(&rows)?;
        // The row with the latest end may have got an earlier end without a new number. In this case, none of the reads
        // returned this row.
        let is_lost = last.is_some_and(|(_, id)| !ids.contains(&id) && next.contains(id));
        Ok((!is_lost).then_some(next))
    }

    /// Whether all activities that start in the range `starts` were checked for deletions.
    pub(super) fn is_checked(&self, starts: &StartRange) -> bool {
        self.lock_checked().contains(*starts)
    }

    fn lock_checked(&self) -> MutexGuard<'_, StartRange> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the timeline without the rows that were deleted from the file. Checks the range `starts` first. If no
    /// row of this range was deleted, doesn't check the rest of the timeline. Returns `None` if the whole timeline must
    /// be read again.
    pub(super) fn check(
        self: Arc<Self>,
        timeline: i64,
        starts: &StartRange,
        snapshot: &Snapshot<'_>,
    ) -> rusqlite::Result<Option<Arc<Self>>> {
        // SQLite compares texts, so it can count a row whose start can't be read here. Such a row could replace a
        // deleted row in the count.
        let is_readable = !self.blocks().any(StoredBlock::has_unread_starts);
        if *starts != StartRange::WHOLE && is_readable && self.has_same_rows(timeline, *starts, snapshot)? {
            let mut checked = self.lock_checked();
            *checked = checked.extended_to(*starts);
            drop(checked);
            return Ok(Some(self));
        }
        let (stored, combinations, changes) = (self.stored.clone(), self.combinations.clone(), self.changes.clone());
        let checked = StartRange::WHOLE.into();
        let mut whole = Self { stored, combinations, blocks: self.blocks.clone(), changes, checked };
        Ok(whole.drop_deleted(timeline, snapshot)?.then(|| Arc::new(whole)))
    }

    /// Whether the file has as many rows as the cache in the range `starts`. The file must also still have all cached
    /// rows that start before this range and reach far into it.
    fn has_same_rows(&self, timeline: i64, starts: StartRange, snapshot: &Snapshot<'_>) -> rusqlite::Result<bool> {
        let bounds = Bounds { from: Some(starts.from), to: Some(starts.to) };
        let within: usize = self.blocks().map(|block| block.count_starts(bounds)).sum();
        let sql =
            "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1 AND StartLocalTime >= ?2 AND StartLocalTime < ?3";
        let texts = (timeline, to_stored_text(starts.from), to_stored_text(starts.to));
        let count: i64 = snapshot.connection.query_row(sql, texts, |row| row.get(0))?;
        if usize::try_from(count) != Ok(within) {
            return Ok(false);
        }
        let earlier = Bounds { from: None, to: Some(starts.from) };
        let later = Bounds { from: Some(starts.from.saturating_add(StartRange::MARGIN)), to: None };
        let before: Vec<i64> = self.blocks().flat_map(|block| block.ids_within(earlier, later)).collect();
        if before.len() > StartRange::MAX_LOOKUPS {
            return Ok(false);
        }
        let mut find = snapshot
            .connection
            .prepare("SELECT EXISTS (SELECT 1 FROM Ar_Activity WHERE ReportId = ?1 AND ActivityId = ?2)")?;
        for id in before {
            if !find.query_row((timeline, id), |row| row.get::<_, bool>(0))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn contains(&self, id: i64) -> bool {
        self.blocks.iter().any(|block| block.ids().values().contains(&id))
    }

    /// Removes rows that were deleted from the file. Returns whether the cache then has as many rows
    /// as the file.
    fn drop_deleted(&mut self, timeline: i64, snapshot: &Snapshot<'_>) -> rusqlite::Result<bool> {
        let count = "SELECT count(*) FROM Ar_Activity WHERE ReportId = ?1";
        let count: i64 = snapshot.connection.query_row(count, [timeline], |row| row.get(0))?;
        if self.rows() > count {
            let ids = "SELECT ActivityId FROM Ar_Activity WHERE ReportId = ?1";
            let mut there = HashSet::new();
            snapshot.capacity.for_each_row(snapshot.connection, ids, [timeline], |row| {
                there.extend(number(row, 0)?);
                Ok(0)
            })?;
            let held = self.blocks.iter().flat_map(|block| block.ids().values().to_vec());
            let gone = held.filter(|id| !there.contains(id)).collect();
            self.remove(&gone)?;
        }
        Ok(self.rows() == count)
    }

    fn remove(&mut self, gone: &HashSet<i64>) -> rusqlite::Result<()> {
        for block in &mut self.blocks {
            if let Some(left) = block.without_ids(gone).map_err(arrow_error)? {
                *block = Arc::new(left);
            }
        }
        self.blocks.retain(|block| block.rows() > 0);
        Ok(())
    }

    /// Inserts rows at the positions that keep all rows sorted by key.
    fn insert(&mut self, rows: &StoredBlock) -> rusqlite::Result<()> {
        let sorted = StoredBlock::merge(&[rows], rows.rows()).map_err(arrow_error)?;
        let Some(rows) = sorted.first() else { return Ok(()) };
        let firsts: Vec<Option<Key>> = self.blocks.iter().map(|block| block.first_key()).collect();
        let block_of = |key: &Key| firsts.partition_point(|first| *first <= Some(*key)).saturating_sub(1);
        let places: Vec<usize> = rows.keys().iter().map(block_of).collect();
        // Start with the last block, so that the indexes of earlier blocks stay valid.
        for run in places.chunk_by(|one, next| one == next).rev() {
            let (place, first) = (run[0], places.partition_point(|place| *place < run[0]));
            let new = rows.slice(first, run.len());
            let together: Vec<&StoredBlock> =
                self.blocks.get(place).map(AsRef::as_ref).into_iter().chain([&new]).collect();
            let size = part_size(together.iter().map(|block| block.rows()).sum(), place + 1 >= self.blocks.len());
            let merged = StoredBlock::merge(&together, size).map_err(arrow_error)?;
            let after = self.blocks.len().min(place + 1);
            self.blocks.splice(place.min(after)..after, merged.into_iter().map(Arc::new));
        }
        Ok(())
    }
}

/// Returns the size of the blocks into which `rows` rows are split. At the end of a timeline, all blocks except the
/// last are full, because more rows will follow. Elsewhere, blocks have about equal sizes, so that insertions don't
/// leave tiny blocks.
fn part_size(rows: usize, is_last: bool) -> usize {
    if is_last { BATCH_ROWS } else { rows.div_ceil(rows.div_ceil(BATCH_ROWS).max(1)) }
}

/// Returns the columns for a statement to select: first the columns of `stored`, then the columns of
/// [`CHANGE`]. Also returns the index of the first column of [`CHANGE`].
fn selected_columns(stored: &StoredColumns, snapshot: &Snapshot<'_>) -> (Vec<String>, usize) {
    let mut selected = stored.columns(snapshot.shape);
    let first = selected.len();
    selected.extend(CHANGE.map(str::to_owned));
    (selected, first)
}

/// Returns the last change of a row. Returns `None` if the number of the change or the id of the row can't be read.
/// `first` is the index of the first column of [`CHANGE`].
fn read_change(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Change>> {
    let (Some(activity), Some(sequence)) = (number(row, 1)?, number(row, first)?) else { return Ok(None) };
    Ok(Some(Change { sequence, activity, random: number(row, first + 1)? }))
}

/// Reads a whole timeline.
struct TimelineLoader<'d> {
    rows: BlockBuilder<'d>,
    blocks: Vec<Arc<StoredBlock>>,
    changes: Changes,
    can_follow: bool,
}

impl<'d> TimelineLoader<'d> {
    fn new(timeline: i64, stored: &StoredColumns, snapshot: &Snapshot<'d>) -> Self {
        let rows = BlockBuilder::new(timeline, stored, IdCombinations::default(), snapshot.names);
        Self { rows, blocks: Vec::new(), changes: Changes::default(), can_follow: true }
    }

    /// Adds a row. Returns the length in bytes of the texts that were read.
    fn add(&mut self, row: &Row<'_>, first: usize) -> rusqlite::Result<usize> {
        match read_change(row, first)? {
            Some(change) => self.changes.add(change),
            None => self.can_follow = false,
        }
        let text_bytes = self.rows.push(row)?;
        if self.rows.len() == BATCH_ROWS {
            self.end_block();
        }
        Ok(text_bytes)
    }

    fn end_block(&mut self) {
        let block = self.rows.take();
        if block.rows() > 0 {
            self.blocks.push(Arc::new(block.pack()));
        }
    }

    fn finish(mut self, stored: StoredColumns) -> rusqlite::Result<TimelineCache> {
        self.end_block();
        let mut last = None;
        // Sort only if the rows aren't already sorted, because sorting copies all columns.
        let in_order =
            self.blocks.iter().all(|block| block.keys().into_iter().all(|key| last.replace(key) <= Some(key)));
        if !in_order {
            let blocks = std::mem::take(&mut self.blocks);
            let unsorted: Vec<&StoredBlock> = blocks.iter().map(AsRef::as_ref).collect();
            let sorted = StoredBlock::merge(&unsorted, BATCH_ROWS).map_err(arrow_error)?;
            self.blocks = sorted.into_iter().map(Arc::new).collect();
        }
        let combinations = self.rows.combinations;
        let checked = StartRange::WHOLE.into();
        Ok(TimelineCache { stored, combinations, blocks: self.blocks, changes: self.changes, checked })
    }
}

/// Reads the rows of a timeline that may have changed.
struct ChangedRows<'s> {
    snapshot: &'s Snapshot<'s>,
    rows: BlockBuilder<'s>,
    stored: &'s StoredColumns,
    ids: HashSet<i64>,
    changes: Vec<Change>,
    is_readable: bool,
}

impl<'s> ChangedRows<'s> {
    fn new(known: &'s TimelineCache, timeline: i64, snapshot: &'s Snapshot<'s>) -> Self {
        let rows = BlockBuilder::new(timeline, &known.stored, known.combinations.clone(), snapshot.names);
        Self { snapshot, rows, stored: &known.stored, ids: HashSet::new(), changes: Vec::new(), is_readable: true }
    }

    /// Reads the rows of the timeline that match a condition. `condition` is the end of a SQL
    /// statement, and its parameters are numbered from 2.
    fn read(&mut self, condition: &str, parameters: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<()> {
        let (selected, first) = selected_columns(self.stored, self.snapshot);
        let sql = format!("SELECT {} FROM Ar_Activity WHERE ReportId = ?1{condition}", selected.join(", "));
        let timeline = self.rows.timeline;
        let timeline: &dyn rusqlite::ToSql = &timeline;
        let parameters = rusqlite::params_from_iter(std::iter::once(&timeline).chain(parameters));
        let snapshot = self.snapshot;
        snapshot.capacity.for_each_row(snapshot.connection, &sql, parameters, |row| {
            snapshot.reading.count_row();
            match read_change(row, first)? {
                Some(change) => {
                    self.ids.insert(change.activity);
                    self.changes.push(change);
                }
                None => self.is_readable = false,
            }
            self.rows.push(row)
        })
    }
}
