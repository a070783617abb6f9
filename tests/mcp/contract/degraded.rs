//! Degraded responses report their reason. For every reason, these tests have a history and the list of affected tools.

use std::collections::BTreeSet;
use std::path::Path;

use dayledger::activity::ReasonCode;
use dayledger_fixtures::Timeline;
use serde_json::{Value, json};

use super::super::one_call_each;
use super::super::screenshots::store::Store;
use super::super::session::{Session, VERSIONS};
use crate::cli::program::Home;
use crate::histories::{ClosedHistory, History};

/// The tools that count active time. `USAGE` lists the tools that count recorded time.
const ACTIVE: [&str; 4] = ["get_activity_narrative", "get_daily_summary", "get_period_summary", "find_activity"];
const USAGE: [&str; 3] = ["get_application_usage", "get_document_usage", "get_website_usage"];

/// The tools that accept a filter.
const FILTERED: [&str; 7] = [
    "get_activity_narrative",
    "get_daily_summary",
    "get_period_summary",
    "get_application_usage",
    "get_document_usage",
    "get_website_usage",
    "get_tags",
];

/// Adds an active hour with an application, a document and a website to a history.
fn an_hour(mut history: History) -> History {
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "09:40");
    history.application(2, "Firefox", "09:40", "10:00");
    history.website(3, "docs.example", "09:40", "10:00");
    history.document(3, "/home/ada/plan.md", "09:00", "09:40");
    history.commit();
    history
}

/// Returns a history that causes `reason`, a local range, and the tools that report the reason.
fn history_with_reason(reason: ReasonCode) -> (ClosedHistory, (&'static str, &'static str), Vec<&'static str>) {
    let one_day = ("2025-01-15", "2025-01-16");
    match reason {
        ReasonCode::NoComputerUsage => {
            let mut history = an_hour(History::new());
            history.timeline(&Timeline::applications(22, "phone-id"));
            history.application(22, "Reader", "11:00", "11:15");
            (history.close(), one_day, ACTIVE.into_iter().chain(["get_computer_usage"]).collect())
        }
        ReasonCode::FallbackComputation => (an_hour(History::core()).close(), one_day, USAGE.to_vec()),
        ReasonCode::NoActivities => {
            let mut history = an_hour(History::new());
            history.writer().fill_hourly_tables().unwrap();
            history.sql("DELETE FROM Ar_Activity");
            (history.close(), one_day, ACTIVE.to_vec())
        }
        ReasonCode::ActivitiesPartlyKept => {
            let mut history = an_hour(History::new());
            history.active(1, "2025-01-16 09:00:00", "2025-01-16 10:00:00");
            history.application(2, "Editor", "2025-01-16 09:00:00", "2025-01-16 10:00:00");
            history.writer().fill_hourly_tables().unwrap();
            history.sql("DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-01-16'");
            let longer_than_a_day = vec!["get_activity_narrative", "get_period_summary", "find_activity"];
            (history.close(), ("2025-01-15", "2025-01-17"), longer_than_a_day)
        }
        ReasonCode::WholeHoursOnly => {
            let mut history = an_hour(History::new());
            history.writer().fill_hourly_tables().unwrap();
            history.sql("DELETE FROM Ar_Activity");
            let in_parts_of_days =
                ["get_activity_narrative", "get_period_summary", "find_activity"].into_iter().chain(USAGE);
            (history.close(), ("2025-01-15T09:30", "2025-01-15T11:00"), in_parts_of_days.collect())
        }
        ReasonCode::NoApplications => {
            let mut history = History::on_workstation();
            history.active(1, "09:00", "10:00");
            (history.close(), one_day, ACTIVE.into_iter().chain(["get_application_usage"]).collect())
        }
        ReasonCode::NoDocuments => {
            let mut history = History::new();
            history.timeline(&Timeline::computer_usage(1, "desk-id"));
            history.timeline(&Timeline::applications(2, "desk-id"));
            history.active(1, "09:00", "10:00");
            history.application(2, "Editor", "09:00", "10:00");
            let with_documents = ACTIVE.into_iter().chain(["get_document_usage", "get_website_usage"]);
            (history.close(), one_day, with_documents.collect())
        }
        ReasonCode::FilterMatchesNothing => {
            let mut history = an_hour(History::new());
            history.tag(4, &["Client"], "09:00", "10:00");
            (history.close(), one_day, FILTERED.to_vec())
        }
        ReasonCode::HistoryStartsLater => {
            let longer_than_a_day = vec!["get_activity_narrative", "get_period_summary"];
            (an_hour(History::new()).close(), ("2025-01-13", "2025-01-17"), longer_than_a_day)
        }
        // These tools can't cause either reason. Only an export reports the first one (`cli/opened_exports.rs`), and
        // only a comparison during a running period reports the second one.
        ReasonCode::HistoryEndsEarlier | ReasonCode::PeriodNotOver => {
            (an_hour(History::new()).close(), one_day, Vec::new())
        }
        ReasonCode::HourlyTotalsLag => {
            let mut history = an_hour(History::new());
            history.application(2, "Firefox", "10:00", "10:30");
            history.website(3, "docs.example", "10:00", "10:30");
            history.document(3, "/home/ada/plan.md", "10:00", "10:30");
            history.commit();
            history.writer().fill_hourly_tables().unwrap();
            for table in ["Application", "WebSite", "Document"] {
                history.sql(&format!("DELETE FROM Ar_{table}ByDay WHERE Hour = '2025-01-15 10:00:00'"));
            }
            (history.close(), one_day, USAGE.to_vec())
        }
        ReasonCode::NoDataInRange => {
            let all = ["get_activities", "get_computer_usage", "get_tags"].into_iter().chain(ACTIVE).chain(USAGE);
            (an_hour(History::new()).close(), ("2031-01-01", "2031-01-02"), all.collect())
        }
        ReasonCode::DirectoryMissing
        | ReasonCode::CaptureDisabled
        | ReasonCode::Retention
        | ReasonCode::NoScreenshotsInRange
        | ReasonCode::ScreenshotsWithheld
        | ReasonCode::Unknown => {
            let history = an_hour(History::new()).close();
            let taken = |time: &str| {
                Store::in_history_folder(history.folder()).add(time, 1);
            };
            match reason {
                ReasonCode::DirectoryMissing => {}
                ReasonCode::CaptureDisabled => drop(Store::in_history_folder(history.folder())),
                ReasonCode::Retention => taken("2025-01-16 09:00:00"),
                ReasonCode::NoScreenshotsInRange => taken("2025-01-14 09:00:00"),
                ReasonCode::Unknown => Store::unreadable(history.folder()),
                _ => taken("2025-01-15 09:10:00"),
            }
            (history, one_day, vec!["list_screenshots"])
        }
    }
}

/// Returns the diagnostics with `reason` by tool. Of the screenshot tools, only `list_screenshots` is called.
async fn diagnostics_by_tool(
    folder: &Path,
    (start, end): (&str, &str),
    reason: &Value,
    affected: &[&str],
) -> Vec<(&'static str, Value)> {
    let flags: &[&str] = if reason == "SCREENSHOTS_WITHHELD" { &["--redact", "titles"] } else { &[] };
    let session = Session::start_in_home(Home::new(), folder, VERSIONS[0].clone(), flags).await;
    let mut diagnostics = Vec::new();
    let is_called = |tool: &str| affected != ["list_screenshots"] || tool == "list_screenshots";
    for (tool, mut arguments) in one_call_each(start, end).into_iter().filter(|(tool, _)| is_called(tool)) {
        if reason == "FILTER_MATCHES_NOTHING" && FILTERED.contains(&tool) {
            arguments["filter"] = json!({"tag": "nosuch"});
        }
        let mut answer = session.answer(tool, arguments).await;
        if answer["diagnostics"]["reasonCode"] == *reason {
            diagnostics.push((tool, answer["diagnostics"].take()));
        }
    }
    session.end().await;
    diagnostics
}

#[tokio::test(flavor = "multi_thread")]
async fn every_degraded_capability_is_reported_by_the_affected_tools() {
    for reason in ReasonCode::ALL {
        let (history, range, affected) = history_with_reason(reason);
        if affected.is_empty() {
            continue;
        }
        let name = serde_json::to_value(reason).unwrap();
        let by_tool = diagnostics_by_tool(history.folder(), range, &name, &affected).await;
        let tools: BTreeSet<_> = by_tool.iter().map(|(tool, _)| *tool).collect();
        assert_eq!(tools, affected.into_iter().collect(), "{name}");
        for (tool, diagnostics) in by_tool {
            // With these reasons, a response isn't degraded: it is empty, or uses activities after the last hourly
            // total.
            let is_whole = [
                ReasonCode::NoDataInRange,
                ReasonCode::HourlyTotalsLag,
                ReasonCode::FilterMatchesNothing,
                ReasonCode::HistoryStartsLater,
            ];
            let is_whole = is_whole.contains(&reason);
            let degraded = tool != "list_screenshots" && !is_whole;
            assert_eq!(diagnostics["degraded"], degraded, "{tool}");
            // The hint ends with the general text for the reason. A text about this response may come before the
            // general text.
            let hint = diagnostics["remediationHint"].as_str().unwrap();
            assert!(hint.ends_with(reason.hint()), "{tool}: {hint}");
            if reason == ReasonCode::NoDataInRange {
                assert!(hint.starts_with("the history holds 2025-01-15 to 2025-01-15; "), "{tool}: {hint}");
            }
        }
    }
}
