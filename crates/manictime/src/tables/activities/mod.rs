//! Reads the table `activities`. It contains all rows of `Ar_Activity`, with the names, keys, colours, roles and
//! devices from other tables.
//!
//! Every index of `Ar_Activity` begins with `ReportId`, which is the id of a timeline. So a statement that uses an
//! index reads only one timeline ([`statements`]). If a scan needs most of a timeline, all rows of the timeline are
//! cached in memory without redaction. After later commits, the cache is updated ([`timeline_cache`]). The module
//! [`batches`] converts rows from the cache and from the file to Arrow batches. For each scan, it resolves and redacts
//! names again.

mod batches;
mod block;
mod cached_activities;
mod statements;
mod stored_columns;
mod timeline_cache;

use std::sync::Arc;

use arrow::array::RecordBatch;

use crate::dimensions::Timeline;
use crate::privacy::RedactedNames;
use crate::snapshot::Snapshot;
use crate::value::number;
use batches::BatchBuilder;
use block::{BlockBuilder, IdCombinations, StoredBlock};
pub(crate) use cached_activities::CachedActivities;
use dayledger_source::selection::Selection;
use dayledger_source::{BATCH_ROWS, Role};
use statements::{Index, Reach, statements, time_conditions};
use stored_columns::StoredColumns;
use timeline_cache::StartRange;
pub(crate) use timeline_cache::{TimelineCache, TimelineMemory};

/// If earlier scans have read fewer rows of a timeline from the file, the timeline isn't cached. The number of the
/// timeline's rows then doesn't have to be looked up.
const FEW_ROWS: i64 = 1024;
/// An estimate of the size of a cached row, in bytes. A block stores each distinct title once, so rows with long titles
/// that don't repeat need more.
const ROW_BYTES: i64 = 64;
/// The roles of the timelines that are read in advance, because most requests about a range need them.
const PRELOADED: [Role; 5] = [Role::Applications, Role::ComputerUsage, Role::Documents, Role::Websites, Role::Tags];

pub(super) fn describe(selection: &Selection) -> String {
    let conditions: Vec<_> = time_conditions(selection, Index::Start)
        .iter()
        .map(|(condition, text)| format!(" AND {} '{text}'", condition.trim_start_matches('+')))
        .collect();
    let conditions = conditions.concat();
    format!("table=Ar_Activity, sqlite=[ReportId = ?{conditions}]")
}

pub(super) fn read(
    selection: &Selection,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<Vec<RecordBatch>> {
    let stored = StoredColumns::from_selection(selection, snapshot.names.privacy());
    let mut batches = BatchBuilder::new(selection, snapshot)?;
    let (cached, direct) = sources(selection, &stored, snapshot, memory)?;
    for (timeline, known) in cached {
        known.add_to(&mut batches, timeline)?;
    }
    read_directly(&direct, selection, &stored, snapshot, memory, |rows, block| {
        batches.add(rows.timeline, &rows.combinations, &block)?;
        Ok(batches.remaining_rows() > 0)
    })?;
    batches.finish()
}

/// Reads the rows of a scan into memory, so that a query can process one part after another. Use
/// this function only for a history without privacy settings.
pub(crate) fn read_cached(
    selection: &Selection,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<CachedActivities> {
    let stored = StoredColumns::from_selection(selection, snapshot.names.privacy());
    let (mut timelines, direct) = sources(selection, &stored, snapshot, memory)?;
    let mut blocks = Vec::new();
    let read = read_directly(&direct, selection, &stored, snapshot, memory, |rows, block| {
        blocks.push((rows.timeline, Arc::new(block.pack())));
        Ok(true)
    })?;
    timelines.extend(read.into_iter().map(|rows| {
        let own = blocks.iter().filter(|(timeline, _)| *timeline == rows.timeline);
        let own = own.map(|(_, block)| Arc::clone(block)).collect();
        (rows.timeline, Arc::new(TimelineCache::from_rows(stored.clone(), rows.combinations, own)))
    }));
    Ok(CachedActivities { commit: snapshot.commit(), timelines })
}

/// The timelines that are in memory, and the timelines to read from the file. The latter come with the index to use.
type TimelineSources = (Vec<(i64, Arc<TimelineCache>)>, Vec<(i64, Index)>);

/// Decides for each timeline whether its rows come from memory or from the file. Reads whole timelines
/// into memory if this is worth the cost.
fn sources(
    selection: &Selection,
    stored: &StoredColumns,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<TimelineSources> {
    let (mut cached, mut whole, mut direct) = (Vec::new(), Vec::new(), Vec::new());
    for timeline in wanted_timelines(selection, snapshot.names) {
        if let Some(known) = cached_timeline(timeline, selection, stored, snapshot, memory)? {
            cached.push((timeline.id, known));
            continue;
        }
        let reach = Reach::estimate(selection, snapshot, timeline)?;
        match worth_caching(timeline, selection, stored, reach, snapshot, memory)? {
            Some(index) => whole.push((timeline.id, index)),
            None => direct.push((timeline.id, reach.index())),
        }
    }
    cached.extend(TimelineCache::load(&whole, stored, snapshot, memory)?);
    Ok((cached, direct))
}

/// Updates the cached timeline to the snapshot's commit, and returns it. Returns `None` if the timeline must be read
/// from the file.
fn cached_timeline(
    timeline: &Timeline,
    selection: &Selection,
    stored: &StoredColumns,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<Option<Arc<TimelineCache>>> {
    let Some((known, is_current)) = memory.timeline(timeline.id) else { return Ok(None) };
    if !known.covers(stored) {
        return Ok(None);
    }
    let starts = StartRange::from_selection(selection);
    if is_current && known.is_checked(&starts) {
        return Ok(Some(known));
    }
    let later = if is_current { Some(known) } else { known.catch_up(timeline.id, snapshot)?.map(Arc::new) };
    let later = later.map(|later| later.check(timeline.id, &starts, snapshot)).transpose()?.flatten();
    match &later {
        Some(later) => memory.keep(timeline.id, later),
        None => memory.forget(timeline.id),
    }
    Ok(later)
}

/// Reads the timelines whose role is in [`PRELOADED`] into the cache. If these timelines would need more than three
/// quarters of `max_bytes`, reads nothing.
pub(crate) fn preload(snapshot: &Snapshot<'_>, memory: &dyn TimelineMemory, max_bytes: usize) -> rusqlite::Result<()> {
    if !memory.is_usable() || !TimelineCache::is_supported(snapshot.shape) {
        return Ok(());
    }
    let (mut whole, mut rows) = (Vec::new(), 0_i64);
    for timeline in snapshot.names.timelines.iter().filter(|timeline| PRELOADED.contains(&timeline.role)) {
        if memory.timeline(timeline.id).is_none() {
            let (index, of_timeline) = statements::whole_timeline(snapshot, timeline)?;
            rows = rows.saturating_add(of_timeline);
            whole.push((timeline.id, index));
        }
    }
    if usize::try_from(rows.saturating_mul(ROW_BYTES)).is_ok_and(|bytes| bytes <= max_bytes / 4 * 3) {
        TimelineCache::load(&whole, &StoredColumns::without_notes(), snapshot, memory)?;
    }
    Ok(())
}

/// Decides whether to read the whole timeline into the cache. If so, returns the index to use. Otherwise, returns
/// `None`. A timeline is cached in two cases: the scan needs most of the timeline, or earlier scans have read as many
/// rows from the file as the timeline has. A scan with a row limit, or a scan that needs only ids, never caches a
/// timeline.
fn worth_caching(
    timeline: &Timeline,
    selection: &Selection,
    stored: &StoredColumns,
    reach: Reach,
    snapshot: &Snapshot<'_>,
    memory: &dyn TimelineMemory,
) -> rusqlite::Result<Option<Index>> {
    if selection.limit.is_some()
        || stored.are_ids_only()
        || !memory.is_usable()
        || !TimelineCache::is_supported(snapshot.shape)
    {
        return Ok(None);
    }
    match reach {
        Reach::Most(index) => Ok(Some(index)),
        Reach::Part(_) => {
            let in_parts = memory.rows_in_parts(timeline.id);
            if in_parts < FEW_ROWS {
                return Ok(None);
            }
            let (index, rows) = statements::whole_timeline(snapshot, timeline)?;
            Ok((in_parts >= rows).then_some(index))
        }
    }
}

/// Reads the rows of the scan from the file. Uses the given index for each timeline. Calls `take` with each block until
/// `take` returns false. Returns the builders, because they contain the combinations of ids.
fn read_directly<'d>(
    timelines: &[(i64, Index)],
    selection: &Selection,
    stored: &StoredColumns,
    snapshot: &Snapshot<'d>,
    memory: &dyn TimelineMemory,
    mut take: impl FnMut(&BlockBuilder<'_>, StoredBlock) -> rusqlite::Result<bool>,
) -> rusqlite::Result<Vec<BlockBuilder<'d>>> {
    let block_rows = selection.limit.unwrap_or(BATCH_ROWS).clamp(1, BATCH_ROWS);
    let mut reading = Vec::new();
    for statement in statements(timelines, Some(selection), &stored.columns(snapshot.shape)) {
        let mut prepared = snapshot.connection.prepare(&statement.sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(&statement.parameters))?;
        let mut budget = snapshot.capacity.row_budget();
        while let Some(row) = rows.next()? {
            snapshot.reading.count_row();
            let Some(rows) = builder_for_row(&mut reading, row, stored, snapshot.names)? else {
                budget.take_row(0)?;
                continue;
            };
            budget.take_row(rows.push(row)?)?;
            if rows.len() >= block_rows {
                let block = rows.take();
                if !take(rows, block)? {
                    return Ok(reading);
                }
            }
        }
    }
    for rows in &mut reading {
        let block = rows.take();
        memory.add_rows_in_parts(rows.timeline, rows.total());
        take(rows, block)?;
    }
    Ok(reading)
}

/// Returns the builder for the row's timeline, or `None` if the row has no timeline. Creates a
/// builder if needed.
fn builder_for_row<'r, 'd>(
    reading: &'r mut Vec<BlockBuilder<'d>>,
    row: &rusqlite::Row<'_>,
    stored: &StoredColumns,
    names: &'d RedactedNames,
) -> rusqlite::Result<Option<&'r mut BlockBuilder<'d>>> {
    let Some(timeline) = number(row, 0)? else { return Ok(None) };
    // A statement without an index reads several timelines in storage order. So rows of different timelines can
    // alternate.
    let known = reading.iter().position(|rows| rows.timeline == timeline);
    if known.is_none() {
        reading.push(BlockBuilder::new(timeline, stored, IdCombinations::default(), names));
    }
    Ok(known.map_or(reading.len().checked_sub(1), Some).and_then(|known| reading.get_mut(known)))
}

pub(super) fn explain(selection: &Selection, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let stored = StoredColumns::from_selection(selection, snapshot.names.privacy());
    let timelines = wanted_timelines(selection, snapshot.names).into_iter();
    let timelines =
        timelines.map(|timeline| Ok((timeline.id, Reach::estimate(selection, snapshot, timeline)?.index())));
    let timelines = timelines.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut lines = Vec::new();
    for statement in statements(&timelines, Some(selection), &stored.columns(snapshot.shape)) {
        lines.extend(snapshot.query_plan(&statement.sql, &statement.parameters)?);
    }
    Ok(lines)
}

fn wanted_timelines<'d>(selection: &Selection, names: &'d RedactedNames) -> Vec<&'d Timeline> {
    let may_hold = |timeline: &Timeline| match timeline.role {
        // A timeline of documents also contains websites, whose rows have another role than their timeline.
        Role::Documents => {
            [Role::Documents, Role::Websites].iter().any(|role| selection.accepts_text("role", Some(role.name())))
        }
        role => selection.accepts_text("role", Some(role.name())),
    };
    let timelines = names.timelines.iter();
    timelines
        .filter(|timeline| selection.accepts_number("timeline_id", timeline.id))
        .filter(|timeline| selection.accepts_text("device", Some(&timeline.device)) && may_hold(timeline))
        .collect()
}

#[cfg(test)]
mod tests;
