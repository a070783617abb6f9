//! A history that is asked for good: an engine stays over it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use dayledger::App;
use dayledger::activity::{
    Narrative, PeriodSummary, PeriodSummaryRequest, RangeReport, RangeReportRequest, Usage, UsageKind,
};
use dayledger::engine::{Engine, QueryLimits};
use dayledger::export::{Export, ExportTable, FileFormat};
use dayledger::request::{DateRange, Error, Request};
use dayledger::source::Privacy;
use dayledger_fixtures::{HistoryWriter, SchemaOptions};
use tempfile::TempDir;

use super::engines::{app_over, engine_over_export, source_at};
use super::queries::{block_on, cells, segments_request, usage_request};

/// A history in a directory of its own, and an engine over it.
pub(crate) struct OpenHistory {
    pub(crate) engine: Engine,
    /// Absent where an export is asked.
    app: Option<App>,
    directory: Arc<TempDir>,
}

impl OpenHistory {
    /// Where it lies.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a history with `write`.
    pub(crate) fn create(options: &SchemaOptions, write: impl FnOnce(&mut HistoryWriter)) -> Self {
        let directory = TempDir::new().unwrap();
        let mut writer = HistoryWriter::in_folder(directory.path(), options.clone()).unwrap();
        write(&mut writer);
        writer.finish().unwrap().close().unwrap();
        Self::open(Arc::new(directory), Privacy::default())
    }

    /// The same history of which less is told.
    pub(crate) fn with_privacy(&self, privacy: Privacy) -> Self {
        Self::open(Arc::clone(&self.directory), privacy)
    }

    /// What an export of its months, one after the other, makes of it, asked like a history.
    pub(crate) fn export(&self, months: &[&str], tables: &[ExportTable]) -> Self {
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
            block_on(export.run(self.app().history(), now, &mut |_| ())).unwrap();
        }
        Self { engine: engine_over_export(directory.path()), app: None, directory }
    }

    /// Who answers typed questions, which are of a history and not of its export.
    fn app(&self) -> &App {
        self.app.as_ref().unwrap()
    }

    fn open(directory: Arc<TempDir>, privacy: Privacy) -> Self {
        let source = source_at(directory.path()).with_privacy(privacy);
        let app = app_over(source);
        Self { engine: app.engine().clone(), app: Some(app), directory }
    }

    /// Asks in SQL; a line per row, values separated by `|`, nulls empty.
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        let table = block_on(self.engine.query(sql, &QueryLimits::default())).unwrap();
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
        self.answer(PeriodSummaryRequest::new(range))
    }

    /// What a page tells of a range.
    pub(crate) fn range_report(&self, request: RangeReportRequest) -> RangeReport {
        block_on(request.answer(&self.engine)).unwrap()
    }

    /// Recorded time by day.
    pub(crate) fn usage(&self, kind: UsageKind, range: DateRange) -> Usage {
        self.answer(usage_request(kind, range))
    }

    /// Why a typed question has no answer.
    pub(crate) fn refusal<Q: Request>(&self, question: Q) -> Error
    where
        App: AsRef<Q::Service>,
        Q::Response: std::fmt::Debug,
    {
        block_on(self.app().run(question)).unwrap_err()
    }

    /// Asks a typed question.
    pub(crate) fn answer<Q: Request>(&self, question: Q) -> Q::Response
    where
        App: AsRef<Q::Service>,
    {
        block_on(self.app().run(question)).unwrap()
    }
}

fn month_of(text: &str) -> Range<NaiveDateTime> {
    let month = DateRange::parse(text, None, ("from", "to")).unwrap();
    month.start()..month.end()
}
