//! Tests of the writer and the schema, as those who build histories of their own use them.

use super::*;

const DEVICE: &str = "device";

fn writer(options: SchemaOptions) -> HistoryWriter {
    let mut writer = HistoryWriter::in_memory(options).unwrap();
    writer.add_environment(DEVICE, "DESK", Some("Windows;10.0")).unwrap();
    writer.add_timeline(&Timeline::computer_usage(1, DEVICE)).unwrap();
    writer.add_timeline(&Timeline::applications(2, DEVICE)).unwrap();
    writer.add_timeline(&Timeline::documents(3, DEVICE)).unwrap();
    writer.add_timeline(&Timeline::tags(4, DEVICE)).unwrap();
    writer
}

fn tables(conn: &Connection) -> Vec<String> {
    texts(conn, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
}

#[test]
fn the_whole_schema_has_the_tables_and_indexes_of_a_real_history() {
    let conn = Connection::open_in_memory().unwrap();
    schema::create(&conn).unwrap();
    let mut expected = vec![
        "Ar_Activity",
        "Ar_ActivityByHour",
        "Ar_Category",
        "Ar_CategoryGroup",
        "Ar_CommonGroup",
        "Ar_CommonGroupList",
        "Ar_Environment",
        "Ar_Folder",
        "Ar_Group",
        "Ar_GroupList",
        "Ar_GroupListItem",
        "Ar_Team",
        "Ar_TeamMember",
        "Ar_Timeline",
        "Ar_TimelineSummary",
        "Ar_User",
        "Document",
        "Registry",
        "Sequence",
    ];
    for by_hour in [
        ["Ar_ApplicationByDay", "Ar_ApplicationByYear"],
        ["Ar_ComputerUsageByDay", "Ar_ComputerUsageByYear"],
        ["Ar_DocumentByDay", "Ar_DocumentByYear"],
        ["Ar_TagListByDay", "Ar_TagListByYear"],
        ["Ar_WebSiteByDay", "Ar_WebSiteByYear"],
    ] {
        expected.extend(by_hour);
    }
    expected.sort_unstable();
    assert_eq!(tables(&conn), expected);
    let indexes = texts(&conn, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name");
    assert_eq!(
        indexes,
        [
            "IX_Ar_Activity_CommonGroupId",
            "IX_Ar_Activity_CommonGroupListId",
            "IX_Ar_Activity_EndLocalTime",
            "IX_Ar_Activity_GroupId",
            "IX_Ar_Activity_GroupListId",
            "IX_Ar_Activity_LocalTime",
            "IX_Ar_Activity_RelatedActivityId",
            "IX_Ar_Activity_Sequence",
            "IX_Ar_CategoryGroup_CategoryId",
            "IX_Ar_CommonGroupList_UpperKey",
            "IX_Ar_CommonGroup_UpperKey",
            "IX_Ar_Environment_DeviceDisplayName",
            "IX_Ar_Folder_Sequence",
            "IX_Ar_GroupListItem_GroupId",
            "IX_Ar_GroupList_CommonId",
            "IX_Ar_GroupList_KeyHash",
            "IX_Ar_GroupList_Sequence",
            "IX_Ar_Group_CommonId",
            "IX_Ar_Group_FolderId",
            "IX_Ar_Group_KeyHash",
            "IX_Ar_Group_Sequence",
            "IX_Ar_TeamMember_DeviceDisplayName",
            "IX_Ar_TeamMember_UserId",
            "IX_Ar_Timeline_EnvironmentId",
            "IX_Ar_Timeline_OwnerId",
            "IX_Document_IndexValue",
            "IX_Document_Key",
            "IX_Document_Owner",
            "UX_Ar_CategoryGroup",
            "UX_Ar_CommonGroup",
            "UX_Ar_CommonGroupList",
            "UX_Ar_User",
        ]
    );
}

#[test]
fn a_history_of_core_tables_only_takes_the_same_calls() {
    let mut writer = writer(SchemaOptions::core());
    let code = writer.add_group(2, &Group::application("code.exe;code", "Code")).unwrap();
    let tag = writer.add_group(4, &Group::tag("Client")).unwrap();
    let list = writer.add_group_list(4, "Client", &[tag], true).unwrap();
    let span = Span::local("2025-01-15 09:00:00", "2025-01-15 09:10:00", 60).unwrap();
    writer.add_activity(2, &Activity::new("main.rs", span).group(code)).unwrap();
    writer.add_activity(4, &Activity::new("Client", span).group_list(list)).unwrap();
    writer.add_tag(1, "Client").unwrap();
    writer.fill_hourly_tables().unwrap();
    let conn = writer.finish().unwrap();
    assert_eq!(tables(&conn), ["Ar_Activity", "Ar_Group", "Ar_Timeline"]);
    let common = "SELECT count(*) FROM Ar_Activity WHERE CommonGroupId IS NOT NULL OR CommonGroupListId IS NOT NULL";
    assert_eq!(number(&conn, common), 0);
    assert_eq!(number(&conn, "SELECT count(*) FROM Ar_Activity"), 2);
}

#[test]
fn times_are_written_local_and_in_utc_with_an_offset_for_each_end() {
    let mut writer = writer(SchemaOptions::core());
    let autumn = Span::across("2025-10-26 02:50:00", 120, "2025-10-26 02:10:00", 60).unwrap();
    let west = Span::local("2025-01-15 23:50:00", "2025-01-16 00:10:00", -210).unwrap();
    writer.add_activity(2, &Activity::new("autumn", autumn)).unwrap();
    writer.add_activity(2, &Activity::new("west", west)).unwrap();
    let conn = writer.finish().unwrap();
    let times = "SELECT StartLocalTime || ' ' || EndLocalTime || ' ' || StartUtcTime || ' ' || EndUtcTime
                 FROM Ar_Activity ORDER BY ActivityId";
    assert_eq!(
        texts(&conn, times),
        [
            "2025-10-26 02:50:00 2025-10-26 02:10:00 2025-10-26 00:50:00 2025-10-26 01:10:00",
            "2025-01-15 23:50:00 2025-01-16 00:10:00 2025-01-16 03:20:00 2025-01-16 03:40:00",
        ]
    );
}

#[test]
fn a_text_that_is_no_time_is_named() {
    let error = Span::local("2025-01-15T09:00:00", "2025-01-15 10:00:00", 0).unwrap_err();
    assert_eq!(error.to_string(), "`2025-01-15T09:00:00` is no local time; write it as `2025-01-15 09:30:00`");
}

#[test]
fn hourly_tables_come_from_the_activities_by_kind() {
    let mut writer = writer(SchemaOptions::default());
    let code = writer.add_group(2, &Group::application("code.exe;code", "Code")).unwrap();
    let site = writer.add_group(3, &Group::web_site("docs.rs")).unwrap();
    let tag = writer.add_group(4, &Group::tag("Client")).unwrap();
    let list = writer.add_group_list(4, "Client", &[tag], true).unwrap();
    let span = Span::local("2025-01-15 09:50:00", "2025-01-15 11:05:00", 60).unwrap();
    let window = writer.add_activity(2, &Activity::new("main.rs", span).group(code)).unwrap();
    writer.add_activity(3, &Activity::new("https://docs.rs/", span).group(site).related(window)).unwrap();
    writer.add_activity(4, &Activity::new("Client", span).group_list(list)).unwrap();
    writer.fill_hourly_tables().unwrap();
    let conn = writer.finish().unwrap();
    for table in ["Application", "WebSite", "TagList"] {
        assert_eq!(
            texts(&conn, &format!("SELECT Hour || ' ' || TotalSeconds FROM Ar_{table}ByDay ORDER BY Hour")),
            ["2025-01-15 09:00:00 600", "2025-01-15 10:00:00 3600", "2025-01-15 11:00:00 300"],
            "{table}"
        );
        assert_eq!(
            texts(&conn, &format!("SELECT Hour || ' ' || DayOfWeek FROM Ar_{table}ByYear ORDER BY Hour LIMIT 1")),
            ["2025-01-01 09:00:00 3"],
            "{table}"
        );
    }
    let hours = "SELECT Hour FROM Ar_ActivityByHour WHERE ReportId = 2 ORDER BY Hour";
    assert_eq!(texts(&conn, hours), ["2025-01-15 09:00:00", "2025-01-15 10:00:00", "2025-01-15 11:00:00"]);
}

#[test]
fn the_first_device_gives_the_common_name() {
    let mut writer = writer(SchemaOptions::default());
    writer.add_timeline(&Timeline::computer_usage(5, "other")).unwrap();
    let here = writer.add_group(1, &Group::state("ManicTime/Active", "Active")).unwrap();
    let there = writer.add_group(5, &Group::state("ManicTime/Active", "Aktiv")).unwrap();
    let span = Span::local("2025-01-15 09:00:00", "2025-01-15 09:10:00", 60).unwrap();
    writer.add_activity(1, &Activity::new("Active", span).group(here).active(true)).unwrap();
    writer.add_activity(5, &Activity::new("Aktiv", span).group(there).active(true)).unwrap();
    let conn = writer.finish().unwrap();
    assert_eq!(texts(&conn, "SELECT Name FROM Ar_Group ORDER BY ReportId"), ["Active", "Aktiv"]);
    assert_eq!(texts(&conn, "SELECT Name FROM Ar_CommonGroup"), ["Active"]);
    assert_eq!(number(&conn, "SELECT count(DISTINCT CommonGroupId) FROM Ar_Activity"), 1);
}

#[test]
fn tag_tables_are_written_where_they_are_asked_for() {
    let mut writer = writer(SchemaOptions::core().with(&[TableGroup::Tags]));
    let span = Span::local("2025-01-15 09:00:00", "2025-01-15 09:10:00", 60).unwrap();
    let activity = writer.add_activity(4, &Activity::new("Client", span)).unwrap();
    writer.add_tag(7, "Client").unwrap();
    writer.tag_activity(4, activity, 7).unwrap();
    let conn = writer.finish().unwrap();
    let tagged = "SELECT t.Name FROM Ar_ActivityTag AS a JOIN Ar_Tag AS t USING (TagId) WHERE ReportId = 4";
    assert_eq!(texts(&conn, tagged), ["Client"]);
}

#[test]
fn writing_goes_on_after_a_commit_that_others_see() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("live.db");
    let mut writer = HistoryWriter::create(&path, SchemaOptions::default()).unwrap();
    writer.add_timeline(&Timeline::applications(2, DEVICE)).unwrap();
    let code = writer.add_group(2, &Group::application("code.exe;code", "Code")).unwrap();
    let reader = Connection::open(&path).unwrap();
    let last = "SELECT coalesce(max(EndLocalTime), '') FROM Ar_TimelineSummary";
    for end in ["2025-01-15 09:10:00", "2025-01-15 09:20:00"] {
        let span = Span::local("2025-01-15 09:00:00", end, 60).unwrap();
        writer.add_activity(2, &Activity::new("main.rs", span).group(code).active(true)).unwrap();
        assert_ne!(texts(&reader, last), [end], "seen before the commit");
        writer.commit().unwrap();
        assert_eq!(texts(&reader, last), [end]);
    }
    assert_eq!(number(&reader, "SELECT max(CurrentChangeSequence) FROM Ar_Activity"), 3);
}

#[test]
fn an_activity_of_an_unknown_timeline_is_refused() {
    let mut writer = HistoryWriter::in_memory(SchemaOptions::core()).unwrap();
    let span = Span::local("2025-01-15 09:00:00", "2025-01-15 09:10:00", 60).unwrap();
    let error = writer.add_activity(9, &Activity::new("main.rs", span)).unwrap_err();
    assert!(matches!(error, Error::NoTimeline { report: 9 }), "{error}");
}
