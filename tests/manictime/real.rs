//! Tests the structure of a file that `ManicTime` itself wrote. The rows are invented (docs/spec/manictime.md#tables).

use dayledger::activity::{HealthRequest, Role};
use dayledger_fixtures::{SchemaOptions, TableGroup};

use crate::histories::{
    History, day, narrative, period, range, rows, run_every_query, run_query, segments, tops, usage,
};

const ROWS: &str = include_str!("../../fixtures/real_layout.sql");
const DATE: &str = "2019-03-04";

fn history() -> History {
    let newer = [TableGroup::TimelineSummary, TableGroup::ActivityByHour];
    let mut history = History::with(SchemaOptions::default().without_groups(&newer));
    history.sql(ROWS);
    history
}

#[test]
fn timelines_and_devices_of_a_real_file_are_recognized() {
    let history = history();
    let health = run_query(&history.app(), HealthRequest).unwrap();
    let found: Vec<_> = health.timelines.iter().map(|it| (it.id, it.role, it.device.as_str(), it.activities)).collect();
    let expected = [
        (1, Role::ComputerUsage, "WORKSHOP-2", 2),
        (2, Role::Applications, "WORKSHOP-2", 7),
        (3, Role::Documents, "WORKSHOP-2", 4),
        (4, Role::Tags, "WORKSHOP-1", 0),
    ];
    assert_eq!(found, expected);
    assert!(health.degraded.is_empty(), "{:?}", health.degraded);
    run_every_query(&history.app()).unwrap();
}

#[test]
fn day_of_a_real_file_is_reported_correctly() {
    let history = history();
    let app = history.app();
    let narrative = narrative(&app, day(DATE));
    assert_eq!(
        segments(&narrative),
        [
            "09:00 09:05 Terminal de MATE 5.0",
            "09:05 09:12 Navegador web Firefox 7.0",
            "09:12 09:20 Terminal de MATE 8.3",
            "09:25 09:50 Navegador web Firefox 25.0",
            "09:50 10:05 Terminal de MATE 15.0",
        ]
    );
    assert_eq!(narrative.total_active_minutes.to_string(), "60.3");
    assert_eq!(tops(&narrative), ["Navegador web Firefox 31.7", "Terminal de MATE 28.3", "Caja 0.3"]);
    let websites: Vec<_> = narrative.segments.iter().flatten().map(|segment| segment.website.as_deref()).collect();
    assert_eq!(websites, [None, Some("lists.example.org"), None, Some("docs.example.com"), None]);
    assert!(!narrative.diagnostics.degraded);
}

#[test]
fn hourly_totals_and_activities_of_a_real_file_agree() {
    let history = history();
    let app = history.app();
    let recorded = usage(&app, day(DATE));
    assert_eq!(recorded.total_minutes.to_string(), "60.3");
    assert_eq!(recorded.diagnostics.reason_code, None);
    assert_eq!(recorded.usage[0].key.as_deref(), Some("firefox;firefox"));
    let by_hour = "SELECT hour_local, sum(seconds), min(data_source) FROM app_usage GROUP BY 1 ORDER BY 1";
    assert_eq!(rows(&app, by_hour), ["2019-03-04T09:00:00 | 3320 | hourly", "2019-03-04T10:00:00 | 300 | hourly"]);
    // For a range that doesn't begin at a whole hour, activities are counted instead of totals. The result is the same.
    let odd = usage(&app, range("2019-03-04T00:00:01", "2019-03-05"));
    assert_eq!((odd.total_minutes.to_string(), odd.diagnostics.degraded), ("60.3".to_owned(), true));
    assert_eq!(period(&app, DATE, "2019-03-05").total_active_minutes.to_string(), "60.3");
}

#[test]
fn yearly_histogram_is_not_mistaken_for_new_years_day() {
    let history = history();
    let app = history.app();
    assert_eq!(usage(&app, day("2019-01-01")).total_minutes.to_string(), "0");
    assert_eq!(rows(&app, "SELECT sum(totalseconds) FROM manictime.ar_applicationbyyear"), ["3620"]);
}
