//! Tests pages, terminal output and exports over rows in memory.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use dayledger::activity::{
    Detail, Filter, HealthRequest, NarrativeRequest, PeriodSummaryRequest, RangeReportRequest, WhyRequest, WhyTime,
};
use dayledger::engine::{Engine, QueryLimits};
use dayledger::export::{Export, ExportTable, FileFormat, OpenedExport};
use dayledger::report::{ColorDepth, Page, Style, write_day, write_health, write_period, write_why};
use dayledger::source::{FoundBy, Role};

use super::expected::sum;
use super::week::{RANGES, WEDNESDAY};
use super::weeks;
use crate::histories::{block_on, cells, narrative_request, range, run_query};

/// Checks that an output contains these texts, and that the output doesn't report missing hourly totals.
#[track_caller]
fn assert_contains(output: &str, names: &[&str]) {
    for name in names {
        assert!(output.contains(name), "`{name}` is missing:\n{output}");
    }
    assert!(!output.to_lowercase().contains("hourly totals"), "{output}");
}

#[test]
fn terminal_output_names_applications_and_sites() {
    for week in weeks() {
        let app = &week.app;
        let (start, end) = WEDNESDAY;
        let style = Style::new(ColorDepth::None, 120, true);
        for detail in [Detail::Full, Detail::Blocks] {
            let narrative =
                run_query(app, NarrativeRequest { detail, ..narrative_request(range(start, end)) }).unwrap();
            let mut day = Vec::new();
            write_day(&mut day, &narrative, &style).unwrap();
            assert_contains(&String::from_utf8(day).unwrap(), &week.names());
        }
        let mut output = Vec::new();
        let summary = run_query(app, PeriodSummaryRequest::new(range(RANGES[0].0, RANGES[0].1))).unwrap();
        write_period(&mut output, &summary, &style).unwrap();
        assert_contains(&String::from_utf8(output).unwrap(), &week.names());
        let mut output = Vec::new();
        let request = WhyRequest { when: WhyTime::Range(range(start, end)), device: None, include_rows: true };
        write_why(&mut output, &run_query(app, request).unwrap(), &style).unwrap();
        assert_contains(&String::from_utf8(output).unwrap(), &week.names()[..2]);
        let mut output = Vec::new();
        let now = NaiveDate::from_ymd_opt(2025, 1, 18).unwrap().and_hms_opt(9, 0, 0).unwrap();
        write_health(&mut output, &run_query(app, HealthRequest).unwrap(), now, &style).unwrap();
        assert_contains(&String::from_utf8(output).unwrap(), &["The history can be read, and nothing is missing."]);
    }
}

#[test]
fn page_names_applications_and_sites() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in [WEDNESDAY, RANGES[0]] {
            let request = RangeReportRequest {
                range: range(start, end),
                device: None,
                include_titles: false,
                filter: Filter::default(),
            };
            let report = block_on(request.answer(app.engine())).unwrap();
            let page = Page {
                report: &report,
                hours: None,
                thumbnails: None,
                title: None,
                found_by: FoundBy::Flag,
                created: report.range.end(),
            };
            assert_contains(&page.text(), &week.names());
        }
    }
}

/// Returns the rows of a statement, sorted.
fn sorted_rows(engine: &Engine, sql: &str) -> Vec<Vec<String>> {
    let mut rows = cells(&block_on(engine.query(sql, &QueryLimits::default())).unwrap());
    rows.sort();
    rows
}

#[test]
fn export_returns_the_rows_of_its_history() {
    for week in weeks() {
        let app = &week.app;
        let folder = tempfile::tempdir().unwrap();
        let tables: BTreeSet<_> =
            ExportTable::ALL.into_iter().filter(|table| *table != ExportTable::Screenshots).collect();
        let export = Export {
            folder: folder.path().join("export"),
            person: None,
            range: None,
            tables: tables.clone(),
            format: FileFormat::Parquet,
            separator: None,
        };
        let now = NaiveDate::from_ymd_opt(2025, 2, 1).unwrap().and_hms_opt(9, 0, 0).unwrap();
        let summary = block_on(export.run(app.history(), now, &mut |_| ())).unwrap();
        assert_eq!((summary.months, summary.tables.len()), (1, tables.len()));
        assert!(summary.tables.iter().all(|(_, rows, _)| *rows > 0), "{:?}", summary.tables);
        let opened = Engine::from_tables(OpenedExport::open(&export.folder()).unwrap().model().unwrap()).unwrap();
        let range = format!("'{}', '{}'", RANGES[0].0, RANGES[0].1);
        for table in [
            "app_usage".to_owned(),
            "website_usage".to_owned(),
            "document_usage".to_owned(),
            "tag_usage".to_owned(),
            "timelines".to_owned(),
            format!("narrative({range})"),
            format!("day_summary({range})"),
            format!("computer_usage_in({range})"),
            format!("tags_in({range})"),
        ] {
            let sql = format!("SELECT * FROM {table}");
            assert_eq!(sorted_rows(&opened, &sql), sorted_rows(app.engine(), &sql), "{table}");
        }
        let active = sum(&week.expect_range(RANGES[0]).active_parts(Role::Applications)).to_string();
        assert_eq!(sorted_rows(&opened, &format!("SELECT sum(seconds) FROM pieces({range})")), [[active]]);
    }
}
