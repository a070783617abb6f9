//! What `sql/functions/unlogged.sql` reads: a row is a stretch of active time that no entry covers.

use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;
use datafusion::arrow::datatypes::SchemaRef;
use dayledger_timesheet::draft::Unlogged;

use super::super::drafting::free;
use super::super::sheet::Sheet;
use super::super::stretches::Work;
use super::by_days::{Failed, by_days};
use super::drafted_rows::midnight;
use crate::engine::columns::{Column, instants, rows, schema, text_if_any, utc};
use crate::engine::{RangedTable, TableRows};

/// Active time without entries.
#[derive(Debug)]
pub(super) struct UnloggedTime {
    sheet: Sheet,
    schema: SchemaRef,
}

impl UnloggedTime {
    pub(super) fn new(sheet: Sheet) -> Self {
        Self { sheet, schema: schema(columns(&[], &Work::default())) }
    }
}

impl RangedTable for UnloggedTime {
    fn name(&self) -> &'static str {
        "unlogged_time"
    }

    fn clock(&self) -> &'static str {
        "day_local"
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn rows(self: Arc<Self>, range: Range<NaiveDateTime>) -> TableRows {
        by_days(self.sheet.clone(), range, |sheet, first, last| async move {
            let (unlogged, work) = free(&sheet, first, last).await?;
            Ok::<_, Failed>(rows(columns(&unlogged, &work))?)
        })
    }
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
