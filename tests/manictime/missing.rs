//! Tests missing and unknown tables and columns.

use dayledger::activity::{HealthRequest, ReasonCode, Role};
use dayledger_fixtures::{SchemaOptions, TableGroup};

use crate::histories::{
    DAY, History, code, day, narrative_request, read_every_table, rows, run_every_query, run_query, segments, tags,
    today, tops, usage,
};

/// The columns without which a history can't be read.
const REQUIRED: [(&str, &[&str]); 3] = [
    ("Ar_Timeline", &["ReportId", "SchemaName"]),
    (
        "Ar_Activity",
        &["ReportId", "ActivityId", "Name", "GroupId", "StartLocalTime", "StartUtcTime", "EndLocalTime", "EndUtcTime"],
    ),
    ("Ar_Group", &["ReportId", "GroupId", "Name"]),
];

/// All other columns of the core tables.
const OPTIONAL: [(&str, &[&str]); 3] = [
    (
        "Ar_Timeline",
        &[
            "TimelineKey",
            "PublishKey",
            "Name",
            "SchemaVersion",
            "BaseSchemaName",
            "BaseSchemaVersion",
            "OwnerId",
            "EnvironmentId",
            "Other",
        ],
    ),
    (
        "Ar_Activity",
        &[
            "CommonGroupId",
            "GroupListId",
            "CommonGroupListId",
            "IsActive",
            "IsBillable",
            "Notes",
            "RelatedActivityId",
            "SourceId",
            "CurrentChangeSequence",
            "CurrentChangeRandomValue",
            "Other",
        ],
    ),
    (
        "Ar_Group",
        &[
            "ReportGroupType",
            "KeyHash",
            "Key",
            "Color",
            "SkipColor",
            "Icon16",
            "Icon32",
            "FolderId",
            "GroupType",
            "IsBillable",
            "CommonId",
            "SourceId",
            "CurrentChangeSequence",
            "CurrentChangeRandomValue",
            "Other",
        ],
    ),
];

/// Returns an active hour with two applications, a website and a tag.
fn history_with(options: SchemaOptions) -> History {
    let mut history = History::with(options);
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "09:40");
    history.application(2, "Firefox", "09:40", "10:00");
    history.website(3, "docs.rs", "09:40", "10:00");
    history.tag(4, &["Client", "Development"], "09:00", "10:00");
    history.commit();
    history
}

/// Drops the indexes of `table`. Otherwise its columns could not be removed.
fn drop_indexes(history: &mut History, table: &str) {
    let names: Vec<String> = {
        let connection = history.writer().connection();
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL";
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([table], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for name in names {
        history.writer().connection().execute_batch(&format!("DROP INDEX {name}")).unwrap();
    }
}

#[test]
fn core_tables_are_enough_for_a_narrative() {
    let history = history_with(SchemaOptions::core());
    let app = history.app();
    let narrative = today(&app);
    assert_eq!(segments(&narrative), ["09:00 09:40 Editor 40.0", "09:40 10:00 Firefox 20.0"]);
    assert_eq!(narrative.segments.unwrap()[1].website.as_deref(), Some("docs.rs"));
    assert!(!narrative.diagnostics.degraded);
    let usage = usage(&app, day(DAY));
    assert_eq!(usage.total_minutes.to_string(), "60");
    assert_eq!(usage.diagnostics.reason_code, Some(ReasonCode::FallbackComputation));
    // The table of tag lists is missing, so only the name of the activity identifies the tag.
    assert_eq!(tags(&app).tags[0].name, "Client, Development");

    let health = run_query(&app, HealthRequest).unwrap();
    assert!(health.capabilities.is_empty(), "{:?}", health.capabilities);
    assert_eq!(health.degraded.len(), 7, "all tables that ManicTime writes are missing");
    assert_eq!(health.timelines[0].device, "desk-id", "a device without a name is shown by its id");
    run_every_query(&app).unwrap();
    read_every_table(&app);
}

#[test]
fn usage_comes_from_hourly_tables_if_they_exist() {
    let mut history = history_with(SchemaOptions::default());
    history.writer().fill_hourly_tables().unwrap();
    history.sql("UPDATE Ar_ApplicationByDay SET TotalSeconds = TotalSeconds / 2");
    let app = history.app();
    let answer = usage(&app, day(DAY));
    assert_eq!(answer.total_minutes.to_string(), "30", "the total is ManicTime's own, not that of the activities");
    assert_eq!(answer.diagnostics.reason_code, None);
    assert_eq!(rows(&app, "SELECT DISTINCT data_source FROM app_usage"), ["hourly"]);
    run_every_query(&app).unwrap();
}

#[test]
fn individually_linked_tags_are_read_in_addition_to_tag_lists() {
    let mut history = history_with(SchemaOptions::default().with_groups(&[TableGroup::Tags]));
    history.writer().add_tag(7, "Review, urgent").unwrap();
    history.writer().tag_activity(2, 2, 7).unwrap();
    history.commit();
    let app = history.app();
    let found: Vec<_> = tags(&app).tags.into_iter().map(|tag| (tag.name, tag.duration_minutes.to_string())).collect();
    let expected = [("Client, Development", "60"), ("Review, urgent", "20")];
    assert_eq!(found, expected.map(|(name, minutes)| (name.to_owned(), minutes.to_owned())));
    run_every_query(&app).unwrap();
}

#[test]
fn unknown_tables_and_columns_are_ignored_but_can_be_queried() {
    let mut history = history_with(SchemaOptions::default());
    let before = today(&history.app());
    history.sql(
        "ALTER TABLE Ar_Activity ADD COLUMN Mood text DEFAULT 'good';
         ALTER TABLE Ar_Group ADD COLUMN Icon64 blob;
         ALTER TABLE Ar_Timeline ADD COLUMN \"Odd \"\"name\" int;
         CREATE TABLE Ar_Future (ReportId int, Payload blob, \"select\" text, untyped);
         INSERT INTO Ar_Future VALUES (1, x'00ff', 'word', 1.5);
         CREATE VIEW Ar_Tomorrow AS SELECT * FROM Ar_Future;",
    );
    let app = history.app();
    assert_eq!(today(&app), before);
    assert_eq!(rows(&app, "SELECT DISTINCT mood FROM manictime.ar_activity"), ["good"]);
    assert_eq!(rows(&app, "SELECT * FROM manictime.ar_future"), ["1 | word | 1.5"]);
    read_every_table(&app);
}

#[test]
fn missing_optional_columns_are_null() {
    let mut history = history_with(SchemaOptions::core());
    for (table, columns) in OPTIONAL {
        drop_indexes(&mut history, table);
        for column in columns {
            // Afterwards, the writer can't add rows, because it fills every column.
            history.writer().connection().execute_batch(&format!("ALTER TABLE {table} DROP COLUMN {column}")).unwrap();
        }
    }
    let app = history.app();
    // Without a key and a flag, the name of the state determines the state. A document without a type doesn't count as
    // a website.
    assert_eq!(segments(&today(&app)), ["09:00 09:40 Editor 40.0", "09:40 10:00 Firefox 20.0"]);
    let nulls = "SELECT count(notes), count(is_billable), count(related_activity_id), count(color),
                        count(group_type), count(group_key), count(*) FROM activities";
    assert_eq!(rows(&app, nulls), ["0 | 0 | 0 | 0 | 0 | 0 | 5"]);
    run_every_query(&app).unwrap();
}

#[test]
fn error_lists_a_missing_core_table() {
    for (table, _) in REQUIRED {
        let mut history = history_with(SchemaOptions::core());
        history.sql(&format!("DROP TABLE {table}"));
        let error = run_query(&history.app(), narrative_request(day(DAY))).unwrap_err();
        assert_eq!(code(&error), "SCHEMA_INCOMPLETE");
        assert!(error.to_string().contains(&format!("lacks the table `{table}`")), "{error}");
    }
}

#[test]
fn error_lists_a_missing_core_column() {
    let mut history = history_with(SchemaOptions::core());
    let app = history.app();
    for (table, columns) in REQUIRED {
        for column in columns {
            history.sql(&format!("ALTER TABLE {table} RENAME COLUMN {column} TO Elsewhere"));
            let error = run_query(&app, narrative_request(day(DAY))).unwrap_err();
            assert_eq!(code(&error), "SCHEMA_INCOMPLETE");
            assert!(error.to_string().contains(&format!("lacks the column `{table}.{column}`")), "{error}");
            history.sql(&format!("ALTER TABLE {table} RENAME COLUMN Elsewhere TO {column}"));
        }
    }
    assert_eq!(tops(&today(&app)), ["Editor 40.0", "Firefox 20.0"], "the file is complete again");
}

#[test]
fn supplemental_table_without_its_columns_counts_as_missing() {
    let mut history = history_with(SchemaOptions::default());
    history.writer().fill_hourly_tables().unwrap();
    history.sql(
        "ALTER TABLE Ar_ApplicationByDay RENAME COLUMN TotalSeconds TO Ticks;
         ALTER TABLE Ar_Environment RENAME COLUMN DeviceDisplayName TO Label;",
    );
    let app = history.app();
    assert_eq!(usage(&app, day(DAY)).diagnostics.reason_code, Some(ReasonCode::FallbackComputation));
    let health = run_query(&app, HealthRequest).unwrap();
    let absent: Vec<_> =
        health.tables.iter().filter(|table| !table.present).map(|table| table.table.as_str()).collect();
    assert_eq!(absent, ["Ar_Environment", "Ar_ApplicationByDay", "Ar_Tag", "Ar_ActivityTag"]);
    run_every_query(&app).unwrap();
}

#[test]
fn empty_tables_give_a_response_without_data() {
    for options in [SchemaOptions::core(), SchemaOptions::default().with_groups(&[TableGroup::Tags])] {
        let mut history = History::with(options);
        history.commit();
        let app = history.app();
        run_every_query(&app).unwrap();
        let narrative = today(&app);
        assert_eq!(narrative.total_active_minutes.to_string(), "0");
        assert_eq!(narrative.diagnostics.reason_code, Some(ReasonCode::NoDataInRange));
        assert!(!narrative.diagnostics.degraded);
    }
    let mut history = History::on_workstation();
    history.commit();
    let app = history.app();
    run_every_query(&app).unwrap();
    let timelines = run_query(&app, HealthRequest).unwrap().timelines;
    let roles: Vec<_> = timelines.iter().map(|timeline| (timeline.role, timeline.activities)).collect();
    let expected = [Role::ComputerUsage, Role::Applications, Role::Documents, Role::Tags].map(|role| (role, 0));
    assert_eq!(roles, expected);
}
