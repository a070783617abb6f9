//! Ways to ask an engine from a test: SQL as lines of text, and typed questions.

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use dayledger::activity::{
    Breakdown, Chronicle, ChronicleRequest, DateRange, Detail, Error, Limit, Minutes, Narrative, NarrativeRequest,
    PeriodSummary, PeriodSummaryRequest, Question, Usage, UsageKind, UsageRequest,
};
use dayledger::engine::{Engine, QueryLimits};

use super::histories::History;

impl History {
    /// Asks in SQL; a line per row, values separated by `|`, nulls empty.
    pub(super) fn sql(&self, sql: &str) -> Vec<String> {
        let table = block_on(self.engine.query(sql, &QueryLimits::default())).unwrap();
        let mut lines = Vec::new();
        for batch in &table.batches {
            let options = FormatOptions::default();
            let columns: Vec<_> =
                batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
            for row in 0..batch.num_rows() {
                let values: Vec<_> = columns.iter().map(|column| column.value(row).to_string()).collect();
                lines.push(values.join("|"));
            }
        }
        lines
    }

    /// Asks in SQL for one row of numbers; null is 0.
    pub(super) fn numbers(&self, sql: &str) -> Vec<i64> {
        let lines = self.sql(sql);
        let [line] = lines.as_slice() else { panic!("one row expected: {lines:?}") };
        line.split('|').map(|number| if number.is_empty() { 0 } else { number.parse().unwrap() }).collect()
    }

    /// The narrative of a range, everything listed.
    pub(super) fn narrative(&self, range: DateRange) -> Narrative {
        self.answer(narrative_request(range))
    }

    /// The summary of a period.
    pub(super) fn period(&self, range: DateRange) -> PeriodSummary {
        self.answer(PeriodSummaryRequest { range, device: None })
    }

    /// What a page tells of a range.
    pub(super) fn chronicle(&self, request: ChronicleRequest) -> Chronicle {
        block_on(request.answer(&self.engine)).unwrap()
    }

    /// Recorded time by day.
    pub(super) fn usage(&self, kind: UsageKind, range: DateRange) -> Usage {
        self.answer(UsageRequest { kind, range, limit: Limit::MAXIMUM, breakdown: Breakdown::Day, cursor: None })
    }

    /// Why a typed question has no answer.
    pub(super) fn refusal<Q: Question>(&self, question: Q) -> Error
    where
        Q::Answer: std::fmt::Debug,
    {
        block_on(question.answer(&self.engine)).unwrap_err()
    }

    /// Asks a typed question.
    pub(super) fn answer<Q: Question>(&self, question: Q) -> Q::Answer {
        let engine: &Engine = &self.engine;
        block_on(question.answer(engine)).unwrap()
    }
}

/// Everything of a range, at default settings.
pub(super) fn narrative_request(range: DateRange) -> NarrativeRequest {
    NarrativeRequest {
        range,
        detail: Detail::Full,
        include_websites: true,
        min_duration: Minutes::parse(Some(0.0), 0.0, "minDurationMinutes").unwrap(),
        max_gap: Minutes::parse(Some(2.0), 2.0, "maxGapMinutes").unwrap(),
        include_summary: false,
        max_segments: Limit::MAXIMUM,
        cursor: None,
        device: None,
        include_titles: false,
    }
}

/// Waits for an answer.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
