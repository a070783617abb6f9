//! The model in SQL: every `files/*.slt` runs over one small history (`histories::small`) with a
//! calendar.

#![expect(clippy::unwrap_used, reason = "a test tells what went wrong by its panic")]

use std::fs;
use std::path::{Path, PathBuf};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use dayledger::calendar::{Calendar, Calendars};
use dayledger::engine::{Engine, Error, Model, QueryLimits};
use dayledger::manictime::Privacy;
use dayledger::rules::Rules;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner};

use crate::histories::{house_over, small, source_at};

/// The engine as sqllogictest asks it.
struct History(Engine);

/// An error as a person reads it.
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

#[tokio::test(flavor = "multi_thread")]
async fn every_file_holds() {
    let dir = tempfile::tempdir().unwrap();
    small::write(dir.path());
    let file = dir.path().join("work.ics");
    fs::write(&file, include_str!("meetings.ics")).unwrap();
    let calendars = Calendars::new(vec![Calendar::at(&file).unwrap()]).in_zone("Europe/Berlin");
    let engine = house_over(source_at(dir.path()).with_calendars(calendars)).engine().clone();
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

#[test]
fn every_view_and_function_appears_in_a_file() {
    let files = files();
    assert!(!files.is_empty());
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let model =
        dayledger::activity::register(Model::default(), &Rules::default(), &Calendars::default(), &Privacy::default());
    let udfs = dayledger_udfs::scalar_functions()
        .iter()
        .map(|function| function.name().to_owned())
        .chain(dayledger_udfs::aggregate_functions().iter().map(|function| function.name().to_owned()))
        .chain(dayledger_udfs::window_functions().iter().map(|function| function.name().to_owned()))
        .collect::<Vec<_>>();
    let named = model.views.iter().map(|view| view.name).chain(model.functions.iter().map(|function| function.name));
    let provided = [
        "activities",
        "timelines",
        "timeline_extents",
        "hourly_totals",
        "devices",
        "local_now",
        "today",
        "screenshots",
        "meetings",
    ];
    let missing: Vec<_> =
        named.chain(udfs.iter().map(String::as_str)).chain(provided).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "no .slt file mentions {missing:?}");
}
