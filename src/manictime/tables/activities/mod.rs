//! `activities`: every row of `Ar_Activity`, with names, keys, colours, role and device resolved while it is read.
//!
//! Every index of `Ar_Activity` begins with `ReportId`, so a range is asked for one timeline at a time ([`statements`]).
//! What most of a timeline was read for stays in memory as it was read and follows the file ([`followed`]); what is
//! asked of it is answered from there. Either way a question gets the same batches, made in one place ([`answer`]): names
//! are resolved and words withheld anew for each.

mod answer;
mod block;
mod followed;
mod needs;
mod statements;

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Field, SchemaRef};

use super::{BATCH_ROWS, instant, query_plan, schema_of};
use crate::manictime::dimensions::{Dimensions, Role, Timeline};
use crate::manictime::scan::Scan;
use crate::manictime::source::Snapshot;
use crate::manictime::value::number;
use answer::Answer;
use block::{Names, Rows};
pub(crate) use followed::Followed;
use needs::Needs;
use statements::{CHECKED, Index, Reach, columns, statements, time_conditions};

pub(super) fn schema() -> SchemaRef {
    let text = DataType::Utf8View;
    let texts = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true)));
    schema_of(&[
        ("timeline_id", DataType::Int64, false),
        ("activity_id", DataType::Int64, false),
        ("role", text.clone(), false),
        ("device", text.clone(), false),
        ("is_tracked", DataType::Boolean, false),
        ("name", text.clone(), true),
        ("title", text.clone(), true),
        ("key", text.clone(), true),
        ("color", text.clone(), true),
        ("group_name", text.clone(), true),
        ("group_key", text.clone(), true),
        ("group_color", text.clone(), true),
        ("group_type", text.clone(), true),
        ("common_name", text.clone(), true),
        ("tag_path", texts.clone(), true),
        ("linked_tags", texts, true),
        ("is_active", DataType::Boolean, true),
        ("is_billable", DataType::Boolean, true),
        ("notes", text, true),
        ("related_activity_id", DataType::Int64, true),
        ("start_local", instant(), true),
        ("start_utc", instant(), true),
        ("end_local", instant(), true),
        ("end_utc", instant(), true),
        ("seconds", DataType::Int64, true),
    ])
}

pub(super) fn pushes_down(column: &str) -> bool {
    matches!(column, "timeline_id" | "role" | "device" | "start_local" | "end_local")
}

pub(super) fn describe(scan: &Scan) -> String {
    let conditions: Vec<_> = time_conditions(scan, Index::Start)
        .iter()
        .map(|condition| {
            format!(" AND {} {} '{}'", condition.column.trim_start_matches('+'), condition.symbol, condition.text)
        })
        .collect();
    let conditions = conditions.concat();
    format!("table=Ar_Activity, sqlite=[ReportId = ?{conditions}]")
}

pub(super) fn read(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<RecordBatch>> {
    let needs = Needs::of(scan, &snapshot.dimensions.privacy);
    let mut answer = Answer::new(scan, snapshot)?;
    let (mut followed, mut whole, mut direct) = (Vec::new(), Vec::new(), Vec::new());
    for timeline in wanted_timelines(scan, snapshot.dimensions) {
        let reach = Reach::of(scan, snapshot, timeline)?;
        if let Some(known) = known(timeline, &needs, reach, snapshot)? {
            followed.push((timeline.id, known));
        } else if let Some(index) = worth_following(timeline, scan, &needs, reach, snapshot)? {
            whole.push((timeline.id, index));
        } else {
            direct.push((timeline.id, reach.index()));
        }
    }
    followed.extend(Followed::load(&whole, &needs, snapshot)?);
    for (timeline, known) in followed {
        known.answer(timeline, &mut answer)?;
    }
    read_directly(&direct, scan, &needs, snapshot, &mut answer)?;
    answer.finish()
}

/// What is at hand of a timeline, brought to the snapshot's commit, where that is worth it.
fn known(
    timeline: &Timeline,
    needs: &Needs,
    reach: Reach,
    snapshot: &Snapshot<'_>,
) -> rusqlite::Result<Option<Arc<Followed>>> {
    let Some((known, is_current)) = snapshot.memory.timeline(timeline.id) else { return Ok(None) };
    if is_current {
        return Ok(known.covers(needs).then_some(known));
    }
    if !known.covers(needs) || reach.is_little(known.rows()) {
        return Ok(None);
    }
    let followed = known.follow(timeline.id, snapshot)?.map(Arc::new);
    match &followed {
        Some(followed) => snapshot.memory.keep(timeline.id, followed),
        None => snapshot.memory.forget(timeline.id),
    }
    Ok(followed)
}

/// The index by which the whole timeline is read to be kept, where that is worth it: when most of it is wanted, or when
/// parts were read so often that they came to as many rows. Not for a few rows, nor for what an index alone answers.
fn worth_following(
    timeline: &Timeline,
    scan: &Scan,
    needs: &Needs,
    reach: Reach,
    snapshot: &Snapshot<'_>,
) -> rusqlite::Result<Option<Index>> {
    if scan.limit.is_some() || needs.are_ids_only() || !snapshot.memory.is_usable() || !Followed::can_be(snapshot.shape)
    {
        return Ok(None);
    }
    match reach {
        Reach::Most(index) => Ok(Some(index)),
        Reach::Part { .. } => {
            let in_parts = snapshot.memory.rows_in_parts(timeline.id);
            if in_parts < CHECKED {
                return Ok(None);
            }
            let (index, rows) = statements::whole(snapshot, timeline)?;
            Ok((in_parts >= rows && !reach.is_little(rows)).then_some(index))
        }
    }
}

/// Reads the rows of the scan from the file, of each timeline by that index.
fn read_directly(
    timelines: &[(i64, Index)],
    scan: &Scan,
    needs: &Needs,
    snapshot: &Snapshot<'_>,
    answer: &mut Answer<'_>,
) -> rusqlite::Result<()> {
    let mut reading = Vec::new();
    for statement in statements(timelines, Some(scan), &columns(needs, snapshot)) {
        let mut prepared = snapshot.connection.prepare(&statement.sql)?;
        let mut rows = prepared.query(rusqlite::params_from_iter(&statement.parameters))?;
        let mut ration = snapshot.capacity.ration();
        while let Some(row) = rows.next()? {
            snapshot.reading.row();
            let Some(rows) = rows_of(&mut reading, row, needs, snapshot.dimensions)? else {
                ration.row(0)?;
                continue;
            };
            ration.row(rows.push(row)?)?;
            if rows.len() >= answer.wanted().min(BATCH_ROWS) {
                let block = rows.take();
                answer.add(rows.timeline, &rows.names, &block)?;
                if answer.wanted() == 0 {
                    return Ok(());
                }
            }
        }
    }
    for mut rows in reading {
        let block = rows.take();
        snapshot.memory.add_rows_in_parts(rows.timeline, rows.total());
        answer.add(rows.timeline, &rows.names, &block)?;
    }
    Ok(())
}

/// Where the row's timeline is read to.
fn rows_of<'r, 'd>(
    reading: &'r mut Vec<Rows<'d>>,
    row: &rusqlite::Row<'_>,
    needs: &Needs,
    dimensions: &'d Dimensions,
) -> rusqlite::Result<Option<&'r mut Rows<'d>>> {
    let Some(timeline) = number(row, 0)? else { return Ok(None) };
    let known = reading.iter().position(|rows| rows.timeline == timeline);
    if known.is_none() {
        reading.push(Rows::new(timeline, needs, Names::default(), dimensions));
    }
    Ok(known.map_or(reading.len().checked_sub(1), Some).and_then(|known| reading.get_mut(known)))
}

pub(super) fn explain(scan: &Scan, snapshot: &Snapshot<'_>) -> rusqlite::Result<Vec<String>> {
    let needs = Needs::of(scan, &snapshot.dimensions.privacy);
    let timelines = wanted_timelines(scan, snapshot.dimensions).into_iter();
    let timelines = timelines.map(|timeline| Ok((timeline.id, Reach::of(scan, snapshot, timeline)?.index())));
    let timelines = timelines.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut lines = Vec::new();
    for statement in statements(&timelines, Some(scan), &columns(&needs, snapshot)) {
        lines.extend(query_plan(snapshot, &statement.sql, &statement.parameters)?);
    }
    Ok(lines)
}

fn wanted_timelines<'d>(scan: &Scan, dimensions: &'d Dimensions) -> Vec<&'d Timeline> {
    let may_hold = |timeline: &Timeline| match timeline.role {
        Role::Documents => {
            [Role::Documents, Role::Websites].iter().any(|role| scan.accepts_text("role", Some(role.name())))
        }
        role => scan.accepts_text("role", Some(role.name())),
    };
    let timelines = dimensions.timelines.iter();
    timelines
        .filter(|timeline| scan.accepts_number("timeline_id", timeline.id))
        .filter(|timeline| scan.accepts_text("device", Some(&timeline.device)) && may_hold(timeline))
        .collect()
}
