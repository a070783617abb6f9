//! Tests the model in SQL. Every file `files/*.slt` runs over one small history (`histories::small`) with a calendar.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use std::fs;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use dayledger::calendar::{Calendar, Calendars};
use dayledger::engine::{Engine, Error, MAX_PARALLEL_REQUESTS, Model, QueryLimits};
use dayledger::notes::{EnvironmentVariables, NotesConfig, Setup};
use dayledger::rules::Rules;
use dayledger::source::Privacy;
use dayledger::{App, AppBuilder};
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{Day, IdempotencyKey, Ledger, NewEntry, Tag, Timesheet};
use dayledger_udfs::interval::DayStart;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner};

mod bounds;
pub(crate) mod clock;

use crate::histories::{app_over, builder_at, cells, small, source_at, with_timesheet};

/// Runs the statements of sqllogictest on the engine.
struct History(Engine);

/// An error, with the text that a user reads.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Engine(#[from] Error),
    #[error("{0}")]
    Arrow(#[from] ArrowError),
}

#[async_trait::async_trait]
impl AsyncDB for History {
    type Error = Failure;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>, Failure> {
        let table = self.0.query(sql, &QueryLimits::default()).await?;
        let types = table.schema.fields().iter().map(|field| column_type(field.data_type())).collect();
        let mut rows = Vec::new();
        for batch in &table.batches {
            rows.extend(texts(batch)?);
        }
        Ok(DBOutput::Rows { types, rows })
    }

    async fn shutdown(&mut self) {}
}

fn column_type(data_type: &DataType) -> DefaultColumnType {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DefaultColumnType::Text,
        integer if integer.is_integer() => DefaultColumnType::Integer,
        float if float.is_floating() => DefaultColumnType::FloatingPoint,
        _ => DefaultColumnType::Any,
    }
}

fn texts(batch: &RecordBatch) -> Result<Vec<Vec<String>>, ArrowError> {
    let options = FormatOptions::default().with_null("NULL");
    let columns: Vec<_> =
        batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options)).collect::<Result<_, _>>()?;
    let text = |column: &ArrayFormatter<'_>, row| {
        let text = column.value(row).to_string();
        if text.is_empty() { "(empty)".to_owned() } else { text }
    };
    Ok((0..batch.num_rows()).map(|row| columns.iter().map(|column| text(column, row)).collect()).collect())
}

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql/files");
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "slt"));
    files.sort();
    files
}

/// Returns an app with a timesheet of two projects. One project has half an hour on 15 January.
async fn app_with_hours(builder: AppBuilder, folder: &Path) -> App {
    let builder = with_timesheet(
        builder,
        folder,
        r#"
        [[projects]]
        code = "CLIENT-A"
        name = "Client A"
        tasks = ["Development", "Support"]
        tags = { Billable = ["Yes", "No"] }
        [[projects]]
        code = "TALK"
        name = "Meeting"
        tasks = ["Talking"]
        "#,
    );
    let app = builder.build().unwrap();
    // The first query stores the projects in the timesheet.
    app.engine().query("SELECT * FROM projects", &QueryLimits::default()).await.unwrap();
    let ledger = Ledger::open(&folder.join("timesheet.db")).unwrap();
    let day: Day = "2025-01-15".parse().unwrap();
    let entry = NewEntry {
        overtime_hours: "0.10".parse().unwrap(),
        description: Some("First half".to_owned()),
        tags: vec![Tag::new("Billable", "Yes")],
        ..NewEntry::new("CLIENT-A", "Development", "0.15".parse().unwrap(), day, day)
    };
    ledger.log(IdempotencyKey::new(), entry, OverlapPolicy::Refused).await.unwrap();
    app
}

/// Adds two notes. One of them was taken on 15 January. The author lives in the time zone of the calendar.
fn with_notes(builder: AppBuilder, folder: &Path) -> AppBuilder {
    let folder = folder.join("notes");
    let write = |path: &str, text: &str| {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    };
    write("2025-01-15-kickoff.md", include_str!("kickoff.md"));
    write("clients/2025-01-14-plan.md", "# Plan\n! begin with the ledger\n? how long?\n");
    let session =
        r#"{"started_at": "2025-01-15T08:05:00Z", "ended_at": "2025-01-15T08:25:00Z", "duration_minutes": 20}"#;
    write(
        ".meta/2025-01-15-kickoff.json",
        &format!(r#"{{"session": {session}, "processing": {{"style": "standard"}}}}"#),
    );
    let setup = Setup::new(NotesConfig::default(), &folder, EnvironmentVariables::default()).unwrap();
    builder.with_notes(setup.demo(folder, "Europe/Berlin"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_sql_test_file_passes() {
    let dir = small::folder();
    let file = dir.path().join("work.ics");
    fs::write(&file, include_str!("meetings.ics")).unwrap();
    let calendars = Calendars::new(vec![Calendar::from_path(&file).unwrap()]).with_zone("Europe/Berlin");
    let builder = with_notes(builder_at(dir.path()).with_calendars(calendars), dir.path());
    let engine = app_with_hours(builder, dir.path()).await.engine().clone();
    let mut failures = Vec::new();
    for file in files() {
        let engine = engine.clone();
        let mut runner = Runner::new(move || {
            let engine = engine.clone();
            async move { Ok(History(engine)) }
        });
        runner.with_column_validator(sqllogictest::strict_column_validator);
        if let Err(error) = runner.run_file_async(&file).await {
            failures.push(error.display(false).to_string());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn show_tables_lists_tables_and_views_first_and_always_in_the_same_order() {
    let dir = small::folder();
    let mut lists = Vec::new();
    // Without dayledger's own catalog, about half of the sessions would list the schemas in another order.
    for _ in 0..8 {
        let app = app_over(source_at(dir.path()));
        lists.push(cells(&app.engine().query("SHOW TABLES", &QueryLimits::default()).await.unwrap()));
    }
    let mut schemas: Vec<&str> = lists[0].iter().map(|row| row[1].as_str()).collect();
    schemas.dedup();
    assert_eq!(schemas, ["model", "manictime", "information_schema"]);
    assert!(lists.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_views_explain_how_to_enable_them() {
    let dir = small::folder();
    let app = app_over(source_at(dir.path()));
    for name in ["notes", "note_actions", "note_sessions", "note_context"] {
        let relation = if name == "note_context" { "note_context('a.md')" } else { name };
        let limits = QueryLimits::default();
        let relation = app.engine().query(format!("SELECT * FROM {relation}"), &limits);
        let error = relation.await.unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{name}` is of the notes: ")), "{error}");
        assert!(error.contains("`dayledger sql`") && error.contains("--toolsets"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn timesheet_views_explain_how_to_enable_them() {
    let dir = small::folder();
    let app = app_over(source_at(dir.path()));
    let limits = QueryLimits::default();
    for (name, relation) in [
        ("time_entries", "time_entries"),
        ("projects", "projects"),
        ("draft", "draft('2025-01-15', '2025-01-16')"),
        ("unlogged", "unlogged('2025-01-15')"),
    ] {
        let relation = app.engine().query(format!("SELECT * FROM {relation}"), &limits);
        let error = relation.await.unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{name}` needs the timesheet: ")), "{error}");
        assert!(error.contains("`dayledger sql`") && error.contains("--toolsets"), "{error}");
    }
}

/// Runs more statements than may run simultaneously. Each statement starts another query of the history.
#[tokio::test(flavor = "multi_thread")]
async fn statements_that_read_the_history_do_not_block_each_other() {
    let dir = small::folder();
    let app = app_with_hours(builder_at(dir.path()), dir.path()).await;
    let statement = "SELECT (SELECT sum(seconds) FROM unlogged('2025-01-15', '2025-01-18')) \
                     + (SELECT sum(seconds) FROM draft('2025-01-15', '2025-01-18')) AS both, count(*) AS rows \
                     FROM pieces('2025-01-15', '2025-01-18')";
    let limits = QueryLimits::default();
    let queries = (0..3 * MAX_PARALLEL_REQUESTS).map(|_| app.engine().query(statement, &limits));
    let rows: Vec<_> = futures::future::try_join_all(queries).await.unwrap().iter().map(cells).collect();
    assert!(rows.iter().all(|row| *row == rows[0] && !row[0][0].is_empty()), "{rows:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_timesheet_fails_only_queries_that_use_it() {
    let dir = small::folder();
    // The ledger can't be opened, because a folder has the name of its file.
    fs::create_dir(dir.path().join("timesheet.db")).unwrap();
    let app = with_timesheet(builder_at(dir.path()), dir.path(), "").build().unwrap();
    let limits = QueryLimits::default();
    for statement in ["SELECT * FROM time_entries", "SELECT * FROM projects", "SELECT * FROM unlogged('2025-01-15')"] {
        let error = app.engine().query(statement, &limits).await.unwrap_err().to_string();
        assert!(error.contains("timesheet.db"), "{statement}: {error}");
        app.engine().query(format!("EXPLAIN {statement}"), &limits).await.unwrap();
    }
    app.engine().query("SELECT * FROM pieces('2025-01-15')", &limits).await.unwrap();
}

#[test]
fn every_view_and_function_appears_in_a_file() {
    let files = files();
    assert!(!files.is_empty());
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let model =
        dayledger::activity::register(Model::default(), &Rules::default(), &Calendars::default(), &Privacy::default());
    let udfs = dayledger_udfs::scalar_functions(DayStart::default())
        .iter()
        .map(|function| function.name().to_owned())
        .chain(dayledger_udfs::aggregate_functions().iter().map(|function| function.name().to_owned()))
        .chain(dayledger_udfs::window_functions(DayStart::default()).iter().map(|function| function.name().to_owned()))
        .collect::<Vec<_>>();
    let named = model.views.iter().map(|view| view.name).chain(model.functions.iter().map(|function| function.name));
    let provided = [
        "activities",
        "timelines",
        "timeline_bounds",
        "hourly_totals",
        "devices",
        "now",
        "now_utc",
        "today",
        "screenshots",
        "meetings",
        "time_entries",
        "projects",
        "draft",
        "unlogged",
    ];
    let missing: Vec<_> =
        named.chain(udfs.iter().map(String::as_str)).chain(provided).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "no .slt file mentions {missing:?}");
}
