//! Tests filters: reasons for an empty result, suggested names, and usage and tags of the matching time.

use dayledger::App;
use dayledger::activity::{
    Breakdown, Diagnostics, Filter, NarrativeRequest, PeriodSummaryRequest, ReasonCode, Tags, TagsRequest, TimeBasis,
    Usage, UsageKind, UsageRequest, WebsiteUsageRequest,
};
use dayledger::request::{ComparedPart, ComparedRange, Limit, Minutes};
use dayledger::rules::{RuleConfig, Rules};
use dayledger::source::{Pattern, Privacy};
use dayledger_fixtures::Timeline;

use crate::histories::{
    DAY, History, app_over, builder_at, computer_usage_request, day, narrative_request, range, run_query,
    segments_request, source_at, usage_request,
};

/// Returns a day with two applications, a document, a site and three tags. The tag `Lunch` covers time away from the
/// computer. One of the tags is on the previous day.
fn worked_day() -> History {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "11:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.application(2, "Firefox", "10:00", "11:00");
    history.document(3, "/home/ada/plan.md", "09:00", "09:30");
    history.website(3, "docs.example", "10:00", "10:45");
    history.tag(4, &["Northwind Ltd", "Billing"], "09:30", "10:30");
    history.tag(4, &["Lunch"], "12:00", "13:00");
    history.active(1, "2025-01-14 09:00:00", "2025-01-14 10:00:00");
    history.application(2, "Editor", "2025-01-14 09:00:00", "2025-01-14 10:00:00");
    history.tag(4, &["Travel"], "2025-01-14 09:00:00", "2025-01-14 10:00:00");
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    history
}

fn filter(kind: &str, text: &str) -> Filter {
    let text = Some(text.to_owned());
    match kind {
        "application" => Filter { application: text, ..Filter::default() },
        "site" => Filter { site: text, ..Filter::default() },
        "document" => Filter { document: text, ..Filter::default() },
        "tag" => Filter { tag: text, ..Filter::default() },
        "project" => Filter { project: text, ..Filter::default() },
        _ => Filter { text, ..Filter::default() },
    }
}

/// Returns the reason why a response has no match. Leaves out the general part of the hint.
#[track_caller]
fn reason(diagnostics: &Diagnostics) -> String {
    assert_eq!((diagnostics.reason_code, diagnostics.degraded), (Some(ReasonCode::FilterMatchesNothing), false));
    let hint = diagnostics.remediation_hint.clone().unwrap();
    hint.strip_suffix("; change or remove the filter").expect("the hint says what to do").to_owned()
}

#[track_caller]
fn narrative_reason(app: &App, filter: Filter) -> String {
    let request = NarrativeRequest { filter: filter.clone(), ..narrative_request(day(DAY)) };
    let diagnostics_reason = reason(&run_query(app, request).unwrap().diagnostics);
    let request = PeriodSummaryRequest { filter, ..PeriodSummaryRequest::new(day(DAY)) };
    assert_eq!(reason(&run_query(app, request).unwrap().diagnostics), diagnostics_reason, "a period says the same");
    diagnostics_reason
}

fn usage(app: &App, kind: UsageKind, filter: Filter) -> Usage {
    let request = UsageRequest {
        breakdown: Breakdown::None,
        time_basis: TimeBasis::Active,
        filter,
        ..usage_request(kind, day(DAY))
    };
    run_query(app, request).unwrap()
}

fn tags(app: &App, filter: Filter) -> Tags {
    run_query(app, TagsRequest { filter, ..TagsRequest::new(day(DAY)) }).unwrap()
}

/// `period --tag nosuch` used to print "Nothing tracked", and a tool returned zeros without a reason.
#[test]
fn filter_that_matches_nothing_says_so_with_similar_names() {
    let history = worked_day();
    let app = history.app();
    for (kind, text, expected) in [
        ("tag", "northwnd", "no tag contains `northwnd` (did you mean `Northwind Ltd`?)"),
        ("tag", "zzz", "no tag contains `zzz` (this range has `Lunch`, `Northwind Ltd` and `Billing`)"),
        ("project", "bilings", "no project contains `bilings` (did you mean `Billing`?)"),
        ("application", "editr", "no application contains `editr` (did you mean `Editor`?)"),
        ("site", "doks", "no site contains `doks` (did you mean `docs.example`?)"),
        ("document", "plann", "no document contains `plann` (did you mean `plan.md`?)"),
        ("text", "firefx", "no name, title, URL or note contains `firefx` (did you mean `Firefox`?)"),
    ] {
        assert_eq!(narrative_reason(&app, filter(kind, text)), expected, "{kind} {text}");
        assert_eq!(reason(&usage(&app, UsageKind::Applications, filter(kind, text)).diagnostics), expected);
        assert_eq!(reason(&tags(&app, filter(kind, text)).diagnostics), expected);
    }
}

/// The hint used to claim that the range contained a project, although no time matched the project's rule.
#[test]
fn project_of_a_rule_without_matching_time_is_not_suggested() {
    let history = worked_day();
    let rule = serde_json::json!({"app": "nosuch*", "project": "Nova"});
    let rule = serde_json::from_value::<RuleConfig>(rule).unwrap().try_into().unwrap();
    let app = builder_at(history.folder()).with_rules(Rules::new(vec![rule]).unwrap()).build().unwrap();
    let actual = narrative_reason(&app, filter("project", "nova"));
    assert_eq!(actual, "no time in this range belongs to a project with `nova`");
    let actual = narrative_reason(&app, filter("text", "nova"));
    assert_eq!(actual, "a rule has a project with `nova`, but no time in this range belongs to it");
}

/// Three filters find no active time in the range, each for a different reason. The first filter matches only on
/// another day, and the second filter only away from the computer. The conditions of the third filter never match
/// simultaneously.
#[test]
fn filter_that_matches_elsewhere_is_reported_with_the_place() {
    let history = worked_day();
    let app = history.app();
    let editor = |filter: Filter| Filter { application: Some("editor".to_owned()), ..filter };
    for (filter, expected) in [
        (filter("tag", "travel"), "no tag in this range contains `travel`; the last one was on 2025-01-14"),
        (filter("tag", "lunch"), "a tag with `lunch` is in this range, but not in active time"),
        (editor(filter("site", "docs")), "each part of the filter matches something, but not at the same time"),
    ] {
        assert_eq!(narrative_reason(&app, filter), expected);
    }
    assert!(narrative_reason(&app, editor(filter("tag", "nosuch"))).starts_with("no tag contains `nosuch`"));

    let tagged = tags(&app, filter("tag", "lunch"));
    assert_eq!((tagged.total_minutes.to_string(), tagged.diagnostics), ("60".to_owned(), Diagnostics::healthy()));
    assert_eq!(tagged.time_basis, TimeBasis::Recorded);

    let empty = NarrativeRequest { filter: filter("tag", "nosuch"), ..narrative_request(day("2025-01-13")) };
    let reason = run_query(&app, empty).unwrap().diagnostics.reason_code;
    assert_eq!(reason, Some(ReasonCode::NoDataInRange), "the range has no data, so the filter is not the reason");
}

#[test]
fn hidden_names_are_never_suggested() {
    let mut history = worked_day();
    history.application(2, "Keepass", "10:50", "10:55");
    history.commit();
    let privacy = Privacy::new([], [Pattern::parse("keepass").unwrap()], []);
    let app = app_over(source_at(history.folder()).with_privacy(privacy));
    for text in ["keepas", "hiden", "keepass"] {
        let found = narrative_reason(&app, filter("application", text));
        assert!(!found.contains("Keepass") && !found.contains("(hidden)"), "{found}");
    }
}

#[test]
fn usage_and_tags_with_a_filter_are_matching_active_time() {
    let history = worked_day();
    let app = history.app();
    let applications = usage(&app, UsageKind::Applications, filter("tag", "northwind"));
    let items: Vec<_> = applications.usage.iter().map(|item| format!("{} {}", item.name, item.total_minutes)).collect();
    assert_eq!(items, ["Editor 30", "Firefox 30"]);
    assert_eq!((applications.time_basis, applications.total_minutes.to_string()), (TimeBasis::Active, "60".to_owned()));
    assert!(usage(&app, UsageKind::Documents, filter("tag", "northwind")).usage.is_empty());
    let websites = WebsiteUsageRequest {
        range: day(DAY),
        limit: Limit::default(),
        min_minutes: Minutes::ZERO,
        cursor: None,
        include_breakdown: false,
        time_basis: TimeBasis::Active,
        device: None,
        filter: filter("tag", "northwind"),
    };
    assert_eq!(run_query(&app, websites).unwrap().total_minutes.to_string(), "30");

    let tagged = tags(&app, filter("application", "firefox"));
    let rows: Vec<_> = tagged.tags.iter().map(|tag| format!("{} {} {}", tag.name, tag.start, tag.end)).collect();
    assert_eq!(rows, ["Northwind Ltd, Billing 2025-01-15T10:00:00 2025-01-15T10:30:00"]);
    assert_eq!((tagged.time_basis, tagged.total_minutes.to_string()), (TimeBasis::Active, "30".to_owned()));
}

/// A week that begins before the history used to show days without activity before the history.
#[test]
fn period_before_the_history_counts_from_its_first_day() {
    let history = worked_day();
    let app = history.app();
    let week = run_query(&app, PeriodSummaryRequest::new(range("2025-01-12", "2025-01-17"))).unwrap();
    assert_eq!(week.history_start.as_deref(), Some("2025-01-14"));
    assert_eq!(week.diagnostics.reason_code, Some(ReasonCode::HistoryStartsLater));
    assert!(week.diagnostics.remediation_hint.unwrap().starts_with("the history starts on 2025-01-14; "));
    let weekdays: Vec<_> = week.patterns.day_of_week_distribution.iter().map(|day| day.day_of_week).collect();
    assert_eq!(weekdays, [2, 3, 4], "Tuesday to Thursday");
    let inside = run_query(&app, PeriodSummaryRequest::new(range("2025-01-14", "2025-01-17"))).unwrap();
    assert_eq!((inside.history_start, inside.diagnostics), (None, Diagnostics::healthy()));
}

#[test]
fn comparison_with_a_running_period_says_that_only_a_part_is_compared() {
    let history = worked_day();
    let app = history.app();
    let compared = |part| {
        let compare_to = Some(ComparedRange { range: day("2025-01-14"), part });
        let request = PeriodSummaryRequest { compare_to, ..PeriodSummaryRequest::new(day(DAY)) };
        run_query(&app, request).unwrap().comparison.unwrap().diagnostics
    };
    assert_eq!(compared(ComparedPart::Whole), Diagnostics::healthy());
    for (part, fact) in [
        (ComparedPart::SoFar, "only the same part of the other one is compared, until 2025-01-15"),
        (ComparedPart::WholeWithUnfinished, "one of the periods is not over, and both count whole"),
    ] {
        let actual = compared(part);
        assert_eq!((actual.reason_code, actual.degraded), (Some(ReasonCode::PeriodNotOver), false));
        assert!(actual.remediation_hint.as_ref().unwrap().contains(fact), "{actual:?}");
    }
}

/// A device without a timeline of computer states used to look as if it had been off.
#[test]
fn missing_timelines_are_reported_in_affected_responses() {
    let mut history = worked_day();
    history.timeline(&Timeline::applications(22, "phone-id"));
    history.application(22, "Reader", "15:00", "15:15");
    history.commit();
    let app = history.app();
    let states = |date: &str| run_query(&app, computer_usage_request(day(date))).unwrap().diagnostics;
    let actual = states(DAY);
    assert_eq!((actual.reason_code, actual.degraded), (Some(ReasonCode::NoComputerUsage), true));
    assert!(actual.remediation_hint.unwrap().starts_with("affected: `phone-id`; "));
    assert_eq!(states("2025-01-14"), Diagnostics::healthy(), "the phone was not used on that day");
    let documents = usage(&app, UsageKind::Documents, Filter::default()).diagnostics;
    assert_eq!((documents.reason_code, documents.degraded), (Some(ReasonCode::NoComputerUsage), true));
    let applications = NarrativeRequest { device: Some("DESK".to_owned()), ..segments_request(day(DAY)) };
    assert_eq!(run_query(&app, applications).unwrap().diagnostics, Diagnostics::healthy());
}
