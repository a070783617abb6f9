//! The table that `sql/functions/unlogged.sql` reads. Each row is an interval that no entry covers: active time, or
//! tagged time away from the computer.

use chrono::NaiveDateTime;
use dayledger_timesheet::draft::{self, UnloggedTime};

use super::super::drafts::with_draft_input;
use super::super::service::TimesheetService;
use super::super::work::Work;
use super::day_ranges::{TableError, read_by_days};
use super::drafted_rows::start_of;
use dayledger_engine::VirtualTable;
use dayledger_engine::columns::{Column, flags, instants, optional_text, record_batch, schema, utc_time};

/// Creates the table of unlogged time.
pub(super) fn unlogged_time(service: TimesheetService) -> VirtualTable {
    let schema = schema(columns(&[], &Work::default()));
    VirtualTable::with_range("unlogged_time", "day_local", schema, move |range| {
        read_by_days(service.clone(), range, |sheet, first, last| async move {
            let (unlogged, work, _) = with_draft_input(&sheet, first, last, draft::unlogged_time).await?;
            Ok::<_, TableError>(record_batch(columns(&unlogged, &work))?)
        })
    })
}

fn columns(unlogged: &[UnloggedTime], work: &Work) -> [Column; 10] {
    let each = || unlogged.iter();
    let local: Vec<(NaiveDateTime, NaiveDateTime)> = each()
        .map(|interval| work.local_part(interval.device.as_ref(), interval.start_utc, interval.end_utc))
        .collect();
    [
        instants("day_local", each().map(|interval| start_of(interval.day))),
        instants("start_local", local.iter().map(|(start, _)| *start)),
        instants("end_local", local.iter().map(|(_, end)| *end)),
        instants("start_utc", each().map(|interval| utc_time(interval.start_utc))),
        instants("end_utc", each().map(|interval| utc_time(interval.end_utc))),
        optional_text("project_code", each().map(|interval| Some(&interval.target.as_ref()?.project))),
        optional_text("task", each().map(|interval| interval.target.as_ref()?.task.as_ref())),
        optional_text("application", each().map(|interval| interval.application.as_ref())),
        optional_text("device", each().map(|interval| interval.device.as_ref())),
        flags("is_away", each().map(|interval| Some(interval.is_away)), false),
    ]
}
