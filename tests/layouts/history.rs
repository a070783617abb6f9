//! A small history of one's own making, and how it is asked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use datafusion::arrow::util::display::array_value_to_string;
use dayledger::activity::{
    self, Breakdown, ComputerUsageRequest, DataRangeRequest, DateRange, Detail, EnvironmentRequest, HealthRequest,
    Limit, Minutes, Narrative, NarrativeRequest, PeriodSummary, PeriodSummaryRequest, Question, Tags, TagsRequest,
    TimelinesRequest, Usage, UsageKind, UsageRequest,
};
use dayledger::engine::{self, Engine, QueryLimits};
use dayledger::manictime::{DATABASE_FILE, FoundBy, Locator, Source};
use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};
use tempfile::TempDir;

/// The local date that times without a date lie on, a Wednesday.
pub(super) const DAY: &str = "2025-01-15";
/// Minutes by which the local clock is ahead of UTC, where nothing else is said.
const OFFSET: i64 = 60;

/// A history in a folder of its own, with its writer still at hand.
pub(crate) struct History {
    dir: TempDir,
    folder: PathBuf,
    writer: HistoryWriter,
    groups: HashMap<(i64, String), i64>,
    lists: HashMap<(i64, String), i64>,
}

impl History {
    /// With every table that `ManicTime` writes.
    pub(crate) fn new() -> Self {
        Self::with(SchemaOptions::default())
    }

    /// With the core tables only.
    pub(crate) fn core() -> Self {
        Self::with(SchemaOptions::core())
    }

    /// With the chosen tables.
    pub(super) fn with(options: SchemaOptions) -> Self {
        Self::in_folder("", options)
    }

    /// In a folder of this name.
    pub(super) fn in_folder(name: &str, options: SchemaOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let writer = HistoryWriter::create(&folder.join(DATABASE_FILE), options).unwrap();
        writer.connection().execute_batch("PRAGMA synchronous = OFF").unwrap();
        Self { dir, folder, writer, groups: HashMap::new(), lists: HashMap::new() }
    }

    /// One device with an hour of active use, in one application.
    pub(super) fn of_one_hour() -> Self {
        let mut history = Self::new();
        history.device(1, "desk-id", "DESK");
        history.active(1, "09:00", "10:00");
        history.application(2, "Editor", "09:00", "10:00");
        history.commit();
        history
    }

    /// Adds a device with timelines `first` (computer usage), then applications, documents and tags.
    pub(crate) fn device(&mut self, first: i64, id: &str, name: &str) {
        self.writer.add_environment(id, name, Some("linux;6.1")).unwrap();
        self.timeline(&Timeline::computer_usage(first, id));
        self.timeline(&Timeline::applications(first + 1, id));
        self.timeline(&Timeline::documents(first + 2, id));
        self.timeline(&Timeline::tags(first + 3, id));
    }

    pub(crate) fn timeline(&mut self, timeline: &Timeline<'_>) {
        self.writer.add_timeline(timeline).unwrap();
    }

    /// Adds a state with its key and its shown name; no key where it is empty.
    pub(super) fn state(&mut self, timeline: i64, (key, name): (&str, &str), from: &str, to: &str) -> i64 {
        let group = self.group(timeline, &Group::state(key, name));
        self.activity(timeline, &Activity::new(name, span(from, to)).group(group))
    }

    pub(crate) fn active(&mut self, timeline: i64, from: &str, to: &str) -> i64 {
        self.state(timeline, ("ManicTime/Active", "Active"), from, to)
    }

    /// Adds an application activity; the window is titled as the application.
    pub(crate) fn application(&mut self, timeline: i64, name: &str, from: &str, to: &str) -> i64 {
        let key = format!("{name}.exe;{name}").to_lowercase();
        let group = self.group(timeline, &Group::application(&key, name));
        self.activity(timeline, &Activity::new(name, span(from, to)).group(group))
    }

    pub(crate) fn website(&mut self, timeline: i64, host: &str, from: &str, to: &str) -> i64 {
        let group = self.group(timeline, &Group::web_site(host));
        self.activity(timeline, &Activity::new(&format!("https://{host}/page"), span(from, to)).group(group))
    }

    pub(crate) fn document(&mut self, timeline: i64, path: &str, from: &str, to: &str) -> i64 {
        let name = path.rsplit('/').next().unwrap_or(path);
        let group = self.group(timeline, &Group::file(path, name));
        self.activity(timeline, &Activity::new(path, span(from, to)).group(group))
    }

    /// Adds a tagged stretch, as a list of tags.
    pub(crate) fn tag(&mut self, timeline: i64, parts: &[&str], from: &str, to: &str) -> i64 {
        let groups: Vec<_> = parts.iter().map(|part| self.group(timeline, &Group::tag(part))).collect();
        let name = parts.join(", ");
        let list = match self.lists.get(&(timeline, name.clone())) {
            Some(list) => *list,
            None => self.writer.add_group_list(timeline, &name, &groups, false).unwrap(),
        };
        self.lists.insert((timeline, name.clone()), list);
        self.activity(timeline, &Activity::new(&name, span(from, to)).group_list(list))
    }

    pub(super) fn activity(&mut self, timeline: i64, activity: &Activity<'_>) -> i64 {
        self.writer.add_activity(timeline, activity).unwrap()
    }

    pub(super) fn group(&mut self, timeline: i64, group: &Group<'_>) -> i64 {
        if let Some(known) = self.groups.get(&(timeline, group.key.to_owned())) {
            return *known;
        }
        let id = self.writer.add_group(timeline, group).unwrap();
        self.groups.insert((timeline, group.key.to_owned()), id);
        id
    }

    pub(crate) fn writer(&mut self) -> &mut HistoryWriter {
        &mut self.writer
    }

    pub(crate) fn commit(&mut self) {
        self.writer.commit().unwrap();
    }

    /// Commits, then runs statements that no method of the writer knows.
    pub(crate) fn sql(&mut self, text: &str) {
        self.commit();
        self.writer.connection().execute_batch(text).unwrap();
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.join(DATABASE_FILE)
    }

    pub(super) fn engine(&self) -> Engine {
        engine_at(&self.folder)
    }

    /// Closes the writer and leaves the folder.
    pub(crate) fn close(mut self) -> Closed {
        self.commit();
        let connection = self.writer.finish().unwrap();
        connection.close().unwrap();
        Closed { folder: self.folder, _dir: self.dir }
    }
}

/// The folder of a history that nobody writes.
pub(crate) struct Closed {
    folder: PathBuf,
    _dir: TempDir,
}

impl Closed {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.join(DATABASE_FILE)
    }
}

pub(super) fn engine_at(place: &Path) -> Engine {
    engine_over(Source::new(Locator::named(place, FoundBy::Flag)))
}

pub(super) fn engine_over(source: Source) -> Engine {
    dayledger::engine_over(source).unwrap()
}

/// A time as `ManicTime` stores it: `09:00` and `09:00:30` lie on [`DAY`].
pub(super) fn stored(time: &str) -> String {
    match time.len() {
        5 => format!("{DAY} {time}:00"),
        8 => format!("{DAY} {time}"),
        _ => time.to_owned(),
    }
}

pub(super) fn span(from: &str, to: &str) -> Span {
    Span::local(&stored(from), &stored(to), OFFSET).unwrap()
}

/// Asks a question and waits for its answer.
pub(super) fn ask<Q: Question>(engine: &Engine, question: Q) -> Result<Q::Answer, activity::Error> {
    wait(question.answer(engine))
}

fn wait<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(answer)
}

pub(super) fn range(start: &str, end: &str) -> DateRange {
    DateRange::parse(start, end, ("start", "end")).unwrap()
}

/// The whole local day `date`.
pub(super) fn day(date: &str) -> DateRange {
    DateRange::day(activity::parse_date(date, "date").unwrap())
}

pub(super) fn narrative_request(range: DateRange) -> NarrativeRequest {
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

pub(super) fn narrative(engine: &Engine, range: DateRange) -> Narrative {
    ask(engine, narrative_request(range)).unwrap()
}

/// The narrative of [`DAY`].
pub(super) fn today(engine: &Engine) -> Narrative {
    narrative(engine, day(DAY))
}

/// The top applications of a narrative, as `name minutes`.
pub(super) fn tops(narrative: &Narrative) -> Vec<String> {
    let tops = narrative.top_applications.iter().flatten();
    tops.map(|top| format!("{} {:.1}", top.name, top.total_minutes)).collect()
}

/// The segments of a narrative, as `start end application minutes`.
pub(super) fn segments(narrative: &Narrative) -> Vec<String> {
    let segments = narrative.segments.iter().flatten();
    segments
        .map(|it| format!("{} {} {} {:.1}", &it.start[11..16], &it.end[11..16], it.application, it.duration_minutes))
        .collect()
}

pub(super) fn period(engine: &Engine, start: &str, end: &str) -> PeriodSummary {
    ask(engine, PeriodSummaryRequest { range: range(start, end), device: None }).unwrap()
}

pub(super) fn usage(engine: &Engine, range: DateRange) -> Usage {
    let (limit, breakdown) = (Limit::MAXIMUM, Breakdown::Day);
    ask(engine, UsageRequest { kind: UsageKind::Applications, range, limit, breakdown, cursor: None }).unwrap()
}

pub(super) fn tags(engine: &Engine) -> Tags {
    ask(engine, TagsRequest { range: day(DAY), cursor: None }).unwrap()
}

/// The rows of a statement, each as its values with ` | ` between them.
pub(super) fn rows(engine: &Engine, sql: &str) -> Vec<String> {
    try_rows(engine, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

pub(super) fn try_rows(engine: &Engine, sql: &str) -> Result<Vec<String>, engine::Error> {
    let table = wait(engine.query(sql, &QueryLimits::default()))?;
    let row = |batch: &datafusion::arrow::array::RecordBatch, row: usize| {
        let values = batch.columns().iter().map(|column| array_value_to_string(column, row).unwrap());
        values.collect::<Vec<_>>().join(" | ")
    };
    Ok(table.batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |index| row(batch, index))).collect())
}

/// How `SQLite` carries out the scans of a statement.
pub(super) fn sqlite_plans(engine: &Engine, sql: &str) -> Vec<String> {
    wait(engine.sqlite_plans(sql.to_owned())).unwrap()
}

/// Asks one question of every kind about [`DAY`]; the first that fails is the error.
pub(super) fn ask_everything(engine: &Engine) -> Result<(), activity::Error> {
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
pub(super) fn read_every_table(engine: &Engine) {
    let tables = "SELECT table_schema || '.' || table_name FROM information_schema.tables \
                  WHERE table_schema IN ('model', 'manictime') AND table_name <> 'screenshots'";
    for table in rows(engine, tables) {
        rows(engine, &format!("SELECT * FROM {table}"));
    }
}

/// The contract's code of a failed question.
pub(super) fn code(error: &activity::Error) -> &'static str {
    match error {
        activity::Error::Engine(error) => error.code(),
        activity::Error::Screenshots(error) => error.code(),
        activity::Error::Request(error) => panic!("the request was refused: {error}"),
    }
}
