//! Questions about a history, and their answers as lines of text.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::array_value_to_string;
use dayledger::activity::{
    self, Breakdown, ComputerUsageRequest, DataRangeRequest, DateRange, Detail, EnvironmentRequest, HealthRequest,
    Limit, Minutes, Narrative, NarrativeRequest, PeriodSummary, PeriodSummaryRequest, Question, Tags, TagsRequest,
    TimelinesRequest, Usage, UsageKind, UsageRequest,
};
use dayledger::engine::{self, Engine, QueryLimits, Table};

use super::writing::DAY;

/// Asks a question and waits for its answer.
pub(crate) fn ask<Q: Question>(engine: &Engine, question: Q) -> Result<Q::Answer, activity::Error> {
    wait(question.answer(engine))
}

/// Waits for an answer.
pub(crate) fn wait<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(answer)
}

pub(crate) fn range(start: &str, end: &str) -> DateRange {
    DateRange::parse(start, end, ("start", "end")).unwrap()
}

/// The whole local day `date`.
pub(crate) fn day(date: &str) -> DateRange {
    DateRange::day(activity::parse_date(date, "date").unwrap())
}

/// Everything of a range, at default settings.
pub(crate) fn narrative_request(range: DateRange) -> NarrativeRequest {
    NarrativeRequest {
        range,
        detail: Detail::Full,
        include_websites: true,
        min_duration: Minutes::parse(None, 0.0, "min").unwrap(),
        max_gap: Minutes::parse(None, 2.0, "gap").unwrap(),
        include_summary: true,
        max_segments: Limit::MAXIMUM,
        cursor: None,
        device: None,
        include_titles: false,
    }
}

/// The same without its summary.
pub(crate) fn segments_request(range: DateRange) -> NarrativeRequest {
    NarrativeRequest { include_summary: false, ..narrative_request(range) }
}

pub(crate) fn narrative(engine: &Engine, range: DateRange) -> Narrative {
    ask(engine, narrative_request(range)).unwrap()
}

/// The narrative of [`DAY`].
pub(crate) fn today(engine: &Engine) -> Narrative {
    narrative(engine, day(DAY))
}

/// The top applications of a narrative, as `name minutes`.
pub(crate) fn tops(narrative: &Narrative) -> Vec<String> {
    let tops = narrative.top_applications.iter().flatten();
    tops.map(|top| format!("{} {:.1}", top.name, top.total_minutes)).collect()
}

/// The segments of a narrative, as `start end application minutes`.
pub(crate) fn segments(narrative: &Narrative) -> Vec<String> {
    let segments = narrative.segments.iter().flatten();
    segments
        .map(|it| format!("{} {} {} {:.1}", &it.start[11..16], &it.end[11..16], it.application, it.duration_minutes))
        .collect()
}

pub(crate) fn period(engine: &Engine, start: &str, end: &str) -> PeriodSummary {
    ask(engine, PeriodSummaryRequest { range: range(start, end), device: None }).unwrap()
}

pub(crate) fn usage(engine: &Engine, range: DateRange) -> Usage {
    let (limit, breakdown) = (Limit::MAXIMUM, Breakdown::Day);
    ask(engine, UsageRequest { kind: UsageKind::Applications, range, limit, breakdown, cursor: None }).unwrap()
}

pub(crate) fn tags(engine: &Engine) -> Tags {
    ask(engine, TagsRequest { range: day(DAY), cursor: None }).unwrap()
}

/// The rows of a statement, each as its values with ` | ` between them.
pub(crate) fn rows(engine: &Engine, sql: &str) -> Vec<String> {
    try_rows(engine, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

pub(crate) fn try_rows(engine: &Engine, sql: &str) -> Result<Vec<String>, engine::Error> {
    let table = wait(engine.query(sql, &QueryLimits::default()))?;
    Ok(cells(&table).iter().map(|row| row.join(" | ")).collect())
}

/// The values of a table as text, row by row; nulls are empty.
pub(crate) fn cells(table: &Table) -> Vec<Vec<String>> {
    let text = |batch: &RecordBatch, row: usize| {
        batch.columns().iter().map(|column| array_value_to_string(column, row).unwrap()).collect()
    };
    table.batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| text(batch, row))).collect()
}

/// How `SQLite` carries out the scans of a statement.
pub(crate) fn sqlite_plans(engine: &Engine, sql: &str) -> Vec<String> {
    wait(engine.sqlite_plans(sql.to_owned())).unwrap()
}

/// Asks one question of every kind about [`DAY`]; the first that fails is the error.
pub(crate) fn ask_everything(engine: &Engine) -> Result<(), activity::Error> {
    let range = day(DAY);
    ask(engine, narrative_request(range))?;
    ask(engine, NarrativeRequest { include_titles: true, ..narrative_request(range) })?;
    ask(engine, PeriodSummaryRequest { range, device: None })?;
    for kind in [UsageKind::Applications, UsageKind::Documents] {
        ask(engine, UsageRequest { kind, range, limit: Limit::MAXIMUM, breakdown: Breakdown::Day, cursor: None })?;
    }
    ask(engine, TagsRequest { range, cursor: None })?;
    ask(engine, ComputerUsageRequest { range, device: None, cursor: None })?;
    ask(engine, TimelinesRequest)?;
    ask(engine, EnvironmentRequest)?;
    ask(engine, DataRangeRequest)?;
    ask(engine, HealthRequest)?;
    Ok(())
}

/// Reads every view and every table of the file whole; screenshots are not in it and need a range.
pub(crate) fn read_every_table(engine: &Engine) {
    let tables = "SELECT table_schema || '.' || table_name FROM information_schema.tables \
                  WHERE table_schema IN ('model', 'manictime') AND table_name <> 'screenshots'";
    for table in rows(engine, tables) {
        rows(engine, &format!("SELECT * FROM {table}"));
    }
}

/// The contract's code of a failed question.
pub(crate) fn code(error: &activity::Error) -> &'static str {
    match error {
        activity::Error::Engine(error) => error.code(),
        activity::Error::Screenshots(error) => error.code(),
        activity::Error::Request(error) => panic!("the request was refused: {error}"),
    }
}
