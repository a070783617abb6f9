//! What `sql/functions/unlogged.sql` reads: a row is a stretch of active time that no entry covers.

use chrono::NaiveDateTime;
use dayledger_timesheet::draft::Unlogged;

use super::super::drafting::free;
use super::super::sheet::Sheet;
use super::super::stretches::Work;
use super::by_days::{Failed, by_days};
use super::drafted_rows::midnight;
use crate::engine::SourceTable;
use crate::engine::columns::{Column, instants, rows, schema, text_if_any, utc};

/// Active time without entries.
pub(super) fn unlogged_time(sheet: Sheet) -> SourceTable {
    let schema = schema(columns(&[], &Work::default()));
    SourceTable::by_range("unlogged_time", "day_local", schema, move |range| {
        by_days(sheet.clone(), range, |sheet, first, last| async move {
            let (unlogged, work) = free(&sheet, first, last).await?;
            Ok::<_, Failed>(rows(columns(&unlogged, &work))?)
        })
    })
}

fn columns(unlogged: &[Unlogged], work: &Work) -> [Column; 9] {
    let each = || unlogged.iter();
    let local: Vec<(NaiveDateTime, NaiveDateTime)> =
        each().map(|stretch| work.local_part(stretch.device.as_ref(), stretch.start_utc, stretch.end_utc)).collect();
    [
        instants("day_local", each().map(|stretch| midnight(stretch.day))),
        instants("start_local", local.iter().map(|(start, _)| *start)),
        instants("end_local", local.iter().map(|(_, end)| *end)),
        instants("start_utc", each().map(|stretch| utc(stretch.start_utc))),
        instants("end_utc", each().map(|stretch| utc(stretch.end_utc))),
        text_if_any("project_code", each().map(|stretch| Some(&stretch.target.as_ref()?.project))),
        text_if_any("task", each().map(|stretch| stretch.target.as_ref()?.task.as_ref())),
        text_if_any("application", each().map(|stretch| stretch.application.as_ref())),
        text_if_any("device", each().map(|stretch| stretch.device.as_ref())),
    ]
}
