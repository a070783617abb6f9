//! A history with an engine that stays open.

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

/// A history in its own directory, and an engine that reads it.
pub(crate) struct OpenHistory {
    pub(crate) engine: Engine,
    /// The app. `None` for an export.
    app: Option<App>,
    directory: Arc<TempDir>,
}

impl OpenHistory {
    /// Returns the folder of the history.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// Creates a history. `write` writes its rows.
    pub(crate) fn create(options: &SchemaOptions, write: impl FnOnce(&mut HistoryWriter)) -> Self {
        let directory = TempDir::new().unwrap();
        let mut writer = HistoryWriter::in_folder(directory.path(), options.clone()).unwrap();
        write(&mut writer);
        writer.finish().unwrap().close().unwrap();
        Self::open(Arc::new(directory), Privacy::default())
    }

    /// Returns the same history with privacy settings.
    pub(crate) fn with_privacy(&self, privacy: Privacy) -> Self {
        Self::open(Arc::clone(&self.directory), privacy)
    }

    /// Exports the history month by month. Returns the export in a form that can be queried like a history.
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

    /// Returns the app for typed requests. Panics for an export, because typed requests need a history.
    fn app(&self) -> &App {
        self.app.as_ref().unwrap()
    }

    fn open(directory: Arc<TempDir>, privacy: Privacy) -> Self {
        let source = source_at(directory.path()).with_privacy(privacy);
        let app = app_over(source);
        Self { engine: app.engine().clone(), app: Some(app), directory }
    }

    /// Runs SQL. Returns one line per row. Values are separated by `|`, and nulls are empty.
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        let table = block_on(self.engine.query(sql, &QueryLimits::default())).unwrap();
        cells(&table).iter().map(|row| row.join("|")).collect()
    }

    /// Runs SQL that returns one row of numbers. Null becomes 0.
    pub(crate) fn numbers(&self, sql: &str) -> Vec<i64> {
        let lines = self.sql(sql);
        let [line] = lines.as_slice() else { panic!("one row expected: {lines:?}") };
        line.split('|').map(|number| if number.is_empty() { 0 } else { number.parse().unwrap() }).collect()
    }

    /// Returns the narrative of a range, with all items of its lists.
    pub(crate) fn narrative(&self, range: DateRange) -> Narrative {
        self.answer(segments_request(range))
    }

    /// Returns the summary of a period.
    pub(crate) fn period(&self, range: DateRange) -> PeriodSummary {
        self.answer(PeriodSummaryRequest::new(range))
    }

    /// Returns the report of a range.
    pub(crate) fn range_report(&self, request: RangeReportRequest) -> RangeReport {
        block_on(request.answer(&self.engine)).unwrap()
    }

    /// Returns recorded time by day.
    pub(crate) fn usage(&self, kind: UsageKind, range: DateRange) -> Usage {
        self.answer(usage_request(kind, range))
    }

    /// Returns the error of a typed request that must fail.
    pub(crate) fn refusal<Q: Request>(&self, question: Q) -> Error
    where
        App: AsRef<Q::Service>,
        Q::Response: std::fmt::Debug,
    {
        block_on(self.app().run(question)).unwrap_err()
    }

    /// Runs a typed request that must succeed, and returns its response.
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
