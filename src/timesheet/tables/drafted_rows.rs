//! What `sql/functions/draft.sql` reads: a row is one of a draft with its defaults.

use chrono::{NaiveDateTime, NaiveTime};
use dayledger_timesheet::Day;
use dayledger_timesheet::draft::{Row, Settings};

use super::super::drafting::drafted;
use super::super::sheet::Sheet;
use super::super::suggesting::named;
use super::by_days::{Failed, by_days};
use super::hours::hours;
use crate::engine::SourceTable;
use crate::engine::columns::{Column, instants, numbers, rows, schema, text, text_if_any, texts};

/// The rows of drafts.
pub(super) fn drafted_rows(sheet: Sheet) -> SourceTable {
    SourceTable::by_range("drafted_rows", "day_local", schema(columns(&[])), move |range| {
        by_days(sheet.clone(), range, |sheet, first, last| async move {
            let settings = Settings { patterns: sheet.setup()?.patterns.clone(), ..Settings::default() };
            let draft = drafted(&sheet, first, last, &settings).await?.draft;
            Ok::<_, Failed>(rows(columns(&draft.rows))?)
        })
    })
}

/// The start of a local day.
pub(super) fn midnight(day: Day) -> NaiveDateTime {
    day.date().and_time(NaiveTime::MIN)
}

fn columns(drafted: &[Row]) -> [Column; 10] {
    let each = || drafted.iter();
    [
        instants("day_local", each().map(|row| midnight(row.day))),
        text_if_any("project_code", each().map(|row| row.project_code.as_ref())),
        text_if_any("task", each().map(|row| row.task.as_ref())),
        hours("hours", each().map(|row| row.hours)),
        numbers("seconds", each().map(|row| row.seconds)),
        text_if_any("description", each().map(|row| row.description.as_ref())),
        text_if_any("issue_id", each().map(|row| row.issue_id.as_ref())),
        texts("named_by", each().map(|row| row.named_by.iter().filter_map(named).collect())),
        numbers("confidence", each().map(|row| row.confidence.into())),
        text("row_id", each().map(|row| row.id.as_str())),
    ]
}
