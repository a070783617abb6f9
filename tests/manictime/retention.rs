//! Of all data, `ManicTime` keeps hourly totals longest. These tests cover ranges with only hourly totals, totals that
//! end before the activities, and devices that are used without an application.

use dayledger::activity::{
    DataRangeRequest, Diagnostics, HealthRequest, Narrative, NarrativeRequest, PeriodSummaryRequest,
};
use dayledger::request::DateRange;

use crate::histories::{History, day, narrative, narrative_request, period, range, rows, run_query, usage};

/// Returns the reason of a response, and whether the response is degraded.
fn reason(diagnostics: &Diagnostics) -> (String, bool) {
    let code = serde_json::to_value(diagnostics).unwrap()["reasonCode"].as_str().unwrap_or("none").to_owned();
    (code, diagnostics.degraded)
}

fn expected_reason(code: &str, degraded: bool) -> (String, bool) {
    (code.to_owned(), degraded)
}

/// Returns a history of a device whose only application ran from 8:00 to 12:00. It has a row for each hour and exact
/// hourly totals.
fn four_hours() -> History {
    let mut history = History::on_workstation();
    history.active(1, "08:00", "12:00");
    for (from, to) in [("08:00", "09:00"), ("09:00", "10:00"), ("10:00", "11:00"), ("11:00", "12:00")] {
        history.application(2, "Editor", from, to);
    }
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    history
}

#[test]
fn hours_after_the_last_hourly_total_come_from_activities() {
    let mut history = four_hours();
    history.sql("DELETE FROM Ar_ApplicationByDay WHERE Hour >= '2025-01-15 10:00:00'");
    let app = history.app();
    for (range, minutes, code) in [
        (day("2025-01-15"), 240.0, "HOURLY_TOTALS_LAG"),
        (range("2025-01-15T10:00", "2025-01-15T12:00"), 120.0, "HOURLY_TOTALS_LAG"),
        (range("2025-01-15T08:00", "2025-01-15T10:00"), 120.0, "none"),
    ] {
        let answer = usage(&app, range);
        assert!((answer.total_minutes.to_rounded() - minutes).abs() < 1e-9, "{}", answer.total_minutes);
        assert_eq!(reason(&answer.diagnostics), expected_reason(code, false));
        let hint = answer.diagnostics.remediation_hint.unwrap_or_default();
        assert_eq!(hint.contains("2025-01-15T10:00"), code != "none", "{hint}");
    }
    assert_eq!(
        rows(&app, "SELECT data_source, sum(seconds) FROM app_usage GROUP BY 1 ORDER BY 1"),
        ["activities | 7200", "hourly | 7200"]
    );
}

/// If an hour without a total is between hours with totals, it has no recorded time. The data of this hour isn't
/// missing.
#[test]
fn missing_hour_between_hourly_totals_stays_empty() {
    let mut history = four_hours();
    history.sql("DELETE FROM Ar_ApplicationByDay WHERE Hour = '2025-01-15 10:00:00'");
    let answer = usage(&history.app(), day("2025-01-15"));
    assert!((answer.total_minutes.to_rounded() - 180.0).abs() < 1e-9, "{}", answer.total_minutes);
    assert_eq!(reason(&answer.diagnostics), expected_reason("none", false));
}

#[test]
fn range_within_hours_that_have_only_totals_reports_whole_hours() {
    let mut history = four_hours();
    history.active(1, "2025-02-15 09:00:00", "2025-02-15 10:00:00");
    history.application(2, "Editor", "2025-02-15 09:00:00", "2025-02-15 10:00:00");
    history.sql("DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-02-01'");
    let app = history.app();
    let part = range("2025-01-15T09:30", "2025-01-15T11:10");
    let (recorded, segments, days) =
        (usage(&app, part), narrative(&app, part), period(&app, "2025-01-15T09:30", "2025-01-15T11:10"));
    for (minutes, diagnostics) in [
        (recorded.total_minutes, &recorded.diagnostics),
        (segments.total_active_minutes, &segments.diagnostics),
        (days.total_active_minutes, &days.diagnostics),
    ] {
        assert!((minutes.to_rounded() - 180.0).abs() < 1e-9, "9:00 to 12:00, not {minutes}");
        assert_eq!(reason(diagnostics), expected_reason("WHOLE_HOURS_ONLY", true));
    }
    assert_eq!(recorded.usage[0].active_minutes, None, "totals don't show when the user was away");
    // If activities exist, the time of a partial hour is exact.
    let kept = usage(&app, range("2025-02-15T09:30", "2025-02-15T10:10"));
    assert!((kept.total_minutes.to_rounded() - 30.0).abs() < 1e-9, "{}", kept.total_minutes);
    assert_eq!(kept.usage[0].active_minutes, Some(kept.total_minutes));
    assert_eq!(reason(&kept.diagnostics), expected_reason("FALLBACK_COMPUTATION", true));
}

#[test]
fn clients_are_listed_where_only_hourly_totals_and_tags_remain() {
    let mut history = four_hours();
    history.tag(4, &["Northwind", "Portal"], "09:00", "10:00");
    history.active(1, "2025-02-15 09:00:00", "2025-02-15 10:00:00");
    history.application(2, "Editor", "2025-02-15 09:00:00", "2025-02-15 10:00:00");
    history.commit();
    history.sql("DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-02-01' AND ReportId IN (1, 2)");
    let app = history.app();
    let of_period = period(&app, "2025-01-15", "2025-01-16").aggregate.clients;
    let of_day = narrative(&app, day("2025-01-15")).clients;
    for clients in [of_period, of_day] {
        let clients = clients.unwrap();
        assert_eq!((clients.client_minutes.seconds(), clients.away_minutes.seconds()), (3600, 3600));
    }
}

/// In the hour in which activities begin, the time before the first activity comes from totals. Each of the two parts
/// must be counted once.
#[test]
fn hour_at_the_retention_limit_is_counted_once() {
    let mut history = four_hours();
    history.sql(
        "UPDATE Ar_Activity SET StartLocalTime = '2025-01-15 10:30:00', StartUtcTime = '2025-01-15 09:30:00'
         WHERE ReportId = 2 AND StartLocalTime = '2025-01-15 10:00:00';
         DELETE FROM Ar_Activity WHERE ReportId = 2 AND StartLocalTime < '2025-01-15 10:30:00'",
    );
    let app = history.app();
    let minutes = |start, end| usage(&app, range(start, end)).total_minutes;
    assert!(
        (minutes("2025-01-15T10:10", "2025-01-15T11:30").to_rounded() - 90.0).abs() < 1e-9,
        "10:00 to 11:00, 11:00 to 11:30"
    );
    assert!((minutes("2025-01-15T10:40", "2025-01-15T11:30").to_rounded() - 50.0).abs() < 1e-9, "kept");
    let narrative_reason = |start, end| reason(&narrative(&app, range(start, end)).diagnostics);
    assert_eq!(
        narrative_reason("2025-01-15T10:00", "2025-01-15T12:00"),
        expected_reason("ACTIVITIES_PARTLY_KEPT", true)
    );
    assert_eq!(narrative_reason("2025-01-15T10:30", "2025-01-15T12:00"), expected_reason("none", false));
}

/// A history usually begins in the middle of an hour. This doesn't mean that data is missing.
#[test]
fn start_of_a_history_is_not_reported_as_missing_data() {
    let mut history = History::on_workstation();
    history.active(1, "08:20", "10:00");
    history.application(2, "Editor", "08:20", "10:00");
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    let app = history.app();
    assert_eq!(reason(&narrative(&app, day("2025-01-15")).diagnostics), expected_reason("none", false));
    assert_eq!(
        reason(&period(&app, "2025-01-13", "2025-01-16").diagnostics),
        expected_reason("HISTORY_STARTS_LATER", false)
    );
    assert_eq!(run_query(&app, HealthRequest).unwrap().degraded, []);
}

#[test]
fn data_deleted_by_retention_is_reported_within_days() {
    let mut history = four_hours();
    history.sql("DELETE FROM Ar_Activity WHERE ReportId = 2 AND StartLocalTime < '2025-01-15 11:00:00'");
    let app = history.app();
    let response = narrative(&app, day("2025-01-15"));
    assert!((response.total_active_minutes.to_rounded() - 60.0).abs() < 1e-9, "{}", response.total_active_minutes);
    assert_eq!(reason(&response.diagnostics), expected_reason("ACTIVITIES_PARTLY_KEPT", true));
    assert_eq!(
        reason(&period(&app, "2025-01-15", "2025-01-16").diagnostics),
        expected_reason("ACTIVITIES_PARTLY_KEPT", true)
    );
    let health = run_query(&app, HealthRequest).unwrap().degraded;
    let effects: Vec<_> = health.iter().map(|it| it.effect.as_str()).collect();
    assert!(
        matches!(effects.as_slice(), [effect] if effect.contains("`DESK`") && effect.contains("2025-01-15 08:00")),
        "{effects:?}"
    );
}

#[test]
fn data_deleted_by_retention_is_reported_per_device() {
    let mut history = History::new();
    history.device(1, "old-id", "OLD");
    history.device(11, "new-id", "NEW");
    for timeline in [1, 11] {
        history.active(timeline, "09:00", "12:00");
    }
    history.application(2, "Editor", "09:00", "10:00");
    history.application(12, "Browser", "11:00", "12:00");
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    history.sql("DELETE FROM Ar_Activity WHERE ReportId IN (11, 12)");
    history.active(11, "2025-01-16 09:00:00", "2025-01-16 10:00:00");
    history.application(12, "Browser", "2025-01-16 09:00:00", "2025-01-16 10:00:00");
    history.commit();
    let app = history.app();
    let query = |device: Option<&str>, range: DateRange| -> (Narrative, Diagnostics) {
        let device = device.map(str::to_owned);
        let days = run_query(&app, PeriodSummaryRequest { device: device.clone(), ..PeriodSummaryRequest::new(range) })
            .unwrap();
        (run_query(&app, NarrativeRequest { device, ..narrative_request(range) }).unwrap(), days.diagnostics)
    };
    for (device, end, minutes, code) in [
        (None, "2025-01-16", 60.0, "ACTIVITIES_PARTLY_KEPT"),
        (None, "2025-01-17", 120.0, "ACTIVITIES_PARTLY_KEPT"),
        (Some("NEW"), "2025-01-17", 60.0, "ACTIVITIES_PARTLY_KEPT"),
        (Some("NEW"), "2025-01-16", 60.0, "NO_ACTIVITIES"),
        (Some("OLD"), "2025-01-16", 60.0, "none"),
    ] {
        let (narrative, of_days) = query(device, range("2025-01-15", end));
        assert!((narrative.total_active_minutes.to_rounded() - minutes).abs() < 1e-9, "{device:?} {end}");
        assert_eq!(reason(&narrative.diagnostics), expected_reason(code, code != "none"), "{device:?} {end}");
        // The device OLD was in use until 12:00, but with an application only until 10:00. A gap in the rows of one
        // device doesn't mean that all rows are missing.
        assert_eq!(reason(&of_days), expected_reason(code, code != "none"), "{device:?} {end}");
    }
    let health = run_query(&app, HealthRequest).unwrap().degraded;
    let of_new: Vec<_> = health.iter().filter(|it| it.missing == "activities").map(|it| it.effect.as_str()).collect();
    assert!(matches!(of_new.as_slice(), [effect] if effect.contains("`NEW`")), "{of_new:?}");
}

#[test]
fn computer_use_without_an_application_is_reported() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:30");
    history.commit();
    let app = history.app();
    let all_diagnostics = [
        narrative(&app, day("2025-01-15")).diagnostics,
        period(&app, "2025-01-15", "2025-01-16").diagnostics,
        usage(&app, day("2025-01-15")).diagnostics,
    ];
    for diagnostics in all_diagnostics {
        assert_eq!(reason(&diagnostics), expected_reason("NO_APPLICATIONS", true));
        let hint = diagnostics.remediation_hint.unwrap();
        assert!(hint.contains("90.0 minutes"), "{hint}");
    }
    let elsewhere = narrative(&app, day("2025-01-16")).diagnostics;
    assert_eq!(reason(&elsewhere), expected_reason("NO_DATA_IN_RANGE", false));
    let hint = elsewhere.remediation_hint.unwrap();
    assert!(hint.starts_with("the history holds 2025-01-15 to 2025-01-15; "), "{hint}");
    drop(app);

    history.device(11, "lap-id", "LAPTOP");
    history.active(11, "09:00", "10:00");
    history.application(12, "Editor", "09:00", "10:00");
    history.commit();
    let app = history.app();
    let all = narrative(&app, day("2025-01-15"));
    assert!((all.total_active_minutes.to_rounded() - 60.0).abs() < 1e-9, "{}", all.total_active_minutes);
    assert_eq!(reason(&all.diagnostics), expected_reason("NO_APPLICATIONS", true), "DESK has no applications");
    let device = Some("LAPTOP".to_owned());
    let one = run_query(&app, NarrativeRequest { device, ..narrative_request(day("2025-01-15")) }).unwrap();
    assert_eq!(reason(&one.diagnostics), expected_reason("none", false));
}

#[test]
fn date_range_includes_hourly_totals_and_ignores_rows_without_duration() {
    let mut history = four_hours();
    history.active(1, "2025-02-15 09:00:00", "2025-02-15 10:00:00");
    history.application(2, "Editor", "2025-02-15 09:10:00", "2025-02-15 10:00:00");
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    // These rows don't affect the range of the data. One row ends at its own start, one row ends before its own start,
    // and one row has an unreadable time.
    history.sql(
        "DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-02-01';
         INSERT INTO Ar_Activity (ReportId, ActivityId, Name, CurrentChangeSequence, CurrentChangeRandomValue,
                                  StartLocalTime, StartUtcTime, EndLocalTime, EndUtcTime)
         VALUES (2, 901, '', 1, 1, '2001-01-01 00:00:00', '2001-01-01 00:00:00', '2001-01-01 00:00:00', '2001-01-01 00:00:00'),
                (2, 902, '', 1, 1, '2031-01-01 09:00:00', '2031-01-01 09:00:00', '2031-01-01 08:00:00', '2031-01-01 08:00:00'),
                (2, 903, '', 1, 1, '2002-01-01 00:00:00', 'noon', '2032-01-01 00:00:00', '2032-01-01 00:00:00');
         INSERT INTO Ar_ApplicationByDay SELECT ReportId, '2003-01-01 09:00:00', CommonId, 0 FROM Ar_ApplicationByDay LIMIT 1",
    );
    let held = run_query(&history.app(), DataRangeRequest).unwrap();
    let (start, end) = (held.start.as_deref(), held.end.as_deref());
    assert_eq!((start, end), (Some("2025-01-15T08:00:00"), Some("2025-02-15T10:00:00")));
    let applications = held.timelines.iter().find(|timeline| timeline.timeline_id == 2).unwrap();
    assert_eq!(applications.dates.start.as_deref(), start);

    history.sql("DELETE FROM Ar_Activity WHERE ReportId = 2");
    let held = run_query(&history.app(), DataRangeRequest).unwrap();
    let applications = held.timelines.iter().find(|timeline| timeline.timeline_id == 2).unwrap();
    assert_eq!(
        (applications.dates.start.as_deref(), applications.dates.end.as_deref()),
        (start, end),
        "the last hour counts completely"
    );
}
