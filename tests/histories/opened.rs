//! A history that is asked for good: an engine stays over it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use dayledger::House;
use dayledger::activity::{Daybook, DaybookRequest, Narrative, PeriodSummary, PeriodSummaryRequest, Usage, UsageKind};
use dayledger::engine::{Engine, QueryLimits};
use dayledger::export::{Export, ExportTable, FileFormat};
use dayledger::manictime::Privacy;
use dayledger::question::{DateRange, Error, Question, Room};
use dayledger_fixtures::{HistoryWriter, SchemaOptions};
use tempfile::TempDir;

use super::asking::{cells, segments_request, usage_request, wait};
use super::engines::{engine_over_archive, house_over, source_at};

/// A history in a directory of its own, and an engine over it.
pub(crate) struct Opened {
    pub(crate) engine: Engine,
    /// Absent where an export is asked.
    house: Option<House>,
    directory: Arc<TempDir>,
}

impl Opened {
    /// Where it lies.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a history with `write`.
    pub(crate) fn written(options: &SchemaOptions, write: impl FnOnce(&mut HistoryWriter)) -> Self {
        let directory = TempDir::new().unwrap();
        let mut writer = HistoryWriter::in_folder(directory.path(), options.clone()).unwrap();
        write(&mut writer);
        writer.finish().unwrap().close().unwrap();
        Self::over(Arc::new(directory), Privacy::default())
    }

    /// The same history of which less is told.
    pub(crate) fn under(&self, privacy: Privacy) -> Self {
        Self::over(Arc::clone(&self.directory), privacy)
    }

    /// What an export of its months, one after the other, makes of it, asked like a history.
    pub(crate) fn exported(&self, months: &[&str], tables: &[ExportTable]) -> Self {
        let directory = Arc::new(TempDir::new().unwrap());
        for month in months {
            let export = Export {
                folder: directory.path().to_owned(),
                person: None,
                range: Some(month_of(month)),
                tables: tables.iter().copied().collect(),
                format: FileFormat::Parquet,
                separator: None,
            };
            let now = NaiveDate::from_ymd_opt(2026, 12, 24).unwrap().and_time(NaiveTime::MIN);
            wait(export.run(self.house().history(), now, &mut |_| ())).unwrap();
        }
        Self { engine: engine_over_archive(directory.path()), house: None, directory }
    }

    /// Who answers typed questions, which are of a history and not of its export.
    fn house(&self) -> &House {
        self.house.as_ref().unwrap()
    }

    fn over(directory: Arc<TempDir>, privacy: Privacy) -> Self {
        let source = source_at(directory.path()).with_privacy(privacy);
        let house = house_over(source);
        Self { engine: house.engine().clone(), house: Some(house), directory }
    }

    /// Asks in SQL; a line per row, values separated by `|`, nulls empty.
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        let table = wait(self.engine.query(sql, &QueryLimits::default())).unwrap();
        cells(&table).iter().map(|row| row.join("|")).collect()
    }

    /// Asks in SQL for one row of numbers; null is 0.
    pub(crate) fn numbers(&self, sql: &str) -> Vec<i64> {
        let lines = self.sql(sql);
        let [line] = lines.as_slice() else { panic!("one row expected: {lines:?}") };
        line.split('|').map(|number| if number.is_empty() { 0 } else { number.parse().unwrap() }).collect()
    }

    /// The narrative of a range, everything listed.
    pub(crate) fn narrative(&self, range: DateRange) -> Narrative {
        self.answer(segments_request(range))
    }

    /// The summary of a period.
    pub(crate) fn period(&self, range: DateRange) -> PeriodSummary {
        self.answer(PeriodSummaryRequest::of(range))
    }

    /// What a page tells of a range.
    pub(crate) fn daybook(&self, request: DaybookRequest) -> Daybook {
        wait(request.answer(&self.engine)).unwrap()
    }

    /// Recorded time by day.
    pub(crate) fn usage(&self, kind: UsageKind, range: DateRange) -> Usage {
        self.answer(usage_request(kind, range))
    }

    /// Why a typed question has no answer.
    pub(crate) fn refusal<Q: Question<Of: Room<House>>>(&self, question: Q) -> Error
    where
        Q::Answer: std::fmt::Debug,
    {
        wait(self.house().ask(question)).unwrap_err()
    }

    /// Asks a typed question.
    pub(crate) fn answer<Q: Question<Of: Room<House>>>(&self, question: Q) -> Q::Answer {
        wait(self.house().ask(question)).unwrap()
    }
}

fn month_of(text: &str) -> Range<NaiveDateTime> {
    let month = DateRange::parse(text, None, ("from", "to")).unwrap();
    month.start()..month.end()
}
