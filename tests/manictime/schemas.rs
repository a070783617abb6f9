//! Tests the role of a timeline, and rows with broken references.

use dayledger::activity::{Role, TimelinesRequest};
use dayledger_fixtures::{Activity, Group, Timeline};

use crate::histories::{
    DAY, History, day, period, rows, run_every_query, run_query, segments, span, tags, today, tops, usage,
};

fn roles(history: &History) -> Vec<(i64, Role)> {
    let timelines = run_query(&history.app(), TimelinesRequest).unwrap().timelines;
    timelines.into_iter().map(|timeline| (timeline.id, timeline.role)).collect()
}

fn timeline<'a>(report: i64, schema: &'a str, base_schema: &'a str) -> Timeline<'a> {
    Timeline { report, schema, base_schema, environment: "desk-id", name: None }
}

#[test]
fn timeline_of_an_unknown_schema_does_not_count() {
    let mut history = History::with_one_hour();
    history.timeline(&timeline(9, "Acme/HeartRate", "ManicTime/Generic/Group"));
    let group = history.group(9, &Group::application("acme.exe;acme", "Heart rate"));
    history.activity(9, &Activity::new("Heart rate", span("09:00", "23:00")).group(group).active(true));
    history.commit();
    let app = history.app();
    assert_eq!(roles(&history).last(), Some(&(9, Role::Other)));
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    assert_eq!(period(&app, DAY, "2025-01-16").total_active_minutes.to_string(), "60");
    assert_eq!(usage(&app, day(DAY)).total_minutes.to_string(), "60");
    assert_eq!(rows(&app, "SELECT title FROM activities WHERE role = 'other'"), ["Heart rate"]);
}

#[test]
fn base_schema_decides_if_the_schema_is_unknown() {
    let mut history = History::new();
    history.timeline(&timeline(1, "Acme/Presence", "ManicTime/ComputerUsage"));
    history.timeline(&timeline(2, "Acme/Windows", "ManicTime/Applications"));
    history.timeline(&timeline(3, "ManicTime/Documents", "ManicTime/Applications"));
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.commit();
    let expected = [(1, Role::ComputerUsage), (2, Role::Applications), (3, Role::Documents)];
    assert_eq!(roles(&history), expected, "the schema itself comes first");
    assert_eq!(tops(&today(&history.app())), ["Editor 60.0"]);
}

#[test]
fn schemas_group_types_and_tables_ignore_case() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Firefox", "09:00", "10:00");
    history.website(3, "docs.rs", "09:00", "10:00");
    history.tag(4, &["Client"], "09:00", "10:00");
    history.sql(
        "UPDATE Ar_Timeline SET SchemaName = upper(SchemaName), BaseSchemaName = lower(BaseSchemaName);
         UPDATE Ar_Group SET GroupType = lower(GroupType);
         UPDATE Ar_CommonGroup SET GroupType = upper(GroupType);
         ALTER TABLE Ar_Group RENAME TO spare; ALTER TABLE spare RENAME TO AR_GROUP;
         ALTER TABLE Ar_Activity RENAME COLUMN EndUtcTime TO endutctime;",
    );
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(segments(&narrative), ["09:00 10:00 Firefox 60.0"]);
    assert_eq!(narrative.segments.unwrap()[0].website.as_deref(), Some("docs.rs"));
    assert_eq!(tags(&app).tags.len(), 1);
}

#[test]
fn separate_timeline_of_websites_is_recognized() {
    for schema in ["ManicTime/BrowserUrls", "ManicTime/WebSites"] {
        let mut history = History::with_one_hour();
        history.timeline(&timeline(9, schema, "ManicTime/Generic/Group"));
        history.website(9, "docs.rs", "09:00", "10:00");
        history.commit();
        let websites = "SELECT site, seconds FROM websites";
        assert_eq!(rows(&history.app(), websites), ["docs.rs | 3600"], "{schema}");
    }
}

#[test]
fn activities_with_broken_references_keep_their_time() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "09:20");
    let lost = history.application(2, "Lost", "09:20", "09:50");
    history.website(3, "docs.rs", "09:20", "09:50");
    history.tag(4, &["Client", "Development"], "09:00", "10:00");
    history.sql(&format!(
        "UPDATE Ar_Activity SET GroupId = 99, CommonGroupId = 98 WHERE ReportId = 2 AND ActivityId = {lost};
         UPDATE Ar_Activity SET RelatedActivityId = 97 WHERE ReportId = 3;
         DELETE FROM Ar_GroupListItem;
         DELETE FROM Ar_GroupList;
         DELETE FROM Ar_CommonGroupList;"
    ));
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(segments(&narrative), ["09:00 09:20 Editor 20.0", "09:20 09:50 Unknown 30.0"]);
    assert_eq!(narrative.total_active_minutes.to_string(), "50");
    assert_eq!(tags(&app).tags[0].name, "Client, Development");
    run_every_query(&app).unwrap();
}

#[test]
fn activity_of_a_removed_timeline_does_not_count() {
    let mut history = History::with_one_hour();
    history.application(2, "Editor", "10:00", "10:30");
    history.sql("UPDATE Ar_Activity SET ReportId = 77 WHERE ReportId = 2 AND ActivityId = 2");
    let app = history.app();
    assert_eq!(tops(&today(&app)), ["Editor 60.0"]);
    run_every_query(&app).unwrap();
}
