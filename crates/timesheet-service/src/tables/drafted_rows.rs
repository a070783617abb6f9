//! The table that `sql/functions/draft.sql` reads. Each row is a row of a draft with the default settings.

use chrono::NaiveDateTime;
use dayledger_core::local_days::LocalDays;
use dayledger_timesheet::Day;
use dayledger_timesheet::draft::{Row, Settings};

use super::super::drafts::draft_days;
use super::super::service::TimesheetService;
use super::super::suggestions::describe_source;
use super::day_ranges::{TableError, read_by_days};
use super::hours;
use dayledger_engine::VirtualTable;
use dayledger_engine::columns::{Column, instants, numbers, optional_text, record_batch, schema, text, text_lists};

/// Creates the table of drafted rows.
pub(super) fn drafted_rows(service: TimesheetService) -> VirtualTable {
    VirtualTable::with_range("drafted_rows", "day_local", schema(columns(&[])), move |range| {
        read_by_days(service.clone(), range, |sheet, first, last| async move {
            let (mut draft, ..) = draft_days(&sheet, first, last, Settings::default()).await?;
            draft.rows.retain(|row| !row.is_unconfirmed());
            Ok::<_, TableError>(record_batch(columns(&draft.rows))?)
        })
    })
}

/// Returns the local time at which a day starts.
pub(super) fn start_of(day: Day) -> NaiveDateTime {
    LocalDays::current().start_of(day.date())
}

fn columns(drafted: &[Row]) -> [Column; 11] {
    let each = || drafted.iter();
    [
        instants("day_local", each().map(|row| start_of(row.day))),
        optional_text("project_code", each().map(|row| row.project_code.as_ref())),
        optional_text("task", each().map(|row| row.task.as_ref())),
        hours("hours", each().map(|row| row.hours)),
        numbers("seconds", each().map(|row| row.seconds)),
        optional_text("description", each().map(|row| row.description.as_ref())),
        optional_text("issue_id", each().map(|row| row.issue_id.as_ref())),
        text_lists("named_by", each().map(|row| row.named_by.iter().filter_map(describe_source).collect())),
        numbers("confidence", each().map(|row| row.confidence.into())),
        text("row_id", each().map(|row| row.id.as_str())),
        numbers("away_seconds", each().map(|row| row.away_seconds)),
    ]
}
