//! Runs queries over a history. Results are lines of text.

use arrow::array::RecordBatch;
use arrow::util::display::array_value_to_string;
use dayledger::App;
use dayledger::activity::{
    Breakdown, ComputerUsageRequest, DataRangeRequest, Detail, EnvironmentRequest, Filter, HealthRequest, Narrative,
    NarrativeRequest, PeriodSummary, PeriodSummaryRequest, Tags, TagsRequest, TimeBasis, TimelinesRequest, Usage,
    UsageKind, UsageRequest,
};
use dayledger::engine::{self, QueryLimits, Table};
use dayledger::request::{self, DateRange, Limit, Minutes, Request};

use super::writing::DAY;

/// Runs a request and waits for its response.
pub(crate) fn run_query<Q: Request>(app: &App, question: Q) -> Result<Q::Response, request::Error>
where
    App: AsRef<Q::Service>,
{
    block_on(app.run(question))
}

/// Runs a request and returns its response as JSON.
pub(crate) fn answer_json<Q: Request>(app: &App, request: Q) -> Result<String, request::Error>
where
    App: AsRef<Q::Service>,
{
    run_query(app, request).map(|response| serde_json::to_string(&response).unwrap())
}

/// Runs a future to its end, and returns its result.
pub(crate) fn block_on<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(answer)
}

pub(crate) fn range(start: &str, end: &str) -> DateRange {
    DateRange::parse(start, end, ("start", "end")).unwrap()
}

/// Returns the range of the whole local day `date`.
pub(crate) fn day(date: &str) -> DateRange {
    DateRange::day(request::parse_date(date, "date").unwrap())
}

/// Returns a request for the narrative of a range, with default settings.
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
        filter: Filter::default(),
        include_titles: false,
    }
}

/// Returns a request for the narrative of a range, without its summary.
pub(crate) fn segments_request(range: DateRange) -> NarrativeRequest {
    NarrativeRequest { include_summary: false, ..narrative_request(range) }
}

pub(crate) fn narrative(app: &App, range: DateRange) -> Narrative {
    run_query(app, narrative_request(range)).unwrap()
}

/// Returns the narrative of [`DAY`].
pub(crate) fn today(app: &App) -> Narrative {
    narrative(app, day(DAY))
}

/// Returns the top applications of a narrative as lines `name minutes`.
pub(crate) fn tops(narrative: &Narrative) -> Vec<String> {
    let tops = narrative.top_applications.iter().flatten();
    tops.map(|top| format!("{} {:.1}", top.name, top.total_minutes)).collect()
}

/// Returns the segments of a narrative as lines `start end application minutes`.
pub(crate) fn segments(narrative: &Narrative) -> Vec<String> {
    let segments = narrative.segments.iter().flatten();
    segments
        .map(|it| format!("{} {} {} {:.1}", &it.start[11..16], &it.end[11..16], it.application, it.duration_minutes))
        .collect()
}

pub(crate) fn period(app: &App, start: &str, end: &str) -> PeriodSummary {
    run_query(app, PeriodSummaryRequest::new(range(start, end))).unwrap()
}

/// Returns a request for recorded time by day, with all items of its lists.
pub(crate) fn usage_request(kind: UsageKind, range: DateRange) -> UsageRequest {
    UsageRequest {
        kind,
        range,
        limit: Limit::MAXIMUM,
        breakdown: Breakdown::Day,
        cursor: None,
        time_basis: TimeBasis::Recorded,
        device: None,
        filter: Filter::default(),
    }
}

/// Returns a request for the computer states of all devices, with their intervals.
pub(crate) fn computer_usage_request(range: DateRange) -> ComputerUsageRequest {
    ComputerUsageRequest { range, device: None, include_intervals: true, cursor: None }
}

pub(crate) fn usage(app: &App, range: DateRange) -> Usage {
    run_query(app, usage_request(UsageKind::Applications, range)).unwrap()
}

pub(crate) fn tags(app: &App) -> Tags {
    run_query(app, TagsRequest::new(day(DAY))).unwrap()
}

/// Returns the rows of a statement. Values are separated by ` | `.
pub(crate) fn rows(app: &App, sql: &str) -> Vec<String> {
    try_rows(app, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

pub(crate) fn try_rows(app: &App, sql: &str) -> Result<Vec<String>, engine::Error> {
    let table = block_on(app.engine().query(sql, &QueryLimits::default()))?;
    Ok(cells(&table).iter().map(|row| row.join(" | ")).collect())
}

/// Returns the values of a table as text, row by row. Nulls are empty texts.
pub(crate) fn cells(table: &Table) -> Vec<Vec<String>> {
    let text = |batch: &RecordBatch, row: usize| {
        batch.columns().iter().map(|column| array_value_to_string(column, row).unwrap()).collect()
    };
    table.batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| text(batch, row))).collect()
}

/// Returns `SQLite`'s plans for the scans of a statement.
pub(crate) fn source_plans(app: &App, sql: &str) -> Vec<String> {
    block_on(app.engine().source_plans(sql.to_owned())).unwrap()
}

/// Runs one request of every kind about [`DAY`]. Returns the first error, if any.
pub(crate) fn run_every_query(app: &App) -> Result<(), request::Error> {
    let range = day(DAY);
    run_query(app, narrative_request(range))?;
    run_query(app, NarrativeRequest { include_titles: true, ..narrative_request(range) })?;
    run_query(app, NarrativeRequest { detail: Detail::Blocks, ..narrative_request(range) })?;
    run_query(app, PeriodSummaryRequest::new(range))?;
    for kind in [UsageKind::Applications, UsageKind::Documents] {
        run_query(app, usage_request(kind, range))?;
    }
    run_query(app, TagsRequest::new(range))?;
    run_query(app, computer_usage_request(range))?;
    run_query(app, TimelinesRequest)?;
    run_query(app, EnvironmentRequest)?;
    run_query(app, DataRangeRequest)?;
    run_query(app, HealthRequest)?;
    Ok(())
}

/// Reads every view of the model and every table of the file. Leaves out meetings. Also leaves out screenshots, because
/// they need a range.
pub(crate) fn read_every_table(app: &App) {
    let tables = "SELECT table_schema || '.' || table_name FROM information_schema.tables \
                  WHERE table_schema IN ('model', 'manictime') AND table_name NOT IN ('screenshots', 'meetings')";
    for table in rows(app, tables) {
        rows(app, &format!("SELECT * FROM {table}"));
    }
}

/// Returns the error code of a failed request.
pub(crate) fn code(error: &request::Error) -> &'static str {
    error.code.as_str()
}
