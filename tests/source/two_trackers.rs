//! Writes the days of one user in the formats of two trackers. If both formats contain the data for a result, the two
//! results must be equal to the second.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dayledger::App;
use dayledger::activity::{HealthRequest, HealthStatus};
use dayledger::activitywatch::{ActivityWatch, Locator, Settings};
use dayledger::export::{Export, ExportHistory, ExportTable, FileFormat};
use dayledger::rules::{RuleConfig, Rules};
use dayledger::source::{FoundBy, HistorySource};
use dayledger::timesheet::{CallSession, SuggestRequest};
use dayledger_fixtures::demo::{Format, HOME, Plan, write};
use dayledger_fixtures::{SchemaOptions, TableGroup};
use tempfile::TempDir;

use super::app_over;
use crate::histories::{block_on, range, rows, run_query, source_at, with_timesheet};

/// Two weeks that contain the end of summer time.
const RANGE: &str = "'2026-10-19', '2026-11-02'";

/// Returns the history of the demo's user in one format, and an app over it.
fn person(format: Format) -> (TempDir, App) {
    let (folder, source) = history_of_person(format);
    (folder, app_over(source))
}

fn history_of_person(format: Format) -> (TempDir, Arc<dyn HistorySource>) {
    let folder = tempfile::tempdir().unwrap();
    let until = "2026-11-01".parse().unwrap();
    // Hourly totals and pauses between windows are left out: ActivityWatch has no hourly totals, and it fills pauses.
    let tables = SchemaOptions::default().without_groups(&[TableGroup::Hourly]);
    let plan = Plan { days: 14, activities_per_day: 300, pauses: false, format, tables, ..Plan::new(until) };
    write(folder.path(), &plan).unwrap();
    let source: Arc<dyn HistorySource> = match format {
        Format::ManicTime => Arc::new(source_at(folder.path())),
        Format::ActivityWatch => Arc::new(source_in(folder.path(), HOME)),
    };
    (folder, source)
}

fn source_in(folder: &Path, zone: &str) -> ActivityWatch {
    let locator = Locator::from_path(folder, FoundBy::Flag);
    ActivityWatch::new(Settings { zone: Some(zone.to_owned()), ..Settings::new(locator) }).unwrap()
}

#[test]
fn numbers_are_the_same_in_the_formats_of_two_trackers() {
    let (_one, manictime) = person(Format::ManicTime);
    let (_other, activitywatch) = person(Format::ActivityWatch);
    for sql in [
        format!("SELECT date, active_seconds, first_activity, last_activity FROM day_summary({RANGE}) ORDER BY date"),
        format!(
            "SELECT device, date_trunc('hour', start_local) AS hour, title, sum(seconds) FROM pieces({RANGE}) \
             GROUP BY device, hour, title ORDER BY device, hour, title"
        ),
        // In ManicTime, the key of an application is its program and its description.
        format!(
            "SELECT split_part(key, ';', 1) AS program, sum(seconds) FROM role_pieces('applications', {RANGE}) \
             GROUP BY program ORDER BY program"
        ),
        // In ActivityWatch, a browser without a page has a blank tab, and the names of sites don't start with `www.`.
        format!(
            "SELECT CASE WHEN name LIKE 'www.%' THEN substr(name, 5) ELSE name END AS site, sum(seconds) \
             FROM role_pieces('websites', {RANGE}) WHERE name <> 'about' GROUP BY site ORDER BY site"
        ),
        format!("SELECT tag, start_local, end_local, seconds FROM tags_in({RANGE}) ORDER BY start_local, tag"),
        format!(
            "SELECT device, sum(seconds) FROM computer_usage_in({RANGE}) WHERE state = 'active' \
             GROUP BY device ORDER BY device"
        ),
        format!("SELECT sum(seconds) FROM pieces_by_rule({RANGE}) WHERE is_tagged"),
    ] {
        let expected = rows(&manictime, &sql);
        assert!(!expected.is_empty(), "{sql}");
        assert_eq!(rows(&activitywatch, &sql), expected, "{sql}");
    }
}

#[test]
fn drafts_by_rules_are_the_same_in_the_formats_of_two_trackers() {
    let [manictime, activitywatch] = [Format::ManicTime, Format::ActivityWatch].map(|format| {
        let (folder, source) = history_of_person(format);
        let rules = [("code.exe*", "CODE"), ("outlook.exe*", "MAIL")].map(|(app, project)| {
            let rule = serde_json::json!({"app": app, "project": project, "task": "Work"});
            serde_json::from_value::<RuleConfig>(rule).unwrap().try_into().unwrap()
        });
        let builder = App::builder(source).with_rules(Rules::new(rules.into()).unwrap());
        let projects = "[[projects]]\ncode = 'CODE'\ntasks = ['Work']\n[[projects]]\ncode = 'MAIL'\ntasks = ['Work']";
        let app = with_timesheet(builder, folder.path(), projects).build().unwrap();
        let week = range("2026-10-19", "2026-10-26");
        let draft = run_query(&app, SuggestRequest::new(week, None, None, CallSession::new()).unwrap()).unwrap();
        let rows = draft.days.iter().flat_map(|day| {
            let row = |row: &dayledger::timesheet::SuggestedRow| {
                // In ActivityWatch, a tag has no levels, so the whole tag is the project.
                let work: Vec<_> = row.project_code.iter().chain(&row.task).map(String::as_str).collect();
                (day.day.to_string(), work.join(", "), row.minutes.seconds())
            };
            day.rows.iter().map(row).collect::<Vec<_>>()
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort();
        (draft.active_minutes, draft.away_minutes, rows)
    });
    assert!(manictime.2.iter().any(|(_, work, _)| work == "CODE, Work"), "{manictime:?}");
    assert_eq!(activitywatch, manictime);
}

/// In ActivityWatch, a short look at the chat doesn't interrupt a file, because pauses of at most 5 seconds are filled.
#[test]
fn files_of_an_editor_have_the_time_of_their_windows() {
    let (_one, manictime) = person(Format::ManicTime);
    let (_other, activitywatch) = person(Format::ActivityWatch);
    let seconds = |app: &App, condition: &str| -> i64 {
        let files = format!("role_pieces('documents', {RANGE}) AS files");
        let sql = format!("SELECT sum(files.seconds) FROM {files} {condition}");
        rows(app, &sql)[0].parse().unwrap()
    };
    let in_editor = format!(
        "JOIN role_pieces('applications', {RANGE}) AS windows \
         ON windows.device = files.device AND windows.start_utc = files.start_utc \
         WHERE windows.key LIKE 'code.exe;%'"
    );
    let [expected, found] = [seconds(&manictime, &in_editor), seconds(&activitywatch, "")];
    assert!((expected..expected + expected / 50).contains(&found), "{expected} and {found}");
}

#[test]
fn health_names_the_zone_of_local_times() {
    let folder = tempfile::tempdir().unwrap();
    let until = "2026-10-30".parse().unwrap();
    write(folder.path(), &Plan { days: 1, format: Format::ActivityWatch, ..Plan::new(until) }).unwrap();
    for zone in ["Europe/Berlin", "America/New_York"] {
        let health = run_query(&app_over(Arc::new(source_in(folder.path(), zone))), HealthRequest).unwrap();
        assert_eq!((health.tracker.as_str(), health.time_zone.as_deref()), ("ActivityWatch", Some(zone)));
        assert_eq!((health.status, health.degraded), (HealthStatus::Ok, Vec::new()));
    }
}

#[test]
fn export_records_the_zone_of_local_times() {
    let folder = tempfile::tempdir().unwrap();
    let until = "2026-10-30".parse().unwrap();
    write(folder.path(), &Plan { days: 1, format: Format::ActivityWatch, ..Plan::new(until) }).unwrap();
    let target = tempfile::tempdir().unwrap();
    let app = app_over(Arc::new(source_in(folder.path(), "America/New_York")));
    let export = Export {
        folder: target.path().join("export"),
        person: None,
        range: None,
        tables: ExportTable::ALL.into_iter().filter(|table| *table != ExportTable::Screenshots).collect(),
        format: FileFormat::Parquet,
        separator: None,
    };
    let now = "2026-11-02T09:00:00".parse().unwrap();
    block_on(export.run(app.history(), now, &mut |_| ())).unwrap();
    let manifest = fs::read_to_string(export.folder().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["source"]["timeZone"], "America/New_York");
    let opened = app_over(Arc::new(ExportHistory::new(&export.folder(), FoundBy::Flag)));
    assert_eq!(run_query(&opened, HealthRequest).unwrap().time_zone.as_deref(), Some("America/New_York"));
}
