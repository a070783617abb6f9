//! Compares the overview with the names in a session.

use std::sync::Arc;

use super::*;
use crate::{register, register_screenshots};
use dayledger_calendar::Calendars;
use dayledger_engine::{Engine, Model};
use dayledger_fixtures::{HistoryWriter, SchemaOptions};
use dayledger_manictime::{Locator, Source};
use dayledger_notes_service as notes;
use dayledger_rules::Rules;
use dayledger_screenshots::Screenshots;
use dayledger_source::{FoundBy, HistorySource};
use dayledger_timesheet_service::{self as timesheet, Setup, TimesheetConfig, TimesheetService};

/// Describes the model without a timesheet.
fn model() -> ModelDescription {
    describe(false)
}

/// Describes the model with a timesheet.
fn model_with_timesheet() -> ModelDescription {
    describe(true)
}

fn describe(has_timesheet: bool) -> ModelDescription {
    let dir = tempfile::tempdir().unwrap();
    let writer = HistoryWriter::in_folder(dir.path(), SchemaOptions::default()).unwrap();
    writer.finish().unwrap().close().unwrap();
    let source: Arc<dyn HistorySource> = Arc::new(Source::new(Locator::from_path(dir.path(), FoundBy::Flag)));
    let model = register(Model::default(), &Rules::default(), &Calendars::default(), source.privacy());
    let model = register_screenshots(model, Screenshots::new(Arc::clone(&source), None));
    let model = notes::register_unavailable(timesheet::register_unavailable(model));
    let mut engine = Engine::new(source, model).unwrap();
    if has_timesheet {
        let setup = Setup::new(TimesheetConfig::default(), dir.path(), dir.path()).unwrap();
        let service = TimesheetService::without_setup(&engine).with_setup(setup);
        engine = engine.with_model(|model| timesheet::register(model, &service));
    }
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(engine.describe()).unwrap()
}

#[test]
fn every_listed_name_has_an_explanation() {
    let model = model_with_timesheet();
    for table in &model.tables {
        assert!(!table_meaning(table).is_empty(), "`{}` lacks a meaning", table.name);
    }
    let columns = model.tables.iter().flat_map(|table| &table.columns);
    for column in columns.chain(model.table_functions.iter().flat_map(|function| &function.columns)) {
        assert!(column_meaning(&column.name).is_some(), "the column `{}` lacks a meaning", column.name);
    }
    for function in model.table_functions.iter().chain(&model.functions) {
        assert!(!function.description.is_empty() && function.example.is_some(), "{function:?}");
    }
    let overview = overview(&model);
    let lines = overview.tables.iter().chain(&overview.table_functions).chain(&overview.functions);
    for line in lines {
        assert!(!line.contains("semantics") && !line.ends_with(": "), "{line}");
    }
}

#[test]
fn the_overview_contains_every_name() {
    let model = model();
    let text = serde_json::to_string(&overview(&model)).unwrap();
    let tables = model.tables.iter().map(|table| &table.name);
    for name in tables.chain(model.table_functions.iter().chain(&model.functions).map(|function| &function.name)) {
        assert!(
            text.contains(&format!("\"{name}("))
                || text.contains(&format!("\"{name}: "))
                || text.contains(&format!(" {name},"))
                || text.contains(&format!(" {name}.\"")),
            "{name}"
        );
    }
    for name in NAMES_ONLY {
        assert!(details(&model, name).is_ok(), "the model lacks `{name}`");
    }
}

#[test]
fn the_overview_fits_its_token_budget() {
    let text = serde_json::to_string(&overview(&model())).unwrap();
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
    assert!(tokens < 2_500, "{tokens} tokens: {text}");
}

#[test]
fn every_name_in_the_overview_has_details() {
    let model = model_with_timesheet();
    let tables = model.tables.iter().map(|table| &table.name);
    let functions = model.table_functions.iter().chain(&model.functions).map(|function| &function.name);
    for name in tables.chain(functions) {
        assert!(!details(&model, name).unwrap().meaning.is_empty(), "{name}");
    }
    assert!(!details(&model, "date_trunc").unwrap().parameters.is_empty(), "a standard function");
    assert_eq!(
        details(&model, " Narrative(").unwrap().call,
        "narrative(start, end [, max_gap_minutes] [, interruption_minutes])"
    );
    let error = details(&model, "aplications").unwrap_err();
    assert!(error.message.ends_with("did you mean `applications`?"), "{error}");
}
