//! Tests of pages, with sample responses.

use std::sync::Arc;

use chrono::{NaiveDateTime, TimeDelta};

use super::super::tests::to_minutes;
use super::{Page, is_page};
use dayledger_activity::{
    ActiveHour, ApplicationTotal, AwayInterval, ClientTime, DaySegments, Diagnostics, Filter, NamedInterval,
    NamedTotal, PeriodAggregate, PeriodDay, PeriodPatterns, PeriodSummary, Presence, Purposes, RangeReport, ReasonCode,
    Segment, TaskTime, Thumbnail, Thumbnails, TimeBasis, TimeSpent,
};
use dayledger_request::{DateRange, Truncation};
use dayledger_source::{ComputerState, FoundBy};

/// Returns an interval between two local times, each with its UTC offset in minutes.
pub(super) fn interval(name: &str, start: &str, start_offset: i64, end: &str, end_offset: i64) -> NamedInterval {
    let local = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap();
    let (start, end) = (local(start), local(end));
    NamedInterval {
        date: start.date(),
        device: None,
        name: name.to_owned(),
        color: None,
        start_local: start,
        start_utc: start - TimeDelta::minutes(start_offset),
        end_local: end,
        end_utc: end - TimeDelta::minutes(end_offset),
    }
}

fn total(name: &str, minutes: f64) -> NamedTotal {
    NamedTotal { name: name.to_owned(), total_minutes: to_minutes(minutes) }
}

/// Returns a report with one hour in the application `name`, on the first day of the range.
fn report_with_name(name: &str, (from, to): (&str, &str)) -> RangeReport {
    let range = DateRange::parse(from, to, ("", "")).unwrap();
    let date = range.start().date();
    let day = PeriodDay {
        date: date.to_string(),
        total_active_minutes: to_minutes(60.0),
        matching_minutes: None,
        top_app: name.to_owned(),
        first_activity: Some(format!("{date}T09:00:00")),
        last_activity: Some(format!("{date}T10:00:00")),
    };
    let summary = PeriodSummary {
        start_date: range.start_text(),
        end_date: range.end_text(),
        day_start: None,
        history_start: None,
        time_basis: TimeBasis::Active,
        total_active_minutes: to_minutes(60.0),
        matching_minutes: None,
        comparison: None,
        days: vec![day],
        aggregate: PeriodAggregate {
            tagged: None,
            clients: None,
            top_apps: vec![ApplicationTotal { name: name.to_owned(), color: None, total_minutes: to_minutes(60.0) }],
            top_websites: vec![total(name, 30.0)],
            top_documents: None,
            top_apps_available: None,
            top_websites_available: None,
            avg_daily_minutes: to_minutes(60.0),
            busiest_day: Some(date.to_string()),
            quietest_day: Some(date.to_string()),
        },
        patterns: PeriodPatterns { day_of_week_distribution: Vec::new() },
        truncation: Truncation::new(1, 1),
        diagnostics: Diagnostics::healthy(),
    };
    let hour = |name: &str| interval(name, &format!("{date} 09:00"), 60, &format!("{date} 10:00"), 60);
    let segment = Segment {
        start: format!("{date}T09:00:00"),
        end: format!("{date}T10:00:00"),
        duration_minutes: to_minutes(60.0),
        device: Some(name.to_owned()),
        application: name.to_owned(),
        document: Some(format!("file:///C:/Secret/{name}")),
        website: None,
        title: Some(name.to_owned()),
        tags: Some(vec![name.to_owned()]),
        screenshot_ref: None,
        block: None,
    };
    let is_one_day = range.end() - range.start() <= TimeDelta::days(1);
    RangeReport {
        range,
        filter: Filter::default(),
        summary,
        top_documents: vec![total(&format!("C:\\Secret\\{name}"), 12.0)],
        top_documents_available: None,
        purposes: purposes_of(name),
        applications: vec![hour(name)],
        websites: vec![hour(name)],
        tags: vec![hour(name)],
        hours: vec![ActiveHour { date, hour: 9, seconds: 3600 }],
        day: is_one_day.then(|| DaySegments {
            blocks: vec![segment.clone()],
            segments: vec![segment; 2],
            presence: None,
        }),
    }
}

/// Returns the time of one client with two tasks: 30 minutes at the computer and 15 minutes away from the computer.
fn purposes_of(name: &str) -> Purposes {
    let spent = |active, away| TimeSpent { active: to_minutes(active), away: to_minutes(away) };
    let task = |task: &str, spent| TaskTime { task: task.to_owned(), name: format!("{name}, {task}"), spent };
    let tasks = vec![task(name, spent(20.0, 15.0)), task("Travel", spent(10.0, 0.0))];
    let client = ClientTime { name: name.to_owned(), spent: spent(30.0, 15.0), tasks, tasks_available: None };
    let named = client.spent;
    Purposes { clients: vec![client], clients_available: None, named, is_tagged: true, is_by_rule: false }
}

/// Returns the time at which the pages of the tests are created.
pub(super) fn creation_time() -> NaiveDateTime {
    NaiveDateTime::parse_from_str("2025-02-03 04:05", "%Y-%m-%d %H:%M").unwrap()
}

fn render(report: &RangeReport, thumbnails: Option<&Thumbnails>) -> String {
    Page { report, hours: None, thumbnails, title: None, found_by: FoundBy::Flag, created: creation_time() }.text()
}

const DAY: (&str, &str) = ("2025-01-15", "2025-01-16");
const WEEK: (&str, &str) = ("2025-01-13", "2025-01-20");
pub(super) const MONTH: (&str, &str) = ("2025-01-01", "2025-02-01");

#[test]
fn names_are_escaped() {
    for name in ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'/**/--><style>*{}", "&lt;b&gt;"] {
        for range in [DAY, WEEK, MONTH] {
            let page = render(&report_with_name(name, range), None);
            assert_eq!(page.matches("<style").count(), 1, "{name}");
            for never in ["<script", "<img", "onerror=alert(1)>", "\">\"", "'/**/--><"] {
                assert!(!page.contains(never), "{name} wrote {never}");
            }
        }
    }
    let page = render(&report_with_name("<script>", DAY), None);
    assert!(page.contains("<bdi title=\"&lt;script&gt;\">&lt;script&gt;</bdi>"), "the name is escaped, not changed");
}

#[test]
fn folders_are_not_shown() {
    let page = render(&report_with_name("notes.md", DAY), None);
    assert!(page.contains("notes.md") && !page.contains("Secret"));
}

#[test]
fn the_hour_map_has_days_for_a_week_and_weekdays_for_longer_ranges() {
    let map = |range| {
        let page = render(&report_with_name("Editor", range), None);
        let map = page.split_once("class=\"heat\"").unwrap().1;
        map.split_once("</table>").unwrap().0.to_owned()
    };
    assert_eq!(map(DAY).matches("scope=\"row\"").count(), 1);
    assert_eq!(map(WEEK).matches("scope=\"row\"").count(), 7);
    assert!(map(WEEK).contains(">Mon 13</th><td class=\"heat-5\"><span>60</span>"), "{}", map(WEEK));
    // January 2025 has five Wednesdays. One hour on a single Wednesday is 12 minutes on average.
    assert!(map(MONTH).contains(">Wed</th><td class=\"heat-1\"><span>12</span>"), "{}", map(MONTH));
}

#[test]
fn the_heading_of_a_page_is_its_range() {
    let heading = |range| {
        let page = render(&report_with_name("Editor", range), None);
        let header = page.split_once("<header class=\"page\">").unwrap().1;
        header
            .split_once("</h1>")
            .unwrap()
            .0
            .replace("<h1>", "")
            .replace("</p>", ": ")
            .replace("<p class=\"week\">", "")
    };
    assert_eq!(heading(DAY), "Wednesday, 15 January 2025");
    assert_eq!(heading(WEEK), "Week 3: Mon 13 Jan – Sun 19 Jan 2025");
    assert_eq!(heading(MONTH), "January 2025");
    assert_eq!(heading(("2025-01-15T09:00", "2025-01-15T12:00")), "Wednesday, 15 January 2025, 09:00–12:00");
}

#[test]
fn pages_written_by_dayledger_are_recognised() {
    let page = render(&report_with_name("Editor", DAY), None);
    assert!(is_page(&page.as_bytes()[..512]));
    for other in [
        "",
        "<!DOCTYPE html><html lang=\"en\"><head>",
        "dayledger",
        "<meta name=\"generator\" content=\"dayledger 1\">",
    ] {
        assert!(!is_page(other.as_bytes()), "{other}");
    }
}

#[test]
fn screenshots_are_embedded_and_their_absence_is_explained() {
    let picture = Thumbnail {
        taken: "2025-01-15 09:30:00".to_owned(),
        mime_type: "image/jpeg",
        width: 2,
        height: 1,
        bytes: Arc::from(*b"pixels"),
    };
    let some = Thumbnails { pictures: vec![picture], screenshots_in_range: 7, diagnostics: Diagnostics::healthy() };
    let page = render(&report_with_name("Editor", DAY), Some(&some));
    assert!(page.contains(
        "<img src=\"data:image/jpeg;base64,cGl4ZWxz\" alt=\"The screen at 09:30\" width=\"2\" height=\"1\">"
    ));
    assert!(page.contains("1 of 7"));
    let diagnostics = Diagnostics::remark(ReasonCode::DirectoryMissing);
    let hint = diagnostics.remediation_hint.clone().unwrap();
    let none = Thumbnails { pictures: Vec::new(), screenshots_in_range: 0, diagnostics };
    let page = render(&report_with_name("Editor", DAY), Some(&none));
    assert!(page.contains(hint.split('`').next().unwrap()), "{hint}");
}

#[test]
fn a_cut_list_shows_its_full_length() {
    let mut report = report_with_name("Editor", WEEK);
    assert!(!render(&report, None).contains("Top 1 of "));
    report.summary.aggregate.top_websites_available = Some(83);
    report.top_documents_available = Some(83);
    let page = render(&report, None);
    assert_eq!(page.matches("Top 1 of 83<").count(), 2);
}

#[test]
fn recorded_time_is_labelled_as_recorded() {
    let mut report = report_with_name("Editor", WEEK);
    report.summary.time_basis = TimeBasis::Recorded;
    report.summary.diagnostics = Diagnostics::degradation(ReasonCode::NoActivities);
    (report.applications, report.websites, report.tags) = (Vec::new(), Vec::new(), Vec::new());
    report.hours.clear();
    let page = render(&report, None);
    assert!(page.contains("Recorded time</dt>") && page.contains("This page shows recorded time."));
    assert!(!page.contains("<svg") && !page.contains("class=\"heat\""), "the page has no charts of unknown times");
}

#[test]
fn a_clock_change_is_explained_and_drawn() {
    let mut report = report_with_name("Editor", ("2025-10-26", "2025-10-27"));
    report.applications = vec![
        interval("Editor", "2025-10-26 02:00", 120, "2025-10-26 02:50", 120),
        interval("Mail", "2025-10-26 02:10", 60, "2025-10-26 02:40", 60),
    ];
    (report.websites, report.tags) = (Vec::new(), Vec::new());
    let page = render(&report, None);
    assert!(page.contains("the clock went back by an hour"), "{page}");
    assert!(page.contains("aria-label=\"Applications, Sunday 26 October: Editor 50 min, Mail 30 min\""));
}

#[test]
fn tagged_time_comes_first_with_time_away_and_untagged_time() {
    let page = render(&report_with_name("Acme", WEEK), None);
    let list = page.split_once("<h3>Tags</h3>").unwrap().1;
    let (list, after) = list.split_once("<h3>Applications</h3>").unwrap();
    assert!(after.contains("<h3>Documents</h3>"));
    let text = |html: &str| {
        let parts = html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
        parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|")
    };
    let lines: Vec<_> = list.split("<div class=\"line").skip(1).map(|line| text(&format!("<{line}"))).collect();
    assert_eq!(lines[0], "Acme|45 min|50 %|(15 min away)");
    assert_eq!(lines[1..3], ["Acme|35 min|33 %|(15 min away)", "Travel|10 min|17 %"]);
    assert!(lines[3].starts_with("Untagged|30 min|50 %"), "{lines:?}");
    assert!(list.contains("away from the computer"));
}

#[test]
fn time_away_is_drawn_as_a_frame() {
    let mut report = report_with_name("Acme", DAY);
    let page = render(&report, None);
    assert!(!page.contains("class=\"frame\"") && !page.contains("Away from the computer"));
    let away = AwayInterval {
        start: "2025-01-15T06:10:00".to_owned(),
        end: "2025-01-15T06:40:00".to_owned(),
        duration_minutes: to_minutes(30.0),
        state: ComputerState::Locked,
        tags: Some(vec!["Northwind, <Estimate>".to_owned()]),
        meetings: None,
        notes_taken: None,
    };
    let presence = Presence { first_use: None, last_use: None, break_minutes: to_minutes(0.0), away: Some(vec![away]) };
    report.day.as_mut().unwrap().presence = Some(presence);
    let page = render(&report, None);
    let frame = "class=\"frame\" aria-hidden=\"true\" title=\"06:10–06:40: locked · &lt;Estimate&gt; (Northwind)\"";
    assert!(page.contains(frame) && page.contains("Away from the computer"), "{page}");
    assert!(page.contains(">06</span>"), "the axis begins early enough: {page}");
}

#[test]
fn marks_of_tags_show_the_task_on_a_page_about_one_client() {
    let mut report = report_with_name("Acme, Billing", WEEK);
    report.applications[0].name = "Editor".to_owned();
    let page = render(&report, None);
    assert!(page.contains("<i>Billing</i>") && !page.contains("<i>Acme</i>"));
    report.purposes.clients.extend(purposes_of("Northwind").clients);
    let page = render(&report, None);
    assert!(page.contains("<i>Acme</i>") && !page.contains("<i>Billing</i>"));
}

#[test]
fn the_key_names_a_client_once() {
    let page = render(&report_with_name("Acme", WEEK), None);
    let key = page.split_once("<dl class=\"key\">").unwrap().1.split_once("</dl>").unwrap().0;
    assert!(key.contains("<bdi>Acme, Acme</bdi>") && key.contains("<bdi>Travel</bdi>"), "{key}");
}

#[test]
fn recorded_time_has_no_percentages_and_an_empty_tag_list_is_left_out() {
    let mut report = report_with_name("Acme", WEEK);
    report.purposes.clients[0].tasks.truncate(1);
    report.summary.time_basis = TimeBasis::Recorded;
    let page = render(&report, None);
    let list = page.split_once("<h3>Tags</h3>").unwrap().1.split_once("<h3>").unwrap().0.to_owned();
    // If a client has only one task, the client and the task share one line with all tagged time.
    assert!(list.contains(">Acme, Acme</bdi>") && list.contains("<span class=\"time\">45 min</span>"), "{list}");
    assert!(!list.contains(" %<") && !list.contains("Untagged") && !list.contains("away"), "{list}");
    report.purposes.clients.clear();
    assert!(!render(&report, None).contains("<h3>Tags</h3>"));
    report.purposes = Purposes { is_by_rule: true, ..purposes_of("Acme") };
    report.summary.time_basis = TimeBasis::Active;
    let page = render(&report, None);
    assert!(page.contains("<h3>Tags and projects</h3>") && page.contains("No tag or project"));
}
